"""Known columns as a matrix for scikit-learn's models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes
from alc_core.tables.values.generalized import tags

# scikit-learn's boosting takes at most 255; the rarest share one
MAX_CATEGORIES = 250
# Cuts per column; None if categorical
Cuts = tuple[NDArray[np.float64] | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Features:
    """Known columns of rows, with texts among numbers."""

    # Categories from 0; continuous columns with NaN for missing
    matrix: NDArray[np.float64]
    categorical: NDArray[np.bool_]
    # Row weights in learning, mean 1; None if equal
    weights: NDArray[np.float64] | None = None
    # Place among sorted labels, if numbered by frequency
    ordered: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def capped(self) -> NDArray[np.float64]:
        """The matrix with at most :data:`MAX_CATEGORIES` per column."""
        return np.minimum(self.matrix, np.where(self.categorical, MAX_CATEGORIES - 1.0, np.inf))

    def take(self, rows: NDArray[np.intp] | slice) -> Features:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        ordered = {column: places[rows] for column, places in self.ordered.items()}
        return replace(self, matrix=self.matrix[rows], weights=weights, ordered=ordered)

    @classmethod
    def of(cls, known: KnownValues) -> Features:
        """Build the matrix, without the unknown column.

        Only occurring categories are numbered, by frequency beyond :data:`MAX_CATEGORIES`:
        :attr:`capped` joins the rarest.
        """
        return FeatureCoding.of(known).features(known)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FeatureCoding:
    """Coding of known columns by some rows' categories."""

    # Number of categories by column; None if continuous
    numbers: Mapping[str, NDArray[np.int64] | None]
    # Continuous columns with several texts, or texts and empty cells, have a category; a single
    # text is missing.
    mixed: tuple[str, ...]

    @classmethod
    def of(cls, known: KnownValues) -> FeatureCoding:
        """Build from the rows that define categories."""
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
        """The known column of each matrix column."""
        return (*self.numbers, *self.mixed)

    def features(self, known: KnownValues) -> Features:
        """Return the matrix of any rows.

        New categories share a number.
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
    frequency = np.bincount(codes, minlength=size)
    occurring = np.flatnonzero(frequency)
    if len(occurring) > MAX_CATEGORIES:
        occurring = occurring[np.argsort(-frequency[occurring], kind="stable")]
    numbers = np.full(size, len(occurring), dtype=np.int64)
    numbers[occurring] = np.arange(len(occurring))
    return numbers


def without_empty(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a matrix with empty columns as constants.

    scikit-learn can neither bin nor split them.
    """
    return np.where(np.isnan(matrix).all(axis=0), 0.0, matrix)


def bin_edges(features: Features, shares: NDArray[np.float64]) -> Cuts:
    """Return continuous columns' quantile cuts; None for others."""
    return tuple(
        None if categorical else np.unique(np.nanquantile(column, shares))
        if not np.isnan(column).all()
        else np.zeros(1)
        for column, categorical in zip(features.matrix.T, features.categorical, strict=True)
    )  # fmt: skip


def binned(features: Features, cuts: Cuts) -> list[NDArray[np.int64]]:
    """Return columns as codes: categories, or intervals with missing."""
    return [
        column.astype(np.int64)
        if edges is None
        else np.where(np.isnan(column), len(edges) + 1, np.searchsorted(edges, column))
        for column, edges in zip(features.matrix.T, cuts, strict=True)
    ]
