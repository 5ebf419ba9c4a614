"""Reading of workbooks (.xlsx, .xls, .xlsb, .ods) by stored values."""

from __future__ import annotations

import datetime as dt
import decimal
import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from posixpath import join, normpath
from typing import Any
from xml.etree import ElementTree as ET
from xml.sax.saxutils import quoteattr

import numpy as np
import pandas as pd
import pyarrow as pa

from alc_core.phrasing import count, numbered, quoted
from alc_core.tables.formats.around import (
    FIRST,
    LAST,
    ends_of,
    lines_around,
    repeats_note,
    row_can_repeat,
)
from alc_core.tables.formats.columns import clean_names, empty_rows_note, typed_columns
from alc_core.tables.formats.recognise import (
    check_declared_sizes,
    damaged_workbook,
    protected_workbook,
)
from alc_core.tables.formats.source import PART, Content, Options, Source, further_table, refused
from alc_core.tables.values.texts import LARGEST_EXACT, canonical_labels

_MOST_ROWS, _MOST_COLUMNS = 1_048_576, 16_384
_MOST_SHEETS = 100  # In how many rows are looked for
_TABLE, _ROW, _CELL = (
    re.compile(rb"<table:(?:covered-)?%s(?=[\s/>])" % name)
    for name in (b"table", b"table-row", b"table-cell")
)
_REPEATED = re.compile(rb"\btable:number-(?:rows|columns)-repeated\s*=\s*[\"'](\d+)")
_CONTENT = re.compile(rb"\boffice:(?:[a-z]+-)?value")
_MANY_COLUMNS = re.compile(rb"-columns-repeated\s*=\s*[\"']\d{4}.*?" + _CONTENT.pattern, re.DOTALL)
_FAR_CELL = re.compile(rb" r=[\"'](?:[A-Z]{4}|[A-Z]{0,3}\d{8})")

_BOOK, _BOOK_LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_PARTS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_CELL_WITHOUT_VALUE = re.compile(
    rb"<c\b([^>]*)>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"
)
_TEXT_CELL = re.compile(rb'\bt="str"')
_ERROR_CELL = re.compile(rb'<c\b[^>]*\bt="e"')
_ODS_FORMULA = re.compile(rb"<table:table-cell\b[^>]*\btable:formula=[^>]*>")
_ODS_VALUE = re.compile(rb"\boffice:value-type=")

# Shown in a cell whose formula failed
_ERRORS = frozenset(
    ("#N/A", "#DIV/0!", "#NUM!", "#VALUE!", "#REF!", "#NAME?", "#NULL!", "#SPILL!", "#CALC!")
)
_MANIFEST, _ENCRYPTED = "META-INF/manifest.xml", b"encryption-data"
# Raised by compiled code at its own bug; not an Exception
_PANIC = "PanicException"
_Row = list[Any]


def check_extent(source: Source, archive: zipfile.ZipFile) -> None:
    """Refuse cells beyond a sheet's last row and column."""
    for name in archive.namelist():
        if name == "content.xml":
            sheets = _TABLE.split(archive.read(name))[1:]
            beyond = any(_reaches_beyond(_ROW.split(sheet)[1:]) for sheet in sheets)
        elif name.startswith("xl/worksheets/") and name.endswith(".xml"):
            beyond = _FAR_CELL.search(archive.read(name)) is not None
        else:
            continue
        if beyond:
            raise source.error(
                f"has cells beyond row {count(_MOST_ROWS)} or column {count(_MOST_COLUMNS)}",
                "Delete them, or export the table as CSV.",
            )


def _reaches_beyond(rows: Sequence[bytes]) -> bool:
    return _last(rows, _MOST_ROWS) > _MOST_ROWS or any(
        _last(_CELL.split(row)[1:], _MOST_COLUMNS) > _MOST_COLUMNS
        for row in rows
        if _MANY_COLUMNS.search(row)
    )


def _last(parts: Sequence[bytes], most: int) -> int:
    """Return the place of the last row or cell with content, or 0."""
    repeated = [_REPEATED.search(part.partition(b">")[0]) for part in parts]
    times = [int(each[1]) if each else 1 for each in repeated]
    place = sum(times)
    if place <= most:
        return 0
    for part, number in zip(reversed(parts), reversed(times), strict=True):
        if _CONTENT.search(part):
            return place
        place -= number
    return 0


