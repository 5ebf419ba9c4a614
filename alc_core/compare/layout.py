"""The attacks of a campaign laid out by scenario and release; cells without a result, and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.campaign.findings.findings_table import measure_columns
from alc_core.campaign.findings.overview import STANDINGS
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.candidates.lines import release_order
from alc_core.compare.comparison import NO_RESULT, NOT_PLANNED, Comparison
from alc_core.scoring.parameters import ScoringParameters


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

    alc, low, high = (
        laid_out(results[f"standing_{name}"], np.nan, np.float64) for name in ("alc", "low", "high")
    )
    codes = results["standing"].map({each: code for code, each in enumerate(STANDINGS)})
    standing = laid_out(codes, NO_RESULT, np.int64)
    # A scenario stands where its worst attack does; those without a result come last.
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
        measures={
            column.title: laid_out(results[column.name], np.nan, np.float64)[order]
            for column in measure_columns(results, like_alc=False)
            if column.leading
        },
        standing=standing[order],
    )


STRONGEST = "the strongest attack"
"""What a scenario says in place of the attack."""

BY_STRONGEST = (
    "No attack was run on all releases. In each scenario the strongest attack on each release is"
    " compared."
)
"""What a reader of such a comparison must know."""


def comparable(comparison: Comparison) -> Comparison:
    """Return a comparison itself, or by the strongest attacks where no attack is on all releases.

    Releases of different types are attacked in different ways; what they have in common is who is
    attacked, what is known and what is to be learned.
    """
    if comparison.shared.any() or not comparison.several_attacks:
        return comparison
    merged = by_strongest(comparison)
    return merged if merged.shared.any() else comparison


def is_by_strongest(comparison: Comparison) -> bool:
    """Return whether scenarios stand for their strongest attack on each release."""
    return STRONGEST in comparison.attack


def by_strongest(comparison: Comparison) -> Comparison:
    """Return one row for each scenario, with the attack that stands worst on each release."""
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
    """Return for each release the row that stands worst, of equals that with the highest ALC."""
    standing = comparison.standing[rows].astype(np.float64)
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


Gaps = Mapping[tuple[int, int], Gap]
"""By row and place of the release in a comparison."""


def only_attacks(comparison: Comparison, numbers: Collection[int]) -> Comparison:
    """Return the scenarios and releases of some attacks; other attacks have no result there."""
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
    """Return why attacks of a comparison have no result."""
    failures, finished = view.failures, set(view.curves.numbers.tolist())
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
                why = f": {attack} is not run on this release"
            elif (release, unknown) not in learned:
                why = f": this release does not have {unknown}, or it was not chosen"
            gap = Gap(mark="\u2013", reason=f"Not planned{why}.")
        elif number in finished:
            gap = Gap(mark="", reason="Left out by the filter.")
        elif number in failures:
            gap = Gap(mark="failed", reason=f"Failed: {failures[number]}")
        else:
            gap = Gap(mark="not run", reason="Not run yet, or the run was stopped before.")
        found[row, place] = gap
    return found
