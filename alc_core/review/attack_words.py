"""Sentences about one attack and its people."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from alc_core.assessment.people import (
    exposed_number,
    perhaps_exposed,
    right_words,
)
from alc_core.assessment.result import Assessment
from alc_core.note import REPLAYED, Note, stopping_title
from alc_core.phrasing import (
    by_chance,
    count,
    facts_there,
    facts_words,
    listed,
    loss_text,
    numbered,
    percent,
    quoted,
    short_name,
    texts_beside,
)
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import ENOUGH_TARGETS
from alc_core.scoring.curves import LEAST_SEEN, MeasuredPoint
from alc_core.scoring.parameters import PARAMETER_TITLES, parameter_text
from alc_core.scoring.readings import READING_TITLES, READINGS, ReadingName
from alc_core.scoring.verdict import (
    FLAGGED,
    HARMLESS,
    VERDICT_TITLES,
    Perhaps,
    Verdict,
    perhaps,
    standing_words,
)

_TEXTS = texts_beside(__file__)


_NEARLY = 1.1  # Factor of people attacked: about as many
_HOPELESS = 100  # Factor of people that would not decide: the loss is too close to the limit


def interval_text(assessment: Assessment, reading: ReadingName | None = None) -> str:
    """Return an interval of ALC, such as "95% interval 0.15 to 0.31"."""
    low, high = assessment.interval_of(reading or assessment.decisive)
    interval = f"{percent(assessment.scoring.confidence)} interval"
    if not assessment.interval_exact:
        interval += " ≈"
    if high <= 0:
        return f"{interval}: no loss throughout"
    return f"{interval} {loss_text(low)} to {loss_text(high)}"


def reading_text(assessment: Assessment, reading: ReadingName) -> str:
    """Return a reading of ALC with name and interval."""
    return (
        f"{READING_TITLES[reading]}: {loss_text(assessment.loss_of(reading))} "
        f"({interval_text(assessment, reading)})"
    )


def verdict_title(assessment: Assessment) -> str:
    """Return the verdict; finding nothing refers to the attack only."""
    verdict = assessment.verdict
    if verdict in HARMLESS:
        return f"{VERDICT_TITLES[verdict]} from this attack"
    alc, interval = assessment.decisive_alc, assessment.decisive_interval
    more = perhaps(verdict, alc, *interval, assessment.scoring)
    return standing_words(verdict, more) if more else VERDICT_TITLES[verdict]


def stopping_text(
    code: str, *, table: str, columns: Sequence[str] = (), numbers: Mapping[str, float]
) -> str:
    """Return the text of a finding that stops a release."""
    texts = _TEXTS["check"]
    if code == REPLAYED:
        shares = percent(numbers["share"]), by_chance(numbers["expected"])
        return str(texts[code].format(table=table, share=shares[0], expected=shares[1]))
    if "expected" not in numbers:  # an earlier version kept no counts
        return str(texts[code].format(table=table, columns=quoted(columns) or f"'{table}'"))
    rows = int(numbers["rows"])
    recoded = int(numbers.get("recoded", numbers.get("of", 0) - numbers.get("kept", 0)))
    text = texts["counted"].format(
        rows=numbered(rows, "row"),
        share=percent(numbers["share"]),
        table=table,
        are="is" if rows == 1 else "are",
        within=f", in all but {numbered(recoded, 'column')}" if recoded else "",
        expected=by_chance(numbers["expected"]),
    )
    return str(text)


def stopping_sentences(assessment: Assessment) -> list[str]:
    """Return the check's texts that stop the release whatever this attack finds."""
    return [f"{stopping_title(note)}. {_stopping(note)}" for note in assessment.stopped_by]


def _stopping(note: Note) -> str:
    columns = [note.column] if note.column else []
    return stopping_text(note.code, table=note.table, columns=columns, numbers=dict(note.numbers))


def subject(assessment: Assessment) -> str:
    """Say which release was attacked."""
    released = listed([table.name for table in assessment.release])
    return f"{released}, against {assessment.original.name}"


