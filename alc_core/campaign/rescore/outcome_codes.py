"""Verdicts of many attacks as codes in an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import SEVERITY, Verdict

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int8]

OUTCOMES: tuple[str, ...] = tuple(map(str, Verdict))
"""What codes stand for: the verdicts in their order."""

_SEVERITY_OF = np.array([SEVERITY.index(verdict) for verdict in Verdict], dtype=np.int8)


def code_of(outcome: str) -> int:
    """Return the code of a verdict.

    Examples
    --------
    >>> [code_of(outcome) for outcome in ("no loss", Verdict.SERIOUS)]
    [0, 3]
    """
    return OUTCOMES.index(outcome)


def decide_all(
    losses: FloatArray, intervals: tuple[FloatArray, FloatArray], scoring: ScoringParameters
) -> CodeArray:
    """Return the code of each verdict of :func:`decide`."""
    low, high = (_classified(bounds, scoring) for bounds in intervals)
    safe = code_of(Verdict.SAFE)
    flagged = np.where(low <= safe, code_of(Verdict.UNDECIDED), low)
    return np.where(high <= safe, _classified(losses, scoring), flagged).astype(np.int8)


def severity_of(codes: CodeArray) -> CodeArray:
    """Return the rank of each verdict in :data:`SEVERITY`."""
    return _SEVERITY_OF[codes]


def _classified(losses: FloatArray, scoring: ScoringParameters) -> CodeArray:
    """Return the codes of :func:`classify`."""
    limits = [np.nextafter(0.0, 1.0), scoring.at_risk, scoring.serious]
    return np.searchsorted(limits, losses, side="right").astype(np.int8)
