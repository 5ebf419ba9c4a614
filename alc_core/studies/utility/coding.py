"""Columns of original and release as comparable codes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.errors import InputError
from alc_core.parameter import check_name, check_whole
from alc_core.phrasing import count, decimal
from alc_core.tables.codes.encode import CategoricalCodes, EncodedData, encode
from alc_core.tables.table import Table
from alc_core.tables.values.dates import iso_day
from alc_core.tables.values.generalized import tags
from alc_core.tables.values.texts import blank_texts, distinct_codes

MOST_BINS = 24  # Most bins between the rare ends
_WIDTHS = (1.0, 2.0, 2.5, 5.0, 10.0)
_TAILS = (0.01, 0.99)  # Shares of values between which bins are equally wide
_MONTHS = (1, 3, 12, 60, 120, 600, 1200)
_MONDAY = 4
_PLAIN = (1e-6, 1e12)
_TO = "\u2013"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberBins:
    """Bins of a column, open at both ends."""

    # Bounds, ascending; each is the least number of the bin above
    cuts: tuple[float, ...]
    labels: tuple[str, ...]  # One more than cuts
    whole: bool  # Whether numbers are whole, or days

    def __len__(self) -> int:
        return len(self.labels)

    def counts(self, values: FloatArray) -> FloatArray:
        """Return the numbers in each bin; none is missing."""
        places = np.searchsorted(self.cuts, values, side="right")
        return np.bincount(places, minlength=len(self)).astype(np.float64)

    def shares(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Return each interval's share by bin, evenly spread."""
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
    """Cut a column into bins of one round width with open ends."""
    whole = of_dates or bool((values == np.round(values)).all())
    low, high = float(values.min()), float(values.max())
    if low == high:
        return NumberBins(
            cuts=(), labels=(iso_day(low) if of_dates else _number(low),), whole=whole
        )
    first, last = np.quantile(values, _TAILS).tolist()
    if first == last:
        first, last = low, high
    bounds, names = _date_bounds(first, last) if of_dates else _round_bounds(first, last, whole)
    labels = [_lowest(bounds[0], of_dates), *names, _highest(bounds[-1], of_dates)]
    rows = NumberBins(cuts=tuple(bounds), labels=tuple(labels), whole=whole).counts(values).tolist()
    # Bins at both ends are merged until large enough
    for end, named in ((0, _lowest), (-1, _highest)):
        while bounds and rows[end] < fewest:
            merged = rows.pop(end)
            rows[end] += merged
            del bounds[end], labels[end]
            if merged and bounds:
                labels[end] = named(bounds[end], of_dates)
    if not bounds:
        labels = ["All dates" if of_dates else "All numbers"]
    return NumberBins(cuts=tuple(bounds), labels=tuple(labels), whole=whole)


def _round_bounds(first: float, last: float, whole: bool) -> tuple[list[float], list[str]]:
    least = (last - first) / MOST_BINS
    if whole and least <= 1:
        width = 1.0
    else:
        power = 10.0 ** math.floor(math.log10(least))
        wide = [each * power for each in _WIDTHS if each * power >= least * (1 - 1e-9)]
        width = next(each for each in wide if not whole or each == round(each))
    start, stop = math.floor(first / width), math.floor(last / width) + 1
    bounds = [float(f"{place * width:.12g}") for place in range(start, stop + 1)]
    names = []
    for low, high in itertools.pairwise(bounds):
        top = high - 1.0 if whole else high
        between = _TO if low >= 0 else " to "
        one = whole and width == 1
        names.append(_number(low) if one else f"{_number(low)}{between}{_number(top)}")
    return bounds, names


def _date_bounds(first: float, last: float) -> tuple[list[float], list[str]]:
    if last - first <= 7 * MOST_BINS:
        width = 1 if last - first < MOST_BINS else 7
        start = math.floor((first - _MONDAY) / width) * width + _MONDAY
        bounds = [float(day) for day in range(start, math.floor(last) + width + 1, width)]
        names = [
            iso_day(low) if width == 1 else f"{iso_day(low)} to {iso_day(low + width - 1)}"
            for low in bounds[:-1]
        ]
        return bounds, names
    days = np.floor([first, last]).astype("datetime64[D]")
    months = days.astype("datetime64[M]").astype(np.int64).tolist()
    width = next(
        (each for each in _MONTHS if (months[1] - months[0]) / each < MOST_BINS), _MONTHS[-1]
    )
    start = months[0] // width * width
    starts = np.arange(start, months[1] + width + 1, width).astype("datetime64[M]")
    bounds = starts.astype("datetime64[D]").astype(np.int64).astype(np.float64).tolist()
    return bounds, [_period(low, high - 1, width) for low, high in itertools.pairwise(starts)]


def _period(first: np.datetime64, last: np.datetime64, months: int) -> str:
    if months < 12:
        return str(first) if months == 1 else f"{first} to {last}"
    years = first.astype("datetime64[Y]"), last.astype("datetime64[Y]")
    return str(years[0]) if months == 12 else f"{years[0]}{_TO}{years[1]}"


def _lowest(bound: float, of_dates: bool) -> str:
    return f"before {iso_day(bound)}" if of_dates else f"under {_number(bound)}"


def _highest(bound: float, of_dates: bool) -> str:
    return f"from {iso_day(bound) if of_dates else _number(bound)}"


def _number(value: float) -> str:
    size = abs(value)
    if size and not _PLAIN[0] <= size < _PLAIN[1]:
        return f"{value:.6g}"
    text = count(int(value)) if value == round(value) else decimal(float(f"{value:.9g}"))
    return text.replace("-", "\u2212")


Binning = Literal["quantile", "equal width"]

