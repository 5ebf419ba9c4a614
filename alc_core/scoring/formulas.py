"""PRC and anonymity loss, with inverses for curves.

Functions broadcast, and return a float for scalars.

*Recall* is ALC's: the share of attempts with a prediction (coverage), not TP / (TP + FN).
"""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from alc_core.arrays import FloatArray
from alc_core.errors import ParameterError
from alc_core.scoring.parameters import ALPHA, LOSS, R_MIN, LossKind


def check_prc_parameters(alpha: float, r_min: float) -> None:
    """Raise unless alpha is positive and finite, and r_min in (0, 1)."""
    ALPHA.check(alpha)
    R_MIN.check(r_min)


@overload
def prc(precision: float, recall: float, *, alpha: float = ..., r_min: float = ...) -> float: ...
@overload
def prc(
    precision: ArrayLike, recall: ArrayLike, *, alpha: float = ..., r_min: float = ...
) -> FloatArray: ...
def prc(
    precision: ArrayLike,
    recall: ArrayLike,
    *,
    alpha: float = ALPHA.default,
    r_min: float = R_MIN.default,
) -> float | FloatArray:
    """Combine precision and recall into the precision-recall coefficient.

    Parameters
    ----------
    precision, recall : array-like
        Values in [0, 1]. NaN gives NaN.
    alpha : float, default 3
        Sharpness of the knee: the larger, the later low recall counts.
    r_min : float, default 1e-4
        Recall at and below which precision has no effect.

    Returns
    -------
    float or ndarray
        Values in [0, 1]. Never decreasing in precision; in recall never decreasing above `r_min`
        (the definition has a step of height `r_min` there).

    Raises
    ------
    ParameterError
        If a value is out of bounds.

    References
    ----------
    Francis and Wagner (2025), section 4.1, equation 6.

    Examples
    --------
    >>> round(prc(0.9, 0.01), 4)
    0.7875
    """
    check_prc_parameters(alpha, r_min)
    p = unit_interval("precision", precision)
    r = unit_interval("recall", recall)
    return scalar_or_array(np.where(r > r_min, recall_weight(r, alpha, r_min) * p, r + 0.0 * p))


def recall_weight(recall: FloatArray, alpha: float, r_min: float) -> FloatArray:
    """Return equation 6's factor of recall on precision (0 at and below r_min)."""
    clipped = np.clip(recall, r_min, 1.0)
    weight: FloatArray = 1.0 - (np.log10(clipped) / np.log10(r_min)) ** alpha
    return weight


def precision_for_prc(
    prc_value: ArrayLike,
    recall: ArrayLike,
    *,
    alpha: float = ALPHA.default,
    r_min: float = R_MIN.default,
) -> float | FloatArray:
    """Return the precision that gives a PRC at a recall.

    Parameters
    ----------
    prc_value, recall : array-like
        Values in [0, 1].
    alpha, r_min : float
        As in :func:`prc`.

    Returns
    -------
    float or ndarray
        NaN where no precision up to 1 reaches the PRC, and at or below `r_min`.

    Examples
    --------
    >>> round(precision_for_prc(0.5, 0.02328, alpha=2), 3)
    0.6
    """
    check_prc_parameters(alpha, r_min)
    value = unit_interval("prc_value", prc_value)
    r = unit_interval("recall", recall)
    weight = recall_weight(r, alpha, r_min)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = value / weight
    return scalar_or_array(np.where((weight > 0) & (p <= 1.0 + 1e-12), np.minimum(p, 1.0), np.nan))


def recall_for_prc(
    prc_value: ArrayLike,
    precision: ArrayLike,
    *,
    alpha: float = ALPHA.default,
    r_min: float = R_MIN.default,
) -> float | FloatArray:
    """Return the recall above `r_min` that gives a PRC at a precision.

    Parameters
    ----------
    prc_value, precision : array-like
        Values in [0, 1].
    alpha, r_min : float
        As in :func:`prc`.

    Returns
    -------
    float or ndarray
        NaN where the precision is 0 or below the PRC.

    Examples
    --------
    >>> round(recall_for_prc(0.5, 0.9), 3)
    0.001
    """
    check_prc_parameters(alpha, r_min)
    value = unit_interval("prc_value", prc_value)
    p = unit_interval("precision", precision)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = 1.0 - value / p
    reachable = (p > 0) & (share >= 0)
    exponent = np.where(reachable, share, 0.0) ** (1.0 / alpha)
    return scalar_or_array(np.where(reachable, r_min**exponent, np.nan))


