"""Continuous columns cut into ranges that hold about as many people each."""

from __future__ import annotations

import numpy as np

from alc_core.tables.encode import CodeArray, FloatArray


def quantile_edges(values: FloatArray, ranges: int) -> FloatArray:
    """Return the first number of each range and the last one's end, all of them values.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN where missing.
    ranges : int
        How many; fewer come out where many people share a value.

    Returns
    -------
    ndarray of shape (n_ranges + 1,)
        Ascending, the last one included in the last range; empty if all values are missing.

    Examples
    --------
    >>> import numpy as np
    >>> quantile_edges(np.array([1.0, 2.0, 3.0, 3.0, 3.0, 9.0]), 3)
    array([1., 3., 9.])
    """
    present = values[~np.isnan(values)]
    if not len(present):
        return np.empty(0)
    edges = np.unique(np.quantile(present, np.linspace(0, 1, ranges + 1), method="nearest"))
    return edges if len(edges) > 1 else np.repeat(edges, 2)


def to_ranges(values: FloatArray, edges: FloatArray) -> CodeArray:
    """Return the range of each value, the first or last for one outside, and -1 if missing.

    Examples
    --------
    >>> import numpy as np
    >>> to_ranges(np.array([0.0, 2.9, 3.0, 9.0, 12.0, np.nan]), np.array([1.0, 3.0, 9.0]))
    array([ 0,  0,  1,  1,  1, -1], dtype=int32)
    """
    codes = np.searchsorted(edges[1:-1], values, side="right").astype(np.int32)
    return np.where(np.isnan(values), np.int32(-1), codes)
