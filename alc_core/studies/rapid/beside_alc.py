"""ALC beside RAPID: the attacks of a campaign with the same facts."""

from __future__ import annotations

from collections.abc import Sequence

from alc_core.assessment.words import VERDICT_TITLES
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.model import PlannedAttack
from alc_core.phrasing import alc_number
from alc_core.scoring.verdict import Verdict
from alc_core.studies.rapid.result import Rapid


def same_facts(
    attacks: Sequence[PlannedAttack], overview: CampaignOverview, found: Rapid
) -> tuple[int, ...]:
    """Return the numbers of finished attacks with the facts of a RAPID, worst first."""
    wanted = {
        attack.number
        for attack in attacks
        if attack.release == found.release
        and attack.scenario.unknown == found.unknown
        and set(attack.scenario.known) == set(found.known)
    }
    return tuple(number for number in overview.results["number"].tolist() if number in wanted)


def same_facts_sentence(
    attacks: Sequence[PlannedAttack], overview: CampaignOverview, found: Rapid
) -> str:
    """Say the ALC of the worst attack with the facts of a RAPID; empty where there is none."""
    numbers = same_facts(attacks, overview, found)
    if not numbers:
        return ""
    row = overview.row(numbers[0])
    standing = VERDICT_TITLES[Verdict(str(row["standing"]))].lower()
    return (
        f"ALC of the same facts: {alc_number(float(row['decisive_alc']))}, {standing}"
        f" (attack {numbers[0]}, {row['attack']})."
    )
