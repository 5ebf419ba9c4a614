"""Reading of Stata, SAS and SPSS files."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

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

    labels: dict[str, str] = {}

    def read(*, categories: bool) -> pd.DataFrame:
        reader: Any = pd.read_stata(
            io.BytesIO(source.data), convert_categoricals=categories, iterator=True
        )
        with reader as file:
            frame: pd.DataFrame = file.read()
            labels.update(file.variable_labels())
        return frame

    notes = "Format: Stata; value labels were read as text."
    try:
        frame = _quietly(partial(read, categories=True))
    except _DAMAGES:
        notes = "Format: Stata; value labels are not one to one, so codes were read instead."
        try:
            frame = _quietly(partial(read, categories=False))
        except _DAMAGES:
            raise source.error("is damaged, or is not a Stata file", _EXPORT) from None
    return replace(finished(source, frame, (notes,)), labels=_told(labels))


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

    labels: dict[str, str | None] = {}

    def read() -> pd.DataFrame:
        frame, meta = pyreadstat.read_sav(
            io.BytesIO(source.data), apply_value_formats=True, encoding=options.encoding
        )
        labels.update(meta.column_names_to_labels)
        return pd.DataFrame(frame)

    try:
        frame = _quietly(read)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, *_DAMAGES):
        raise source.error("is damaged, or is not an SPSS file", _EXPORT) from None
    notes = ("Format: SPSS; value labels were read as text.",)
    return replace(finished(source, frame, notes), labels=_told(labels))


def _told(labels: Mapping[str, str | None]) -> dict[str, str]:
    """Return the labels of variables that have one."""
    return {column: label.strip() for column, label in labels.items() if label and label.strip()}


def _quietly(read: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read()