BINS = 20  # Default bins of numbers and dates
_BELOW, _ABOVE, _MISSING, _UNREADABLE = range(4)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coded:
    """Columns of original and release under common codes."""

    data: EncodedData  # With numbers and dates unchanged
    original: Mapping[str, IntArray]  # Codes by column
    # Codes by column of each released table
    released: tuple[Mapping[str, IntArray], ...]
    size: Mapping[str, int]  # Codes of each column: 0, ..., size - 1
    missing: Mapping[str, int]  # Code of a missing value
    # Share of released values, except missing, that the original never has or that cannot be read
    # like its numbers or dates; from 0 to 1
    strange: Mapping[str, float]

    @property
    def columns(self) -> tuple[str, ...]:
        """The original's compared columns, in its order."""
        return tuple(self.original)

    def holder(self, *columns: str) -> int | None:
        """Return the widest released table with these columns."""
        return widest_holder(self.released, columns)


def widest_holder(tables: Sequence[Collection[str]], columns: Sequence[str]) -> int | None:
    """Return the widest table with all columns, if any."""
    widths = [len(table) if all(column in table for column in columns) else 0 for table in tables]
    widest = int(np.argmax(widths))
    return widest if widths[widest] else None


def code_tables(
    original: Table, release: Sequence[Table], *, bins: int = BINS, binning: Binning = "quantile"
) -> Coded:
    """Code original and release the same way.

    Numbers and dates are cut into the original's quantile or equal-width bins. Values outside its
    range, missing ones, unreadable ones and each text among its numbers have own codes.
    """
    check_whole("bins", bins, 2)
    check_name("binning", binning, ("quantile", "equal width"))
    columns = _compared(original, release)
    data = encode(original, release, columns=columns, as_written=True)
    coded: list[dict[str, IntArray]] = [{} for _ in (original, *release)]
    size, missing, strange = {}, {}, {}
    every = list(zip((original, *release), (data.original, *data.released), coded, strict=True))
    for column in columns:
        holders = [each for each in every if column in each[0].columns]
        arrays = [part.columns[column] for _, part, _ in holders]
        spec = data.specs[column]
        if isinstance(spec, CategoricalCodes):
            found = [array.astype(np.int64) for array in arrays]
            size[column], missing[column] = spec.size, spec.size - 1
            known = np.zeros(spec.size, dtype=bool)
            known[found[0]] = True
            odd = [~known[codes] for codes in found[1:]]
        else:
            numbers = arrays[0].astype(np.float64)
            own = np.setdiff1d(tags(numbers), [0])
            edges = _edges(numbers, bins=bins, binning=binning)
            first = max(len(edges) - 1, 1)
            found = [
                _binned(part.columns[column].astype(np.float64), table.frame[column], edges, own,
                        first=first)
                for table, part, _ in holders
            ]  # fmt: skip
            size[column], missing[column] = first + 4 + len(own), first + _MISSING
            odd = [codes == first + _UNREADABLE for codes in found[1:]]
        there = [codes != missing[column] for codes in found[1:]]
        total = sum(int(each.sum()) for each in there)
        new = sum(int((each & has).sum()) for each, has in zip(odd, there, strict=True))
        strange[column] = new / total if total else 0.0
        for (_, _, of_table), codes in zip(holders, found, strict=True):
            of_table[column] = codes
    return Coded(
        data=data, original=coded[0], released=tuple(coded[1:]), size=size, missing=missing,
        strange=strange,
    )  # fmt: skip


def check_rows(tables: Sequence[Table]) -> None:
    """Refuse tables without rows."""
    for table in tables:
        if not len(table):
            raise InputError(f"'{table.name}' has no rows. Choose another table.")


def _compared(original: Table, release: Sequence[Table]) -> list[str]:
    columns = list(original.compared)
    check_rows([original, *release])
    if not any(column in table.columns for table in release for column in columns):
        names = ", ".join(f"'{table.name}'" for table in release)
        raise InputError(
            f"{names} shares no column with '{original.name}'. Choose a release of it."
        )
    return columns


def _edges(values: FloatArray, *, bins: int, binning: Binning) -> FloatArray:
    """Return bins' bounds; between quantiles, a frequent value has its own."""
    present = values[~np.isnan(values)]
    if not len(present):
        return np.empty(0)
    if binning == "quantile":
        cuts = np.quantile(present, np.linspace(0, 1, bins + 1))
        repeated = cuts[:-1][cuts[1:] == cuts[:-1]]
        return np.unique(np.concatenate([cuts, np.nextafter(repeated, np.inf)]))
    return np.unique(np.linspace(present.min(), present.max(), bins + 1))


def _binned(
    values: FloatArray, column: pd.Series, edges: FloatArray, own: IntArray, *, first: int
) -> IntArray:
    """Return bins from 0, then codes from `first` on for others, texts of `own` last."""
    codes = np.clip(np.searchsorted(edges[1:-1], values, side="right"), 0, first - 1)
    codes = codes.astype(np.int64)
    if len(edges):
        codes[values < edges[0]] = first + _BELOW
        codes[values > edges[-1]] = first + _ABOVE
    empty = np.isnan(values)
    if empty.any():
        codes[empty] = np.where(is_missing(column)[empty], first + _MISSING, first + _UNREADABLE)
    of_rows = tags(values)
    shared = np.isin(of_rows, own)
    codes[shared] = first + 4 + np.searchsorted(own, of_rows[shared])
    return codes


def is_missing(column: pd.Series) -> NDArray[np.bool_]:
    """Return where nothing is written, unlike unreadable values."""
    codes, distinct = distinct_codes(column)
    blank = np.append(np.asarray(blank_texts(distinct), dtype=bool), True)
    return blank[codes]
