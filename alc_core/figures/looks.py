"""Colours that colour-blind people distinguish, legible on light and dark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from alc_core.campaign.findings.overview import STANDINGS
from alc_core.phrasing import sentence_case
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict

# Vermilion of the Okabe-Ito palette
ATTACK = "#d55e00"
# The palette's blue, lighter for dark grounds
BASELINE = "#3d8fd1"
# The palette's reddish purple, darker
SECOND_ATTACK = "#b8609a"
RELEASED = BASELINE  # For figures without a baseline
GUIDE = "#7f8c94"
# Without a verdict; dark enough for white text
QUIET = "#5b6970"
# One hue, ever darker: print and colour-blindness keep it
RISING_COLOURS = ("#fdf3e4", "#f6cf97", "#e39a4a", "#b8621b", "#6b2f0c")


def faded(colour: str, opacity: float) -> str:
    """Return a colour "#rrggbb" with an opacity.

    >>> faded("#d55e00", 0.2)
    'rgba(213,94,0,0.2)'
    """
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a standing is shown."""

    word: str  # Begins with a capital letter
    icon: str  # One or two characters: colour alone never says it
    colour: str  # Dark enough for white text
    # Colour and shape of a mark, with contrast of at least 3 to light and dark
    mark: str
    symbol: str
    meaning: str  # A few words below a count
    style: str  # Its name in style sheets

    @property
    def label(self) -> str:
        """Icon and word."""
        return f"{self.icon} {self.word}"


_LOOKS = (
    (
        Verdict.SERIOUS,
        "✖",
        "#96123c",
        "#d4145a",
        "x",
        "far better than guessing",
    ),
    (Verdict.AT_RISK, "▲", "#a85400", "#c77700", "triangle-up", "clearly better than guessing"),
    (
        Verdict.NOT_CONVERGED,
        "≠",
        "#7a4560",
        "#a0708a",
        "hexagram-open",
        "the attack did not converge",
    ),
    (Verdict.INCONCLUSIVE, "?", "#57538f", "#7d72c9", "diamond", "no clear result"),
    (Verdict.BELOW_LIMIT, "✔", "#0a6b58", "#128a72", "circle", "below the limit"),
    (Verdict.NO_LOSS, "✔✔", "#3f7f74", "#128a72", "circle-open", "no better than guessing"),
    (Verdict.TOO_FEW, "◇", QUIET, QUIET, "diamond-open", "too few people to test"),
    (Verdict.NOT_TESTABLE, "○", QUIET, QUIET, "circle-x-open", "nothing to learn"),
)
# Worst first, as in `STANDINGS`
LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        verdict: Look(
            word=sentence_case(verdict),
            icon=icon,
            colour=colour,
            mark=mark,
            symbol=symbol,
            meaning=meaning,
            style=verdict.replace(" ", "-"),
        )
        for verdict, icon, colour, mark, symbol, meaning in _LOOKS
    }
)


def counted(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the occurring standings with counts, worst first."""
    return [(standing, counts[standing]) for standing in STANDINGS if counts[standing]]


def marks_sentence(scoring: ScoringParameters) -> str:
    """Explain the marks beside numbers.

    Examples
    --------
    >>> marks_sentence(ScoringParameters())
    '✖: whole interval at least 0.75; ▲: at least 0.5; ◇: too few people.'
    """
    serious, at_risk, few = (
        LOOKS[each].icon for each in (Verdict.SERIOUS, Verdict.AT_RISK, Verdict.TOO_FEW)
    )
    return (
        f"{serious}: whole interval at least {scoring.serious:g}; {at_risk}: at least "
        f"{scoring.at_risk:g}; {few}: too few people."
    )
