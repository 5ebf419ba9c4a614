"""Curves with fewer thresholds, so that hundreds of them fit into one document."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from alc_core.assessment.result import Assessment
from alc_core.scoring.curves import PrecisionRecallCurve
from alc_core.scoring.measuring import Measure

MOST_POINTS, FEWEST_POINTS = 120, 14
"""Thresholds drawn of a curve where there are few charts, and where there are many."""

_POINTS_OF_ALL = 7_000
"""Thresholds of one side that all charts of a document share."""


def points_per_curve(charts: int) -> int:
    """Return how many thresholds are drawn of each curve in a document.

    Examples
    --------
    >>> points_per_curve(3), points_per_curve(200), points_per_curve(500)
    (120, 35, 14)
    """
    return int(np.clip(_POINTS_OF_ALL // max(charts, 1), FEWEST_POINTS, MOST_POINTS))


def thinned(assessment: Assessment, points: int) -> Assessment:
    """Return an assessment whose curves have few thresholds, for drawing only."""
    outcomes = assessment.outcomes
    drawn = replace(
        assessment,
        outcomes=replace(
            outcomes,
            attack=_thinned(outcomes.attack, points, assessment.attack),
            baseline=_thinned(outcomes.baseline, points, assessment.baseline),
        ),
    )
    drawn.__dict__["points"] = assessment.points
    return drawn


def _thinned(curve: PrecisionRecallCurve, points: int, *chosen: Measure) -> PrecisionRecallCurve:
    """Keep few thresholds, among them those on both sides of the chosen points."""
    made = curve.predictions
    if len(made) <= points:
        return curve
    even = np.geomspace(made[0], made[-1], points)
    right = np.clip(np.searchsorted(made, even), 1, len(made) - 1)
    nearer = even - made[right - 1] < made[right] - even
    counted = np.searchsorted(made, [measure.predictions for measure in chosen])
    kept = (np.where(nearer, right - 1, right), counted, np.maximum(counted - 1, 0))
    keep = np.unique(np.concatenate([*kept, [0, len(made) - 1]]))
    return replace(
        curve,
        thresholds=curve.thresholds[keep],
        predictions=made[keep],
        true_predictions=curve.true_predictions[keep],
    )
