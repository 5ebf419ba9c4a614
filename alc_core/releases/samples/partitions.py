"""Mondrian's partitions: groups of rows that are near each other in all known attributes."""

from __future__ import annotations

import numpy as np

from alc_core.errors import InputError, ParameterError
from alc_core.releases.samples.diversity import check_diverse, is_diverse
from alc_core.tables.encode import CodeArray, FloatArray


def mondrian_groups(positions: FloatArray, values: CodeArray, *, k: int, level: int) -> CodeArray:
    """Cut rows in two again and again, while both parts are large and diverse enough.

    A part is cut in the attribute in which it is widest, as near to the median as can be; where
    that is not allowed, in the next widest.

    References
    ----------
    LeFevre, DeWitt and Ramakrishnan (2006), Mondrian multidimensional k-anonymity.
    """
    if k < 2:
        raise ParameterError(f"k must be at least 2, but is {k}: a group of one hides nobody.")
    if level < 1:
        raise ParameterError(f"level must be at least 1, but is {level}.")
    if len(values) < k:
        raise InputError(f"There are {len(values):,} rows, fewer than k = {k}. Choose a smaller k.")
    check_diverse(values, level)
    groups = np.empty(len(values), dtype=np.int32)
    waiting, number = [np.arange(len(values))], 0
    while waiting:
        rows = waiting.pop()
        parts = _cut(positions[rows], values[rows], k, level)
        if parts is None:
            groups[rows] = number
            number += 1
        else:
            waiting += [rows[~parts], rows[parts]]
    return groups


def _cut(positions: FloatArray, values: CodeArray, k: int, level: int) -> np.ndarray | None:
    """Return which rows form the first of two parts; None where no cut is allowed."""
    if len(values) < 2 * k:
        return None
    widths = positions.max(axis=0) - positions.min(axis=0)
    for column in np.argsort(-widths, kind="stable"):
        if widths[column] <= 0:
            return None
        first = positions[:, column] <= _near_median(positions[:, column])
        parts = values[first], values[~first]
        if all(len(part) >= k and is_diverse(part, level) for part in parts):
            return first
    return None


def _near_median(positions: FloatArray) -> float:
    """Return the position after which a cut leaves parts as equal as can be."""
    distinct, counts = np.unique(positions, return_counts=True)
    below = np.cumsum(counts)[:-1]
    return float(distinct[np.abs(2 * below - len(positions)).argmin()])
