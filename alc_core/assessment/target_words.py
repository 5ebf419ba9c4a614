"""Who was attacked, in sentences: how many, how chosen, who could not be a target."""

from __future__ import annotations

from alc_core.assessment.result import Assessment
from alc_core.phrasing import count, listed, percent
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import ENOUGH_TARGETS
from alc_core.scoring.curves import LEAST_SEEN


def binning_note(scenario: Scenario, bins: int, *, equal: bool = True) -> str:
    """Say what counts as right where values are taken together."""
    if scenario.level == "exact" and scenario.tolerance is None:
        how = (
            f"{bins} equal ranges"
            if equal
            else f"{bins} ranges with about as many people each, since over half of them would be "
            "in one of equal width"
        )
        return (
            f"'{scenario.unknown}' is a number or date, cut into {how}: a prediction is right if "
            "it names the same range as the true value."
        )
    return f"Of '{scenario.unknown}', right means {right_words(scenario, bins)}."


def right_words(scenario: Scenario, bins: int) -> str:
    """Say what “right” means where values are taken together."""
    if scenario.level == "release":
        return f"the class of {scenario.unknown} as the release has it ({bins} classes)"
    if scenario.tolerance is not None:
        return f"within {scenario.tolerance} of the true value"
    return f"in the same one of {bins} ranges"


def without_value_note(scenario: Scenario, without_value: int, people: int) -> str:
    """Say how many people are no targets because they have no value of the unknown attribute."""
    kinds = ["an empty cell", *(f"'{marker}'" for marker in scenario.markers)]
    return (
        f"{count(without_value)} of {count(people)} people ({percent(without_value / people)}) are "
        f"not attacked: they have no value of {scenario.unknown} ({listed(kinds, last='or')}). "
        "The baseline still learns from them, and the release still holds them."
    )


def targets_sentence(assessment: Assessment) -> str:
    """Say how many people were attacked, how they were chosen, and why it ended there."""
    attempts, population = assessment.attempts, assessment.population
    attacked = (
        f"All {count(population)} people were attacked."
        if attempts == population
        else f"{count(attempts)} of {count(population)} people were attacked{_chosen(assessment)}"
    )
    sentence = f"{attacked} {assessment.halting.explanation}"
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
    if assessment.scenario.selection.where:
        of_all, of_selected = assessment.recalls(assessment.attack.recall)
        sentence += (
            f" It answers for {percent(of_all)} of all people (equation 4) and for "
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
        f"{count(assessment.candidates)} could be targets."
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
