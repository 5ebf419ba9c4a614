"""Sentences about one release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from alc_core.assessment.result import Assessment
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.line import AttackNumbers, CandidateLine, Reason
from alc_core.candidates.lines import attack_numbers
from alc_core.phrasing import (
    count,
    facts_there,
    listed,
    loss_text,
    named_facts,
    numbered,
    percent,
    quoted,
    sentence_case,
    there,
)
from alc_core.review.attack_words import CERTAINTY, short_sentence, too_few_words
from alc_core.review.rows_words import (
    LINKING,
    copied_sentence,
    linked_words,
    not_clear_sentence,
    texts_sentence,
    together_words,
)
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import FLAGGED, Perhaps, Verdict
from alc_core.tables.checks.facts import FactKind


def untested_sentence(columns: Sequence[str]) -> str:
    """Name the columns no attack tested; empty if none."""
    if not columns:
        return ""
    return f"Not testable: {quoted(columns)}, easy to guess for nearly everyone."


def through_sentence(row: Mapping[Any, Any], facts: str | None) -> str:
    """Say what a subset attack adds; empty if nothing."""
    if facts is None:
        return ""
    more = row["standing_alc"] > max(row["decisive_alc"], 0.0)
    what = "learns more, with an" if more else "reaches an"
    return (
        f"Knowing only {facts}, the attack {what} ALC of {loss_text(row['standing_alc'])} "
        f"({row['standing']})."
    )


_ALIKE = 0.02  # Smaller differences of precision count as equal


_TOO_FEW = "Too few people to test in {attacks}{most}."


_NO_RESULT = "No attack has a result yet."


_NO_TIME = "Attacks were left out to save time."


_NO_ATTACK = "Not attacked: the release lacks needed columns."


_REASONS: Mapping[Reason, str] = {
    Reason.LINKED: "{linked}",
    Reason.TEXTS: "{texts}",
    Reason.VERBATIM: "{verbatim}",
    Reason.TOGETHER: "{together}",
    Reason.EXPOSED: "The release reveals {exposed} for them, unlike the best guess{short}.",
    Reason.CERTAINTY: CERTAINTY,
    Reason.UNSURE: "{unsure}. {decide}",
    Reason.UNCONVERGED: "The attack on {worst} did not converge. Use another attack.",
    Reason.BELOW_LIMIT: "No attack does much better than guessing.",
    Reason.TOO_FEW: "{few}",
    Reason.NOTHING: "Nothing could be tested. Choose columns that are harder to guess.",
}


# Possible harm, by whether a column's values lead to people
_LINKED_HARMS = {
    False: "Anyone who knows the original's row order can identify every person.",
    True: "Anyone who knows the look-up values finds rows.",
}


# Possible harm, by deciding reason
_HARMS: Mapping[Reason, str] = {
    Reason.TEXTS: "Anyone can read what people's texts reveal.",
    Reason.VERBATIM: "Anyone who recognizes a copied row can read the rest.{also}",
    Reason.TOGETHER: "It publishes single people's {kept}.",
    Reason.EXPOSED: "{who} could infer {wanted} for about {number} of {people} people.",
    Reason.CERTAINTY: "{who} could be certain of {wanted} where others guess.",
    Reason.TOO_FEW: "Unknown: too few people to test.",
    Reason.NOTHING: "Unknown: too few people to test.",
    Reason.BELOW_LIMIT: "Nothing found by these attacks{at_most}.",
    Reason.UNSURE: "Unknown: {who} might infer {wanted}{of_whom}.",
    Reason.UNCONVERGED: "Unknown: the attack on {wanted} did not converge.",
}


_AT_MOST = "; by their intervals, each exposes at most {most} of {people} people"


def line_sentence(line: CandidateLine) -> str:
    """Say what attacks found on a release, with the worst."""
    if line.standing is None:
        return reason_sentence(line)
    tested = line.finished - line.counts[Verdict.NOT_TESTABLE]
    parts = [f"{count(number)} {standing}" for standing, number in line.counts.items() if number]
    text = f"{numbered(line.finished, 'attack')}: {listed(parts)}"
    if len(parts) == 1:
        text = (
            "not testable" if not tested
            else f"{line.standing} in {'all ' if tested > 1 else ''}{numbered(tested, 'attack')}"
        )  # fmt: skip
    found = f"{sentence_case(text)}{_missing(line)}."
    untested = untested_sentence(line.untested) if tested else ""
    linked = linked_words(line) if line.linked else ""
    more = (
        _exposing_words(line), _too_few_words(line), _worst(line), untested, linked,
        copied_sentence(line), texts_sentence(line),
    )  # fmt: skip
    return " ".join(filter(None, (found, *more)))


def _exposing_words(line: CandidateLine) -> str:
    if not line.exposing:
        return ""
    exposes = "exposes" if line.exposing == 1 else "expose"
    return f"{count(line.exposing)} of those below the limit {exposes} many people."


def _too_few_words(line: CandidateLine) -> str:
    few = line.counts[Verdict.TOO_FEW]
    attacks = "all attacks" if few == line.finished else numbered(few, "attack")
    concerned = line.concerned.get(Verdict.TOO_FEW, 0)
    of = count(line.worst.people) if line.worst else ""
    most = f": each concerns at most {count(concerned)} of {of}" if concerned else ""
    return _TOO_FEW.format(attacks=attacks, most=most) if few else ""


def utility_sentence(line: CandidateLine, *, briefly: bool = False) -> str:
    """Say a release's usefulness; empty if not measured."""
    found = line.utility
    if found is None:
        return ""
    parts = []
    if found.relations_kept is not None:
        parts.append(f"{percent(found.relations_kept)} of relations between columns kept")
    if found.accuracy is not None and found.original_accuracy is not None and not briefly:
        more, original = found.accuracy - found.original_accuracy, percent(found.original_accuracy)
        own = more > 0 and (line.copied is not None or line.traced is not None)
        if abs(more) < _ALIKE and not own:
            compared = f"about like the original's, {original}"
        else:
            why = "; own rows help" if own else ""
            compared = f"trained on the original: {original}{why}"
        parts.append(f"models {percent(found.accuracy)} accurate ({compared})")
    return f"Usefulness: {', '.join(parts)}." if parts else ""


