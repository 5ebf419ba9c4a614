"""A campaign's attacks by scenario and release, and differences of releases.

ALC of 0 or less means "no loss": losses and bounds are clipped at 0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.campaign.findings.findings_table import SETTLED
from alc_core.campaign.findings.overview import STANDINGS
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.candidates.lines import release_order
from alc_core.parameter import check_name
from alc_core.phrasing import sentence_case
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import FLAGGED, Verdict

NOT_PLANNED = -1  # Number of an attack not in the campaign
NO_RESULT = -1  # Code of an attack without a result
_HARMLESS = STANDINGS.index(Verdict.BELOW_LIMIT)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison:
    """Attacks on each release under one scoring; a row is a scenario with its attack."""

    scoring: ScoringParameters
    interval_exact: bool  # The run's own; otherwise approximate
    releases: tuple[str, ...]  # In the campaign's order
    # Of each scenario, the one with the worst attack first
    unknown: tuple[str, ...]
    known: tuple[tuple[str, ...], ...]
    kind: tuple[KnownSetKind, ...]  # Rule that chose the known columns
    attack: tuple[str, ...]
    number: IntArray  # Of the attack, or :data:`NOT_PLANNED`
    alc: FloatArray  # Decides the verdict, possibly of a subset attack; NaN if missing
    low: FloatArray
    high: FloatArray
    attempts: IntArray  # People attacked; 0 without a result
    standing: IntArray  # Position in :data:`STANDINGS`, or :data:`NO_RESULT`

    def __len__(self) -> int:
        return len(self.unknown)

    @property
    def loss(self) -> FloatArray:
        """ALC clipped at 0, of shape (n_scenarios, n_releases)."""
        return np.maximum(self.alc, 0.0)

    @property
    def measured(self) -> NDArray[np.bool_]:
        """Where an ALC is known, of shape (n_scenarios, n_releases)."""
        return ~np.isnan(self.alc)

    @property
    def shared(self) -> NDArray[np.bool_]:
        """Scenarios with an ALC on every release, of shape (n_scenarios,)."""
        return np.asarray(self.measured.all(axis=1), dtype=bool)

    @property
    def several_attacks(self) -> bool:
        """Whether scenarios differ by attack."""
        return len(set(self.attack)) > 1

    def rearranged(
        self,
        rows: Sequence[int],
        values: Callable[[NDArray[Any], float], NDArray[Any]],
        **others: Any,
    ) -> Comparison:
        """Return these scenarios; `values` makes each table from its value for none."""
        scenarios = {
            name: tuple(getattr(self, name)[row] for row in rows)
            for name in ("unknown", "known", "kind", "attack")
        }
        tables = {name: values(getattr(self, name), np.nan) for name in ("alc", "low", "high")}
        tables["attempts"] = values(self.attempts, 0)
        tables["standing"] = values(self.standing, NO_RESULT)
        return replace(self, **{**scenarios, **tables, **others})

    def place(self, release: str) -> int:
        """Return the column of a release."""
        check_name("release", release, self.releases)
        return self.releases.index(release)

    def row_of(self, number: int) -> int | None:
        """Return the scenario of an attack, if any."""
        rows = np.flatnonzero((self.number == number).any(axis=1))
        return int(rows[0]) if number != NOT_PLANNED and len(rows) else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleaseChange:
    """Differences between a reference release and another one."""

    reference: str
    release: str
    rows: IntArray  # Scenarios with an ALC on both
    missing: int  # Scenarios lacking an ALC on one or both
    difference: FloatArray  # Release minus reference, negative ALC as 0
    apart: IntArray  # Interval below the reference's: -1; above: 1; overlapping: 0
    moved: IntArray  # Verdict better: -1; worse: 1; "below limit" equals "no loss"

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
    """Return the first release with the highest mean loss over shared scenarios."""
    rows = comparison.shared if comparison.shared.any() else np.ones(len(comparison), dtype=bool)
    losses = comparison.loss[rows]
    counts = (~np.isnan(losses)).sum(axis=0)
    means = np.where(counts, np.nansum(losses, axis=0) / np.maximum(counts, 1), -1.0)
    return comparison.releases[int(np.argmax(means))]


def compare_with(comparison: Comparison, reference: str, release: str) -> ReleaseChange:
    """Compare a release with a reference, attack by attack, by intervals apart."""
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
    """Compare each other release with a reference; see :func:`compare_with`."""
    return tuple(
        compare_with(comparison, reference, release)
        for release in comparison.releases
        if release != reference
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseLosses:
    """Distribution of the losses on one release."""

    release: str
    planned: int  # Attacks, and attacks with an ALC
    measured: int
    counts: Mapping[str, int]  # Attacks by standing, for all of STANDINGS
    # Of deciding ALCs, negative ones as 0; None, like the rest, without any
    quartiles: tuple[float, float, float] | None = None
    worst_alc: float | None = None  # The highest, and its interval, unclipped
    worst_interval: tuple[float, float] | None = None
    worst_standing: str | None = None  # The worst standing of an attack

    @property
    def flagged(self) -> int:
        """Attacks at risk or worse."""
        return sum(self.counts[each] for each in FLAGGED)


def release_losses(comparison: Comparison) -> tuple[ReleaseLosses, ...]:
    """Return the distribution of losses on each release."""
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


def compare_releases(view: CampaignView, scoring: ScoringParameters) -> Comparison:
    """Lay out a campaign by scenario and release."""
    overview = view.overview(scoring)
    others = () if view.release else view.settings.releases
    releases = tuple(dict.fromkeys([*release_order(view, scoring), *others]))
    rows: dict[tuple[str, str], int] = {}
    attacks: list[PlannedAttack] = []
    place: dict[int, tuple[int, int]] = {}
    for attack in view.judged:
        row = rows.setdefault((attack.scenario.key, attack.attack), len(rows))
        if row == len(attacks):
            attacks.append(attack)
        place[attack.number] = row, releases.index(attack.release)
    number = np.full((len(rows), len(releases)), NOT_PLANNED, dtype=np.int64)
    for each, cell in place.items():
        number[cell] = each
    results = overview.results
    at = tuple(
        np.array([place[each] for each in results["number"]], dtype=np.intp).reshape(-1, 2).T
    )

    def laid_out(column: pd.Series, without: float, dtype: type) -> NDArray[Any]:
        table: NDArray[Any] = np.full(number.shape, without, dtype=dtype)
        table[at] = column.to_numpy(dtype=dtype)
        return table

    # Without anything left to learn, the number means nothing
    told = results["standing"] != Verdict.NOT_TESTABLE
    alc, low, high = (
        laid_out(results[f"standing_{name}"].where(told), np.nan, np.float64)
        for name in ("alc", "low", "high")
    )
    codes = results["standing"].map({each: code for code, each in enumerate(STANDINGS)})
    standing = laid_out(codes, NO_RESULT, np.int64)
    # A scenario ranks by its worst attack; those without a result come last
    order = list(dict.fromkeys([*at[0].tolist(), *range(len(rows))]))
    return Comparison(
        scoring=scoring,
        interval_exact=overview.interval_exact,
        releases=releases,
        unknown=tuple(attacks[row].scenario.wanted for row in order),
        known=tuple(tuple(attacks[row].scenario.known) for row in order),
        kind=tuple(attacks[row].kind for row in order),
        attack=tuple(attacks[row].attack for row in order),
        number=number[order],
        alc=alc[order],
        low=low[order],
        high=high[order],
        attempts=laid_out(results["attempts"], 0, np.int64)[order],
        standing=standing[order],
    )


STRONGEST = "the strongest attack"  # In place of the attack
# A note for readers of such a comparison
BY_STRONGEST = "No attack was run on all: the strongest on each is compared."


def comparable(comparison: Comparison) -> Comparison:
    """Return the comparison, or by strongest attacks if none is on all releases."""
    if comparison.shared.any() or not comparison.several_attacks:
        return comparison
    merged = by_strongest(comparison)
    return merged if merged.shared.any() else comparison


def is_by_strongest(comparison: Comparison) -> bool:
    """Whether rows are strongest attacks on each release."""
    return STRONGEST in comparison.attack


def by_strongest(comparison: Comparison) -> Comparison:
    """Return a row per scenario, with the worst attack on each release."""
    rows: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for row, scenario in enumerate(zip(comparison.unknown, comparison.known, strict=True)):
        rows.setdefault(scenario, []).append(row)
    chosen = np.array([worst_rows(comparison, each) for each in rows.values()], dtype=np.intp)
    cells = chosen.reshape(len(rows), len(comparison.releases)), np.arange(len(comparison.releases))
    return comparison.rearranged(
        [each[0] for each in rows.values()],
        lambda values, _: values[cells],
        attack=(STRONGEST,) * len(rows),
        number=comparison.number[cells],
    )


def worst_rows(comparison: Comparison, rows: list[int]) -> list[int]:
    """Return the worst row per release; too few people rank as below limit."""
    standing = comparison.standing[rows].astype(np.float64)
    few = (standing == STANDINGS.index(Verdict.TOO_FEW)) & (comparison.alc[rows] > 0)
    standing[few] = STANDINGS.index(Verdict.BELOW_LIMIT)
    standing[standing == NO_RESULT] = np.inf
    unplanned = comparison.number[rows] == NOT_PLANNED
    losses = np.nan_to_num(comparison.alc[rows], nan=-np.inf)
    return [
        rows[int(np.lexsort((-losses[:, release], standing[:, release], unplanned[:, release]))[0])]
        for release in range(len(comparison.releases))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Why an attack has no result on a release."""

    mark: str  # In a word or a sign
    reason: str  # In a sentence


