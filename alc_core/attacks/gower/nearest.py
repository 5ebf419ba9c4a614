"""The released rows nearest to each target by Gower distance, exactly.

Targets of whom there is an equal row are looked up; for the others all rows are scanned. The scan
runs in passes over chunks of rows, which are laid out in scratch memory that fits the
processor's cache; beside the encoded columns it needs no copy of the release. The first pass
computes approximate distances (single precision, scaled to [0, 1]) and keeps the minimum of each
block of rows. The others look only into blocks whose minimum is within the error bound of the
best one, and take in double precision the rows that are as near: first for the exact minimum, then
to count the rows at it. Distances closer than :data:`TIE` count as equal, so that the order in
which columns are added up decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.attacks.gower.equal_rows import equal_rows
from alc_core.attacks.gower.kernels import BLOCK, block_minima, visit_near
from alc_core.attacks.gower.layout import GowerTable, slices

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matches:
    """The nearest released rows of each target."""

    # Sum of per-column distances to the nearest rows (Gower distance times columns)
    distance: FloatArray
    # Rows at that distance by value of the unknown attribute, each counted by its weight
    counts: FloatArray


def nearest_rows(tables: Sequence[GowerTable], n_values: int) -> Matches:
    """Find all rows at the minimum distance over all tables, and count their unknown values."""
    equal = equal_rows(tables, n_values)
    if not equal.found.any():
        return _scanned(tables, n_values)
    distance = np.zeros(len(equal.found))
    if not equal.found.all():
        left = np.flatnonzero(~equal.found)
        matches = _scanned([table.for_targets(left) for table in tables], n_values)
        distance[left] = matches.distance
        equal.counts[left] = matches.counts
    return Matches(distance=distance, counts=equal.counts)


def _scanned(tables: Sequence[GowerTable], n_values: int) -> Matches:
    """Find the nearest rows by a scan of the tables."""
    first = tables[0].rows
    n_targets = len(tables[0].targets.codes)
    minima = [_scan(table) for table in tables]
    nearest = np.min([of_table.min(axis=1) for of_table in minima], axis=0)
    n_labels = sum(map(len, first.labels))
    n_columns = len(first.categorical) + len(first.continuous) + n_labels + first.absent
    limit = nearest + np.float32(2e-6 * (n_columns + 1))
    exact = np.full(n_targets, np.inf)
    uncounted = np.zeros((n_targets, 0))
    counts = np.zeros((n_targets, n_values))
    for found in (uncounted, counts):
        for table, of_table in zip(tables, minima, strict=True):
            _visit(table, of_table, limit, exact, found)
    return Matches(distance=exact, counts=counts)


def _scan(table: GowerTable) -> NDArray[np.float32]:
    """Return the smallest approximate distance of each target in each block of rows."""
    rows, targets = table.rows, table.targets
    n_blocks = -(-rows.n_rows // BLOCK)
    label_distances = table.label_distances.astype(np.float32)
    minima = np.empty((len(targets.codes), n_blocks), dtype=np.float32)
    for part, blocks in slices(rows.n_rows):
        chunk = rows.chunk(part)
        minima[:, blocks] = block_minima(
            chunk.codes,
            chunk.scaled,
            chunk.labels,
            targets.codes,
            targets.scaled,
            label_distances,
            np.float32(rows.absent),
        )
    return minima


def _visit(
    table: GowerTable,
    minima: NDArray[np.float32],
    limit: NDArray[np.float32],
    nearest: FloatArray,
    counts: FloatArray,
) -> None:
    """Visit the rows of those blocks that may hold a match of some target."""
    targets, rows = table.targets, table.rows
    label_distances = table.label_distances.astype(np.float32)
    for part, blocks in slices(rows.n_rows):
        near = np.ascontiguousarray(minima[:, blocks])
        if not (near <= limit[:, None]).any():
            continue
        chunk = rows.chunk(part)
        visit_near(
            chunk.codes,
            chunk.scaled,
            chunk.exact,
            chunk.labels,
            targets.codes,
            targets.scaled,
            targets.exact,
            label_distances,
            table.label_distances,
            rows.ranges,
            float(rows.absent),
            near,
            limit,
            nearest,
            np.array(table.unknown[part], dtype=np.int32),
            np.array(table.weights[part]),
            counts,
        )
