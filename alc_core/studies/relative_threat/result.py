"""The relative threat of a release to the people of its original."""

from __future__ import annotations

from collections.abc import Mapping
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
    victim_known: dict[str, str]  # What is known of the person that was asked for
    chances: Mapping[str, Chances]  # What is said of this person, by the names of :data:`CHANCES`
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
        for name in CHANCES:
            for key, part in ((name, "probabilities"), (f"{name}_mcse", "mcse")):
                numbers = getattr(self.chances[name], part).tolist() if self.chances else []
                found[key] = dict(zip(self.values, numbers, strict=False)) or None
        for name, estimate in self.estimates.items():
            found[name] = estimate.value
            found[f"{name}_mcse"] = estimate.mcse
        threat, checks = self.threat, self.threat.diagnostics
        return found | {
            "ti": self.ti,
            "baseline_accuracy": threat.baseline_accuracy,
            "ideal_accuracy": threat.ideal_accuracy,
            "people": threat.n_people,
            "people_in_no_row": threat.n_absent,
            "holdout": None if self.comparison is None else asdict(self.comparison),
            "diagnostics": {
                **plain_of(
                    checks, "geweke", "weiss", "r_hat", "ess", "converged", "reasons", "parameters"
                ),
                "hidden_values": checks.hidden,
                **plain_of(checks, "accepted", "log_posterior"),
                "steps": self.steps,
            },
            "settings": plain_of(
                self.settings, "iterations", "burn_in", "chains", "kept", "proposal", "tries",
                "stop_early", "seed",
            ),
            "notes": list(self.notes),
        }  # fmt: skip


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
    people, threat, found = result.threat.people, result.threat, result.threat.diagnostics
    weiss = "" if found.weiss is None else f", Weiß {percent(found.weiss)}"
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
        chains=f"{found.sentence} {result.settings.chains} chains of {count(result.steps)} steps "
        f"that count: R-hat {found.r_hat:.3f}, effective sample size {found.ess:.0f}, Geweke "
        f"{percent(found.geweke)}{weiss} (about 5 % differ by chance).",
        settings=result.settings,
        steps=result.steps,
        notes=result.notes,
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
