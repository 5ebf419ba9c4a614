"""Whether a baseline does on the targets what it did when it was chosen."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from alc_core.baselines.folds import BaselinePredictions
from alc_core.phrasing import count, percent
from alc_core.scoring.curves import Measure, PrecisionRecallCurve

# Standard errors that a shortfall must exceed: the expected figure is the best of many
_CLEARLY = 3.5
_MATERIAL = 0.03  # A smaller difference in precision is not worth a note, however certain


def baseline_notes(
    predicted: Sequence[BaselinePredictions], measured: PrecisionRecallCurve
) -> tuple[str, ...]:
    """Say where a baseline is not the best one, lacks rows to learn from, or falls short.

    Precision is compared where the baseline predicts for as large a share of the targets as at its
    best point in cross-validation; at equal recall PRC is proportional to precision.
    """
    notes = [
        f"The baseline that did best in cross-validation ({name}) cannot be fitted on all rows; "
        "the next best that can is used."
        for name in dict.fromkeys(part.instead_of for part in predicted if part.instead_of)
    ]
    learned, rows = max((part.learned_rows, part.rows) for part in predicted)
    if learned < rows:
        notes.append(
            f"The baseline learned from {count(learned)} of {count(rows)} rows, drawn at random, "
            "while attacks read more of the release. With more rows it may be better, and the ALC "
            "lower: raise max_training_rows (--baseline-rows)."
        )
    if note := _shortfall(predicted, measured):
        notes.append(note)
    return tuple(notes)


def _shortfall(predicted: Sequence[BaselinePredictions], curve: PrecisionRecallCurve) -> str:
    """Say that precision is clearly lower than in cross-validation; empty where it is not.

    The models' points are pooled by the targets that each has predicted.
    """
    targets: dict[Measure, int] = {}
    for part in predicted:
        if part.expected is None:
            return ""
        targets[part.expected] = targets.get(part.expected, 0) + len(part.values)
    parts = {point: n * point.predictions / point.attempts for point, n in targets.items()}
    total = sum(parts.values())
    share = total / sum(targets.values())
    expected = (
        sum(n * point.true_predictions / point.predictions for point, n in parts.items()) / total
    )
    variance = sum(
        (n / total) ** 2 * _variance(point.true_predictions, point.predictions)
        for point, n in parts.items()
    )
    made = max(1, round(share * curve.attempts))
    right = _right_among(curve, made)
    error = math.sqrt(variance + _variance(right, made))
    if expected - right / made <= max(_MATERIAL, _CLEARLY * error):
        return ""
    return (
        f"The baseline falls short: in cross-validation it was right in {percent(expected)} of its "
        f"surest {percent(share)} of predictions, on the targets in {percent(right / made)}. A "
        "better baseline would lower the ALC."
    )


def _right_among(curve: PrecisionRecallCurve, made: int) -> float:
    """Return how many of the surest predictions are right, of equal scores the mean share."""
    counts = np.append(0, curve.predictions), np.append(0, curve.true_predictions)
    return float(np.interp(made, *counts))


def _variance(right: float, made: float) -> float:
    """Return the variance of a precision, by Agresti and Coull (1998): never 0."""
    precision = (right + 2) / (made + 4)
    return precision * (1 - precision) / (made + 4)
