"""The attacks of a campaign by scenario and release, and what differs between two releases.

ALC has no lower end, and 0 or less all mean "no loss": losses and the bounds of their intervals are
taken as 0 there before they are compared, averaged or subtracted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.campaign.findings.overview import STANDINGS
from alc_core.campaign.model import KnownSetKind
from alc_core.errors import InputError
from alc_core.phrasing import listed
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import FLAGGED, Verdict

NOT_PLANNED = -1
"""Number of an attack that the campaign does not have."""

NO_RESULT = -1
"""Code of an attack without a result, in place of a position in STANDINGS."""

_HARMLESS = STANDINGS.index(Verdict.SAFE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison:
    """Every scenario of a campaign on every release, under one scoring.

    A scenario here is what is attacked and how: two attacks share a row if they differ by the
    release alone.
    """

    scoring: ScoringParameters
    interval_exact: bool  # Whether intervals are the run's own; otherwise they are approximate
    releases: tuple[str, ...]  # In the order given to the campaign
    # Unknown column and attack of each scenario, the scenario with the worst attack first
    unknown: tuple[str, ...]
    known: tuple[tuple[str, ...], ...]
    kind: tuple[KnownSetKind, ...]  # The rule that chose the known columns
    attack: tuple[str, ...]
    number: IntArray  # Number of the attack; :data:`NOT_PLANNED` where there is none
    # The ALC that the attack stands on, which may be that of one with fewer facts, and its
    # interval, unclipped; NaN without one
    alc: FloatArray
    low: FloatArray
    high: FloatArray
    attempts: IntArray  # People attacked; 0 without a result
    # The leading number of each measure beside ALC, by its title; NaN without one
    measures: Mapping[str, FloatArray]
    standing: IntArray  # Position in :data:`STANDINGS`; :data:`NO_RESULT` without one

    def __len__(self) -> int:
        return len(self.unknown)

    @property
    def loss(self) -> FloatArray:
        """ALC with everything below 0 as 0, of shape (n_scenarios, n_releases)."""
        return np.maximum(self.alc, 0.0)

    @property
    def measured(self) -> NDArray[np.bool_]:
        """Where there is an ALC, of shape (n_scenarios, n_releases)."""
        return ~np.isnan(self.alc)

    @property
    def shared(self) -> NDArray[np.bool_]:
        """Which scenarios have an ALC on every release, of shape (n_scenarios,)."""
        return np.asarray(self.measured.all(axis=1), dtype=bool)

    @property
    def several_attacks(self) -> bool:
        """Whether scenarios differ by the attack, so that it must be said which one it is."""
        return len(set(self.attack)) > 1

    def rearranged(
        self,
        rows: Sequence[int],
        values: Callable[[NDArray[Any], float], NDArray[Any]],
        **others: Any,
    ) -> Comparison:
        """Return these scenarios, each table made by `values`; it is given what stands for none."""
        scenarios = {
            name: tuple(getattr(self, name)[row] for row in rows)
            for name in ("unknown", "known", "kind", "attack")
        }
        tables = {name: values(getattr(self, name), np.nan) for name in ("alc", "low", "high")}
        tables["attempts"] = values(self.attempts, 0)
        tables["standing"] = values(self.standing, NO_RESULT)
        measures = {title: values(each, np.nan) for title, each in self.measures.items()}
        return replace(self, **{**scenarios, **tables, "measures": measures, **others})

    def place(self, release: str) -> int:
        """Return the column of a release."""
        if release not in self.releases:
            raise InputError(
                f"There is no release '{release}' in the campaign, which has "
                f"{listed(list(self.releases))}. Choose one of these."
            )
        return self.releases.index(release)

    def row_of(self, number: int) -> int | None:
        """Return the scenario that an attack belongs to; None where there is none."""
        rows = np.flatnonzero((self.number == number).any(axis=1))
        return int(rows[0]) if number != NOT_PLANNED and len(rows) else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleaseChange:
    """What differs between a reference release and another one."""

    reference: str
    release: str
    rows: IntArray  # Scenarios of the comparison with an ALC on both
    missing: int  # Scenarios planned on one of the two or both without an ALC on one or both
    difference: FloatArray  # ALC on the release minus ALC on the reference, negative ALC as 0
    # -1 where the release's interval lies wholly below the reference's, 1 where wholly above, 0
    # where they overlap
    apart: IntArray
    # -1 where the attack stands better on the release, 1 where worse, 0 where the same; "safe" and
    # "no loss" count as the same, since neither asks for anything
    moved: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def safer(self) -> int:
        """Attacks whose interval lies below the reference's."""
        return int((self.apart < 0).sum())

    @property
    def riskier(self) -> int:
        """Attacks whose interval lies above the reference's."""
        return int((self.apart > 0).sum())

    @property
    def overlapping(self) -> int:
        """Attacks whose intervals overlap."""
        return int((self.apart == 0).sum())

    @property
    def improved(self) -> int:
        """Attacks that stand better than on the reference."""
        return int((self.moved < 0).sum())

    @property
    def worsened(self) -> int:
        """Attacks that stand worse than on the reference."""
        return int((self.moved > 0).sum())


