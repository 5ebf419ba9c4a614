"""Known attributes as a matrix for scikit-learn's models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes
from alc_core.tables.values.generalized import tags

# scikit-learn's boosting takes at most 255 categories; the rarest ones share a number there
MAX_CATEGORIES = 250
# Per column where it is cut, or None where it is categorical
Cuts = tuple[NDArray[np.float64] | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Features:
    """Known attributes of rows, one column each, and what stands in place of numbers."""

    # Categorical columns as whole numbers from 0 on, continuous ones as they are with NaN for
    # missing
    matrix: NDArray[np.float64]
    categorical: NDArray[np.bool_]  # Which columns are categorical
    # How much each row counts where it is learned from, 1 in the mean; None where all count alike
    weights: NDArray[np.float64] | None = None
    # Of columns whose categories are numbered by frequency, each row's place among sorted labels
    ordered: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def capped(self) -> NDArray[np.float64]:
        """The matrix with at most :data:`MAX_CATEGORIES` categories in each column."""
        return np.minimum(self.matrix, np.where(self.categorical, MAX_CATEGORIES - 1.0, np.inf))

    def take(self, rows: NDArray[np.intp] | slice) -> Features:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        ordered = {column: places[rows] for column, places in self.ordered.items()}
        return replace(self, matrix=self.matrix[rows], weights=weights, ordered=ordered)

    @classmethod
    def of(cls, known: KnownValues) -> Features:
        """Build the matrix; it does not look at the unknown attribute.

        Only categories that occur in the rows are numbered, so that what else a release holds
        changes nothing. Beyond :data:`MAX_CATEGORIES` they are numbered by frequency, so that the
        rarest are those that :attr:`capped` joins.
        """
        return FeatureCoding.of(known).features(known)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FeatureCoding:
    """How known attributes become a matrix, by the categories that some rows have."""

    # Of every column, the number of each category; None for a continuous one
    numbers: Mapping[str, NDArray[np.int64] | None]
    # Continuous columns in which several texts, or texts and empty cells, stand in place of
    # numbers: a category says which. One alone is told by the missing number.
    mixed: tuple[str, ...]

    @classmethod
    def of(cls, known: KnownValues) -> FeatureCoding:
        """Build from the rows whose categories are numbered."""
        return cls(
            numbers={
                name: _numbers(known.columns[name].astype(np.int64), spec.size)
                if isinstance(spec, CategoricalCodes)
                else None
                for name, spec in known.specs.items()
            },
            mixed=tuple(
                name
                for name, spec in known.specs.items()
                if not isinstance(spec, CategoricalCodes)
                and spec.codes
                and _is_mixed(np.asarray(known.columns[name], np.float64))
            ),
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """The known attribute that each column of the matrix is of."""
        return (*self.numbers, *self.mixed)

    def features(self, known: KnownValues) -> Features:
        """Return the matrix of these or other rows.

        Categories that the first rows do not have share a number of their own.
        """
        columns = [
            (known.columns[name] if numbers is None else numbers[known.columns[name]]).astype(
                np.float64
            )
            for name, numbers in self.numbers.items()
        ]
        columns += [
            tags(np.asarray(known.columns[name], np.float64)).astype(np.float64)
            for name in self.mixed
        ]
        categorical = [numbers is not None for numbers in self.numbers.values()]
        categorical += [True for _ in self.mixed]
        ordered = {
            place: known.columns[name].astype(np.float64)
            for place, (name, numbers) in enumerate(self.numbers.items())
            if numbers is not None and numbers.max(initial=0) > MAX_CATEGORIES
        }
        return Features(
            matrix=np.column_stack(columns), categorical=np.array(categorical), ordered=ordered
        )


def _is_mixed(values: NDArray[np.float64]) -> bool:
    return len(np.unique(tags(values[np.isnan(values)]))) > 1


def _numbers(codes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the number of each code, by frequency where those that occur are too many."""
    frequency = np.bincount(codes, minlength=size)
    occurring = np.flatnonzero(frequency)
    if len(occurring) > MAX_CATEGORIES:
        occurring = occurring[np.argsort(-frequency[occurring], kind="stable")]
    numbers = np.full(size, len(occurring), dtype=np.int64)
    numbers[occurring] = np.arange(len(occurring))
    return numbers


def without_empty(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a matrix whose columns without any value are constants.

    scikit-learn can neither bin nor split them; a constant tells as little.
    """
    return np.where(np.isnan(matrix).all(axis=0), 0.0, matrix)


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
