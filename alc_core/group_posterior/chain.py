"""One chain of the Gibbs sampler.

References
----------
Boreale, Corradi and Viscardi (2020), section V.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import deepcopy
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray, spread_out
from alc_core.group_posterior.kernels import (
    advance_horizontal,
    advance_vertical,
    draw_covered,
    draw_parameters,
)
from alc_core.group_posterior.settings import DirichletPrior
from alc_core.group_posterior.tables import (
    DistinctRows,
    GroupedTable,
    HorizontalTable,
    Slots,
    VerticalTable,
)

MOST_WATCHED = 5_000  # Evenly spaced rows kept for convergence checks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draws:
    """Draws kept of a chain."""

    log_values: NDArray[np.float32]  # Log probabilities of the unknown values
    # Log probabilities of the known values given each unknown one
    log_cells: NDArray[np.float32]
    # Unknown values of watched rows, if in groups; else without columns
    states: NDArray[np.int32]
    # Steps by row and distinct value of its group; else empty
    occupancy: NDArray[np.int32]
    # Of the hidden values, parameters integrated out, up to a constant
    log_posterior: FloatArray
    steps: int
    accepted: int = 0  # Accepted proposals, and all of them
    proposed: int = 0


class Chain(ABC):
    """A resumable chain."""

    table: GroupedTable
    prior: DirichletPrior
    rng: np.random.Generator

    def copied(self) -> Self:
        """Return a copy to continue from, sharing the table."""
        return deepcopy(self, {id(self.table): self.table, id(self.prior): self.prior})

    @abstractmethod
    def advance(self, steps: int, keep: int, heats: tuple[float, float] = (1.0, 1.0)) -> Draws:
        """Take steps, and keep draws, evenly spaced.

        The data's weight goes from the first of `heats` to the last; below 1, to leave poor modes,
        steps do not count.
        """

    def _drawn_values(self, keep: int) -> NDArray[np.float32]:
        counts = np.bincount(self.table.values, minlength=self.table.domain.n_values)
        shape = self.prior.values + counts
        drawn: FloatArray = (
            self.rng.dirichlet(shape, size=keep) if keep else np.empty((0, len(shape)))
        )
        return np.log(np.maximum(drawn, 1e-300)).astype(np.float32)


class VerticalChain(Chain):
    """The chain of a table in groups; hidden: rows' values."""

    table: VerticalTable

    def __init__(
        self, table: VerticalTable, prior: DirichletPrior, rng: np.random.Generator, *,
        permuting: bool, tries: int,
    ) -> None:  # fmt: skip
        self.table, self.prior, self.rng = table, prior, rng
        self.permuting, self.tries = permuting, tries
        self.slots = Slots.of(table)
        self.places = table.domain.in_line(table.known)
        order = np.lexsort((rng.random(len(table)), table.group))
        self.state = table.values[order].copy()
        self.counts = table.domain.counts(table.known, self.state)
        self.watched = spread_out(len(table), MOST_WATCHED)
        sizes = np.diff(table.starts)
        tried = np.ones_like(sizes) if permuting else np.minimum(sizes, tries)
        self._proposed = int(tried[sizes > 1].sum())

    def advance(self, steps: int, keep: int, heats: tuple[float, float] = (1.0, 1.0)) -> Draws:
        """Take steps; they move values within their groups."""
        domain, prior = self.table.domain, self.prior
        cells = np.empty((keep, domain.n_values, domain.n_cells), dtype=np.float32)
        states = np.empty((keep, len(self.watched)), dtype=np.int32)
        log_posterior = np.empty(keep)
        occupancy = np.zeros(
            (len(self.table) if keep else 0, self.slots.most if keep else 0), dtype=np.int32
        )
        accepted = advance_vertical(
            self.rng, steps, heats, prior.cells, domain.offsets, self.places, self.table.starts,
            self.state, self.counts, self.tries, self.permuting, self.slots.values,
            self.slots.of_row, max(1, steps // max(keep, 1)), cells, log_posterior, self.watched,
            states, occupancy,
        )  # fmt: skip
        return Draws(
            log_values=self._drawn_values(keep),
            log_cells=cells,
            states=states,
            occupancy=occupancy,
            log_posterior=log_posterior,
            steps=steps,
            accepted=int(accepted),
            proposed=steps * self._proposed,
        )


@dataclass(frozen=True, slots=True, eq=False)
class CoveredPlaces:
    """Labels of all columns in one line, and places they cover."""

    first: NDArray[np.int64]  # First of each label's places in `covered`
    covered: CodeArray  # Places among all known values
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, table: HorizontalTable) -> CoveredPlaces:
        """List what a table's labels cover."""
        found = [
            np.flatnonzero(row).astype(np.int32) + np.int32(offset)
            for covers, offset in zip(table.covers, table.domain.offsets, strict=False)
            for row in covers
        ]
        sizes = [len(each) for each in found]
        labels = [len(covers) for covers in table.covers]
        return cls(
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.concatenate(found).astype(np.int32),
            np.concatenate([[0], np.cumsum(labels)]).astype(np.int64),
        )

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of values per label."""
        return np.diff(self.first)


class HorizontalChain(Chain):
    """The chain of a table of labels; hidden: values behind labels."""

    table: HorizontalTable

    def __init__(
        self, table: HorizontalTable, prior: DirichletPrior, rng: np.random.Generator
    ) -> None:
        self.table, self.prior, self.rng = table, prior, rng
        self.places = CoveredPlaces.of(table)
        value, label, rows = entries(table, self.places)
        single = self.places.sizes[label] == 1
        self.fixed = np.zeros((table.domain.n_values, table.domain.n_cells))
        place = self.places.covered[self.places.first[label[single]]]
        np.add.at(self.fixed, (value[single], place), rows[single])
        self.entries = value[~single], label[~single], rows[~single]
        self.counts = self.fixed.copy()
        # Start evenly over each label's values, or by the prior
        cells = np.empty_like(prior.cells)
        draw_parameters(rng, prior.cells, table.domain.offsets, cells)
        draw_covered(rng, cells, self.counts, *self.entries, self.places.first, self.places.covered)

    def advance(self, steps: int, keep: int, heats: tuple[float, float] = (1.0, 1.0)) -> Draws:
        """Take steps; they draw values behind labels."""
        domain, prior = self.table.domain, self.prior
        cells = np.empty((keep, domain.n_values, domain.n_cells), dtype=np.float32)
        log_posterior = np.empty(keep)
        advance_horizontal(
            self.rng, steps, heats, prior.cells, self.fixed, domain.offsets, *self.entries,
            self.places.first, self.places.covered, self.counts, max(1, steps // max(keep, 1)),
            cells, log_posterior,
        )  # fmt: skip
        return Draws(
            log_values=self._drawn_values(keep),
            log_cells=cells,
            states=np.empty((keep, 0), dtype=np.int32),
            occupancy=np.empty((0, 0), dtype=np.int32),
            log_posterior=log_posterior,
            steps=steps,
        )


def entries(
    table: HorizontalTable, places: CoveredPlaces
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return pairs of unknown value and label (of all columns), with their rows."""
    lined = table.labels + places.offsets[:-1]
    pairs = np.column_stack(
        [np.repeat(table.values, lined.shape[1]).astype(np.int64), lined.ravel()]
    )
    found = DistinctRows.of(pairs)
    value, label = found.rows.T.astype(np.int64, order="C")
    return value, label, found.counts
