"""A grouped release as the sampler reads it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class DistinctRows:
    """Distinct rows of a matrix, ascending."""

    rows: NDArray[np.integer]  # Each once
    number: NDArray[np.int64]  # Which of them each row is
    counts: NDArray[np.int64]  # How many rows are like it

    @classmethod
    def of(cls, rows: NDArray[np.integer]) -> Self:
        """Find them, by one number a row if columns fit."""
        low = rows.min(axis=0, initial=0)
        sizes = rows.max(axis=0, initial=0).astype(object) - low + 1
        if len(sizes) and math.prod(sizes) >= 2**62:
            found, number, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
            return cls(found, number.reshape(-1).astype(np.int64), counts)
        keys = np.zeros(len(rows), dtype=np.int64)
        for column, least, size in zip(rows.T, low, sizes, strict=True):
            keys = keys * int(size) + (column.astype(np.int64) - int(least))
        _, first, number, counts = np.unique(
            keys, return_index=True, return_inverse=True, return_counts=True
        )
        return cls(rows[first], number.reshape(-1).astype(np.int64), counts.astype(np.int64))


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueDomain:
    """The values that people can have."""

    names: tuple[str, ...]  # The known attributes
    sizes: tuple[int, ...]  # How many values each of them has
    n_values: int  # Values of the unknown attribute

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Starts of known attributes' values in one line, and the end."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    @property
    def n_cells(self) -> int:
        """How many values the known attributes have together."""
        return sum(self.sizes)

    def in_line(self, known: CodeArray) -> CodeArray:
        """Return codes of (n_rows, n_attributes) as places in one line."""
        return np.asarray(known + self.offsets[:-1], dtype=np.int32)

    def counts(self, known: CodeArray, unknown: CodeArray) -> FloatArray:
        """Count rows by unknown and known value, (n_values, n_cells)."""
        counts = np.zeros((self.n_values, self.n_cells))
        for column in self.in_line(known).T:
            np.add.at(counts, (unknown, column), 1.0)
        return counts


@dataclass(frozen=True, eq=False)
class VerticalTable:
    """Rows with unknown values shuffled within groups, as in Anatomy."""

    domain: ValueDomain  # Of all values
    known: CodeArray  # Rows sorted by group
    starts: NDArray[np.int64]  # Where groups start among the rows
    values: CodeArray  # Codes of the unknown attribute, unordered within a group

    def __post_init__(self) -> None:
        if len(self.known) != len(self.values) or self.starts[-1] != len(self.values):
            raise InputError("A group must have as many values as rows.")
        if len(empty := np.flatnonzero(np.diff(self.starts) < 1)):
            raise InputError(f"Group number {empty[0] + 1} has no rows. Remove it.")

    def __len__(self) -> int:
        return len(self.values)

    @property
    def hides(self) -> bool:
        """Whether any group has more than one value."""
        lowest = np.minimum.reduceat(self.values, self.starts[:-1])
        highest = np.maximum.reduceat(self.values, self.starts[:-1])
        return bool((lowest < highest).any())

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """The group of each row."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """Each group's distinct unknown values, ascending."""

    values: CodeArray  # All groups' in one line
    of_row: NDArray[np.int64]  # Start and end for a row's group

    @classmethod
    def of(cls, table: VerticalTable) -> Self:
        """List the values of each group."""
        pairs = DistinctRows.of(np.column_stack([table.group, table.values])).rows
        ends = np.searchsorted(pairs[:, 0], np.arange(len(table.starts) - 1), side="right")
        begins = np.concatenate([[0], ends[:-1]])
        of_group = np.column_stack([begins, ends]).astype(np.int64)
        return cls(pairs[:, 1].astype(np.int32), of_group[table.group])

    @property
    def most(self) -> int:
        """Most distinct values of a group."""
        return int(np.diff(self.of_row, axis=1).max())


@dataclass(frozen=True, eq=False)
class HorizontalTable:
    """Rows whose known values are labels covering one or several values."""

    domain: ValueDomain  # Of all values
    labels: CodeArray  # By row and attribute
    # By attribute and label, the values covered
    covers: tuple[NDArray[np.bool_], ...]
    values: CodeArray  # Codes of the unknown attribute

    def __post_init__(self) -> None:
        for name, column, covers in zip(self.domain.names, self.labels.T, self.covers, strict=True):
            empty = np.flatnonzero(~covers.any(axis=1))
            if len(used := np.intersect1d(empty, column)):
                raise InputError(
                    f"Label number {used[0] + 1} of '{name}' covers no possible value. Correct it."
                )

    def __len__(self) -> int:
        return len(self.values)

    @property
    def hides(self) -> bool:
        """Whether any row's label covers several values."""
        return any(
            bool((covers.sum(axis=1)[np.unique(column)] > 1).any())
            for column, covers in zip(self.labels.T, self.covers, strict=True)
        )

    @cached_property
    def classes(self) -> tuple[CodeArray, CodeArray]:
        """Distinct rows (labels, then unknown value), and their numbers."""
        found = DistinctRows.of(np.column_stack([self.labels, self.values]))
        return found.rows.astype(np.int32), found.counts.astype(np.int32)


GroupedTable = VerticalTable | HorizontalTable
