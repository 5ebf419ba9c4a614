"""Predictions of learner, attacker, random worlds and the ideal for people.

References
----------
Boreale, Corradi and Viscardi (2020), equations 6, 8, 15 and 20.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.group_posterior.chain import CoveredPlaces, Draws, entries
from alc_core.group_posterior.kernels import (
    attacker_sums,
    compatible,
    joint_sums,
    label_masses,
    learner_sums,
)
from alc_core.group_posterior.sampler import Posterior
from alc_core.group_posterior.settings import DirichletPrior
from alc_core.group_posterior.tables import (
    DistinctRows,
    GroupedTable,
    HorizontalTable,
    Slots,
    ValueDomain,
    VerticalTable,
)


@dataclass(frozen=True, eq=False)
class Victims:
    """Distinct combinations of known values."""

    domain: ValueDomain
    known: CodeArray  # Codes; -1 if unknown
    of_row: NDArray[np.int64]  # By person

    @classmethod
    def of(cls, domain: ValueDomain, known: CodeArray) -> Self:
        """Return people's distinct combinations, (n_rows, n_attributes)."""
        found = DistinctRows.of(known)
        return cls(domain, found.rows.astype(np.int32), found.number)

    def __len__(self) -> int:
        return len(self.known)

    @cached_property
    def places(self) -> CodeArray:
        """Places of known values in one line; -1 if unknown."""
        return np.where(self.known < 0, -1, self.domain.in_line(self.known)).astype(np.int32)

    def matching(self, rows: CodeArray) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Return pairs of victims and rows with equal known values."""
        found = []
        patterns = DistinctRows.of((self.known >= 0).astype(np.int8))
        for number, pattern in enumerate(patterns.rows.astype(bool)):
            some = np.flatnonzero(patterns.number == number)
            found.append(_equal(self.known[some][:, pattern], rows[:, pattern], some))
        return found


def _equal(
    wanted: CodeArray, rows: CodeArray, victims: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    if wanted.shape[1] == 0:
        return np.repeat(victims, len(rows)), np.tile(np.arange(len(rows)), len(victims))
    found = DistinctRows.of(np.concatenate([wanted, rows]))
    both, victim_of = found.number, np.full(len(found.rows), -1, dtype=np.intp)
    victim_of[both[: len(wanted)]] = victims
    of_rows = victim_of[both[len(wanted) :]]
    matched = np.flatnonzero(of_rows >= 0)
    return of_rows[matched], matched


def learner(posterior: Posterior, victims: Victims) -> FloatArray:
    """Return what the release shows of people like the victims, p_L (equation 6)."""
    n_values = posterior.table.domain.n_values
    found = np.zeros((len(posterior.batches), len(victims), n_values))
    for batch, sums in zip(posterior.batches, found, strict=True):
        learner_sums(batch.log_values, batch.log_cells, victims.places, sums)
        sums /= len(batch.log_values)
    return found


def predictive(posterior: Posterior, victims: Victims) -> FloatArray:
    """Return the probability that someone is like the victims (equation 5).

    Its shares over unknown values predict the next such person. The paper equates them with
    :func:`learner`, but a mean of ratios is not the ratio of means.
    """
    n_values = posterior.table.domain.n_values
    places = np.repeat(victims.places, n_values, axis=0)
    values = np.tile(np.arange(n_values, dtype=np.int32), len(victims))
    found = np.zeros((len(posterior.batches), len(values)))
    for batch, sums in zip(posterior.batches, found, strict=True):
        joint_sums(batch.log_values, batch.log_cells, places, values, sums)
        sums /= len(batch.log_values)
    return found.reshape(len(found), len(victims), n_values)


def attacker(posterior: Posterior, victims: Victims) -> FloatArray:
    """Return the prediction if victims are known to be in the table (8 and 15)."""
    table = posterior.table
    if isinstance(table, VerticalTable):
        return _from_occupancy(table, posterior.batches, victims)
    return _from_labels(table, posterior.batches, victims)


def _from_occupancy(table: VerticalTable, batches: Sequence[Draws], victims: Victims) -> FloatArray:
    slots = Slots.of(table)
    rows = np.zeros((len(batches), len(victims), table.domain.n_values))
    for victim, row in victims.matching(table.known):
        begin, end = slots.of_row[row].T
        for number in range(slots.most):
            has = begin + number < end
            value = slots.values[(begin + number)[has]]
            for batch, found in zip(batches, rows, strict=True):
                share = batch.occupancy[row[has], number] / batch.steps
                np.add.at(found, (victim[has], value), share)
    return rows


def _from_labels(table: HorizontalTable, batches: Sequence[Draws], victims: Victims) -> FloatArray:
    places = CoveredPlaces.of(table)
    classes, class_rows = table.classes
    class_labels = (classes[:, :-1] + places.offsets[:-1]).astype(np.int64)
    class_values = classes[:, -1].astype(np.int64)
    pair_starts, pairs = _pairs(table, places, class_labels, victims)
    value, label, _ = entries(table, places)
    rows = np.zeros((len(batches), len(victims), table.domain.n_values))
    masses = np.zeros((table.domain.n_values, int(places.offsets[-1])))
    for batch, found in zip(batches, rows, strict=True):
        for cells in batch.log_cells:
            label_masses(cells, value, label, places.first, places.covered, masses)
            attacker_sums(
                cells, masses, victims.places, class_labels, class_values, class_rows,
                pair_starts, pairs, found,
            )  # fmt: skip
        found /= len(batch.log_cells)
    return rows


def _pairs(
    table: HorizontalTable,
    places: CoveredPlaces,
    class_labels: NDArray[np.int64],
    victims: Victims,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return classes that can be each victim, as starts and numbers."""
    covers = np.zeros((int(places.offsets[-1]), table.domain.n_cells), dtype=np.bool_)
    covers[np.repeat(np.arange(len(places.sizes)), places.sizes), places.covered] = True
    starts = np.zeros(len(victims) + 1, dtype=np.int64)
    compatible(victims.places, class_labels, covers, starts, np.empty(0, dtype=np.int64))
    pairs = np.empty(starts[-1], dtype=np.int64)
    compatible(victims.places, class_labels, covers, starts, pairs)
    return starts, pairs


