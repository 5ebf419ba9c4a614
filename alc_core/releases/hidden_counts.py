"""Suppressed counts worked out from totals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray

TOTAL = -1  # Code of a total
_FITTING = 0.9  # Least share of checkable totals that add up
_TOLERANCE = 1e-6
_MOST_STEPS = 200
_MOST_RESTARTS = 20
_SWEEPS = 50
_ROUNDED_FROM = 3
_NUMBERS_TO_TELL_ROUNDING = 8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sums:
    """Signed cells that sum to 0."""

    row: IntArray  # Sum of each term
    cell: IntArray
    sign: FloatArray  # 1 for a part, -1 for the total

    @property
    def size(self) -> int:
        """Number of sums."""
        return int(self.row.max()) + 1 if len(self.row) else 0

    def total(self, values: FloatArray) -> FloatArray:
        """Return each sum of a value of its terms."""
        return np.bincount(self.row, weights=values, minlength=self.size).astype(np.float64)

    def any(self, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the sums that contain some cells."""
        return np.bincount(self.row, weights=cells[self.cell], minlength=self.size) > 0

    def take(self, kept: NDArray[np.bool_]) -> Sums:
        """Return some of the sums."""
        terms, place = kept[self.row], np.cumsum(kept) - 1
        return Sums(row=place[self.row[terms]], cell=self.cell[terms], sign=self.sign[terms])

    @classmethod
    def together(cls, parts: Sequence[Sums]) -> Sums:
        """Join the sums of all parts."""
        starts = np.cumsum([0, *(part.size for part in parts)])
        none = np.empty(0, dtype=np.int64)
        return cls(
            row=np.concatenate([none, *(p.row + at for p, at in zip(parts, starts, strict=False))]),
            cell=np.concatenate([none, *(part.cell for part in parts)]),
            sign=np.concatenate([np.empty(0), *(part.sign for part in parts)]),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hidden:
    """Each cell, after totals were used."""

    people: FloatArray  # Of a range: likely count
    exact: NDArray[np.bool_]  # Recovered exactly
    ranged: NDArray[np.bool_]  # Known only in a range
    most: FloatArray  # Upper bound
    totals: int  # Sums used
    unfit: int  # Sums ignored as they do not add up


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MarkedCounts:
    """Counts as published.

    Marks are read strictly, unless totals contradict: "<10" is at least 1, "(5)" is 5, a dash or an
    empty cell is nobody.
    """

    numbers: FloatArray  # NaN for a mark
    low: FloatArray  # Bounds of a mark; NaN for a number
    high: FloatArray
    zeros_are_left_out: bool  # Whether empty combinations are omitted

    def bounds(self, *, none: bool, some: bool) -> tuple[FloatArray, FloatArray]:
        """Return the bounds of each cell.

        Loosely, dashes are any number, "(5)" is at most 5, and marks may start at 0.
        """
        slack = self.rounded_to - 1
        number = np.isfinite(self.numbers)
        dash = self.high == 0
        low = self.low if none else np.where(self.low == self.high, 0.0, self.low)
        low = np.where(~(dash & none) & some, np.maximum(low, 1.0), low)
        high = np.where(dash & (not none), np.inf, self.high)
        least = self.numbers - slack if not slack else np.maximum(self.numbers - slack, 0.0)
        return np.where(number, least, low), np.where(number, self.numbers + slack, high)

    @property
    def rounded_to(self) -> int:
        """Common divisor of all counts; 1 if not rounded."""
        numbers = self.numbers[np.isfinite(self.numbers) & (self.numbers != 0)]
        if len(numbers) < _NUMBERS_TO_TELL_ROUNDING or (numbers != np.rint(numbers)).any():
            return 1
        common = int(np.gcd.reduce(np.abs(numbers).astype(np.int64)))
        return common if common >= _ROUNDED_FROM else 1

    @property
    def readings(self) -> tuple[dict[str, bool], ...]:
        """Possible readings of the marks, likeliest first."""
        dash, other = self.high == 0, self.high > 0
        zeros = bool((self.numbers == 0).any())
        none = bool(other.any()) or not zeros
        some = zeros or bool(dash.any()) or self.zeros_are_left_out
        ways = [(none, some), (False, some), (none, False), (False, False)]
        tried = [(a, b) for a, b in dict.fromkeys(ways) if none >= a and some >= b]
        return tuple({"none": a, "some": b} for a, b in tried)


def sums_of(codes: IntArray, names: IntArray, outer: NDArray[np.bool_]) -> list[Sums]:
    """Return cells that add up to totals, by columns and totals' names.

    Parameters
    ----------
    codes : ndarray of shape (n_cells, n_columns)
        Codes of the values; :data:`TOTAL` for a total over a column.
    names : ndarray of shape (n_cells, n_columns)
        Codes of totals' names.
    outer : ndarray of shape (n_cells, n_columns)
        Subtotals, not parts of a total.
    """
    patterns, of_cell = np.unique(codes == TOTAL, axis=0, return_inverse=True)
    of_cell = of_cell.reshape(-1)
    found = []
    for (upper, above), (lower, below) in product(enumerate(patterns), repeat=2):
        if upper == lower or (below & ~above).any():
            continue
        summed = above & ~below
        parts = np.flatnonzero((of_cell == lower) & ~outer[:, summed].any(axis=1))
        totals = np.flatnonzero(of_cell == upper)
        _, named = np.unique(names[totals][:, summed], axis=0, return_inverse=True)
        for name in range(int(named.max()) + 1):
            alike = totals[named.reshape(-1) == name]
            found.append(added_up(codes[:, ~summed], alike, parts))
    return [sums for sums in found if sums.size]


def added_up(keys: IntArray, totals: IntArray, parts: IntArray) -> Sums:
    """Return sums of parts with a total's keys.

    >>> import numpy as np
    >>> sums = added_up(np.zeros((3, 1), dtype=int), np.array([2]), np.array([0, 1]))
    >>> sums.cell.tolist(), sums.sign.tolist()
    ([2, 0, 1], [-1.0, 1.0, 1.0])
    """
    both = np.concatenate([totals, parts])
    _, group = np.unique(keys[both], axis=0, return_inverse=True)
    group = group.reshape(-1)
    sizes = pd.DataFrame({"group": group[: len(totals)], "total": totals})
    members = pd.DataFrame({"group": group[len(totals) :], "part": parts})
    sizes = sizes[sizes["group"].isin(members["group"])].reset_index(drop=True)
    sizes["row"] = np.arange(len(sizes))
    terms = sizes.merge(members, on="group")
    row = np.concatenate([sizes["row"], terms["row"]]).astype(np.int64)
    cell = np.concatenate([sizes["total"], terms["part"]]).astype(np.int64)
    return Sums(row=row, cell=cell, sign=np.repeat([-1.0, 1.0], [len(sizes), len(terms)]))


def hidden_counts(marked: MarkedCounts, families: Iterable[Sums]) -> Hidden:
    """Work out suppressed counts from their sums."""
    hidden = np.isnan(marked.numbers)
    if not hidden.any():
        numbers = marked.numbers
        return Hidden(people=numbers, exact=hidden, ranged=hidden, most=numbers, totals=0, unfit=0)
    sums, unfit = _believed(marked, [*families])
    for reading in marked.readings:
        first = marked.bounds(**reading)
        low, high, bad = narrowed(*first, sums)
        if not bad.any():
            break
    for last in range(_MOST_RESTARTS):
        if not bad.any():
            break
        bad |= last == _MOST_RESTARTS - 1
        unfit += int(bad.sum())
        sums = sums.take(~bad)
        low, high, bad = narrowed(*first, sums)
    given = hidden & (first[0] == first[1])
    exact = hidden & ~given & (high - low <= _TOLERANCE)
    likely = _likely(low, high, sums, marked.numbers)
    return Hidden(
        people=np.where(hidden, likely, marked.numbers),
        exact=exact,
        ranged=hidden & ~given & ~exact,
        most=high,
        totals=sums.size,
        unfit=unfit,
    )


def _believed(marked: MarkedCounts, families: Sequence[Sums]) -> tuple[Sums, int]:
    """Return sums with a hidden cell, and the number of failing others.

    Complete sums show whether their kind adds up; if none does, there is noise.
    """
    hidden = np.isnan(marked.numbers)
    checked = [~sums.any(hidden) for sums in families]
    fitting = [_fits(sums, *marked.bounds(**marked.readings[-1])) for sums in families]
    proven = {
        kind: _mostly(fits[rows])
        for kind, (fits, rows) in enumerate(zip(fitting, checked, strict=True))
        if rows.any()
    }
    otherwise = not proven or any(proven.values())
    for kind, fits in enumerate(fitting):
        fits &= proven.get(kind, otherwise)
    unfit = sum(int((~fits).sum()) for fits in fitting)
    used = Sums.together([s.take(fits) for s, fits in zip(families, fitting, strict=True)])
    return used.take(used.any(hidden)), unfit


def adds_up(marked: MarkedCounts, sums: Sums, *, least: int) -> bool:
    """Return whether enough totals equal their parts."""
    checked = ~sums.any(np.isnan(marked.numbers))
    fits = _fits(sums, *marked.bounds(none=False, some=False))
    return bool(sums.size and checked.sum() >= least and _mostly(fits[checked]) and _mostly(fits))


def _mostly(fits: NDArray[np.bool_]) -> bool:
    return not len(fits) or bool(fits.mean() >= _FITTING)


def _fits(sums: Sums, low: FloatArray, high: FloatArray) -> NDArray[np.bool_]:
    least, most = _ends(sums, low, high)
    scale = _TOLERANCE * np.maximum(1.0, sums.total(np.abs(low[sums.cell])))
    return (sums.total(least) <= scale) & (sums.total(most) >= -scale)


def _ends(sums: Sums, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    one, other = sums.sign * low[sums.cell], sums.sign * high[sums.cell]
    return np.minimum(one, other), np.maximum(one, other)


def narrowed(
    low: FloatArray, high: FloatArray, sums: Sums
) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Return cells' bounds narrowed by sums, and contradicted sums.

    >>> import numpy as np
    >>> sums = added_up(np.zeros((3, 1), dtype=int), np.array([2]), np.array([0, 1]))
    >>> low, high, _ = narrowed(np.array([1.0, 5.0, 8.0]), np.array([9.0, 5.0, 8.0]), sums)
    >>> float(low[0]), float(high[0])
    (3.0, 3.0)
    """
    low, high = low.copy(), high.copy()
    whole = bool(all((each[np.isfinite(each)] % 1 == 0).all() for each in (low, high)))
    for _ in range(_MOST_STEPS):
        if not (fits := _fits(sums, low, high)).all():
            return low, high, ~fits
        least, most = _ends(sums, low, high)
        # A term is minus the sum of the others
        upper, lower = -_others(sums, least), -_others(sums, most)
        first, last = (np.where(sums.sign > 0, a, -b) for a, b in ((lower, upper), (upper, lower)))
        if whole:
            first, last = np.ceil(first - _TOLERANCE), np.floor(last + _TOLERANCE)
        before = low.copy(), high.copy()
        np.maximum.at(low, sums.cell, first)
        np.minimum.at(high, sums.cell, last)
        crossed = (low > high) & (low - high <= _TOLERANCE * np.maximum(1.0, np.abs(low)))
        low[crossed] = high[crossed]
        if np.array_equal(before[0], low) and np.array_equal(before[1], high):
            break
    return low, high, np.zeros(sums.size, dtype=bool)


def _others(sums: Sums, ends: FloatArray) -> FloatArray:
    """Return the sum of each term's others, infinite if one is."""
    finite = np.isfinite(ends)
    total = sums.total(np.where(finite, ends, 0.0))
    endless = sums.total((~finite).astype(np.float64))[sums.row] - ~finite
    infinity = np.sign(ends[~finite][0]) * np.inf if not finite.all() else 0.0
    rest = total[sums.row] - np.where(finite, ends, 0.0)
    return np.where(endless > 0, infinity, rest)


def _likely(low: FloatArray, high: FloatArray, sums: Sums, numbers: FloatArray) -> FloatArray:
    """Return counts within bounds that add up.

    Counts are weighted by the inverse of their size.
    """
    present = numbers[numbers > 0]
    usual = max(1.0, float(present.min()) - 1) if len(present) else 1.0
    most = np.where(np.isfinite(high), high, np.maximum(low, usual))
    several = most > low
    first, last = np.maximum(low[several], 1.0), np.maximum(most[several], 1.0)
    weight = np.log((last + 0.5) / (first - 0.5)) + (low[several] < 1)
    likely = low.copy()
    likely[several] = np.clip((last - first + 1) / weight, low[several], most[several])
    times = np.maximum(np.bincount(sums.cell, minlength=len(low)), 1)
    for _ in range(_SWEEPS):
        off = sums.total(sums.sign * likely[sums.cell])
        if np.abs(off).max(initial=0.0) <= _TOLERANCE:
            break
        up = off[sums.row] * sums.sign < 0
        above, below = np.minimum(high, 2 * likely + 1) - likely, likely - low
        room = np.where(up, above[sums.cell], below[sums.cell])
        share = room / np.maximum(sums.total(room), _TOLERANCE)[sums.row]
        step = -sums.sign * off[sums.row] * share / times[sums.cell]
        np.add.at(likely, sums.cell, step)
        likely = np.clip(likely, low, high)
    return likely
