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

from alc_core.arrays import FloatArray
from alc_core.attacks.gower.kernels import BLOCK, TIE, block_minima, visit_near
from alc_core.attacks.gower.layout import GowerChunk, GowerTable, slices
from alc_core.tables.values.generalized import tags

_FEWEST_TARGETS = 128  # Hashing the release takes as long as scanning it for some 30 targets
# Intervals in a column's range, each much wider than what counts as equal; where the first one
# begins. So round numbers are hardly ever at the end of one.
CELLS, SHIFT = 9973.0, 0.381966
_EDGE = 1e-4  # Of a target so near to the end of an interval, equal rows may lie in the next one
_MIXER = 0x9E3779B97F4A7C15
_BITS = 20


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
            chunk.codes, chunk.scaled, chunk.labels, targets.codes, targets.scaled,
            label_distances, np.float32(rows.absent),
        )  # fmt: skip
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
            chunk.codes, chunk.scaled, chunk.exact, chunk.labels, targets.codes, targets.scaled,
            targets.exact, label_distances, table.label_distances, rows.ranges, float(rows.absent),
            near, limit, nearest, np.array(table.unknown[part], dtype=np.int32),
            np.array(table.weights[part]), counts,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EqualRows:
    """Targets who have an equal row, and whose rows these are."""

    found: NDArray[np.bool_]  # Whether a released row is at distance 0
    # Of those who have one, rows that are as near, by value of the unknown attribute; 0 of the
    # others
    counts: FloatArray


def equal_rows(tables: Sequence[GowerTable], n_values: int) -> EqualRows:
    """Find the targets who have an equal row in a released table."""
    n_targets = len(tables[0].targets.codes)
    counts = np.zeros((n_targets, n_values))
    found = np.zeros(n_targets, dtype=bool)
    if n_targets < _FEWEST_TARGETS or any(table.rows.labels for table in tables):
        return EqualRows(found=found, counts=counts)
    clear = np.ones(n_targets, dtype=bool)
    for table in tables:
        if not table.rows.absent:
            clear &= _count(table, _Sought.of(table), found, counts)
    found &= clear
    counts[~found] = 0
    return EqualRows(found=found, counts=counts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sought:
    """Targets in the order of their hashes."""

    hashes: NDArray[np.uint64]  # Ascending, without repetition
    first: NDArray[np.intp]  # The first target that has the hash
    place: NDArray[np.intp]  # Of each target's hash
    # Whether a target has the very values of the first one with its hash, and none of them is near
    # the end of its interval
    clear: NDArray[np.bool_]
    likely: NDArray[np.bool_]  # How hashes of targets begin

    @classmethod
    def of(cls, table: GowerTable) -> _Sought:
        """Hash the targets of a table."""
        codes, exact = table.targets.codes, table.targets.exact
        cells = _cells(exact.T, table)
        hashes, first, place = np.unique(
            _hashes(codes.T, cells), return_index=True, return_inverse=True
        )
        clear = (np.abs(cells - np.floor(cells) - 0.5) < 0.5 - _EDGE).all(axis=0)
        clear &= (codes == codes[first[place]]).all(axis=1)
        other = exact[first[place]]
        same = np.isnan(exact) & np.isnan(other) & (tags(exact) == tags(other))
        clear &= ((exact == other) | same).all(axis=1)
        likely = np.zeros(2**_BITS, dtype=bool)
        likely[_beginning(hashes)] = True
        return cls(hashes=hashes, first=first, place=place, clear=clear, likely=likely)

    def matches(self, chunk: GowerChunk, table: GowerTable) -> tuple[NDArray[np.intp], ...]:
        """Return rows of a chunk that have the hash of a target, and the places of their hashes."""
        hashes = _hashes(chunk.codes, _cells(chunk.exact, table))
        rows = np.flatnonzero(self.likely[_beginning(hashes)])
        places = np.minimum(np.searchsorted(self.hashes, hashes[rows]), len(self.hashes) - 1)
        same = self.hashes[places] == hashes[rows]
        return rows[same], places[same]


def _count(
    table: GowerTable, sought: _Sought, found: NDArray[np.bool_], counts: FloatArray
) -> NDArray[np.bool_]:
    """Count the equal rows of a table, in place; return for which targets that is certain."""
    counted = np.zeros((len(sought.hashes), counts.shape[1]))
    equal = np.zeros(len(sought.hashes), dtype=bool)
    for part, _ in slices(table.rows.n_rows):
        chunk = table.rows.chunk(part)
        rows, places = sought.matches(chunk, table)
        distances = _distances(chunk, rows, table, sought.first[places])
        near = distances <= TIE
        np.add.at(counted, (places[near], table.unknown[part][rows[near]]), 1)
        equal[places[distances == 0]] = True
    found |= equal[sought.place]
    counts += counted[sought.place]
    return sought.clear


def _distances(
    chunk: GowerChunk, rows: NDArray[np.intp], table: GowerTable, targets: NDArray[np.intp]
) -> FloatArray:
    """Return the exact distance between each row and its target, added up as the scan does."""
    total = np.zeros(len(rows))
    for column, codes in enumerate(chunk.codes):
        total += codes[rows] != table.targets.codes[targets, column]
    for column, (numbers, unit) in enumerate(zip(chunk.exact, table.rows.ranges, strict=True)):
        a, b = numbers[rows], table.targets.exact[targets, column]
        gap = np.abs(a - b) / unit if unit > 0 else np.zeros(len(rows))
        missing = np.isnan(a), np.isnan(b)
        other = (missing[0] != missing[1]) | (tags(a) != tags(b))
        total += np.where(missing[0] | missing[1], other, gap)
    return total


def _cells(exact: FloatArray, table: GowerTable) -> FloatArray:
    """Return where numbers lie, counted in intervals of their column's range; columns by rows."""
    cells = np.full(exact.shape, SHIFT)
    for column, scale in enumerate(table.rows.scales):
        if scale.range > 0:
            cells[column] = (exact[column] - scale.minimum) * (CELLS / scale.range) + SHIFT
    without = np.isnan(exact)
    cells[without] = -SHIFT - tags(exact[without])
    return cells


def _hashes(codes: NDArray[np.int32], cells: FloatArray) -> NDArray[np.uint64]:
    """Return a hash of each row; columns by rows."""
    total = np.zeros(codes.shape[1], dtype=np.uint64)
    for part in (codes, np.floor(cells)):
        for column in part:
            total += column.astype(np.int64).view(np.uint64)
            total *= np.uint64(_MIXER)
            total ^= total >> np.uint64(32)
    return total * np.uint64(_MIXER)


def _beginning(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return hashes >> np.uint64(64 - _BITS)