def random_worlds(table: GroupedTable, victims: Victims) -> FloatArray:
    """Return the prediction if all compatible tables are equally likely."""
    if isinstance(table, VerticalTable):
        return _random_groups(table, victims)
    places = CoveredPlaces.of(table)
    classes, class_rows = table.classes
    class_labels = (classes[:, :-1] + places.offsets[:-1]).astype(np.int64)
    starts, pairs = _pairs(table, places, class_labels, victims)
    victim = np.repeat(np.arange(len(victims)), np.diff(starts))
    chance = 1.0 / places.sizes[class_labels[pairs]]
    known = victims.known[victim] >= 0
    weights = class_rows[pairs] * np.where(known, chance, 1.0).prod(axis=1)
    rows = np.zeros((len(victims), table.domain.n_values))
    np.add.at(rows, (victim, classes[pairs, -1]), weights)
    return rows


def _random_groups(table: VerticalTable, victims: Victims) -> FloatArray:
    n_groups = len(table.starts) - 1
    shares = np.zeros((n_groups, table.domain.n_values))
    np.add.at(shares, (table.group, table.values), 1.0)
    shares /= np.diff(table.starts)[:, None]
    rows = np.zeros((len(victims), table.domain.n_values))
    for victim, row in victims.matching(table.known):
        np.add.at(rows, victim, shares[table.group[row]])
    return rows


def ideal(
    known: CodeArray, unknown: CodeArray, prior: DirichletPrior, victims: Victims
) -> FloatArray:
    """Return the original's prediction for people like the victims, p_I (equation 20)."""
    log_values, log_cells = ideal_parameters(known, unknown, prior, victims)
    joint = np.tile(log_values, (len(victims), 1))
    for column in victims.places.T:
        joint += np.where(column[:, None] >= 0, log_cells.T[column], 0.0)
    joint = np.exp(joint - joint.max(axis=1, keepdims=True))
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def ideal_parameters(
    known: CodeArray, unknown: CodeArray, prior: DirichletPrior, victims: Victims
) -> tuple[FloatArray, FloatArray]:
    """Return log expected parameters given the original (equation 20)."""
    domain = victims.domain
    values = prior.values + np.bincount(unknown, minlength=domain.n_values)
    cells = prior.cells + domain.counts(known, unknown)
    offsets = domain.offsets
    totals = np.add.reduceat(cells, offsets[:-1], axis=1)
    cells = cells / np.repeat(totals, domain.sizes, axis=1)
    return np.log(values / values.sum()), np.log(cells)


def shares(rows: FloatArray) -> FloatArray:
    """Return rows as shares along the last axis; NaN if empty."""
    totals = rows.sum(axis=-1, keepdims=True)
    found = np.full_like(rows, np.nan)
    np.divide(rows, totals, out=found, where=totals > 0)
    return found
