"""The best point of every curve of a campaign, measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.campaign.file.curve_table import CurveTable, FlatCurves
from alc_core.scoring.curves import expected_true, measure_counts
from alc_core.scoring.intervals import normal_quantile, wilson_interval
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import few_left


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestPoints:
    """The best point of each attack's curve, or of each baseline's."""

    prc: FloatArray  # As in :class:`Measure`; the bounds are the Wilson interval's
    prc_low: FloatArray
    prc_high: FloatArray
    precision: FloatArray
    precision_low: FloatArray
    precision_high: FloatArray
    measured_precision: FloatArray
    recall: FloatArray
    predictions: IntArray  # Counts behind the measures
    true_predictions: IntArray


def measured_points(
    curves: CurveTable,
    side: FlatCurves,
    scoring: ScoringParameters,
    *,
    places: IntArray | None = None,
) -> tuple[BestPoints, IntArray]:
    """Choose each curve's best threshold and measure it in the steps of the definition.

    Return the points, and where they lie in `side`; of curves where `places` is not -1, there.
    """
    from alc_core.campaign.rescore.kernel import best_points

    chosen = best_points(
        *_walked(curves, side, scoring), np.full(len(curves), -1) if places is None else places
    )
    points = _measured(curves, side.predictions[chosen], side.true_predictions[chosen], scoring)
    return points, chosen


def highest_points(curves: CurveTable, side: FlatCurves, scoring: ScoringParameters) -> FloatArray:
    """Return :func:`highest_prc` of each curve, shape (2, n_curves)."""
    from alc_core.campaign.rescore.kernel import highest_prcs

    few = normal_quantile(scoring.confidence**2)
    found: FloatArray = highest_prcs(*_walked(curves, side, scoring), few)
    return found


def _walked(curves: CurveTable, side: FlatCurves, scoring: ScoringParameters) -> tuple[Any, ...]:
    """Return what kernels are given to walk along curves."""
    from alc_core.campaign.rescore.kernel import weight_table

    lowest = np.min(curves.recall_scale / curves.attempts, initial=1.0) / 2
    table = weight_table(max(scoring.r_min, lowest), alpha=scoring.alpha, r_min=scoring.r_min)
    return (
        side.predictions, side.true_predictions, side.starts, curves.attempts,
        curves.recall_scale, normal_quantile(scoring.confidence), scoring.precision_cap,
        float(scoring.alpha), scoring.r_min, table,
    )  # fmt: skip


def points_beyond(
    curves: CurveTable, predictions: IntArray, scoring: ScoringParameters
) -> BestPoints:
    """Measure each baseline where it predicts for some more than those it knows anyway.

    As :func:`measure_at` does.
    """
    side = curves.baseline
    if not len(curves):
        return _measured(curves, predictions, predictions, scoring)
    wanted = predictions + curves.known
    # One ascending sequence of all curves, so that a single search finds every place.
    offset = np.int64(2**32) * np.arange(len(curves))
    made, right = side.predictions.astype(np.int64), side.true_predictions.astype(np.int64)
    place = np.searchsorted(np.repeat(offset, np.diff(side.starts)) + made, offset + wanted)
    first = place == side.starts[:-1]
    ends = [[np.where(first, 0, each[place - 1]), each[place]] for each in (made, right)]
    right_among = expected_true(wanted, *ends) - curves.known_right
    return _measured(curves, predictions, right_among, scoring)


def none_left(curves: CurveTable, scoring: ScoringParameters) -> NDArray[np.bool_]:
    """Return which rests are too few to measure anything of, as :func:`nothing_left` says."""
    few = few_left(curves.attempts - curves.known, curves.attempts, scoring)
    for row in np.flatnonzero(few):
        points = slice(curves.rest.starts[row], curves.rest.starts[row + 1])
        low, high = wilson_interval(
            curves.rest.true_predictions[points],
            curves.rest.predictions[points],
            confidence=scoring.confidence,
        )
        few[row] = not (high - low <= scoring.max_interval_width).any()
    return few


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
        prc_low=measures.prc_low,
        prc_high=measures.prc_high,
        precision=measures.precision,
        precision_low=measures.lower,
        precision_high=measures.upper,
        measured_precision=measures.measured_precision,
        recall=recall,
        predictions=made,
        true_predictions=right,
    )
