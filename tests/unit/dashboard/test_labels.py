import pandas as pd
import pytest

import alc_core as alc
from alc_core.dashboard.data.label_table import label_frame, label_rows, say_label
from alc_core.dashboard.state.said import LabelledTable, Labels
from alc_core.tables.table import ColumnKind
from alc_core.tables.value_sets import Interval


@pytest.fixture
def original():
    return alc.table_from_frame(pd.DataFrame({"age": [*range(18, 78)] * 2}), name="people")


def of(labels, original, release, name):
    return LabelledTable.of(original, release, name, labels.get(name, {}))


@pytest.fixture
def release():
    return alc.table_from_frame(pd.DataFrame({"age": ["18-47", "48+"] * 30}), name="release")


def test_a_table_without_a_word_of_the_user_stays_itself(original, release):
    labelled = of(Labels(), original, release, "release")
    assert labelled.table is release
    assert labelled.told == {}
    assert of(Labels(), original, release, "another").table.name == "another"


def test_what_is_said_counts_until_it_is_taken_back(original, release):
    labels = Labels()
    labels.say("release", "age", {"48+": "50.."})
    second = of(labels, original, release, "release")
    assert second.table.value_sets["age"] == {"18-47": Interval(18, 47), "48+": Interval(50)}
    assert second.told == {"age": {"48+": "50.."}}
    labels.take_back("release", "age", "48+")
    assert labels == {"release": {}}
    assert of(labels, original, release, "release").table is release


def test_what_cannot_be_read_is_kept_but_does_not_count(original, release):
    labels = Labels()
    say_label(labels, of(labels, original, release, "release"), "age", "48+", "old people")
    labelled = of(labels, original, release, "release")
    (wrong,) = labelled.wrong
    assert (wrong.column, wrong.label) == ("age", "48+")
    assert labelled.table is release
    first, second = label_rows(labelled)
    assert (first.label, first.text, first.wrong) == ("48+", "old people", True)
    assert (second.label, second.text, second.wrong) == ("18-47", "18..47", False)


@pytest.mark.parametrize("kind", [ColumnKind.IGNORE, ColumnKind.IDENTIFIER])
def test_columns_that_are_not_compared_have_no_labels(original, release, kind):
    labels = Labels()
    labels.say("release", "age", {"48+": "50.."})
    labels.say("release", "salary", {"high": "9.."})
    labelled = of(labels, original.with_kinds({"age": kind}), release, "release")
    assert labelled.table.value_sets == {}
    assert label_rows(labelled) == []


def test_a_label_of_which_something_was_said_keeps_its_row(original, release):
    labels = Labels()
    say_label(labels, of(labels, original, release, "release"), "age", "48+", "")
    rows = {row.label: row for row in label_rows(of(labels, original, release, "release"))}
    assert (rows["48+"].text, rows["48+"].n_values, rows["48+"].share) == ("", None, 0.5)
    assert rows["18-47"].text == "18..47"


def test_names_of_tables_and_doubts_are_shown_where_there_are_any(original, release):
    rows = label_rows(of(Labels(), original, release, "release"))
    assert "Table" not in label_frame(rows, several=False)
    assert "Doubt" not in label_frame(rows, several=False)
    assert list(label_frame(rows, several=True)["Table"]) == ["release", "release"]
