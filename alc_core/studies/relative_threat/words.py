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
    chains_sentence,
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


def threat_text(result: ThreatResult) -> str:
    """Return the numbers with what they mean."""
    threat = result.threat
    lines = [f"Relative threat of '{result.release}': {result.unknown}", ""]
    if not result.converged:
        lines += [result.notes[0], ""]
    if result.victim is not None:
        lines += [*_victim_lines(result), ""]
    lines += _reading(result)
    width = max(map(len, ESTIMATES.values()))
    for name, estimate in result.estimates.items():
        error = f"  ± {estimate.mcse:.4f}" if estimate.mcse else ""
        lines.append(f"{ESTIMATES[name].ljust(width)}  {estimate.value:10.4f}{error}")
    for title, share in (
        ("Commonest value", threat.baseline_accuracy),
        ("Ideal accuracy", threat.ideal_accuracy),
    ):
        lines.append(f"{title.ljust(width)}  {share:10.4f}")
    lines += ["", *_of_levels(result)]
    if result.comparison is not None:
        lines += comparison_sentences(result.comparison)
    lines.append(chains_sentence(result))
    lines += [f"Note: {note}" for note in result.notes[0 if result.converged else 1 :]]
    return "\n".join(lines)


def _reading(result: ThreatResult) -> list[str]:
    threat = result.threat
    return [
        f"Who knows that people are in the release guesses {result.unknown} of "
        f"{percent(threat.gt_attacker.value)} of the {count(threat.n_people)} people; who only "
        f"learns from it guesses that of {percent(threat.gt_learner.value)}, and whoever takes "
        f"all tables that the release allows as equally likely that of "
        f"{percent(threat.gt_random_worlds.value)}.",
        "± is the Monte Carlo standard error.",
        "",
    ]


def _of_levels(result: ThreatResult) -> list[str]:
    found = result.ti
    if found["median"] is None:
        return ["The attacker guesses nobody right."]
    return [
        "Relative threat level of those whom the attacker guesses (attacker's probability of the "
        f"truth divided by the learner's): median {found['median']:.2f}, 95th percentile "
        f"{found['p95']:.2f}, highest {found['max']:.1f}; at least 2 for "
        f"{percent(found['at_least_2'] or 0.0)} of all people."
    ]


def _victim_lines(result: ThreatResult) -> list[str]:
    known = ", ".join(f"{name} = {value}" for name, value in result.victim_known.items())
    said = {CHANCES[name]: chances for name, chances in result.chances.items() if chances}
    width = max(len(value) for value in (*result.values, result.unknown))
    lines = [
        f"Victim with {known}:",
        "  ".join([result.unknown.ljust(width), *said]),
    ]
    for number, value in enumerate(result.values):
        cells = [
            f"{chances.probabilities[number]:.3f}".rjust(len(title))
            for title, chances in said.items()
        ]
        lines.append("  ".join([value.ljust(width), *cells]))
    return lines
