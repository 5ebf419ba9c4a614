"""Scoring parameters in words, the same wherever they are shown."""

from __future__ import annotations

from alc_core.phrasing import decimal, percent
from alc_core.scoring.descriptions import SCORING_PARAMETERS
from alc_core.scoring.parameters import ScoringParameters

PARAMETER_TITLES = {parameter.name: parameter.title for parameter in SCORING_PARAMETERS}


def parameter_text(value: float | str) -> str:
    """Return a parameter's value for show."""
    return value if isinstance(value, str) else decimal(value)


def parameters_text(scoring: ScoringParameters) -> str:
    """List the scoring parameters."""
    shown = {"confidence": percent(scoring.confidence)}
    texts = [
        f"{PARAMETER_TITLES[name]} {shown.get(name) or parameter_text(value)}"
        for name, value in scoring.to_dict().items()
        if name != "loss"
    ]
    return ", ".join([*texts, f"{scoring.loss} loss"])
