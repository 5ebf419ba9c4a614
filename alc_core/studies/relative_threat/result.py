"""The relative threat of a release to the people of its original, and what it says in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from alc_core.arrays import FloatArray
from alc_core.campaign.file.annotations import KeptResults
from alc_core.group_posterior.settings import SamplerSettings
from alc_core.phrasing import count, percent
from alc_core.plain_values import plain_of
from alc_core.studies.relative_threat.numbers import (
    Chances,
    Comparison,
    Estimate,
    RelativeThreat,
    VictimChances,
)

ESTIMATES = {
    "gt_attacker": "Global threat, attacker",
    "gt_learner": "Global threat, learner",
    "gt_random_worlds": "Global threat, random worlds",
    "rgt_attacker": "Relative global threat",
    "rf": "Relative faithfulness",
    "abs": "Absolute error, attacker",
    "abs_random_worlds": "Absolute error, random worlds",
}
"""The numbers of a table and their titles."""

CHANCES = {
    "p_attacker": "Attacker",
    "p_learner": "Learner",
    "p_learner_joint": "Learner, joint",
    "p_random_worlds": "Random worlds",
    "p_ideal": "Ideal",
}
"""What is said of a victim, and by whom."""

TWICE = 2.0
"""The level of relative threat from which on people are counted: twice as likely."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThreatResult:
    """What was measured."""

    release: str  # Its name
    known: tuple[str, ...]  # Known columns that the release has
    unknown: str  # The unknown column
    values: tuple[str, ...]  # Of the unknown column, as the probabilities are ordered
    threat: RelativeThreat  # Of the whole table
    settings: SamplerSettings  # How the sampler was to run
    steps: int  # Steps of each chain that counted
    victim: VictimChances | None  # Of the person that was asked for
    victim_known: dict[str, str]  # What is known of this person
    # Decisions that a reader must know; the first says if the chains have not converged
    notes: tuple[str, ...]
    comparison: Comparison | None = None  # Of members and others, where a holdout was given

    @property
    def converged(self) -> bool:
        """Whether the numbers can be relied on."""
        return self.threat.diagnostics.converged

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The numbers of the table, by the names of :data:`ESTIMATES`."""
        threat = self.threat
        return {
            name: getattr(threat, "abs_attacker" if name == "abs" else name) for name in ESTIMATES
        }

    @property
    def chances(self) -> dict[str, Chances | None]:
        """What is said of the victim, by the names of :data:`CHANCES`."""
        victim = self.victim
        if victim is None:
            return dict.fromkeys(CHANCES)
        said = victim.attacker, victim.learner, victim.predictive, victim.random_worlds
        return dict(zip(CHANCES, (*said, victim.ideal), strict=True))

    @property
    def ti(self) -> dict[str, float | None]:
        """The relative threat level of the people threatened by the attacker, in a few numbers."""
        ratios = self.threat.people.ratios
        if not len(ratios):
            return dict.fromkeys(("median", "p95", "max", "at_least_2"))
        return {
            "median": float(np.median(ratios)),
            "p95": float(np.quantile(ratios, 0.95)),
            "max": float(ratios.max()),
            "at_least_2": float((ratios >= TWICE).sum() / self.threat.n_people),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything but single people as plain values."""
        found: dict[str, Any] = {
            "release": self.release,
            "known": list(self.known),
            "unknown": self.unknown,
            "victim": self.victim_known or None,
        }
        for name, chances in self.chances.items():
            found[name] = self._by_value(None if chances is None else chances.probabilities)
            found[f"{name}_mcse"] = self._by_value(None if chances is None else chances.mcse)
        for name, estimate in self.estimates.items():
            found[name] = estimate.value
            found[f"{name}_mcse"] = estimate.mcse
        threat = self.threat
        return found | {
            "ti": self.ti,
            "baseline_accuracy": threat.baseline_accuracy,
            "ideal_accuracy": threat.ideal_accuracy,
            "people": threat.n_people,
            "people_in_no_row": threat.n_absent,
            "holdout": None if self.comparison is None else asdict(self.comparison),
            "diagnostics": _diagnostics(self),
            "settings": plain_of(
                self.settings, "iterations", "burn_in", "chains", "kept", "proposal", "tries",
                "stop_early", "seed",
            ),
            "notes": list(self.notes),
        }  # fmt: skip

    def _by_value(self, numbers: FloatArray | None) -> dict[str, float] | None:
        if numbers is None:
            return None
        return dict(zip(self.values, numbers.tolist(), strict=True))


def _diagnostics(result: ThreatResult) -> dict[str, Any]:
    found = result.threat.diagnostics
    return {
        **plain_of(found, "geweke", "weiss", "r_hat", "ess", "converged", "reasons", "parameters"),
        "hidden_values": found.hidden,
        **plain_of(found, "accepted", "log_posterior"),
        "steps": result.steps,
    }


