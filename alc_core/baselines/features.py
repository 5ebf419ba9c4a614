"""Known attributes as a matrix for scikit-learn's models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.scenario.known_values import KnownValues
from alc_core.tables.encode import CategoricalCodes

MAX_CATEGORIES = 250
"""scikit-learn's boosting takes at most 255 categories; the rarest ones share a number there."""

Cuts = tuple[NDArray[np.float64] | None, ...]
"""Per column where it is cut, or None where it is categorical."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Features:
    """Known attributes of rows, one column each.

    Attributes
    ----------
    matrix : ndarray of float64 of shape (n_rows, n_columns)
        Categorical columns as whole numbers from 0 on, continuous ones as they are with NaN for
        missing.
    categorical : ndarray of bool of shape (n_columns,)
        Which columns are categorical.
    """

    matrix: NDArray[np.float64]
    categorical: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def capped(self) -> NDArray[np.float64]:
        """The matrix with at most :data:`MAX_CATEGORIES` categories in each column."""
        return np.minimum(self.matrix, np.where(self.categorical, MAX_CATEGORIES - 1.0, np.inf))

    def take(self, rows: NDArray[np.intp] | slice) -> Features:
        """Return some of the rows."""
        return Features(matrix=self.matrix[rows], categorical=self.categorical)

    @classmethod
    def of(cls, known: KnownValues) -> Features:
        """Build the matrix; it does not look at the unknown attribute.

        Only categories that occur in the rows are numbered, so that what else a release holds
        changes nothing. Beyond :data:`MAX_CATEGORIES` they are numbered by frequency, so that the
        rarest are those that :attr:`capped` joins.
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
    return number[codes]


def bin_edges(features: Features, shares: NDArray[np.float64]) -> Cuts:
    """Return where to cut each continuous column, at quantiles of its rows; None for the others."""
    return tuple(
        None if categorical else np.unique(np.nanquantile(column, shares))
        if not np.isnan(column).all()
        else np.zeros(1)
        for column, categorical in zip(features.matrix.T, features.categorical, strict=True)
    )  # fmt: skip


def binned(features: Features, cuts: Cuts) -> list[NDArray[np.int64]]:
    """Return each column as codes: categories, or intervals with one more for missing."""
    return [
        column.astype(np.int64)
        if edges is None
        else np.where(np.isnan(column), len(edges) + 1, np.searchsorted(edges, column))
        for column, edges in zip(features.matrix.T, cuts, strict=True)
    ]
