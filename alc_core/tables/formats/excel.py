"""Reading of workbooks (.xlsx, .xls, .xlsb, .ods) by their stored values."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from alc_core.errors import TableReadError
from alc_core.tables.formats.column_names import clean_names
from alc_core.tables.formats.extent import check_extent
from alc_core.tables.formats.formulas import check_formulas
from alc_core.tables.formats.inference import is_date, is_number, typed_columns
from alc_core.tables.formats.recognise import damaged_workbook, protected_workbook
from alc_core.tables.formats.source import Content, Options, Source, counted, listed
from alc_core.tables.formats.unpack import check_declared_sizes
from alc_core.tables.values.texts import canonical_labels

_ERRORS = frozenset(
    ("#N/A", "#DIV/0!", "#NUM!", "#VALUE!", "#REF!", "#NAME?", "#NULL!", "#SPILL!", "#CALC!")
)
"""What spreadsheet programs show in a cell whose formula failed."""

_MANIFEST, _ENCRYPTED = "META-INF/manifest.xml", b"encryption-data"
_LARGEST_EXACT = 2.0**53
_PANIC = "PanicException"
"""What compiled code raises that ran into a bug of its own; it is no Exception."""

_Row = list[Any]


def read_excel(source: Source, options: Options) -> Content:
    """Read one sheet of a workbook."""
    try:
        if zipfile.is_zipfile(io.BytesIO(source.data)):
            with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
                check_declared_sizes(source, archive, max_bytes=options.max_bytes)
                if _MANIFEST in archive.namelist() and _ENCRYPTED in archive.read(_MANIFEST):
                    raise protected_workbook(source)
                check_extent(source, archive)
        sheets, name, rows = _rows(source, options)
        if name is None:
            raise _no_sheet(source, sheets, options.sheet)
        unseen = check_formulas(source, name)
    except (TableReadError, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - every method of compression has errors of its own
        raise damaged_workbook(source) from None
    notes = [_told_sheet(name, sheets, options.sheet)]
    errors = sum(value in _ERRORS for row in rows for value in row if isinstance(value, str))
    if unseen is None:
        notes.append("Any cells with an error, such as #N/A or #DIV/0!, were read as missing.")
    elif unseen + errors:
        told = counted(unseen + errors, "cell")
        notes.append(f"Read as missing: {told} with an error such as #N/A or #DIV/0!.")
    values = [[_value(cell) for cell in row] for row in rows]
    return _content(source, [row for row in values if _width(row)], options, notes)


def _rows(source: Source, options: Options) -> tuple[list[str], str | None, list[_Row]]:
    """Return the names of all sheets, of the one that is read, and its rows that are not empty."""
    import python_calamine

    try:
        book = python_calamine.load_workbook(io.BytesIO(source.data))
        cells = python_calamine.SheetTypeEnum.WorkSheet
        sheets = [sheet.name for sheet in book.sheets_metadata if sheet.typ is cells]
        name = _chosen(sheets, options.sheet)
        if name is None:
            return sheets, None, []
        rows = book.get_sheet_by_name(name).iter_rows()
        return sheets, name, [row for row in rows if any(cell != "" for cell in row)]
    except BaseException as error:
        if type(error).__name__ == _PANIC:
            raise damaged_workbook(source) from None
        raise


def _chosen(sheets: list[str], wanted: str | int | None) -> str | None:
    if isinstance(wanted, str):
        return wanted if wanted in sheets else None
    place = wanted or 0
    return sheets[place] if 0 <= place < len(sheets) else None


def _no_sheet(source: Source, sheets: list[str], wanted: str | int | None) -> TableReadError:
    if not sheets:
        return source.error("has no sheet with cells", "Export the table as CSV.")
    return source.error(
        f"has no sheet '{wanted}'; it has {listed(sheets)}", "Choose one of these sheets."
    )


def _told_sheet(name: str, sheets: Sequence[str], wanted: str | int | None) -> str:
    others = [other for other in sheets if other != name]
    if not others:
        return f"Sheet: '{name}'."
    how = "the first one" if wanted is None else "as given"
    return f"Sheet: '{name}', {how}; not read: {listed(others)}."


def _content(source: Source, rows: Sequence[_Row], options: Options, notes: list[str]) -> Content:
    if not rows:
        raise source.error("has an empty sheet", "Choose another sheet, or fill this one.")
    width = max(_width(row) for row in rows)
    header, name_notes = clean_names(source, _padded(rows[0], width))
    if len(rows) == 1:
        raise source.error("has a header line but no rows", "Use a sheet with one row per record.")
    cells = list(zip(*(_padded(row, width) for row in rows[1:]), strict=True))
    typed: dict[str, pd.Series] = {}
    texts: list[tuple[str, pa.ChunkedArray]] = []
    for name, column in zip(header, cells, strict=True):
        series = _typed_cells(column)
        typed[name] = series
        if series.dtype == object and pd.api.types.infer_dtype(series, skipna=True) == "string":
            values = [None if value is None else str(value) for value in series]
            texts.append((name, pa.chunked_array([pa.array(values, pa.string())])))
    from_text, findings = typed_columns(texts, decimal=options.decimal)
    frame = pd.DataFrame(typed | from_text, columns=header)
    return Content(frame=frame, notes=(*notes, *name_notes, *findings.notes()))


def _typed_cells(column: tuple[Any, ...]) -> pd.Series:
    """Give a sheet's column one type: numbers, booleans, dates, or else text."""
    present = [value for value in column if value is not None]
    if not present:
        return pd.Series(np.full(len(column), np.nan))
    complete = len(present) == len(column)
    if all(isinstance(value, bool) for value in present):
        return pd.Series(column, dtype=bool if complete else object)
    if all(is_number(value) for value in present):
        whole = complete and all(isinstance(value, int) for value in present)
        return pd.Series(column, dtype=np.int64 if whole else np.float64)
    if all(is_date(value) for value in present):
        dates = pd.to_datetime(pd.Series(column, dtype=object), errors="coerce")
        return pd.Series(dates.astype("datetime64[us]"))
    return canonical_labels(pd.Series(column, dtype=object)).where(lambda s: s.notna(), None)


def _value(cell: Any) -> Any:
    """Return what a cell holds, None for nothing, space or an error; numbers come as floats."""
    if isinstance(cell, str):
        return None if cell in _ERRORS or not cell.strip() else cell
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < _LARGEST_EXACT:
        return int(cell)
    return cell


def _width(row: _Row) -> int:
    return max((place for place, value in enumerate(row, 1) if value is not None), default=0)


def _padded(row: _Row, width: int) -> tuple[Any, ...]:
    return (*row[:width], *[None] * (width - len(row)))
