"""Continuous columns cut into equal counts, and people by cell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from alc_core.arrays import CodeArray, FloatArray
from alc_core.tables.values.dates import iso_day
from alc_core.tables.values.texts import canonical_labels


def quantile_edges(values: FloatArray, ranges: int) -> FloatArray:
    """Return the ranges' first numbers and the last end, all data values.

    >>> import numpy as np
    >>> quantile_edges(np.array([0.0, 0.0, 0.0, 0.0, 5.0, 9.0]), 3)
    array([0., 5., 9.])
    """
    distinct, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if not len(distinct):
        return np.empty(0)
    below = np.cumsum(counts) - counts
    number = below * ranges // counts.sum()
    starts = np.append(True, np.diff(number) > 0)
    return np.append(distinct[starts], distinct[-1]).astype(np.float64)


def to_ranges(values: FloatArray, edges: FloatArray) -> CodeArray:
    """Return values' ranges, the first or last if outside; -1 if missing.

    >>> import numpy as np
    >>> to_ranges(np.array([0.0, 2.9, 3.0, 9.0, 12.0, np.nan]), np.array([1.0, 3.0, 9.0]))
    array([ 0,  0,  1,  1,  1, -1], dtype=int32)
    """
    codes = np.searchsorted(edges[1:-1], values, side="right").astype(np.int32)
    return np.where(np.isnan(values), np.int32(-1), codes)


def range_labels(edges: FloatArray, *, of_dates: bool = False) -> list[str]:
    """Return range labels for :func:`quantile_edges`.

    >>> import numpy as np
    >>> range_labels(np.array([1.0, 3.0, 9.0]))
    ['[1, 3)', '[3, 9]']
    """
    last = len(edges) - 2
    return [
        range_label(low, high, of_dates=of_dates, closed=number == last)
        for number, (low, high) in enumerate(pairwise(edges.tolist()))
    ]


def range_label(low: float, high: float, *, of_dates: bool, closed: bool = True) -> str:
    """Return a label of a range of numbers or days."""
    if of_dates:
        ends = [iso_day(low), iso_day(high if closed else np.ceil(high))]
    else:
        ends = [str(end) for end in canonical_labels(pd.Series([low, high]))]
        if low == high:
            return ends[0]
    return f"[{ends[0]}, {ends[1]}{']' if closed else ')'}"


def contingency(
    columns: Sequence[CodeArray], unknown: CodeArray, sizes: Sequence[int], n_values: int
) -> list[FloatArray]:
    """Count each known attribute against the unknown one.

    >>> import numpy as np
    >>> sex, disease = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> contingency([sex], disease, [2], 2)
    [array([[1., 1.],
           [0., 2.]])]
    """
    values = np.asarray(unknown, dtype=np.int64)
    tables = []
    for codes, size in zip(columns, sizes, strict=True):
        counted = (codes >= 0) & (values >= 0)
        cells = np.asarray(codes, dtype=np.int64)[counted] * n_values + values[counted]
        found = np.bincount(cells, minlength=size * n_values)
        tables.append(found.reshape(size, n_values).astype(np.float64))
    return tables
