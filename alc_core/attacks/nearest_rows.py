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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.attacks.nearest_rows_kernels import BLOCK, TIE, block_minima, visit_near
from alc_core.releases.microdata import ReleasedRows
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes, ContinuousScale
from alc_core.tables.codes.sets import SetColumn
from alc_core.tables.values.generalized import tags

_CHUNK = 32 * BLOCK
_COMBINATIONS = 1024  # Most combinations of labels whose distances are looked up together
# Scaled stand-in for a missing number: over 1 from every number, and 0 from itself. So is this
# and twice the tag of a text among numbers.
_MISSING = np.float32(4.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GowerChunk:
    """Some rows laid out for the scan, one line per column."""

    codes: CodeArray  # Codes of the categorical columns
    # Continuous columns scaled to [0, 1], missing ones and codes as stand-ins
    scaled: NDArray[np.float32]
    exact: FloatArray  # The same unscaled, with NaN for missing and tagged NaN for codes
    # Codes of the groups of columns whose labels stand for several values; none for targets
    labels: CodeArray

    def by_row(self) -> GowerChunk:
        """Return the same with one line per row."""
        return GowerChunk(
            codes=np.ascontiguousarray(self.codes.T),
            scaled=np.ascontiguousarray(self.scaled.T),
            exact=np.ascontiguousarray(self.exact.T),
            labels=self.labels,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GowerRows:
    """The columns of some rows that the scan compares; the arrays are not copied."""

    categorical: tuple[CodeArray, ...]  # Codes
    continuous: tuple[FloatArray, ...]  # Values with NaN for missing
    scales: tuple[ContinuousScale, ...]  # Of the continuous columns
    # The columns whose labels stand for several values, in groups that are looked up together
    labels: tuple[tuple[SetColumn, ...], ...]
    absent: int  # Known columns that the rows do not have; each counts 1
    n_rows: int  # Number of rows

    @classmethod
    def of(cls, known: KnownValues, columns: Sequence[str]) -> GowerRows:
        """Take the named columns; of those with labels for several values the single ones."""
        codes, numbers, scales = [], [], []
        sets = known.set_columns
        for column in columns:
            spec = known.specs[column]
            values = sets[column].single if column in sets else known.columns[column]
            if isinstance(spec, CategoricalCodes):
                codes.append(np.asarray(values, dtype=np.int32))
            else:
                numbers.append(np.asarray(values, dtype=np.float64))
                scales.append(spec)
        return cls(
            categorical=tuple(codes),
            continuous=tuple(numbers),
            scales=tuple(scales),
            labels=_groups(tuple(sets.values())),
            absent=len(known.specs) - len({*columns, *sets}),
            n_rows=known.n_rows,
        )

    @property
    def ranges(self) -> FloatArray:
        """What differences of the continuous columns are divided by."""
        return np.array([scale.range for scale in self.scales], dtype=np.float64)

    def chunk(self, rows: slice) -> GowerChunk:
        """Lay some rows out."""
        n_rows = len(range(*rows.indices(self.n_rows)))
        codes = np.empty((len(self.categorical), n_rows), dtype=np.int32)
        exact = np.empty((len(self.continuous), n_rows), dtype=np.float64)
        scaled = np.empty(exact.shape, dtype=np.float32)
        for number, column in enumerate(self.categorical):
            codes[number] = column[rows]
        for number, (values, scale) in enumerate(zip(self.continuous, self.scales, strict=True)):
            unit = scale.range if scale.range > 0 else 1.0
            exact[number] = values[rows]
            scaled[number] = (exact[number] - scale.minimum) / unit
            without = np.isnan(exact[number])
            scaled[number][without] = _MISSING + 2 * tags(exact[number][without])
        labels = np.empty((len(self.labels), n_rows), dtype=np.int32)
        for number, group in enumerate(self.labels):
            labels[number] = group[0].codes[rows]
            for sets in group[1:]:
                labels[number] *= len(sets.labels) + 1
                labels[number] += sets.codes[rows]
        return GowerChunk(codes=codes, scaled=scaled, exact=exact, labels=labels)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GowerTable:
    """A released table with the targets over the same columns."""

    rows: GowerRows  # Of the table
    targets: GowerChunk  # The targets, one line per target
    # Distance of each target to each combination of labels in a group of columns
    label_distances: FloatArray
    unknown: CodeArray  # Codes of the rows' unknown attribute
    weights: FloatArray  # What each row counts among those at one distance

    @classmethod
    def of(
        cls, table: ReleasedRows, targets: KnownValues, unknown: CodeArray, weights: FloatArray
    ) -> GowerTable:
        """Take the columns that the table has, and what its rows are counted under and by."""
        sets = table.known.set_columns
        mixed = [name for name, column in sets.items() if column.has_single]
        columns = [*table.known.columns, *mixed]
        chosen = GowerRows.of(targets, columns)
        return cls(
            rows=GowerRows.of(table.known, columns),
            targets=chosen.chunk(slice(None)).by_row(),
            label_distances=_label_distances(table.known, targets),
            unknown=unknown,
            weights=weights,
        )

    def for_targets(self, some: NDArray[np.intp]) -> GowerTable:
        """Return the same table for some of the targets."""
        targets = self.targets
        return replace(
            self,
            targets=replace(
                targets,
                codes=targets.codes[some],
                scaled=targets.scaled[some],
                exact=targets.exact[some],
            ),
            label_distances=self.label_distances[:, some],
        )


def _groups(columns: Sequence[SetColumn]) -> tuple[tuple[SetColumn, ...], ...]:
    """Put columns together while their labels have few combinations, to look up fewer distances."""
    groups: list[tuple[SetColumn, ...]] = []
    size = 0
    for column in columns:
        labels = len(column.labels) + 1
        if groups and size * labels <= _COMBINATIONS:
            groups[-1] = (*groups[-1], column)
            size *= labels
        else:
            groups.append((column,))
            size = labels
    return tuple(groups)


def _label_distances(known: KnownValues, targets: KnownValues) -> FloatArray:
    names = {id(column): name for name, column in known.set_columns.items()}
    sums = []
    for group in _groups(tuple(known.set_columns.values())):
        total = np.zeros((targets.n_rows, 1))
        for column in group:
            found = column.corrections(targets.columns[names[id(column)]])
            total = (total[:, :, None] + found[:, None, :]).reshape(targets.n_rows, -1)
        sums.append(total)
    widest = max((total.shape[1] for total in sums), default=0)
    distances = np.zeros((len(sums), targets.n_rows, widest), dtype=np.float64)
    for number, total in enumerate(sums):
        distances[number, :, : total.shape[1]] = total
    return distances


def slices(n_rows: int) -> Iterator[tuple[slice, slice]]:
    """Yield chunks of rows, and the blocks in them."""
    for start in range(0, n_rows, _CHUNK):
        stop = min(start + _CHUNK, n_rows)
        yield slice(start, stop), slice(start // BLOCK, -(-stop // BLOCK))


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
