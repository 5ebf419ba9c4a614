"""How often an attack is right on members and on others, and the residual risk.

References
----------
Giomi, Boenisch, Wehmeyer and Tasnádi (2022), A Unified Framework for Quantifying Privacy Risk in
Synthetic Data, section 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from alc_core.measures.measure import Measured
from alc_core.scoring.intervals import wilson_interval

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Guesses:
    """What an attack predicted for some people."""

    people: int  # Whom it attacked
    predicted: int  # For how many of them it predicted a value
    right: int  # How many of these predictions are right

    @property
    def success(self) -> Measured:
        """Share of all people for whom it is right, with Wilson's interval."""
        return share_of(self.right, self.people)

    @property
    def precision(self) -> Measured:
        """Share of the predictions that are right, with Wilson's interval."""
        return share_of(self.right, self.predicted)

    @property
    def recall(self) -> float:
        """Share of the people for whom it predicts a value."""
        return self.predicted / self.people if self.people else math.nan


def share_of(right: float, number: float) -> Measured:
    """Return a share with Wilson's interval; it is not a number where there is nobody."""
    low, high = wilson_interval(right, number, confidence=CONFIDENCE)
    return Measured(right / number if number else math.nan, float(low), float(high))


def residual_risk(members: Measured, others: Measured) -> Measured:
    """Return how much more often members are guessed, of what could be more.

    R = (m - c) / (1 - c), with m and c the midpoints of Wilson's intervals of members and of
    control people. Their half widths are propagated as independent errors. As the midpoint of an
    interval is never 1, R exists even if all control people are guessed; its interval then says
    that nothing is known. It is not cut at 0 here: see :func:`shown_risk`.

    Examples
    --------
    >>> found = residual_risk(share_of(850, 1000), share_of(300, 1000))
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.784, 0.751, 0.816)
    """
    rate, error = _midpoint(members)
    control, control_error = _midpoint(others)
    left = 1.0 - control
    value = (rate - control) / left
    spread = math.hypot(error / left, (1.0 - rate) / left**2 * control_error)
    return Measured(value, value - spread, value + spread)


def shown_risk(risk: Measured) -> Measured:
    """Return a residual risk and its interval cut to 0 to 1, as the paper shows it."""
    low, high = (min(1.0, max(0.0, end)) for end in _ends(risk))
    return Measured(min(1.0, max(0.0, risk.value)), low, high)


def _midpoint(share: Measured) -> tuple[float, float]:
    low, high = _ends(share)
    return (low + high) / 2, (high - low) / 2


def _ends(of: Measured) -> tuple[float, float]:
    return (
        of.value if of.low is None else of.low,
        of.value if of.high is None else of.high,
    )