_BINS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelHistogram:
    """How log2 of the relative threat level is distributed among some people."""

    edges: tuple[float, ...]  # Of the bins
    counts: tuple[int, ...]  # People in each
    skewness: float | None  # Third standardized moment; None where all are alike


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreatSummary:
    """The relative threat of one release."""

    release: str  # Its name
    fingerprint: str  # Of the original
    known: tuple[str, ...]  # Known columns that the release has
    unknown: str  # The unknown column
    estimates: dict[str, Estimate]  # As :attr:`ThreatResult.estimates`
    baseline_accuracy: float  # Of the commonest value, and of what the original teaches
    ideal_accuracy: float
    levels: dict[str, float | None]  # As :attr:`ThreatResult.ti`
    # Of the people whom the attacker, or the learner, guesses right
    of_attacker: LevelHistogram | None
    of_learner: LevelHistogram | None
    people: int  # People that shares are of, and people whom no released row fits
    absent: int
    converged: bool  # Whether the numbers can be relied on
    chains: str  # What the checks of convergence found, in a sentence
    settings: SamplerSettings  # How the sampler was to run
    steps: int  # Steps of each chain that counted
    notes: tuple[str, ...]  # Decisions that a reader must know


def summarize_threat(result: ThreatResult, fingerprint: str) -> ThreatSummary:
    """Return what may be kept of a result."""
    people, threat = result.threat.people, result.threat
    return ThreatSummary(
        release=result.release,
        fingerprint=fingerprint,
        known=result.known,
        unknown=result.unknown,
        estimates=result.estimates,
        baseline_accuracy=threat.baseline_accuracy,
        ideal_accuracy=threat.ideal_accuracy,
        levels=result.ti,
        of_attacker=_histogram(people.attacker, people.learner, people.by_attacker),
        of_learner=_histogram(people.attacker, people.learner, people.by_learner),
        people=threat.n_people,
        absent=threat.n_absent,
        converged=result.converged,
        chains=chains_sentence(result),
        settings=result.settings,
        steps=result.steps,
        notes=result.notes,
    )


def chains_sentence(result: ThreatResult) -> str:
    """Say what the checks of convergence found."""
    found = result.threat.diagnostics
    weiss = "" if found.weiss is None else f", Weiß {percent(found.weiss)}"
    return (
        f"{found.sentence} {result.settings.chains} chains of {count(result.steps)} steps that "
        f"count: R-hat {found.r_hat:.3f}, effective sample size {found.ess:.0f}, Geweke "
        f"{percent(found.geweke)}{weiss} (about 5 % differ by chance)."
    )


def level_sentence(result: ThreatResult, level: float) -> str:
    """Say how many people lie above a relative threat level."""
    number = int((result.threat.people.ratios >= level).sum())
    share = number / result.threat.n_people
    return (
        f"Of {count(number)} people ({percent(share)}) the attacker guesses the truth, and is at "
        f"least {level:g} times as sure of it as the learner."
    )


def threat_sentence(found: ThreatSummary) -> str:
    """Say what the numbers mean for a person who decides."""
    attacker, learner = (found.estimates[name].value for name in ("gt_attacker", "gt_learner"))
    more = found.estimates["rgt_attacker"]
    gains = more.value > 2 * more.mcse and more.value > 0
    meaning = "Being in the release makes no difference that can be measured."
    if gains:
        meaning = (
            f"Being in the release costs: {100 * more.value:.1f} of 100 people more are guessed."
        )
    if not found.converged:
        meaning = "What being in the release costs is not known: the chains have not converged."
    return (
        f"Somebody who only learns from the release guesses '{found.unknown}' rightly for"
        f" {percent(learner)} of {count(found.people)} people; somebody who also knows that a"
        f" person is in it, for {percent(attacker)}. {meaning}"
    )


def _histogram(
    attacker: FloatArray, learner: FloatArray, some: np.ndarray
) -> LevelHistogram | None:
    with np.errstate(divide="ignore", invalid="ignore"):
        levels = np.log2(attacker[some] / learner[some])
    levels = levels[np.isfinite(levels)]
    if not len(levels):
        return None
    counts, edges = np.histogram(levels, bins=_BINS)
    spread = float(levels.std())
    skewness = float((((levels - levels.mean()) / spread) ** 3).mean()) if spread > 0 else None
    return LevelHistogram(
        edges=tuple(edges.tolist()), counts=tuple(counts.tolist()), skewness=skewness
    )


KEPT_THREATS = KeptResults(
    "relative threat", ThreatSummary,
    key=lambda found: " | ".join([found.release, found.unknown, ",".join(found.known)]),
)  # fmt: skip


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
    "The attacker knows that the Malaysian from 45501 is among the eight, and so one of the first "
    "two rows: heart disease or flu. In the other rows no Japanese has heart disease, which makes "
    "heart disease likelier. The learner only asks what a Malaysian from 45501 might have."
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
    verdict = (
        "People of the release are guessed more often than others: it tells of them, not only of "
        "people like them."
        if more.interval[0] > 0
        else "That people of the release are guessed more often than others cannot be shown."
    )
    return (
        f"{verdict} The attacker guesses {inside.attacker.ranged} of them, and "
        f"{outside.attacker.ranged} of people in neither table; the learner "
        f"{inside.learner.ranged} and {outside.learner.ranged}.",
        f"Mean probability of the true value: attacker {inside.attacker_belief.ranged} and "
        f"{outside.attacker_belief.ranged}, learner {inside.learner_belief.ranged} and "
        f"{outside.learner_belief.ranged}. A released row fits {count(inside.fitting)} of the "
        f"{count(inside.people)} people, and {count(outside.fitting)} of the "
        f"{count(outside.people)} others; the numbers are of these, in brackets their 95 % "
        "intervals.",
    )


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
