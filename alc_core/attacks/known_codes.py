"""Known columns as codes, continuous ones cut into ranges: what naive Bayes learns from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.parameter import Parameter
from alc_core.releases.ranges import quantile_edges, to_ranges
from alc_core.scenario.known_values import KnownValues
from alc_core.tables.encode import CategoricalCodes, CodeArray, FloatArray
from alc_core.tables.values.tagged import tags

RANGES = Parameter(
    name="ranges",
    title="Ranges of a continuous column",
    help="Into how many ranges, each with about as many released rows, every continuous known "
    "column is cut.",
    default=10,
    low=2,
    high=1000,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KnownCodes:
    """The known columns of released rows as codes from 0, and how targets get theirs.

    Codes are those of the values, labels and ranges that the released rows have; a missing value
    is one of its own.
    """

    rows: ReleasedColumns
    # Of the continuous columns, where ranges begin and the last one ends
    edges: dict[str, FloatArray]
    # Of every column, the code of each category or range; -1 where no released row has it. Of
    # ranges, the last are for texts among numbers and for missing values.
    numbers: dict[str, CodeArray]

    @classmethod
    def of(cls, rows: ReleasedColumns, ranges: int) -> Self:
        """Cut the rows' continuous columns, and number what occurs."""
        edges = {
            name: quantile_edges(np.asarray(rows.known.columns[name], np.float64), ranges)
            for name, spec in rows.known.specs.items()
            if not isinstance(spec, CategoricalCodes)
        }
        unnumbered = cls(rows=rows, edges=edges, numbers={})
        numbers = {}
        for name in rows.known.specs:
            codes = unnumbered._cut(name, rows.known.columns[name])
            if name in rows.suppressed:
                codes = codes[~rows.suppressed[name]]
            occur = np.unique(codes)
            numbers[name] = np.full(unnumbered._n_categories(name), -1, dtype=np.int32)
            numbers[name][occur] = np.arange(len(occur), dtype=np.int32)
        return replace(unnumbered, numbers=numbers)

    @property
    def sizes(self) -> list[int]:
        """Number of codes of each column."""
        return [int(self.numbers[name].max()) + 1 for name in self.rows.known.specs]

    def released(self) -> list[CodeArray]:
        """Return the codes of the rows, column by column; -1 where a cell is suppressed."""
        coded = self._coded(self.rows.known)
        hidden = self.rows.suppressed
        return [
            np.where(hidden[name], np.int32(-1), codes) if name in hidden else codes
            for name, codes in zip(self.rows.known.specs, coded, strict=True)
        ]

    def targets(self, targets: KnownValues) -> list[CodeArray]:
        """Return the codes of targets; -1 where no released row has their value."""
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
