"""The relative threat of a release to the people of its original."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from alc_core.group_posterior.settings import SamplerSettings
from alc_core.group_posterior.tables import FloatArray
from alc_core.measures.relative_threat.comparison import Comparison
from alc_core.measures.relative_threat.threat import Estimate, RelativeThreat
from alc_core.measures.relative_threat.victim import Chances, VictimChances

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
        said = (
            victim.attacker,
            victim.learner,
            victim.predictive,
            victim.random_worlds,
            victim.ideal,
        )
        return dict(zip(CHANCES, said, strict=True))

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
        threat, settings = self.threat, self.settings
        return found | {
            "ti": self.ti,
            "baseline_accuracy": threat.baseline_accuracy,
            "ideal_accuracy": threat.ideal_accuracy,
            "people": threat.n_people,
            "people_in_no_row": threat.n_absent,
            "holdout": None if self.comparison is None else asdict(self.comparison),
            "diagnostics": _diagnostics(self),
            "settings": {
                name: getattr(settings, name)
                for name in (
                    "iterations", "burn_in", "chains", "kept", "proposal", "tries", "stop_early",
                    "seed",
                )
            },
            "notes": list(self.notes),
        }  # fmt: skip

    def _by_value(self, numbers: FloatArray | None) -> dict[str, float] | None:
        if numbers is None:
            return None
        return dict(zip(self.values, numbers.tolist(), strict=True))


def _diagnostics(result: ThreatResult) -> dict[str, Any]:
    found = result.threat.diagnostics
    return {
        "geweke": found.geweke,
        "weiss": found.weiss,
        "r_hat": found.r_hat,
        "ess": found.ess,
        "converged": found.converged,
        "reasons": list(found.reasons),
        "parameters": found.parameters,
        "hidden_values": found.hidden,
        "accepted": found.accepted,
        "log_posterior": list(found.log_posterior),
        "steps": result.steps,
    }
