"""Every finished attack of a campaign, scored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.campaign.rescore.outcome_codes import OUTCOMES, CodeArray
from alc_core.campaign.rescore.points import BestPoints
from alc_core.scoring.parameters import ScoringParameters

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RescoredReading:
    """One reading of ALC of many attacks."""

    alc: FloatArray  # The reading and its interval
    low: FloatArray
    high: FloatArray
    standard_error: FloatArray  # What intervals are approximated by; see :mod:`interval_transfer`

    def only(self, kept: NDArray[np.bool_]) -> RescoredReading:
        """Return the reading of some attacks."""
        return RescoredReading(**{f.name: getattr(self, f.name)[kept] for f in fields(self)})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rescored:
    """Every finished attack of a campaign under one set of scoring parameters."""

    numbers: IntArray  # Which attacks, in the order of the curves
    scoring: ScoringParameters  # The parameters
    # Whether the intervals are the bootstrap of the run; otherwise they are approximate
    exact: NDArray[np.bool_]
    # Both readings: attack and baseline each at its best, and among the people whom the baseline
    # does not know anyway
    own: RescoredReading
    among_rest: RescoredReading
    by_rest: NDArray[np.bool_]  # Whether the second one decides
    outcome: CodeArray  # Codes of :data:`OUTCOMES`
    attack: BestPoints  # The points compared
    baseline: BestPoints
    attack_rest: BestPoints
    baseline_rest: BestPoints
    rest_share: FloatArray  # Share of the targets who are in the rest
    exposed: FloatArray  # People exposed, with the interval
    exposed_low: FloatArray
    exposed_high: FloatArray
    nothing_left: NDArray[np.bool_]  # See :func:`nothing_left`
    attempts: IntArray  # Targets attacked

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def interval_exact(self) -> bool:
        """Whether all intervals are exact."""
        return bool(self.exact.all())

    @property
    def decisive(self) -> RescoredReading:
        """The reading that decides, of each attack."""
        return RescoredReading(
            **{
                f.name: np.where(
                    self.by_rest,
                    getattr(self.among_rest, f.name),
                    getattr(self.own, f.name),
                )
                for f in fields(RescoredReading)
            }
        )

    @property
    def counts(self) -> dict[str, int]:
        """Attacks by outcome, in the order of :data:`OUTCOMES`."""
        found = np.bincount(self.outcome, minlength=len(OUTCOMES))
        return dict(zip(OUTCOMES, found.tolist(), strict=True))

    def only(self, numbers: Collection[int]) -> Rescored:
        """Return some of the attacks, in their order."""
        kept = np.isin(self.numbers, list(numbers))
        parts: dict[str, Any] = {}
        for name in (each.name for each in fields(self) if each.name != "scoring"):
            whole = getattr(self, name)
            parts[name] = whole[kept] if isinstance(whole, np.ndarray) else whole.only(kept)
        return replace(self, **parts)