Gaps = Mapping[tuple[int, int], Gap]  # By row and release of a comparison


def only_attacks(comparison: Comparison, numbers: Collection[int]) -> Comparison:
    """Return scenarios and releases of these attacks only."""
    kept = np.isin(comparison.number, list(numbers))
    rows, places = np.flatnonzero(kept.any(axis=1)), np.flatnonzero(kept.any(axis=0))
    cells = np.ix_(rows, places)
    return comparison.rearranged(
        rows.tolist(),
        lambda values, none: np.where(kept[cells], values[cells], none).astype(values.dtype),
        releases=tuple(comparison.releases[place] for place in places),
        number=comparison.number[cells],
    )


def find_gaps(view: CampaignView, comparison: Comparison) -> Gaps:
    """Return why attacks lack a result."""
    failures, finished = view.failures, set(view.columns.numbers.tolist())
    skipped = view.skipped
    learned = {(attack.release, attack.scenario.wanted) for attack in view.judged}
    run = {(attack.release, attack.attack) for attack in view.judged}
    found: dict[tuple[int, int], Gap] = {}
    for row, place in np.argwhere(comparison.standing == NO_RESULT).tolist():
        number = int(comparison.number[row, place])
        release, unknown = comparison.releases[place], comparison.unknown[row]
        attack = comparison.attack[row]
        if number == NOT_PLANNED:
            why = ""
            if attack != STRONGEST and (release, attack) not in run:
                why = f": '{attack}' is not run on this release"
            elif (release, unknown) not in learned:
                why = f": the release lacks '{unknown}', or it was not chosen"
            gap = Gap(mark="\u2013", reason=f"Not planned{why}.")
        elif number in finished:
            gap = Gap(mark="", reason="Excluded by the filter.")
        elif number in failures:
            gap = Gap(mark="failed", reason=f"Failed: {failures[number]}")
        elif number in skipped:
            gap = Gap(mark="skipped", reason=sentence_case(f"{SETTLED}."))
        else:
            gap = Gap(mark="not run", reason="Not run yet.")
        found[row, place] = gap
    return found
