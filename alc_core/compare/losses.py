"""How the losses of the attacks on each release are distributed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from alc_core.campaign.findings.overview import STANDINGS
from alc_core.compare.comparison import NO_RESULT, NOT_PLANNED, Comparison
from alc_core.scoring.verdict import FLAGGED


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseLosses:
    """How the losses of the attacks on one release are distributed."""

    release: str  # Its name
    planned: int  # Attacks, and those of them with an ALC
    measured: int
    counts: Mapping[str, int]  # Attacks with a result by standing; keys are all of STANDINGS
    # Of the ALC that the attacks stand on, negative ones as 0; None without any
    quartiles: tuple[float, float, float] | None
    mean: float | None  # The same
    worst: int | None  # Number of the attack with the highest ALC
    worst_alc: float | None  # Its ALC, unclipped
    worst_interval: tuple[float, float] | None  # The interval of that ALC, unclipped
    worst_standing: str | None  # The worst standing of an attack

    @property
    def flagged(self) -> int:
        """Attacks at risk or worse."""
        return sum(self.counts[each] for each in FLAGGED)

    @property
    def flagged_share(self) -> float | None:
        """Share of the attacks with an ALC that are at risk or worse; None without any."""
        return self.flagged / self.measured if self.measured else None


def release_losses(comparison: Comparison) -> tuple[ReleaseLosses, ...]:
    """Return the distribution of the losses on each release, in their order."""
    return tuple(_losses(comparison, place) for place in range(len(comparison.releases)))


def _losses(comparison: Comparison, place: int) -> ReleaseLosses:
    alc, standing = comparison.alc[:, place], comparison.standing[:, place]
    rows = np.flatnonzero(~np.isnan(alc))
    losses = comparison.loss[rows, place]
    found = np.bincount(standing[standing != NO_RESULT], minlength=len(STANDINGS))
    counts = dict(zip(STANDINGS, found.tolist(), strict=True))
    base = {
        "release": comparison.releases[place],
        "planned": int((comparison.number[:, place] != NOT_PLANNED).sum()),
        "measured": len(rows),
        "counts": counts,
    }
    if not len(rows):
        nothing = dict.fromkeys(
            ("quartiles", "mean", "worst", "worst_alc", "worst_interval", "worst_standing")
        )
        return ReleaseLosses(**base, **nothing)  # type: ignore[arg-type]
    quarter, half, three = np.quantile(losses, (0.25, 0.5, 0.75)).tolist()
    worst = rows[int(np.argmax(alc[rows]))]
    return ReleaseLosses(
        **base,  # type: ignore[arg-type]
        quartiles=(quarter, half, three),
        mean=float(losses.mean()),
        worst=int(comparison.number[worst, place]),
        worst_alc=float(alc[worst]),
        worst_interval=(
            float(comparison.low[worst, place]),
            float(comparison.high[worst, place]),
        ),
        worst_standing=next(each for each in STANDINGS if counts[each]),
    )
