"""The F-beta score, with its inverse for drawing curves; the paper shows it for contrast."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from alc_core.errors import ParameterError
from alc_core.scoring.formulas import FloatArray, scalar_or_array, unit_interval


def f_beta(precision: ArrayLike, recall: ArrayLike, *, beta: float = 1.0) -> float | FloatArray:
    """Return the F-beta score, which the paper draws for contrast with the PRC.

    Parameters
    ----------
    precision, recall : array-like
        Values in [0, 1].
    beta : float, default 1
        Weight of recall against precision, positive.

    Returns
    -------
    float or ndarray
        Values in [0, 1]; 0 where both inputs are 0.

    References
    ----------
    Francis and Wagner (2025), appendix D, equation 10.

    Examples
    --------
    >>> f_beta(0.5, 1.0)
    0.6666666666666666
    """
    if not (np.isfinite(beta) and beta > 0):
        raise ParameterError(f"beta must be a positive number, but is {beta}.")
    p = unit_interval("precision", precision)
    r = unit_interval("recall", recall)
    numerator = (1.0 + beta**2) * p * r
    denominator = beta**2 * p + r
    with np.errstate(divide="ignore", invalid="ignore"):
        score = numerator / denominator
    return scalar_or_array(np.where(denominator == 0, 0.0, score))


def precision_for_f_beta(
    score: ArrayLike, recall: ArrayLike, *, beta: float = 1.0
) -> float | FloatArray:
    """Return the precision that gives an F-beta at a recall: a point of an equal-F curve.

    Examples
    --------
    >>> round(precision_for_f_beta(0.5, 1.0), 4)
    0.3333
    """
    f = unit_interval("score", score)
    r = unit_interval("recall", recall)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = f * r / ((1.0 + beta**2) * r - f * beta**2)
    return scalar_or_array(np.where((p > 0) & (p <= 1.0 + 1e-12), np.minimum(p, 1.0), np.nan))
