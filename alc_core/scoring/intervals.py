"""Intervals of shares and differences, standard errors, sample sizes."""

from __future__ import annotations

import math
from functools import partial
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.arrays import FloatArray
from alc_core.errors import ParameterError
from alc_core.parameter import Parameter
from alc_core.scoring.formulas import attack_prc_for_loss, on_scale, prc
from alc_core.scoring.parameters import CONFIDENCE, LossKind, ScoringParameters


def wilson_interval(
    successes: ArrayLike, trials: ArrayLike, *, confidence: float = 0.95
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the Wilson score interval of successes / trials.

    Parameters
    ----------
    successes, trials : array-like of the same shape
        Counts.
    confidence : float, default 0.95
        Coverage, between 0 and 1.

    Returns
    -------
    lower, upper : ndarray
        Bounds in [0, 1]; 0 and 1 without trials.

    Raises
    ------
    ParameterError
        If confidence is out of bounds, or successes exceed trials.

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
    count = np.asarray(successes, dtype=np.float64)
    nobs = np.asarray(trials, dtype=np.float64)
    if (beyond := (count < 0) | (count > nobs)).any():
        worst = int(np.argmax(beyond))
        raise ParameterError(
            f"There cannot be {count.flat[worst]:g} successes in {nobs.flat[worst]:g} trials. "
            "Give successes, then trials."
        )
    empty = nobs == 0
    made = np.where(empty, 1.0, nobs)
    share, quantile = count / made, normal_quantile(confidence)
    square = quantile**2
    whole = 1 + square / made
    centre = (share + square / (2 * made)) / whole
    reach = quantile * np.sqrt(share * (1.0 - share) / made + square / (4.0 * made**2)) / whole
    # Exactly 0 or 1 without a success or failure; rounding must not rank them
    return np.where(empty | (count == 0), 0.0, np.clip(centre - reach, 0.0, 1.0)), np.where(
        empty | (count == nobs), 1.0, np.clip(centre + reach, 0.0, 1.0)
    )


def difference_interval(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> tuple[float, float]:
    """Return the interval of a difference of independent estimates.

    Each bound's distance is the root of the summed squares of its two distances (MOVER).

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
    """Return the half width of a normal interval in standard errors."""
    from scipy.special import ndtri

    return float(-ndtri((1.0 - confidence) / 2.0))


def mean_reach(deviations: FloatArray, units: NDArray[np.int64], confidence: float = 0.95) -> float:
    """Return the half width of a mean's normal interval.

    Parameters
    ----------
    deviations : ndarray of shape (n_targets,)
        From the mean, or parts in an estimate's error to first order.
    units : ndarray of int of shape (n_targets,)
        Targets of one unit are dependent.
    confidence : float, default 0.95
        Coverage.
    """
    sums = np.bincount(np.unique(units, return_inverse=True)[1], weights=deviations)
    return normal_quantile(confidence) * float(np.sqrt((sums**2).sum())) / len(deviations)


def prc_variance(
    predictions: NDArray[np.integer],
    true_predictions: NDArray[np.integer],
    *,
    attempts: NDArray[np.integer],
    recall_scale: FloatArray,
    scoring: ScoringParameters,
) -> FloatArray:
    """Return the variance of the PRC at fixed thresholds, by the delta method."""
    square = normal_quantile(scoring.confidence) ** 2
    true_share, share = true_predictions / attempts, predictions / attempts
    total = predictions + square
    midpoint = (true_predictions + square / 2.0) / total
    capped = midpoint >= scoring.precision_cap
    precision = np.minimum(midpoint, scoring.precision_cap)
    recall = share * recall_scale
    # At recall 1 the slope may be infinite, but nothing varies
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
    """Return the standard error of ALC on :func:`on_scale`."""
    if kind == "absolute":
        return np.sqrt(attack[1] + baseline[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = [variance / (1.0 - prc) ** 2 for prc, variance in (attack, baseline)]
    error: FloatArray = np.sqrt(parts[0] + parts[1])
    return error


NEAR_SAFE = 0.4  # A loss to distinguish from `at_risk`
_MANY = 10_000_000  # So many people that counts act like shares

_share = partial(Parameter, low=0, high=1, low_open=True, title="", help="", default=0.5)
_POWER = _share(name="power", high_open=True)


def targets_to_tell(
    guess: float,
    *,
    recall: float = 1.0,
    loss: float = NEAR_SAFE,
    power: float = 0.8,
    scoring: ScoringParameters = ScoringParameters(),  # noqa: B008 - frozen
) -> int:
    """Return the number of targets needed to distinguish a loss from `at_risk`.

    The interval of ALC then lies on one side of the limit with probability `power`.

    Parameters
    ----------
    guess : float
        The baseline's precision at the attack's recall, in (0, 1).
    recall : float, default 1
        Share of targets the attack answers for.
    loss : float, default 0.4
        True ALC, not the limit itself.
    power : float, default 0.8
        In (0, 1).
    scoring : ScoringParameters, optional

    Returns
    -------
    int

    Raises
    ------
    ParameterError
        If a share is out of bounds, the loss is the limit, or no precision gives it.

    Notes
    -----
    Delta method on -log(1 - ALC), independent attack and baseline, known threshold. An attack whose
    precision rises with its score needs some more.

    References
    ----------
    Francis and Wagner (2025), sections 3.5 and 4.2.

    Examples
    --------
    >>> targets_to_tell(0.5), targets_to_tell(0.5, recall=0.1)
    (788, 7336)
    """
    _POWER.check(power)
    _share(name="guess", high_open=True).check(guess)
    _share(name="recall").check(recall)
    if loss == scoring.at_risk:
        raise ParameterError(f"A loss of {loss} is the limit itself.")
    scores = partial(prc, recall=recall, alpha=scoring.alpha, r_min=scoring.r_min)
    baseline = scores(guess)
    attack = cast(float, attack_prc_for_loss(loss, baseline, kind=scoring.loss))
    precision = attack / scores(1.0)
    if not 0 < precision <= scoring.precision_cap:
        raise ParameterError(
            f"No attack reaches ALC {loss} over a baseline of precision {guess:.0%} at recall "
            f"{recall}: that takes precision {precision:.0%}."
        )
    made = np.array([round(_MANY * recall)])
    sides = [
        (
            np.array([value]),
            _MANY
            * prc_variance(
                made,
                np.rint(made * share).astype(np.int64),
                attempts=np.array([_MANY]),
                recall_scale=np.ones(1),
                scoring=scoring,
            ),
        )
        for value, share in ((attack, precision), (baseline, guess))
    ]
    error = float(loss_standard_error(*sides, kind=scoring.loss)[0])
    ends = on_scale(np.array([loss, scoring.at_risk]), scoring.loss)
    quantiles = normal_quantile(scoring.confidence) + normal_quantile(2 * power - 1)
    return math.ceil((quantiles * error / float(np.ptp(ends))) ** 2)