def file_stem(assessment: Assessment) -> str:
    """Return a file name from release and unknown attribute."""
    words = f"alc {assessment.release[0].name} {assessment.scenario.wanted}"
    return re.sub(r"[^\w-]+", "-", words).strip("-")


def short_sentence(assessment: Assessment) -> str:
    """Say in one sentence who learns what, with precision of attack and guess."""
    texts, verdict = _TEXTS["short"], assessment.verdict
    case = str(verdict)
    attack, guess = _precisions(assessment)
    if verdict in HARMLESS and assessment.exposes_many:
        case = "exposing"
    elif verdict is Verdict.INCONCLUSIVE and attack <= guess:
        case = "behind"
    elif verdict in FLAGGED:
        case = "new" if assessment.exposed_interval[0] > 0 else "surer"
    elif verdict is Verdict.TOO_FEW and not _concerned(assessment):
        case = f"{verdict}, none"
    return str(
        texts[case].format(
            facts=facts_there(assessment.scenario.known, assessment.absent),
            unknown=f"'{short_name(assessment.scenario.wanted)}'",
            right=_right(assessment),
            decide=too_few_words(assessment.candidates > assessment.attempts),
            most=count(_concerned(assessment)),
            people=count(assessment.population),
        )
    )


_NEARLY_ALL = 0.9  # Of the answers
_FEW_ANSWERS = 10  # Fewer say nothing of what is no loss


def _concerned(assessment: Assessment) -> int:
    return max(0, round(assessment.exposed_interval[1]))


def _precisions(assessment: Assessment) -> tuple[float, float]:
    rest = assessment.attack_rest, assessment.baseline_rest
    return rest[0].measured_precision, rest[1].measured_precision


def _right(assessment: Assessment) -> str:
    """Say precision of attack and guess, by certain answers and everyone.

    In a balanced sample, people with the most frequent value have weights.
    """
    attack, guess = _precisions(assessment)
    bins = assessment.unknown_bins
    outcomes, balanced = assessment.outcomes, assessment.down_sampled_share is not None
    sides = np.stack([outcomes.joint[:, 1], outcomes.guessed])
    everyone = np.average(sides, axis=1, weights=outcomes.weights)
    surest = assessment.attack_rest.predictions
    fewest = _FEW_ANSWERS if assessment.verdict in HARMLESS else 0
    case = "both" if fewest <= surest < _NEARLY_ALL * assessment.attempts else "every"
    case = f"{case}, balanced" if balanced else case
    whom = " about people hard to guess" if assessment.rest_share < 1 else ""
    return str(
        _TEXTS["short"][case].format(
            precision=percent(attack),
            answers=numbered(surest, "most certain answer") + whom,
            within=within_words(assessment.scenario, bins) if bins is not None else "",
            guess=percent(guess),
            attempts=count(assessment.attempts),
            all=percent(everyone[0]),
            guess_all=percent(everyone[1]),
        )
    )


def too_few_words(more: bool) -> str:
    """Say what to do if too few people were attacked, or if there are `more`."""
    return str(_TEXTS["short"]["more" if more else "all"])


def plain_sentence(assessment: Assessment) -> str:
    """Say what an attacker learns, and the guess without the record."""
    scenario, bins = assessment.scenario, assessment.unknown_bins
    sentences = [_learned(assessment)]
    if bins is not None:
        sentences.append(f"Here, “correct” means {right_words(scenario, bins)}.")
    if assessment.down_sampled_share is not None:
        text = _TEXTS["learned"]["balanced"].format(
            frequent=frequent_word(assessment),
            half=balanced_share(assessment),
            selected=selected_people(assessment),
            share=percent(assessment.down_sampled_share),
        )
        sentences.append(text)
    return " ".join(sentences)


def _learned(assessment: Assessment) -> str:
    attack, points, texts = assessment.attack_rest, assessment.points, _TEXTS["learned"]
    people = people_meant(assessment)
    share = percent(points.known / assessment.attempts)
    facts = {
        "known": facts_there(assessment.scenario.known, assessment.absent),
        "unknown": f"'{assessment.scenario.wanted}'",
        "recall": percent(attack.recall),
        "precision": percent(attack.measured_precision),
        "alike": percent(assessment.baseline_rest.measured_precision),
        "people": people,
        "rest_share": percent(assessment.rest_share),
        "whose": f"{share} of {people}" if points.rest else "everyone",
        "known_right": percent(points.known_right / max(points.known, 1)),
    }
    if not points.known:
        text = texts["plain"]
    else:
        text = texts["anyway"] + (texts["rest"] if attack.predictions else "")
    return str(text.format(**facts))


