"""Numbers that stand for themselves and all beyond: top and bottom codes; and suppressed cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from alc_core.tables.sets.domain import Domain
from alc_core.tables.sets.value_sets import Interval
from alc_core.tables.values.no_value_numbers import number_markers

FloatArray = NDArray[np.float64]

_FEWEST_ROWS = 10
_MOST_ROWS = 0.5
_BEYOND = 0.5
_NOISE = 3.0
_FEWEST_TO_TELL = 30
_MOVED = 2.0
_CHANCE = 1.36
"""Of the Kolmogorov-Smirnov distance of two samples, in 95 % of them."""


def end_codes(domain: Domain, released: FloatArray) -> Iterator[tuple[float, Interval]]:
    """Find a greatest or least released number that stands for all beyond it, too.

    It is at the end of the release, the original has values beyond it, and the rows that it has in
    excess of the original's are about those. Where most rows are at an end, something else
    was done.
    """
    found = tuple(_end_codes(domain, released[~np.isnan(released)]))
    if sum(share for _, _, share in found) <= _MOST_ROWS:
        yield from ((number, interval) for number, interval, _ in found)


def _end_codes(domain: Domain, present: FloatArray) -> Iterator[tuple[float, Interval, float]]:
    if not len(present) or not len(domain.numbers):
        return
    moved = _MOVED * _most_moved(domain, present)
    for sign in (1.0, -1.0):
        end = float(sign * (sign * present).max())
        beyond = sign * domain.numbers > sign * end
        if not beyond.any():
            continue
        total = float(domain.number_counts.sum())
        past = float(domain.number_counts[beyond].sum()) / total
        itself = float(domain.number_counts[domain.numbers == end].sum()) / total
        rows = int(np.count_nonzero(present == end))
        share = rows / len(present)
        noise = _NOISE * np.sqrt((past + itself) * (1 / len(present) + 1 / total))
        excess = share - itself
        if rows < _FEWEST_ROWS or excess < max(_BEYOND * past, noise, moved):
            continue
        if excess > past / _BEYOND + noise:
            continue
        yield end, Interval(low=end) if sign > 0 else Interval(high=end), share


def _most_moved(domain: Domain, present: FloatArray) -> float:
    """Return how far the shares below numbers between the ends changed at most, beyond chance.

    Where they did, the values were made up, and one at an end may be more frequent by that.
    """
    numbers, total = domain.numbers, domain.number_counts.sum()
    inside = (numbers >= present.min()) & (numbers < present.max())
    before = np.cumsum(domain.number_counts)[inside] / total
    after = np.searchsorted(np.sort(present), numbers[inside], side="right") / len(present)
    chance = _CHANCE * np.sqrt(1 / len(present) + 1 / total)
    return max(0.0, float(np.abs(after - before).max(initial=0.0)) - float(chance))


def suppressed_numbers(domain: Domain, released: FloatArray) -> tuple[float, ...]:
    """Return released numbers such as -1 and 999 that the original lacks: "suppressed"."""
    if domain.of_dates or not len(domain.numbers):
        return ()
    numbers, counts = np.unique(released[np.isfinite(released)], return_counts=True)
    if (
        len(numbers) < 3
        or domain.numbers.min() <= numbers[0] <= numbers[-1] <= domain.numbers.max()
    ):
        return ()
    markers = number_markers(numbers, counts, few=False)
    outside = (markers < domain.numbers.min()) | (markers > domain.numbers.max())
    often = np.array([counts[numbers == marker].sum() >= _FEWEST_ROWS for marker in markers], bool)
    return tuple(map(float, markers[outside & often]))


def is_suppressed(without: int, rows: int, original_without: int, original_rows: int) -> bool:
    """Return whether a release's missing values were taken out rather than missing before.

    They were if the original has none, or if there are so many more that most of the release's
    must have had a value, beyond what chance explains. Small tables do not tell.
    """
    if not without or min(rows, original_rows) < _FEWEST_TO_TELL:
        return False
    share, before = without / rows, original_without / original_rows
    noise = _NOISE * np.sqrt(before * (1 - before) * (1 / rows + 1 / original_rows))
    return bool(share > 2 * before and share - before > noise)
