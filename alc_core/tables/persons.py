"""Likely persons of released rows, by all columns but one.

A sample of released rows is compared with the original's. Agreement weighs by rarity; near numbers
by ranks in their own table. The second-best person is an equally similar stranger, for chance and
correlation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray, RowArray, mid_ranks, spread_out
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.texts import label_codes, numeric_values

# Limits, measured by benchmarks/codings.py.
_MOST_SAMPLED = 2_000  # Released rows that are compared
_FEWEST_SAMPLED = 60  # The same if memory is short
_CHANGED = 0.3  # Share of cells assumed changed
_RANKS = 1_000  # Steps of ranks
_NEAR = 20  # Steps within which numbers are near
_FEWEST_NUMBERS = 50  # Distinct numbers from which nearness counts
_MOSTLY = 0.5  # Share of values that may not be numbers
_CLEAR = 0.5  # Log-likelihood ratio of two persons
_MOST_ALIKE = 8  # Equally likely persons of a row
_ENOUGH = 200  # Rows with few of these that suffice
_PART = 2**18  # Pairs weighed at once
_MOST_PEOPLE = 20_000  # People compared of a long original
_RANKED = 20_000  # Numbers of a column that rank others
_KEYS = 8  # Columns whose combinations choose these people
_HASH_BITS = 22  # Bits of the hashes of combinations
# Odd, with bits all over
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelyPersons:
    """Released rows with likely persons and equally similar strangers."""

    released: RowArray
    own: RowArray
    stranger: RowArray


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    own: NDArray[np.integer]  # Codes by row of the original
    released: NDArray[np.integer]  # By row of the sample; missing values differ
    gain: NDArray[np.float32]  # By row of the sample: weight of an equal code
    own_ranks: NDArray[np.int16] | None = None
    released_ranks: NDArray[np.int16] | None = None

    def weights(self, rows: slice) -> NDArray[np.float32]:
        same = self.own == self.released[rows, None]
        gain = self.gain[rows, None]
        if self.own_ranks is None or self.released_ranks is None:
            return np.asarray(same * gain)
        apart = np.abs(self.own_ranks - self.released_ranks[rows, None])
        found = (apart <= _NEAR) * _NEAR_GAIN
        return np.asarray(np.maximum(found, same * gain))


_NEAR_GAIN = np.float32(np.log((1 - _CHANGED) * _RANKS / (2 * _NEAR) / _CHANGED))


class PersonFinder:
    """Finds likely persons of sampled rows, by all columns but one.

    In a long original, among people who share combinations of values.
    """

    def __init__(
        self, original: Table, release: Table, columns: Sequence[str], *, cells: float
    ) -> None:
        people = min(len(original), _MOST_PEOPLE)
        size = cells / max(1, people * len(columns))
        most = int(np.clip(size, _FEWEST_SAMPLED, _MOST_SAMPLED))
        self._rows = spread_out(len(release), most)
        before, after = original.frame, release.frame
        self._people = np.arange(people)
        if people < len(original):
            sample = after.iloc[self._rows]
            self._people = _sharing_values(before, sample, columns, people)
        self._compared = {
            name: _compared(
                before[name], after[name], self._people, self._rows, original.kind(name)
            )
            for name in columns
        }
        self._total: NDArray[np.float32] | None = None

    def without(self, column: str) -> LikelyPersons:
        """Return the likely persons by all other columns."""
        if self._total is None:
            self._total = np.zeros((len(self._rows), len(self._people)), dtype=np.float32)
            for each in self._compared.values():
                for rows in self._parts():
                    self._total[rows] += each.weights(rows)
        best = np.empty((2, len(self._rows)), dtype=np.intp)
        alike = np.empty(len(self._rows), dtype=np.int64)
        for rows in self._parts():
            weights = self._total[rows] - self._compared[column].weights(rows)
            best[0, rows] = weights.argmax(axis=1)
            first = np.take_along_axis(weights, best[0, rows, None], axis=1)
            as_likely = weights >= first - _CLEAR
            alike[rows] = as_likely.sum(axis=1)
            weights[as_likely] = -np.inf
            best[1, rows] = weights.argmax(axis=1)
        chosen = alike <= _most_alike(alike)
        own, stranger = self._people[best[:, chosen]]
        return LikelyPersons(released=self._rows[chosen], own=own, stranger=stranger)

    def _parts(self) -> list[slice]:
        step = max(1, _PART // max(1, len(self._people)))
        return [slice(start, start + step) for start in range(0, len(self._rows), step)]


def _sharing_values(
    original: pd.DataFrame, sample: pd.DataFrame, columns: Sequence[str], most: int
) -> RowArray:
    """Return people sharing most combinations of three values with the sample."""
    distinct = {
        name: original[name].iloc[spread_out(len(original), _MOST_SAMPLED)].nunique()
        for name in columns
        if not isinstance(original[name].dtype, pd.StringDtype) and original[name].dtype != object
    }
    keys = sorted(distinct, key=lambda name: -distinct[name])[:_KEYS]
    hashes = [value_hashes(original[name], sample[name]) for name in keys]
    hits = np.zeros(len(original), dtype=np.uint8)
    for first in range(len(hashes)):
        own, released = np.uint64(0), np.uint64(0)
        for step, factor in enumerate(_FACTORS):
            parts = hashes[(first + step) % len(hashes)]
            own, released = own + parts[0] * factor, released + parts[1] * factor
        occurs = np.zeros(2**_HASH_BITS, dtype=bool)
        occurs[released >> np.uint64(64 - _HASH_BITS)] = True
        hits += occurs[own >> np.uint64(64 - _HASH_BITS)]
    return np.sort(np.argpartition(-hits.astype(np.int16), most - 1)[:most])


def value_hashes(
    own: pd.Series, released: pd.Series
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return numbers that are equal if values are."""
    if all(pd.api.types.is_numeric_dtype(each.dtype) for each in (own, released)):
        before, after = ((numeric_values(each) + 0.0).view(np.uint64) for each in (own, released))
        return before, after
    codes, its_codes = _joint_codes(own, released)
    return codes.astype(np.uint64), its_codes.astype(np.uint64)


