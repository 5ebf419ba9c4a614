"""Verdicts of many attacks as codes in an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int8]

TOO_FEW_TARGETS = "too few targets"
"""Stands where a verdict would: no threshold has an interval as narrow as asked for."""

OUTCOMES: tuple[str, ...] = (*map(str, Verdict), TOO_FEW_TARGETS)
"""What codes stand for: the verdicts in their order, then :data:`TOO_FEW_TARGETS`."""


def code_of(outcome: str) -> int:
    """Return the code of a verdict or of :data:`TOO_FEW_TARGETS`.

    Examples
    --------
    >>> [code_of(outcome) for outcome in ("no loss", Verdict.SERIOUS, TOO_FEW_TARGETS)]
    [0, 3, 5]
    """
    return OUTCOMES.index(outcome)


def decide_all(
    losses: FloatArray, intervals: tuple[FloatArray, FloatArray], scoring: ScoringParameters
) -> CodeArray:
    """Return the code of each verdict of :func:`decide`; NaN has too few targets.

    Parameters
    ----------
    losses : ndarray of shape (n_attacks,)
        ALC.
    intervals : tuple of two ndarrays of shape (n_attacks,)
        Lower and upper bounds.
    scoring : ScoringParameters
        Holds the limits.

    Returns
    -------
    ndarray of int8 of shape (n_attacks,)
        Codes of :data:`OUTCOMES`.
    """
    low, high = (_classified(bounds, scoring) for bounds in intervals)
    straddled = (low != high) & (np.maximum(low, high) > code_of(Verdict.SAFE))
    codes = np.where(straddled, code_of(Verdict.UNDECIDED), _classified(losses, scoring))
    return np.where(np.isnan(losses), code_of(TOO_FEW_TARGETS), codes).astype(np.int8)


def _classified(losses: FloatArray, scoring: ScoringParameters) -> CodeArray:
    """Return the codes of :func:`classify`."""
    limits = [np.nextafter(0.0, 1.0), scoring.at_risk, scoring.serious]
    return np.searchsorted(limits, losses, side="right").astype(np.int8)
