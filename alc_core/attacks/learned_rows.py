"""Released rows as a model learns from them, and people as such rows would show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from alc_core.releases.microdata import ReleasedRows
from alc_core.scenario.known_values import KnownValues
from alc_core.tables.encode import CategoricalCodes, CodeArray, ColumnSpec, FloatArray
from alc_core.tables.sets.set_codes import IntervalSets, SetColumn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnedRows:
    """Released rows with the same known columns.

    Labels that stand for several values are categories here, beside single values; a target's
    value counts as the nearest of them. Where single numbers are among them, labels are numbers,
    too: the middle of what they cover.
    """

    known: KnownValues
    unknown: CodeArray
    label_sets: dict[str, SetColumn]

    @classmethod
    def groups(cls, tables: Sequence[ReleasedRows], rng: np.random.Generator) -> list[Self]:
        """Join the tables that have the same columns and labels."""
        alike: dict[tuple[object, ...], list[ReleasedRows]] = {}
        for table in tables:
            labels = {
                name: (column.labels, column.has_single)
                for name, column in table.known.set_columns.items()
            }
            key = (*sorted(table.known.columns), *sorted(labels.items()))
            alike.setdefault(key, []).append(table)
        return [cls._joined(joined, rng) for joined in alike.values()]

    @classmethod
    def _joined(cls, tables: Sequence[ReleasedRows], rng: np.random.Generator) -> Self:
        first = tables[0].known
        numeric = {name for name, c in first.set_columns.items() if c.is_numeric and c.has_single}
        sets = {name: c for name, c in first.set_columns.items() if name not in numeric}
        names = [name for name in first.specs if name in first.set_columns or name in first.columns]
        columns = {
            name: np.concatenate([_learned(table.known, name) for table in tables])
            for name in names
        }
        specs = {
            name: _labelled(first.specs[name], sets[name]) if name in sets else first.specs[name]
            for name in names
        }
        unknown = [
            table.unknown if table.spread is None else table.spread.drawn(table.unknown, rng)
            for table in tables
        ]
        return cls(
            known=KnownValues(specs=specs, columns=columns, n_rows=sum(map(len, tables))),
            unknown=np.concatenate(unknown),
            label_sets=sets,
        )

    def take(self, rows: np.ndarray) -> Self:
        """Return some of the rows."""
        return type(self)(
            known=self.known.take(rows), unknown=self.unknown[rows], label_sets=self.label_sets
        )

    def seen(self, targets: KnownValues) -> KnownValues:
        """Return targets as the rows would show them; of equally near labels, the commonest."""
        columns: dict[str, CodeArray | FloatArray] = {}
        for name, spec in self.known.specs.items():
            values = targets.columns[name]
            if name in self.label_sets and isinstance(spec, CategoricalCodes):
                columns[name] = self._nearest(values, name, spec)
            else:
                columns[name] = values
        return KnownValues(specs=self.known.specs, columns=columns, n_rows=targets.n_rows)

    def _nearest(self, values: np.ndarray, name: str, spec: CategoricalCodes) -> CodeArray:
        column = self.label_sets[name]
        rows = np.bincount(self.known.columns[name].astype(np.int64), minlength=spec.size)
        distances = np.full((len(values), spec.size), 2.0)
        start = spec.size - 1 - len(column.labels)
        distances[:, start:-1] = column.distances(values)
        if column.is_numeric:
            own = np.where(np.isnan(values), spec.size - 1, -1)
        else:
            # Codes are the original's, but for a missing value, whose code is the last one.
            own = np.where(np.asarray(values) == start, spec.size - 1, values)
        has_own = own >= 0
        distances[has_own, own[has_own].astype(np.int64)] = 0.0
        distances[:, rows == 0] += 3.0
        nearest = distances <= distances.min(axis=1, keepdims=True)
        commonest: CodeArray = np.where(nearest, rows, -1).argmax(axis=1).astype(np.int32)
        return commonest


def _learned(known: KnownValues, name: str) -> CodeArray | FloatArray:
    """Return a column as it is learned from."""
    column = known.set_columns.get(name)
    if column is None:
        return known.columns[name]
    labelled = column.codes < len(column.labels)
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
