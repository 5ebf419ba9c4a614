"""Generalized values, on the Data page and in what follows from it."""

import json

import numpy as np
import pandas as pd
import pytest

from alc_core.campaign.file.store import CampaignStore
from alc_core.dashboard.choices.plan import OneAttack
from alc_core.dashboard.data.labels import LabelsScreen, saved_sets, store_labels
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.report.html.scenario import campaign_command
from alc_core.tables.table import ColumnKind
from alc_core.tables.value_sets import Interval
from tests.app.conftest import csv

HEADING = "Generalized values"


def frames(people, **spelled):
    """An original, and a release with the ages in three groups."""
    frame = people(800).astype({"age": int})
    ages = np.select([frame["age"] < 40, frame["age"] < 60], ["20-39", "40-59"], "60+")
    for label, other in spelled.items():
        ages = np.where(ages == other, label, ages)
    return frame, frame.assign(age=ages)


@pytest.fixture
def labelled(app, people):
    frame, release = frames(people)
    app.load(("people.csv", csv(frame)), ("release.csv", csv(release)))
    app.go_to("data")
    return app


@pytest.fixture
def unread(app, people):
    """An app with labels that stand for no value of the original, in rows of nobody."""
    frame, release = frames(people)
    draw = np.random.default_rng(1)
    release = release.apply(lambda column: draw.permutation(column.to_numpy()))
    release["age"] = release["age"].replace({"60+": "900-950"})
    release["city"] = release["city"].replace({"Ulm": "X**"})
    app.load(("people.csv", csv(frame)), ("release.csv", csv(release)))
    app.go_to("data")
    return app


def shown(app) -> pd.DataFrame:
    (table,) = (t.value for t in app.test.dataframe if "Covers" in t.value.columns)
    return table.set_index("Label")


def edit(app, label, text, release="release"):
    """Edit a cell, as the table of labels would report it."""
    order = [place[2] for place in app.state.screen(LabelsScreen).orders[release]]
    store_labels(app.state, release, {order.index(label): {"Covers": text}})
    app.run()


def give(app, key, name, data):
    number = app.state.screen(LabelsScreen).uploads
    (uploader,) = (u for u in app.test.file_uploader if u.key == f"{key}_release_{number}")
    uploader.set_value((name, data, "text/csv"))
    app.run()


def covered(app, label):
    return app.state.release_tables()[0].value_sets["age"].get(label)


def test_changes_are_taken_together_and_none_changes_nothing(labelled):
    before = shown(labelled)
    labelled.click("Apply")
    assert not any(labelled.state.labels.values())
    pd.testing.assert_frame_equal(shown(labelled), before)


def test_a_release_without_such_labels_shows_nothing(loaded):
    assert HEADING not in loaded.texts


def test_it_is_said_in_a_sentence_and_a_table(labelled):
    assert "1 column of this release has generalized values" in labelled.texts
    assert "which match all they cover." in labelled.texts
    table = shown(labelled)
    assert dict(table["Covers"]) == {"20-39": "20..39", "40-59": "40..59", "60+": "60.."}
    assert set(table["Column"]) == {"age"}
    assert table["Share of rows"].sum() == pytest.approx(1)
    assert set(table["Source"]) == {"notation"}
    assert table["Values"]["20-39"] == 20
    assert "Save labels (JSON)" in labelled.downloads


def test_an_edit_counts_and_can_be_taken_back(labelled):
    edit(labelled, "20-39", "20..45")
    assert covered(labelled, "20-39") == Interval(20, 45)
    assert shown(labelled).loc["20-39", "Source"] == "you"
    assert labelled.state.told_sets() == {"release": ({"age": {"20-39": "20..45"}},)}
    labelled.click("Undo all")
    assert labelled.state.told_sets() == {}
    assert shown(labelled).loc["20-39", "Covers"] == "20..39"


def test_a_label_can_stand_for_itself(labelled):
    edit(labelled, "60+", "")
    assert covered(labelled, "60+") is None
    assert covered(labelled, "20-39") == Interval(20, 39)
    assert shown(labelled).loc["60+", "Doubt"] == "Covers only itself."
    edit(labelled, "60+", "60..")
    assert labelled.state.told_sets() == {}
    assert "Doubt" not in shown(labelled).columns


def test_what_cannot_be_read_is_named_and_not_lost(labelled):
    edit(labelled, "20-39", "twenty to forty")
    (error,) = labelled.test.error
    assert "age, label “20-39”: 'twenty to forty' is not a value" in labelled.texts
    assert "Your text is not used" in error.value
    assert shown(labelled).loc["20-39", "Covers"] == "twenty to forty"
    labelled.go_to("attack")
    labelled.go_to("data")
    assert shown(labelled).loc["20-39", "Covers"] == "twenty to forty"
    assert labelled.state.told_sets() == {}, "it does not count"
    assert labelled.state.labelled_tables()["release"].sets["age"].sets["20-39"] == Interval(20, 39)
    edit(labelled, "20-39", "20..41")
    assert not labelled.test.error
    assert covered(labelled, "20-39") == Interval(20, 41)


