"""The released rows nearest to each target by Gower distance, exactly.

Similar rows are neighbours in blocks, whose column ranges bound distances: blocks beyond a row
already found are skipped. The scan takes chunks that fit the processor's cache, with approximate
distances (single precision, scaled to [0, 1]), and keeps each block's minimum. Two more passes in
double precision read blocks within the error bound of the best minimum: for the exact minimum, then
to count rows at it. Distances closer than :data:`TIE` are equal, whatever the order of summation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray, spread_out
from alc_core.attacks.nearest_rows_kernels import (
    block_ranges,
    least_distances,
    scan_blocks,
    visit_near,
)
from alc_core.releases.microdata import ReleasedRows
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import ContinuousScale
from alc_core.tables.codes.sets import SetColumn
from alc_core.tables.values.generalized import tags

_CHUNK = 2**16  # Rows
_BLOCK, _MOST_BLOCKS = 2**8, 2**12  # Least rows of a block, and about the most blocks
_COMBINATIONS = 1024  # Most combinations of labels in a lookup table
# For a missing number: more than 1 from each number, 0 from itself; twice the tag of a text among
# numbers likewise
_MISSING = np.float32(4.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GowerChunk:
    """Rows laid out for the scan, one line per column."""

    codes: CodeArray
    # Continuous columns scaled to [0, 1], with numbers for missing values and codes
    scaled: NDArray[np.float32]
    exact: FloatArray  # Unscaled, NaN for missing, tagged NaN for codes
    # By group of columns with generalized labels; none for targets
    labels: CodeArray

    def by_row(self) -> GowerChunk:
        """Return a copy with one line per row."""
        return GowerChunk(
            codes=np.ascontiguousarray(self.codes.T),
            scaled=np.ascontiguousarray(self.scaled.T),
            exact=np.ascontiguousarray(self.exact.T),
            labels=self.labels,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GowerRows:
    """The compared columns of some rows, not copied."""

    categorical: tuple[CodeArray, ...]
    continuous: tuple[FloatArray, ...]  # Values with NaN for missing
    scales: tuple[ContinuousScale, ...]  # Of the continuous columns
    # Columns with generalized labels, grouped by lookup table
    labels: tuple[tuple[SetColumn, ...], ...]
    # Place of their single values in the columns above; -1 if none
    singles: NDArray[np.intp]
    absent: int  # Known columns missing in the rows; each adds 1
    n_rows: int

    @classmethod
    def of(cls, known: KnownValues, columns: Sequence[str]) -> GowerRows:
        """Take named columns; single values of those with generalized labels."""
        sets = known.set_columns
        values = {c: sets[c].single if c in sets else known.columns[c] for c in columns}
        scales = {c: spec for c in columns if isinstance(spec := known.specs[c], ContinuousScale)}
        places = {c: n for n, c in enumerate((*(c for c in columns if c not in scales), *scales))}
        return cls(
            categorical=tuple(np.asarray(values[c], np.int32) for c in columns if c not in scales),
            continuous=tuple(np.asarray(values[c], np.float64) for c in scales),
            scales=tuple(scales.values()),
            labels=_groups(tuple(sets.values())),
            singles=np.array([places.get(c, -1) for c in sets], dtype=np.intp),
            absent=len(known.specs) - len({*columns, *sets}),
            n_rows=known.n_rows,
        )

    @property
    def ranges(self) -> FloatArray:
        """Divisors of the continuous columns' differences."""
        return np.array([scale.range for scale in self.scales], dtype=np.float64)

    @property
    def block(self) -> int:
        """Number of rows scanned or skipped together."""
        most = max(_BLOCK, self.n_rows // _MOST_BLOCKS)
        return min(_CHUNK, 1 << (most - 1).bit_length())

    def slices(self) -> Iterator[tuple[slice, slice]]:
        """Yield chunks of rows, and their blocks."""
        for start in range(0, self.n_rows, _CHUNK):
            stop = min(start + _CHUNK, self.n_rows)
            yield slice(start, stop), slice(start // self.block, -(-stop // self.block))

    def chunks(self) -> Iterator[tuple[GowerChunk, slice]]:
        """Yield the rows laid out, with their blocks."""
        for part, blocks in self.slices():
            yield self.chunk(part), blocks

    def ranges_of_blocks(self, part: slice) -> tuple[tuple[NDArray[Any], NDArray[Any]], ...]:
        """Return ranges of codes, numbers and labels of a chunk's blocks."""
        chunk = self.chunk(part)
        labels = [column.codes[part] for group in self.labels for column in group]
        of_columns = np.array(labels, dtype=np.int32).reshape(-1, chunk.codes.shape[1])
        columns = chunk.codes, chunk.scaled, of_columns
        return tuple(block_ranges(each, self.block) for each in columns)

    def chunk(self, rows: slice) -> GowerChunk:
        """Lay out some rows."""
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
    """A released table, and the targets over the same columns."""

    rows: GowerRows
    targets: GowerChunk
    # Of targets to combinations of labels, by group
    label_distances: FloatArray
    column_distances: FloatArray  # Of targets to labels, by column
    unknown: CodeArray
    weights: FloatArray  # Of rows at equal distance

    @classmethod
    def of(
        cls, table: ReleasedRows, targets: KnownValues, unknown: CodeArray, weights: FloatArray
    ) -> GowerTable:
        """Take the table's columns, unknown codes and weights."""
        sets = table.known.set_columns
        mixed = [name for name, column in sets.items() if column.has_single]
        columns = [*table.known.columns, *mixed]
        chosen = GowerRows.of(targets, columns)
        return cls(
            rows=GowerRows.of(table.known, columns),
            targets=chosen.chunk(slice(None)).by_row(),
            label_distances=_label_distances(table.known, targets, _groups([*sets.values()])),
            column_distances=_label_distances(table.known, targets, [(c,) for c in sets.values()]),
            unknown=unknown,
            weights=weights,
        )


def _groups(columns: Sequence[SetColumn]) -> tuple[tuple[SetColumn, ...], ...]:
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


def _label_distances(
    known: KnownValues, targets: KnownValues, groups: Sequence[tuple[SetColumn, ...]]
) -> FloatArray:
    names = {id(column): name for name, column in known.set_columns.items()}
    sums = []
    for group in groups:
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


def nearest_rows(tables: Sequence[GowerTable], n_values: int) -> tuple[FloatArray, FloatArray]:
    """Find the nearest rows of all tables, and count their unknown values.

    Returns summed per-column distances (Gower distance times columns), and weighted rows by unknown
    value.
    """
    first = tables[0].rows
    n_targets = len(tables[0].targets.codes)
    n_labels = sum(map(len, first.labels))
    n_columns = len(first.categorical) + len(first.continuous) + n_labels + first.absent
    margin = np.float32(2e-6 * (n_columns + 1))
    nearest = np.full(n_targets, np.inf, dtype=np.float32)
    minima = [_scan(table, nearest, margin) for table in tables]
    exact = np.full(n_targets, np.inf)
    uncounted = np.zeros((n_targets, 0))
    counts = np.zeros((n_targets, n_values))
    for found in (uncounted, counts):
        for table, of_table in zip(tables, minima, strict=True):
            _visit(table, of_table, nearest + margin, exact, found)
    return exact, counts


def _scan(
    table: GowerTable, nearest: NDArray[np.float32], margin: np.float32
) -> NDArray[np.float32]:
    """Return each target's smallest approximate distance by block.

    A bound for skipped blocks; `nearest` is lowered in place.
    """
    rows, targets, absent = table.rows, table.targets, np.float32(table.rows.absent)
    of_groups, of_columns = (
        each.astype(np.float32) for each in (table.label_distances, table.column_distances)
    )
    minima = np.empty((len(targets.codes), -(-rows.n_rows // rows.block)), dtype=np.float32)
    for part, blocks in rows.slices():
        minima[:, blocks] = least_distances(
            *rows.ranges_of_blocks(part), rows.singles, targets.codes, targets.scaled, of_columns,
            absent,
        )  # fmt: skip
    first = minima.argmin(axis=1)
    for beginning in (True, False):
        for chunk, blocks in rows.chunks():
            scan_blocks(
                chunk.codes, chunk.scaled, chunk.labels, targets.codes, targets.scaled, of_groups,
                absent, 2 * margin, rows.block, minima[:, blocks], nearest,
                first - blocks.start, beginning,
            )  # fmt: skip
    return minima


def _visit(
    table: GowerTable,
    minima: NDArray[np.float32],
    limit: NDArray[np.float32],
    nearest: FloatArray,
    counts: FloatArray,
) -> None:
    targets, rows = table.targets, table.rows
    label_distances = table.label_distances.astype(np.float32)
    near = np.any(minima <= limit[:, None], axis=0)
    for part, blocks in rows.slices():
        if not near[blocks].any():
            continue
        chunk = rows.chunk(part)
        visit_near(
            chunk.codes, chunk.scaled, chunk.exact, chunk.labels, targets.codes, targets.scaled,
            targets.exact, label_distances, table.label_distances, rows.ranges, float(rows.absent),
            rows.block, minima[:, blocks], limit, nearest,
            np.array(table.unknown[part], dtype=np.int32), np.array(table.weights[part]), counts,
        )  # fmt: skip


_INTERVALS = np.linspace(0, 1, 9)[1:-1]  # Quantiles that cut continuous columns to order rows
_LOOKED_AT = 1000  # Rows used to compare columns for that


def alike_in_order(known: KnownValues) -> NDArray[np.intp]:
    """Return an order of rows with similar neighbours.

    Columns with few, distant values come first.
    """
    some = spread_out(known.n_rows, _LOOKED_AT)
    sets = [each.single if each.has_single else each.codes for each in known.set_columns.values()]
    told = []
    for values in (*known.columns.values(), *sets):
        cuts = None
        if np.issubdtype(values.dtype, np.floating):
            numbers = np.asarray(values[some], np.float64)
            numbers = numbers[~np.isnan(numbers)]
            cuts = np.unique(np.quantile(numbers, _INTERVALS)) if len(numbers) else numbers
        codes, size = _numbered(values, cuts)
        gaps = np.abs(codes[some] - np.roll(codes[some], len(some) // 2))
        apart = float((gaps > 0).mean()) if cuts is None else float(gaps.mean()) / size
        if size > 1:
            told.append((apart / math.log2(size), values, cuts))
    key: NDArray[Any] = np.zeros(known.n_rows, dtype=np.int64)
    places = 1
    for _, values, cuts in sorted(told, key=lambda column: -column[0]):
        if places >= known.n_rows:
            break
        codes, size = _numbered(values, cuts)
        key *= size
        key += codes
        places *= size
    return np.argsort(key, kind="stable")


def _numbered(values: NDArray[Any], cuts: FloatArray | None) -> tuple[NDArray[Any], int]:
    codes = values if cuts is None else np.searchsorted(cuts, values)
    return codes - codes.min(), int(np.ptp(codes)) + 1
