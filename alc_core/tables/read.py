"""Reading a table of any format."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, BinaryIO

import narwhals as nw
import numpy as np
import pandas as pd
from narwhals.typing import IntoFrame
from numpy.typing import NDArray

from alc_core.errors import TableReadError
from alc_core.phrasing import encodable, numbered, printable, quoted
from alc_core.runtime.files import check_file
from alc_core.tables.formats.columns import clean_names, plain_columns, without_empty_rows
from alc_core.tables.formats.recognise import (
    HEAD,
    PACKED,
    file_format,
    has_pieces,
    joined,
    located,
    unpack,
)
from alc_core.tables.formats.source import (
    PART,
    TOO_LARGE,
    Content,
    Options,
    Purpose,
    Source,
    readable_size,
)
from alc_core.tables.kinds import infer_kinds
from alc_core.tables.table import ColumnKind, KindGuess, Table
from alc_core.tables.values.texts import LARGEST_NUMBER, coded_texts

FrameLike = pd.DataFrame | Mapping[str, Sequence[Any]] | IntoFrame

# First moment and end of Python's calendar; zones need a day to spare
_PLAIN, _ZONED = ("0001-01-01", "10000-01-01"), ("0001-01-02", "9999-12-31")
MAX_UNCOMPRESSED_BYTES = 4 * 2**30  # Default limit on an unpacked file
MAX_SHOWN = 50  # Most columns of first rows
# Imported when a file has the format
_READERS = {
    "parquet": ("parquet", "read_parquet"),
    "excel": ("excel", "read_excel"),
    "stata": ("binary", "read_stata"),
    "sas": ("binary", "read_sas"),
    "spss": ("binary", "read_spss"),
    "text": ("delimited", "read_delimited"),
    "page": ("page", "read_page"),
    "sqlite": ("database", "read_sqlite"),
    "duckdb": ("database", "read_duckdb"),
    "r_data": ("r_data", "read_r_data"),
    "arx": ("arx", "read_arx"),
    "arrow": ("arrow", "read_arrow"),
    "json": ("records", "read_json"),
}
# Return such a file's unparsed rows
_ROWS = {
    "text": ("delimited", "rows_of_text"),
    "excel": ("excel", "rows_of_sheet"),
    "page": ("page", "rows_of_page"),
}
_LATE = ("pyreadstat", "python_calamine")  # Imported by these when needed


def without_extremes(frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return a frame without extreme values, and notes.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> days = pd.Series(np.array(["2020-01-01", "12020-01-01"], dtype="M8[s]"))
    >>> frame, notes = without_extremes(pd.DataFrame({"born": days}))
    >>> int(frame["born"].isna().sum()), notes
    (1, ("1 date before the year 1 or after 9999 in 'born' was read as missing.",))
    """
    changed: dict[str, pd.Series] = {}
    beyond: dict[str, int] = {}
    for name in map(str, frame.columns):
        series = frame[name]
        if series.dtype == np.float16:
            changed[name] = series.astype(np.float32)
        elif pd.api.types.is_datetime64_any_dtype(series.dtype):
            outside = _outside_calendar(series)
            if outside.any():
                changed[name], beyond[name] = series.mask(outside), int(outside.sum())
    frame = frame.assign(**changed) if changed else frame
    notes: list[str] = []
    if beyond:
        count = sum(beyond.values())
        notes.append(
            f"{numbered(count, 'date')} before the year 1 or after 9999 in {quoted(list(beyond))} "
            f"{'was' if count == 1 else 'were'} read as missing."
        )
    infinite, huge = [], []
    for name in map(str, frame.columns):
        if pd.api.types.is_float_dtype(frame[name].dtype):
            size = np.abs(frame[name].to_numpy(dtype=np.float64, na_value=np.nan))
            infinite += [name] if np.isinf(size).any() else []
            huge += [name] if ((size > LARGEST_NUMBER) & np.isfinite(size)).any() else []
    for what, names in (("Infinite values", infinite), ("Numbers beyond 1e38", huge)):
        if names:
            notes.append(f"{what} in {quoted(names)} are treated as missing in distances.")
    return frame, tuple(notes)


def _outside_calendar(series: pd.Series) -> NDArray[np.bool_]:
    zoned = isinstance(series.dtype, pd.DatetimeTZDtype)
    moments = (series.dt.tz_convert("UTC").dt.tz_localize(None) if zoned else series).to_numpy()
    if moments.dtype == "M8[ns]":  # 1677 to 2262
        return np.zeros(len(series), dtype=bool)
    bounds = _ZONED if zoned else _PLAIN
    first, end = np.array(bounds, dtype=moments.dtype)
    return np.asarray(~np.isnat(moments) & ((moments < first) | (moments >= end)), dtype=bool)


