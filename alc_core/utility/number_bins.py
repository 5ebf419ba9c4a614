"""Bins of round width for the numbers or dates of a column, rare ends taken together."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.phrasing import count, decimal

FloatArray = NDArray[np.float64]

MOST_BINS = 24
"""Bins between the rare ends at most."""

_WIDTHS = (1.0, 2.0, 2.5, 5.0, 10.0)
_TAILS = (0.01, 0.99)
"""Shares of the values between which the bins are of one width."""

_MONTHS = (1, 3, 12, 60, 120, 600, 1200)
_EPOCH = np.datetime64("1970-01-01", "D")
_MONDAY = 4
_PLAIN = (1e-6, 1e12)
_TO = "\u2013"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberBins:
    """Bins of a column: the first and the last one have no bound."""

    # Bounds between the bins, ascending; each is the least number of the bin above it
    cuts: tuple[float, ...]
    labels: tuple[str, ...]  # Of the bins, one more than cuts
    whole: bool  # Whether the column holds whole numbers, or days

    def __len__(self) -> int:
        return len(self.labels)

    def counts(self, values: FloatArray) -> FloatArray:
        """Return how many numbers each bin holds; none of them is missing."""
        places = np.searchsorted(self.cuts, values, side="right")
        return np.bincount(places, minlength=len(self)).astype(np.float64)

    def shares(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Return how much of each interval lies in each bin, its numbers equally likely."""
        if self.whole:
            low, high = np.ceil(low), np.floor(high) + 1.0
        bounds = np.array([-np.inf, *self.cuts, np.inf])
        upper = np.minimum(high[:, None], bounds[1:])
        shared = np.maximum(upper - np.maximum(low[:, None], bounds[:-1]), 0.0)
        point = ~(high > low)
        shared[point] = 0.0
        shared[point, np.searchsorted(self.cuts, low[point], side="right")] = 1.0
        found: FloatArray = shared / shared.sum(axis=1, keepdims=True)
        return found


def number_bins(values: FloatArray, *, fewest: int, of_dates: bool = False) -> NumberBins:
    """Cut a column into bins of one round width, whose ends are open."""
    whole = of_dates or bool((values == np.round(values)).all())
    low, high = float(values.min()), float(values.max())
    if low == high:
        return NumberBins(cuts=(), labels=(_day(low) if of_dates else _number(low),), whole=whole)
    first, last = np.quantile(values, _TAILS).tolist()
    if first == last:
        first, last = low, high
    bounds, names = _date_bounds(first, last) if of_dates else _round_bounds(first, last, whole)
    labels = _lowest(bounds[0], of_dates), *names, _highest(bounds[-1], of_dates)
    bins = NumberBins(cuts=tuple(bounds), labels=labels, whole=whole)
    return _without_rare_ends(bins, values, fewest=fewest, of_dates=of_dates)


def _without_rare_ends(
    bins: NumberBins, values: FloatArray, *, fewest: int, of_dates: bool
) -> NumberBins:
    """Take the bins at both ends together with their neighbours until each holds enough."""
    rows = bins.counts(values).tolist()
    cuts, labels = list(bins.cuts), list(bins.labels)
    while cuts and rows[0] < fewest:
        merged = rows.pop(0)
        rows[0] += merged
        del cuts[0], labels[0]
        if merged and cuts:
            labels[0] = _lowest(cuts[0], of_dates)
    while cuts and rows[-1] < fewest:
        merged = rows.pop()
        rows[-1] += merged
        del cuts[-1], labels[-1]
        if merged and cuts:
            labels[-1] = _highest(cuts[-1], of_dates)
    if not cuts:
        labels = ["All dates" if of_dates else "All numbers"]
    return replace(bins, cuts=tuple(cuts), labels=tuple(labels))


def _round_bounds(first: float, last: float, whole: bool) -> tuple[list[float], list[str]]:
    """Return bounds of bins of a round width around `first` and `last`, and the bins' names."""
    least = (last - first) / MOST_BINS
    if whole and least <= 1:
        width = 1.0
    else:
        power = 10.0 ** math.floor(math.log10(least))
        wide = [each * power for each in _WIDTHS if each * power >= least * (1 - 1e-9)]
        width = next(each for each in wide if not whole or each == round(each))
    start, stop = math.floor(first / width), math.floor(last / width) + 1
    bounds = [place * width for place in range(start, stop + 1)]
    names = []
    for low, high in itertools.pairwise(bounds):
        top = high - 1.0 if whole else high
        between = _TO if low >= 0 else " to "
        one = whole and width == 1
        names.append(_number(low) if one else f"{_number(low)}{between}{_number(top)}")
    return bounds, names


def _date_bounds(first: float, last: float) -> tuple[list[float], list[str]]:
    """Return the same for days: bounds at the beginning of days, weeks, months or years."""
    if last - first <= 7 * MOST_BINS:
        width = 1 if last - first < MOST_BINS else 7
        start = math.floor((first - _MONDAY) / width) * width + _MONDAY
        bounds = [float(day) for day in range(start, math.floor(last) + width + 1, width)]
        names = [
            _day(low) if width == 1 else f"{_day(low)} to {_day(low + width - 1)}"
            for low in bounds[:-1]
        ]
        return bounds, names
    months = [int(_month(day).astype(np.int64)) for day in (first, last)]
    width = next(
        (each for each in _MONTHS if (months[1] - months[0]) / each < MOST_BINS), _MONTHS[-1]
    )
    start = months[0] // width * width
    starts = np.arange(start, months[1] + width + 1, width).astype("datetime64[M]")
    days = (starts.astype("datetime64[D]") - _EPOCH).astype(np.float64).tolist()
    return days, [_period(low, high - 1, width) for low, high in itertools.pairwise(starts)]


def _period(first: np.datetime64, last: np.datetime64, months: int) -> str:
    if months < 12:
        return str(first) if months == 1 else f"{first} to {last}"
    years = first.astype("datetime64[Y]"), last.astype("datetime64[Y]")
    return str(years[0]) if months == 12 else f"{years[0]}{_TO}{years[1]}"


def _month(day: float) -> np.datetime64:
    month: np.datetime64 = (_EPOCH + np.timedelta64(math.floor(day), "D")).astype("datetime64[M]")
    return month


def _day(day: float) -> str:
    return str(_EPOCH + np.timedelta64(math.floor(day), "D"))


def _lowest(bound: float, of_dates: bool) -> str:
    return f"before {_day(bound)}" if of_dates else f"under {_number(bound)}"


def _highest(bound: float, of_dates: bool) -> str:
    return f"from {_day(bound) if of_dates else _number(bound)}"


def _number(value: float) -> str:
    size = abs(value)
    if size and not _PLAIN[0] <= size < _PLAIN[1]:
        return f"{value:.6g}"
    text = count(int(value)) if value == round(value) else decimal(float(f"{value:.9g}"))
    return text.replace("-", "\u2212")