def riskiest(comparison: Comparison) -> str:
    """Return the release with the highest mean loss, to compare the others with.

    Only scenarios with an ALC on every release count; where there are none, all that there is.
    Of equals it is the first one.
    """
    rows = comparison.shared if comparison.shared.any() else np.ones(len(comparison), dtype=bool)
    losses = comparison.loss[rows]
    counts = (~np.isnan(losses)).sum(axis=0)
    means = np.where(counts, np.nansum(losses, axis=0) / np.maximum(counts, 1), -1.0)
    return comparison.releases[int(np.argmax(means))]


def compare_with(comparison: Comparison, reference: str, release: str) -> ReleaseChange:
    """Compare one release with a reference, attack by attack.

    Two intervals that do not overlap are a stricter mark of a difference than a test of the
    difference at the same level: the same people are attacked on both releases.
    """
    before, after = comparison.place(reference), comparison.place(release)
    measured = comparison.measured[:, before] & comparison.measured[:, after]
    planned = (comparison.number[:, [before, after]] != NOT_PLANNED).any(axis=1)
    rows = np.flatnonzero(measured).astype(np.int64)
    low, high = np.maximum(comparison.low[rows], 0.0), np.maximum(comparison.high[rows], 0.0)
    below, above = high[:, after] < low[:, before], low[:, after] > high[:, before]
    stands = np.minimum(comparison.standing[rows], _HARMLESS)
    return ReleaseChange(
        reference=reference,
        release=release,
        rows=rows,
        missing=int((planned & ~measured).sum()),
        difference=comparison.loss[rows, after] - comparison.loss[rows, before],
        apart=above.astype(np.int64) - below.astype(np.int64),
        moved=np.sign(stands[:, before] - stands[:, after]).astype(np.int64),
    )


def compare_all(comparison: Comparison, reference: str) -> tuple[ReleaseChange, ...]:
    """Compare every other release with a reference, in their order; see :func:`compare_with`."""
    return tuple(
        compare_with(comparison, reference, release)
        for release in comparison.releases
        if release != reference
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseLosses:
    """How the losses of the attacks on one release are distributed."""

    release: str
    planned: int  # Attacks, and those of them with an ALC
    measured: int
    counts: Mapping[str, int]  # Attacks with a result by standing; keys are all of STANDINGS
    # Of the ALC that the attacks stand on, negative ones as 0; None, like the rest, without any
    quartiles: tuple[float, float, float] | None = None
    worst_alc: float | None = None  # The highest, and its interval, unclipped
    worst_interval: tuple[float, float] | None = None
    worst_standing: str | None = None  # The worst standing of an attack

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
    known = ReleaseLosses(
        release=comparison.releases[place],
        planned=int((comparison.number[:, place] != NOT_PLANNED).sum()),
        measured=len(rows),
        counts=counts,
    )
    if not len(rows):
        return known
    quarter, half, three = np.quantile(losses, (0.25, 0.5, 0.75)).tolist()
    worst = rows[int(np.argmax(alc[rows]))]
    return replace(
        known,
        quartiles=(quarter, half, three),
        worst_alc=float(alc[worst]),
        worst_interval=(float(comparison.low[worst, place]), float(comparison.high[worst, place])),
        worst_standing=next(each for each in STANDINGS if counts[each]),
    )
