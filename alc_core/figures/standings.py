"""How each standing looks, in figures, pages and reports: word, icon, colour, mark, meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from alc_core.assessment.words import VERDICT_ICONS
from alc_core.campaign.findings.overview import STANDINGS
from alc_core.figures.palette import QUIET, VERDICT_COLOURS
from alc_core.scoring.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a standing is shown."""

    word: str  # Begins with a capital letter
    icon: str  # One or two characters; with the word, so that colour alone never says it
    colour: str  # Dark enough for white text
    # Colour and shape of a mark in a figure; the colour has a contrast of at least 3 to light and
    # dark grounds
    mark: str
    symbol: str
    meaning: str  # A few words below a count
    style: str  # Its name in style sheets

    @property
    def label(self) -> str:
        """Icon and word."""
        return f"{self.icon} {self.word}"


def _look(standing: str, mark: str, symbol: str, meaning: str) -> Look:
    return Look(
        word=f"{standing[0].upper()}{standing[1:]}",
        icon=VERDICT_ICONS[Verdict(standing)],
        colour=VERDICT_COLOURS[Verdict(standing)],
        mark=mark,
        symbol=symbol,
        meaning=meaning,
        style=standing.replace(" ", "-"),
    )


LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        Verdict.SERIOUS: _look(Verdict.SERIOUS, "#d4145a", "x", "most is learned"),
        Verdict.AT_RISK: _look(Verdict.AT_RISK, "#c77700", "triangle-up", "to be examined"),
        Verdict.NOT_CONVERGED: _look(
            Verdict.NOT_CONVERGED, "#a0708a", "hexagram-open", "do not rely on it"
        ),
        Verdict.UNDECIDED: _look(
            Verdict.UNDECIDED, "#7d72c9", "diamond", "treat as the worse verdict"
        ),
        Verdict.SAFE: _look(Verdict.SAFE, "#128a72", "circle", "below the limit"),
        Verdict.NO_LOSS: _look(Verdict.NO_LOSS, "#128a72", "circle-open", "no gain over a guess"),
        Verdict.NOTHING_LEFT: _look(
            Verdict.NOTHING_LEFT, QUIET, "circle-x-open", "nothing to learn"
        ),
    }
)
"""By standing, worst first as in :data:`STANDINGS`."""


def counted(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the standings that occur, worst first, each with its count."""
    return [(standing, counts[standing]) for standing in STANDINGS if counts[standing]]
