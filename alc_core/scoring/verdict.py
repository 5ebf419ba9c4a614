"""From an ALC and its interval to a verdict."""

from __future__ import annotations

import enum

import numpy as np
from numpy.typing import NDArray

from alc_core.scoring.parameters import ScoringParameters


class Verdict(enum.StrEnum):
    """What an ALC means for the release (SPEC: 0, `at_risk` and `serious` are the limits).

    ``UNDECIDED`` says that the interval of ALC straddles `at_risk`, so the data do not show whether
    the attack must be examined. An interval that straddles `serious` alone shows that it must:
    ``AT_RISK``, and perhaps worse. An attack is ``UNDECIDED``, too, where it could not use a column
    that the release has, see :func:`cleared`. The limit at 0 separates two verdicts that ask for no
    action, so an interval that straddles it decides nothing and leaves the verdict.
    ``NOTHING_LEFT`` says that the baseline already knows nearly everybody, and too few others to
    measure anything of them are left. ``NOT_CONVERGED`` says that the attack's chains did not come
    to an end that can be relied on, and what they found so far need not be examined: no verdict.
    """

    NO_LOSS = "no loss"
    SAFE = "safe"
    AT_RISK = "at risk"
    SERIOUS = "serious"
    UNDECIDED = "undecided"
    NOTHING_LEFT = "nothing left to learn"
    NOT_CONVERGED = "not converged"


SEVERITY: tuple[Verdict, ...] = (
    Verdict.NOTHING_LEFT,
    Verdict.NO_LOSS,
    Verdict.SAFE,
    Verdict.UNDECIDED,
    Verdict.NOT_CONVERGED,
    Verdict.AT_RISK,
    Verdict.SERIOUS,
)
"""Verdicts by rising severity."""

HARMLESS = (Verdict.NO_LOSS, Verdict.SAFE)
"""Verdicts that clear an attack."""

FLAGGED = (Verdict.SERIOUS, Verdict.AT_RISK)
"""Verdicts that ask for a human's look, the worse first."""


def classify(loss: float, scoring: ScoringParameters) -> Verdict:
    """Return the verdict of an exactly known ALC (paper, sections 4.2 and 6.1)."""
    if loss <= 0:
        return Verdict.NO_LOSS
    if loss < scoring.at_risk:
        return Verdict.SAFE
    if loss < scoring.serious:
        return Verdict.AT_RISK
    return Verdict.SERIOUS


def straddled(
    interval: tuple[float, float], scoring: ScoringParameters
) -> tuple[Verdict, Verdict] | None:
    """Return the lowest and highest verdict in an interval if a risk limit lies between them."""
    low, high = (classify(bound, scoring) for bound in interval)
    if low == high or high in HARMLESS:
        return None
    return low, high


def cleared(verdict: Verdict, *, unmatched: bool = False, converged: bool = True) -> Verdict:
    """Return a verdict unless it clears an attack that found less than it should.

    A loss that was found stays one.

    Examples
    --------
    >>> cleared(Verdict.SAFE, unmatched=True), cleared(Verdict.AT_RISK, unmatched=True)
    (<Verdict.UNDECIDED: 'undecided'>, <Verdict.AT_RISK: 'at risk'>)
    >>> cleared(Verdict.UNDECIDED, converged=False)
    <Verdict.NOT_CONVERGED: 'not converged'>
    """
    if not converged and verdict not in FLAGGED:
        return Verdict.NOT_CONVERGED
    return Verdict.UNDECIDED if unmatched and verdict in HARMLESS else verdict


def decide(loss: float, interval: tuple[float, float], scoring: ScoringParameters) -> Verdict:
    """Return the verdict of an estimated ALC.

    Examples
    --------
    >>> decide(0.6, (0.55, 0.7), ScoringParameters())
    <Verdict.AT_RISK: 'at risk'>
    >>> decide(0.6, (0.45, 0.7), ScoringParameters())
    <Verdict.UNDECIDED: 'undecided'>
    >>> decide(0.8, (0.7, 0.9), ScoringParameters())
    <Verdict.AT_RISK: 'at risk'>
    """
    low, high = (classify(bound, scoring) for bound in interval)
    if high in HARMLESS:
        return classify(loss, scoring)
    return Verdict.UNDECIDED if low in HARMLESS else low


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
