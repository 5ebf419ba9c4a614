"""Class sizes if a suppressed value may be any value, as sdcMicro counts them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from alc_core.risk_numbers.class_sizes import ClassSizes
from alc_core.risk_numbers.classes import ClassedRows, numbered_rows

IntArray = NDArray[np.int64]

_MOST_WORK = 200_000_000
"""Classes times columns that are compared; with more nothing is counted."""


def sizes_with_any_value(classes: ClassedRows) -> ClassSizes | None:
    """Count for each row the rows that may be the same person, suppressed values being any.

    References
    ----------
    Templ, Kowarik and Meindl (2015), Statistical disclosure control for micro-data using the R
    package sdcMicro.
    """
    hidden, n_classes = classes.hidden, len(classes.sizes)
    if not classes.partly_hidden.any():
        return None
    pattern = numbered_rows(list(hidden.T.astype(np.int64)), n_classes)
    groups = [np.flatnonzero(pattern == number) for number in range(int(pattern.max()) + 1)]
    if len(groups) * n_classes * hidden.shape[1] > _MOST_WORK:
        return None
    alike = np.zeros(n_classes, dtype=np.int64)
    for one in groups:
        for other in groups:
            told = np.flatnonzero(~(hidden[one[0]] | hidden[other[0]]))
            alike[one] += _matching(classes, one, other, told)
    return ClassSizes.of(alike, classes.sizes)


def _matching(classes: ClassedRows, one: IntArray, other: IntArray, told: IntArray) -> IntArray:
    """Return the rows of other classes that agree with each class in the told columns."""
    both = np.concatenate([one, other])
    columns = [classes.codes[both, column] for column in told]
    place = numbered_rows(columns, len(both))
    rows = np.bincount(place[len(one) :], weights=classes.sizes[other], minlength=len(both))
    return rows[place[: len(one)]].astype(np.int64)
