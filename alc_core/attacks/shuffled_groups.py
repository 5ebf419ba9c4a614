"""Rows in groups whose values of the unknown attribute are known only as a set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.errors import ParameterError
from alc_core.tables.codes.encode import CodeArray

IndexArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShuffledGroups:
    """Rows in groups, each group with as many values in no order."""

    codes: CodeArray  # Known codes of each row; -1 where a column says nothing of it
    sizes: tuple[int, ...]  # Number of codes of each column
    n_values: int  # Number of codes of the unknown attribute
    order: IndexArray  # The rows, group after group
    group: CodeArray  # Group of each row
    starts: IndexArray  # Where in `order` and in `values` each group begins
    values: CodeArray  # The values of each group, ascending

    @classmethod
    def of(
        cls, columns: Sequence[CodeArray], sizes: Sequence[int], *, group: CodeArray,
        starts: IndexArray, values: CodeArray, n_values: int,
    ) -> Self:  # fmt: skip
        """Put rows together with the values of their groups."""
        if not np.array_equal(np.bincount(group, minlength=len(starts) - 1), np.diff(starts)):
            raise ParameterError("Every group must have as many values as rows.")
        by_group = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        return cls(
            codes=np.stack(columns, axis=1).astype(np.int32),
            sizes=tuple(sizes),
            n_values=n_values,
            order=np.argsort(group, kind="stable"),
            group=np.asarray(group, dtype=np.int32),
            starts=np.asarray(starts, dtype=np.int64),
            values=values[np.lexsort((values, by_group))].astype(np.int32),
        )

    @classmethod
    def of_truth(
        cls, columns: Sequence[CodeArray], sizes: Sequence[int], *, group: CodeArray,
        truth: CodeArray, n_values: int,
    ) -> Self:  # fmt: skip
        """Shuffle the true values of rows in groups, as a study does."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(group))]).astype(np.int64)
        values = truth[np.argsort(group, kind="stable")]
        return cls.of(columns, sizes, group=group, starts=starts, values=values, n_values=n_values)

    def __len__(self) -> int:
        return len(self.codes)

    def options(self) -> tuple[IndexArray, CodeArray]:
        """Return where each group's distinct values begin, and these values."""
        by_group = self._group_of_value()
        new = np.ones(len(self), dtype=bool)
        new[1:] = (self.values[1:] != self.values[:-1]) | (by_group[1:] != by_group[:-1])
        found = np.bincount(by_group[new], minlength=len(self.starts) - 1)
        return np.concatenate([[0], np.cumsum(found)]).astype(np.int64), self.values[new]

    def first_cells(self) -> IndexArray:
        """Return where groups begin if each row has a cell per distinct value of its group."""
        cells = np.diff(self.starts) * np.diff(self.options()[0])
        firsts: IndexArray = np.cumsum(cells) - cells
        return firsts

    def places(self) -> IndexArray:
        """Return where each row stands, group after group."""
        places = np.empty(len(self), dtype=np.int64)
        places[self.order] = np.arange(len(self))
        return places

    def shuffled(self, rng: np.random.Generator) -> CodeArray:
        """Return the values with those of each group in random order."""
        return self.values[np.lexsort((rng.random(len(self)), self._group_of_value()))]

    def _group_of_value(self) -> IndexArray:
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
