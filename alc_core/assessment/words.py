"""Sentences about an assessment, the same on the command line, in the dashboard and in reports."""

from __future__ import annotations

import re

from alc_core.assessment.result import Assessment
from alc_core.assessment.target_words import (
    balanced_share,
    frequent_word,
    people_meant,
    right_words,
    selected_people,
)
from alc_core.phrasing import alc_number, count, listed, percent
from alc_core.scoring.curves import Measure
from alc_core.scoring.parameters import PARAMETER_TITLES, parameter_text
from alc_core.scoring.readings import READING_TITLES, READINGS, ReadingName
from alc_core.scoring.verdict import Verdict

VERDICT_TITLES = {
    Verdict.NO_LOSS: "No loss of anonymity",
    Verdict.SAFE: "Safe",
    Verdict.AT_RISK: "At risk",
    Verdict.SERIOUS: "Serious loss of anonymity",
    Verdict.UNDECIDED: "Undecided",
    Verdict.NOTHING_LEFT: "Nothing left to learn",
    Verdict.NOT_CONVERGED: "Not converged",
}

VERDICT_ICONS = {
    Verdict.NO_LOSS: "✔✔",
    Verdict.SAFE: "✔",
    Verdict.AT_RISK: "▲",
    Verdict.SERIOUS: "✖",
    Verdict.UNDECIDED: "?",
    Verdict.NOTHING_LEFT: "○",
    Verdict.NOT_CONVERGED: "≠",
}

_HOPELESS = 100
"""So many times the people would not decide: the loss is too close to the limit."""


def loss_text(loss: float) -> str:
    """Return an ALC for show: two decimals, and "no loss" where it is not above 0."""
    return "no loss" if loss <= 0 else alc_number(loss)


def interval_text(assessment: Assessment, reading: ReadingName | None = None) -> str:
    """Return an interval of ALC with its level, such as "95 % interval 0.15 to 0.31"."""
    low, high = assessment.interval_of(reading or assessment.decisive)
    interval = f"{percent(assessment.scoring.confidence)} interval"
    if not assessment.interval_exact:
        interval += " ≈"
    if high <= 0:
        return f"{interval}: no loss throughout"
    return f"{interval} {loss_text(low)} to {loss_text(high)}"


def reading_text(assessment: Assessment, reading: ReadingName) -> str:
    """Return a reading of ALC with its name and interval."""
    return (
        f"{READING_TITLES[reading]} {loss_text(assessment.loss_of(reading))} "
        f"({interval_text(assessment, reading)})"
    )


def verdict_title(assessment: Assessment) -> str:
    """Return the verdict in a few words."""
    verdict, between = assessment.verdict, assessment.undecided_between
    if assessment.lowered is Verdict.UNDECIDED:
        return f"{VERDICT_TITLES[verdict]}: it may be chance among so many attacks"
    if between is None and verdict is Verdict.UNDECIDED:
        return f"{VERDICT_TITLES[verdict]}: {listed(assessment.unmatched)} could not be matched"
    if verdict is Verdict.NOT_CONVERGED:
        return f"{VERDICT_TITLES[verdict]}: do not rely on this attack"
    if between is None:
        return VERDICT_TITLES[verdict]
    if verdict is Verdict.AT_RISK:
        return f"{VERDICT_TITLES[verdict]}, perhaps {Verdict.SERIOUS}"
    low, high = (VERDICT_TITLES[side].lower() for side in between)
    return f"Undecided between “{low}” and “{high}”"


def subject(assessment: Assessment) -> str:
    """Say which release was attacked."""
    released = listed([table.name for table in assessment.release])
    return f"{released}, against {assessment.original.name}"


def file_stem(assessment: Assessment) -> str:
    """Return a name for files about the assessment: release and unknown attribute."""
    words = f"alc {assessment.release[0].name} {assessment.scenario.wanted}"
    return re.sub(r"[^\w-]+", "-", words).strip("-")


def plain_sentence(assessment: Assessment) -> str:
    """Say what an attacker learns, and how right a guess without the person's record would be."""
    scenario, bins = assessment.scenario, assessment.unknown_bins
    sentences = [_learned(assessment)]
    if bins is not None:
        sentences.append(f"Here, “right” means {right_words(scenario, bins)}.")
    if assessment.down_sampled_share is not None:
        sentences.append(
            "These shares are of the people attacked, drawn so that the most frequent "
            f"{frequent_word(assessment)} is {balanced_share(assessment)}. Of all "
            f"{selected_people(assessment)}, {percent(assessment.down_sampled_share)} have it: "
            "naming it for everybody would be right that often."
        )
    return " ".join(sentences)


