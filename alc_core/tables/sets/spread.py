"""Released values of the unknown attribute that may each be several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpreadValues:
    """A released unknown attribute, some of whose rows have a label for several values."""

    labels: CodeArray  # Each row's label, a row of `weights`; -1 for a row with a single value
    # How likely each code is behind each label: as often as the release has it as a single value,
    # or all alike where it has none of them
    weights: FloatArray

    def likeliest(self, single: CodeArray) -> CodeArray:
        """Return codes with the likeliest one of each label."""
        best = self.weights.argmax(axis=1).astype(np.int32)
        return np.where(self.labels >= 0, best[self.labels], single).astype(np.int32)

    def drawn(self, single: CodeArray, rng: np.random.Generator) -> CodeArray:
        """Return codes with one of each label's drawn at random by its weight."""
        rows = np.flatnonzero(self.labels >= 0)
        below = np.cumsum(self.weights, axis=1)[self.labels[rows]]
        codes = np.array(single, dtype=np.int32)
        chosen = (below < rng.random((len(rows), 1)) * below[:, -1:]).sum(axis=1)
        codes[rows] = chosen
        return codes

    def take(self, rows: NDArray[np.intp]) -> SpreadValues:
        """Return the values of some rows."""
        return SpreadValues(labels=self.labels[rows], weights=self.weights)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedValues:
    """The unknown attribute of several tables, numbered so that rows can be counted by value."""

    numbers: tuple[CodeArray, ...]  # Of each table: codes, and for labels numbers after these
    weights: FloatArray  # How likely each code is behind each label of all tables

    @classmethod
    def of(cls, parts: Sequence[tuple[CodeArray, SpreadValues | None]], n_codes: int) -> Self:
        """Give numbers to the values of tables, codes and labels for several values."""
        numbers, weights, used = [], [np.zeros((0, n_codes))], n_codes
        for single, spread in parts:
            if spread is None:
                numbers.append(single)
                continue
            places = np.where(spread.labels >= 0, spread.labels + used, single)
            numbers.append(places.astype(np.int32))
            weights.append(spread.weights)
            used += len(spread.weights)
        return cls(numbers=tuple(numbers), weights=np.concatenate(weights))

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(self.weights.shape[1]) + len(self.weights)

    def by_code(self, counts: FloatArray) -> FloatArray:
        """Return rows by code, those with a label shared out over what it covers."""
        n_codes = self.weights.shape[1]
        if not len(self.weights):
            return counts
        return counts[:, :n_codes] + counts[:, n_codes:] @ self.weights
