"""Rows in groups, each of which has its values of the unknown attribute in no order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.tables.encode import CodeArray, FloatArray
from alc_core.tables.sets.spread import SpreadValues


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedRows:
    """Which group each row is in, and which values of the unknown attribute each group has."""

    group: CodeArray  # Group of each row, 0 to n_groups - 1
    # Where the values of each group begin; those of group g are `values[starts[g]:starts[g + 1]]`.
    # Each group has as many values as rows.
    starts: NDArray[np.int64]
    values: CodeArray  # Codes of the unknown attribute, sorted within each group

    @classmethod
    def of(cls, group: CodeArray, value_group: CodeArray, values: CodeArray) -> Self:
        """Put values, each with its group, in the order of the groups."""
        sizes = np.bincount(group)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        order = np.lexsort((values, value_group))
        return cls(group=group, starts=starts, values=values[order].astype(np.int32))

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of rows, and of values, of each group."""
        return np.diff(self.starts)

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return the same groups with all values dealt out to them at random."""
        value_group = np.repeat(np.arange(self.n_groups), self.sizes)
        values = rng.permutation(self.values)
        return replace(self, values=values[np.lexsort((values, value_group))])

    def shares(self, n_codes: int) -> FloatArray:
        """Return how much of each group each code of the unknown attribute makes up."""
        return group_shares(np.repeat(np.arange(self.n_groups), self.sizes), self.values, n_codes)


def group_shares(
    value_group: NDArray[np.integer],
    values: CodeArray,
    n_codes: int,
    spread: SpreadValues | None = None,
) -> FloatArray:
    """Return how much of each group each code makes up."""
    n_groups = int(value_group.max()) + 1
    labels = np.full(len(values), -1) if spread is None else spread.labels
    single = labels < 0
    cells = value_group[single].astype(np.int64) * n_codes + values[single]
    counts = np.bincount(cells, minlength=n_groups * n_codes).reshape(n_groups, n_codes)
    shares = counts.astype(np.float64)
    if spread is not None:
        np.add.at(shares, value_group[~single], spread.weights[labels[~single]])
    return np.asarray(shares / np.bincount(value_group)[:, None], dtype=np.float64)


def spread_over_rows(group: CodeArray, shares: FloatArray) -> tuple[CodeArray, SpreadValues | None]:
    """Return what each row may have, by what its group has."""
    codes = shares.argmax(axis=1).astype(np.int32)[group]
    mixed = np.flatnonzero(shares.max(axis=1) < 1)
    if not len(mixed):
        return codes, None
    distinct, alike = np.unique(shares[mixed], axis=0, return_inverse=True)
    labels = np.full(len(shares), -1, dtype=np.int32)
    labels[mixed] = alike.reshape(-1)
    return codes, SpreadValues(labels=labels[group], weights=distinct)
