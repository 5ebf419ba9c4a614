"""Spreadsheet tables without formulas in texts."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pandas as pd

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_WIDEST, _NARROWEST = 48, 9
_LOOKED_AT = 200


def spreadsheet_safe(text: str) -> str:
    """Return text that no spreadsheet evaluates.

    >>> spreadsheet_safe("=1+1"), spreadsheet_safe("age")
    ("'=1+1", 'age')
    """
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def csv_text(frame: pd.DataFrame) -> str:
    r"""Return a table as CSV, with :func:`spreadsheet_safe` text.

    >>> csv_text(pd.DataFrame({"=a": ["+b", None], "n": [-1, 2]}))
    "'=a,n\n'+b,-1\n,2\n"
    """

    def safe(value: Any) -> Any:
        # A lone \r is not quoted, and would begin a new cell
        return spreadsheet_safe(value).replace("\r", "\n") if isinstance(value, str) else value

    made = frame.copy()
    for name in frame.select_dtypes(exclude=["number", "bool"]):
        made[name] = pd.Series([safe(each) for each in frame[name]], frame.index, dtype=object)
    return str(made.rename(columns=safe).to_csv(index=False, lineterminator="\n"))


def findings_workbook(frame: pd.DataFrame) -> bytes:
    """Return findings as a sheet, with frozen headings and filters."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Findings")
    sheet.freeze_panes = "A2"
    for place, name in enumerate(frame.columns, 1):
        longest = frame[name].head(_LOOKED_AT).astype(str).str.len().max()
        widest = max(len(str(name)), 0 if pd.isna(longest) else int(longest))
        width = float(min(max(widest + 2, _NARROWEST), _WIDEST))
        sheet.column_dimensions[get_column_letter(place)].width = width

    def cell(value: Any, *, bold: bool = False) -> WriteOnlyCell:
        if not isinstance(value, str):
            return WriteOnlyCell(sheet, value=None if pd.isna(value) else value)
        made = WriteOnlyCell(sheet, value=ILLEGAL_CHARACTERS_RE.sub("", value))
        made.data_type = "s"  # openpyxl takes a leading = for a formula
        if bold:
            made.font = Font(bold=True)
        return made

    sheet.append([cell(str(name), bold=True) for name in frame.columns])
    columns = [frame[name].tolist() for name in frame.columns]
    for row in zip(*columns, strict=True):
        sheet.append([cell(value) for value in row])
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(frame.columns))}{len(frame) + 1}"
    book.save(content := BytesIO())
    return content.getvalue()