def _missing(line: CandidateLine) -> str:
    parts = [
        f"{count(number)} {words}"
        for number, words in (
            (line.failed, "failed"),
            (line.skipped, "skipped: the release is settled"),
            (line.to_run, "still to run"),
            (line.left_out, "left out to save time"),
        )
        if number
    ]
    return f" ({listed(parts)})" if parts else ""


def learned_sentence(
    view: CampaignView,
    line: CandidateLine,
    scoring: ScoringParameters,
    *,
    stopped_said: bool = False,
) -> str:
    """Say what the worst attack learns, or what else decides.

    People exposed, shown beside, may be another attack's.
    """
    more = line.reason is Reason.EXPOSED and not line.flagged
    no_attack = (Reason.LINKED, Reason.TEXTS, Reason.TOGETHER)
    if line.worst is None or line.reason in no_attack or more:
        return reason_sentence(line)
    said = short_sentence(view.assessment(line.worst.attack.number, scoring))
    if (fewest := _fewest_facts(view, line, scoring)) is not None:
        facts, exposed = fewest
        said += f" Knowing only {named_facts(facts)} is enough for about {count(exposed)} people."
    if line.verbatim and not stopped_said:  # before what an attack finds
        said = f"{copied_sentence(line)} {said}"
    told = line.people_exposed
    if told and told.number and told.wanted != line.worst.attack.scenario.wanted:
        exposes = "might expose" if told.perhaps else "exposes"
        said += f" An attack on '{told.wanted}' {exposes} more people."
    if line.standing != Verdict.INCONCLUSIVE:
        return said
    results = view.only(line.release).overview(scoring).results
    numbers = results.loc[results["standing"] == Verdict.INCONCLUSIVE, "number"]
    learned = dict.fromkeys(view.attack(int(number)).scenario.wanted for number in numbers)
    others = [each for each in learned if each != line.worst.attack.scenario.wanted]
    return f"{said} Also inconclusive: {quoted(others, most=9)}." if others else said


def _fewest_facts(
    view: CampaignView, line: CandidateLine, scoring: ScoringParameters
) -> tuple[Sequence[str], int] | None:
    """Return the fewest facts that reveal a flagged release's column as well, and people.

    None if the worst attack knows fewer than twice as many, or they expose nobody.
    """
    if line.worst is None or not line.flagged:
        return None
    attack, results = line.worst.attack, view.only(line.release).overview(scoring).results
    alike = results.loc[
        (results["unknown"] == attack.scenario.unknown)
        & (results["verdict"] == line.standing)
        & (results["exposed_low"] > 0)
    ]
    sets = [
        (there(view.attack(int(number)).scenario.known, line.absent), round(exposed))
        for number, exposed in zip(alike["number"], alike["exposed"], strict=True)
    ]
    fewest = min(sets, key=lambda each: (len(each[0]), -each[1]), default=None)
    own = len(there(attack.scenario.known, line.absent))
    return fewest if fewest is not None and len(fewest[0]) <= own / 2 else None


def told_sentences(view: CampaignView, line: CandidateLine, scoring: ScoringParameters) -> str:
    """Say what is learned, and where a low ALC does not clear a release."""
    return f"{learned_sentence(view, line, scoring)} {not_clear_sentence(line)}".rstrip()


