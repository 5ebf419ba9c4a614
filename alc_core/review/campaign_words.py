"""Sentences about a campaign and its releases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from alc_core.attacks.registry import model_attack
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import KnownSetKind, own_conditions
from alc_core.campaign.rescore.rescoring import Flips
from alc_core.candidates.line import WORST_FIRST, CandidateLine, Reason, publishing_of
from alc_core.candidates.lines import asking_for_model
from alc_core.note import COPIED_TITLE, LINKED_TITLE, TEXTS_TITLE, TOGETHER_TITLE
from alc_core.phrasing import (
    by_chance,
    count,
    facts_there,
    listed,
    loss_text,
    numbered,
    percent,
    quoted,
    sentence_case,
    short_name,
    there,
)
from alc_core.review.attack_words import verdict_text
from alc_core.review.release_words import learned_sentence, unlinked_words
from alc_core.review.rows_words import (
    copied_sentence,
    linked_words,
    own_values_sentence,
    texts_sentence,
    together_words,
    traced_sentence,
)
from alc_core.scoring.parameters import PARAMETER_TITLES, ScoringParameters, parameter_text
from alc_core.scoring.verdict import (
    ASKING,
    HARMLESS,
    OUTCOMES,
    VERDICT_TITLES,
    Perhaps,
    Verdict,
    perhaps,
)
from alc_core.tables.checks.facts import FactKind, Weight


def headline(overview: CampaignOverview) -> str:
    """Say what a campaign found, and what is missing."""
    decided = overview.tested
    if overview.worst is None:
        sentences = ["No attack has a result yet."]
    elif not decided:
        sentences = []
    elif not overview.asking and decided == 1:
        sentences = ["The only attack with a result needs no attention."]
    elif not overview.asking:
        sentences = [f"None of {numbered(decided, 'attack')} needs attention."]
    else:
        kinds = [f"{count(overview.counts[v])} {v}" for v in ASKING if overview.counts[v]]
        kinds += [f"{count(overview.exposing)} exposing many people"] if overview.exposing else []
        needs, them = "needs" if overview.asking == 1 else "need", ""
        if overview.asking > 1:
            them = f"{count(overview.through)} of them "
        through = f"; {them}through fewer facts only" if overview.through else ""
        sentences = [
            f"{count(overview.asking)} of {numbered(decided, 'attack')} {needs} attention: "
            f"{listed(kinds)}{through}."
        ]
    parts = (_worst_sentence(overview), _nothing_left_sentence(overview), _rest_sentence(overview))
    sentences += filter(None, parts)
    return " ".join(sentences)


def _worst_sentence(overview: CampaignOverview) -> str:
    if overview.worst is None or not overview.tested:
        return ""
    standing, loss = overview.stands(overview.worst)
    if loss <= 0 and standing == Verdict.NO_LOSS:
        return "No attack does clearly better than guessing."
    worst = overview.every[overview.worst]
    through = overview.row(overview.worst)["through"]  # The facts it uses may be fewer
    known = (worst if through is None else overview.every[through]).scenario.known
    own = own_conditions(overview.every.values())[overview.worst]
    size = f"ALC {loss_text(loss)}" if loss > 0 else "ALC not above 0"
    return (
        f"Worst attack by ALC: someone who knows {facts_there(known, overview.absent)} can infer "
        f"'{short_name(worst.scenario.wanted)}' from "
        f"{worst.release}{f', by {own}' if own else ''} ({size}, {standing})."
    )


def _nothing_left_sentence(overview: CampaignOverview) -> str:
    if not overview.nothing_left:
        return ""
    which = (
        numbered(overview.nothing_left, "attack")
        if overview.nothing_left < overview.finished
        else "All attacks"
        if overview.finished > 1
        else "The only attack with a result"
    )
    return f"{which} could not be tested: nearly everyone is easy to guess."


def _rest_sentence(overview: CampaignOverview) -> str:
    counted = [
        (overview.failed, "failed"),
        (overview.skipped, "skipped: their release was settled"),
        (overview.to_run, "has not run yet" if overview.to_run == 1 else "have not run yet"),
    ]
    parts = [f"{count(number)} {what}" for number, what in counted if number]
    return f"Not counted: {listed(parts)}." if parts else ""


def overview_title(overview: CampaignOverview) -> str:
    """Return a campaign's state by its worst attacks, briefly."""
    standing, decided = overview.standing, overview.tested
    if standing is None:
        return "No attack has a result yet"
    if not decided:
        return "Nothing could be tested"
    of_planned = f"{count(overview.finished)} of {count(overview.planned)}"
    if standing in HARMLESS and overview.exposing:
        of_tested = f"{count(overview.exposing)} of {numbered(decided, 'attack')}"
        more = overview.to_run or overview.left_out
        return f"Many people exposed in {of_tested}{' so far' if more else ''}"
    if standing in HARMLESS and overview.to_run:
        return f"No risk found so far ({of_planned})"
    if standing in HARMLESS and overview.failed:
        return f"No risk found in {of_planned} attacks"
    found = overview.counts[standing]
    of_all = f"{count(found)} of {count(decided)} attacks"
    every = "all attacks" if decided > 1 else "the only attack"
    if decided == 1:
        of_all = every
    if overview.nothing_left:
        every = f"{every} that could be tested"
    title = {
        Verdict.BELOW_LIMIT: f"Below the limit in {every}",
        Verdict.NO_LOSS: f"No loss of anonymity in {every}",
    }.get(Verdict(standing)) or f"{VERDICT_TITLES[Verdict(standing)]} in {of_all}"
    return f"{title} so far" if overview.to_run or overview.left_out else title


