"""Which columns to drop, coarsen or swap, and how."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from alc_core.arrays import FloatArray
from alc_core.releases.cells import quantile_edges, range_label, to_ranges
from alc_core.releases.release import Release
from alc_core.studies.remedies.changes import (
    Coarsen,
    CoarsenNumbers,
    MergeRare,
    SwapColumn,
    UseLevel,
)
from alc_core.studies.utility.released_column import ReleasedColumn
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.value_sets import Interval

COUNTS = (10, 5, 3, 2)  # Numbers of intervals, from mild to strong
_ROUND = (1, 2, 5)  # First digits of interval widths
# Round intervals must spread rows at least this well, relative to equally full ones
_BALANCED = 0.5
_LEAST_SPREAD = 1.5  # And at least like so many
_DIGITS = 2  # Significant digits of bounds that are not whole


def coarsenings(column: str, values: FloatArray, *, of_dates: bool) -> tuple[CoarsenNumbers, ...]:
    """Return a column's intervals, from many to few: of one round width, or equally full."""
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
        width, bounds = None, quantile_edges(np.floor(values) if of_dates else values, wanted)
        if not whole and not of_dates:
            bounds = _rounded(bounds)
    ends = tuple(bounds.tolist())
    written = [
        _written(ends, place, whole=whole, of_dates=of_dates) for place in range(len(ends) - 1)
    ]
    labels, covers = zip(*written, strict=True)
    return CoarsenNumbers(
        column=column, bounds=ends, labels=labels, covers=covers, width=width, of_dates=of_dates
    )


def _round_width(values: FloatArray, wanted: int, *, whole: bool) -> float:
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
    # 3 times 0.1 must be 0.3
    bounds = np.array([float(f"{number * width:.12g}") for number in range(first, last + 2)])
    bounds[-1] -= 1 if whole else 0
    return bounds


def _is_balanced(values: FloatArray, bounds: FloatArray, wanted: int) -> bool:
    counts = np.bincount(to_ranges(values, bounds), minlength=len(bounds) - 1)
    shares = counts[counts > 0] / len(values)
    spread = math.exp(-float(np.sum(shares * np.log(shares))))
    return spread >= max(_BALANCED * wanted, _LEAST_SPREAD)


def _rounded(bounds: FloatArray) -> FloatArray:
    """Return bounds with few digits if distinct, wide enough at both ends."""
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
    low, high, is_last = bounds[place], bounds[place + 1], place == len(bounds) - 2
    if whole and not of_dates and low >= 0:
        high = high if is_last else high - 1
        return (f"{low:.0f}" if low == high else f"{low:.0f}-{high:.0f}"), Interval(low, high)
    label = range_label(low, high, of_dates=of_dates, closed=is_last)
    if of_dates and is_last and not whole:
        high = math.nextafter(high + 1, -math.inf)  # To the end of the last day
    return label, Interval(low, high, high_open=not is_last)


SHARES = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)  # Shares of rows that are swapped
RARE = (0.01, 0.02, 0.05, 0.1, 0.2)  # Shares of rows below which values are merged
OTHER = "other"


def swaps(column: str) -> tuple[SwapColumn, ...]:
    """Return shares of a column to swap, from mild to strong."""
    return tuple(SwapColumn(column=column, share=share) for share in SHARES)


def coarser(original: Table, release: Release, column: str) -> tuple[Coarsen, ...]:
    """Return coarser versions of a column, from mild to strong."""
    holders = [table for table in release.tables if column in table.columns]
    parts = [ReleasedColumn.of(original, table, column) for table in holders]
    kind = original.kind(column)
    given = {  # User-given meanings of labels
        label: each
        for table in holders
        for label, each in table.value_sets.get(column, {}).items()
        if isinstance(each, frozenset)
    }
    if not kind.is_numeric and given:
        return _levels(column, parts, given)
    if kind.is_numeric or all(map(_is_ordered, parts)):
        values = np.concatenate([np.append(part.numbers, np.nan)[part.codes] for part in parts])
        if np.isnan(values).all():
            return ()
        return coarsenings(column, values, of_dates=kind is ColumnKind.DATETIME)
    taken = {label for part in parts for label in (*part.labels, *part.domain.labels.index)}
    return _merged(column, parts, taken)


def _is_ordered(part: ReleasedColumn) -> bool:
    single = [label not in part.sets for label in part.labels]
    return not np.isnan(part.numbers[single]).any()


def _merged(
    column: str, parts: Sequence[ReleasedColumn], taken: Collection[str]
) -> tuple[MergeRare, ...]:
    counts: Counter[str] = Counter()  # Rows by label of a single value
    for part in parts:
        rows = np.bincount(part.codes[part.codes >= 0], minlength=len(part.labels))
        by_label = zip(part.labels, rows.tolist(), strict=True)
        counts.update({label: number for label, number in by_label if label not in part.sets})
    total = counts.total()
    label = OTHER
    while label in taken:
        label = f"{label} (merged)"
    found: dict[tuple[str, ...], MergeRare] = {}
    for below in RARE:
        rare = tuple(sorted(each for each, rows in counts.items() if rows < below * total))
        if 1 < len(rare) < len(counts):
            change = MergeRare(
                column=column, below=below, rare=rare, kept=len(counts) - len(rare), label=label
            )
            found.setdefault(rare, change)
    return tuple(found.values())


def _levels(
    column: str, parts: Sequence[ReleasedColumn], covers: Mapping[str, frozenset[str]]
) -> tuple[UseLevel, ...]:
    chains: dict[str, list[str]] = {}
    for label in dict.fromkeys(label for part in parts for label in part.labels):
        own = covers.get(label, frozenset([label]))
        above = [each for each, covered in covers.items() if each != label and own <= covered]
        chains[label] = sorted(above, key=lambda each: (len(covers[each]), each))
    found: dict[tuple[tuple[str, tuple[str, ...]], ...], UseLevel] = {}
    for level in range(1, max(map(len, chains.values()), default=0) + 1):
        groups: dict[str, list[str]] = {}
        for value, chain in chains.items():
            if chain:
                groups.setdefault(chain[min(level, len(chain)) - 1], []).append(value)
        labels = tuple((label, tuple(sorted(each))) for label, each in sorted(groups.items()))
        if len(labels) > 1:
            found.setdefault(labels, UseLevel(column=column, level=level, labels=labels))
    return tuple(found.values())


def candidate_columns(
    release: Release,
    columns: Sequence[tuple[str, Sequence[str], float]],
    added: Mapping[str, float],
) -> tuple[str, ...]:
    """Return the columns of flagged attacks, the most promising first."""
    told = {column for table in release.tables for column in table.telling}
    weight: defaultdict[str, float] = defaultdict(float)
    for unknown, known, alc in columns:
        for column in (unknown, *known):
            weight[column] += max(alc, 0.0) * (2 if column == unknown else 1)
    names = [column for column in weight if column in told]
    return tuple(sorted(names, key=lambda c: (-added.get(c, 0.0), -weight[c], c)))