@overload
def anonymity_loss(prc_attack: float, prc_baseline: float, *, kind: LossKind = ...) -> float: ...
@overload
def anonymity_loss(
    prc_attack: ArrayLike, prc_baseline: ArrayLike, *, kind: LossKind = ...
) -> FloatArray: ...
def anonymity_loss(
    prc_attack: ArrayLike, prc_baseline: ArrayLike, *, kind: LossKind = "relative"
) -> float | FloatArray:
    """Return the anonymity loss of an attack over its baseline.

    Parameters
    ----------
    prc_attack, prc_baseline : array-like
        Values in [0, 1].
    kind : {"relative", "absolute"}, default "relative"
        Relative: divided by what the baseline leaves to learn.

    Returns
    -------
    float or ndarray
        At most 1; relative: not bounded below. For a perfect baseline 0 if the attack is perfect,
        else minus infinity.

    Raises
    ------
    ParameterError
        If a PRC is outside [0, 1] or the kind is unknown.

    References
    ----------
    Francis and Wagner (2025), section 4.2, equations 7 and 8.

    Examples
    --------
    >>> round(anonymity_loss(0.95, 0.75), 4), round(anonymity_loss(0.95, 0.75, kind="absolute"), 4)
    (0.8, 0.2)
    """
    LOSS.check(kind)
    attack = unit_interval("prc_attack", prc_attack)
    baseline = unit_interval("prc_baseline", prc_baseline)
    difference = attack - baseline
    if kind == "absolute":
        return scalar_or_array(difference)
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = difference / (1.0 - baseline)
    return scalar_or_array(np.where((baseline == 1.0) & (attack == 1.0), 0.0, relative))


def on_scale(loss: FloatArray, kind: LossKind) -> FloatArray:
    """Return losses on a scale with uniform errors: -log(1 - ALC) if relative.

    1 - ALC is the ratio of what attack and baseline leave to learn; its logarithm is a difference.
    """
    with np.errstate(divide="ignore"):
        return loss if kind == "absolute" else -np.log1p(-loss)


def off_scale(scaled: FloatArray, kind: LossKind) -> FloatArray:
    """Undo :func:`on_scale`."""
    with np.errstate(over="ignore"):
        return scaled if kind == "absolute" else -np.expm1(-scaled)


def attack_prc_for_loss(
    loss: ArrayLike, prc_baseline: ArrayLike, *, kind: LossKind = "relative"
) -> float | FloatArray:
    """Return the attack's PRC that gives an anonymity loss.

    Parameters
    ----------
    loss : array-like
        At most 1.
    prc_baseline : array-like
        Values in [0, 1].
    kind : {"relative", "absolute"}
        As in :func:`anonymity_loss`.

    Returns
    -------
    float or ndarray
        NaN outside [0, 1].

    Examples
    --------
    >>> round(attack_prc_for_loss(0.5, 0.8), 3)
    0.9
    """
    LOSS.check(kind)
    target = np.asarray(loss, dtype=np.float64)
    if np.any(target > 1):
        raise ParameterError(f"loss is at most 1, but reaches {np.nanmax(target)}.")
    baseline = unit_interval("prc_baseline", prc_baseline)
    scale = 1.0 if kind == "absolute" else 1.0 - baseline
    attack = baseline + target * scale
    inside = (attack >= -1e-12) & (attack <= 1 + 1e-12)
    return scalar_or_array(np.where(inside, np.clip(attack, 0.0, 1.0), np.nan))


def unit_interval(name: str, values: ArrayLike) -> FloatArray:
    """Return values as an array; refuse those outside 0 to 1."""
    array = np.asarray(values, dtype=np.float64)
    outside = (array < 0) | (array > 1)
    if np.any(outside):
        worst = array[outside].flat[0]
        raise ParameterError(f"{name} must lie in [0, 1], but a value is {worst}.")
    return array


def scalar_or_array(values: FloatArray) -> float | FloatArray:
    """Return a float if there is no axis."""
    return float(values) if values.ndim == 0 else values
