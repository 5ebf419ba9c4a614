"""The best point of every curve of a campaign, measured."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from alc_core.campaign.file.curve_table import CurveTable, FlatCurves
from alc_core.campaign.rescore.interval_transfer import normal_quantile
from alc_core.scoring.curves import measure_counts
from alc_core.scoring.parameters import ScoringParameters

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestPoints:
    """The best point of each attack's curve, or of each baseline's.

    Where no threshold is significant the numbers are NaN and the counts 0.

    Attributes
    ----------
    prc, precision, precision_low, precision_high, measured_precision, recall : ndarray of shape \
(n_attacks,)
        As in :class:`Measure`; the bounds are the Wilson interval's.
    predictions, true_predictions : ndarray of int64 of shape (n_attacks,)
        Counts behind the measures.
    """

    prc: FloatArray
    precision: FloatArray
    precision_low: FloatArray
    precision_high: FloatArray
    measured_precision: FloatArray
    recall: FloatArray
    predictions: IntArray
    true_predictions: IntArray

    def only(self, kept: NDArray[np.bool_]) -> BestPoints:
        """Return the points of some attacks."""
        return BestPoints(**{each.name: getattr(self, each.name)[kept] for each in fields(self)})


def measured_points(curves: CurveTable, side: FlatCurves, scoring: ScoringParameters) -> BestPoints:
    """Choose each curve's best threshold and measure it in the steps of the definition."""
    from alc_core.campaign.rescore.kernel import best_points, weight_table

    lowest = np.min(curves.recall_scale / curves.attempts, initial=1.0) / 2
    table = weight_table(max(scoring.r_min, lowest), alpha=scoring.alpha, r_min=scoring.r_min)
    chosen = best_points(
        side.predictions, side.true_predictions, side.starts, curves.attempts,
        curves.recall_scale, normal_quantile(scoring.confidence), scoring.max_interval_width,
        float(scoring.alpha), scoring.r_min, table,
    )  # fmt: skip
    found = chosen >= 0
    predictions = np.where(found, side.predictions[chosen], 0).astype(np.int64)
    true_predictions = np.where(found, side.true_predictions[chosen], 0).astype(np.int64)
    recall = predictions / curves.attempts * curves.recall_scale
    measures = measure_counts(predictions, true_predictions, recall, scoring)
    return BestPoints(
        prc=np.where(found, measures.prc, np.nan),
        precision=np.where(found, measures.precision, np.nan),
        precision_low=np.where(found, measures.lower, np.nan),
        precision_high=np.where(found, measures.upper, np.nan),
        measured_precision=np.where(found, measures.measured_precision, np.nan),
        recall=np.where(found, recall, np.nan),
        predictions=predictions,
        true_predictions=true_predictions,
    )