def beside_sentence(assessment: Assessment) -> str:
    """Say what other attacks find differently, if anything.

    The attack with the worse verdict may expose fewer people than another.
    """
    from alc_core.attacks.registry import DEFAULT_ATTACK, LINKAGE

    texts, said = _TEXTS["beside"], []
    found = {each.attack_name: each.verdict for each in assessment.beside}.get(DEFAULT_ATTACK)
    flagged = assessment.attack_name == LINKAGE and assessment.verdict in FLAGGED
    if flagged and found is Verdict.NO_LOSS:
        said.append(str(texts["unlike"]))
    wider = max(assessment.beside, key=lambda each: each.exposed_interval[0], default=assessment)
    if wider.exposed_interval[0] > max(assessment.exposed_interval[1], 0.0):
        exposed = exposed_text(wider.exposed, *wider.exposed_interval)
        told = {"attack": wider.attack_name, "verdict": wider.verdict, "exposed": exposed}
        said.append(str(texts["wider"].format(**told)))
    return " ".join(said)


def deciding_sentence(assessment: Assessment) -> str:
    """Say which reading of ALC decides, on what scale, and the other one."""
    texts, name, scoring = _TEXTS["deciding"], assessment.decisive, assessment.scoring
    if assessment.verdict is Verdict.NOT_TESTABLE:
        return str(texts["nothing_left"])
    if assessment.verdict is Verdict.NOT_CONVERGED:
        return str(texts["not_converged"])
    readings = {each: reading_text(assessment, each) for each in READINGS}
    if assessment.loss_of(name) <= 0:
        return str(texts["neither"].format(both=listed(list(readings.values()))))
    other = next(each for each in READINGS if each != name)
    alike = texts["alc_rest" if assessment.points.known else "everybody"]
    meanings = {"alc": texts["alc"], "alc_rest": alike}
    capped = _is_capped(assessment.attack if name == "alc" else assessment.attack_rest)
    return str(
        texts["decides"].format(
            reading=readings[name],
            meaning=meanings[name],
            at_risk=f"{scoring.at_risk:g}",
            serious=f"{scoring.serious:g}",
            capped=texts["capped"].format(cap=percent(scoring.precision_cap)) if capped else "",
            other=readings[other],
            other_meaning=meanings[other],
        )
    )


def _is_capped(measure: MeasuredPoint) -> bool:
    low, high = measure.measured_interval
    return measure.precision < (low + high) / 2


def verdict_explanation(assessment: Assessment) -> str:
    """Say the verdict's meaning and next steps."""
    texts, verdict = _TEXTS["parts"], assessment.verdict
    unconverged = not assessment.converged and verdict is not Verdict.NOT_CONVERGED
    it = "it" if len(assessment.absent) == 1 else "them"
    sentences = [
        texts["unconverged"] if unconverged else "",
        texts["unmatched"].format(columns=quoted(assessment.unmatched))
        if assessment.unmatched
        else "",
        texts["by_chance"].format(own=assessment.own_verdict)
        if assessment.lowered in (*FLAGGED, Verdict.INCONCLUSIVE)
        else "",
        _meaning(assessment),
        texts["exposing"].format(share=percent(assessment.scoring.material))
        if assessment.exposes_many and verdict in HARMLESS
        else "",
        texts["absent"].format(
            columns=quoted(assessment.absent), unknown=f"'{assessment.scenario.wanted}'", it=it
        )
        if assessment.absent
        else "",
    ]
    return " ".join(filter(None, sentences))


