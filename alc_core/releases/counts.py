"""Releases that publish how many people have each combination of values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

from alc_core.arrays import CodeArray, FloatArray, IntArray
from alc_core.errors import InputError
from alc_core.note import Note
from alc_core.phrasing import count, listed, quoted
from alc_core.releases.count_tables import CountedColumn, CountTable, count_tables
from alc_core.releases.microdata import ReleasedRows, RowsView, check_overlap, used_columns
from alc_core.releases.release import PublishedTables, Recognised
from alc_core.scenario.preflight import ReleaseChecker
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues
from alc_core.tables.checks.checker import TableChecker
from alc_core.tables.checks.finding import Finding, Severity, worst_first
from alc_core.tables.checks.no_people import check_cells
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.codes.encode import EncodedData
from alc_core.tables.table import Table

_LEAST_COVERED = 0.5
_CELLS_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountsView(RowsView):
    """Counts of known columns with the unknown one, and a row per person counted.

    Attributes
    ----------
    counts : mapping of str to ndarray of shape (n_rows, n_codes)
        By known column, as published: fractional or negative after noise. Rows are values or
        ranges, columns unknown codes. Other columns are summed over.
    columns : mapping of str to CountedColumn
        Meaning of the rows.

    Examples
    --------
    >>> import alc_core as alc
    >>> issubclass(CountsView, alc.AttackView)
    True
    """

    counts: Mapping[str, FloatArray]
    columns: Mapping[str, CountedColumn]

    def codes(self, targets: KnownValues) -> dict[str, CodeArray]:
        """Return targets' rows by known column; -1 if none."""
        return {name: column.rows(targets.columns[name]) for name, column in self.columns.items()}

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return counts with exchanged unknown values.

        Margins are kept, after clipping at 0 and rounding.
        """
        rows = RowsView.shuffled(self, rng)
        return replace(rows, counts={name: _dealt(each, rng) for name, each in self.counts.items()})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedCounts:
    """Tables of counts as arrays."""

    data: EncodedData
    people: tuple[FloatArray, ...]
    # By table: suppressed cells recovered, and known only in a range
    suppressed: tuple[tuple[int, int], ...]

    def view(self, scenario: Scenario) -> CountsView:
        """Return the counts of each known column with the unknown one."""
        data, unknown = self.data, scenario.unknown
        asked = (unknown, scenario.bins, scenario.markers)
        chosen = self._tables(scenario)
        if not chosen:
            raise InputError(
                f"No table of counts crosses '{unknown}' with a known column "
                f"({quoted(scenario.known)}). Choose others."
            )
        coding = data.unknown_codes(*asked)
        counts, columns, seen = {}, {}, []
        for name, number in chosen.items():
            columns[name], rows = CountedColumn.of(data.released[number], name, data.specs[name])
            shares = self._shares(number, scenario, coding.size)
            seen.append(np.flatnonzero(shares.any(axis=0)))
            table = np.zeros((columns[name].n_rows, coding.size))
            np.add.at(table, rows[rows >= 0], shares[rows >= 0])
            counts[name] = table
        original = data.as_unknown(data.original, *asked)
        check_overlap(original, np.concatenate(seen).astype(np.int32), unknown)
        return CountsView(
            tables=tuple(self._rows(scenario)),
            counts=counts,
            columns=columns,
            known={column: data.specs[column] for column in scenario.known},
            unknown=coding,
            absent=tuple(column for column in scenario.known if column not in chosen),
            # Counts cover few of the people with a value
            unmatched=tuple(
                name
                for name, column in columns.items()
                for values in [data.original.columns[name][~data.lacks_value(name, ())]]
                if np.count_nonzero(column.rows(values) >= 0) < _LEAST_COVERED * len(values)
            ),
        )

    def _tables(self, scenario: Scenario) -> dict[str, int]:
        """Return each known column's table with the unknown one.

        The smallest: its sums have the least noise.
        """
        found = {}
        for column in scenario.known:
            having = [
                number
                for number, table in enumerate(self.data.released)
                if table.has(column) and table.has(scenario.unknown)
            ]
            if having:
                found[column] = min(having, key=lambda n: len(self.data.released[n]))
        return found

    def _rows(self, scenario: Scenario) -> Iterator[ReleasedRows]:
        """Yield a row per person counted with the unknown column and a known one."""
        data, asked = self.data, (scenario.unknown, scenario.bins, scenario.markers)
        for table, people in zip(data.released, self.people, strict=True):
            times = whole_people(people, most=_MOST_ROWS)
            if table.has(scenario.unknown) and used_columns(table, scenario) and times.any():
                cells = ReleasedRows(
                    name=table.name,
                    known=KnownValues.of(table, data.specs, scenario.known),
                    unknown=data.as_unknown(table, *asked),
                    spread=data.spread(table, *asked),
                )
                yield cells.take(np.repeat(np.arange(len(people)), times))

    def _shares(self, number: int, scenario: Scenario, n_codes: int) -> FloatArray:
        data, table = self.data, self.data.released[number]
        how = (scenario.unknown, scenario.bins, scenario.markers)
        codes, spread = data.as_unknown(table, *how), data.spread(table, *how)
        shares = np.zeros((len(table), n_codes))
        shares[np.arange(len(table)), codes] = 1.0
        if spread is not None:
            several = spread.labels >= 0
            shares[several] = spread.weights[spread.labels[several]]
        return np.asarray(shares * self.people[number][:, None], dtype=np.float64)

    def notes(self, scenario: Scenario) -> tuple[str | Note, ...]:
        """Report recovered cells, and known columns without counts."""
        chosen = self._tables(scenario)
        used = [self.suppressed[number] for number in {*chosen.values()}]
        recovered, ranged = (sum(each[place] for each in used) for place in (0, 1))
        notes: list[str | Note] = []
        if recovered or ranged:
            said = f"{count(recovered)} follow from totals, {count(ranged)} are known in a range."
            numbers = (("recovered", float(recovered)), ("ranged", float(ranged)))
            notes.append(
                Note(text=f"Suppressed cells: {said}", code="suppressed-counts", numbers=numbers)
            )
        if missing := [column for column in scenario.known if column not in chosen]:
            them = "it" if len(missing) == 1 else "them"
            notes.append(
                f"Only the baseline uses {them}: no table of counts crosses {quoted(missing)} "
                f"with '{scenario.unknown}'."
            )
        return tuple(notes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counts(PublishedTables):
    """Published contingency tables, noisy or not.

    Attributes
    ----------
    cells : tuple of CountTable
        As lists of cells, with the original's column names.

    Examples
    --------
    >>> import alc_core as alc
    >>> demo = alc.load_demo("fair")
    >>> counts = alc.noisy_counts(demo.original, unknown="religious", known=["educ"], epsilon=1)
    >>> counts.columns_beside("religious")
    ('educ',)
    """

    kind: ClassVar[str] = "counts"
    title: ClassVar[str] = "published counts"
    help: ClassVar[str] = "People by combination of values, perhaps noisy."

    cells: tuple[CountTable, ...]

    @classmethod
    def of_tables(cls, tables: Sequence[Table], *, name: str, original: Table) -> Self:
        """Build a release from tables of counts, each long or a cross table."""
        cells = tuple(found for table in tables for found in count_tables(table, original))
        return cls(tables=tuple(tables), name=name, cells=cells)

    @classmethod
    def recognise(
        cls, original: Table, tables: Sequence[Table], profiles: Profiles
    ) -> tuple[Recognised, ...]:
        """Return the tables that are counts."""
        return tuple(
            Recognised(
                kind=cls.kind,
                tables=(number,),
                reason=f"'{table.name}' looks like a table of counts, not of people.",
            )
            for number, table in enumerate(tables)
            if _is_of_cells(original, table, profiles)
        )

    def described(self) -> tuple[str | pd.DataFrame, ...]:
        """Describe the counts, and show the first cells."""
        said, shown = [], []
        for cells in self.cells:
            negative = int((cells.people < 0).sum())
            noise = f", {count(negative)} of them below 0" if negative else ""
            said.append(
                f"'{cells.table.name}' counts {count(round(float(cells.people.sum())))} people by "
                f"{listed(list(cells.table.columns))}: {count(len(cells.people))} cells{noise}."
            )
            first = cells.table.frame.head(_CELLS_SHOWN).to_dict("list")
            shown.append(pd.DataFrame({**first, "people": cells.people[:_CELLS_SHOWN]}))
        return (*said, *shown)

    def checker(self, original: Table) -> ReleaseChecker:
        """Return the counts' checker."""
        return CountsChecker(original, self.cells)

    def coded_tables(self) -> tuple[Table, ...]:
        """Return the tables' cells, without counts."""
        return tuple(found.table for found in self.cells)

    def encoded(self, data: EncodedData) -> EncodedCounts:
        """Return the counts as arrays."""
        return EncodedCounts(
            data=data,
            people=tuple(found.people for found in self.cells),
            suppressed=tuple((found.recovered, found.ranged) for found in self.cells),
        )