def advice(overview: CampaignOverview) -> str:
    """Say what the verdict asks for; empty without a result."""
    if overview.standing is None:
        return ""
    unused = Perhaps.UNMATCHED in inconclusive_kinds(overview)
    return verdict_text(
        overview.standing,
        "campaign",
        at_risk=f"{overview.scoring.at_risk:g}",
        unused=f" {verdict_text('inconclusive, a column unmatched', 'campaign')}" if unused else "",
    )


def chance_sentence(overview: CampaignOverview) -> str:
    """Say how chance may flag harmless attacks; empty for fewer than two.

    Attacks with one fact fewer count: they may flag others.
    """
    error, scoring = overview.error, overview.scoring
    if error.attacks < 2:
        return ""
    many, level = count(error.attacks), percent(1.0 - scoring.confidence)
    attacks = f"{many} attacks"
    if error.one_less:
        attacks += f", {count(error.one_less)} of them with one fact fewer"
    if scoring.control == "family-wise":
        return (
            f"Verdicts allow for {attacks} (family-wise): chance flags one in at most {level} of "
            "reviews."
        )
    if scoring.control == "false discovery":
        return (
            f"Verdicts allow for {attacks} (false discovery rate): chance flags at most {level} of "
            "flagged ones."
        )
    return (
        f"Each of {attacks}{',' if error.one_less else ''} is judged alone: "
        f"{by_chance(error.as_estimated)} of other samples would flag one more."
    )


def inconclusive_kinds(overview: CampaignOverview) -> dict[Perhaps, int]:
    """Count inconclusive attacks by what is open, worst first."""
    rows = overview.results[overview.results["standing"] == Verdict.INCONCLUSIVE]
    found = rows[["standing_alc", "standing_low", "standing_high"]].to_numpy(dtype=float)
    kinds = [
        perhaps(Verdict.INCONCLUSIVE, alc, low, high, overview.scoring) for alc, low, high in found
    ]
    return {kind: kinds.count(kind) for kind in Perhaps if kind in kinds}


def what_if_text(now: ScoringParameters, run: ScoringParameters) -> str:
    """List parameters that differ from the run's.

    Examples
    --------
    >>> what_if_text(ScoringParameters(alpha=0.5, r_min=0.01), ScoringParameters())
    'alpha 0.5, R_min 0.01'
    """
    before, after = run.to_dict(), now.to_dict()
    return ", ".join(
        f"{PARAMETER_TITLES[name]} {parameter_text(value)}"
        for name, value in after.items()
        if value != before[name]
    )


def flips_sentence(flips: Flips) -> str:
    """Say how many attacks change their verdict, and how."""
    if not len(flips):
        return ""
    changed = flips.counts.copy()
    np.fill_diagonal(changed, 0)
    order = np.argsort(-changed, axis=None, kind="stable")
    parts = [
        f"{count(int(changed[before, after]))} from {OUTCOMES[before]} to {OUTCOMES[after]}"
        for before, after in zip(*np.unravel_index(order, changed.shape), strict=True)
        if changed[before, after]
    ]
    verb = "attack changes" if len(flips) == 1 else "attacks change"
    return f"{count(len(flips))} {verb}: {listed(parts)}."


def title_standing(overview: CampaignOverview) -> str:
    """Return the title's standing: harmless only if nothing is missing."""
    standing = overview.standing or Verdict.NOT_TESTABLE
    if standing not in HARMLESS:
        return standing
    if overview.exposing:
        return Verdict.INCONCLUSIVE
    return Verdict.NOT_TESTABLE if overview.to_run or overview.failed else standing


def candidates_title(lines: Sequence[CandidateLine]) -> str:
    """Say how many releases should not be published."""
    if all(line.standing is None for line in lines):
        return "No attack has a result yet"
    of_each = publishing_of(lines)
    found, number = Counter(of_each.values()), len(of_each)
    one, so_far = number == 1, any(line.to_run or line.so_far for line in lines)

    refused, examined, unknown, clear = (found[each] for each in WORST_FIRST)
    releases = numbered(number, "release")
    parts: list[str] = []

    def some(number: int) -> str:
        return count(number) if parts else f"{count(number)} of {releases}"

    if refused:
        parts.append(
            f"do not publish {'the release' if one else f'any of {releases}'}"
            if refused == number
            else f"{some(refused)} should not be published unchanged"
        )
    if examined:
        parts.append(
            "examine the release before publishing"
            if one
            else f"{some(examined)} {'needs' if examined == 1 else 'need'} examining"
            f"{'' if parts else ' before publishing'}"
        )
    if clear:
        parts.append(f"no problem found in {'the release' if one else some(clear)}")
    if clear and any(line.awaits_model for line in lines) and not so_far:
        parts[-1] += " so far"
    title = ", ".join(parts)
    if so_far:
        return f"So far: {title or 'no problem found'}"
    title = sentence_case(title)
    if unknown:
        title = f"{title}; {count(unknown)} without a result" if title else "No result yet"
    return title


