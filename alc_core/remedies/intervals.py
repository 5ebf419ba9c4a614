"""Intervals that numbers and dates are coarsened into, and how they are written."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from alc_core.releases.ranges import quantile_edges, range_label, to_ranges
from alc_core.remedies.changes import CoarsenNumbers
from alc_core.tables.codes.columns import FloatArray
from alc_core.tables.value_sets import Interval

COUNTS = (10, 5, 3, 2)
"""Intervals that a column is cut into, from mild to strong."""

_ROUND = (1, 2, 5)
"""First digits of the width of intervals."""

_BALANCED = 0.5
"""Round intervals must spread rows at least like this share of as many equally full ones."""

_LEAST_SPREAD = 1.5
"""And at least like so many."""

_DIGITS = 2
"""Significant digits of bounds that are no whole numbers."""


def coarsenings(column: str, values: FloatArray, *, of_dates: bool) -> tuple[CoarsenNumbers, ...]:
    """Return intervals for a column, from many to few.

    They have the same round width; where most rows would then be in one of them, they hold about
    as many rows each instead.
    """
    present = values[~np.isnan(values)]
    n_distinct = len(np.unique(present))
    found: dict[tuple[float, ...], CoarsenNumbers] = {}
    for wanted in COUNTS:
        if wanted >= n_distinct:
            continue
        change = _coarsening(column, present, wanted, of_dates=of_dates)
        if 1 < len(change.labels) < n_distinct:
            found.setdefault(change.bounds, change)
    return tuple(found.values())


def _coarsening(column: str, values: FloatArray, wanted: int, *, of_dates: bool) -> CoarsenNumbers:
    whole = bool(np.all(values == np.floor(values)))
    width: float | None = None if of_dates else _round_width(values, wanted, whole=whole)
    bounds = None if width is None else _round_bounds(values, width, whole=whole)
    if bounds is None or not _is_balanced(values, bounds, wanted):
        width, bounds = None, quantile_edges(values, wanted)
        if not whole:
            bounds = _rounded(bounds)
    ends = tuple(bounds.tolist())
    written = [
        _written(ends, place, whole=whole, of_dates=of_dates) for place in range(len(ends) - 1)
    ]
    labels, covers = zip(*written, strict=True)
    return CoarsenNumbers(column=column, bounds=ends, labels=labels, covers=covers, width=width)


def _round_width(values: FloatArray, wanted: int, *, whole: bool) -> float:
    """Return the least round width with which no more intervals than wanted are needed."""
    least = (values.max() - values.min()) / wanted
    power = 10.0 ** math.floor(math.log10(least))
    for width in (power * first for first in (*_ROUND, *(10 * each for each in _ROUND))):
        if whole and width != math.floor(width):
            continue
        if len(_round_bounds(values, width, whole=whole)) - 1 <= wanted:
            return width
    return power * 100


def _round_bounds(values: FloatArray, width: float, *, whole: bool) -> FloatArray:
    first = math.floor(values.min() / width)
    last = math.floor(values.max() / width)
    starts = np.array([number * width for number in range(first, last + 1)])
    return np.append(starts, (last + 1) * width - (1 if whole else 0))


def _is_balanced(values: FloatArray, bounds: FloatArray, wanted: int) -> bool:
    counts = np.bincount(to_ranges(values, bounds), minlength=len(bounds) - 1)
    shares = counts[counts > 0] / len(values)
    spread = math.exp(-float(np.sum(shares * np.log(shares))))
    return spread >= max(_BALANCED * wanted, _LEAST_SPREAD)


def _rounded(bounds: FloatArray) -> FloatArray:
    """Return bounds with few digits where they stay apart, wide enough at both ends."""
    inner = [float(f"{bound:.{_DIGITS}g}") for bound in bounds[1:-1]]
    found = np.array([_outward(bounds[0], math.floor), *inner, _outward(bounds[-1], math.ceil)])
    return found if bool(np.all(np.diff(found) > 0)) else bounds


def _outward(bound: float, towards: Callable[[float], int]) -> float:
    if bound == 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(abs(bound))) - _DIGITS + 1)
    return float(f"{towards(bound / unit) * unit:.{_DIGITS + 1}g}")


def _written(
    bounds: tuple[float, ...], place: int, *, whole: bool, of_dates: bool
) -> tuple[str, Interval]:
    """Return an interval's label, and what it covers."""
    low, high, is_last = bounds[place], bounds[place + 1], place == len(bounds) - 2
    if whole and not of_dates and low >= 0:
        high = high if is_last else high - 1
        return (f"{low:.0f}" if low == high else f"{low:.0f}-{high:.0f}"), Interval(low, high)
    label = range_label(low, high, of_dates=of_dates, closed=is_last)
    return label, Interval(low, high, high_open=not is_last)
