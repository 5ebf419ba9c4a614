"""Scoring parameters in words, the same wherever they are told."""

from __future__ import annotations

from alc_core.phrasing import decimal, percent
from alc_core.scoring.parameters import ScoringParameters

PARAMETER_TITLES = {
    "alpha": "alpha",
    "r_min": "R_min",
    "confidence": "confidence",
    "max_interval_width": "widest interval",
    "at_risk": "at risk from",
    "serious": "serious from",
    "loss": "kind of loss",
}


def parameter_text(value: float | str) -> str:
    """Return a parameter's value for show."""
    return value if isinstance(value, str) else decimal(value)


def parameters_text(scoring: ScoringParameters) -> str:
    """List the scoring parameters."""
    return (
        f"alpha {scoring.alpha:g}, R_min {decimal(scoring.r_min)}, confidence "
        f"{percent(scoring.confidence)}, widest interval {scoring.max_interval_width:g}, at risk "
        f"from {scoring.at_risk:g}, serious from {scoring.serious:g}, {scoring.loss} loss"
    )