def not_attacked_sentences(lines: Sequence[CandidateLine]) -> list[str]:
    """Say which columns were attacked only on other releases, alike ones together."""
    lacking: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for line in lines:
        if line.not_attacked:
            has = there(line.not_attacked, line.absent)
            lacks = there(line.not_attacked, has)
            lacking.setdefault((has, lacks), []).append(line.release)
    return [_not_attacked(names, *columns) for columns, names in lacking.items()]


def _not_attacked(names: Sequence[str], has: Sequence[str], lacks: Sequence[str]) -> str:
    one, said = len(names) == 1, []
    which, was, have = listed(list(names)), "was" if one else "were", "has" if one else "have"
    if has:
        said.append(f"{which} {was} not attacked on {_named(has)}, unlike other releases.")
    if lacks:
        said.append(f"{which} {have} no values of {_named(lacks)}: match renamed columns, if any.")
    return " ".join(said)


def _named(columns: Sequence[str]) -> str:
    few = len(columns) <= _NAMED
    return quoted(columns) if few else f"{count(len(columns))} columns"


_NAMED = 6  # Columns named one by one


def release_sentences(
    view: CampaignView, lines: Sequence[CandidateLine], scoring: ScoringParameters
) -> list[str]:
    """Say what was left out and, by release, what is learned, traced and kept.

    See also :func:`stopped_sentences`.
    """
    said = [*filter(None, [left_out_sentence(view)])]
    for line in lines:
        parts = (
            "" if line.reason in (Reason.LINKED, Reason.TEXTS, Reason.TOGETHER)
            else learned_sentence(view, line, scoring, stopped_said=True),
            traced_sentence(line),
            own_values_sentence(line, advise=False),
        )  # fmt: skip
        if line.standing is not None and any(parts):
            said.append(f"{line.release}: {' '.join(filter(None, parts))}")
    return [*said, *not_attacked_sentences(lines)]


def left_out_sentence(view: CampaignView) -> str:
    """Say how many planned attacks, and attackers, were left out to save time."""
    left, minutes = Counter[KnownSetKind](), set[int]()
    for each in view.left_out.values():
        left.update(each.attacks.values())
        minutes.add(each.minutes)
    if not left:
        return ""
    kinds = {attack.kind for attack in view.judged}
    whole = [kind.attacker for kind in KnownSetKind if kind in left and kind not in kinds]
    number, planned = left.total(), len(view.judged) + left.total()
    time = f"finish in {numbered(max(minutes), 'minute')}" if len(minutes) == 1 else "save time"
    return (
        f"{count(number)} of {numbered(planned, 'planned attack')} "
        f"{'was' if number == 1 else 'were'} left out to {time}"
        f"{f', including all by {listed(whole)}' if whole else ''}."
    )


def untried_sentence(lines: Sequence[CandidateLine]) -> str:
    """Advise to run a model where the verdict lacks one."""
    names = asking_for_model(lines)
    where = f" on {listed(names)}" if len(names) < len(lines) else ""
    advice = f"Not yet run: the attack “{model_attack()}”{where}. Run it if the data are synthetic."
    return advice if names else ""


def stopped_sentences(lines: Sequence[CandidateLine]) -> list[str]:
    """Say the check's findings that stop releases whatever attacks find."""
    said = []
    for line in lines:
        if not line.stopped:
            continue
        linked = (
            f"{LINKED_TITLE}. {linked_words(line)}{unlinked_words(line)}" if line.linked else ""
        )
        copied = f"{COPIED_TITLE}. {copied_sentence(line)}" if line.verbatim else ""
        texts = f"{TEXTS_TITLE}. {texts_sentence(line)}" if line.texts else ""
        kept = f"{TOGETHER_TITLE}. {together_words(line)}" if line.together else ""
        said.append(f"{line.release}: {' '.join(filter(None, (linked, copied, texts, kept)))}")
    return said


def strangers_sentence(lines: Sequence[CandidateLine]) -> str:
    """Ask for the original if nothing matches it and nobody is exposed."""
    asking = [
        line.release
        for line in lines
        for file in line.facts
        if (fact := file.fact(FactKind.ORIGINAL))
        and fact.weight is Weight.ASK
        and not (line.exposes or line.traced)  # which only the right one shows
    ]
    if not asking:
        return ""
    matches = "matches" if len(asking) == 1 else "match"
    return (
        f"{listed(asking)} {matches} the original no better than chance. Unless synthetic, is "
        "this the right original?"
    )
