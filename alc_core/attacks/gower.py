"""Scan kernels: the released rows nearest to each target by Gower distance, exactly.

The scan runs in two passes. The first accumulates approximate distances (single precision, scaled
to [0, 1]) over blocks of rows small enough for the processor's cache, and keeps each block's
minimum. The second looks in double precision only into blocks whose minimum is within the error
bound of the best one. Distances closer than :data:`TIE` count as equal, so that the order in which
columns are added up decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from alc_core.attacks.protocol import KnownValues
from alc_core.tables.encode import CategoricalCodes, ContinuousScale

TIE = 1e-9
"""Sums of per-column distances that differ by less are equal."""

_BLOCK = 2048
_MISSING = np.float32(4.0)
"""Scaled stand-in for a missing number: over 1 from every number, and 0 from itself."""

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GowerRows:
    """Rows laid out for the scan, column by column.

    Attributes
    ----------
    codes : ndarray of int32 of shape (n_categorical, n_rows)
        Codes of the categorical columns.
    scaled : ndarray of float32 of shape (n_continuous, n_rows)
        Continuous columns scaled to [0, 1], missing ones as a stand-in.
    exact : ndarray of float64 of shape (n_continuous, n_rows)
        The same unscaled, with NaN for missing.
    ranges : ndarray of float64 of shape (n_continuous,)
        What differences are divided by.
    lacking : int
        Known columns that the rows do not have; each counts 1.
    """

    codes: NDArray[np.int32]
    scaled: NDArray[np.float32]
    exact: FloatArray
    ranges: FloatArray
    lacking: int

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    @classmethod
    def of(cls, known: KnownValues, columns: Sequence[str]) -> GowerRows:
        """Lay out those of the named columns that are there."""
        categorical = [c for c in columns if isinstance(known.specs[c], CategoricalCodes)]
        scales = {c: spec for c in columns if isinstance(spec := known.specs[c], ContinuousScale)}
        exact = [np.asarray(known.columns[c], dtype=np.float64) for c in scales]
        scaled = [
            _scale(values, scale) for values, scale in zip(exact, scales.values(), strict=True)
        ]
        codes = [np.asarray(known.columns[c], dtype=np.int32) for c in categorical]
        shape = (0, known.n_rows)
        return cls(
            codes=np.stack(codes) if codes else np.empty(shape, dtype=np.int32),
            scaled=np.stack(scaled) if scaled else np.empty(shape, dtype=np.float32),
            exact=np.stack(exact) if exact else np.empty(shape),
            ranges=np.array([scale.range for scale in scales.values()], dtype=np.float64),
            lacking=len(known.specs) - len(columns),
        )


def _scale(values: FloatArray, scale: ContinuousScale) -> NDArray[np.float32]:
    unit = scale.range if scale.range > 0 else 1.0
    scaled = ((values - scale.minimum) / unit).astype(np.float32)
    return np.where(np.isnan(scaled), _MISSING, scaled)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matches:
    """The nearest released rows of each target.

    Attributes
    ----------
    distance : ndarray of float64 of shape (n_targets,)
        Sum of per-column distances to the nearest rows (Gower distance times columns).
    counts : ndarray of int32 of shape (n_targets, n_values)
        Rows at that distance by value of the unknown attribute.
    """

    distance: FloatArray
    counts: NDArray[np.int32]


def nearest_rows(
    tables: Sequence[tuple[GowerRows, GowerRows, NDArray[np.int32]]], n_values: int
) -> Matches:
    """Find all rows at the minimum distance over all tables, and count their unknown values.

    Parameters
    ----------
    tables : sequence of (rows, targets, unknown)
        Per released table its rows, the targets laid out over the same columns, and the rows'
        codes of the unknown attribute.
    n_values : int
        Number of codes of the unknown attribute.

    Returns
    -------
    Matches
        Of every target.
    """
    n_targets = tables[0][1].n_rows
    approximate = [_block_minima(*_scan_arrays(rows, targets)) for rows, targets, _ in tables]
    nearest = np.min([minima.min(axis=1) for minima in approximate], axis=0)
    n_columns = len(tables[0][0].codes) + len(tables[0][0].ranges) + tables[0][0].lacking
    limit = nearest + np.float32(2e-6 * (n_columns + 1))
    exact = np.full(n_targets, np.inf)
    for (rows, targets, _), minima in zip(tables, approximate, strict=True):
        _exact_minima(*_exact_arrays(rows, targets), minima, limit, exact)
    counts = np.zeros((n_targets, n_values), dtype=np.int32)
    for (rows, targets, unknown), minima in zip(tables, approximate, strict=True):
        _count_matches(*_exact_arrays(rows, targets), minima, limit, exact + TIE, unknown, counts)
    return Matches(distance=exact, counts=counts)


def _scan_arrays(
    rows: GowerRows, targets: GowerRows
) -> tuple[
    NDArray[np.int32], NDArray[np.float32], NDArray[np.int32], NDArray[np.float32], np.float32
]:
    return (
        rows.codes,
        rows.scaled,
        np.ascontiguousarray(targets.codes.T),
        np.ascontiguousarray(targets.scaled.T),
        np.float32(rows.lacking),
    )


def _exact_arrays(
    rows: GowerRows, targets: GowerRows
) -> tuple[NDArray[np.int32], FloatArray, NDArray[np.int32], FloatArray, FloatArray, float]:
    return (
        rows.codes,
        rows.exact,
        np.ascontiguousarray(targets.codes.T),
        np.ascontiguousarray(targets.exact.T),
        rows.ranges,
        float(rows.lacking),
    )


def _compiled(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile for threads, kept on disk where there is a place that can be written."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        try:
            return njit(cache=True, nogil=True, **options)(function)  # type: ignore[no-any-return]
        except RuntimeError:
            return njit(nogil=True, **options)(function)  # type: ignore[no-any-return]

    return decorate


@_compiled(fastmath={"nnan", "ninf", "nsz"})
def _block_minima(codes, scaled, target_codes, target_scaled, lacking):  # type: ignore[no-untyped-def]
    """Return the smallest approximate distance of each target in each block of rows."""
    n_rows = codes.shape[1]
    n_targets = target_codes.shape[0]
    n_blocks = (n_rows + _BLOCK - 1) // _BLOCK
    minima = np.empty((n_targets, n_blocks), dtype=np.float32)
    sums = np.empty(_BLOCK, dtype=np.float32)
    one = np.float32(1.0)
    zero = np.float32(0.0)
    for block in range(n_blocks):
        start = block * _BLOCK
        size = min(_BLOCK, n_rows - start)
        for target in range(n_targets):
            sums[:size] = lacking
            for column in range(codes.shape[0]):
                values = codes[column, start : start + size]
                code = target_codes[target, column]
                for row in range(size):
                    sums[row] += one if values[row] != code else zero
            for column in range(scaled.shape[0]):
                numbers = scaled[column, start : start + size]
                number = target_scaled[target, column]
                for row in range(size):
                    sums[row] += min(abs(numbers[row] - number), one)
            least = sums[0]
            for row in range(1, size):
                least = min(least, sums[row])
            minima[target, block] = least
    return minima


@_compiled(inline="always")
def _distance(codes, exact, target_codes, target_exact, ranges, lacking, row, target):  # type: ignore[no-untyped-def]
    """Return the exact sum of per-column distances between a row and a target."""
    total = lacking
    for column in range(codes.shape[0]):
        if codes[column, row] != target_codes[target, column]:
            total += 1.0
    for column in range(exact.shape[0]):
        a = exact[column, row]
        b = target_exact[target, column]
        if np.isnan(a) or np.isnan(b):
            if not (np.isnan(a) and np.isnan(b)):
                total += 1.0
        elif ranges[column] > 0.0:
            total += abs(a - b) / ranges[column]
    return total


@_compiled()
def _exact_minima(  # type: ignore[no-untyped-def]
    codes, exact, target_codes, target_exact, ranges, lacking, minima, limit, nearest
):
    """Lower each target's nearest exact distance by the rows of one table, in place."""
    n_rows = codes.shape[1]
    for target in range(target_codes.shape[0]):
        for block in range(minima.shape[1]):
            if minima[target, block] > limit[target]:
                continue
            for row in range(block * _BLOCK, min((block + 1) * _BLOCK, n_rows)):
                distance = _distance(
                    codes, exact, target_codes, target_exact, ranges, lacking, row, target
                )
                nearest[target] = min(nearest[target], distance)


@_compiled()
def _count_matches(  # type: ignore[no-untyped-def]
    codes,
    exact,
    target_codes,
    target_exact,
    ranges,
    lacking,
    minima,
    limit,
    at_most,
    unknown,
    counts,
):
    """Count the unknown values of one table's rows within a distance, in place."""
    n_rows = codes.shape[1]
    for target in range(target_codes.shape[0]):
        for block in range(minima.shape[1]):
            if minima[target, block] > limit[target]:
                continue
            for row in range(block * _BLOCK, min((block + 1) * _BLOCK, n_rows)):
                distance = _distance(
                    codes, exact, target_codes, target_exact, ranges, lacking, row, target
                )
                if distance <= at_most[target]:
                    counts[target, unknown[row]] += 1
