import pandas as pd
import pytest

from alc_core.errors import ColumnError, InputError
from alc_core.tables.apart.read import read_codebook
from alc_core.tables.names import Names, codebook, names_of, with_names
from alc_core.tables.read import table_from_frame
from alc_core.tables.roles import suggest_roles
from alc_core.tables.table import ColumnKind


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


def test_what_is_no_codebook_is_refused():
    with pytest.raises(InputError, match="'c' has 4 columns. It needs two"):
        codebook([("a", "b", "c", "d")], name="c")
    with pytest.raises(InputError, match="'c' names no column"):
        codebook([("column", "label")], name="c")
    with pytest.raises(InputError, match="several values of 'a' one name: 'x'"):
        codebook([("a", "1", "x"), ("a", "2", "x")], name="c")


def test_labels_of_variables_are_read(tmp_path):
    import pyreadstat

    from alc_core.tables.apart.read import read_table

    frame = pd.DataFrame({"MAR": [1.0, 2.0], "AGEP": [30.0, 40.0]})
    pyreadstat.write_sav(frame, tmp_path / "a.sav", column_labels=["marital status", ""])
    assert read_table(tmp_path / "a.sav").labels == {"MAR": "marital status"}
    frame.to_stata(tmp_path / "a.dta", variable_labels={"MAR": "status"}, write_index=False)
    assert read_table(tmp_path / "a.dta").labels == {"MAR": "status"}
