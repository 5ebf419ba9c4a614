"""People of a result in words: who was attacked and how chosen, and who is exposed."""

from __future__ import annotations

from alc_core.assessment.people import PeopleSplit, exposed_number, people_answered, perhaps_exposed
from alc_core.assessment.result import Assessment
from alc_core.phrasing import count, listed, percent
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import ENOUGH_TARGETS
from alc_core.scoring.curves import LEAST_SEEN
from alc_core.scoring.verdict import FLAGGED, Verdict


def within_words(scenario: Scenario, bins: int) -> str:
    """Say in few words, behind "right", what counts as right where values are taken together."""
    if scenario.tolerance is not None and scenario.level != "release":
        return f" within {scenario.tolerance}"
    return f" within one of {bins} {'classes' if scenario.level == 'release' else 'ranges'}"


def targets_sentence(assessment: Assessment) -> str:
    """Say how many people were attacked, how they were chosen, and why it ended there."""
    attempts, population = assessment.attempts, assessment.population
    sentence = (
        f"All {count(population)} people were attacked."
        if attempts == population
        else f"{count(attempts)} of {count(population)} people were attacked{_chosen(assessment)} "
        f"{assessment.halting.explanation}"
    )
    if assessment.abstentions:
        sentence += (
            f" The attack abstained on {count(assessment.abstentions)} targets. There, the "
            "baseline's guess is used, with the lowest score."
        )
    if attempts > LEAST_SEEN:
        sentence += (
            f" A loss of fewer than {LEAST_SEEN} of them ({percent(LEAST_SEEN / attempts)}) may go "
            "unseen."
        )
    if assessment.scenario.selection.where and assessment.down_sampled_share is None:
        of_all, of_selected = assessment.recalls(assessment.attack.recall)
        sentence += (
            f" It answers for {percent(of_all)} of all people"
            f"{' with a value' if assessment.without_value else ''} (equation 4) and for "
            f"{percent(of_selected)} of those with {_conditions(assessment)} (equation 5)."
        )
    return sentence


def _chosen(assessment: Assessment) -> str:
    """Say how targets were chosen and, where not all people could be one, why."""
    where = assessment.scenario.selection.where
    share = assessment.down_sampled_share
    selected = f", selected by {_conditions(assessment)}" if where else ""
    if share is None:
        if assessment.candidates < assessment.population:
            return f"{selected}. {_only(assessment)}"
        return f"{selected or ', chosen at random'}."
    kept, bins = frequent_word(assessment), assessment.unknown_bins
    of_all = {
        "value": "",
        "range": f" (of the {bins} ranges that its values are cut into)",
        "class": f" (of the {bins} classes that the release has)",
    }
    frequent = f"One {kept} of {assessment.scenario.unknown}{of_all[kept]}"
    among = f"the {selected_people(assessment)}" if where else f"all {selected_people(assessment)}"
    enough = (
        "there were enough to measure, as few are"
        if assessment.candidates <= ENOUGH_TARGETS
        else "there were as many as people"
    )
    return (
        f"{selected}. {frequent} makes up {percent(share)} of {among}. To balance that, "
        f"people with this {kept} were drawn at random until {enough} without it. Together, "
        f"{count(assessment.candidates)} were chosen."
    )


def _only(assessment: Assessment) -> str:
    """Say how many people could be targets, and how many have nothing to learn about."""
    left_out = assessment.without_value
    sentence = f"Only {count(assessment.candidates)} could be targets"
    if not left_out:
        return f"{sentence}."
    share = percent(assessment.without_value_share)
    have = "has" if left_out == 1 else "have"
    return (
        f"{sentence}: {count(left_out)} ({share} of all) {have} no value of "
        f"{assessment.scenario.unknown}."
    )


def balanced_share(assessment: Assessment) -> str:
    """Say what share of the targets the most frequent value makes."""
    half = assessment.candidates > ENOUGH_TARGETS
    return "about half" if half else "half to two thirds"


def frequent_word(assessment: Assessment) -> str:
    """Return what the most frequent answer is: a value, a range or a class of values."""
    if assessment.unknown_bins is None:
        return "value"
    return "class" if assessment.scenario.level == "release" else "range"


def selected_people(assessment: Assessment) -> str:
    """Name the people who may be attacked."""
    where = assessment.scenario.selection.where
    people = "people with a value" if assessment.without_value else "people"
    return f"people with {_conditions(assessment)}" if where else people


def people_meant(assessment: Assessment) -> str:
    """Name the people whom a recall is a share of."""
    selection = assessment.scenario.selection
    if not selection.where:
        return "people"
    whole = "all people, attacking those" if selection.recall == "population" else "the people"
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


# What it means that an attack is flagged and nobody is exposed beyond chance
CERTAINTY = (
    "The guess is right about the same people, only less sure of it: what was found is certainty, "
    "not new answers."
)


def counted_sentence(assessment: Assessment) -> str:
    """Say of whom the percentages of a result are, and how its numbers of people follow."""
    everybody, population = count(assessment.people), count(assessment.population)
    whom = f"all {everybody}"
    if assessment.people < assessment.population:
        whom = f"the {everybody} of {population} who could be attacked"
    sentence = (
        f"Of {count(assessment.attempts)} people attacked, "
        f"{count(assessment.points.rest)} can lose something."
    )
    if assessment.attempts < assessment.people:
        sentence += f" Those attacked stand for {whom}"
        if assessment.down_sampled_share is None:
            return f"{sentence}."
        stands = assessment.outcomes.weights * assessment.people_a_gain
        sentence += (
            f": each with the most frequent {frequent_word(assessment)} for about "
            f"{_about(stands.max())}, each other for about {_about(stands.min())}. "
            "Answers are counted among those attacked, so that rarer ones count, too."
        )
    return sentence


def _about(people: float) -> str:
    return count(round(people)) if people >= _MANY else f"{people:.1f}".removesuffix(".0")


_MANY = 10  # From which number of people on tenths of one say nothing


def exposed_sentence(assessment: Assessment) -> str:
    """Say how many people the attack exposes, and what it means where a flag exposes nobody."""
    low, high = assessment.exposed_interval
    everybody = count(assessment.population)
    level, most = percent(assessment.scoring.confidence), count(round(high))
    undecided = assessment.verdict is Verdict.UNDECIDED and not assessment.exposes_many
    if low > 0:
        exposed, learned = round(assessment.exposed), round(PeopleSplit.of(assessment).learned)
        less = f", and a guess alone {count(learned - exposed)}" if learned > exposed else ""
        about = f"{count(exposed)}, perhaps up to {most}," if undecided else count(exposed)
        answered = round(people_answered(assessment))
        more = f"of {count(answered)} who are answered, less surely too, " if answered else ""
        return (
            f"About {about} of {everybody} people are exposed ({level} interval "
            f"{count(round(low))} to {most}): {more}the release alone tells {count(learned)} "
            f"rightly{less}."
        )
    if perhaps_exposed(assessment):
        interval = f"{level} interval {count(max(round(low), 0))} to {most}"
        return (
            f"Perhaps up to {most} of {everybody} people are exposed ({interval}), less sure "
            "answers counted, too."
        )
    up_to = f" ({level} interval up to {most})" if high >= 1 else ""
    nobody = f"his attack exposes none of {everybody} people beyond what chance gives{up_to}."
    return f"But t{nobody} {CERTAINTY}" if assessment.verdict in FLAGGED else f"T{nobody}"
