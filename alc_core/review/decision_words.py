"""Sentences about decisions on releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from alc_core.campaign.findings.decisions import (
    Choice,
    Decision,
    asking_attacks,
    progress_sentence,
    undecided_attacks,
)
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.candidates.decision import (
    PUBLISHED,
    ReleaseChoice,
    ReleaseDecision,
    exposes_more,
    open_attacks,
)
from alc_core.candidates.line import CandidateLine, Reason
from alc_core.phrasing import count, day_words, listed, numbered, percent, sentence_case
from alc_core.review.rows_words import linked_cure
from alc_core.scoring.verdict import Perhaps, Publishing, Verdict

_ICONS = {  # Not the marks of verdicts
    ReleaseChoice.PUBLISH: "●",
    ReleaseChoice.CONDITIONS: "◐",
    ReleaseChoice.CHANGE: "↻",
    ReleaseChoice.NOT: "⊘",
    ReleaseChoice.NOT_CHOSEN: "◌",
}


def opening_sentence(releases: Sequence[str], made: Mapping[str, ReleaseDecision]) -> str:
    """Say what was decided on releases, and what is open."""
    found: dict[ReleaseChoice | None, list[str]] = {}
    for release in releases:
        found.setdefault(made[release].choice if release in made else None, []).append(release)
    waiting = found.pop(None, [])
    if not found:
        return "No decision yet."
    parts = [
        _OPENINGS[choice].format(some(found[choice])) for choice in ReleaseChoice if choice in found
    ]
    opened = f" No decision yet: {some(waiting)}." if waiting else ""
    return f"{sentence_case('; '.join(parts))}.{opened}"


_OPENINGS = {
    ReleaseChoice.PUBLISH: "publish {}",
    ReleaseChoice.CONDITIONS: "publish {} under conditions",
    ReleaseChoice.CHANGE: "change {} and test again",
    ReleaseChoice.NOT: "do not publish {}",
    ReleaseChoice.NOT_CHOSEN: "not chosen: {}",
}


some = partial(listed, most=6)  # Lists releases, of many the first


def choice_words(choice: ReleaseChoice, releases: Sequence[str]) -> str:
    """Return a choice in words.

    Examples
    --------
    >>> choice_words(ReleaseChoice.CHANGE, ["A", "B"])
    'Change A and B and test again'
    """
    return sentence_case(_OPENINGS[choice].format(some(releases)))


def together_sentence(made: Mapping[str, ReleaseDecision]) -> str:
    """Say what publishing several releases accepts; empty for fewer."""
    published = [name for name, each in made.items() if each.choice in PUBLISHED]
    if len(published) < 2:
        return ""
    return f"{some(published)} may reveal more together."


def more_useful_sentence(lines: Sequence[CandidateLine]) -> str:
    """Name the most useful of several releases that expose nobody so far."""
    harmless = [
        line
        for line in lines
        if line.publishing in (Publishing.CLEAR, Publishing.EXAMINE)
        and line.reason in (Reason.BELOW_LIMIT, Reason.UNSURE, Reason.CERTAINTY)
        and not line.exposes
        and not (line.worst and line.worst.perhaps in (Perhaps.SERIOUS, Perhaps.AT_RISK))
    ]
    alike = {
        line.release: line.utility.relations_kept
        for line in harmless
        if line.utility is not None and line.utility.relations_kept is not None
    }
    if len(harmless) < 2 or len(alike) < len(harmless):
        return ""
    (best, most), (_, next_best), *_ = sorted(alike.items(), key=lambda each: -each[1])
    right = {line.release: line.utility.accuracy for line in harmless if line.utility}
    models = [each for each in right.values() if each is not None]
    equal = most - next_best < _SAME_RELATIONS
    least = min(models, default=None) if equal else right[best]
    if least is not None and max(models) - least >= _SAME_USE:
        return ""  # Models disagree
    names = some([line.release for line in harmless])
    found = f"{names}: no attack shows that anyone is exposed."
    if equal:
        return f"{found} They are about equally useful."
    return (
        f"{found} {best} is most useful: {percent(most)} of relations kept, next best "
        f"{percent(next_best)}."
    )


# Negligible differences of accuracy, and of relations kept (as of two samples of people)
_SAME_USE, _SAME_RELATIONS = 0.01, 0.05


def suggested_conditions(line: CandidateLine) -> str:
    """Return what the check knows must be done before publishing."""
    texts = "rewrite or remove people's texts" if line.texts else ""
    cures = [*filter(None, (linked_cure(line) if line.linked else "", texts))]
    return f"Before publication, {listed(cures)}." if cures else ""


def conditions_words(decision: ReleaseDecision) -> str:
    """Return a decision's conditions; that there are none if it needs some."""
    lacks = decision.choice is ReleaseChoice.CONDITIONS and not decision.conditions
    return "none entered" if lacks else decision.conditions


def decision_reason(line: CandidateLine, made: Mapping[str, ReleaseDecision]) -> str:
    """Return the decision's reason: the reviewer's, else what it accepts or prefers."""
    decision, exposed = made.get(line.release), line.people_exposed
    if decision is None or decision.choice is None:
        return ""
    if decision.reasons:
        return decision.reasons
    if moved := moved_sentence(decision, line):
        return moved
    if decision.choice in PUBLISHED and exposed and exposed.number:
        return f"No reason given. It accepts {exposed.words}."
    instead = [name for name, each in made.items() if each.choice in PUBLISHED]
    if decision.choice is not ReleaseChoice.NOT_CHOSEN or not instead:
        return ""
    return f"{some(instead)} {'is' if len(instead) == 1 else 'are'} published instead."


