"""How much commoner a record's combination is than by its single values."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from alc_core.arrays import BoolArray, CodeArray, FloatArray, IntArray, some_rows

_LEARNED = 20_000  # Most records to learn dependence from
_STRENGTHS = np.array([1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1_000.0])
_ANYWHERE = 0.1  # Least share of any other value given a value


def log_typicality(columns: Sequence[Sequence[CodeArray]], rng: np.random.Generator) -> FloatArray:
    """Return records' log probability ratio to independence.

    By a tree of the most dependent columns, own values excluded.

    Parameters
    ----------
    columns : sequence of sequence of ndarray of int of shape (n_records,)
        Codes by column, from coarse to fine; negative if uninformative.

    References
    ----------
    Chow and Liu (1968), Approximating discrete probability distributions with dependence trees.
    """
    n = len(columns[0][0])
    taken = some_rows(np.arange(n), _LEARNED, rng)
    sampled = [[codes[taken] for codes in levels] for levels in columns]
    found = []
    for pair in itertools.combinations(range(len(columns)), 2):
        for level in range(max(len(columns[each]) for each in pair)):
            levels = [min(level, len(columns[each]) - 1) for each in pair]
            one, other = (sampled[each][at] for each, at in zip(pair, levels, strict=True))
            found.append((*_Pair.of(one, other).gain(), pair, levels))
    left = np.zeros(n, dtype=bool)
    left[taken] = True
    total, group = np.zeros(n), list(range(len(columns)))
    for gain, strength, (first, last), levels in sorted(found, reverse=True):
        if gain > 0 and group[first] != group[last]:
            group = [group[first] if each == group[last] else each for each in group]
            one, other = columns[first][levels[0]], columns[last][levels[1]]
            learned = _Pair.of(one[taken], other[taken])
            total += learned.information(one, other, np.array([strength]), left)[0]
    return total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pair:
    keys: IntArray
    both: IntArray
    one: IntArray
    other: IntArray

    @classmethod
    def of(cls, one: CodeArray, other: CodeArray) -> _Pair:
        known = (one >= 0) & (other >= 0)
        one, other = one[known].astype(np.int64), other[known].astype(np.int64)
        n_other = np.bincount(other)
        keys, both = np.unique(one * (len(n_other) + 1) + other, return_counts=True)
        return cls(keys=keys, both=both, one=np.bincount(one), other=n_other)

    def gain(self) -> tuple[float, float]:
        """Return the records' log-likelihood gain, and the best prior strength."""
        one, other = np.divmod(self.keys, len(self.other) + 1)
        left = np.ones(len(one), dtype=bool)
        gains = self.information(one, other, _STRENGTHS, left) @ self.both
        return float(gains.max()), float(_STRENGTHS[gains.argmax()])

    def information(
        self,
        one: CodeArray | IntArray,
        other: CodeArray | IntArray,
        strengths: FloatArray,
        left: BoolArray,
    ) -> FloatArray:
        """Return pointwise mutual information; counts exclude `left` records."""
        if not len(self.keys):
            return np.zeros((len(strengths), len(one)))
        size, known = len(self.other), (one >= 0) & (other >= 0)
        left = left & known
        key = one.astype(np.int64) * (size + 1) + np.minimum(other, size)
        place = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        both = np.where(self.keys[place] == key, self.both[place], 0)
        own = np.append(self.one, 0)[np.clip(one, 0, len(self.one))]
        others = np.append(self.other, 0)[np.clip(other, 0, size)]
        # One more of each value: none is impossible
        share = (others - left + 1) / (self.both.sum() - left + size + 1)
        strength = strengths[:, None]
        given = (np.maximum(both - left, 0) + strength * share) / (own - left + strength)
        ratio = (1 - _ANYWHERE) * given / share + _ANYWHERE
        return np.where(known, np.log(ratio), 0.0)
