"""The context of an attack in words: each number, and how it differs from ALC."""

from __future__ import annotations

from typing import NamedTuple

from alc_core.assessment.words import loss_text
from alc_core.explain.context import SMALL_CLASS, AttackContext, CalibrationMark, FamiliarNumbers
from alc_core.phrasing import count, percent, texts_beside
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
    facts, texts = familiar_facts(context.familiar), texts_beside(__file__)
    if context.original is None or context.shuffled is None:
        return facts
    readings = {
        "original": "near_one" if context.original.loss(scoring) >= _NEAR_ONE else "lower",
        "shuffled": "near_zero" if context.shuffled.loss(scoring) < _NEAR_ZERO else "higher",
    }
    cap, shared = percent(scoring.precision_cap), percent(1 - context.familiar.unique)
    for name, mark in (("original", context.original), ("shuffled", context.shuffled)):
        said = texts[name]
        reading = said[readings[name]].format(cap=cap, shared=shared)
        value = mark_text(mark, scoring)
        facts.append(Fact(said["term"], value, said["meaning"].format(reading=reading)))
    return facts


def familiar_facts(familiar: FamiliarNumbers) -> list[Fact]:
    """Return k-anonymity, uniqueness and the majority guess, each with how it differs from ALC."""
    texts = texts_beside(__file__)
    down_sampled = familiar.majority_before > familiar.majority
    before = texts["majority"]["down_sampled"].format(before=percent(familiar.majority_before))
    numbers = {
        "k": count(familiar.k),
        "small": percent(familiar.in_small_classes),
        "others": SMALL_CLASS - 1,
        "unique": percent(familiar.unique),
        "majority": percent(familiar.majority),
        "down_sampled": before if down_sampled else "",
    }
    return [
        Fact(*(texts[name][part].format(**numbers) for part in ("term", "value", "meaning")))
        for name in ("k", "unique", "majority")
    ]


def mark_text(mark: CalibrationMark, scoring: ScoringParameters) -> str:
    """Return the ALC of a mark with its interval, where that belongs to the scoring."""
    loss, bounds = mark.loss(scoring), mark.bounds(scoring)
    words = f"ALC {loss_text(loss)}" if loss > 0 else "No loss"
    if bounds is None:
        return words
    level, (low, high) = percent(scoring.confidence), bounds
    inside = "no loss throughout" if high <= 0 else f"{loss_text(low)} to {loss_text(high)}"
    return f"{words} ({level} interval: {inside})"