def _learned(assessment: Assessment) -> str:
    known, unknown = assessment.scenario.known, assessment.scenario.unknown
    attack, alike, points = assessment.attack_rest, assessment.baseline_rest, assessment.points
    if not points.known:
        return (
            f"Someone who knows {listed(list(known))} of a person, and has the release, answers "
            f"{unknown} for {percent(attack.recall)} of {people_meant(assessment)}, and "
            f"{percent(attack.measured_precision)} of these answers are right. The best guess from "
            "the same facts, without the person's record, for equally many people, is right in "
            f"{percent(alike.measured_precision)}."
        )
    whose = (
        "everybody"
        if not points.rest
        else (f"{percent(points.known / assessment.attempts)} of {people_meant(assessment)}")
    )
    anyway = (
        f"Anybody who knows {listed(list(known))} can guess {unknown} of {whose}, without their "
        f"records (right in {percent(points.known_right / points.known)})."
    )
    if not attack.predictions:
        return anyway
    return (
        f"{anyway} Among the {percent(assessment.rest_share)} of people whom a guess does not "
        "already know, the attack with the release answers for "
        f"{percent(attack.recall)} of all and is right in {percent(attack.measured_precision)}; a "
        f"guess, about as many of its surest, in {percent(alike.measured_precision)}."
    )


def deciding_sentence(assessment: Assessment) -> str:
    """Say which of the two readings of ALC decides, on what scale, and what the other one is."""
    if assessment.verdict is Verdict.NOTHING_LEFT:
        return "So no loss counts here."
    if assessment.verdict is Verdict.NOT_CONVERGED:
        return "So the losses that were computed do not count."
    name, scoring = assessment.decisive, assessment.scoring
    other = next(each for each in READINGS if each != name)
    if assessment.loss_of(name) <= 0:
        both = listed([reading_text(assessment, each) for each in READINGS])
        return f"Neither reading shows a loss: {both}."
    return (
        f"The loss that decides: {reading_text(assessment, name)}, "
        f"{_reading_meaning(assessment, name)} (0 nothing, 1 all; at risk "
        f"from {scoring.at_risk:g}, serious from {scoring.serious:g})."
        f"{_cap_sentence(assessment, name)} The milder reading: "
        f"{reading_text(assessment, other)}, {_reading_meaning(assessment, other)}."
    )


def _reading_meaning(assessment: Assessment, name: ReadingName) -> str:
    if name == "alc":
        return "attack and guess each at its best"
    if assessment.points.known:
        return "of those whom a guess does not already know, each for as many of them"
    return "attack and guess each for as many people"


def _cap_sentence(assessment: Assessment, name: ReadingName) -> str:
    """Say that more precision than the most that counts was measured; empty where it was not."""
    if not _is_capped(assessment.attack if name == "alc" else assessment.attack_rest):
        return ""
    return f" Precision counts as {percent(assessment.scoring.precision_cap)} at most."


def _is_capped(measure: Measure) -> bool:
    low, high = measure.precision_interval
    return measure.precision < (low + high) / 2


def verdict_explanation(assessment: Assessment) -> str:
    """Say what the verdict means and what to do next."""
    sentences = [
        _unmatched(assessment),
        _by_chance(assessment),
        _meaning(assessment),
        _absent(assessment),
    ]
    if not assessment.converged and assessment.verdict is not Verdict.NOT_CONVERGED:
        sentences.insert(0, "The attack's chains have not converged: better ones could learn more.")
    return " ".join(filter(None, sentences))


def _by_chance(assessment: Assessment) -> str:
    if assessment.lowered is None:
        return ""
    return (
        f"By itself this attack is {assessment.own_verdict}. Among as many attacks as the campaign "
        "has, chance may find such a loss where there is less."
    )


def _unmatched(assessment: Assessment) -> str:
    if not assessment.unmatched:
        return ""
    return (
        "The loss may be higher: the release has values that the original does not have in "
        f"{listed(assessment.unmatched)}. The attack could not match them; somebody who knows what "
        "they mean could. Use the same values in both tables, or say what they cover, and run "
        "again."
    )


def _absent(assessment: Assessment) -> str:
    if not assessment.absent:
        return ""
    it = "it" if len(assessment.absent) == 1 else "them"
    return (
        f"The release does not tell {listed(assessment.absent)}: not used. Nobody can be found "
        f"through {it}; only the guess uses {it}."
    )


