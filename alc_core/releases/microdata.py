"""Releases of rows like the original's."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.errors import InputError
from alc_core.phrasing import count, listed
from alc_core.releases.release import ROWS_OF_PEOPLE, USUAL_KIND, AttackView, PublishedTables
from alc_core.scenario.preflight import ReleaseChecker
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues
from alc_core.tables.checks.checker import TableChecker
from alc_core.tables.codes.columns import SpreadValues
from alc_core.tables.codes.encode import CategoricalCodes, EncodedData, EncodedTable
from alc_core.tables.labels.unknown import MANY_MADE, is_made
from alc_core.tables.table import TOGETHER, Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleasedRows:
    """One released table as an attack sees it."""

    name: str
    known: KnownValues
    # Codes of the unknown column; a generalized label's likeliest
    unknown: CodeArray
    # Rows with several possible unknown values
    spread: SpreadValues | None = None

    def __len__(self) -> int:
        return len(self.unknown)

    def take(self, rows: NDArray[np.intp]) -> ReleasedRows:
        """Return some of the rows."""
        return replace(
            self,
            known=self.known.take(rows),
            unknown=self.unknown[rows],
            spread=None if self.spread is None else self.spread.take(rows),
        )

    def shuffled(self, rng: np.random.Generator) -> ReleasedRows:
        """Return the rows with shuffled unknown values."""
        if self.spread is None:
            return replace(self, unknown=rng.permutation(self.unknown))
        order = rng.permutation(len(self))
        return replace(self, unknown=self.unknown[order], spread=self.spread.take(order))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowsView(AttackView):
    """Released rows.

    Attributes
    ----------
    tables : tuple of ReleasedRows
        Tables with the unknown column and a known one.
    suppressed : mapping of str to ndarray of int32
        By table, the unknown values of rows with all known columns suppressed, which are not in
        `tables`.

    Examples
    --------
    >>> import alc_core as alc
    >>> issubclass(RowsView, alc.AttackView)
    True
    """

    tables: tuple[ReleasedRows, ...]
    suppressed: Mapping[str, CodeArray] = field(default_factory=dict)

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return the view with each table's unknown values shuffled."""
        return replace(self, tables=tuple(table.shuffled(rng) for table in self.tables))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedRows:
    """Tables of rows as arrays."""

    data: EncodedData

    def view(self, scenario: Scenario) -> RowsView:
        """Return the tables that relate the unknown column to a known one."""
        data, asked = self.data, (scenario.unknown, scenario.bins, scenario.markers)
        tables = tuple(
            ReleasedRows(
                name=table.name,
                known=KnownValues.of(table, data.specs, scenario.known),
                unknown=data.as_unknown(table, *asked),
                spread=data.spread(table, *asked),
            )
            for table in data.released
            if table.has(scenario.unknown) and used_columns(table, scenario)
        )
        if not tables:
            raise InputError(
                f"No released table has '{scenario.unknown}' with a known column. Choose others."
            )
        if empty := [table.name for table in tables if len(table) == 0]:
            raise InputError(f"Released table '{empty[0]}' has no rows. Choose another table.")
        telling, suppressed = [], {}
        for table in tables:
            hidden = table.known.suppressed  # all known columns suppressed
            if hidden.all():
                raise InputError(
                    f"Released table '{table.name}' suppresses "
                    f"{listed(list(table.known.set_columns))}. Choose other known columns."
                )
            single = True if table.spread is None else table.spread.labels < 0
            suppressed[table.name] = table.unknown[hidden & single]
            telling.append(table.take(np.flatnonzero(~hidden)) if hidden.any() else table)
        absent, unmatched = unused_columns(data, scenario)
        released = np.concatenate([np.unique(table.unknown) for table in telling])
        check_overlap(data.as_unknown(data.original, *asked), released, scenario.unknown)
        return RowsView(
            tables=tuple(telling),
            suppressed={name: values for name, values in suppressed.items() if len(values)},
            known={column: data.specs[column] for column in scenario.known},
            unknown=data.unknown_codes(*asked),
            absent=absent,
            unmatched=unmatched,
        )

    def notes(self, scenario: Scenario) -> tuple[str, ...]:
        """Report unused tables, missing known columns, and suppression."""
        return tuple(
            note for table in self.data.released for note in _notes(table, self.data, scenario)
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Microdata(PublishedTables):
    """Tables of rows like the original's: anonymized, swapped or synthetic.

    Each table holds all or some of the original's columns.

    Attributes
    ----------
    elsewhere : frozenset of str
        Columns that other parts of its release have.

    Examples
    --------
    >>> import alc_core as alc
    >>> table = alc.table_from_frame({"age": [31, 45], "job": ["cook", "clerk"]})
    >>> Microdata(tables=(table,), name="release").columns_beside("job")
    ('age',)
    """

    kind: ClassVar[str] = USUAL_KIND
    title: ClassVar[str] = ROWS_OF_PEOPLE
    help: ClassVar[str] = "A row is a person, unchanged, changed or synthetic."
    holds_rows: ClassVar[bool] = True

    elsewhere: frozenset[str] = frozenset()

    @classmethod
    def of_tables(cls, tables: Sequence[Table], *, name: str, original: Table) -> Self:  # noqa: ARG003
        """Build a release from its tables."""
        return cls(tables=tuple(tables), name=name)

    def checker(self, original: Table) -> ReleaseChecker:
        """Return what checks the tables against the original."""
        return TableChecker(original, self.tables, elsewhere=self.elsewhere)

    def encoded(self, data: EncodedData) -> EncodedRows:
        """Return the tables as arrays."""
        return EncodedRows(data=data)


def _notes(table: EncodedTable, data: EncodedData, scenario: Scenario) -> Iterator[str]:
    if not table.has(scenario.unknown):
        yield f"Released table '{table.name}', without the unknown column, was not used."
        return
    used = used_columns(table, scenario)
    missing = [column for column in scenario.known if column not in used]
    if not used:
        yield f"Released table '{table.name}', without known columns, was not used."
    elif missing:
        counts = "it counts" if len(missing) == 1 else "they count"
        yield (
            f"Released table '{table.name}' lacks {listed(missing)}: the attack uses only "
            f"{listed(used)} ({counts} as a mismatch)."
        )
    if sets := [column for column in scenario.columns if column in table.set_columns]:
        yield (f"Generalized values of '{table.name}' match all they cover: in {listed(sets)}.")
    hidden = int(KnownValues.of(table, data.specs, scenario.known).suppressed.sum())
    if hidden:
        yield (
            f"In '{table.name}', {count(hidden)} of {count(len(table))} rows have all known "
            "columns suppressed."
        )


def check_overlap(unknown: CodeArray, released: CodeArray, column: str) -> None:
    """Refuse a release without any of the original's values."""
    if not np.isin(np.unique(released), unknown).any():
        raise InputError(f"No released value of '{column}' is in the original. Undo renaming.")


MOST_UNMATCHED = 0.5  # Share of values not in the original


@dataclass(frozen=True, slots=True)
class _Matched:
    present: int = 0
    matched: int = 0
    distinct: int = 0  # In the largest table
    made: int = 0

    @property
    def mostly_others(self) -> bool:
        return self.matched < MOST_UNMATCHED * self.present


def unused_columns(
    data: EncodedData, scenario: Scenario
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the absent and the unmatched known columns.

    Absent: in no table, or with a single value. Unmatched: most values are not the original's, for
    example recoded.
    """
    tables = [
        table
        for table in data.released
        if table.has(scenario.unknown) and used_columns(table, scenario)
    ]
    absent, unmatched = [], []
    for column in scenario.columns:
        found = _matched(data, tables, column)
        if not found.present or not (found.distinct > 1 or found.matched):
            absent.append(column)
        elif found.mostly_others or found.made >= MANY_MADE * found.present:
            unmatched.append(column)
    return tuple(column for column in absent if column in scenario.known), tuple(unmatched)


def unmatched_columns(data: EncodedData, columns: Sequence[str]) -> tuple[str, ...]:
    """Return released columns with mostly other values than the original's."""
    return tuple(each for each in columns if _matched(data, data.released, each).mostly_others)


def used_columns(table: EncodedTable, scenario: Scenario) -> list[str]:
    """Return the known columns that a released table has."""
    return [c for c in scenario.known if table.has(c)]


def _matched(data: EncodedData, tables: Sequence[EncodedTable], column: str) -> _Matched:
    total = _Matched()
    for table in tables:
        if not table.has(column):
            continue
        sets, rows, distinct = table.set_columns.get(column), 0, 0
        if sets is not None:
            labels = sets.codes[sets.labelled & ~sets.suppressed]
            rows, distinct = len(labels), len(np.unique(labels))
        values = table.columns[column] if sets is None else sets.single[~sets.labelled]
        single = _single(data, column, values)
        total = _Matched(
            total.present + single.present + rows,
            total.matched + single.matched + rows,
            max(total.distinct, single.distinct + distinct),
            total.made + single.made,
        )
    return total


def _known(spec: CategoricalCodes, occurs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return labels the original has; for joint columns, all parts."""
    if not spec.together:
        return occurs
    pieces = [label.split(TOGETHER) for label in spec.labels]
    own = [{*each} for each in zip(*itertools.compress(pieces, occurs), strict=True)]
    return np.array([all(map(set.__contains__, own, each)) for each in pieces])


def _single(data: EncodedData, column: str, values: CodeArray | FloatArray) -> _Matched:
    spec, original = data.specs[column], data.original.columns[column]
    if isinstance(spec, CategoricalCodes):
        size = len(spec.labels)
        rows = np.bincount(values.astype(np.intp), minlength=size + 1)[:size]
        people = np.bincount(original.astype(np.intp), minlength=size + 1)[:size]
        present, known = int(rows.sum()), _known(spec, people > 0)
        made = rows[is_made(rows, present, int(people.sum())) & ~known]
        return _Matched(
            present, int(rows[known].sum()), int(np.count_nonzero(rows)), int(made.sum())
        )
    numbers = np.asarray(values, dtype=np.float64)
    numbers = numbers[np.isfinite(numbers)]
    before = np.asarray(original, dtype=np.float64)
    before = before[np.isfinite(before)]
    if not len(numbers) or not len(before):
        return _Matched(0, 0, 0)
    low, high = float(before.min()), float(before.max())
    inside = int(np.count_nonzero((numbers >= low) & (numbers <= high)))
    return _Matched(len(numbers), inside, 1 if np.ptp(numbers) == 0 else 2)
