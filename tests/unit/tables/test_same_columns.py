"""Columns of a released table under other names than the original's."""

import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import ColumnError, InputError
from alc_core.tables.names import fitting, with_same_columns
from alc_core.tables.table import ColumnKind
from alc_core.tables.value_sets import Interval

ORIGINAL = alc.table_from_frame(
    pd.DataFrame({"age": [20, 30, 40], "job": ["a", "b", "c"], "city": ["x", "y", "z"]}),
    name="people.csv",
)
RELEASE = alc.table_from_frame(
    pd.DataFrame(
        {"years": ["20-30", "40", "40"], "work": ["a", "b", "c"], "city": ["x", "y", "x"]}
    ),
    name="release.csv",
)


def test_values_kinds_and_sets_follow_the_name():
    release = RELEASE.with_kinds({"work": "ignore"}).with_value_sets(
        "years", {"20-30": Interval(20, 30)}
    )
    found = with_same_columns(ORIGINAL, release, {"years": "age", "work": "job"})
    assert found.columns == ("age", "job", "city")
    assert found.frame["age"].tolist() == ["20-30", "40", "40"]
    assert found.kind("job") is ColumnKind.IGNORE
    assert found.guesses["age"] == release.guesses["years"]
    assert found.value_sets["age"] == {"20-30": Interval(20, 30)}
    assert dict(found.same_columns) == {"years": "age", "work": "job"}
    assert found.fingerprint == RELEASE.fingerprint
    assert "Column 'work' is taken as the original's 'job'." in found.notes
    assert RELEASE.columns == ("years", "work", "city")
    original = ORIGINAL.with_kinds({"age": "continuous"})
    sets = alc.column_sets(original, found)["age"]
    assert sets.labels[0].n_values == 2


def test_names_may_be_exchanged_and_changed_again():
    swapped = alc.table_from_frame(pd.DataFrame({"city": ["a", "b"], "job": ["x", "y"]}), name="r")
    found = with_same_columns(ORIGINAL, swapped, {"city": "job", "job": "city"})
    assert found.frame["job"].tolist() == ["a", "b"]
    once = with_same_columns(ORIGINAL, RELEASE, {"work": "age"})
    twice = with_same_columns(ORIGINAL, once, {"age": "job", "years": "age"})
    assert dict(twice.same_columns) == {"work": "job", "years": "age"}
    back = with_same_columns(ORIGINAL, found, {"job": "city", "city": "job"})
    assert (dict(back.same_columns), back.columns) == ({}, ("city", "job"))


def test_nothing_said_changes_nothing():
    assert with_same_columns(ORIGINAL, RELEASE, {}) is RELEASE
    assert with_same_columns(ORIGINAL, RELEASE, {"city": "city"}) is RELEASE


@pytest.mark.parametrize(
    ("same", "error", "message"),
    [
        ({"wrk": "job"}, ColumnError, "Column 'wrk' is not in 'release.csv'.* mean 'work'"),
        ({"work": "jobs"}, ColumnError, "Column 'jobs' is not in 'people.csv'.* mean 'job'"),
        ({"work": "city"}, InputError, "'work' of 'release.csv' cannot be the original's 'city': "),
        (
            {"work": "job", "years": "job"},
            InputError,
            "Columns 'work' and 'years' of 'release.csv'",
        ),
    ],
)
def test_what_does_not_fit_is_refused(same, error, message):
    with pytest.raises(error, match=message):
        with_same_columns(ORIGINAL, RELEASE, same)
    with_same_columns(ORIGINAL, RELEASE, fitting(ORIGINAL, RELEASE, same))


def test_what_still_fits_is_kept():
    same = {"work": "job", "gone": "age", "city": "nothing"}
    assert fitting(ORIGINAL, RELEASE, same) == {"work": "job"}
    assert fitting(ORIGINAL, RELEASE, {"work": "city", "city": "job"}) == {
        "work": "city",
        "city": "job",
    }
    assert fitting(ORIGINAL, RELEASE, {"work": "city", "city": "gone"}) == {}
