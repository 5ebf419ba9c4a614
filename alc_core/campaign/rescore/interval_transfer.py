"""Intervals of ALC approximated for another scoring than the run's, without a new bootstrap.

The interval of an assessment is a bootstrap over its targets. Here a standard error of ALC by the
delta method is computed at both scorings, and the interval of the run, measured in that error, is
laid around the new ALC.

How good that is was measured against the bootstrap on 80 assessments of the demos and of the Adult
census data (releases of which 0 to 100 % are verbatim originals, best row match and the model
attack), from the default scoring to 16 others: alpha 1 to 8, R_min 1e-2 to 1e-5, confidence 0.8 to
0.99, widest interval 0.05 and 0.2, absolute loss. Errors of a bound are in widths of the exact
interval.

============================== ====== =============== ==============
changed                        median 95th percentile same verdict
============================== ====== =============== ==============
alpha and R_min                  0.10            2.02         95.3 %
confidence                       0.10            0.99         95.8 %
widest interval                  0.26            1.68         89.4 %
absolute loss                    0.06            0.42        100.0 %
============================== ====== =============== ==============

All these releases lie near a limit or leave little to learn, so that verdicts depend on the
interval. No harmless verdict became one that is flagged, or the other way round: all that differs
is what is undecided, and whether an attack at risk may be serious. The remaining error comes mostly
from the choice of the threshold, which moves under another scoring, and from the correlation of
attack and baseline, which are right about the same people at high recall.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from alc_core.scoring.formulas import off_scale, on_scale
from alc_core.scoring.parameters import LossKind, ScoringParameters

FloatArray = NDArray[np.float64]

_NEARLY_SURE = 1e-9
"""Standard errors below it come from counts that cannot vary, and are no unit to measure in."""


class Estimate(NamedTuple):
    """ALC of many attacks with its standard error, see :func:`loss_standard_error`."""

    alc: FloatArray
    standard_error: FloatArray
    scoring: ScoringParameters


def normal_quantile(confidence: float) -> float:
    """Return how many standard errors an interval of a normal estimate reaches to either side."""
    from scipy.special import ndtri

    # In the steps of statsmodels, so that Wilson intervals agree to the last bit.
    return float(-ndtri((1.0 - confidence) / 2.0))


def prc_variance(
    predictions: NDArray[np.integer],
    true_predictions: NDArray[np.integer],
    *,
    attempts: NDArray[np.integer],
    recall_scale: FloatArray,
    scoring: ScoringParameters,
) -> FloatArray:
    """Return the variance of the PRC at given thresholds, by the delta method."""
    square = normal_quantile(scoring.confidence) ** 2
    true_share, share = true_predictions / attempts, predictions / attempts
    total = predictions + square
    midpoint = (true_predictions + square / 2.0) / total
    capped = midpoint >= scoring.precision_cap
    precision = np.minimum(midpoint, scoring.precision_cap)
    recall = share * recall_scale
    # At recall 1 the slope may be infinite, but nothing varies there.
    position = np.log(np.clip(recall, scoring.r_min, 1.0)) / np.log(scoring.r_min)
    position = np.maximum(position, 1e-12)
    counts = recall > scoring.r_min
    weight = np.where(counts, 1.0 - position**scoring.alpha, 0.0)
    slope = scoring.alpha * position ** (scoring.alpha - 1.0) / -np.log(scoring.r_min)
    by_true = np.where(capped, 0.0, weight / total)
    by_made = (slope / np.maximum(predictions, 1) - by_true) * precision
    by_made = np.where(counts, by_made, recall_scale / attempts)
    variance = (
        by_true**2 * true_share * (1.0 - true_share)
        + 2.0 * by_true * by_made * true_share * (1.0 - share)
        + by_made**2 * share * (1.0 - share)
    )
    floored: FloatArray = np.maximum(variance * attempts, 0.0)
    return floored


def loss_standard_error(
    attack: tuple[FloatArray, FloatArray],
    baseline: tuple[FloatArray, FloatArray],
    *,
    kind: LossKind,
) -> FloatArray:
    """Return the standard error of ALC on the scale of :func:`on_scale`."""
    if kind == "absolute":
        return np.sqrt(attack[1] + baseline[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = [variance / (1.0 - prc) ** 2 for prc, variance in (attack, baseline)]
    error: FloatArray = np.sqrt(parts[0] + parts[1])
    return error


def approximate_interval(
    run: Estimate, now: Estimate, *, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Approximate the intervals at one scoring from those at another."""
    lengths = run.standard_error * normal_quantile(run.scoring.confidence)
    new_lengths = now.standard_error * normal_quantile(now.scoring.confidence)
    center = on_scale(run.alc, run.scoring.loss)
    new_center = on_scale(now.alc, now.scoring.loss)
    bounds = []
    for bound in (low, high):
        toward = -1.0 if bound is low else 1.0
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            relative = (on_scale(bound, run.scoring.loss) - center) / lengths
            plain = (run.standard_error < _NEARLY_SURE) | ~np.isfinite(relative)
            moved = new_center + np.where(plain, toward, relative) * new_lengths
        found = off_scale(moved, now.scoring.loss)
        if now.scoring.loss == "absolute":
            found = np.clip(found, -1.0, 1.0)
        bounds.append(np.where(np.isnan(found), now.alc, found))
    return bounds[0], bounds[1]
