"""Reading of Excel workbooks (.xlsx) by their stored values."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from alc_core.errors import TableReadError
from alc_core.tables.formats.column_names import clean_names
from alc_core.tables.formats.inference import is_date, is_number, typed_columns
from alc_core.tables.formats.source import Content, Options, Source, listed
from alc_core.tables.formats.unpack import check_declared_sizes
from alc_core.tables.values.texts import canonical_labels

_CELL_WITHOUT_VALUE = re.compile(
    rb"<c\b([^>]*)>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"
)
_TEXT_CELL = re.compile(rb'\bt="str"')
_DAMAGES = (
    zlib.error,
    KeyError,
    IndexError,
    ValueError,
    TypeError,
    AttributeError,
    EOFError,
    OSError,
    RuntimeError,
    SyntaxError,
)
"""What zipfile, the XML parser (a SyntaxError) and openpyxl raise on damaged input."""

_SAVE_AGAIN = "Open it in Excel, save it again as .xlsx, or export the sheet as CSV."


def read_excel(source: Source, options: Options) -> Content:
    """Read one sheet of a workbook.

    Raises
    ------
    TableReadError
        If the workbook is damaged, has no such sheet, or has formulas without a stored value.
    """
    import openpyxl

    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            check_declared_sizes(source, archive, max_bytes=options.max_bytes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(source.data), read_only=True, data_only=True)
            sheet, notes = _choose_sheet(source, book, options.sheet)
            _check_formulas(source, sheet)
            rows = [row for row in sheet.iter_rows(values_only=True) if _is_filled(row)]
            book.close()
    except TableReadError:
        raise
    except (zipfile.BadZipFile, *_DAMAGES):
        raise source.error("is a damaged workbook, or none", _SAVE_AGAIN) from None
    return _content(source, rows, options, notes)


def _content(
    source: Source, rows: Sequence[tuple[Any, ...]], options: Options, notes: tuple[str, ...]
) -> Content:
    if not rows:
        raise source.error("has an empty sheet", "Choose another sheet, or fill this one.")
    width = max(_width(row) for row in rows)
    header, name_notes = clean_names(source, _padded(rows[0], width))
    if len(rows) == 1:
        raise source.error("has a header line but no rows", "Give a sheet with one row per record.")
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


def _choose_sheet(
    source: Source, book: Any, wanted: str | int | None
) -> tuple[Any, tuple[str, ...]]:
    sheets = {sheet.title: sheet for sheet in book.worksheets}
    names = list(sheets)
    if not names:
        raise source.error("has no sheet with cells", _SAVE_AGAIN)
    if wanted is None:
        name = names[0]
    elif isinstance(wanted, int) and 0 <= wanted < len(names):
        name = names[wanted]
    elif wanted in sheets:
        name = str(wanted)
    else:
        raise source.error(
            f"has no sheet '{wanted}'; it has {listed(names)}", "Choose one of these sheets."
        )
    others = [other for other in names if other != name]
    told = f"Sheet: '{name}'"
    if others:
        told += f", {'the first one' if wanted is None else 'as given'}; not read: {listed(others)}"
    return sheets[name], (f"{told}.",)


def _check_formulas(source: Source, sheet: Any) -> None:
    """Refuse formulas that were never calculated: their cells would silently be missing."""
    path = getattr(sheet, "_worksheet_path", None)
    if path is None:
        return
    with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
        xml = archive.read(path)
    if b"<f" not in xml:
        return
    found = _CELL_WITHOUT_VALUE.findall(xml)
    missing = sum(_TEXT_CELL.search(attributes) is None for attributes in found)
    if missing:
        cells = "a formula" if missing == 1 else f"{missing:,} formulas"
        raise source.error(
            f"has {cells} without a stored result in sheet '{sheet.title}'",
            "Open it in Excel and save it (which stores the results), or export the sheet as CSV.",
        )


def _typed_cells(column: tuple[Any, ...]) -> pd.Series:
    """Give a sheet's column one type: numbers, booleans, dates, or else text."""
    present = [value for value in column if not _is_blank(value)]
    values = [None if _is_blank(value) else value for value in column]
    if not present:
        return pd.Series(np.full(len(values), np.nan))
    if all(isinstance(value, bool) for value in present):
        return pd.Series(values) if len(present) == len(values) else pd.Series(values, dtype=object)
    if all(is_number(value) for value in present):
        whole = len(present) == len(values) and all(isinstance(value, int) for value in present)
        return pd.Series(values, dtype=np.int64 if whole else np.float64)
    if all(is_date(value) for value in present):
        return pd.Series(pd.to_datetime(pd.Series(values, dtype=object), errors="coerce"))
    return canonical_labels(pd.Series(values, dtype=object)).where(lambda s: s.notna(), None)


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _is_filled(row: tuple[Any, ...]) -> bool:
    return any(not _is_blank(value) for value in row)


def _width(row: tuple[Any, ...]) -> int:
    return max(
        (place for place, value in enumerate(row, start=1) if not _is_blank(value)), default=0
    )


def _padded(row: tuple[Any, ...], width: int) -> tuple[Any, ...]:
    return row[:width] + (None,) * (width - len(row))
