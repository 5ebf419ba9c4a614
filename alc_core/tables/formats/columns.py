"""Column names and types of a frame as read: usable names, plain types, blanks missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from alc_core.errors import TableReadError
from alc_core.phrasing import count
from alc_core.tables.formats.inference import MAX_COLUMNS
from alc_core.tables.formats.source import Content, Source, listed
from alc_core.tables.values.texts import canonical_labels, parse_numbers

_SHOWN_DUPLICATES = 3

BLANKS = ("", " ")
"""Texts that are no value."""


def check_width(source: Source, n_columns: int) -> None:
    """Refuse a table with more columns than are read."""
    if n_columns > MAX_COLUMNS:
        raise source.error(
            f"has {count(n_columns)} columns, more than the limit of {count(MAX_COLUMNS)}",
            "Choose the columns to review and save them as a file of their own.",
        )


def clean_names(source: Source, names: Sequence[object]) -> tuple[list[str], tuple[str, ...]]:
    """Return usable column names and notes on what was changed."""
    check_width(source, len(names))
    stripped = ["" if name is None else str(name).strip() for name in names]
    if not any(stripped):
        raise source.error("has no column names in its first line", "Add a line with names.")
    notes: tuple[str, ...] = ()
    numeric = _look_like_values(stripped)
    if numeric:
        notes = (
            "The first line was taken as column names, although it has only numbers."
            " If names are missing, add a line with them.",
        )
    if repeated := _duplicates(stripped):
        raise _duplicate_error(source, repeated, hide_names=numeric)
    empty = [position for position, name in enumerate(stripped, start=1) if not name]
    if empty:
        filled = _filled(stripped)
        notes = (*notes, _named_note(filled, empty))
        stripped = filled
    return stripped, notes


def _named_note(filled: Sequence[str], empty: Sequence[int]) -> str:
    """Say what columns without a name are called."""
    first = "" if empty[0] > 1 else f"The first column, which has no name, is called '{filled[0]}'."
    others = [filled[position - 1] for position in empty if position > 1]
    rest = "Columns without a name were named after their position:"
    return " ".join(filter(None, (first, f"{rest} {listed(others)}." if others else "")))


def _filled(names: Sequence[str]) -> list[str]:
    taken = set(names)
    filled = []
    for position, name in enumerate(names, start=1):
        candidate = name or f"column_{position}"
        while not name and candidate in taken:
            candidate += "_"
        filled.append(candidate)
    return filled


def _look_like_values(names: Sequence[str]) -> bool:
    """Return whether a header consists of numbers only, as in a file without header."""
    written = [name for name in names if name]
    return not bool((parse_numbers(written) != parse_numbers(written)).any())


def _duplicates(names: Iterable[str]) -> dict[str, list[int]]:
    positions: dict[str, list[int]] = {}
    for position, name in enumerate(names, start=1):
        if name:
            positions.setdefault(name, []).append(position)
    return {name: places for name, places in positions.items() if len(places) > 1}


def _duplicate_error(
    source: Source, repeated: dict[str, list[int]], *, hide_names: bool
) -> TableReadError:
    shown = []
    for name, places in list(repeated.items())[:_SHOWN_DUPLICATES]:
        where = " and ".join(str(place) for place in places[:4])
        shown.append(f"{'the same entry' if hide_names else repr(name)} in columns {where}")
    more = f", and {len(repeated) - len(shown)} more" if len(repeated) > len(shown) else ""
    action = (
        "Add a line with column names at the top of the file."
        if hide_names
        else "Give every column a different name."
    )
    return source.error(
        f"has column names that occur more than once: {', '.join(shown)}{more}", action
    )


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
