"""Sentences about an assessment, the same on the command line, in the dashboard and in reports."""

from __future__ import annotations

from alc_core.assessment import Assessment
from alc_core.curves import Measure
from alc_core.phrasing import count, listed, percent
from alc_core.verdict import Verdict

VERDICT_TITLES = {
    Verdict.NO_LOSS: "No loss of anonymity",
    Verdict.SAFE: "Safe",
    Verdict.AT_RISK: "At risk",
    Verdict.SERIOUS: "Serious loss of anonymity",
    Verdict.UNDECIDED: "Undecided",
}

VERDICT_ICONS = {
    Verdict.NO_LOSS: "✔",
    Verdict.SAFE: "✔",
    Verdict.AT_RISK: "▲",
    Verdict.SERIOUS: "✖",
    Verdict.UNDECIDED: "?",
}


def loss_text(loss: float) -> str:
    """Return an ALC for show: two decimals, and "no loss" where it is not above 0."""
    return "no loss" if loss <= 0 else f"{loss:.2f}"


def interval_text(assessment: Assessment) -> str:
    """Return the interval of ALC with its level, such as "95 % interval 0.15 to 0.31"."""
    low, high = assessment.alc_interval
    level = percent(assessment.scoring.confidence)
    if high <= 0:
        return f"{level} interval: no loss throughout"
    return f"{level} interval {loss_text(low)} to {loss_text(high)}"


def verdict_title(assessment: Assessment) -> str:
    """Return the verdict in a few words."""
    verdict, between = assessment.verdict, assessment.undecided_between
    if verdict is Verdict.UNDECIDED and between is not None:
        low, high = (VERDICT_TITLES[side].lower() for side in between)
        return f"Undecided between “{low}” and “{high}”"
    return VERDICT_TITLES[verdict]


def plain_sentence(assessment: Assessment) -> str:
    """Say what an attacker learns, compared with the best guess about people not in the data."""
    known, unknown = assessment.scenario.known, assessment.scenario.unknown
    attack, baseline = assessment.attack, assessment.baseline
    return (
        f"Someone who knows {listed(list(known))} of a person, and has the release, can name "
        f"{unknown} for {percent(attack.recall)} of {_people(assessment)} and is right in "
        f"{percent(attack.measured_precision)} of these cases. For people who are not in the data, "
        f"the best guess is right in {percent(baseline.measured_precision)} of cases, made for "
        f"{percent(baseline.recall)} of people."
    )


def verdict_explanation(assessment: Assessment) -> str:
    """Say what the verdict means and what to do next."""
    scoring = assessment.scoring
    low, high = assessment.alc_interval
    level = percent(scoring.confidence)
    texts = {
        Verdict.NO_LOSS: "The release gives this attack nothing beyond what could be guessed "
        "without the person's record. No action is needed for this attack.",
        Verdict.SAFE: "The release gives this attack a little more than a guess without the "
        f"person's record, below the limit of {scoring.at_risk:g}. No further look is needed.",
        Verdict.AT_RISK: "The attack gains clearly over a guess without the person's record. "
        "Examine it: how sensitive is the attribute, how would an attacker come to know the other "
        "facts, what harm and what gain would follow?",
        Verdict.SERIOUS: "The attack learns most of what there was left to learn about people in "
        "the data. Do not release this as it is without examining this attack.",
        Verdict.UNDECIDED: f"With the targets attacked so far, the {level} interval of the loss "
        f"({low:.2f} to {high:.2f}) lies on both sides of a limit. Attack more targets if the "
        "table has them; else treat the attack as the worse of the two.",
    }
    return texts[assessment.verdict]


def changed_verdict(run: Assessment, now: Assessment) -> str:
    """Say that the verdict hangs on the parameters, or nothing where it is the same in both."""
    if run.verdict is now.verdict:
        return ""
    before, after = VERDICT_TITLES[run.verdict], VERDICT_TITLES[now.verdict]
    return f"{before} under the run's parameters, {after.lower()} now."


def targets_sentence(assessment: Assessment) -> str:
    """Say how many people were attacked, how they were chosen, and why it ended there."""
    where = assessment.scenario.selection.where
    conditions = [f"{column} = {listed(values, last='or')}" for column, values in where.items()]
    selected = f"selected by {listed(conditions)}" if where else "chosen at random"
    sentence = (
        f"{count(assessment.attempts)} of {count(assessment.population)} people were attacked, "
        f"{selected}. {assessment.halting.explanation}"
    )
    if assessment.down_sampled_share is not None:
        sentence += (
            f" One value of {assessment.scenario.unknown} makes up "
            f"{percent(assessment.down_sampled_share)} of the rows; it was down-sampled to half of "
            "the attempts."
        )
    if assessment.abstentions:
        sentence += (
            f" The attack abstained on {count(assessment.abstentions)} targets; the baseline's "
            "guess stands in for it there, with the lowest score."
        )
    return sentence


def measure_sentence(measure: Measure) -> str:
    """Say a measure in numbers."""
    low, high = measure.precision_interval
    return (
        f"precision {percent(measure.measured_precision)} (interval {percent(low)} to "
        f"{percent(high)}) on {count(measure.predictions)} predictions of "
        f"{count(measure.attempts)} attempts (recall {percent(measure.recall)})"
    )


def _people(assessment: Assessment) -> str:
    selection = assessment.scenario.selection
    if not selection.where:
        return "people"
    return "all people" if selection.recall == "population" else "the people selected"
