"""What the what-if sliders say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from alc_core.scoring.parameters import ControlKind, ScoringParameters


@dataclass(slots=True, kw_only=True)
class Rescoring:
    """What the sliders of the Findings page say."""

    alpha: float  # As in :class:`ScoringParameters`
    r_min: float
    confidence: float
    # ALC from which an attack is at risk, and from which the loss is serious
    limits: tuple[float, float]
    control: ControlKind

    @classmethod
    def of(cls, scoring: ScoringParameters) -> Self:
        """Return the sliders' values for scoring parameters."""
        return cls(
            alpha=scoring.alpha,
            r_min=scoring.r_min,
            confidence=scoring.confidence,
            limits=(scoring.at_risk, scoring.serious),
            control=scoring.control,
        )

    def changes(self) -> dict[str, float | str]:
        """Return the arguments for :meth:`rescore`."""
        at_risk, serious = self.limits
        return {
            "alpha": self.alpha,
            "r_min": self.r_min,
            "confidence": self.confidence,
            "at_risk": at_risk,
            "serious": serious,
            "control": self.control,
        }