def _joint_codes(own: pd.Series, released: pd.Series) -> tuple[CodeArray, CodeArray]:
    own_codes, labels = label_codes(own)
    places = {label: code for code, label in enumerate(labels)}
    codes, its_labels = label_codes(released)
    moved = [*(places.get(label, len(labels)) for label in its_labels), len(labels)]
    own_codes = np.where(own_codes < 0, len(labels) + 1, own_codes).astype(np.int32)
    return own_codes, np.array(moved, np.int32)[codes]


def _most_alike(alike: NDArray[np.int64]) -> int:
    """Return the most equally likely persons of a used row."""
    rows = np.cumsum(np.bincount(alike, minlength=_MOST_ALIKE + 1)[: _MOST_ALIKE + 1])
    return int(np.argmax(rows >= _ENOUGH)) if rows[-1] >= _ENOUGH else _MOST_ALIKE


def _compared(
    own: pd.Series, released: pd.Series, people: RowArray, rows: RowArray, kind: ColumnKind
) -> _Column:
    own_codes, codes = _joint_codes(own.iloc[people], released.iloc[rows])
    counts = np.bincount(own_codes)
    shares = np.append(np.maximum(counts, 1) / len(people), np.ones(2))[codes]
    size = np.uint8 if len(counts) < 254 else np.int32
    gain = np.log((1 - _CHANGED + _CHANGED * shares) / shares / _CHANGED).astype(np.float32)
    found = _Column(own=own_codes.astype(size), released=codes.astype(size), gain=gain)
    if len(counts) < _FEWEST_NUMBERS:
        return found
    numbers = datetime_values if kind is ColumnKind.DATETIME else numeric_values
    ranks = [_ranks(each, its, numbers) for each, its in ((own, people), (released, rows))]
    if any((each < 0).mean() > _MOSTLY for each in ranks):
        return found
    return replace(found, own_ranks=ranks[0], released_ranks=ranks[1])


def _ranks(
    series: pd.Series, rows: RowArray, numbers: Callable[[pd.Series], FloatArray]
) -> NDArray[np.int16]:
    """Return mid-ranks of numbers; far off if missing."""
    among = numbers(series.iloc[spread_out(len(series), _RANKED)])
    asked = among[rows] if len(among) == len(series) else numbers(series.iloc[rows])
    return (mid_ranks(asked, among) * _RANKS).astype(np.int16)
