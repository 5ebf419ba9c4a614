"""Pseudonyms that are numbers: moved by a constant, or in a column's order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import places_in, spread_out
from alc_core.tables.checks.links import Rows
from alc_core.tables.checks.pseudonyms.sides import (
    FEWEST_ROWS,
    MOST_PEOPLE,
    MOST_SORTED,
    NEARLY_ALL,
    Numbers,
    Origin,
    Owners,
    Released,
    Undone,
)
from alc_core.tables.table import ColumnKind
from alc_core.tables.values.texts import canonical_labels

# Limits; see tests/unit/tables/checks/test_pseudonyms.py
_STEPS = (1, -1, 2, -2, 7)
_LEAST_ORDERED = 0.5  # Rank correlation
_FEWEST_LINKED = 100  # Linked rows


def moved(released: Released, people: Owners) -> Undone | None:
    """Return the column whose numbers differ by one amount, factor or pattern."""
    theirs = released.numbers
    if theirs is None or len(released.different) < FEWEST_ROWS:
        return None
    for source in people.sources:
        if ColumnKind.IDENTIFIER not in (source.kind, released.kind) or not source.singles_out:
            continue
        if source.numbers is None or len(source.different) < FEWEST_ROWS:
            continue
        if released.is_unchanged(source):
            continue
        for how, change in _changes(source, source.numbers, released.different, theirs, people):
            share = _share_moved(source, change, released, people)
            if share is not None:
                return "code", {"of": (source.column,), "how": how, "share": share}
    return None


_Change = Callable[[Numbers], NDArray[np.float64]]


def _line(slope: float, first: float, start: float = 0.0) -> _Change:
    return lambda numbers: np.round((numbers - start) * slope + first, 3)


def _masked(mask: int) -> _Change:
    return lambda numbers: np.bitwise_xor(numbers, mask).astype(np.float64)


def _changes(
    source: Origin, of_rows: Numbers, theirs: Numbers, their_rows: Numbers, people: Owners
) -> Iterator[tuple[str, _Change]]:
    """Propose changes that many pairs of numbers share."""
    own = source.different
    lowest = (own[:100], theirs[:1000])
    some = (own[spread_out(len(own), 20)], theirs[spread_out(len(theirs), 20_000)])
    left, right = people.linked
    pairs = (of_rows[left], their_rows[right])
    steps = {_commonest(np.subtract.outer(lowest[1], lowest[0])), _commonest(pairs[1] - pairs[0])}
    for step in {*steps, int(theirs[0] - own[0]), int(theirs[-1] - own[-1])} - {0, None}:
        yield "with a constant added", _line(1.0, step or 0)
    totals = {int(theirs[-1] + own[0]), int(theirs[0] + own[-1]), _commonest(pairs[1] + pairs[0])}
    for total in totals - {None}:
        yield "taken from a constant", _line(-1.0, total or 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.divide.outer(lowest[1], lowest[0]), pairs[1] / pairs[0]
    for ratio in {_commonest(np.round(each, 9)) for each in ratios} - {1, None}:
        yield "times a constant", _line(ratio or 1, 0.0)
    slope = _grid(theirs) / _grid(own)
    start = _commonest(np.round(np.subtract.outer(lowest[1], slope * lowest[0]), 3))
    if slope != 1 and start is not None:
        yield "times a constant, with another added", _line(slope, start)
    masks = {_commonest(np.bitwise_xor.outer(*some)), _commonest(np.bitwise_xor(*pairs))}
    for mask in masks - {0, None}:
        yield "XOR a constant", _masked(int(mask or 0))
    if len(own) == len(theirs) or len(left):
        x, y = (own, theirs) if len(own) == len(theirs) else pairs
        low, high = int(np.argmin(x)), int(np.argmax(x))
        if x[low] != x[high]:
            slope = float(y[high] - y[low]) / float(x[high] - x[low])
            if slope not in (0, 1):
                how = "times a constant, with another added"
                yield how, _line(slope, float(y[low]), float(x[low]))


def _grid(numbers: Numbers) -> int:
    return max(1, int(np.gcd.reduce(np.diff(numbers))))


def _commonest(values: NDArray[np.generic]) -> float | int | None:
    """Return the most frequent value; None if all are unique."""
    flat = np.sort(values[np.isfinite(values)], axis=None)
    if not len(flat):
        return None
    starts = np.flatnonzero(np.append(True, flat[1:] != flat[:-1]))
    times = np.diff(np.append(starts, len(flat)))
    return flat[starts[np.argmax(times)]].item() if times.max() > 1 else None


def _share_moved(
    source: Origin, change: _Change, released: Released, people: Owners
) -> float | None:
    """Return the share of numbers explained by a change; None if by chance."""
    own = source.different
    asked = own[spread_out(len(own), MOST_PEOPLE)]
    among = released.different.astype(np.float64)

    def share(numbers: NDArray[np.float64]) -> float:
        return float(np.mean(places_in(numbers, among) >= 0))

    moved = np.asarray(change(asked), dtype=np.float64)
    found = share(moved)
    others = (asked + step * _grid(own) for step in _STEPS)  # Others of the kind
    beside = max(share(np.asarray(change(each), dtype=np.float64)) for each in others)
    coverage = min(1.0, len(among) / len(own))
    if found < 0.5 * coverage:
        return None
    if found - beside >= max(0.5 * (1 - beside), 0.2) * coverage and found * len(asked) >= 8:
        return found
    if source.numbers is None or released.numbers is None:
        return None
    order = source.order
    changed = np.asarray(change(source.numbers[order]), dtype=np.float64)
    sort = np.argsort(changed, kind="stable")
    rows = spread_out(len(people.release), 20_000)
    at = places_in(released.numbers[rows].astype(np.float64), changed[sort])
    return people.share_led(order[sort][at[at >= 0]], rows[at >= 0])


def ordered(released: Released, people: Owners) -> Undone | None:
    """Return the column whose order the numbers have."""
    numbers = released.numbers
    if numbers is None or released.kind is not ColumnKind.IDENTIFIER:
        return None
    if len(people.original) > MOST_SORTED or len(released.different) < 0.9 * len(numbers):
        return None
    for source in people.sources:
        column = source.column
        if source.kind.is_compared and column in people.release.columns:
            continue
        if released.is_unchanged(source):
            continue
        for theirs, own in _by_rank(source, numbers, people):
            if (share := people.share_led(theirs, own)) is not None:
                return "order", {"of": (column,), "share": share}
    return None


def _by_rank(source: Origin, numbers: Numbers, people: Owners) -> Iterator[tuple[Rows, Rows]]:
    """Propose pairs of rows with equal rank."""
    values = source.numbers if source.numbers is not None else source.series
    if not isinstance(values, np.ndarray) and source.kind is not ColumnKind.DATETIME:
        values = canonical_labels(values).fillna("").str.lower()
    ranks = pd.Series(values).rank(method="first").to_numpy() - 1
    own = np.argsort(ranks, kind="stable")
    present = np.flatnonzero(numbers >= 0)
    for order in (own, own[::-1]):
        for first in (0, 1):
            places = numbers[present] - first
            inside = (places >= 0) & (places < len(order))
            if inside.mean() > NEARLY_ALL:
                yield order[places[inside]], present[inside]
        if len(order) == len(present):
            yield order, present[np.argsort(numbers[present], kind="stable")]
    left, right = people.linked
    if len(left) >= _FEWEST_LINKED:
        together = _ranked_alike(ranks[left], numbers[right])
        shared = people.release.frame[people.shared].iloc[right]
        others = [pd.factorize(shared[column], sort=True)[0] for column in people.shared]
        beside = max(_ranked_alike(each, numbers[right]) for each in others)
        if together >= max(_LEAST_ORDERED, beside + 0.1):
            yield left, right


def _ranked_alike(one: NDArray[np.generic], other: NDArray[np.generic]) -> float:
    """Return the absolute rank correlation (Spearman); 0 for constants."""
    ranks = [pd.Series(each).rank() for each in (one, other)]
    return 0.0 if min(each.nunique() for each in ranks) < 2 else abs(float(ranks[0].corr(ranks[1])))
