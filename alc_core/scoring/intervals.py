"""Confidence intervals: of a share, of a difference, and standard errors by the delta method."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.arrays import FloatArray
from alc_core.errors import ParameterError
from alc_core.scoring.parameters import CONFIDENCE, LossKind, ScoringParameters


def wilson_interval(
    successes: ArrayLike, trials: ArrayLike, *, confidence: float = 0.95
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the Wilson score interval of successes / trials.

    Parameters
    ----------
    successes, trials : array-like of the same shape
        Counts, successes at most trials.
    confidence : float, default 0.95
        Coverage, between 0 and 1.

    Returns
    -------
    lower, upper : ndarray
        Bounds in [0, 1]; where there are no trials they are 0 and 1: nothing is known.

    Raises
    ------
    ParameterError
        If the confidence is out of bounds, or there are more successes than trials.

    References
    ----------
    Wilson (1927); Francis and Wagner (2025), section 3.5.

    Examples
    --------
    >>> lower, upper = wilson_interval(90, 100)
    >>> round(float(lower), 4), round(float(upper), 4)
    (0.8256, 0.9448)
    """
    CONFIDENCE.check(confidence)
    from statsmodels.stats.proportion import proportion_confint

    count = np.asarray(successes, dtype=np.float64)
    nobs = np.asarray(trials, dtype=np.float64)
    if (beyond := (count < 0) | (count > nobs)).any():
        worst = int(np.argmax(beyond))
        raise ParameterError(
            f"There cannot be {count.flat[worst]:g} successes in {nobs.flat[worst]:g} trials. "
            "Give successes first, then trials, of the same shape."
        )
    empty = nobs == 0
    lower, upper = proportion_confint(
        count, np.where(empty, 1.0, nobs), alpha=1.0 - confidence, method="wilson"
    )
    # Without a success, or a failure, a bound is 0 or 1; rounding must not rank such intervals.
    return np.where(empty | (count == 0), 0.0, np.clip(lower, 0.0, 1.0)), np.where(
        empty | (count == nobs), 1.0, np.clip(upper, 0.0, 1.0)
    )


def difference_interval(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> tuple[float, float]:
    """Return the interval of first minus second from theirs, as if they were independent.

    The distance to a bound is the root of the sum of squares of the two distances that push it
    there (MOVER).

    References
    ----------
    Newcombe (1998); Zou and Donner (2008), Construction of confidence limits about effect measures.

    Examples
    --------
    >>> low, high = difference_interval((0.6, 0.5, 0.7), (0.2, 0.1, 0.3))
    >>> round(low, 3), round(high, 3)
    (0.259, 0.541)
    """
    (value, low, high), (other, other_low, other_high) = first, second
    difference = value - other
    return (
        difference - math.hypot(value - low, other_high - other),
        difference + math.hypot(high - value, other - other_low),
    )


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