def check_formulas(source: Source, sheet: str) -> int | None:
    """Refuse uncalculated formulas, which would be missing."""
    if not zipfile.is_zipfile(io.BytesIO(source.data)):
        return None
    with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
        names = archive.namelist()
        if _BOOK in names:
            xml = archive.read(_sheet_path(archive, sheet))
            without_value = _CELL_WITHOUT_VALUE.findall(xml) if b"<f" in xml else []
            uncalculated = sum(_TEXT_CELL.search(cell) is None for cell in without_value)
            errors = len(_ERROR_CELL.findall(xml))
        elif "content.xml" in names:
            named = f"table:name={quoteattr(sheet)}".encode()
            xml = archive.read("content.xml")
            table = xml[max(xml.find(named), 0) :].partition(b"</table:table>")[0]
            formulas = _ODS_FORMULA.findall(table)
            uncalculated, errors = sum(_ODS_VALUE.search(cell) is None for cell in formulas), 0
        else:
            return None
    if uncalculated:
        raise source.error(
            f"has {numbered(uncalculated, 'formula')} without a stored result in sheet '{sheet}'",
            "Save it in Excel, or export the sheet as CSV.",
        )
    return errors


def _sheet_path(archive: zipfile.ZipFile, sheet: str) -> str:
    """Return the path of a sheet's XML; KeyError if damaged."""
    book = ET.fromstring(archive.read(_BOOK))  # noqa: S314 (expat limits expansion)
    links = {each.get("name"): each.get(_LINK) for each in book.iter(f"{_PARTS}sheet")}
    targets = {
        each.get("Id"): str(each.get("Target"))
        for each in ET.fromstring(archive.read(_BOOK_LINKS))  # noqa: S314
    }
    return normpath(join("/xl", targets[links[sheet]])).lstrip("/")


def read_excel(source: Source, options: Options) -> Content:
    """Read one sheet of a workbook."""
    sheets, name, rows = _opened(source, options)
    with refused(damaged_workbook(source), Exception):
        unseen = check_formulas(source, name)
    notes = [_told_sheet(name, sheets, options.sheet)]
    errors = sum(value in _ERRORS for row in rows for value in row if isinstance(value, str))
    if unseen is None:
        told = "cells"
    else:
        told = numbered(unseen + errors, "cell") if unseen + errors else ""
    if told:
        notes.append(f"Read as missing: {told} with an error, such as #N/A.")
    values = [[_value(cell) for cell in row] for row in rows]
    read = around_rows(source, values, options, notes)
    # Else it is the only one with rows, the file's
    return read if options.sheet is None else replace(read, part=further_table(name, sheets))


def rows_of_sheet(source: Source, options: Options) -> list[list[str]]:
    """Return a sheet's rows as text, and rows around records."""
    rows = _opened(source, options)[2]
    return [[_text(_value(cell)) for cell in row] for row in rows[:FIRST]]


def _opened(source: Source, options: Options) -> tuple[list[str], str, list[_Row]]:
    with refused(damaged_workbook(source), Exception):  # Each compression has its own errors
        if zipfile.is_zipfile(io.BytesIO(source.data)):
            with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
                check_declared_sizes(source, archive, max_bytes=options.max_bytes)
                if _MANIFEST in archive.namelist() and _ENCRYPTED in archive.read(_MANIFEST):
                    raise protected_workbook(source)
                check_extent(source, archive)
        sheets, name, rows = _rows(source, options)
        if name is None and not sheets:
            raise source.error("has no sheet with cells", "Export the table as CSV.")
        if name is None:
            has = f"has no sheet '{options.sheet}'; it has {quoted(sheets)}"
            raise source.error(has, "Choose one of these sheets.")
    return sheets, name, rows


def _rows(source: Source, options: Options) -> tuple[list[str], str | None, list[_Row]]:
    import python_calamine

    try:
        book = python_calamine.load_workbook(io.BytesIO(source.data))
        cells = python_calamine.SheetTypeEnum.WorkSheet
        sheets = [sheet.name for sheet in book.sheets_metadata if sheet.typ is cells]
        name = _chosen(source, book, sheets, options.sheet)
        if name is None:
            return sheets, None, []
        return sheets, name, list(book.get_sheet_by_name(name).iter_rows())
    except BaseException as error:
        if type(error).__name__ == _PANIC:
            raise damaged_workbook(source) from None
        raise


def _chosen(source: Source, book: Any, sheets: list[str], wanted: str | int | None) -> str | None:
    if isinstance(wanted, str):
        return wanted if wanted in sheets else None
    file = source.name.partition(PART)[0]
    if wanted is None and len(sheets) > _MOST_SHEETS:
        raise source.error(
            f"has {count(len(sheets))} sheets",
            f"Choose one, such as '{file}{PART}{sheets[0]}'.",
            sheets[:_MOST_SHEETS],
        )
    if wanted is None and len(sheets) > 1:
        filled = [each for each in sheets if book.get_sheet_by_name(each).height > 1]
        if len(filled) > 1:
            raise source.error(
                f"has several sheets with rows: {quoted(filled)}",
                f"Choose one as the sheet, or '{file}{PART}{filled[0]}'.",
                filled,
            )
        sheets = filled or sheets
    place = wanted or 0
    return sheets[place] if 0 <= place < len(sheets) else None


