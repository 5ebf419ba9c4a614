"""Known attributes as a matrix for scikit-learn's models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.attacks.protocol import KnownValues
from alc_core.tables.encode import CategoricalCodes

MAX_CATEGORIES = 250
"""scikit-learn's boosting takes at most 255 categories; the rarest ones share a code."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Features:
    """Known attributes of rows, one column each.

    Attributes
    ----------
    matrix : ndarray of float64 of shape (n_rows, n_columns)
        Categorical columns as whole numbers, continuous ones as they are with NaN for missing.
    categorical : ndarray of bool of shape (n_columns,)
        Which columns are categorical.
    """

    matrix: NDArray[np.float64]
    categorical: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.matrix)

    def take(self, rows: NDArray[np.intp]) -> Features:
        """Return some of the rows."""
        return Features(matrix=self.matrix[rows], categorical=self.categorical)

    @classmethod
    def of(cls, known: KnownValues) -> Features:
        """Build the matrix; it does not look at the unknown attribute.

        Categories beyond :data:`MAX_CATEGORIES` are numbered by frequency, the rarest sharing the
        last number.
        """
        columns, categorical = [], []
        for name, spec in known.specs.items():
            values = known.columns[name].astype(np.float64)
            if isinstance(spec, CategoricalCodes) and spec.size > MAX_CATEGORIES:
                values = _by_frequency(values.astype(np.int64), spec.size).astype(np.float64)
            columns.append(values)
            categorical.append(isinstance(spec, CategoricalCodes))
        return cls(matrix=np.column_stack(columns), categorical=np.array(categorical))


def _by_frequency(codes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    frequency = np.bincount(codes, minlength=size)
    rank = np.empty(size, dtype=np.int64)
    rank[np.argsort(-frequency, kind="stable")] = np.arange(size)
    return np.minimum(rank, MAX_CATEGORIES - 1)[codes]
