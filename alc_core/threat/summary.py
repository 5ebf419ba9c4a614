"""What of a relative threat may be kept: shares, counts and chances, nothing of single people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from alc_core.group_posterior.settings import SamplerSettings
from alc_core.group_posterior.tables import FloatArray
from alc_core.measures.relative_threat.threat import Estimate
from alc_core.phrasing import percent
from alc_core.threat.result import ThreatResult

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
        f"{found.sentence} {result.settings.chains} chains of {result.steps:,} steps that count: "
        f"R-hat {found.r_hat:.3f}, effective sample size {found.ess:.0f}, Geweke "
        f"{percent(found.geweke)}{weiss} (about 5 % differ by chance)."
    )


def share_above(result: ThreatResult, level: float) -> tuple[int, float]:
    """Return how many people the attacker guesses at a relative level of at least so much."""
    number = int((result.threat.people.ratios >= level).sum())
    return number, number / result.threat.n_people


def level_sentence(result: ThreatResult, level: float) -> str:
    """Say how many people lie above a relative threat level."""
    number, share = share_above(result, level)
    return (
        f"Of {number:,} people ({percent(share)}) the attacker guesses the truth, and is at least"
        f" {level:g} times as sure of it as the learner."
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
        f"Who only learns from the release guesses '{found.unknown}' of {percent(learner)} of"
        f" {found.people:,} people; who knows besides that a person is in it, of"
        f" {percent(attacker)}. {meaning}"
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