def _meaning(assessment: Assessment) -> str:
    scoring = assessment.scoring
    low, high = assessment.decisive_interval
    level = percent(scoring.confidence)
    only = (
        "This is about this attack only: other known facts, other columns or other attacks may "
        "learn more."
    )
    texts = {
        Verdict.NO_LOSS: f"The attack learns nothing beyond such a guess. {only}",
        Verdict.SAFE: "The attack learns something beyond such a guess, but less than the limit of "
        f"{scoring.at_risk:g}. {only}",
        Verdict.AT_RISK: "The attack is clearly better than a guess without the person's record. "
        "Before you publish, examine it: how sensitive is the attribute? How would an attacker get "
        "to know the other facts? What harm would follow for people, and who would gain?"
        f"{_perhaps_serious(assessment)}",
        Verdict.SERIOUS: "The attack learns most of what a guess would miss about the people "
        "it answers for. Do not "
        "release this as it is: examine the attack, change the release and test it again.",
        Verdict.UNDECIDED: "Treat it as at risk, or attack more people."
        if assessment.lowered
        else "The attack shows no loss that would have to be examined, but it could "
        "not use all that the release has: this is no all-clear."
        if assessment.undecided_between is None
        else f"The loss may lie below or above the limit of {scoring.at_risk:g} "
        f"({level} interval {alc_number(low)} to {alc_number(high)}). {_how_to_decide(assessment)}",
        Verdict.NOTHING_LEFT: _nothing_left(assessment),
        Verdict.NOT_CONVERGED: "The attack's chains of random draws did not come to the same end, "
        "so what it did not learn proves nothing: no all-clear. The notes say what to do instead.",
    }
    return texts[assessment.verdict]


def _nothing_left(assessment: Assessment) -> str:
    points = assessment.points
    others = (
        f"The other {count(points.rest)} of {count(assessment.attempts)} people attacked are too "
        "few to measure anything of."
        if points.rest
        else f"Nobody of {count(assessment.attempts)} people attacked is left who could lose it."
    )
    return (
        f"{others} So this attribute says nothing for or against the release. Test one that is "
        "harder to guess, or other people."
    )


def _how_to_decide(assessment: Assessment) -> str:
    if assessment.attempts < assessment.candidates:
        return (
            f"Attack everyone: {count(assessment.candidates - assessment.attempts)} more people "
            f"can be attacked. Until then treat the attack as {_worse(assessment)}."
        )
    worse = f"Treat the attack as {_worse(assessment)}.{_people_to_decide(assessment)}"
    if assessment.down_sampled_share is not None:
        return (
            f"No more people can be attacked: only {count(assessment.candidates)} of "
            f"{count(assessment.population)} keep the most frequent {frequent_word(assessment)} at "
            f"{balanced_share(assessment)}. {worse}"
        )
    if assessment.candidates < assessment.population:
        return f"No more people can be attacked under these settings. {worse}"
    return f"The table has no more people to attack. {worse}"


def _people_to_decide(assessment: Assessment) -> str:
    """Say how many people would narrow the interval so far that it leaves the limit out."""
    limit, loss = assessment.scoring.at_risk, assessment.decisive_alc
    low, high = assessment.decisive_interval
    beyond, distance = (high - loss, limit - loss) if loss < limit else (loss - low, loss - limit)
    times = (beyond / distance) ** 2 if distance > 0 else float("inf")
    if times > _HOPELESS:
        return " The loss lies so close to the limit that hardly any number of people would decide."
    needed = float(f"{times * assessment.attempts:.1g}")
    return f" It would take a table with about {count(int(needed))} such people to decide."


def _worse(assessment: Assessment) -> str:
    """Return the worst verdict that the interval allows."""
    between = assessment.undecided_between
    return str(between[1]) if between else str(assessment.verdict)


def _perhaps_serious(assessment: Assessment) -> str:
    if assessment.undecided_between is None:
        return ""
    return (
        f" The interval reaches beyond the limit of {assessment.scoring.serious:g}: treat the "
        "attack as serious."
    )


def changed_verdict(run: Assessment, now: Assessment) -> str:
    """Say that the verdict depends on the parameters; empty where it is the same in both."""
    before, after = verdict_title(run), verdict_title(now)
    if before == after:
        return ""
    return f"{before} under the run's parameters, {after[0].lower()}{after[1:]} now."


def changed_parameters(assessment: Assessment) -> str:
    """List the scoring parameters that differ from the run's; empty where none does."""
    if assessment.run_scoring is None:
        return ""
    run, now = assessment.run_scoring.to_dict(), assessment.scoring.to_dict()
    changes = [
        f"{PARAMETER_TITLES[name]} {parameter_text(run[name])} → {parameter_text(now[name])}"
        for name in now
        if now[name] != run[name]
    ]
    return f"Changed after the run: {listed(changes)}."


def counts_sentence(measure: Measure) -> str:
    """Say the counts behind a measure, and which precision goes into its PRC."""
    low, high = measure.precision_interval
    most = f"{percent(measure.precision)}, the most that counts"
    used = most if _is_capped(measure) else "the middle"
    return (
        f"Right in {count(measure.true_predictions)} of {count(measure.predictions)} predictions "
        f"(precision {percent(low)} to {percent(high)}; PRC uses {used})."
    )


def measure_sentence(measure: Measure) -> str:
    """Say a measure in numbers."""
    low, high = measure.precision_interval
    return (
        f"precision {percent(measure.measured_precision)} (interval {percent(low)} to "
        f"{percent(high)}) on {count(measure.predictions)} predictions of "
        f"{count(measure.attempts)} attempts (recall {percent(measure.recall)})"
    )
