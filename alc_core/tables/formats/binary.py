"""Reading of Parquet, Stata, SAS and SPSS files."""

from __future__ import annotations

import io
import re
import struct
import warnings
import zlib
from collections.abc import Callable
from functools import partial

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from alc_core.tables.formats.columns import plain_columns
from alc_core.tables.formats.names import clean_names
from alc_core.tables.formats.source import Content, Options, Source, readable_size

_INDEX_COLUMN = re.compile(r"__index_level_[0-9]+__\Z")
_EXPORT = "Export it again, or as CSV."


def read_parquet(source: Source, options: Options) -> Content:
    """Read a Parquet file.

    Raises
    ------
    TableReadError
        If the file is damaged, too large, or its columns cannot be used.
    """
    try:
        file = pq.ParquetFile(io.BytesIO(source.data))
        groups = range(file.metadata.num_row_groups)
        size = sum(file.metadata.row_group(group).total_byte_size for group in groups)
        names = file.schema_arrow.names
    except (pa.ArrowException, OSError, ValueError):
        raise source.error("is a damaged Parquet file, or none", _EXPORT) from None
    if size > options.max_bytes:
        raise source.error(
            f"unpacks to {readable_size(size)}, more than the limit of"
            f" {readable_size(options.max_bytes)}",
            "If you trust the file, raise max_uncompressed_bytes or keep fewer rows or columns.",
        )
    clean_names(source, names)
    try:
        table = file.read()
        index = [name for name in names if _INDEX_COLUMN.match(name)]
        frame = table.drop_columns(index).to_pandas(ignore_metadata=True, date_as_object=False)
    except (pa.ArrowException, OSError, ValueError):
        raise source.error("is a damaged Parquet file, or none", _EXPORT) from None
    notes: tuple[str, ...] = ("Format: Parquet.",)
    if index:
        notes = (*notes, "The row labels that pandas stored in the file were left out.")
    return _finished(source, frame, notes)


def read_stata(source: Source, options: Options) -> Content:
    """Read a Stata file, with value labels as text."""
    del options

    def labelled() -> pd.DataFrame:
        return pd.read_stata(io.BytesIO(source.data))

    def coded() -> pd.DataFrame:
        return pd.read_stata(io.BytesIO(source.data), convert_categoricals=False)

    notes = "Format: Stata; value labels were read as text."
    try:
        frame = _quietly(labelled)
    except _DAMAGES:
        notes = "Format: Stata; value labels are not one to one, so codes were read instead."
        try:
            frame = _quietly(coded)
        except _DAMAGES:
            raise source.error("is a damaged Stata file, or none", _EXPORT) from None
    return _finished(source, frame, (notes,))


def read_sas(source: Source, options: Options) -> Content:
    """Read a SAS file (.sas7bdat or transport)."""
    if source.data.startswith(b"HEADER RECORD"):
        return _read_transport(source, options)

    def read() -> pd.DataFrame:
        encoding = options.encoding or "infer"
        return pd.read_sas(io.BytesIO(source.data), format="sas7bdat", encoding=encoding)

    try:
        frame = _quietly(read)
    except UnicodeError:
        raise source.error("has text in another encoding", "Give its encoding.") from None
    except _DAMAGES:
        raise source.error("is a damaged SAS file, or none", _EXPORT) from None
    return _finished(source, frame, ("Format: SAS.",))


def _read_transport(source: Source, options: Options) -> Content:
    """Read SAS transport of version 5 or 8; pandas knows the former only."""
    import pyreadstat

    def read(encoding: str | None) -> pd.DataFrame:
        frame, _ = pyreadstat.read_xport(io.BytesIO(source.data), encoding=encoding)
        return pd.DataFrame(frame)

    failures = (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, *_DAMAGES)
    for encoding in (options.encoding, *([] if options.encoding else ["WINDOWS-1252"])):
        try:
            frame = _quietly(partial(read, encoding))
        except failures:
            continue
        guessed = encoding is not None and options.encoding is None
        notes = ("Encoding: not UTF-8; cp1252 was assumed.",) if guessed else ()
        return _finished(source, frame, ("Format: SAS transport.", *notes))
    raise source.error("is a damaged SAS file, or none", _EXPORT)


def read_spss(source: Source, options: Options) -> Content:
    """Read an SPSS file, with value labels as text."""
    import pyreadstat

    def read() -> pd.DataFrame:
        frame, _ = pyreadstat.read_sav(
            io.BytesIO(source.data), apply_value_formats=True, encoding=options.encoding
        )
        return pd.DataFrame(frame)

    try:
        frame = _quietly(read)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, *_DAMAGES):
        raise source.error("is a damaged SPSS file, or none", _EXPORT) from None
    return _finished(source, frame, ("Format: SPSS; value labels were read as text.",))


_DAMAGES = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    EOFError,
    OSError,
    OverflowError,
    MemoryError,
    ArithmeticError,
    struct.error,
    zlib.error,
)
"""What the readers of pandas and pyreadstat raise on damaged input."""


def _quietly(read: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read()


def _finished(source: Source, frame: pd.DataFrame, notes: tuple[str, ...]) -> Content:
    names, name_notes = clean_names(source, list(frame.columns))
    if frame.empty:
        raise source.error("has columns but no rows", "Give a file with one row per record.")
    frame = frame.set_axis(names, axis="columns").reset_index(drop=True)
    frame = plain_columns(source, frame)
    return Content(frame=_blanks_missing(frame), notes=(*notes, *name_notes))


def _blanks_missing(frame: pd.DataFrame) -> pd.DataFrame:
    """Make empty text missing, as in every other format (Stata and SAS have no other missing)."""
    for name in frame.columns:
        if frame[name].dtype == object or isinstance(frame[name].dtype, pd.StringDtype):
            blank = frame[name].isin(["", " "])
            if blank.any():
                frame[name] = frame[name].mask(blank, None)
    return frame
