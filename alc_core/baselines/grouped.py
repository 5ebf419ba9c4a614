"""Frequencies among people with equal known values, for many unknown values."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray, some_rows
from alc_core.baselines.features import Features

_MAX_LEVELS = 6
# Weights of the coarser group's frequencies in rows
_TRUSTS = (0.3, 1.0, 4.0, 16.0)
# Discounts of values' rows for the coarser group
_DISCOUNTS = (0.0, 0.75)
_LEAST_GAIN = 0.005  # Least gain in mean log likelihood of a division
_SEARCH_ROWS = 30_000  # Most rows to choose columns on
_QUANTILES = np.linspace(0.05, 0.95, 19)


@dataclass(frozen=True, slots=True)
class GroupedFrequencies:
    """Frequencies in ever smaller groups, shrunk to larger ones.

    Rows are grouped by the most predictive known column, then the next, while the leave-one-out
    likelihood rises. In a group of n rows with k values, n_v of value v, its probability is (n_v -
    d + (m + d·k)·p_v) / (n + m), with p_v from the larger group. Numbers are grouped by value if
    they repeat, else in intervals.

    References
    ----------
    Teh (2006), A hierarchical Bayesian language model based on Pitman-Yor processes.
    """

    name: str = "grouped frequencies"
    averaged: bool = False
    learns_rare: bool = True

    def suits(self, features: Features, n_classes: int) -> bool:  # noqa: ARG002
        """Return True: it takes any data."""
        return True

    def fit(
        self, features: Features, classes: NDArray[np.int64], n_classes: int, seed: int
    ) -> _Grouped:
        """Choose the grouping columns, on a sample if many rows."""
        from scipy.sparse import csr_array

        groupings = _groupings(features)
        rng = np.random.default_rng(seed)
        picked = some_rows(np.arange(len(features)), _SEARCH_ROWS, rng)
        codes = [grouping.codes(features) for grouping in groupings]
        chosen = _choose([each[picked] for each in codes], classes[picked], n_classes)
        counted = np.ones(len(features)) if features.weights is None else features.weights
        levels, group = [], np.zeros(len(features), dtype=np.int64)
        for number, leaning in chosen:
            size = int(codes[number].max()) + 2
            keys, group = np.unique(group * size + codes[number], return_inverse=True)
            levels.append(
                _Level(
                    grouping=groupings[number],
                    size=size,
                    keys=keys,
                    counts=csr_array((counted, (group, classes)), shape=(len(keys), n_classes)),
                    leaning=leaning,
                )
            )
        frequencies = np.bincount(classes, features.weights, minlength=n_classes) + 0.5
        return _Grouped(frequencies / frequencies.sum(), tuple(levels))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grouping:
    column: int
    values: FloatArray | None = None
    edges: FloatArray | None = None

    def codes(self, features: Features) -> IntArray:
        """Return a number per value, 0 if missing."""
        column = features.matrix[:, self.column]
        missing = np.isnan(column)
        if self.edges is not None:
            return np.where(missing, 0, np.searchsorted(self.edges, column) + 1)
        if self.values is None:
            return column.astype(np.int64) + 1
        place = np.minimum(np.searchsorted(self.values, column), len(self.values) - 1)
        seen = self.values[place] == column
        return np.where(missing, 0, np.where(seen, place + 1, len(self.values) + 1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Level:
    grouping: _Grouping
    size: int
    keys: IntArray
    counts: Any
    leaning: tuple[float, float]

    def groups(self, before: IntArray, features: Features) -> IntArray:
        """Return rows' groups; -1 without training row."""
        codes = self.grouping.codes(features)
        wanted = np.where(codes < self.size, before * self.size + codes, -1)
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where((before >= 0) & (self.keys[place] == wanted), place, -1)


@dataclass(frozen=True, slots=True, eq=False)
class _Grouped:
    frequencies: FloatArray
    levels: tuple[_Level, ...]

    def probabilities(self, features: Features) -> FloatArray:
        found = np.tile(self.frequencies, (len(features), 1))
        group = np.zeros(len(features), dtype=np.int64)
        for level in self.levels:
            group = level.groups(group, features)
            rows = np.flatnonzero(group >= 0)
            counts = level.counts[group[rows]].toarray()
            total = counts.sum(axis=1, keepdims=True)
            trust, discount = level.leaning
            taken = np.minimum(counts, discount)
            left = trust + taken.sum(axis=1, keepdims=True)
            found[rows] = (counts - taken + left * found[rows]) / (total + trust)
        return found


def _groupings(features: Features) -> list[_Grouping]:
    found = []
    for column, categorical in enumerate(features.categorical):
        if categorical:
            found.append(_Grouping(column=column))
            continue
        present = features.matrix[~np.isnan(features.matrix[:, column]), column]
        if len(present) == 0:
            continue
        values = np.unique(present)
        if 2 * len(values) <= len(present):
            found.append(_Grouping(column=column, values=values))
        if len(values) > len(_QUANTILES):
            edges = np.unique(np.quantile(present, _QUANTILES))
            found.append(_Grouping(column=column, edges=edges))
    return found


def _choose(
    codes: Sequence[IntArray], classes: IntArray, n_classes: int
) -> list[tuple[int, tuple[float, float]]]:
    counts = np.bincount(classes, minlength=n_classes)
    expected = np.asarray((counts[classes] - 0.5) / (len(classes) - 1 + n_classes / 2), np.float64)
    group = np.zeros(len(classes), dtype=np.int64)
    chosen: list[tuple[int, tuple[float, float]]] = []
    left = list(range(len(codes)))
    while left and len(chosen) < _MAX_LEVELS:
        tried = [_divided(group, codes[number], classes, n_classes, expected) for number in left]
        best = int(np.argmax([likelihood for likelihood, *_ in tried]))
        likelihood, leaning, divided, probability = tried[best]
        if likelihood < np.log(expected).mean() + _LEAST_GAIN:
            break
        chosen.append((left.pop(best), leaning))
        group, expected = divided, probability
    return chosen


def _divided(
    group: IntArray, codes: IntArray, classes: IntArray, n_classes: int, expected: FloatArray
) -> tuple[float, tuple[float, float], IntArray, FloatArray]:
    """Divide groups; return log likelihood, trust and discount, groups, probabilities.

    A row's probability is its class's by other rows.
    """
    divided = np.unique(group * (int(codes.max()) + 1) + codes, return_inverse=True)[1]
    others = np.bincount(divided)[divided] - 1
    keys, pairs = np.unique(divided * n_classes + classes, return_inverse=True)
    alike = np.bincount(pairs)[pairs] - 1
    values = np.bincount(keys // n_classes)[divided] - (alike == 0)
    leanings = list(itertools.product(_TRUSTS, _DISCOUNTS))
    probabilities = [
        (np.maximum(alike - discount, 0) + (trust + discount * values) * expected)
        / (others + trust)
        for trust, discount in leanings
    ]
    likelihoods = [float(np.log(probability).mean()) for probability in probabilities]
    best = int(np.argmax(likelihoods))
    return likelihoods[best], leanings[best], divided, probabilities[best]
