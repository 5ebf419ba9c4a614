"""What a campaign found in counts and in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from alc_core.campaign.findings.findings_table import check_planned
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.rescore.outcome_codes import OUTCOMES, TOO_FEW_TARGETS
from alc_core.campaign.rescore.rescoring import Rescored
from alc_core.phrasing import count, listed, numbered
from alc_core.scoring.verdict import Verdict

_NO_FAILURES: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSummary:
    """What came out of a campaign, in counts.

    Attributes
    ----------
    counts : mapping of str to int
        Finished attacks by verdict, and those with too few targets.
    planned, finished, failed : int
        Attacks; the finished ones include those with too few targets.
    worst : PlannedAttack or None
        The one with the highest ALC, or in an overview the one with the worst standing; None
        where no attack has an ALC.
    worst_alc : float or None
        Its ALC.
    worst_verdict : str or None
        Its verdict, or in an overview its standing.
    """

    counts: Mapping[str, int]
    planned: int
    finished: int
    failed: int
    worst: PlannedAttack | None
    worst_alc: float | None
    worst_verdict: str | None

    @property
    def flagged(self) -> int:
        """Attacks at risk or worse."""
        return self.counts[Verdict.AT_RISK] + self.counts[Verdict.SERIOUS]

    @property
    def undecided(self) -> int:
        """Attacks whose interval straddles a risk limit."""
        return self.counts[Verdict.UNDECIDED]

    @property
    def too_few_targets(self) -> int:
        """Finished attacks without a significant threshold."""
        return self.counts[TOO_FEW_TARGETS]

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
    """Count what a campaign found.

    Parameters
    ----------
    attacks, rescored, failures
        As in :func:`findings_frame`.

    Returns
    -------
    CampaignSummary
        The worst attack is the first row of that table.
    """
    check_planned(attacks, rescored)
    finished = set(rescored.numbers.tolist())
    usable = np.flatnonzero(rescored.usable)
    worst: PlannedAttack | None = None
    loss: float | None = None
    verdict: str | None = None
    if len(usable):
        order = np.lexsort((rescored.numbers[usable], -rescored.alc[usable]))
        first = usable[order[0]]
        number = int(rescored.numbers[first])
        worst = next(attack for attack in attacks if attack.number == number)
        loss, verdict = float(rescored.alc[first]), OUTCOMES[rescored.outcome[first]]
    return CampaignSummary(
        counts=rescored.counts,
        planned=len(attacks),
        finished=len(finished),
        failed=sum(a.number in failures and a.number not in finished for a in attacks),
        worst=worst,
        worst_alc=loss,
        worst_verdict=verdict,
    )


def headline(summary: CampaignSummary) -> str:
    """Say in plain words what a campaign found, and what is still missing."""
    decided = summary.finished - summary.too_few_targets
    if summary.worst is None:
        sentences = ["No attack has a result yet."]
    elif not summary.flagged and decided == 1:
        sentences = ["The one attack with a result is not flagged."]
    elif not summary.flagged:
        sentences = [f"None of {numbered(decided, 'attack')} is flagged."]
    else:
        verdicts = [v for v in (Verdict.SERIOUS, Verdict.AT_RISK) if summary.counts[v]]
        kinds = listed([f"{count(summary.counts[v])} {v}" for v in verdicts])
        are = "is" if summary.flagged == 1 else "are"
        sentences = [
            f"{count(summary.flagged)} of {numbered(decided, 'attack')} {are} flagged: {kinds}."
        ]
    if summary.undecided:
        are = "is" if summary.undecided == 1 else "are"
        worse = summary.worst_verdict == Verdict.AT_RISK
        sentences.append(
            f"{count(summary.undecided)} {are} undecided{' and may be worse' if worse else ''}."
        )
    sentences += filter(None, [_worst_sentence(summary), _rest_sentence(summary)])
    return " ".join(sentences)


def _worst_sentence(summary: CampaignSummary) -> str:
    worst, loss = summary.worst, summary.worst_alc
    if worst is None or loss is None:
        return ""
    if loss <= 0 and summary.worst_verdict == Verdict.NO_LOSS:
        return "No attack is clearly better than a guess without the person's record."
    known = listed(list(worst.scenario.known))
    size = f"ALC {loss:.2f}" if loss > 0 else "ALC not above 0"
    return (
        f"The worst: someone who knows {known} learns {worst.scenario.unknown} from "
        f"{worst.release} ({size}, {summary.worst_verdict})."
    )


def _rest_sentence(summary: CampaignSummary) -> str:
    counted = [
        (summary.too_few_targets, "had too few targets"),
        (summary.failed, "failed"),
        (summary.to_run, "has not run yet" if summary.to_run == 1 else "have not run yet"),
    ]
    parts = [f"{count(number)} {what}" for number, what in counted if number]
    return f"Not counted: {listed(parts)}." if parts else ""
