"""Counts of the combinations of a known attribute's values with those of the unknown one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int32]


def contingency(
    columns: Sequence[CodeArray],
    unknown: CodeArray,
    sizes: Sequence[int],
    n_values: int,
    *,
    weights: FloatArray | None = None,
) -> list[FloatArray]:
    """Count each known attribute against the unknown one.

    Examples
    --------
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
        shares = None if weights is None else weights[counted]
        found = np.bincount(cells, weights=shares, minlength=size * n_values)
        tables.append(found.reshape(size, n_values).astype(np.float64))
    return tables
