"""From an attack's view to the sampler's table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray, spread_out
from alc_core.errors import InputError
from alc_core.group_posterior.settings import RANGES
from alc_core.group_posterior.tables import (
    GroupedTable,
    HorizontalTable,
    ValueDomain,
    VerticalTable,
)
from alc_core.phrasing import count, listed
from alc_core.releases.cells import quantile_edges
from alc_core.releases.groups import Groups, GroupsView
from alc_core.releases.microdata import Microdata, RowsView
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes, ColumnSpec
from alc_core.tables.codes.sets import IntervalSets, SetColumn
from alc_core.tables.values.dates import iso_day
from alc_core.tables.values.generalized import tags

READABLE = (Groups, Microdata)
_MOST_CUTS = 100

_MOST_CELLS = 200_000_000  # Most cells of labels times values, one byte each


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ColumnCoding:
    """Codes from 0 of a known column's values."""

    # Labels of original and release, or a scale
    spec: ColumnSpec
    cuts: FloatArray  # Start of each range but the first, if continuous
    has_missing: bool  # Whether the last code is missing
    bounds: int = 0  # Most released bounds that become cuts

    @classmethod
    def of(cls, name: str, released: KnownValues, people: KnownValues | None, ranges: int) -> Self:
        """Take the possible values of a released column and of people."""
        spec, column = released.specs[name], released.set_columns.get(name)
        single = released.columns[name] if column is None else column.single[~column.labelled]
        given = [single] if people is None else [single, people.columns[name]]
        if isinstance(spec, CategoricalCodes):
            missing = any((values == len(spec.labels)).any() for values in given)
            return cls(spec=spec, cuts=np.empty(0), has_missing=bool(missing))
        numbers = np.asarray(single, dtype=np.float64)
        cuts = [quantile_edges(numbers, ranges)[1:-1]]
        if column is not None:
            cuts.append(_bounds(column, numbers))
        bounds = np.unique(np.concatenate(cuts))
        found = bounds[spread_out(len(bounds), _MOST_CUTS)]
        every = np.concatenate([np.asarray(values, np.float64) for values in given])
        missing = np.isnan(every) & (tags(every) == 0)
        return cls(spec=spec, cuts=found, has_missing=bool(missing.any()), bounds=len(bounds))

    @property
    def size(self) -> int:
        """Number of codes."""
        return self._n_values + self.has_missing

    @property
    def _n_values(self) -> int:
        if isinstance(self.spec, CategoricalCodes):
            return len(self.spec.labels)
        return len(self.cuts) + 1 + len(self.spec.codes)

    @property
    def options(self) -> tuple[str, ...]:
        """A value per code; a range's start, as number or whole day.

        Texts among numbers come last.
        """
        if isinstance(self.spec, CategoricalCodes):
            return self.spec.labels
        begins = (self.spec.minimum, *self.cuts.tolist())
        if self.spec.of_dates:
            return (*(iso_day(math.ceil(begin)) for begin in begins), *self.spec.codes)
        return (*(f"{begin:.12g}" for begin in begins), *self.spec.codes)

    def codes(self, values: NDArray[np.generic]) -> CodeArray:
        """Return codes; -1 for missing without a code."""
        without = self._n_values if self.has_missing else -1
        if isinstance(self.spec, CategoricalCodes):
            codes = np.asarray(values, dtype=np.int32)
            return np.where(codes == self._n_values, without, codes).astype(np.int32)
        numbers = np.asarray(values, dtype=np.float64)
        places, texts = np.searchsorted(self.cuts, numbers, side="right"), tags(numbers)
        places = np.where(texts > 0, len(self.cuts) + texts, places)
        return np.where(np.isnan(numbers) & (texts == 0), without, places).astype(np.int32)

    def covered(self, column: SetColumn) -> NDArray[np.bool_]:
        """Return the codes that each released label covers."""
        sets = column.sets
        if isinstance(sets, IntervalSets):
            lows, highs = (self.codes(ends)[:, None] for ends in (sets.low, sets.high))
            places = np.arange(self._n_values)
            found = (places >= lows) & (places <= highs) | sets.any[:, None]
            missing = sets.any
        else:
            found, missing = sets.covered[:, :-1], sets.covered[:, -1]
        return np.column_stack([found, missing]) if self.has_missing else found

    def code_of(self, text: str) -> int:
        """Return the code of a written value."""
        spec = self.spec
        if isinstance(spec, CategoricalCodes):
            if found := spec.codes_of([text]):
                return found[0]
            some = ", ".join(f"'{label}'" for label in spec.labels[:10])
            raise InputError(
                f"Column '{spec.name}' has no value '{text}' in original or release. It has "
                f"{some}{' and others' if len(spec.labels) > 10 else ''}."
            )
        if text in spec.codes:
            return len(self.cuts) + 1 + spec.codes.index(text)
        if np.isnan(number := spec.number(text)):
            kind = "point in time" if spec.of_dates else "number"
            raise InputError(f"'{text}' of column '{spec.name}' is not a {kind}.")
        return int(self.codes(np.array([number]))[0])


