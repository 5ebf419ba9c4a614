"""Cells of attack by release without a result: why there is none, and what a filter leaves out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.campaign.findings.view import CampaignView
from alc_core.compare.comparison import NO_RESULT, NOT_PLANNED, Comparison
from alc_core.compare.strongest import STRONGEST


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

    def shown(values: NDArray[Any], without: float) -> NDArray[Any]:
        return np.where(kept[cells], values[cells], without).astype(values.dtype)

    return replace(
        comparison,
        releases=tuple(comparison.releases[place] for place in places),
        unknown=tuple(comparison.unknown[row] for row in rows),
        known=tuple(comparison.known[row] for row in rows),
        kind=tuple(comparison.kind[row] for row in rows),
        attack=tuple(comparison.attack[row] for row in rows),
        number=comparison.number[cells],
        alc=shown(comparison.alc, np.nan),
        low=shown(comparison.low, np.nan),
        high=shown(comparison.high, np.nan),
        attempts=shown(comparison.attempts, 0),
        measures={title: shown(each, np.nan) for title, each in comparison.measures.items()},
        standing=shown(comparison.standing, NO_RESULT),
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