def read_table(
    source: str | os.PathLike[str] | bytes | BinaryIO | list[str],
    *,
    name: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    sheet: str | int | None = None,
    header_row: str | None = None,
    skip_rows: str | None = None,
    purpose: Purpose | None = None,
    max_uncompressed_bytes: int = MAX_UNCOMPRESSED_BYTES,
) -> Table:
    """Read files as a table in this process, without time limit."""
    label, content, part = opened(source, name)
    sheet = sheet if part is None else part  # Of this file alone
    for what, mark in (("decimal", decimal), ("thousands", thousands)):
        if mark not in (None, ".", ","):
            raise TableReadError(f"The {what} mark must be '.' or ',', not {mark!r}.")
    if decimal is not None and decimal == thousands:
        raise TableReadError(f"The decimal and thousands marks are both {decimal!r}.")
    options = Options(
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        thousands=thousands,
        sheet=sheet,
        header_row=header_row,
        skip_rows=skip_rows,
        purpose=purpose,
        max_bytes=max_uncompressed_bytes,
    )
    packed = _sources(label, content, max_uncompressed_bytes)
    unpacked = [unpack(each, max_bytes=max_uncompressed_bytes) for each in packed]
    plain, notes = unpacked[0]
    if len(packed) > 1:
        parts = [part for part, _ in unpacked]
        plain, note = joined(label, parts, max_bytes=max_uncompressed_bytes)
        notes = (note,)
    module, function = _READERS[file_format(plain)]
    read: Content = getattr(import_module(f"alc_core.tables.formats.{module}"), function)(
        plain, options
    )
    frame, empty_notes, empty_rows = without_empty_rows(read.frame)
    table = _table(
        f"{label}{PART}{read.called}" if read.called else label,
        frame,
        (*notes, *read.notes, *empty_notes),
        _fingerprint(packed, read.part),
        read,
    )
    return replace(table, doubtful_rows=read.doubtful, empty_rows=empty_rows)


def first_rows(
    source: str | os.PathLike[str] | bytes, *, name: str, most: int, **options: Any
) -> list[list[str]]:
    """Return the first rows of a text, sheet or page."""
    label, content, part = opened(source, name)
    packed = _sources(label, content, MAX_UNCOMPRESSED_BYTES)
    plain, _ = unpack(packed[0], max_bytes=MAX_UNCOMPRESSED_BYTES)
    module, function = _ROWS.get(file_format(plain), ("", ""))
    if not module:
        return []
    options["sheet"] = options.get("sheet") if part is None else part
    how = Options(max_bytes=MAX_UNCOMPRESSED_BYTES, **options)
    rows = getattr(import_module(f"alc_core.tables.formats.{module}"), function)(plain, how)
    return [list(row[:MAX_SHOWN]) for row in rows[:most]]


def load_formats() -> None:
    """Import all formats' readers, else loaded with their first file."""
    for module, _ in _READERS.values():
        import_module(f"alc_core.tables.formats.{module}")
    for module in _LATE:
        import_module(module)


def table_from_frame(frame: FrameLike, *, name: str = "table") -> Table:
    """Make a table of a copied data frame, without index.

    Parameters
    ----------
    frame : data frame, or mapping of str to sequence
        One row per record, with unique column names: of pandas, Polars, PyArrow, DuckDB or other
        Narwhals, or columns by name. Others than pandas are read like Parquet.
    name : str, default "table"
        For messages.

    Returns
    -------
    Table

    Raises
    ------
    TableReadError
        If it is not a frame, is empty, or has unusable names or values.

    Examples
    --------
    >>> import pandas as pd
    >>> table_from_frame(pd.DataFrame({"age": [31, 45]}), name="people").columns
    ('age',)
    """
    source = Source(name=name, data=b"", extension="")
    frame = _pandas_frame(frame, source)
    if isinstance(frame.columns, pd.MultiIndex):
        raise source.error("has column names of several levels", "Give every column one name.")
    if not len(frame.columns) or not len(frame):
        raise source.error("has no rows or no columns", "Pass one row per record.")
    names, notes = clean_names(source, list(frame.columns))
    plain = frame.reset_index(drop=True).set_axis(names, axis="columns").copy()
    if index := [str(each) for each in frame.index.names if each is not None]:
        which = f"The index ({quoted(index)}) was left out; see reset_index()."
        notes = (*notes, which)
    digest = hashlib.sha256("\0".join(names).encode())
    plain_for_hash = plain_columns(source, plain)
    hashes = pd.util.hash_pandas_object(plain_for_hash, index=False)
    digest.update(np.asarray(hashes).tobytes())
    return _table(name, plain, notes, digest.hexdigest())


def _pandas_frame(frame: FrameLike, source: Source) -> pd.DataFrame:
    if isinstance(frame, pd.DataFrame):
        return _without_arrow(frame)
    if isinstance(frame, Mapping):
        try:
            return pd.DataFrame(dict(frame))
        except ValueError:
            raise source.error(
                "has columns of different lengths", "Give each one value per record."
            ) from None
    import pyarrow.parquet as pq

    given = nw.from_native(frame, pass_through=True)
    if isinstance(given, nw.LazyFrame):
        given = given.collect("pyarrow")
    if not isinstance(given, nw.DataFrame):
        raise source.error(
            f"is not a table but a {type(frame).__name__}",
            "Pass a data frame, a dict of columns, or a path.",
        )
    file = io.BytesIO()
    pq.write_table(given.to_arrow(), file)
    return read_table(file.getvalue(), name=source.name).frame


