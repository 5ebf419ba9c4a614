"""What was decided about attacks, as the report shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alc_core.campaign.findings.decisions import (
    Decision,
    decisions,
)
from alc_core.campaign.findings.overview import what_if_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.candidates.decision import attacks_sentence, open_attacks, release_decisions
from alc_core.report.html.attacks import Line
from alc_core.scoring.parameters import ScoringParameters


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionLine:
    """A decision, and whether it still is about what the report says."""

    attack: PlannedAttack  # What it is about
    made: Decision  # What was decided, why, when, and where the attack was then
    other: str  # The parameters then that differ from the report's; empty where none does
    now: str | None  # Its standing under the report's scoring; None without a result

    @property
    def moved(self) -> bool:
        """Whether the attack's standing is another than when it was decided."""
        return self.now != self.made.standing


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPart:
    """What was decided, worst attacks first, and the attacks that still ask for a decision."""

    progress: str
    lines: tuple[DecisionLine, ...]
    open: tuple[Line, ...]


def decision_part(
    view: CampaignView, scoring: ScoringParameters, lines: Sequence[Line]
) -> DecisionPart:
    """Return what was decided about the attacks of a report, and what is still open."""
    overview, made = view.overview(scoring), decisions(view.store)
    releases = release_decisions(view.store)
    standing = {int(line["number"]): str(line["standing"]) for line in lines}
    order = [*standing, *(number for number in made if number not in standing)]
    missing = set(open_attacks(overview, made, releases))
    return DecisionPart(
        progress=attacks_sentence(overview, made, releases),
        lines=tuple(
            DecisionLine(
                attack=view.attack(number),
                made=made[number],
                other=what_if_text(made[number].scoring, scoring),
                now=standing.get(number),
            )
            for number in order
            if number in made
        ),
        open=tuple(line for line in lines if line["number"] in missing),
    )