def release_choice_label(choice: ReleaseChoice) -> str:
    """Return a choice's icon and words.

    Examples
    --------
    >>> release_choice_label(ReleaseChoice.NOT)
    '⊘ Do not publish'
    """
    return f"{_ICONS[choice]} {choice.capitalize()}"


def advice_words(line: CandidateLine, decision: ReleaseDecision | None) -> str:
    """Return advice on a release; after a decision only objections, and what is open."""
    decided = decision is not None and decision.choice is not None
    return line.provisional if decided and line.publishing is not Publishing.CHANGE else line.words


def release_decision_sentence(decision: ReleaseDecision, line: CandidateLine) -> str:
    """Say who decided what and when, and whether it changed since."""
    what = "Noted" if decision.choice is None else "Decided"
    who = f" by {decision.name}" if decision.name else ""
    when = f" on {day_words(decision.day or decision.made[:10])}"
    # Attacks are only added: it also awaited a model then
    so_far = " so far" if line.awaits_model and line.standing == decision.standing else ""
    then = f"“{decision.standing}{so_far}” then" if decision.standing else "without a result then"
    moved = moved_sentence(decision, line)
    return f"{what}{who}{when}. Its worst attack was {then}. {moved}".rstrip()


def moved_sentence(decision: ReleaseDecision, line: CandidateLine) -> str:
    """Say if a release's standing changed since the decision."""
    if line.standing != decision.standing:
        now = f"is “{line.standing}” now" if line.standing else "is without a result now"
    elif (told := line.people_exposed) and exposes_more(decision, line):
        now = f"exposes {told.how} {count(told.number)} of {count(told.of)} people now"
    else:
        return ""
    return f"It {now}. Check the decision."


def attacks_sentence(
    overview: CampaignOverview,
    made: Mapping[int, Decision],
    releases: Mapping[str, ReleaseDecision],
) -> str:
    """Say how many attacks that need a decision have one, besides releases'."""
    asking = asking_attacks(overview)
    if not any(d.choice is not None for n, d in releases.items() if n in overview.releases):
        return progress_sentence(overview, made)
    if not asking:
        return ""
    without, waiting = undecided_attacks(overview, made), open_attacks(overview, made, releases)
    own, covered = len(asking) - len(without), len(without) - len(waiting)
    parts = [
        f"{count(number)} {one if number == 1 else many}"
        for number, one, many in (
            (own, "has its own", "have their own"),
            (covered, "is covered by its release's decision",
             "are covered by their release's decision"),
            (len(waiting), "has none yet", "have none yet"),
        )
        if number
    ]  # fmt: skip
    if covered == len(asking):
        return f"Decided with their release: {numbered(covered, 'attack')}."
    needs = "needs" if len(asking) == 1 else "need"
    many = f" ({count(overview.exposing)} for exposing many people)" if overview.exposing else ""
    return f"{numbered(len(asking), 'attack')} {needs} a decision{many}: {listed(parts)}."


def objections(
    line: CandidateLine,
    overview: CampaignOverview,
    made: Mapping[int, Decision],
    choice: ReleaseChoice | None,
) -> tuple[str, ...]:
    """Say what speaks against a decision, and what it accepts."""
    if choice not in PUBLISHED:
        return ()
    found = []
    numbers = set(overview.results["number"].tolist())
    reduce = sum(n in numbers and d.choice is Choice.REDUCE for n, d in made.items())
    opened = len(undecided_attacks(overview, made))
    if reduce:
        are = "attack is" if reduce == 1 else "attacks are"
        found.append(f"{count(reduce)} {are} still marked “reduce”.")
    if opened:
        needs = f"{'needs' if opened == 1 else 'need'} attention"
        found.append(
            f"This accepts the risk of {numbered(opened, 'attack')} that {needs}."
            if choice is ReleaseChoice.PUBLISH
            else f"{numbered(opened, 'attack')} {needs}: the conditions must cover "
            f"{'it' if opened == 1 else 'them'}."
        )
    if line.standing == Verdict.SERIOUS and choice is ReleaseChoice.PUBLISH:
        found.append("An attack is serious: do not publish unchanged.")
    if line.linked and choice is ReleaseChoice.PUBLISH:
        found.append(f"Rows can be traced. First {linked_cure(line)}.")
    real = (
        (line.texts, "It contains people's texts."),
        (line.verbatim, "It contains real records."),
        (line.together, "It holds single people's values, untested."),
    )
    found += [said for holds, said in real if holds]
    unknown = line.publishing is Publishing.UNKNOWN
    missing = line.to_run + line.failed + (line.skipped if unknown else 0)
    if missing:
        found.append(
            f"{numbered(missing, 'attack')} {'has' if missing == 1 else 'have'} no result."
        )
    elif not line.planned:
        why = "fitted into the time" if line.left_out else "was possible"
        found.append(f"No attack {why}, so the risk is unknown.")
    elif unknown:
        found.append("Nothing could be tested, so the risk is unknown.")
    return tuple(found)
