"""Plain column types and usable names, whatever a binary format had."""

from __future__ import annotations

import numpy as np
import pandas as pd

from alc_core.tables.formats.column_names import clean_names
from alc_core.tables.formats.source import Content, Source, listed
from alc_core.tables.values.texts import canonical_labels

BLANKS = ("", " ")
"""Texts that are no value."""


def finished(
    source: Source, frame: pd.DataFrame, notes: tuple[str, ...], *, is_plain: bool = False
) -> Content:
    """Return a frame with usable names, plain columns and blanks missing, rows numbered from 0."""
    names, name_notes = clean_names(source, list(frame.columns))
    if frame.empty:
        raise source.error("has columns but no rows", "Use a file with one row per record.")
    frame = frame.set_axis(names, axis="columns").reset_index(drop=True)
    frame = frame if is_plain else plain_columns(source, frame)
    return Content(frame=_blanks_missing(frame), notes=(*notes, *name_notes))


def _blanks_missing(frame: pd.DataFrame) -> pd.DataFrame:
    """Make empty text missing, as in every other format (Stata and SAS have no other missing)."""
    for name in frame.columns:
        if frame[name].dtype == object or isinstance(frame[name].dtype, pd.StringDtype):
            blank = frame[name].isin(BLANKS)
            if blank.any():
                frame[name] = frame[name].mask(blank, None)
    return frame


def plain_columns(source: Source, frame: pd.DataFrame) -> pd.DataFrame:
    """Reduce the column types of binary formats to numbers, text, booleans and dates.

    Value labels and dictionaries become text, decimals floats, date objects dates.
    """
    columns = {}
    nested = []
    for name in frame.columns:
        series = frame[name]
        if isinstance(series.dtype, pd.CategoricalDtype):
            series = canonical_labels(series)
        elif series.dtype == object:
            series, is_nested = _plain_objects(series)
            if is_nested:
                nested.append(str(name))
        columns[name] = series
    if nested:
        raise source.error(
            f"has lists or structures in {listed(nested)}", "Keep columns with one value per row."
        )
    return pd.DataFrame(columns, index=frame.index)


def _plain_objects(series: pd.Series) -> tuple[pd.Series, bool]:
    inferred = pd.api.types.infer_dtype(series, skipna=True)
    if inferred in ("string", "boolean", "empty"):
        return series, False
    if inferred in ("integer", "floating", "decimal", "mixed-integer-float"):
        return series.map(float, na_action="ignore").astype(np.float64), False
    if inferred in ("date", "datetime", "datetime64"):
        return _dates(series), False
    present = series.dropna()
    if any(isinstance(value, (list, dict, set, tuple, np.ndarray)) for value in present.head(1000)):
        return series, True
    return canonical_labels(series), False


def _dates(series: pd.Series) -> pd.Series:
    """Return date objects as dates; moments with differing time zones become text."""
    try:
        return pd.to_datetime(series)
    except (ValueError, TypeError, OverflowError):
        return canonical_labels(series)