def _meaning(assessment: Assessment) -> str:
    scoring, points, texts = assessment.scoring, assessment.points, _TEXTS["parts"]
    verdict = assessment.verdict
    serious = texts["perhaps_serious"].format(serious=f"{scoring.serious:g}")
    low, high = assessment.decisive_interval
    more, case = perhaps(verdict, assessment.decisive_alc, low, high, scoring), str(verdict)
    if more in (Perhaps.CHANCE, Perhaps.UNMATCHED):
        case = f"{verdict}, {more}"
    elif verdict is Verdict.BELOW_LIMIT and low <= 0:
        case = f"{verdict}, perhaps nothing"
    elif verdict is Verdict.TOO_FEW and not _concerned(assessment):
        case = f"{verdict}, none"
    return verdict_text(
        case,
        "attack",
        at_risk=f"{scoring.at_risk:g}",
        level=percent(scoring.confidence),
        low=loss_text(low),
        high=loss_text(high),
        perhaps_serious=serious if more is Perhaps.SERIOUS else "",
        how_to_decide=_how_to_decide(assessment) if verdict is Verdict.INCONCLUSIVE else "",
        most=count(_concerned(assessment)),
        others=texts["others" if points.rest else "nobody"].format(
            rest=count(points.rest), attempts=count(assessment.attempts)
        ),
    )


def verdict_text(case: str, about: Literal["attack", "campaign"], **facts: str) -> str:
    """Return a verdict's text for an attack or a campaign."""
    return str(_TEXTS["verdict"][case][about].format(only=_TEXTS["only"][about], **facts))


def _rounded_up(number: float) -> int:
    """Round up to two significant digits.

    >>> _rounded_up(1404), _rounded_up(1000), _rounded_up(82.1)
    (1500, 1000, 83)
    """
    step = 10 ** max(math.floor(math.log10(number)) - 1, 0)
    return int(math.ceil(number / step) * step)


def _how_to_decide(assessment: Assessment) -> str:
    texts = _TEXTS["decide"]
    limit, loss = assessment.scoring.at_risk, assessment.decisive_alc
    low, high = assessment.decisive_interval
    beyond, distance = (high - loss, limit - loss) if loss < limit else (loss - low, loss - limit)
    times = (beyond / distance) ** 2 if distance > 0 else float("inf")
    people = texts["hopeless"]
    if times <= _NEARLY:
        people = ""
    elif times <= _HOPELESS:
        people = texts["people"].format(number=count(_rounded_up(times * assessment.attempts)))
    more = assessment.candidates - assessment.attempts
    if more > 0:
        case = "more" if times * assessment.attempts <= assessment.candidates else "short"
    elif assessment.down_sampled_share is not None:
        case = "balanced"
    else:
        case = "selected" if assessment.candidates < assessment.population else "all"
    return str(
        texts[case].format(
            more=count(more),
            people=people,
            candidates=count(assessment.candidates),
            frequent=frequent_word(assessment),
            half=balanced_share(assessment),
        )
    )


def changed_verdict(run: Assessment, now: Assessment) -> str:
    """Say if the verdict depends on the parameters."""
    before, after = verdict_title(run), verdict_title(now)
    if before == after:
        return ""
    return f"{before} under the run's parameters, {after[0].lower()}{after[1:]} now."


def changed_parameters(assessment: Assessment) -> str:
    """List scoring parameters that differ from the run's."""
    if assessment.run_scoring is None:
        return ""
    run, now = assessment.run_scoring.to_dict(), assessment.scoring.to_dict()
    changes = [
        f"{PARAMETER_TITLES[name]} {parameter_text(run[name])} → {parameter_text(now[name])}"
        for name in now
        if now[name] != run[name]
    ]
    return f"Changed after the run: {listed(changes)}."


def measure_sentence(measure: MeasuredPoint) -> str:
    """Say a measure in numbers."""
    low, high = measure.measured_interval
    return str(
        _TEXTS["measure"].format(
            measured=percent(measure.measured_precision),
            low=percent(low),
            high=percent(high),
            made=count(measure.predictions),
            attempts=count(measure.attempts),
            recall=percent(measure.recall),
        )
    )


_FEW_FACTS, _MANY_FACTS = 3, 7


