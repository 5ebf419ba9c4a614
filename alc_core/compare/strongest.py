"""Comparing releases that no attack can read all: by the strongest attack on each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from alc_core.compare.comparison import NO_RESULT, NOT_PLANNED, Comparison

STRONGEST = "the strongest attack"
"""What a scenario says in place of the attack."""

BY_STRONGEST = (
    "No attack was run on all releases. In each scenario the strongest attack on each release is"
    " compared."
)
"""What a reader of such a comparison must know."""

Number = TypeVar("Number", bound=np.generic)


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
    members = list(rows.values())
    first = [each[0] for each in members]
    chosen = np.array([_strongest(comparison, each) for each in members], dtype=np.intp)
    chosen = chosen.reshape(len(members), len(comparison.releases))
    releases = np.arange(len(comparison.releases))

    def taken(values: NDArray[Number]) -> NDArray[Any]:
        return values[chosen, releases]

    return replace(
        comparison,
        unknown=tuple(comparison.unknown[row] for row in first),
        known=tuple(comparison.known[row] for row in first),
        kind=tuple(comparison.kind[row] for row in first),
        attack=(STRONGEST,) * len(first),
        number=taken(comparison.number),
        alc=taken(comparison.alc),
        low=taken(comparison.low),
        high=taken(comparison.high),
        attempts=taken(comparison.attempts),
        measures={title: taken(each) for title, each in comparison.measures.items()},
        standing=taken(comparison.standing),
    )


def _strongest(comparison: Comparison, rows: list[int]) -> list[int]:
    """Return for each release the row that stands worst, of equals that with the highest ALC."""
    standing = comparison.standing[rows].astype(np.float64)
    standing[standing == NO_RESULT] = np.inf
    unplanned = comparison.number[rows] == NOT_PLANNED
    losses = np.nan_to_num(comparison.alc[rows], nan=-np.inf)
    return [
        rows[int(np.lexsort((-losses[:, release], standing[:, release], unplanned[:, release]))[0])]
        for release in range(len(comparison.releases))
    ]
