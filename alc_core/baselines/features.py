"""Known attributes as a matrix for scikit-learn's models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.scenario.known_values import KnownValues
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

        Only categories that occur in the rows are numbered, so that what else a release holds
        changes nothing. Beyond :data:`MAX_CATEGORIES` they are numbered by frequency, the rarest
        sharing the last number.
        """
        columns, categorical = [], []
        for name, spec in known.specs.items():
            values = known.columns[name]
            if isinstance(spec, CategoricalCodes):
                columns.append(_numbered(values.astype(np.int64), spec.size).astype(np.float64))
            else:
                columns.append(values.astype(np.float64))
            categorical.append(isinstance(spec, CategoricalCodes))
        return cls(matrix=np.column_stack(columns), categorical=np.array(categorical))


def _numbered(codes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return numbers of the codes that occur, by frequency where they are too many."""
    frequency = np.bincount(codes, minlength=size)
    occurring = np.flatnonzero(frequency)
    if len(occurring) > MAX_CATEGORIES:
        occurring = occurring[np.argsort(-frequency[occurring], kind="stable")]
    number = np.zeros(size, dtype=np.int64)
    number[occurring] = np.arange(len(occurring))
    return np.minimum(number, MAX_CATEGORIES - 1)[codes]
