"""Numbers that people know, for the facts an attacker is taken to know: k, uniqueness, majority."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.assessment.prepare import ScenarioData, ScenarioTargets
from alc_core.campaign.plan.uniqueness import HashedRows

IntArray = NDArray[np.int64]

SMALL_CLASS = 5
"""Classes of fewer people than this are called small, a usual demand of k-anonymity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FamiliarNumbers:
    """What is often asked first of a table, for the known columns of one scenario."""

    people: int  # People in the original
    k: int  # Size of the smallest class: the people who share a combination of the known columns
    in_small_classes: float  # Share of people in classes of fewer than :data:`SMALL_CLASS`
    unique: float  # Share of people whose combination nobody else has
    # Share of the most frequent value of the unknown column among those who can be attacked, after
    # down-sampling: how often a guess is right that always names it
    majority: float
    majority_before: float  # The same before down-sampling; equal where nothing was down-sampled


def familiar_numbers(data: ScenarioData, targets: ScenarioTargets) -> FamiliarNumbers:
    """Count classes, unique people and the most frequent value.

    References
    ----------
    Sweeney (2002), k-anonymity.
    """
    known = targets.scenario.known
    rows = HashedRows.of(data.encoded.data.original, known, person=data.people.person)
    sizes, weights = class_sizes(rows, known), np.full(rows.n_rows, 1.0)
    if rows.person is not None and rows.records is not None:
        weights /= rows.records[rows.person.astype(np.int64)]
    candidates = np.concatenate(targets.plan.targets)
    share = targets.plan.down_sampled_share
    majority = float(np.bincount(targets.unknown[candidates]).max() / len(candidates))
    small = weights[sizes < SMALL_CLASS].sum() / weights.sum()
    return FamiliarNumbers(
        people=data.people.count,
        k=int(sizes.min()),
        in_small_classes=float(min(1.0, small)),
        unique=rows.uniqueness(known).singled_out,
        majority=majority,
        majority_before=majority if share is None else share,
    )


def class_sizes(rows: HashedRows, columns: Sequence[str]) -> IntArray:
    """Return how many people share each row's combination of values."""
    total = np.zeros(rows.n_rows, dtype=np.uint64)
    for column in columns:
        total += rows.keys[column]
    _, place = np.unique(total, return_inverse=True)
    counted = place
    if rows.person is not None:  # once for each person, however many records it has in a class
        people = rows.person.astype(np.int64)
        size = int(people.max()) + 1
        counted = np.unique(place * size + people) // size
    sizes: IntArray = np.bincount(counted, minlength=int(place.max()) + 1)[place]
    return sizes
