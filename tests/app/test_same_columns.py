"""Columns that a release has under other names, on the Data page and in what follows from it."""

from ast import literal_eval

import numpy as np
import pytest

from alc_core.dashboard.choices.plan import OneAttack
from alc_core.dashboard.data.noticed import HEADING
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.scoring.verdict import Verdict
from tests.app.conftest import csv

NAMES = {"age": "years", "job": "work"}
SAME = {"years": "age", "work": "job"}
TAKE, CHOSEN, UNDO = "Use suggested columns", "Use chosen columns", "Undo"


def press(app, label):
    """Press the button of this label; what only screen readers hear comes behind it."""
    (button,) = (b for b in app.test.button if b.label.startswith(label))
    button.click()
    app.run()


def labels(app):
    return [button.label for button in app.test.button]


def choices(app):
    """What is chosen, in force or not, by the release's column."""
    found = (box for box in app.test.selectbox if str(box.key).startswith("same_"))
    return {literal_eval(box.key.removeprefix("same_"))[1]: box.value for box in found}


def key_of(column):
    """The key of the choice for a column of the release of which nothing is in force."""
    return f"same_{('release', column, None)!r}"


def missing(app):
    return {f.column for f in app.state.findings() if f.code == "missing-column"}


@pytest.fixture
def renamed(app, people):
    """All of the original released, two columns under other names: a leak that they hide."""
    frame = people(800)
    released = frame.sample(frac=1, random_state=3).rename(columns=NAMES).assign(note="x")
    app.load(("people.csv", csv(frame)), ("release.csv", csv(released)))
    return app


def test_nothing_is_asked_where_the_names_are_the_same(loaded):
    assert HEADING not in loaded.texts
    assert not choices(loaded)


def test_columns_are_suggested_and_not_in_force(renamed):
    assert HEADING in renamed.texts
    assert "**release** seems to have 2 renamed columns." in renamed.texts
    assert choices(renamed) == {"years": "age", "work": "job", "note": ""}
    assert missing(renamed) == {"age", "job"}
    assert not any(label.startswith(UNDO) for label in labels(renamed))


def test_all_suggestions_are_taken_by_one_click_and_undone(renamed):
    press(renamed, TAKE)
    state = renamed.state
    (table,) = state.release_tables()
    assert set(table.columns) == {"age", "city", "hours", "job", "note"}
    assert dict(table.same_columns) == SAME
    assert "“years” is read as “age” and “work” as “job”." in renamed.texts
    assert missing(renamed) == set()
    assert state.column_roles().of_columns["job"].role.value != "left out"
    press(renamed, UNDO)
    assert missing(renamed) == {"age", "job"}
    assert state.release_tables()[0] is state.release[0].table
    assert choices(renamed) == {"years": "age", "work": "job", "note": ""}


def test_a_choice_of_the_user_counts(renamed):
    renamed.choose("selectbox", key_of("work"), "")
    assert any(label.startswith(CHOSEN) for label in labels(renamed))
    press(renamed, CHOSEN)
    assert dict(renamed.state.release_tables()[0].same_columns) == {"years": "age"}
    assert missing(renamed) == {"job"}
    assert choices(renamed) == {"years": "age", "work": "", "note": ""}
    assert "**release** seems to have 1 renamed column." in renamed.texts


def test_one_column_cannot_be_two(renamed):
    renamed.choose("selectbox", key_of("note"), "job")
    assert "cannot all be the original's 'job'. Choose one." in renamed.texts
    buttons = [b for b in renamed.test.button if b.label.startswith(("Use s", "Use c"))]
    (button,) = buttons
    assert button.disabled


def test_a_column_that_nothing_is_like_is_asked_for_in_a_fold(app, people):
    frame = people(400)
    app.load(
        ("people.csv", csv(frame)), ("release.csv", csv(frame.assign(job="?", x=1)[["age", "x"]]))
    )
    assert HEADING in [block.label for block in app.test.expander]
    assert choices(app) == {"x": ""}


def test_names_of_releases_and_columns_are_not_run_together(app, people):
    frame = people(300)
    first, second = (csv(frame.rename(columns={"job": column})) for column in ("b_c", "c"))
    app.load(("people.csv", csv(frame)), ("a.csv", first), ("a_b.csv", second))
    app.state.release_mode = "several"
    app.go_to("data")
    assert choices(app) == {"b_c": "job", "c": "job"}


def run_one(app):
    state = app.state
    app.go_to("attack")
    state.choose(mode="one", one=OneAttack(unknown="city", known=("age", "hours", "job")))
    app.run()
    if replaced := [box for box in app.test.checkbox if box.key.startswith("replace_")]:
        replaced[0].check().run()
    app.click(next(label for label in app.buttons if label.startswith("Run")))
    app.finish()
    return state.campaign.view.store.assessment(0)


def test_a_leak_is_found_once_the_columns_are_matched_and_kept(app, people):
    rng = np.random.default_rng(5)
    frame = people(800).assign(hours=lambda frame: rng.permutation(frame["hours"].round(-1)))
    released = frame.sample(frac=1, random_state=3).rename(columns=NAMES)
    app.load(("people.csv", csv(frame)), ("release.csv", csv(released)))
    state = app.state
    assert run_one(app).verdict in (Verdict.NO_LOSS, Verdict.BELOW_LIMIT, Verdict.INCONCLUSIVE)
    app.go_to("data")
    press(app, TAKE)
    assert "which column is which" in state.campaign_outdated()
    assert state.campaign_tables() is None
    assert run_one(app).verdict is Verdict.SERIOUS
    settings = state.campaign.view.settings
    assert settings.same_columns("release") == (SAME,)
    data = state.campaign.folder.path.read_bytes()

    app.go_to("data")
    press(app, UNDO)
    assert state.campaign_tables() is None
    open_campaign(state, "saved.alc", data)
    assert state.campaign_tables() is not None, "the names are in force again"
    app.run()
    assert "“years” is read as “age” and “work” as “job”." in app.texts


@pytest.fixture
def one_hot(app, people):
    """All of the original released, a column in several of yes and no."""
    frame = people(800)
    flags = {f"city_{each}": (frame["city"] == each) * 1 for each in sorted(frame["city"].unique())}
    released = frame.drop(columns="city").assign(**flags).sample(frac=1, random_state=3)
    app.load(("people.csv", csv(frame)), ("release.csv", csv(released)))
    return app


def test_columns_of_yes_and_no_are_put_together_and_apart_again(one_hot):
    def columns():
        (table,) = one_hot.state.release_tables()
        return set(table.columns)

    assert "city" in columns()
    assert "” is read as “city”." in one_hot.texts
    assert missing(one_hot) == set()
    press(one_hot, UNDO)
    assert "city" not in columns()
    assert "are left unchanged" in one_hot.texts
    assert missing(one_hot) == {"city"}
    assert not any(f.blocking for f in one_hot.state.findings())
    press(one_hot, UNDO)
    assert "city" in columns()