def _bounds(column: SetColumn, numbers: FloatArray) -> FloatArray:
    sets = column.sets
    if not isinstance(sets, IntervalSets):
        return np.empty(0)
    used = np.unique(column.codes[column.labelled])
    used = used[~sets.any[used]]
    low, high = sets.low[used], sets.high[used]
    every = np.concatenate([low, high, numbers[~np.isnan(numbers)]])
    whole = bool((every == np.round(every)).all())
    return np.concatenate([low, high + 1 if whole else np.nextafter(high, np.inf)])


@dataclass(frozen=True, slots=True, eq=False)
class KnownCoding:
    """The known columns of a release, one after the other."""

    columns: Mapping[str, ColumnCoding]

    @classmethod
    def of(cls, released: KnownValues, people: KnownValues | None, ranges: int) -> Self:
        """Take the columns that a released table has."""
        has = [n for n in released.specs if n in released.columns or n in released.set_columns]
        return cls({name: ColumnCoding.of(name, released, people, ranges) for name in has})

    def options(self) -> dict[str, tuple[str, ...]]:
        """Return values for :meth:`person` by column; starts of ranges."""
        return {name: column.options for name, column in self.columns.items()}

    def notes(self) -> tuple[str, ...]:
        """Report columns with joined ranges."""
        return tuple(
            f"'{name}' has {count(column.bounds)} bounds of ranges; {count(_MOST_CUTS)} were used."
            for name, column in self.columns.items()
            if column.bounds > _MOST_CUTS
        )

    def people(self, known: KnownValues) -> CodeArray:
        """Return people's codes, shape (n_people, n_columns); -1 if unknown."""
        codes = [column.codes(known.columns[name]) for name, column in self.columns.items()]
        return np.column_stack(codes).astype(np.int32)

    def person(self, values: Mapping[str, str]) -> CodeArray:
        """Return one person's codes, shape (1, n_columns)."""
        if wrong := [name for name in values if name not in self.columns]:
            raise InputError(
                f"'{wrong[0]}' is not a known column of the release. Choose among "
                f"{', '.join(self.columns)}."
            )
        codes = [
            column.code_of(values[name]) if name in values else -1
            for name, column in self.columns.items()
        ]
        return np.array([codes], dtype=np.int32)

    def domain(self, view: RowsView, released: CodeArray) -> ValueDomain:
        """Return people's possible values, with "missing" if released."""
        n_labels = len(view.unknown.labels)
        return ValueDomain(
            names=tuple(self.columns),
            sizes=tuple(column.size for column in self.columns.values()),
            n_values=n_labels + bool((released == n_labels).any()),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedRelease:
    """A release in groups or of labels, and people's coding."""

    table: GroupedTable
    coding: KnownCoding
    notes: tuple[str, ...] = ()  # Unused parts of the release

    @classmethod
    def of(
        cls, view: RowsView, *, ranges: int = int(RANGES.default), people: KnownValues | None = None
    ) -> Self:
        """Read a view.

        Shuffled groups become a table in groups, rows a table of labels. People's values are those
        of original and release. Of several tables, the one with most known columns is used.
        """
        if isinstance(view, GroupsView):
            return cls._in_groups(view, ranges, people)
        most = max(view.tables, key=lambda t: len(t.known.columns) + len(t.known.set_columns))
        coding = KnownCoding.of(most.known, people, ranges)
        has = np.ones(len(most), dtype=bool) if most.spread is None else most.spread.labels < 0
        suppressed = view.suppressed.get(most.name, np.empty(0, dtype=np.int32))
        values = np.concatenate([most.unknown[has], suppressed]).astype(np.int32)
        if not len(values):
            raise InputError(
                f"No row of '{most.name}' has a single value of '{view.unknown.name}'. Choose "
                "another column."
            )
        rows = most.known.take(np.flatnonzero(has))
        labels, covers = zip(
            *(_labels(rows, name, coding, len(suppressed)) for name in coding.columns), strict=True
        )
        domain, coded = coding.domain(view, values), np.column_stack(labels).astype(np.int32)
        notes = [*coding.notes()]
        if left_out := int((~has).sum()):
            notes.append(f"{count(left_out)} rows without a single unknown value are left out.")
        if unused := [table.name for table in view.tables if table is not most]:
            notes.append(f"Only one table was used, not {listed(unused)}.")
        table = HorizontalTable(domain, coded, covers, values)
        return cls(table=table, coding=coding, notes=tuple(notes))

    @classmethod
    def _in_groups(cls, view: GroupsView, ranges: int, people: KnownValues | None) -> Self:
        (rows,), groups = view.tables, view.groups
        if rows.known.set_columns:
            raise InputError(
                f"'{rows.name}' has groups, but {listed(list(rows.known.set_columns))} are also "
                "generalized. Choose others."
            )
        coding = KnownCoding.of(rows.known, people, ranges)
        known = coding.people(rows.known)[np.argsort(groups.group, kind="stable")]
        table = VerticalTable(
            coding.domain(view, groups.values), known, groups.starts, groups.values
        )
        return cls(table=table, coding=coding, notes=coding.notes())


def _labels(
    rows: KnownValues, name: str, coding: KnownCoding, n_suppressed: int
) -> tuple[CodeArray, NDArray[np.bool_]]:
    """Return rows' labels of a column, suppressed last, and what labels cover."""
    own, column = coding.columns[name], rows.set_columns.get(name)
    if column is None:
        labelled = np.zeros(len(rows), dtype=bool)
        codes = own.codes(rows.columns[name])
        sets = np.zeros((0, own.size), dtype=bool)
    else:
        labelled = column.labelled
        codes = own.codes(np.where(labelled, 0, column.single))
        sets = own.covered(column)
    occur, numbered = np.unique(codes[~labelled], return_inverse=True)
    n_labels = len(occur) + len(sets) + 1
    if n_labels * own.size > _MOST_CELLS:
        raise InputError(
            f"Column '{name}' has too many values ({count(own.size)}) and labels "
            f"({count(n_labels)}). Choose others."
        )
    covers = np.zeros((n_labels, own.size), dtype=bool)
    covers[np.arange(len(occur)), occur] = True
    covers[len(occur) : -1] = sets
    covers[-1] = True
    labels = np.full(len(rows) + n_suppressed, n_labels - 1, dtype=np.int32)
    labels[np.flatnonzero(~labelled)] = numbered
    if column is not None:
        several = np.flatnonzero(labelled)
        labels[several] = len(occur) + column.codes[several]
    return labels, covers
