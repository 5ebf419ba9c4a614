"""Reading of Stata, SAS and SPSS files."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from alc_core.tables.formats.columns import finished
from alc_core.tables.formats.source import Content, Options, Source, refused

# Raised by pandas and pyreadstat on damaged input
_DAMAGES = (
    ValueError, TypeError, KeyError, IndexError, EOFError, OSError, OverflowError, ArithmeticError,
    AttributeError, StopIteration, AssertionError, NotImplementedError, struct.error, zlib.error,
)  # fmt: skip


def read_stata(source: Source, options: Options) -> Content:
    """Read a Stata file, with value labels as text."""
    del options
    for categories, note in (
        (True, "Format: Stata, with value labels."),
        (False, "Format: Stata; codes were read, since value labels are ambiguous."),
    ):
        try:
            with warnings.catch_warnings(action="ignore"):
                reader: Any = pd.read_stata(
                    io.BytesIO(source.data), convert_categoricals=categories, iterator=True
                )
                with reader as file:
                    frame, labels = file.read(), file.variable_labels()
        except _DAMAGES:
            continue
        return replace(finished(source, frame, (note,)), labels=_told(labels))
    raise source.damaged("a Stata file")


def read_sas(source: Source, options: Options) -> Content:
    """Read a SAS file (.sas7bdat or transport)."""
    if source.data.startswith(b"HEADER RECORD"):
        return _read_transport(source, options)
    encoding = options.encoding or "infer"
    try:
        with warnings.catch_warnings(action="ignore"):
            frame = pd.read_sas(io.BytesIO(source.data), format="sas7bdat", encoding=encoding)
    except UnicodeError:
        raise source.error("has text in another encoding", "Choose its encoding.") from None
    except _DAMAGES:
        raise source.damaged("a SAS file") from None
    return finished(source, frame, ("Format: SAS.",))


def _read_transport(source: Source, options: Options) -> Content:
    """Read SAS transport of version 5 or 8 (pandas: only 5)."""
    import pyreadstat

    failures = (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, *_DAMAGES)
    for encoding in (options.encoding, *([] if options.encoding else ["WINDOWS-1252"])):
        try:
            with warnings.catch_warnings(action="ignore"):
                frame, _ = pyreadstat.read_xport(io.BytesIO(source.data), encoding=encoding)
        except failures:
            continue
        guessed = encoding is not None and options.encoding is None
        notes = ("Encoding: not UTF-8; cp1252 was assumed.",) if guessed else ()
        return finished(source, pd.DataFrame(frame), ("Format: SAS transport.", *notes))
    raise source.damaged("a SAS file")


def read_spss(source: Source, options: Options) -> Content:
    """Read an SPSS file, with value labels as text."""
    import pyreadstat

    failures = (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, *_DAMAGES)
    damaged = source.damaged("an SPSS file")
    with warnings.catch_warnings(action="ignore"), refused(damaged, *failures):
        frame, meta = pyreadstat.read_sav(
            io.BytesIO(source.data),
            apply_value_formats=True,
            user_missing=True,
            encoding=options.encoding,
        )
        told: dict[str, Any] = dict(meta.missing_ranges)
        for name, ranges in told.items():
            bounds = [(each["lo"], each["hi"]) for each in ranges]
            frame[name] = without_user_missing(frame[name].astype(object), bounds)
    notes = ("Format: SPSS, with value labels.",)
    content = finished(source, pd.DataFrame(frame), notes)
    return replace(content, labels=_told(meta.column_names_to_labels))


def without_user_missing(
    series: pd.Series, ranges: Sequence[tuple[float | str, float | str]]
) -> pd.Series:
    """Return a column with unlabelled missing-value codes as missing."""
    is_text = series.map(lambda each: isinstance(each, str)).astype(bool)
    numbers = pd.to_numeric(series.mask(is_text))
    missing = series.isna()
    for low, high in ranges:
        missing |= series == low if isinstance(low, str) else numbers.between(low, high)
    kept = series.mask(missing, None)
    return kept if (is_text & ~missing).any() else kept.astype(np.float64)


def _told(labels: Mapping[str, str | None]) -> dict[str, str]:
    return {column: label.strip() for column, label in labels.items() if label and label.strip()}