def _told_sheet(name: str, sheets: Sequence[str], wanted: str | int | None) -> str:
    others = [other for other in sheets if other != name]
    if not others:
        return f"Sheet: '{name}'."
    how = "the only one with rows" if wanted is None else "as given"
    return f"Sheet: '{name}', {how}; not read: {quoted(others)}."


def around_rows(
    source: Source, rows: Sequence[_Row], options: Options, notes: list[str]
) -> Content:
    """Return records among rows, as typed columns."""
    if not any(map(_width, rows)):
        raise source.error("has an empty sheet", "Choose another sheet.")
    first, last = ends_of(rows)
    words = [[[*map(_text, row)] for row in end or ()] for end in (first, last)]
    around = lines_around(source, words[0], None if last is None else words[1], options)
    start, end = around.records(first, last)
    records = [*start, *([] if last is None else rows[FIRST:-LAST]), *end]
    filled = [row for row in records if _width(row)]
    kept = _without_repeats(filled, around.again)
    repeats = len(filled) - len(kept)
    notes = [*notes, *around.notes, *([repeats_note(repeats)] if repeats else [])]
    notes += [empty_rows_note(len(records) - len(filled))] if len(filled) < len(records) else []
    header = [name or None for name in around.names]
    return replace(typed_rows(source, [header, *kept], options, notes), doubtful=around.doubtful)


def _without_repeats(rows: list[_Row], again: Sequence[Sequence[str]]) -> list[_Row]:
    found = {tuple(row) for row in again if row_can_repeat(row)}
    firsts = {row[0] for row in found}  # Most rows differ in it: quick
    kept = [
        row for row in rows if _text(row[0]) not in firsts or tuple(map(_text, row)) not in found
    ]
    words = again[0] if len(kept) < len(rows) else ()
    if any(
        not any(word == _text(row[n]) for row in kept if len(row) > n)
        for n, word in enumerate(words)
    ):
        return kept
    return rows  # Words that also are values: perhaps no header


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)


def typed_rows(source: Source, rows: Sequence[_Row], options: Options, notes: list[str]) -> Content:
    """Return cells as typed columns; the first row has names."""
    width = max(map(_width, rows))
    header, name_notes = clean_names(source, _padded(rows[0], width))
    if len(rows) == 1:
        raise source.error("has a header line but no rows", "Use a file with one row per record.")
    cells = list(zip(*(_padded(row, width) for row in rows[1:]), strict=True))
    typed: dict[str, pd.Series] = {}
    texts: list[tuple[str, pa.ChunkedArray]] = []
    for name, column in zip(header, cells, strict=True):
        series = _typed_cells(column)
        typed[name] = series
        if series.dtype == object and pd.api.types.infer_dtype(series, skipna=True) == "string":
            values = [None if value is None else str(value) for value in series]
            texts.append((name, pa.chunked_array([pa.array(values, pa.string())])))
    of_text = typed_columns(texts, decimal=options.decimal, thousands=options.thousands)
    frame = pd.DataFrame(typed | of_text.columns)
    return Content(
        frame=frame,
        notes=(*notes, *name_notes, *of_text.notes),
        maybe_thousands=of_text.maybe_thousands,
        flags=of_text.flags,
    )


def _typed_cells(column: tuple[Any, ...]) -> pd.Series:
    present = [value for value in column if value is not None]
    if not present:
        return pd.Series(np.full(len(column), np.nan))
    complete = len(present) == len(column)
    if all(isinstance(value, bool) for value in present):
        return pd.Series(column, dtype=bool if complete else object)
    if all(
        isinstance(v, int | float | decimal.Decimal) and not isinstance(v, bool) for v in present
    ):
        if complete and all(isinstance(value, int) for value in present):
            return pd.Series(column, dtype=np.int64)
        if not any(isinstance(v, int) and abs(v) >= LARGEST_EXACT for v in present):
            return pd.Series(column, dtype=np.float64)
    if all(isinstance(value, dt.date) for value in present):
        dates = pd.to_datetime(pd.Series(column, dtype=object), errors="coerce")
        return pd.Series(dates.astype("datetime64[us]"))
    labels = canonical_labels(pd.Series(column, dtype=object)).tolist()
    texts = [  # 2.440 as text may be two thousand
        value.strip() if isinstance(value, str) else label
        for value, label in zip(column, labels, strict=True)
    ]
    return pd.Series(texts, dtype=object).where(lambda s: s.notna(), None)


def _value(cell: Any) -> Any:
    """Return a cell's content, None if empty or an error."""
    if isinstance(cell, str):
        return None if cell in _ERRORS or not cell.strip() else cell
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < LARGEST_EXACT:
        return int(cell)
    return cell


def _width(row: _Row) -> int:
    return max((place for place, value in enumerate(row, 1) if value is not None), default=0)


def _padded(row: _Row, width: int) -> tuple[Any, ...]:
    return (*row[:width], *[None] * (width - len(row)))