def reviewer_questions(assessment: Assessment) -> tuple[tuple[str, str], ...]:
    """Return topics and questions that a human must judge.

    References
    ----------
    Francis and Wagner (2025), section 4.2 and appendices A.2 and A.3: limits rest on a judgement
    of what attackers gain, what targets can deny and how likely an attack is, not on evidence.
    """
    known = assessment.told
    amount = "few" if len(known) <= _FEW_FACTS else "some" if len(known) < _MANY_FACTS else "many"
    facts = {
        "unknown": f"'{assessment.scenario.unknown}'",
        "known": facts_words(known),
        "effort": _TEXTS["effort"][amount].format(number=count(len(known))),
        "reached": _reached(assessment),
        "wrong": percent(1 - _answering(assessment).measured_precision),
    }
    return tuple((topic, str(text.format(**facts))) for topic, text in _TEXTS["questions"].items())


def _answering(assessment: Assessment) -> MeasuredPoint:
    """Return the point at which sentences let the attack answer."""
    return assessment.attack_rest if assessment.attack_rest.predictions else assessment.attack


def _reached(assessment: Assessment) -> str:
    """Return who gets answers; in a balanced sample without a share of all."""
    attack = _answering(assessment)
    if assessment.down_sampled_share is not None:
        made = f"{count(attack.predictions)} of {count(attack.attempts)}"
        return f"{percent(attack.recall)} of a balanced sample of people ({made})"
    among = assessment.population - assessment.without_value
    whom = "people with a value" if assessment.without_value else "people"
    of_all, _ = assessment.recalls(attack.recall)
    return f"{percent(of_all)} of {whom}, about {count(round(of_all * among))} of {count(among)}"


def within_words(scenario: Scenario, bins: int) -> str:
    """Say after "correct" what is correct if values are grouped."""
    if scenario.tolerance is not None and scenario.level != "release":
        return f" within {scenario.tolerance}"
    return f" within one of {bins} {'classes' if scenario.level == 'release' else 'ranges'}"


def targets_sentence(assessment: Assessment) -> str:
    """Say how many people were attacked, how chosen, and why it ended."""
    attempts, population = assessment.attempts, assessment.population
    sentence = (
        f"All {count(population)} people were attacked."
        if attempts == population
        else f"{count(attempts)} of {count(population)} people were attacked{_chosen(assessment)} "
        f"{assessment.halting.explanation}"
    )
    if assessment.abstentions:
        sentence += (
            f" The attack abstained on {count(assessment.abstentions)} targets, left to the best "
            "guess."
        )
    if attempts > LEAST_SEEN:
        sentence += (
            f" Up to {LEAST_SEEN - 1} exposed people ({percent(LEAST_SEEN / attempts)}) may be too "
            "few to find."
        )
    if assessment.scenario.selection.where and assessment.down_sampled_share is None:
        of_all, of_selected = assessment.recalls(assessment.attack.recall)
        sentence += (
            f" It answers for {percent(of_all)} of all people"
            f"{' with a value' if assessment.without_value else ''} and for "
            f"{percent(of_selected)} of people with {_conditions(assessment)}."
        )
    return sentence


def _chosen(assessment: Assessment) -> str:
    where = assessment.scenario.selection.where
    share = assessment.down_sampled_share
    selected = f", selected by {_conditions(assessment)}" if where else ""
    if share is None:
        if assessment.candidates < assessment.population:
            return f"{selected}. {_only(assessment)}"
        return f"{selected or ', chosen at random'}."
    kept, bins = frequent_word(assessment), assessment.unknown_bins
    of_all = "" if bins is None else f" (of {bins})"
    frequent = f"One {kept} of '{assessment.scenario.unknown}'{of_all}"
    among = f"the {selected_people(assessment)}" if where else f"all {selected_people(assessment)}"
    return (
        f"{selected}. {frequent} makes up {percent(share)} of {among}: limited to "
        f"{balanced_share(assessment)} of {count(assessment.candidates)} people selected."
    )


def _only(assessment: Assessment) -> str:
    left_out = assessment.without_value
    sentence = f"Only {count(assessment.candidates)} could be targets"
    if not left_out:
        return f"{sentence}."
    share = percent(assessment.without_value_share)
    have = "has" if left_out == 1 else "have"
    return (
        f"{sentence}: {count(left_out)} ({share} of all) {have} no '{assessment.scenario.unknown}'."
    )


