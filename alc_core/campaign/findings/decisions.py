"""A reviewer's decisions about attacks, with notes."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import pandas as pd

from alc_core.campaign.file.annotations import Annotations
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.overview import CampaignOverview, ask
from alc_core.errors import InputError
from alc_core.phrasing import count, listed, loss_text
from alc_core.plain_values import check_lengths
from alc_core.scoring.parameters import ScoringParameters


class Choice(enum.StrEnum):
    """What is to be done about an attack."""

    ACCEPTED = "accepted risk"
    REDUCE = "to be reduced"


_ICONS = {Choice.ACCEPTED: "✔", Choice.REDUCE: "▼"}

# Meanings for reviewer and report
CHOICE_MEANINGS: Mapping[Choice, str] = {
    Choice.ACCEPTED: "The risk is accepted.",
    Choice.REDUCE: "Change the release or limit access first.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A reviewer's decision about one attack."""

    choice: Choice | None  # None for a note without a decision
    note: str  # The reviewer's words
    standing: str  # The attack's standing then, such as "at risk"
    alc: float | None  # ALC then; None if unknown
    scoring: ScoringParameters  # The parameters in force then
    made: str  # ISO date and time in UTC

    def __post_init__(self) -> None:
        check_lengths(self.note)


_DECISIONS = Annotations(
    "decision",
    int,
    Decision,
    belongs=lambda store, number, _: store.has_attack(number),
)
decisions = _DECISIONS.read  # By the number of the attack


def decide(
    store: CampaignStore,
    number: int,
    choice: Choice | None,
    *,
    note: str,
    standing: str,
    alc: float | None,
    scoring: ScoringParameters,
) -> Decision | None:
    """Keep a decision, replacing an earlier one."""
    if not store.has_attack(number):
        raise InputError(f"'{store.path}' has no attack {number}. Choose another.")
    if choice is None and not note.strip():
        _DECISIONS.remove(store, number)
        return None
    decision = Decision(
        choice=choice,
        note=note.strip(),
        standing=standing,
        alc=alc,
        scoring=scoring,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    _DECISIONS.keep(store, number, decision)
    return decision


def choice_label(choice: Choice) -> str:
    """Return an icon and the word of a choice.

    Examples
    --------
    >>> choice_label(Choice.REDUCE)
    '▼ To be reduced'
    """
    return f"{_ICONS[choice]} {choice.capitalize()}"


def decision_label(decision: Decision | None) -> str:
    """Return a decision's choice with its icon; empty for None."""
    return "" if decision is None or decision.choice is None else choice_label(decision.choice)


def asking_attacks(overview: CampaignOverview) -> list[int]:
    """Return attacks that need a decision, worst first."""
    results = overview.results
    return [int(n) for n in results["number"][ask(results)].tolist()]


def undecided_attacks(overview: CampaignOverview, made: Mapping[int, Decision]) -> list[int]:
    """Return attacks that need a decision and have none, worst first."""
    return [
        number
        for number in asking_attacks(overview)
        if number not in made or made[number].choice is None
    ]


def progress_sentence(overview: CampaignOverview, made: Mapping[int, Decision]) -> str:
    """Say how many attacks that need a decision have one; empty if none does."""
    asking = asking_attacks(overview)
    if not asking:
        return ""
    decided = len(asking) - len(undecided_attacks(overview, made))
    choices = [made[number].choice for number in asking if number in made]
    parts = [f"{count(choices.count(choice))} {choice}" for choice in Choice if choice in choices]
    attacks = "attack that asks" if len(asking) == 1 else "attacks that ask"
    which = f" ({listed(parts)})" if parts else ""
    return f"Decided: {count(decided)} of {count(len(asking))} {attacks} for a decision{which}."


def decision_sentence(decision: Decision, standing: str) -> str:
    """Say what was decided, and whether the standing changed since."""
    what = "Noted" if decision.choice is None else decision.choice.capitalize()
    loss = "" if decision.alc is None else f" (ALC {loss_text(decision.alc)})"
    sentence = (
        f"{what} on {decision.made[:10]} at {decision.made[11:16]} UTC, when it was "
        f"“{decision.standing}”{loss}."
    )
    if standing != decision.standing:
        sentence += f" It is “{standing}” now: check the decision."
    return sentence


def with_decisions(
    frame: pd.DataFrame, made: Mapping[int, Decision], releases: Mapping[str, str]
) -> pd.DataFrame:
    """Return attacks with `decision`, `decision_note` and `decision_made`.

    The column `release_decision` has those of `releases`.
    """
    found = [made.get(number) for number in frame["number"].tolist()]
    return frame.assign(
        decision=["" if each is None else str(each.choice or "") for each in found],
        decision_note=["" if each is None else each.note for each in found],
        decision_made=["" if each is None else each.made for each in found],
        release_decision=[releases.get(name, "") for name in frame["release"].tolist()],
    )
