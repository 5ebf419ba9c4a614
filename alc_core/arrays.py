"""Array types, samples of rows, places of values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]
RowArray = NDArray[np.intp]

# Largest whole numbers, and ratio to those looked up, for a dense array
_DENSE, _SPARSE = 2**23, 64


def some_rows(rows: RowArray, most: int, rng: np.random.Generator) -> RowArray:
    """Return rows in order, or a random selection of too many."""
    return rows if len(rows) <= most else np.sort(rng.choice(rows, size=most, replace=False))


def spread_out(size: int, most: int) -> RowArray:
    """Return evenly spaced places, at most so many."""
    return np.unique(np.linspace(0, size - 1, min(size, most)).astype(np.intp))


def effective_number(weights: FloatArray) -> float:
    """Return how many equally weighted numbers are as precise (Kish 1965)."""
    return float(weights.sum() ** 2 / np.square(weights).sum())


def mid_ranks(numbers: FloatArray, among: FloatArray) -> FloatArray:
    """Return the share of `among` below each finite number, ties in the middle; else -1."""
    present = np.sort(among[np.isfinite(among)])
    below, up_to = (np.searchsorted(present, numbers, side=side) for side in ("left", "right"))
    return np.where(np.isfinite(numbers), (below + up_to) / 2 / max(1, len(present)), -1.0)


def places_in(
    values: NDArray[np.float64 | np.int64], among: NDArray[np.float64 | np.int64], *, start: int = 0
) -> IntArray:
    """Return places in a sorted array, counted from `start`; -1 for others."""
    if not len(among):
        return np.full(len(values), -1, dtype=np.int64)
    dense = min(_DENSE, _SPARSE * (len(values) + len(among)))
    if among.dtype.kind == "i" and among[0] >= 0 and among[-1] < dense:
        places = np.full(int(among[-1]) + 2, -1, dtype=np.int64)
        places[among] = np.arange(start, start + len(among))
        inside = (values >= 0) & (values <= among[-1])
        return places[np.where(inside, values, -1)]
    places = np.minimum(np.searchsorted(among, values), len(among) - 1)
    return np.where(among[places] == values, places + start, -1)