def _without_arrow(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with pandas' own types in place of Arrow's."""
    import pyarrow as pa

    plain = frame.copy(deep=False)
    for number, kind in enumerate(frame.dtypes):
        series = frame.iloc[:, number]
        if isinstance(getattr(kind, "categories", series).dtype, pd.ArrowDtype):
            cells = pa.array(series.array)
            own = cells.to_pandas(date_as_object=False, integer_object_nulls=True)
            plain.isetitem(number, own.array)
    return plain


def _table(
    name: str,
    frame: pd.DataFrame,
    notes: tuple[str, ...],
    fingerprint: str,
    read: Content | None = None,
) -> Table:
    frame, extremes = without_extremes(coded_texts(frame))
    notes = (*notes, *extremes)
    if len(frame) == 1:
        notes = (*notes, "The table has only one row.")
    content = Content(frame=frame) if read is None else read
    marks = {
        flag: KindGuess(ColumnKind.IGNORE, f"marks beside the numbers of '{column}'")
        for flag, column in content.flags.items()
    }
    marks |= {
        column: KindGuess(ColumnKind.IDENTIFIER, "names of rows") for column in content.identifiers
    }
    if content.project is not None:
        reason = f"as {content.project.tool} has it"
        marks |= {
            column: KindGuess(ColumnKind(kind), reason)
            for column, kind in content.project.kinds.items()
            if column in frame.columns
        }
    return Table(
        name=name,
        frame=frame,
        guesses={**infer_kinds(frame), **marks},
        notes=(*notes, f"{numbered(len(frame), 'row')}, {numbered(frame.shape[1], 'column')}."),
        fingerprint=fingerprint,
        labels={c: label for c, label in content.labels.items() if c in frame.columns},
        maybe_thousands=content.maybe_thousands,
        project=content.project,
    )


def opened(
    source: str | os.PathLike[str] | bytes | BinaryIO | list[str], name: str | None
) -> tuple[str, bytes | list[str], str | None]:
    """Return a table's name, bytes or files, and table in them."""
    if isinstance(source, list):
        return encodable(name or PurePath(source[0]).name), source, None
    if isinstance(source, (bytes, bytearray)):
        return encodable(name or "table"), bytes(source), None
    if isinstance(source, (str, os.PathLike)):
        label, files, part = located(os.fspath(source), name)
        return encodable(label), files, part
    given = getattr(source, "name", None)
    label = name or (PurePath(given).name if isinstance(given, str) else "table")
    return encodable(label), source.read(), None


def _sources(label: str, content: bytes | list[str], max_bytes: int) -> list[Source]:
    if isinstance(content, bytes):
        return [_source(label, content)]
    names = [PurePath(path).name for path in content] if len(content) > 1 else [label]
    return [
        _source(encodable(each), _file_bytes(path, max_bytes), path)
        for each, path in zip(names, content, strict=True)
    ]


def _source(label: str, data: bytes, path: str | None = None) -> Source:
    called = PurePath(label.partition(PART)[0])
    if called.suffix.lower() in PACKED:
        called = called.with_suffix("")
    by_path = path if has_pieces(data) else None
    loaded = Source(name=label, data=data, extension=called.suffix.lower(), path=by_path)
    if not data:
        raise loaded.error("is empty", "Use a file with a header line and rows.")
    return loaded


def _file_bytes(path: str, max_bytes: int) -> bytes:
    """Return a file's content; only first bytes if read in pieces."""
    shown = printable(path)
    if "://" in path:
        raise TableReadError(f"'{shown}' is an address. Download the file first.")
    file = Path(path)
    if not file.exists():
        raise TableReadError(f"'{shown}' does not exist. Check the path.")
    check_file(path, error=TableReadError)
    try:
        if file.stat().st_size > max_bytes:
            raise TableReadError(
                f"'{printable(file.name)}' exceeds the limit of {readable_size(max_bytes)}. "
                f"{TOO_LARGE}"
            )
        with file.open("rb") as stream:
            head = stream.read(HEAD)
            return head if has_pieces(head) else head + stream.read()
    except OSError as problem:
        raise _unreadable(path, problem) from None


def _unreadable(path: str, problem: OSError) -> TableReadError:
    reason = problem.strerror or "unknown reason"
    return TableReadError(
        f"'{printable(path)}' cannot be opened ({reason}). Check its permissions."
    )


def _fingerprint(sources: Sequence[Source], part: str) -> str:
    """Return the fingerprint of a file, a table in it, or several files."""
    found = []
    for source in sources:
        try:
            found.append(source.fingerprint())
        except OSError as problem:
            raise _unreadable(source.name, problem) from None
    found += [part] if part else []
    return found[0] if len(found) == 1 else hashlib.sha256("\n".join(found).encode()).hexdigest()