def _is_of_cells(original: Table, table: Table, profiles: Profiles) -> bool:
    if not any(f.severity is Severity.ERROR for f in check_cells(original, table, profiles)):
        return False
    try:
        return bool(count_tables(table, original))
    except InputError:
        return False


def _dealt(counts: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Assign people to cells at random, given the margins."""
    people = np.rint(np.maximum(counts, 0)).astype(np.int64)
    left = people.sum(axis=0)
    dealt = np.zeros_like(people)
    for row, size in enumerate(people.sum(axis=1)):
        dealt[row] = rng.multivariate_hypergeometric(left, int(size), method="marginals")
        left = left - dealt[row]
    return dealt.astype(np.float64)


# Most people after scaling, for the check and for attacks
_MOST_PEOPLE, _MOST_ROWS = 20_000, 1_000_000
_OTHER_SIZE = 0.5


class CountsChecker:
    """Checks counts against the original."""

    def __init__(self, original: Table, cells: Sequence[CountTable]) -> None:
        self._original, self._cells = original, tuple(cells)

    @cached_property
    def _found(self) -> tuple[Finding, ...]:
        return tuple(_count_findings(self._original, self._cells))

    @cached_property
    def _people(self) -> TableChecker:
        people = [people_counted(found) for found in self._cells]
        return TableChecker(self._original, people, as_rows=False)

    def findings(self, **scenario: Any) -> tuple[Finding, ...]:
        """Return what would break or mislead an attack, worst first."""
        return tuple(worst_first((*self._found, *self._people.findings(**scenario))))


def people_counted(cells: CountTable) -> Table:
    """Return a row per counted person, or proportionally many."""
    rows = np.repeat(np.arange(len(cells.people)), whole_people(cells.people, most=_MOST_PEOPLE))
    frame = cells.table.frame.iloc[rows].reset_index(drop=True)
    return replace(cells.table, frame=frame if len(frame) else cells.table.frame)


def whole_people(counts: FloatArray, *, most: int) -> IntArray:
    """Return whole numbers of people, proportionally fewer if there are too many."""
    people = np.maximum(counts, 0.0)
    share = min(1.0, most / max(1.0, float(people.sum())))
    # Round sums: cells of few people would all vanish
    return np.diff(np.rint(np.cumsum(people * share)), prepend=0.0).astype(np.int64)


def _count_findings(original: Table, cells: Sequence[CountTable]) -> Iterator[Finding]:
    tables: dict[str, list[CountTable]] = {}
    for found in cells:
        if found.unreadable:
            one = len(found.unreadable) == 1
            yield Finding.of(
                Severity.ERROR, "count-is-no-number", found.table.name, found.column,
                labels=tuple(found.unreadable), one=one, several=not one,
            )  # fmt: skip
        total, people = float(found.people.sum()), len(original)
        negative = int((found.people < 0).sum())
        uneven = int((found.people != np.rint(found.people)).sum())
        fractions = uneven > found.ranged  # Others are likely values of suppressed cells
        if negative or fractions:
            yield Finding.of(
                Severity.INFO, "noisy-counts", found.table.name,
                negative=negative or None, counts=len(found.people), fractions=fractions,
            )  # fmt: skip
        if not people * _OTHER_SIZE <= total <= people / _OTHER_SIZE:
            too_many = Severity.QUESTION if total > people else Severity.WARNING
            yield Finding.of(
                too_many, "other-number-of-people", found.table.name,
                columns=found.table.columns, counted=round(total), people=people,
            )  # fmt: skip
        tables.setdefault(found.table.name, []).append(found)
    for name, parts in tables.items():
        if names := tuple(dict.fromkeys(column for part in parts for column in part.numbers)):
            yield Finding.of(Severity.QUESTION, "extra-column", name, extra=len(names), names=names)
        if notes := tuple(dict.fromkeys(note for part in parts for note in part.notes)):
            yield Finding.of(
                Severity.INFO, "counts-read", name, notes=notes,
                recovered=sum(part.recovered for part in parts) or None,
                ranged=sum(part.ranged for part in parts) or None,
            )  # fmt: skip
