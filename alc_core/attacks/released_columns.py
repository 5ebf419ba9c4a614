"""Known columns of released rows for models, and targets in their terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from alc_core.arrays import CodeArray, FloatArray
from alc_core.parameter import Parameter
from alc_core.releases.cells import quantile_edges, to_ranges
from alc_core.releases.microdata import ReleasedRows
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.columns import SpreadValues
from alc_core.tables.codes.encode import CategoricalCodes, ColumnSpec
from alc_core.tables.codes.sets import IntervalSets, SetColumn
from alc_core.tables.values.generalized import tags

# Weight of a label's width beside its distance: decides ties
_NARROWER = 0.01


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleasedColumns:
    """Released rows with the same known columns.

    Generalized labels are categories; a target's value becomes the nearest. Among numbers, labels
    are the middle of what they cover.
    """

    # Labels' codes follow the single values'
    known: KnownValues
    # A generalized label's likeliest
    unknown: CodeArray
    spread: SpreadValues | None  # Rows with several possible unknown values
    set_columns: dict[str, SetColumn]  # Columns with labels

    @classmethod
    def groups(cls, tables: Sequence[ReleasedRows]) -> list[Self]:
        """Join tables with the same columns and labels."""
        alike: dict[tuple[object, ...], list[ReleasedRows]] = {}
        for table in tables:
            labels = {
                name: (column.labels, column.has_single)
                for name, column in table.known.set_columns.items()
            }
            key = (*sorted(table.known.columns), *sorted(labels.items()))
            alike.setdefault(key, []).append(table)
        return [cls._joined(joined) for joined in alike.values()]

    @classmethod
    def _joined(cls, tables: Sequence[ReleasedRows]) -> Self:
        first = tables[0].known
        numeric = {name for name, c in first.set_columns.items() if c.is_numeric and c.has_single}
        joined = {
            name: replace(
                column,
                codes=np.concatenate([table.known.set_columns[name].codes for table in tables]),
                single=np.concatenate([table.known.set_columns[name].single for table in tables]),
            )
            for name, column in first.set_columns.items()
        }
        sets = {name: column for name, column in joined.items() if name not in numeric}
        names = [name for name in first.specs if name in first.set_columns or name in first.columns]
        columns = {
            name: np.concatenate([_learned(table.known, name) for table in tables])
            for name in names
        }
        specs = {
            name: _labelled(first.specs[name], sets[name]) if name in sets else first.specs[name]
            for name in names
        }
        return cls(
            known=KnownValues(specs=specs, columns=columns, n_rows=sum(map(len, tables))),
            unknown=np.concatenate([table.unknown for table in tables]),
            spread=_spread(tables),
            set_columns=joined,
        )

    def drawn(self, rng: np.random.Generator) -> CodeArray:
        """Return unknown codes; of several values one drawn by weight."""
        return self.unknown if self.spread is None else self.spread.drawn(self.unknown, rng)

    def take(self, rows: np.ndarray) -> Self:
        """Return some of the rows."""
        return replace(
            self,
            known=self.known.take(rows),
            unknown=self.unknown[rows],
            spread=None if self.spread is None else self.spread.take(rows),
            set_columns={name: column.take(rows) for name, column in self.set_columns.items()},
        )

    def seen(self, targets: KnownValues) -> KnownValues:
        """Return targets as rows would show them: the nearest, narrowest, commonest label."""
        columns: dict[str, CodeArray | FloatArray] = {}
        for name, spec in self.known.specs.items():
            values = targets.columns[name]
            if name in self.set_columns and isinstance(spec, CategoricalCodes):
                columns[name] = self._nearest(values, name, spec)
            else:
                columns[name] = values
        return KnownValues(specs=self.known.specs, columns=columns, n_rows=targets.n_rows)

    def _nearest(self, values: np.ndarray, name: str, spec: CategoricalCodes) -> CodeArray:
        column = self.set_columns[name]
        rows = np.bincount(self.known.columns[name].astype(np.int64), minlength=spec.size)
        distances = np.full((len(values), spec.size), 2.0)
        start = spec.size - 1 - len(column.labels)
        distances[:, start:-1] = column.distances(values) + _NARROWER * column.widths
        if column.is_numeric:
            own = np.where(np.isnan(values), spec.size - 1, -1)
        else:
            # The original's, except the missing value's, which is last
            own = np.where(np.asarray(values) == start, spec.size - 1, values)
        has_own = own >= 0
        distances[has_own, own[has_own].astype(np.int64)] = 0.0
        distances[:, rows == 0] += 3.0
        nearest = distances <= distances.min(axis=1, keepdims=True)
        commonest: CodeArray = np.where(nearest, rows, -1).argmax(axis=1).astype(np.int32)
        return commonest


def _learned(known: KnownValues, name: str) -> CodeArray | FloatArray:
    column = known.set_columns.get(name)
    if column is None:
        return known.columns[name]
    labelled = column.labelled
    if isinstance(column.sets, IntervalSets):
        middle = np.where(column.sets.any, np.nan, (column.sets.low + column.sets.high) / 2)
        if column.has_single:
            return np.where(labelled, np.append(middle, np.nan)[column.codes], column.single)
        return column.codes
    single, size = np.asarray(column.single), column.sets.covered.shape[1]
    labels = size - 1 + column.codes
    missing = np.where(single == size - 1, size - 1 + len(column.labels), single)
    return np.where(labelled, labels, missing).astype(np.int32)


def _labelled(spec: ColumnSpec, column: SetColumn) -> CategoricalCodes:
    own = spec.labels if isinstance(spec, CategoricalCodes) else ()
    return CategoricalCodes(name=spec.name, labels=(*own, *column.labels))


def _spread(tables: Sequence[ReleasedRows]) -> SpreadValues | None:
    labels, weights, used = [], [], 0
    for table in tables:
        if table.spread is None:
            labels.append(np.full(len(table), -1, dtype=np.int32))
            continue
        own = table.spread.labels
        labels.append(np.where(own >= 0, own + used, own).astype(np.int32))
        weights.append(table.spread.weights)
        used += len(table.spread.weights)
    if not weights:
        return None
    return SpreadValues(labels=np.concatenate(labels), weights=np.concatenate(weights))


RANGES = Parameter(
    name="ranges",
    title="Ranges of a continuous column",
    help="About equal in size.",
    default=10,
    low=2,
    high=1000,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KnownCodes:
    """Known columns of released rows as codes, and targets' coding.

    Codes of released values, labels, ranges and missing.
    """

    rows: ReleasedColumns
    # Edges of each continuous column's ranges
    edges: dict[str, FloatArray]
    # Codes by column; -1 if unreleased. The last ranges are texts among numbers and missing values.
    numbers: dict[str, CodeArray]

    @classmethod
    def of(cls, rows: ReleasedColumns, ranges: int) -> Self:
        """Cut continuous columns, and number the rows' values."""
        edges = {
            name: quantile_edges(np.asarray(rows.known.columns[name], np.float64), ranges)
            for name, spec in rows.known.specs.items()
            if not isinstance(spec, CategoricalCodes)
        }
        unnumbered = cls(rows=rows, edges=edges, numbers={})
        numbers = {}
        for name in rows.known.specs:
            codes = unnumbered._cut(name, rows.known.columns[name])
            if name in rows.set_columns:
                codes = codes[~rows.set_columns[name].suppressed]
            occur = np.unique(codes)
            numbers[name] = np.full(unnumbered._n_categories(name), -1, dtype=np.int32)
            numbers[name][occur] = np.arange(len(occur), dtype=np.int32)
        return replace(unnumbered, numbers=numbers)

    @property
    def sizes(self) -> list[int]:
        """Number of codes of each column."""
        return [int(self.numbers[name].max()) + 1 for name in self.rows.known.specs]

    def released(self) -> list[CodeArray]:
        """Return the rows' codes by column; -1 if suppressed."""
        coded = self._coded(self.rows.known)
        sets = self.rows.set_columns
        return [
            np.where(sets[name].suppressed, np.int32(-1), codes) if name in sets else codes
            for name, codes in zip(self.rows.known.specs, coded, strict=True)
        ]

    def targets(self, targets: KnownValues) -> list[CodeArray]:
        """Return targets' codes; -1 if unreleased."""
        return self._coded(self.rows.seen(targets))

    def _coded(self, known: KnownValues) -> list[CodeArray]:
        return [
            self.numbers[name][self._cut(name, known.columns[name])]
            for name in self.rows.known.specs
        ]

    def _cut(self, name: str, values: CodeArray | FloatArray) -> CodeArray:
        if name not in self.edges:
            return values.astype(np.int32)
        numbers = np.asarray(values, dtype=np.float64)
        codes = to_ranges(numbers, self.edges[name])
        without = self._n_categories(name) - 1 - tags(numbers)
        return np.where(codes < 0, without, codes).astype(np.int32)

    def _n_categories(self, name: str) -> int:
        spec = self.rows.known.specs[name]
        if isinstance(spec, CategoricalCodes):
            return spec.size
        return max(1, len(self.edges[name])) + len(spec.codes)
