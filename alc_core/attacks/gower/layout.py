"""How the scan lays out released rows and targets; :mod:`nearest` says what for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.attacks.gower.kernels import BLOCK
from alc_core.releases.microdata import ReleasedRows
from alc_core.scenario.known_values import KnownValues
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
