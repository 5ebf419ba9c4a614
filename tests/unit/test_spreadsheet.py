"""Tables that are saved: no text acts as a formula, and numbers stay numbers."""

import io
from pathlib import Path

import pandas as pd
import pytest

import alc_core
from alc_core.spreadsheet import csv_text


@pytest.mark.parametrize("kind", [object, "str", "category"])
@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_names_and_text_are_no_formulas(start, kind):
    odd = f"{start}SUM(A1:A9)"
    frame = pd.DataFrame({odd: pd.Series([odd, None, "plain"], dtype=kind)})
    read = pd.read_csv(io.StringIO(csv_text(frame)), skip_blank_lines=False)
    safe = f"'{odd}".replace("\r", "\n")
    assert read.columns.tolist() == [safe]
    assert read.iloc[:, 0].fillna("").tolist() == [safe, "", "plain"]


def test_text_after_a_line_break_stays_in_its_cell():
    assert csv_text(pd.DataFrame({"a": ["x\r=1+1"]})) == 'a\n"x\n=1+1"\n'


def test_numbers_stay_numbers():
    frame = pd.DataFrame(
        {
            "float": [-0.1, 1e-300, None],
            "whole": pd.array([-1, None, 3], dtype="Int64"),
            "flag": pd.array([True, None, False], dtype="boolean"),
            "mixed": pd.Series([-1, None, "-1"], dtype=object),
        }
    )
    assert csv_text(frame).splitlines() == [
        "float,whole,flag,mixed", "-0.1,-1,True,-1", "1e-300,,,", ",3,False,'-1",
    ]  # fmt: skip


def test_no_other_module_writes_csv():
    root = Path(alc_core.__file__).parent
    writers = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if any(call in path.read_text(encoding="utf-8") for call in (".to_csv(", "csv.writer("))
    }
    written = {"releases/samples/demo.py", "tables/formats/arx.py"}  # For tools, not for people
    assert writers == {"spreadsheet.py", *written}
