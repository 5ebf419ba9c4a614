"""Rows that are empty in every column: left out and reported, in every format."""

import io

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.checks.links import check_links
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.read import read_table
from tests.toys.files import has_note, written

FRAME = pd.DataFrame(
    {
        "age": np.arange(40.0),
        "job": ["clerk", "smith"] * 20,
        "day": pd.date_range("2020-01-01", periods=40),
    }
)
EMPTY = FRAME.reindex(range(40, 60))


def csv(frame, **how):
    return frame.to_csv(index=False, **how).encode()


def parquet(frame):
    out = io.BytesIO()
    frame.to_parquet(out)
    return out.getvalue()


def excel(frame):
    out = io.BytesIO()
    frame.to_excel(out, index=False)
    return out.getvalue()


FILES = {
    "blank.csv": csv,
    "na.csv": lambda frame: csv(frame, na_rep="NA"),
    "spaces.csv": lambda frame: csv(frame, na_rep="  "),
    "null.csv": lambda frame: csv(frame, na_rep="NULL", sep=";"),
    "a.parquet": parquet,
    "text.parquet": lambda frame: parquet(frame.astype({"job": object}).fillna({"job": "NA"})),
    "a.dta": lambda frame: written(".dta", lambda path: frame.to_stata(path, write_index=False)),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("place", ["end", "between"])
def test_they_are_left_out_and_reported(name, place):
    whole = pd.concat([FRAME, EMPTY] if place == "end" else [FRAME[:10], EMPTY, FRAME[10:]])
    table = read_table(FILES[name](whole), name=name)
    assert table.frame["age"].tolist() == FRAME["age"].tolist()
    assert table.frame.index.equals(pd.RangeIndex(40))
    assert has_note(table, "Left out: 20 rows that are empty.")


@pytest.mark.parametrize("names", [[f"NA.{n}" for n in range(20)], range(40, 60)])
def test_row_names_are_no_value(names):
    whole = pd.concat([FRAME, EMPTY.set_axis(names)]).to_csv(na_rep="NA").encode()
    assert len(read_table(whole, name="a.csv")) == 40


@pytest.mark.parametrize("first", [0, 1, 1001])
def test_numbers_of_rows_are_no_value(first):
    whole = pd.concat([FRAME, EMPTY]).reset_index(drop=True)
    whole.insert(0, "id", np.arange(first, first + 60))
    assert len(read_table(csv(whole), name="a.csv")) == 40
    whole["id"] = np.arange(60) * 7 % 60
    assert len(read_table(csv(whole), name="a.csv")) == 60


def test_workbooks():
    table = read_table(excel(pd.concat([FRAME[:10], EMPTY, FRAME[10:]])), name="a.xlsx")
    assert len(table) == 40
    assert has_note(table, "Left out: 20 rows that are empty.")


@pytest.mark.parametrize(
    ("frame", "n_rows"),
    [
        (FRAME.assign(job=None, age=np.nan), 40),  # each has a day
        (pd.DataFrame({"a": [1, np.nan, 3] * 9}), 27),  # of one column each is somebody's
        (pd.DataFrame({"a": [1, np.nan, 3], "b": ["x", None, "z"]}), 3),
        (pd.DataFrame({"a": [1, 2, np.nan, np.nan], "b": ["x", "y", None, None]}), 2),
    ],
)
def test_rows_with_a_value_and_short_rows_stay(frame, n_rows):
    assert len(read_table(csv(frame, na_rep="NA"), name="a.csv")) == n_rows


def test_rows_keep_their_places_in_the_file():
    """A release in the order of the original is found so although some of its rows are empty."""
    rng = np.random.default_rng(3)
    original = pd.DataFrame({name: rng.integers(0, 9, 400) for name in ("age", "job", "pay")})
    released = original.where(rng.random(original.shape) > 0.3, -1.0)
    released[rng.random(400) < 0.1] = np.nan
    tables = [read_table(csv(frame), name="a.csv") for frame in (original, released)]
    assert len(tables[1]) == released.notna().any(axis=1).sum()
    assert "row-order" in {found.code for found in check_links(*tables, Profiles())}


@pytest.mark.parametrize("word", ["-", "--", "n/a"])
def test_rows_of_marks_are_left_out(word):
    table = read_table(csv(pd.concat([FRAME, EMPTY]), na_rep=word), name="a.csv")
    assert len(table) == len(FRAME)
    assert has_note(table, "Left out: 20 rows")
