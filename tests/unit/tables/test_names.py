"""Columns and values by other names: for people, and as released tables call them."""

import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import ColumnError, InputError
from alc_core.tables.apart.read import read_codebook
from alc_core.tables.names import Names, codebook, fitting, names_of, with_names, with_same_columns
from alc_core.tables.read import table_from_frame
from alc_core.tables.roles import suggest_roles
from alc_core.tables.table import ColumnKind
from alc_core.tables.value_sets import Interval


@pytest.fixture
def survey():
    frame = pd.DataFrame(
        {
            "MAR": [1, 2, 3, None] * 50,
            "PINCP": ["N" if n % 4 == 0 else str(1000 + n) for n in range(200)],
            "Q1": ["a", "b"] * 100,
        }
    )
    return table_from_frame(frame, name="survey")


NAMES = Names(
    columns={"MAR": "marital status", "PINCP": "personal income", "NOT": "there"},
    labels={"MAR": {"1": "married", "2": "widowed"}, "PINCP": {"N": "not asked"}},
)


def test_columns_and_values_have_names_and_keep_their_codes(survey):
    named = with_names(survey, NAMES.of(survey))
    assert named.columns == ("marital status", "personal income", "Q1")
    status = named.frame["marital status"]
    assert set(status.dropna().astype(str)) == {"married", "widowed", "3"}
    assert status.isna().sum() == 50, "a missing value stays one"
    assert named.kind("marital status") is ColumnKind.CATEGORICAL
    assert named.kind("personal income") is survey.kind("PINCP"), "numbers with a code stay such"
    assert named.codes == {"marital status": "MAR", "personal income": "PINCP"}
    assert named.fingerprint == survey.fingerprint
    assert with_names(survey, names_of(named)).columns == named.columns


def test_two_columns_never_have_one_name(survey):
    names = Names(columns={"MAR": "Q1", "PINCP": "status"}).of(survey)
    assert names.columns == {"MAR": "Q1 (MAR)", "PINCP": "status"}
    twice = Names(columns={"MAR": "status", "PINCP": "status"})
    assert set(twice.of(survey).columns.values()) == {"status (MAR)", "status (PINCP)"}
    with pytest.raises(ColumnError, match="Two columns of 'survey' would be called 'status'"):
        with_names(survey, twice)


def test_the_code_still_tells_the_role(survey):
    named = with_names(survey, Names(columns={"MAR": "a1", "PINCP": "a2"}))
    found = {s.column: s.rather for s in suggest_roles(named, named.columns)}
    assert (found["a1"], found["a2"]) == ("known", "unknown")


def test_a_codebook_of_three_columns():
    text = b"column,code,label\nMAR,,marital status\nMAR,1,married\n,2,widowed\nAGEP,,age\n"
    found = read_codebook(text, name="codes.csv")
    assert found.columns == {"MAR": "marital status", "AGEP": "age"}
    assert found.labels == {"MAR": {"1": "married", "2": "widowed"}}


def test_a_codebook_of_two_columns_needs_no_head():
    found = read_codebook(b"MAR;marital status\nAGEP;age\n", name="codes.csv")
    assert found.columns == {"MAR": "marital status", "AGEP": "age"}


def test_a_head_tells_which_columns_of_a_codebook_count():
    text = b"variable,type,label,unit\npay,number,monthly pay,euro\nmar,code,marital status,\n"
    assert read_codebook(text, name="c").columns == {"pay": "monthly pay", "mar": "marital status"}
    text = b"Variable;Unit;Value;Meaning\nmar;;1;married\n;;2;widowed\npay;euro;;monthly pay\n"
    found = read_codebook(text, name="c")
    assert found.columns == {"pay": "monthly pay"}
    assert found.labels == {"mar": {"1": "married", "2": "widowed"}}


@pytest.mark.parametrize("first", ["SEX,,sex\n", ""])
def test_what_a_missing_value_is_called_does_not_name_its_column(first):
    text = f"column,code,label\n{first}SEX,1,male\nSEX,2,female\nSEX,.,missing\n"
    found = read_codebook(text.encode(), name="codes.csv")
    assert found.columns == ({"SEX": "sex"} if first else {})
    assert found.labels == {"SEX": {"1": "male", "2": "female"}}


def test_columns_called_as_in_a_head_have_names_too():
    text = b"variable,code,label\nname,,family name\ncode,1,known\n,2,guessed\n"
    found = read_codebook(text, name="codes.csv")
    assert found.columns == {"name": "family name"}
    assert found.labels == {"code": {"1": "known", "2": "guessed"}}


def test_what_is_no_codebook_is_refused():
    with pytest.raises(InputError, match="'c' has 4 columns. It needs two"):
        codebook([("a", "b", "c", "d")], name="c")
    with pytest.raises(InputError, match="'c' names no column"):
        codebook([("column", "label")], name="c")
    with pytest.raises(InputError, match="repeats a name of 'a': 'x'"):
        codebook([("a", "1", "x"), ("a", "2", "x")], name="c")


def test_labels_of_variables_are_read(tmp_path):
    import pyreadstat

    from alc_core.tables.apart.read import read_table

    frame = pd.DataFrame({"MAR": [1.0, 2.0], "AGEP": [30.0, 40.0]})
    pyreadstat.write_sav(frame, tmp_path / "a.sav", column_labels=["marital status", ""])
    assert read_table(tmp_path / "a.sav").labels == {"MAR": "marital status"}
    frame.to_stata(tmp_path / "a.dta", variable_labels={"MAR": "status"}, write_index=False)
    assert read_table(tmp_path / "a.dta").labels == {"MAR": "status"}


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
    assert "Column 'work' is read as the original's 'job'." in found.notes
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
        (
            {"work": "city"},
            InputError,
            "'work' of 'release.csv' cannot be the original's 'city'",
        ),
        (
            {"work": "job", "years": "job"},
            InputError,
            "'work' and 'years' of 'release.csv' cannot both",
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
