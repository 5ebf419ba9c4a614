"""What a campaign found in counts and in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from alc_core.campaign.findings.findings_table import check_planned
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.rescore.outcome_codes import OUTCOMES
from alc_core.campaign.rescore.rescored import Rescored
from alc_core.phrasing import count, listed, numbered
from alc_core.scoring.verdict import FLAGGED, Verdict

_NO_FAILURES: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSummary:
    """What came out of a campaign, in counts."""

    counts: Mapping[str, int]  # Finished attacks by verdict, or in an overview by standing
    planned: int  # Attacks
    finished: int
    failed: int
    # The one with the highest ALC, or in an overview the one with the worst standing; None where no
    # attack has finished
    worst: PlannedAttack | None
    # The facts that it takes: in an overview perhaps not all that the attack knows
    worst_known: Sequence[str]
    # The reading of its ALC that decides, or in an overview the ALC that it stands on
    worst_alc: float | None
    worst_verdict: str | None  # Its verdict, or in an overview its standing
    # Flagged attacks that are flagged through fewer of their facts alone; counted in an overview
    through: int = 0

    @property
    def flagged(self) -> int:
        """Attacks at risk or worse."""
        return sum(self.counts[verdict] for verdict in FLAGGED)

    @property
    def undecided(self) -> int:
        """Attacks whose interval straddles a risk limit."""
        return self.counts[Verdict.UNDECIDED]

    @property
    def nothing_left(self) -> int:
        """Finished attacks of which nothing was left to learn."""
        return self.counts[Verdict.NOTHING_LEFT]

    @property
    def tested(self) -> int:
        """Finished attacks that had something to learn."""
        return self.finished - self.nothing_left

    @property
    def to_run(self) -> int:
        """Attacks neither finished nor failed."""
        return self.planned - self.finished - self.failed


def summarize(
    attacks: Sequence[PlannedAttack],
    rescored: Rescored,
    *,
    failures: Mapping[int, str] = _NO_FAILURES,
) -> CampaignSummary:
    """Count what a campaign found."""
    check_planned(attacks, rescored)
    finished = set(rescored.numbers.tolist())
    worst: PlannedAttack | None = None
    loss: float | None = None
    verdict: str | None = None
    if len(rescored):
        losses = rescored.decisive.alc
        first = np.lexsort((rescored.numbers, -losses))[0]
        number = int(rescored.numbers[first])
        worst = next(attack for attack in attacks if attack.number == number)
        loss, verdict = float(losses[first]), OUTCOMES[rescored.outcome[first]]
    return CampaignSummary(
        counts=rescored.counts,
        planned=len(attacks),
        finished=len(finished),
        failed=sum(a.number in failures and a.number not in finished for a in attacks),
        worst=worst,
        worst_known=() if worst is None else worst.scenario.known,
        worst_alc=loss,
        worst_verdict=verdict,
    )


def headline(summary: CampaignSummary) -> str:
    """Say in plain words what a campaign found, and what is still missing."""
    decided = summary.tested
    if summary.worst is None:
        sentences = ["No attack has a result yet."]
    elif not decided:
        sentences = []
    elif not summary.flagged and decided == 1:
        sentences = ["The one attack with a result is not flagged."]
    elif not summary.flagged:
        sentences = [f"None of {numbered(decided, 'attack')} is flagged."]
    else:
        verdicts = [verdict for verdict in FLAGGED if summary.counts[verdict]]
        kinds = listed([f"{count(summary.counts[v])} {v}" for v in verdicts])
        are = "is" if summary.flagged == 1 else "are"
        sentences = [
            f"{count(summary.flagged)} of {numbered(decided, 'attack')} {are} flagged: {kinds}"
            f"{_through_words(summary)}."
        ]
    if summary.undecided:
        are = "is" if summary.undecided == 1 else "are"
        worse = summary.worst_verdict == Verdict.AT_RISK
        sentences.append(
            f"{count(summary.undecided)} {are} undecided{' and may be worse' if worse else ''}."
        )
    if unsure := summary.counts[Verdict.NOT_CONVERGED]:
        them = "it" if unsure == 1 else "them"
        sentences.append(f"{count(unsure)} did not converge: do not rely on {them}.")
    parts = (_worst_sentence(summary), _nothing_left_sentence(summary), _rest_sentence(summary))
    sentences += filter(None, parts)
    return " ".join(sentences)


def _through_words(summary: CampaignSummary) -> str:
    if not summary.through:
        return ""
    them = "" if summary.flagged == 1 else f"{count(summary.through)} of them "
    return f"; {them}through fewer facts alone"


def _worst_sentence(summary: CampaignSummary) -> str:
    worst, loss = summary.worst, summary.worst_alc
    if worst is None or loss is None or not summary.tested:
        return ""
    if loss <= 0 and summary.worst_verdict == Verdict.NO_LOSS:
        return "No attack is clearly better than a guess without the person's record."
    known = listed(list(summary.worst_known))
    size = f"ALC {loss:.2f}" if loss > 0 else "ALC not above 0"
    return (
        f"The worst: someone who knows {known} learns {worst.scenario.wanted} from "
        f"{worst.release} ({size}, {summary.worst_verdict})."
    )


def _nothing_left_sentence(summary: CampaignSummary) -> str:
    """Say of how many attacks nothing was left to learn; empty where of none."""
    if not summary.nothing_left:
        return ""
    which = (
        f"In {numbered(summary.nothing_left, 'attack')}"
        if summary.nothing_left < summary.finished
        else "In all attacks"
        if summary.finished > 1
        else "In the one attack with a result"
    )
    return (
        f"{which} nothing was left to learn: a guess without the person's record already knows "
        "nearly everybody, so they say nothing either way."
    )


def _rest_sentence(summary: CampaignSummary) -> str:
    counted = [
        (summary.failed, "failed"),
        (summary.to_run, "has not run yet" if summary.to_run == 1 else "have not run yet"),
    ]
    parts = [f"{count(number)} {what}" for number, what in counted if number]
    return f"Not counted: {listed(parts)}." if parts else ""