def balanced_share(assessment: Assessment) -> str:
    """Say the most frequent value's share among targets."""
    half = assessment.candidates > ENOUGH_TARGETS
    return "about half" if half else "half to two thirds"


def frequent_word(assessment: Assessment) -> str:
    """Return "value", "range" or "class" of the most frequent answer."""
    if assessment.unknown_bins is None:
        return "value"
    return "class" if assessment.scenario.level == "release" else "range"


def selected_people(assessment: Assessment) -> str:
    """Name the people who may be attacked."""
    where = assessment.scenario.selection.where
    people = "people with a value" if assessment.without_value else "people"
    return f"people with {_conditions(assessment)}" if where else people


def people_meant(assessment: Assessment) -> str:
    """Name the people a recall refers to."""
    selection = assessment.scenario.selection
    if not selection.where:
        return "people"
    whole = "all people, attacking people" if selection.recall == "population" else "the people"
    return f"{whole} with {_conditions(assessment)}"


def _conditions(assessment: Assessment) -> str:
    return listed(assessment.scenario.selection.conditions)


def exposed_text(exposed: float, low: float, high: float) -> str:
    """Return people exposed with the interval.

    Examples
    --------
    >>> exposed_text(257.2, 220.4, 301.0), exposed_text(12.0, -5.0, 30.0), exposed_text(-4, -9, 2)
    ('257 (220 to 301)', '0 (0 to 30)', '0 (0 to 2)')
    """
    lower, upper = (count(max(round(each), 0)) for each in (low, high))
    return f"{count(exposed_number(exposed, low))} ({lower} to {upper})"


# Meaning of a flag without people exposed beyond chance
CERTAINTY = "The release adds certainty, not new answers."


def counted_sentence(assessment: Assessment) -> str:
    """Say whom percentages refer to, and how numbers of people follow."""
    everybody, population = count(assessment.people), count(assessment.population)
    whom = f"all {everybody}"
    if assessment.people < assessment.population:
        whom = f"{everybody} of {population} people"
    sentence = (
        f"{count(assessment.attempts)} people were attacked; {count(assessment.points.rest)} are "
        "hard to guess."
    )
    if assessment.attempts < assessment.people:
        sentence += f" They represent {whom}"
        if assessment.down_sampled_share is None:
            return f"{sentence}."
        stands = assessment.outcomes.weights * assessment.people_a_gain
        sentence += (
            f": each with the most frequent {frequent_word(assessment)} about "
            f"{_about(stands.max())}, each other about {_about(stands.min())}."
        )
    return sentence


def _about(people: float) -> str:
    return count(round(people)) if people >= _MANY else f"{people:.1f}".removesuffix(".0")


_MANY = 10  # From here, tenths of people say nothing


def exposed_sentence(assessment: Assessment) -> str:
    """Say how many people are exposed, or what a flag without any means."""
    low, high = assessment.exposed_interval
    everybody = count(assessment.population)
    level, most = percent(assessment.scoring.confidence), count(round(high))
    inconclusive = assessment.verdict is Verdict.INCONCLUSIVE and not assessment.exposes_many
    if low > 0:
        exposed = count(round(assessment.exposed))
        about = f"{exposed}, perhaps up to {most}," if inconclusive else exposed
        # Its answers at another threshold than the sentence before tells of
        beyond = assessment.points.gain > _answering(assessment).true_predictions
        more = " once it answers for more" if beyond else ""
        return (
            f"About {about} of {everybody} people are exposed{more} ({level} interval "
            f"{count(round(low))} to {most})."
        )
    if perhaps_exposed(assessment):
        interval = f"{level} interval {count(max(round(low), 0))} to {most}"
        return f"Up to {most} of {everybody} people might be exposed ({interval})."
    up_to = f" ({level} interval up to {most})" if high >= 1 else ""
    nobody = f"his attack exposes none of {everybody} people beyond chance{up_to}."
    return f"But t{nobody} {CERTAINTY}" if assessment.verdict in FLAGGED else f"T{nobody}"
