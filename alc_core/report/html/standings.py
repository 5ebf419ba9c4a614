"""Where attacks stand, in the report's words, icons and colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alc_core.assessment.words import VERDICT_ICONS
from alc_core.campaign.findings.overview import LOOK_TWICE, STANDINGS
from alc_core.campaign.rescore.outcome_codes import TOO_FEW_TARGETS
from alc_core.figures.palette import VERDICT_COLOURS
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict

_ICONS: Mapping[str, str] = {
    **{str(verdict): icon for verdict, icon in VERDICT_ICONS.items()},
    LOOK_TWICE: "?",
    TOO_FEW_TARGETS: "○",
}
_COLOURS: Mapping[str, str] = {
    **{str(verdict): colour for verdict, colour in VERDICT_COLOURS.items()},
    LOOK_TWICE: VERDICT_COLOURS[Verdict.UNDECIDED],
    TOO_FEW_TARGETS: "#5b6970",
}
_LEFT_END = -0.12
"""Of the scale of ALC: all without loss is drawn there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where attacks stand, to be shown by colour, icon and word.

    Attributes
    ----------
    word, icon, colour : str
        The word begins with a capital letter; the colour is dark enough for white text.
    name : str
        Of its class in the style sheet.
    """

    word: str
    icon: str
    colour: str
    name: str


def standing_shown(standing: str) -> Standing:
    """Return how a standing is shown."""
    return Standing(
        word=f"{standing[0].upper()}{standing[1:]}",
        icon=_ICONS[standing],
        colour=_COLOURS[standing],
        name=standing.replace(" ", "-"),
    )


def all_standings() -> tuple[Standing, ...]:
    """Return every standing, worst first."""
    return tuple(standing_shown(standing) for standing in STANDINGS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalePlace:
    """An ALC and its interval as places on a scale, in per cent of its width.

    Attributes
    ----------
    at, low, width : float
        The ALC, where its interval begins, and how wide it is.
    """

    at: float
    low: float
    width: float


def scale_place(loss: float, low: float, high: float) -> ScalePlace:
    """Return where an ALC and its interval lie on the scale; all without loss is at its left end.

    Examples
    --------
    >>> scale_place(0.72, 0.44, 1.0)
    ScalePlace(at=75.0, low=50.0, width=50.0)
    """
    first, last = _percent(low), _percent(high)
    return ScalePlace(at=_percent(loss), low=first, width=round(last - first, 1))


def scale_limits(scoring: ScoringParameters) -> tuple[float, float, float]:
    """Return where 0, at risk and serious lie on the scale, in per cent of its width."""
    return _percent(0.0), _percent(scoring.at_risk), _percent(scoring.serious)


def _percent(loss: float) -> float:
    inside = min(max(loss, _LEFT_END), 1.0)
    return round(100 * (inside - _LEFT_END) / (1 - _LEFT_END), 1)