def test_what_could_not_be_read_comes_first_and_can_be_said(unread):
    assert "2 labels of “age” and “city” could not be read" in unread.texts
    table = shown(unread)
    assert set(table.index[:2]) == {"900-950", "X**"}
    assert table.loc["X**", "Source"] == "could not be read"
    assert table.loc["900-950", "Doubt"] == "The original has no such value."
    assert any(finding.code == "unread-labels" for finding in unread.state.findings())
    edit(unread, "900-950", "60..")
    edit(unread, "X**", "Ulm")
    assert "could not be read" not in unread.texts
    assert set(shown(unread).index[:2]) == {"900-950", "X**"}, "they keep their places"
    assert not any(finding.code == "unread-labels" for finding in unread.state.findings())


def test_what_is_saved_can_be_given_back(labelled, tmp_path):
    edit(labelled, "20-39", "20..45")
    tables = list(labelled.state.labelled_tables().values())
    text = saved_sets(tables)
    assert json.loads(text)["age"] == {"20-39": "20..45", "40-59": "40..59", "60+": "60.."}
    labelled.click("Undo all")
    give(labelled, "labels_file", "saved.json", text.encode())
    assert "Taken from 'saved.json'." in labelled.texts
    assert covered(labelled, "20-39") == Interval(20, 45)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"nothing", "'saved.json' is not JSON."),
        (b"[" * 100_000, "'saved.json' is not JSON."),
        (b'{"salary": {"a": "b"}}', "'saved.json' describes 'salary', but original and"),
    ],
)
def test_a_file_that_does_not_fit_changes_nothing(labelled, data, message):
    edit(labelled, "20-39", "20..45")
    give(labelled, "labels_file", "saved.json", data)
    assert message in labelled.texts
    assert covered(labelled, "20-39") == Interval(20, 45)


def test_a_hierarchy_can_be_given(labelled):
    ages = sorted(labelled.state.original_table().frame["age"].unique())
    rows = [f"{age};{'20-39' if age < 42 else '40-59' if age < 60 else '60+'};*" for age in ages]
    labelled.choose("selectbox", "hierarchy_column_release", "age")
    give(labelled, "hierarchy_file", "age.csv", "\n".join(rows).encode())
    assert "3 labels of 'age' from 'age.csv'." in labelled.texts
    assert covered(labelled, "20-39") == Interval(min(ages), 41)
    give(labelled, "hierarchy_file", "age.csv", b"1;2\n")
    assert "has no value of" in labelled.texts


def test_a_label_that_is_not_listed_can_be_added(labelled):
    labelled.choose("selectbox", "hierarchy_column_release", "age")
    by_label = {w.label: w for w in (*labelled.test.text_input, *labelled.test.selectbox)}
    by_label["Column of the label"].set_value("city")
    by_label["Label"].set_value("Ulm")
    by_label["Covers"].set_value("Ulm | Köln")
    labelled.click("Add")
    assert labelled.state.told_sets()["release"][0]["city"] == {"Ulm": ["Köln", "Ulm"]}
    by_label = {w.label: w for w in labelled.test.text_input}
    by_label["Label"].set_value("Atlantis")
    labelled.click("Add")
    assert "of the release lacks 'Atlantis'" in labelled.texts


def test_several_releases_have_a_table_each(labelled, people):
    _, release = frames(people)
    labelled.load(("people.csv", labelled.state.original.data), ("second.csv", csv(release)))
    tables = [t for t in labelled.test.dataframe if "Covers" in t.value.columns]
    assert len(tables) == 2
    edit(labelled, "60+", "61..", release="second")
    assert labelled.state.told_sets() == {"second": ({"age": {"60+": "61.."}},)}


def test_a_campaign_keeps_what_was_said_and_opens_with_it(labelled, tmp_path):
    edit(labelled, "20-39", "20..45")
    state = labelled.state
    labelled.go_to("attack")
    state.choose(mode="one", one=OneAttack(unknown="job", known=("age", "city")))
    labelled.run()
    run = next(label for label in labelled.buttons if label.startswith("Run"))
    labelled.click(run)
    labelled.finish()
    assert state.campaign.view.counts.finished
    settings = state.campaign.view.settings
    assert settings.told_sets == {"release": ({"age": {"20-39": "20..45"}},)}
    assert state.campaign_tables() is not None
    data = state.campaign.folder.path.read_bytes()
    assert "--like review.alc" in campaign_command(state.campaign.view.store, "review.alc")

    labelled.go_to("data")
    edit(labelled, "20-39", "20..44")
    assert "what labels cover" in state.campaign_outdated()
    assert state.campaign_tables() is None, "what labels stand for is another"
    open_campaign(state, "saved.alc", data)
    assert state.told_sets() == settings.told_sets
    assert state.campaign_tables() is not None
    path = tmp_path / "saved.alc"
    path.write_bytes(data)
    with CampaignStore.open(path) as store:
        assert store.settings.told_sets == settings.told_sets


def test_a_thousand_labels_are_shown_and_the_rest_is_named(app):
    codes = range(10_000, 21_000, 10)
    original = pd.DataFrame({"zip": [f"z{code}" for code in codes], "job": ["a", "b"] * 550})
    release = original.assign(zip=original["zip"].str[:-1] + "*")
    app.load(("people.csv", csv(original)), ("release.csv", csv(release)))
    app.state.kinds["zip"] = ColumnKind.CATEGORICAL
    app.run()
    table = shown(app)
    assert len(table) == 1000
    assert "The 1,000 most frequent labels" in app.texts
