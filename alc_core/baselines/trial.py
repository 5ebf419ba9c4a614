"""Which forests are worth a full comparison: those not far behind cheaper families on few rows.

Forests find what columns say together. Logistic regression does not, grouped frequencies do: where
these are the better of the two, every forest goes on; else those that are not far behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.baselines.classes import LearnedValues
from alc_core.baselines.families import Family, Forest, Logistic
from alc_core.baselines.features import Features
from alc_core.baselines.grouped import GroupedFrequencies
from alc_core.baselines.target_weights import for_targets

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Part = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Rows to learn from, and rows to test on."""

_TRIAL_ROWS = 2_000
"""Families learn from at most so many rows, and are tested on as many."""

_MAX_VALUES = 100
"""With more values, so few rows say too little of each."""

_TREES = 15
_SMALL_LEAF = 5
_BEHIND, _BEHIND_DEEP = 0.06, 0.1
"""By so much, in log loss, a forest may be behind, and one of small leaves, which gain more from
more rows."""

_ERRORS = 2.0
"""Standard errors in its favour, since few rows are tested on."""

_COMMON = 0.1
"""Share of the values' frequencies in what is compared; few trees give many values no chance."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trial:
    """What families are tried on."""

    features: Features  # Of the rows
    classes: IntArray  # Their classes
    learned: LearnedValues  # The values that the classes stand for
    row_weights: FloatArray  # How much each row stands for targets
    value_weights: FloatArray | None  # Odds of each class among targets

    def worth_comparing(
        self, families: Sequence[Family], part: Part, rng: np.random.Generator, *, seed: int
    ) -> list[Family]:
        """Return the families without the forests that are far behind logistic regression."""
        forests = [family for family in families if isinstance(family, Forest)]
        additive = [family for family in families if isinstance(family, Logistic)]
        grouped = [family for family in families if isinstance(family, GroupedFrequencies)]
        learn, test = (_some(rows, rng) for rows in part)
        weights = self.row_weights[test]
        few = len(self.learned) <= _MAX_VALUES
        if not (forests and additive and few and weights.any()):
            return list(families)
        best = self._losses(additive[0], learn, test, seed)
        if any(_mean(best - self._losses(g, learn, test, seed), weights) > 0 for g in grouped):
            return list(families)
        dropped = {
            forest.name
            for forest in forests
            if _behind(
                self._losses(replace(forest, n_trees=_TREES), learn, test, seed) - best, weights
            )
            > (_BEHIND_DEEP if forest.min_samples_leaf < _SMALL_LEAF else _BEHIND)
        }
        return [family for family in families if family.name not in dropped]

    def _losses(
        self, family: Family, learn: NDArray[np.intp], test: NDArray[np.intp], seed: int
    ) -> FloatArray:
        """Return the log loss of each row to test on."""
        model = self.learned.fit(family, self.features.take(learn), self.classes[learn], seed=seed)
        found = for_targets(model.probabilities(self.features.take(test)), self.value_weights)
        truth = self.classes[test]
        common = np.bincount(truth, minlength=len(self.learned)) / len(truth)
        mixed = (1 - _COMMON) * found[np.arange(len(test)), truth] + _COMMON * common[truth]
        return np.asarray(-np.log(mixed))


def _some(rows: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    return rng.choice(rows, size=min(_TRIAL_ROWS, len(rows)), replace=False)


def _behind(differences: FloatArray, weights: FloatArray) -> float:
    """Return by how much losses are larger in the mean, at least."""
    mean = _mean(differences, weights)
    squares = np.average((differences - mean) ** 2, weights=weights)
    effective = weights.sum() ** 2 / np.square(weights).sum()
    return mean - _ERRORS * float(np.sqrt(squares / effective))


def _mean(values: FloatArray, weights: FloatArray) -> float:
    return float(np.average(values, weights=weights))
