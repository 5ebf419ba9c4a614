"""Reading of Stata, SAS and SPSS files."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from collections.abc import Callable
from functools import partial

import pandas as pd

from alc_core.tables.formats.columns import finished
from alc_core.tables.formats.source import Content, Options, Source

_EXPORT = "Export it again, or as CSV."

_DAMAGES = (
    ValueError, TypeError, KeyError, IndexError, EOFError, OSError, OverflowError, ArithmeticError,
    AttributeError, StopIteration, AssertionError, NotImplementedError, struct.error, zlib.error,
)  # fmt: skip
"""What the readers of pandas and pyreadstat raise on damaged input."""


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
            raise source.error("is damaged, or is not a Stata file", _EXPORT) from None
    return finished(source, frame, (notes,))


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
        raise source.error("has text in another encoding", "Choose its encoding.") from None
    except _DAMAGES:
        raise source.error("is damaged, or is not a SAS file", _EXPORT) from None
    return finished(source, frame, ("Format: SAS.",))


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
        return finished(source, frame, ("Format: SAS transport.", *notes))
    raise source.error("is damaged, or is not a SAS file", _EXPORT)


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
        raise source.error("is damaged, or is not an SPSS file", _EXPORT) from None
    return finished(source, frame, ("Format: SPSS; value labels were read as text.",))


def _quietly(read: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read()
