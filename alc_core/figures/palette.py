"""Colours that colour-blind people tell apart and that are legible on light and dark grounds."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alc_core.scoring.verdict import Verdict

ATTACK = "#d55e00"
"""Vermilion of the Okabe-Ito palette."""

BASELINE = "#3d8fd1"
"""A blue near the palette's, lighter, so that it is legible on dark grounds, too."""

SECOND_ATTACK = "#b8609a"
"""Of another attack beside the first: the palette's reddish purple, a little darker."""

RELEASED = BASELINE
"""Of a release beside its original, in figures that show no baseline."""

GUIDE = "#7f8c94"
"""Grey of lines that help to read the others."""

QUIET = "#5b6970"
"""Colour of what has no verdict; dark enough for white text."""

RISING_COLOURS = ("#fdf3e4", "#f6cf97", "#e39a4a", "#b8621b", "#6b2f0c")
"""From nothing to the most: one hue, ever darker, so that print and colour-blindness keep it."""

VERDICT_COLOURS: Mapping[Verdict, str] = MappingProxyType(
    {
        Verdict.NO_LOSS: "#3f7f74",
        Verdict.SAFE: "#0a6b58",
        Verdict.AT_RISK: "#a85400",
        Verdict.SERIOUS: "#96123c",
        Verdict.UNDECIDED: "#57538f",
        Verdict.NOTHING_LEFT: QUIET,
        Verdict.NOT_CONVERGED: "#7a4560",
    }
)
"""Dark enough for white text; always shown with the word and an icon."""


def faded(colour: str, opacity: float) -> str:
    """Return a colour "#rrggbb" with an opacity, as plotly takes it.

    Examples
    --------
    >>> faded("#d55e00", 0.2)
    'rgba(213,94,0,0.2)'
    """
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"
