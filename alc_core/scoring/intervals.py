"""Confidence intervals: of a share, from statsmodels, and of a difference."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.errors import ParameterError
from alc_core.scoring.parameters import CONFIDENCE


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
