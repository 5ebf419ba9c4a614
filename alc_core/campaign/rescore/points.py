"""The best point of every curve of a campaign, measured."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from alc_core.campaign.file.curve_table import CurveTable, FlatCurves
from alc_core.campaign.rescore.interval_transfer import normal_quantile
from alc_core.scoring.measuring import expected_true, measure_counts
from alc_core.scoring.parameters import ScoringParameters

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestPoints:
    """The best point of each attack's curve, or of each baseline's.

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
        curves.recall_scale, normal_quantile(scoring.confidence), scoring.precision_cap,
        float(scoring.alpha), scoring.r_min, table,
    )  # fmt: skip
    return _measured(curves, side.predictions[chosen], side.true_predictions[chosen], scoring)


def points_alike(
    curves: CurveTable, predictions: IntArray, scoring: ScoringParameters
) -> BestPoints:
    """Measure each baseline where it makes a number of predictions, as :func:`measure_at` does."""
    side = curves.baseline
    if not len(curves):
        return _measured(curves, predictions, predictions, scoring)
    # One ascending sequence of all curves, so that a single search finds every place.
    offset = np.int64(2**32) * np.arange(len(curves))
    made, right = side.predictions.astype(np.int64), side.true_predictions.astype(np.int64)
    place = np.searchsorted(np.repeat(offset, np.diff(side.starts)) + made, offset + predictions)
    first = place == side.starts[:-1]
    ends = [[np.where(first, 0, each[place - 1]), each[place]] for each in (made, right)]
    return _measured(curves, predictions, expected_true(predictions, *ends), scoring)


def _measured(
    curves: CurveTable,
    predictions: NDArray[np.integer],
    true_predictions: NDArray[np.integer],
    scoring: ScoringParameters,
) -> BestPoints:
    made, right = predictions.astype(np.int64), true_predictions.astype(np.int64)
    recall = made / curves.attempts * curves.recall_scale
    measures = measure_counts(made, right, recall, scoring)
    return BestPoints(
        prc=measures.prc,
        precision=measures.precision,
        precision_low=measures.lower,
        precision_high=measures.upper,
        measured_precision=measures.measured_precision,
        recall=recall,
        predictions=made,
        true_predictions=right,
    )
