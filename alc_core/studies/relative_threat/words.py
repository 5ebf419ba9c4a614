"""Relative threat in words for people who decide."""

from __future__ import annotations

from collections.abc import Sequence

from alc_core.measures.measure import Measured
from alc_core.phrasing import count, percent
from alc_core.studies.relative_threat.numbers import Comparison
from alc_core.studies.relative_threat.result import (
    CHANCES,
    ESTIMATES,
    ThreatResult,
    ThreatSummary,
)

EXPLANATION = (
    "A release in groups hides who has which value: labels stand for several values "
    "(k-anonymity), or values are shuffled within groups (Anatomy). **The learner** reads it to "
    "learn about the population: smokers often have cancer. That is what a release is for. **The "
    "attacker** knows besides that a certain person is in it, so that the person must be in one "
    "of the groups that fit. What the attacker gets beyond the learner is due to the person's "
    "being in the release.",
    "Both reason by Bayes' rule, by chains of random draws that have to settle; the page says "
    "whether they have. *Random worlds* takes all tables that the release allows as equally "
    "likely; the *ideal* is what the original itself would teach.",
    "Boreale, Corradi and Viscardi (2020), Relative Privacy Threats and Learning From Anonymized "
    "Data.",
)

TOY_EXPLANATION = (
    "Who knows that the Malaysian from 45501 is among the eight knows that the person is one of "
    "the first two rows: heart disease or flu. In the other rows no Japanese has heart disease, so "
    "that heart disease is likelier. The learner only asks what a Malaysian from 45501 might have."
)

MEANINGS = {
    "gt_attacker": "Share of the people whose true value is the likeliest for the attacker.",
    "gt_learner": "The same for the learner, who does not know who is in the release.",
    "gt_random_worlds": "The same if all tables that the release allows are equally likely.",
    "rgt_attacker": "The attacker's share above the learner's: due to being in the release.",
    "rf": "How close what the release teaches is to what the original would teach; 1 is as good.",
    "baseline": "Share of the people who have the release's commonest value.",
    "ideal": "Share whose true value is the likeliest by the original's own frequencies.",
    "abs": "Distance of the attacker's beliefs from the truth, summed over people.",
    "level": "The attacker's probability of a person's true value, divided by the learner's.",
}


def card_texts(found: ThreatSummary) -> tuple[tuple[str, str, str], ...]:
    """Return title, number and meaning of what a table of the paper has."""
    shown = []
    for name in ("gt_attacker", "gt_learner", "gt_random_worlds", "rgt_attacker"):
        estimate = found.estimates[name]
        shown.append((ESTIMATES[name], _with_error(estimate.value, estimate.mcse), MEANINGS[name]))
    faithful, error = found.estimates["rf"], found.estimates["abs"]
    return (
        *shown,
        (ESTIMATES["rf"], f"{faithful.value:.3f}", MEANINGS["rf"]),
        (ESTIMATES["abs"], f"{error.value:,.0f}".replace(",", "\u202f"), MEANINGS["abs"]),
        ("Commonest value", percent(found.baseline_accuracy), MEANINGS["baseline"]),
        ("Ideal accuracy", percent(found.ideal_accuracy), MEANINGS["ideal"]),
    )


def summary_rows(threats: Sequence[ThreatSummary]) -> list[dict[str, str]]:
    """Return measured threats as the rows of a table."""
    return [
        {
            "Release": found.release,
            "Unknown": found.unknown,
            "Chains": "converged" if found.converged else "not converged: do not rely on it",
            **{
                ESTIMATES[name]: percent(found.estimates[name].value)
                for name in ("gt_attacker", "gt_learner", "gt_random_worlds", "rgt_attacker")
            },
            ESTIMATES["rf"]: f"{found.estimates['rf'].value:.3f}",
        }
        for found in threats
    ]


def comparison_sentences(found: Comparison) -> tuple[str, str]:
    """Say whether people of the release are guessed more often than others."""
    inside, outside, more = found.members, found.non_members, found.attacker_more
    low = more.value if more.low is None else more.low
    verdict = (
        "People of the release are guessed more often than others: it tells of them, not only of "
        "people like them."
        if low > 0
        else "That people of the release are guessed more often than others cannot be shown."
    )
    return (
        f"{verdict} The attacker guesses {_ranged(inside.attacker)} of them, and "
        f"{_ranged(outside.attacker)} of people in neither table; the learner "
        f"{_ranged(inside.learner)} and {_ranged(outside.learner)}.",
        f"Mean probability of the true value: attacker {_ranged(inside.attacker_belief)} and "
        f"{_ranged(outside.attacker_belief)}, learner {_ranged(inside.learner_belief)} and "
        f"{_ranged(outside.learner_belief)}. A released row fits {count(inside.fitting)} of the "
        f"{count(inside.people)} people, and {count(outside.fitting)} of the "
        f"{count(outside.people)} others; the numbers are of these, in brackets their 95 % "
        "intervals.",
    )


def _ranged(share: Measured) -> str:
    if share.low is None or share.high is None:
        return percent(share.value)
    return f"{percent(share.value)} ({percent(share.low)} to {percent(share.high)})"


def victim_sentence(result: ThreatResult) -> str:
    """Say what each concludes about a person."""
    said = []
    for name in ("p_attacker", "p_learner", "p_random_worlds", "p_ideal"):
        chances = result.chances[name]
        if chances is not None:
            place = int(chances.probabilities.argmax())
            share = percent(float(chances.probabilities[place]))
            said.append(f"{CHANCES[name].lower()}: {result.values[place]} ({share})")
    return f"The likeliest value for each: {'; '.join(said)}."


def _with_error(value: float, error: float) -> str:
    return f"{percent(value)} \N{PLUS-MINUS SIGN} {100 * error:.1f}" if error else percent(value)


def levels_sentence(summary: ThreatSummary) -> str:
    """Say how much surer than the learner the attacker is of those whom it guesses."""
    found = summary.levels
    if found["median"] is None:
        return "The attacker guesses nobody right."
    return (
        "Relative threat level of those whom the attacker guesses (attacker's probability of the "
        f"truth divided by the learner's): median {found['median']:.2f}, 95th percentile "
        f"{found['p95']:.2f}, highest {found['max']:.1f}; at least 2 for "
        f"{percent(found['at_least_2'] or 0.0)} of all people."
    )
