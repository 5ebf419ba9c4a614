"""The answers that the Data page draws as buttons: each is clicked, and what was asked is gone."""

import numpy as np
import pytest

from alc_core.dashboard.data.label_table import STANDS_FOR
from alc_core.dashboard.data.labels import LabelsScreen, store_labels
from alc_core.dashboard.work.campaign_planning import plan_preview
from tests.app.conftest import csv
from tests.unit.cli.test_offers import (
    PLAIN,
    RENAMED,
    N,
    people,
    renamed,
    shuffled,
    words_for_numbers,
)


def drowned():
    """Return people, and a release that keeps two of their columns together and mixes the rest."""
    draw = np.random.default_rng(5)
    original = people().assign(
        number=draw.integers(0, 10**6, N),
        shoe=draw.integers(20, 60, N) / 10,
        floor=draw.integers(9, size=N),
    )
    mixed = original.apply(lambda column: draw.permutation(column.to_numpy()))
    return original, shuffled(mixed.assign(number=original["number"], job=original["job"]))


def asked(app):
    return [finding for finding in app.state.findings() if finding.blocking]


def load(app, make):
    original, release, *_ = make()
    app.load(("people.csv", csv(original)), ("release.csv", csv(release)))
    app.go_to("data")


@pytest.mark.parametrize(
    "make", [make for _, make in PLAIN], ids=[make.__name__ for _, make in PLAIN]
)
def test_every_button_mends_what_was_asked(app, make):
    load(app, make)
    for finding in asked(app):
        assert finding.offers
        for offer in finding.offers:
            load(app, make)
            (button,) = (b for b in app.test.button if b.label.startswith(offer.words))
            button.click()
            app.run()
            left = {(one.code, one.column) for one in asked(app)}
            assert (finding.code, finding.column) not in left


@pytest.mark.parametrize(
    "make",
    [renamed("town"), renamed("town", "job"), words_for_numbers],
    ids=["one", "two", "numbers"],
)
def test_labels_that_nobody_explained_can_be_filled_in(app, make):
    load(app, make)
    columns = {finding.column for finding in asked(app)}
    (table,) = (t.value for t in app.test.dataframe if STANDS_FOR in t.value.columns)
    assert set(table["Column"]) == columns
    assert set(table[STANDS_FOR]) == {""}
    assert set(table["Source"]) == {"could not be read"}
    assert "Enter what each covers" in app.texts
    back = {new: old for names in RENAMED.values() for old, new in names.items()}
    meant = {**back, "young": "..49", "old": "50.."}
    order = app.state.screen(LabelsScreen).orders["release"]
    cells = {number: {STANDS_FOR: meant[place[2]]} for number, place in enumerate(order)}
    store_labels(app.state, "release", dict(list(cells.items())[:1]))
    app.run()
    assert asked(app), "one of several"
    store_labels(app.state, "release", cells)
    app.run()
    assert not asked(app)
    assert app.state.screen(LabelsScreen).orders["release"] == order, "they keep their places"


def test_columns_that_stay_together_are_attacked_by_one_click(app):
    original, release = drowned()
    app.load(("people.csv", csv(original)), ("release.csv", csv(release)))
    app.go_to("data")
    (question,) = asked(app)
    assert question.code == "own-together"
    (button,) = (b for b in app.test.button if b.label.startswith("Attack with these known"))
    button.click()
    app.run()
    assert not asked(app)
    ((number, named),) = app.state.choices.sets.items()
    assert {*named} == {*question.facts["columns"]}
    app.state.choices = app.state.choices.without_set(number)
    assert asked(app), "it is asked again"


def test_a_kept_identifier_is_attacked_as_known_by_one_click(app):
    draw = np.random.default_rng(5)
    original = people().assign(zip=[f"A{n}" for n in draw.permutation(90_000)[:N]])
    mixed = original.apply(lambda column: draw.permutation(column.to_numpy()))
    release = shuffled(mixed.assign(zip=original["zip"], job=original["job"]))
    app.load(("people.csv", csv(original)), ("release.csv", csv(release)))
    app.go_to("data")
    (button,) = (b for b in app.test.button if b.label.startswith("Attack with these known"))
    button.click()
    app.run()
    app.go_to("attack")
    assert ("zip",) in app.state.choices.known_together
    assert not app.test.exception
    planned = plan_preview(app.state).plan
    assert ("zip",) in {attack.scenario.known for attack in planned.attacks}
