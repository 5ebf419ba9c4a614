"""The context of an attack in words: each number, and how it differs from ALC."""

from __future__ import annotations

from typing import NamedTuple

from alc_core.assessment.words import loss_text
from alc_core.explain.context import AttackContext, CalibrationMark
from alc_core.explain.familiar import SMALL_CLASS, FamiliarNumbers
from alc_core.phrasing import count, percent
from alc_core.scoring.parameters import ScoringParameters

_NEAR_ONE = 0.9
_NEAR_ZERO = 0.1


class Fact(NamedTuple):
    """A number beside ALC."""

    term: str
    value: str  # The number, as it is shown
    meaning: str  # What it says, and how it differs from ALC


def context_facts(context: AttackContext, scoring: ScoringParameters) -> list[Fact]:
    """Return what is shown beside the ALC of an attack, for a page or a report."""
    facts = familiar_facts(context.familiar)
    if context.original is not None and context.shuffled is not None:
        facts.append(
            Fact(
                "The original released as it is",
                mark_text(context.original, scoring),
                original_meaning(context.original, context.familiar, scoring),
            )
        )
        facts.append(
            Fact(
                "The unknown column shuffled",
                mark_text(context.shuffled, scoring),
                shuffled_meaning(context.shuffled, scoring),
            )
        )
    return facts


def familiar_facts(familiar: FamiliarNumbers) -> list[Fact]:
    """Return k-anonymity, uniqueness and the majority guess, each with how it differs from ALC."""
    return [
        Fact(
            "k-anonymity of the known columns",
            f"k = {count(familiar.k)}; {percent(familiar.in_small_classes)} of people share their "
            f"values with fewer than {SMALL_CLASS - 1} others",
            "It says how many people look alike in the known columns of the original. It says "
            "nothing about what the release gives away, or whether those who look alike share "
            "the unknown value.",
        ),
        Fact(
            "Uniqueness",
            f"{percent(familiar.unique)} of people are alone with their values",
            "Who is alone in the known columns of the original could be found there. Only an "
            "attack on the release can show whether it still leads to that person and whether "
            "what it shows is true: that is ALC.",
        ),
        Fact("Majority guess", percent(familiar.majority), _majority_meaning(familiar)),
    ]


def _majority_meaning(familiar: FamiliarNumbers) -> str:
    words = (
        "This is how often someone would be right who knows nothing about a person and always "
        "names the most frequent value. The baseline inside ALC also uses the known columns, so it "
        "is usually the harder one to beat."
    )
    if familiar.majority_before > familiar.majority:
        words += (
            f" Among all who could be attacked that value makes up "
            f"{percent(familiar.majority_before)}; it was down-sampled for the attack."
        )
    return words


def mark_text(mark: CalibrationMark, scoring: ScoringParameters) -> str:
    """Return the ALC of a mark with its interval, where that belongs to the scoring."""
    loss, bounds = mark.loss(scoring), mark.bounds(scoring)
    words = f"ALC {loss_text(loss)}" if loss > 0 else "No loss"
    if bounds is None:
        return words
    level, (low, high) = percent(scoring.confidence), bounds
    inside = "no loss throughout" if high <= 0 else f"{loss_text(low)} to {loss_text(high)}"
    return f"{words} ({level} interval: {inside})"


def original_meaning(
    mark: CalibrationMark, familiar: FamiliarNumbers, scoring: ScoringParameters
) -> str:
    """Say what the mark of the original shows of the attack."""
    words = (
        "The same attack on a release that hides nothing: about the most that it can find with "
        "these known columns."
    )
    loss = mark.loss(scoring)
    if loss >= _NEAR_ONE:
        return (
            f"{words} Near 1, it shows that the attack works, so a low ALC of the release is not a "
            "failure of the attack."
        )
    shared = percent(1 - familiar.unique)
    return (
        f"{words} It stays below 1 because no precision counts as more than "
        f"{percent(scoring.precision_cap)}, and because {shared} of people share all their known "
        "values with somebody: the attack then names the most frequent value among them, and a "
        "baseline does nearly the same. Read the ALC of the release against this mark. With more "
        "known columns the attack could find more."
    )


def shuffled_meaning(mark: CalibrationMark, scoring: ScoringParameters) -> str:
    """Say what the mark of the shuffled column shows of the measure."""
    words = (
        "The same attack on the original with its unknown values shuffled at random: there is "
        "nothing to learn about anybody."
    )
    loss = mark.loss(scoring)
    if loss < _NEAR_ZERO:
        return f"{words} At 0 or below, it shows that ALC does not mistake chance for a loss."
    return (
        f"{words} Above 0, it shows how much of an ALC can be chance here. Attack more people, and "
        "do not read much into differences of that size."
    )
