"""What was decided about attacks, as the report tells it."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.assessment.words import loss_text
from alc_core.campaign.findings.decisions import (
    CHOICE_MEANINGS,
    Decision,
    choice_label,
    decisions,
    progress_sentence,
    undecided_attacks,
)
from alc_core.campaign.findings.overview import what_if_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.report.html.attacks import Line, attack_lines
from alc_core.report.html.options import ReportOptions
from alc_core.report.html.standings import Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionLine:
    """A decision, and whether it still is about what the report says.

    Attributes
    ----------
    number : int
        Of the attack.
    what, short : str
        Who learns what from which release; and the same without what is known.
    label, note, made : str
        What was decided, why, and when.
    then : str
        Where the attack stood, with its ALC and parameters other than the report's.
    now : Standing or None
        Where it stands under the report's scoring; None without a result.
    moved : bool
        Whether the two differ.
    """

    number: int
    what: str
    short: str
    label: str
    note: str
    made: str
    then: str
    now: Standing | None
    moved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPart:
    """What was decided.

    Attributes
    ----------
    progress : str
        How many of the attacks that ask for a decision have one.
    lines : tuple of DecisionLine
        By where the attacks stand.
    open : tuple of Line
        Attacks that ask for a decision and have none.
    meanings : tuple of tuple of str
        Each choice with what it says.
    """

    progress: str
    lines: tuple[DecisionLine, ...]
    open: tuple[Line, ...]
    meanings: tuple[tuple[str, str], ...]


def decision_part(view: CampaignView, options: ReportOptions) -> DecisionPart:
    """Return what was decided, and what is still open."""
    overview, made = view.overview(options.scoring), decisions(view.store)
    attacks = {attack.number: attack for attack in view.attacks}
    lines = attack_lines(overview, attacks)
    standing = {line.number: line.standing for line in lines}
    order = [*standing, *(number for number in made if number not in standing)]
    missing = set(undecided_attacks(overview, made))
    return DecisionPart(
        progress=progress_sentence(overview, made),
        lines=tuple(
            _decision_line(attacks[number], made[number], standing.get(number), options)
            for number in order
            if number in made
        ),
        open=tuple(line for line in lines if line.number in missing),
        meanings=tuple((choice_label(each), text) for each, text in CHOICE_MEANINGS.items()),
    )


def _decision_line(
    attack: PlannedAttack, made: Decision, now: Standing | None, options: ReportOptions
) -> DecisionLine:
    loss = "" if made.alc is None else f", ALC {loss_text(made.alc)}"
    other = what_if_text(made.scoring, options.scoring)
    scored = f" (with {other})" if other else ""
    return DecisionLine(
        number=attack.number,
        what=attack.words,
        short=f"Attack {attack.number} ({attack.scenario.unknown} from {attack.release})",
        label="Note only" if made.choice is None else choice_label(made.choice),
        note=made.note,
        made=f"{made.made[:10]} {made.made[11:16]} UTC",
        then=f"{made.standing[:1].upper()}{made.standing[1:]}{loss}{scored}",
        now=now,
        moved=now is None or now.word.lower() != made.standing,
    )