def reason_sentence(line: CandidateLine) -> str:
    """Say what decides about a release."""
    worst, reason = line.worst, line.reason
    if line.standing is None and reason is Reason.NOTHING:
        return _NO_RESULT if line.planned else _NO_TIME if line.left_out else _NO_ATTACK
    text = _REASONS[reason].format(
        linked=linked_words(line) if reason is Reason.LINKED else "",
        texts=texts_sentence(line),
        verbatim=copied_sentence(line) if reason is Reason.VERBATIM else "",
        together=together_words(line),
        worst=f"'{worst.attack.scenario.wanted}'" if worst else "",
        unsure=_unsure_words(line, worst) if worst else "",
        decide=sentence_case(too_few_words(worst.more)) if worst else "",
        few=_too_few_words(line),
        exposed=f"'{line.most.attack.scenario.wanted}'" if line.most else "",
        short="" if line.flagged else ", although no attack is clearly above the limit",
    )
    return f"{text}{unlinked_words(line)}"


def unlinked_words(line: CandidateLine) -> str:
    """Say how many attacks find a risk even without links to rows."""
    if line.reason is not Reason.LINKED or not line.flagged or line.by_link:
        return ""
    flagged = sum(line.counts[standing] for standing in FLAGGED)
    finds = "finds" if flagged == 1 else "find"
    return f" Even after that, {numbered(flagged, 'attack')} {finds} a risk."


def _unsure_words(line: CandidateLine, worst: AttackNumbers) -> str:
    if worst.perhaps is not Perhaps.UNSHOWN:
        return f"It is unclear whether '{worst.attack.scenario.wanted}' can be inferred"
    inconclusive, attacks = line.counts[Verdict.INCONCLUSIVE], numbered(line.finished, "attack")
    uncertain = (
        f"{count(inconclusive)} of {attacks} {'is' if inconclusive == 1 else 'are'} inconclusive"
    )
    return f"No attack is clearly above the limit, but {uncertain}"


def line_exposed_words(line: CandidateLine) -> str:
    """Say how many people the most exposing attack exposes."""
    told = line.people_exposed
    if told is None:
        return ""
    return f"{told.words} ({told.by})" if told.number else told.words


def lucky_sentence(view: CampaignView, number: int, shown: Assessment) -> str:
    """Say if the people an attack exposes are no more than chance."""
    if shown.verdict in FLAGGED or shown.exposed_interval[0] <= 0:
        return ""
    found = attack_numbers(view.only(view.attack(number).release), number, shown.scoring)
    if found.exposes:
        return ""
    return (
        f"Perhaps chance: among so many attacks, one exposes about {count(round(found.by_chance))} "
        "anyway."
    )


def harm_sentence(line: CandidateLine) -> str:
    """Say in one sentence what could go wrong if published."""
    told = line.most or line.worst
    if told is None:
        why = "has a result yet" if line.planned or line.left_out else "was possible"
        return f"Unknown: no attack {why}."
    exposed, of_whom = line.people_exposed, ""
    if line.linked:
        kinds = [file.fact(kind) for file in line.facts for kind in LINKING]
        found = next(filter(None, kinds), None)
        said = _LINKED_HARMS[found is not None and found.kind is FactKind.PSEUDONYM]
        if not (exposed and line.exposes) or line.by_link:
            return said
        return (
            f"{said} Without it, about {count(exposed.number)} of {count(exposed.of)} people are "
            "exposed."
        )
    facts = facts_there(told.attack.scenario.known, line.absent)
    few = line.reason in (Reason.BELOW_LIMIT, Reason.UNSURE) and line.exposes
    if exposed and exposed.number:
        how = "up to" if exposed.perhaps else "about"
        of_whom = f" for {how} {count(exposed.number)} of {count(exposed.of)} people"
    most = max(line.concerned.values(), default=0)
    said = _HARMS[Reason.EXPOSED if few else line.reason].format(
        at_most=_AT_MOST.format(most=count(most), people=count(told.people)) if most else "",
        who=f"someone who knows {facts} about a person",
        wanted=f"'{told.attack.scenario.wanted}'",
        number=count(exposed.number if exposed else 0),
        people=count(told.people),
        also=f" An attack on '{exposed.wanted}' exposes about {count(exposed.number)} people."
        if exposed and line.exposes
        else "",
        of_whom=of_whom,
        kept=named_facts(line.together[0].columns) if line.together else "",
    )
    return sentence_case(said)


def _worst(line: CandidateLine) -> str:
    worst, most = line.worst, line.most
    if worst is None or most is None or worst.alc <= 0:
        return ""
    found = f"ALC {loss_text(worst.alc)}{f' ({worst.interval})' if worst.interval else ''}"
    exposed = line.people_exposed
    # Of several with the worst verdict, another may have a higher ALC
    alike = most is worst and most.exposes and line.counts.get(line.standing or "", 0) > 1
    which = "attack that exposes most" if alike else "worst attack"
    said = f"The {which} infers '{worst.attack.scenario.wanted}': {found}"
    if exposed and exposed.perhaps:
        said += f". {sentence_case(line_exposed_words(line))}."
    elif not (exposed and most.exposes):
        said += ", finding nobody exposed beyond chance."
    elif most is worst:
        said += f", {exposed.words}."
    else:  # One number of people per release everywhere
        said += f". Another attack, on '{exposed.wanted}', exposes more: {exposed.words}."
    return said if line.exposes or not line.flagged else f"{said} {CERTAINTY}"
