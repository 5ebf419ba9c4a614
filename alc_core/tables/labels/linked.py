"""Rows that are recognisably the same in a release and the original, and what bounds they show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import IntArray
from alc_core.phrasing import percent
from alc_core.tables.labels.notation import Reading
from alc_core.tables.value_sets import Domain, Interval
from alc_core.tables.values.texts import canonical_labels, label_codes, numeric_values

IndexArray = NDArray[np.intp]
Codes = tuple[IntArray, IntArray]
"""Common codes of a column's values in the original and in the release."""

LinkedPairs = tuple[IndexArray, IndexArray]
"""Rows of the original, and those of the release that belong to them."""

Pairs = Callable[[], LinkedPairs]
"""Gives rows of the original and of the release that are the same; costs something."""

FEWEST_LINKED = 30
"""With fewer linked rows nothing is concluded from them."""

_MOST_ROWS = 50_000
_MOST_KINDS = 32
"""Kinds of rows by which cells are as before; the most frequent are linked."""

_AGREEING = 0.9

_BETTER = 0.005
_FITTING = 0.9
_CLEARLY = 10.0

Ends = Mapping[str, tuple[Interval, Interval]]
"""Label to the interval as written, and closed at the other end."""


class LinkedRows:
    """Pairs of rows that agree wherever the released row has values of the original.

    A released row is paired where all people with its values have the same value in the column in
    question, which takes no part itself. Where the release keeps the order of the rows, all rows
    are paired.
    """

    def __init__(
        self, original: pd.DataFrame, release: pd.DataFrame, columns: Sequence[str]
    ) -> None:
        self._original = original
        self._release = release
        self._columns = tuple(columns)

    def pairs(self, column: str) -> LinkedPairs:
        """Return rows of the original, and those of the release that belong to them."""
        if self._in_order:
            rows = np.arange(len(self._original))[:: max(1, len(self._original) // _MOST_ROWS)]
            return rows, rows
        own = self._codes.get(column)
        values = own[0] if own else pd.factorize(self._original[column], use_na_sentinel=False)[0]
        others = [codes for name, codes in self._codes.items() if name != column]
        parts = [_linked(values, part, rows) for part, rows in _kinds_of_rows(others)]
        nobody = np.array([], dtype=np.intp)
        found = [np.concatenate(each) for each in zip(*parts, strict=True)] or [nobody, nobody]
        return found[0], found[1]

    @cached_property
    def _codes(self) -> Mapping[str, Codes]:
        if not len(self._original) or not len(self._release):
            return {}
        return {
            name: _together(self._original[name], self._release[name]) for name in self._columns
        }

    @cached_property
    def _in_order(self) -> bool:
        """Whether the rows have the same order: most columns agree row by row, not by chance."""
        if len(self._original) != len(self._release):
            return False
        rows = len(self._original)
        varied = [
            codes
            for codes in self._codes.values()
            if float(np.bincount(codes[0]).max()) / rows < _AGREEING / 2
        ]
        agreeing = 0
        for before, after in varied:
            kept = after <= before.max()
            agreeing += bool(kept.sum() >= FEWEST_LINKED) and bool(
                np.mean((before == after)[kept]) >= _AGREEING
            )
        return bool(varied) and agreeing > len(varied) / 2


def _together(before: pd.Series, after: pd.Series) -> Codes:
    """Return common codes of two columns; values that the original lacks have greater ones."""
    if all(pd.api.types.is_numeric_dtype(part.dtype) for part in (before, after)):
        numbers = np.concatenate([numeric_values(before), numeric_values(after)])
        codes = pd.factorize(numbers, use_na_sentinel=False)[0].astype(np.int64)
        return codes[: len(before)], codes[len(before) :]
    own, labels = label_codes(before)
    other, found = label_codes(after)
    position = {label: code for code, label in enumerate(labels)}
    missing = len(labels)
    places = [position.setdefault(label, len(position) + 1) for label in found]
    own = np.where(own < 0, missing, own)
    return own.astype(np.int64), np.array([*places, missing], dtype=np.int64)[other]


def _kinds_of_rows(coded: Sequence[Codes]) -> Iterator[tuple[Sequence[Codes], IndexArray]]:
    """Yield released rows together that have the same columns as before, and these columns."""
    if not coded:
        return
    kept = np.column_stack([after <= before.max() for before, after in coded])
    _, first, kind, rows = np.unique(
        np.packbits(kept, axis=1), axis=0, return_index=True, return_inverse=True,
        return_counts=True,
    )  # fmt: skip
    for number in np.argsort(-rows, kind="stable")[:_MOST_KINDS]:
        columns = [codes for codes, has in zip(coded, kept[first[number]], strict=True) if has]
        if columns:
            yield columns, np.flatnonzero(kind.ravel() == number)


def _linked(values: IntArray, coded: Sequence[Codes], released: IndexArray) -> LinkedPairs:
    """Pair released rows with people who agree with them in some columns, and in the value."""
    ordered = sorted(coded, key=lambda pair: -int(pair[0].max()))
    n_rows = len(values)
    groups = np.zeros(n_rows + len(released), dtype=np.int64)
    rows = np.arange(len(groups))
    for number, (before, after) in enumerate(ordered):
        codes = np.concatenate([before, after[released]])[rows]
        groups = pd.factorize(groups * (int(codes.max(initial=0)) + 1) + codes)[0].astype(np.int64)
        if number == 0 and len(rows) > 2 * _MOST_ROWS:
            kept = groups % -(-len(rows) // (2 * _MOST_ROWS)) == 0
            rows, groups = rows[kept], groups[kept]
    of_original = rows < n_rows
    size = int(groups.max(initial=0)) + 1
    people = np.bincount(groups[of_original], minlength=size)
    places = np.zeros(size, dtype=np.intp)
    places[groups[of_original]] = rows[of_original]
    own = values[places[groups]]
    mixed = np.bincount(groups[of_original & (own != values[rows % n_rows])], minlength=size) > 0
    few = np.bincount(groups[~of_original], minlength=size) <= people
    chosen = ~of_original & ((people > 0) & ~mixed & few)[groups]
    return places[groups[chosen]], released[rows[chosen] - n_rows]


def swapped_bounds(
    domain: Domain,
    released: pd.Series,
    rows: Mapping[str, int],
    readings: Mapping[str, Reading | None],
    pairs: Pairs,
) -> tuple[Mapping[str, Interval], str]:
    """Find out whether a column's half-open intervals are closed at the other end than is written.

    Rows that are the same in both tables decide, else the shares of the labels.
    """
    ends = _either_way(readings)
    swapped = {label: other for label, (_, other) in ends.items()}
    if all(domain.share(written) == domain.share(other) for written, other in ends.values()):
        return {}, ""
    shares = _linked_shares(domain, released, ends, pairs)
    if shares is None or max(shares) < _FITTING:
        why = _by_shares(domain, rows, ends)
        return (swapped if why else {}), why
    written, other = shares
    if other <= written + _BETTER:
        return {}, ""
    return swapped, (
        f"The bounds are taken the other way round than written: so they fit {percent(other)} of"
        f" the rows that can be linked to the original, as written {percent(written)}."
    )


def _either_way(readings: Mapping[str, Reading | None]) -> Ends:
    """Return the intervals as written and closed at the other end, but for the outermost bound."""
    ends = {
        label: (reading.value_set, reading.other)
        for label, reading in readings.items()
        if reading is not None
        and reading.other is not None
        and isinstance(reading.value_set, Interval)
    }
    least = min((other.low for _, other in ends.values()), default=0.0)
    most = max((other.high for _, other in ends.values()), default=0.0)
    return {
        label: (
            written,
            replace(
                other,
                low_open=other.low_open and other.low > least,
                high_open=other.high_open and other.high < most,
            ),
        )
        for label, (written, other) in ends.items()
    }


def _linked_shares(
    domain: Domain, released: pd.Series, ends: Ends, pairs: Pairs
) -> tuple[float, float] | None:
    """Return which share of the linked rows either way fits, or None if there are too few."""
    of_original, of_release = pairs()
    if len(of_original) < FEWEST_LINKED:
        return None
    labels = canonical_labels(released.iloc[of_release]).to_numpy(dtype=object)
    numbers = domain.rows[of_original]
    fitting = np.zeros(2)
    linked = 0
    for label, intervals in ends.items():
        own = numbers[labels == label]
        own = own[~np.isnan(own)]
        linked += len(own)
        for side, interval in enumerate(intervals):
            low, high = interval.closed_bounds
            fitting[side] += np.count_nonzero((own >= low) & (own <= high))
    if linked < FEWEST_LINKED:
        return None
    return float(fitting[0] / linked), float(fitting[1] / linked)


def _by_shares(domain: Domain, rows: Mapping[str, int], ends: Ends) -> str:
    own = np.array([rows[label] for label in ends], dtype=np.float64)
    written, other = (
        _apart(own, [domain.share(intervals[side]) for intervals in ends.values()])
        for side in (0, 1)
    )
    if _CLEARLY * other >= written:
        return ""
    return (
        "The bounds are taken the other way round than written: so the shares of the labels fit"
        " the original's."
    )


def _apart(rows: np.ndarray, shares: Sequence[float]) -> float:
    """Return the total variation between labels' rows and what the original leads to expect."""
    expected = np.array(shares)
    return 0.5 * float(np.abs(expected / max(expected.sum(), 1e-12) - rows / rows.sum()).sum())
