"""What arrays are of, for annotations; some of many rows, at random or evenly spread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]
RowArray = NDArray[np.intp]


def some_rows(rows: RowArray, most: int, rng: np.random.Generator) -> RowArray:
    """Return rows, or a random selection of them, in their order, where they are too many."""
    return rows if len(rows) <= most else np.sort(rng.choice(rows, size=most, replace=False))


def spread_out(size: int, most: int) -> RowArray:
    """Return evenly spaced places, at most so many."""
    return np.unique(np.linspace(0, size - 1, min(size, most)).astype(np.intp))
