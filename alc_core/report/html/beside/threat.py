"""Relative threats that a campaign's file keeps, as a part of the report."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.campaign.findings.view import CampaignView
from alc_core.figures.relative_threat import threat_levels, threat_levels_alt
from alc_core.report.html.charts import ChartBook, Picture
from alc_core.studies.relative_threat.result import KEPT_THREATS, ThreatSummary, threat_sentence
from alc_core.studies.relative_threat.words import card_texts


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreatPart:
    """The relative threat of one release."""

    label: str  # Release and unknown column
    warning: str  # Why the numbers cannot be relied on; empty where they can
    sentences: tuple[str, ...]  # What was found
    cards: tuple[tuple[str, str, str], ...]  # Title, number and meaning
    picture: Picture | None  # The levels of the people whom the attacker guesses


def threat_parts(view: CampaignView, book: ChartBook) -> tuple[ThreatPart, ...]:
    """Return the relative threats of a campaign."""
    found = KEPT_THREATS.read(view.store).values()
    return tuple(_part(each, number, book) for number, each in enumerate(found))


def _part(found: ThreatSummary, number: int, book: ChartBook) -> ThreatPart:
    levels, notes = found.of_attacker, found.notes[0 if found.converged else 1 :]
    picture = None
    if levels is not None:
        alt = threat_levels_alt(levels, "attacker")
        picture = book.add(f"threat-{number}", threat_levels(levels, "attacker"), alt)
    return ThreatPart(
        label=f"{found.release}: {found.unknown}",
        warning="" if found.converged else found.notes[0],
        sentences=(threat_sentence(found), found.chains, *notes),
        cards=card_texts(found),
        picture=picture,
    )
