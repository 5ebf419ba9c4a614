"""Values at the edge of what a type can hold, which calculations and calendars cannot take."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.formats.source import counted, listed
from alc_core.tables.values.texts import LARGEST_NUMBER

_PLAIN, _ZONED = ("0001-01-01", "10000-01-01"), ("0001-01-02", "9999-12-31")
"""First moment and end of Python's calendar; zones need a day to spare."""


def without_extremes(frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return a frame that can be calculated with, and notes on what was changed or counts less.

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
            f"{counted(count, 'date')} before the year 1 or after 9999 in {listed(list(beyond))}"
            f" {'was' if count == 1 else 'were'} read as missing."
        )
    for what, test in (("Infinite values", _infinite), ("Numbers beyond 1e38", _huge)):
        if names := [str(name) for name in frame.columns if test(frame[name])]:
            notes.append(
                f"{what} in {listed(names)} are kept, but count as missing where a distance is"
                " needed."
            )
    return frame, tuple(notes)


def _outside_calendar(series: pd.Series) -> NDArray[np.bool_]:
    zoned = isinstance(series.dtype, pd.DatetimeTZDtype)
    moments = (series.dt.tz_convert("UTC").dt.tz_localize(None) if zoned else series).to_numpy()
    if moments.dtype == "M8[ns]":  # 1677 to 2262
        return np.zeros(len(series), dtype=bool)
    bounds = _ZONED if zoned else _PLAIN
    first, end = np.array(bounds, dtype=moments.dtype)
    return np.asarray(~np.isnat(moments) & ((moments < first) | (moments >= end)), dtype=bool)


def _floats(series: pd.Series) -> NDArray[np.float64]:
    if not pd.api.types.is_float_dtype(series.dtype):
        return np.empty(0)
    return series.to_numpy(dtype=np.float64, na_value=np.nan)


def _infinite(series: pd.Series) -> bool:
    return bool(np.isinf(_floats(series)).any())


def _huge(series: pd.Series) -> bool:
    size = np.abs(_floats(series))
    return bool(((size > LARGEST_NUMBER) & np.isfinite(size)).any())
