"""The people closest to released rows whose labels stand for several values.

The scan of :mod:`~alc_core.attacks.gower.nearest` looks for the rows closest to a person, and takes
no labels of targets; here, for fewer rows, the same distances are added up the other way round.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from alc_core.attacks.gower.kernels import TIE
from alc_core.scenario.known_values import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes, ColumnSpec, FloatArray

_CELLS = 2_000_000


def nearest_to_sets(
    rows: KnownValues, people: KnownValues, size: int
) -> tuple[NDArray[np.intp], FloatArray]:
    """Find the people closest to released rows."""
    step = max(1, _CELLS // len(people))
    first, nearer = np.zeros(len(rows), dtype=np.intp), np.zeros(len(rows))
    for start in range(0, len(rows), step):
        part = np.arange(start, min(start + step, len(rows)))
        distances = gower_distances(rows.take(part), people)
        least = distances.min(axis=1)
        member = distances[:, :size].min(axis=1) <= least + TIE
        other = distances[:, size:].min(axis=1) <= least + TIE
        first[part] = distances.argmin(axis=1)
        nearer[part] = (member + 1.0 - other) / 2
    return first, nearer


def gower_distances(rows: KnownValues, people: KnownValues) -> FloatArray:
    """Return the sums of per-column distances, shape (n_rows, n_people)."""
    total = np.zeros((len(rows), len(people)))
    for name, spec in people.specs.items():
        theirs = people.columns[name]
        sets = rows.set_columns.get(name)
        if sets is not None:
            total += sets.corrections(theirs)[:, sets.codes].T
        if sets is None or sets.has_single:
            values = rows.columns[name] if sets is None else sets.single
            total += _plain(np.asarray(values), np.asarray(theirs), spec)
    return total


def _plain(
    values: NDArray[np.generic], theirs: NDArray[np.generic], spec: ColumnSpec
) -> FloatArray:
    if isinstance(spec, CategoricalCodes):
        return np.asarray(values[:, None] != theirs[None, :], dtype=np.float64)
    one, other = values.astype(np.float64)[:, None], theirs.astype(np.float64)[None, :]
    gap = np.abs(one - other) / (spec.range if spec.range > 0 else np.inf)
    missing = np.isnan(one), np.isnan(other)
    return np.where(missing[0] | missing[1], missing[0] != missing[1], gap)
