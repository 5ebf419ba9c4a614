"""From an ALC and its interval to a verdict."""

from __future__ import annotations

import enum

from alc_core.scoring.parameters import ScoringParameters


class Verdict(enum.StrEnum):
    """What an ALC means for the release (SPEC: 0, `at_risk` and `serious` are the limits).

    ``UNDECIDED`` says that the interval of ALC straddles `at_risk` or `serious`, so the data do
    not show on which side of the limit the attack lies. The limit at 0 separates two verdicts that
    ask for no action, so an interval that straddles it decides nothing and leaves the verdict.
    """

    NO_LOSS = "no loss"
    SAFE = "safe"
    AT_RISK = "at risk"
    SERIOUS = "serious"
    UNDECIDED = "undecided"


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
    harmless = (Verdict.NO_LOSS, Verdict.SAFE)
    if low == high or (low in harmless and high in harmless):
        return None
    return low, high


def decide(loss: float, interval: tuple[float, float], scoring: ScoringParameters) -> Verdict:
    """Return the verdict of an estimated ALC.

    Parameters
    ----------
    loss : float
        The estimate.
    interval : tuple of float
        Its confidence interval.
    scoring : ScoringParameters
        Holds the limits `at_risk` and `serious`.

    Returns
    -------
    Verdict
        ``UNDECIDED`` where the interval straddles a risk limit.

    Examples
    --------
    >>> decide(0.6, (0.55, 0.7), ScoringParameters())
    <Verdict.AT_RISK: 'at risk'>
    >>> decide(0.6, (0.45, 0.7), ScoringParameters())
    <Verdict.UNDECIDED: 'undecided'>
    """
    if straddled(interval, scoring) is not None:
        return Verdict.UNDECIDED
    return classify(loss, scoring)
