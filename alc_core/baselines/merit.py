"""How well a candidate predicts rows that it did not learn from, as targets would be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.scoring.curves import PrecisionRecallCurve, precision_recall_curve
from alc_core.scoring.measuring import Measure, best_measure
from alc_core.scoring.parameters import ScoringParameters

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

_MAX_THRESHOLDS = 400

_LEAST_PROBABILITY = 1e-4
"""A probability of 0 for what happened would make the log loss infinite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merit:
    """What is measured of a candidate."""

    measure: Measure  # At its best point
    log_loss: float  # Mean of the negative log probability of what is true

    @property
    def prc(self) -> float:
        """The PRC to compare by."""
        return self.measure.prc

    @property
    def standard_error(self) -> float:
        """Of the PRC at the threshold taken."""
        precision = self.measure.precision
        error = np.sqrt(precision * (1 - precision) / self.measure.predictions)
        return float(error * self.measure.prc / precision)

    @classmethod
    def of(
        cls,
        probabilities: FloatArray,
        truth: IntArray,
        weights: FloatArray,
        scoring: ScoringParameters,
        *,
        values: int,
    ) -> Self:
        """Measure class probabilities of rows."""
        rows = np.arange(len(truth))
        best = probabilities[:, :values].argmax(axis=1)
        curve = weighted_curve(probabilities[rows, best], best == truth, weights)
        likelihood = np.maximum(probabilities[rows, truth], _LEAST_PROBABILITY)
        return cls(
            measure=best_measure(curve, scoring),
            log_loss=float(-np.average(np.log(likelihood), weights=weights)),
        )


def weighted_curve(
    scores: FloatArray, correct: BoolArray, weights: FloatArray
) -> PrecisionRecallCurve:
    """Count weighted predictions as if they were so many targets as they are worth."""
    kept = weights > 0
    scores, correct, weights = scores[kept], correct[kept], weights[kept]
    if np.all(weights == weights[0]):
        return precision_recall_curve(scores, correct, max_thresholds=_MAX_THRESHOLDS)
    worth = weights * (weights.sum() / np.square(weights).sum())
    order = np.argsort(-scores, kind="stable")
    made, right = np.cumsum(worth[order]), np.cumsum((worth * correct)[order])
    last = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    # Whole numbers: of thresholds whose counts round alike, the last one stays.
    counts = np.maximum(1, np.rint(made[last])).astype(np.int64)
    thin = np.append(np.flatnonzero(np.diff(counts)), len(counts) - 1)
    if len(thin) > _MAX_THRESHOLDS:
        wanted = np.geomspace(1, len(thin), _MAX_THRESHOLDS).astype(np.int64) - 1
        thin = thin[np.unique(np.append(wanted, len(thin) - 1))]
    counts, last = counts[thin], last[thin]
    return PrecisionRecallCurve(
        thresholds=scores[order][last],
        predictions=counts,
        true_predictions=np.minimum(counts, np.rint(right[last]).astype(np.int64)),
        attempts=int(counts[-1]),
    )
