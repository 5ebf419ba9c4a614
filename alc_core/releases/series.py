"""Editions of the same data, and what comparing them reveals."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from alc_core.arrays import BoolArray, IntArray
from alc_core.errors import InputError
from alc_core.phrasing import numbered
from alc_core.plain_values import read_only
from alc_core.releases.microdata import EncodedRows, Microdata, ReleasedRows, RowsView
from alc_core.scenario.scenario import Scenario
from alc_core.tables.checks.checker import TableChecker
from alc_core.tables.checks.editions import EDITIONS
from alc_core.tables.checks.finding import Finding, Severity, worst_first
from alc_core.tables.checks.rows import FEWEST_ROWS
from alc_core.tables.codes.encode import EncodedData, EncodedTable, encode
from alc_core.tables.households import Household
from alc_core.tables.labels.find import column_sets
from alc_core.tables.same_rows import beyond, row_keys
from alc_core.tables.table import Table, once_of_both
from alc_core.tables.values.generalized import distinct_keys

_LEAST_COMMON = 0.1  # Least share of common rows for a difference of people
_MOST_AMBIGUOUS = 0.05  # Most people whose value several classes cover
_LEAST_FOUND = 0.5  # Least share of an edition's rows that are the original's


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Difference:
    """Rows that only one of two editions has.

    Attributes
    ----------
    name : str
        Condition under which an attacker reads it.
    table : Table
        With the columns of both editions.
    lacking : Table
        The other edition, without these people.
    """

    name: str
    table: Table
    lacking: Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeriesView(RowsView):
    """Rows of all editions, or of the part read.

    Attributes
    ----------
    editions : tuple of ReleasedRows
        Editions with the unknown column and a known one, or the part read.

    Examples
    --------
    >>> import alc_core as alc
    >>> issubclass(SeriesView, alc.AttackView)
    True
    """

    editions: tuple[ReleasedRows, ...]

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return the view with each table's unknown values shuffled."""
        tables, editions = (
            tuple(each.shuffled(rng) for each in of) for of in (self.tables, self.editions)
        )
        return replace(self, tables=tables, editions=editions)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedSeries(EncodedRows):
    """Editions and their differences as arrays."""

    editions: int  # Number of editions; differences follow
    whole: tuple[int, ...]  # Tables read together
    parts: Mapping[str, int]  # Each part's table, by condition

    def view(self, scenario: Scenario) -> SeriesView:
        """Return the part of the scenario's people, or all editions."""
        read = self._read(scenario)
        rows = read.view(scenario)
        every = rows if self._part(scenario) else self._of(range(self.editions)).view(scenario)
        return SeriesView(
            tables=rows.tables,
            suppressed=rows.suppressed,
            known=rows.known,
            unknown=rows.unknown,
            absent=rows.absent,
            unmatched=rows.unmatched,
            editions=every.tables,
        )

    def notes(self, scenario: Scenario) -> tuple[str, ...]:
        """Report what is unused of the tables read."""
        return self._read(scenario).notes(scenario)

    def _part(self, scenario: Scenario) -> str:
        return next((name for name in scenario.selection.where if name in self.parts), "")

    def _read(self, scenario: Scenario) -> EncodedRows:
        part = self._part(scenario)
        return self._of([self.parts[part]] if part else self.whole)

    def _of(self, places: Sequence[int]) -> EncodedRows:
        released = tuple(self.data.released[place] for place in places)
        return EncodedRows(data=replace(self.data, released=released))


class SeriesChecker(TableChecker):
    """Checks editions; being editions needs no answer."""

    def __init__(self, original: Table, series: Series) -> None:
        super().__init__(original, series.tables)
        self._differences = series.differences

    def findings(
        self,
        *,
        known: Sequence[str] | None = None,
        unknown: str | None = None,
        person: str | None = None,
        household: Household = None,
    ) -> tuple[Finding, ...]:
        """Return what would break or mislead an attack, worst first."""
        found = super().findings(known=known, unknown=unknown, person=person, household=household)
        kept = (each for each in found if each.code != EDITIONS)
        return tuple(worst_first((*kept, *self._once("differences", self._unattacked))))

    def _unattacked(self) -> Iterator[Finding]:
        for each in self._differences:
            lacking = people_lacking(self._original, each.lacking)
            if lacking is None:
                yield Finding.of(Severity.WARNING, "edition-unmatched", each.lacking.name)
            elif 0 < (people := int(lacking.sum())) < FEWEST_ROWS:
                yield Finding.of(
                    Severity.WARNING, "edition-few", each.table.name,
                    people=people, fewest=FEWEST_ROWS,
                )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Series(Microdata):
    """Editions of the same data, all to be published, earliest first.

    Attackers read all editions together, each one, and each difference of successive ones, by which
    its people (who came, left or changed) are attacked.

    Attributes
    ----------
    differences : tuple of Difference
        Of editions with rows in common.

    Examples
    --------
    >>> Series.title
    'editions of the same data'
    """

    kind: ClassVar[str] = "series"
    title: ClassVar[str] = "editions of the same data"
    help: ClassVar[str] = "The same data over time, earliest first, or regrouped."
    published: ClassVar[bool] = False  # Whether earlier editions are already published

    differences: tuple[Difference, ...] = ()

    @classmethod
    def of_tables(cls, tables: Sequence[Table], *, name: str, original: Table) -> Self:
        """Build a series from its editions, the earliest first."""
        if len(tables) < 2:
            raise InputError(f"'{name}' has one table, but {cls.title} are at least two tables.")
        names = [table.name for table in tables]
        if twice := [each for each in names if names.count(each) > 1]:
            raise InputError(f"Two editions are called '{twice[0]}'. Rename one of the files.")
        pairs = [*itertools.pairwise(tables)][-1 if cls.published else 0 :]
        differences = [each for pair in pairs for each in _differences(original, *pair)]
        return cls(tables=tuple(tables), name=name, differences=tuple(differences))

    def described(self) -> tuple[str, ...]:
        """Say how many rows each edition has that the other lacks."""
        return tuple(
            f"{numbered(len(each.table), 'row')} {each.name.removeprefix('rows ')}."
            for each in self.differences
        )

    def checker(self, original: Table) -> SeriesChecker:
        """Return what checks the editions against the original."""
        return SeriesChecker(original, self)

    def coded_tables(self) -> tuple[Table, ...]:
        """Return the editions, then their differences."""
        return (*self.tables, *(each.table for each in self.differences))

    def parts(self, original: Table, *, selected: bool) -> Mapping[str, BoolArray]:
        """Return conditions of parts, and who meets them."""
        everyone = np.ones(len(original), dtype=bool)
        parts = {} if self.published else dict.fromkeys(map(_alone, self.tables), everyone)
        for each in self.differences:
            if selected:
                parts[_alone(each.table)] = everyone
                continue
            lacking = people_lacking(original, each.lacking)
            if lacking is not None and lacking.sum() >= FEWEST_ROWS:
                parts[each.name] = lacking
        return parts

    def encoded(self, data: EncodedData) -> EncodedSeries:
        """Return the editions and differences as arrays."""
        editions = len(self.tables)
        places = {_alone(table): place for place, table in enumerate(self.coded_tables())}
        return EncodedSeries(
            data=data,
            editions=editions,
            whole=(editions - 1,) if self.published else tuple(range(editions)),
            parts=places | {each.name: places[_alone(each.table)] for each in self.differences},
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NewEdition(Series):
    """A new edition of published data.

    Attackers read it, its difference from the previous one, and all editions together; not
    published ones alone.

    Examples
    --------
    >>> NewEdition.title
    'a new edition of published data'
    """

    kind: ClassVar[str] = "new-edition"
    title: ClassVar[str] = "a new edition of published data"
    help: ClassVar[str] = "The last table is to be published."
    published: ClassVar[bool] = True


def _alone(table: Table) -> str:
    return f"rows read in '{table.name}' only"


def _differences(original: Table, earlier: Table, later: Table) -> Iterator[Difference]:
    both = {*earlier.columns} & {*later.columns}
    compared = [column for column in original.own_compared if column in both]
    if not compared:
        return
    keys = row_keys(earlier.frame[compared], later.frame[compared])
    came, left = beyond(keys[1], keys[0]), beyond(keys[0], keys[1])
    if (~came).sum() < _LEAST_COMMON * min(len(earlier), len(later)):
        return
    columns = [column for column in original.compared if column in both]
    new = f"rows new or changed in '{later.name}' since '{earlier.name}'"
    gone = f"rows of '{earlier.name}' gone in '{later.name}'"
    for name, rows, edition, other in ((new, came, later, earlier), (gone, left, earlier, later)):
        if rows.any():
            title = f"{edition.name} minus {other.name}"
            table = _rows_of(original, edition, rows, columns, title)
            yield Difference(name=name, table=table, lacking=other)


def _rows_of(
    original: Table, edition: Table, rows: BoolArray, columns: Sequence[str], name: str
) -> Table:
    """Return rows of an edition, with its labels' meanings."""
    found = column_sets(original, edition, columns)
    return replace(
        edition,
        name=name,
        frame=edition.frame.loc[rows, [*columns]].reset_index(drop=True),
        guesses=read_only({column: edition.guesses[column] for column in columns}),
        value_sets=read_only({c: of.sets for c, of in found.items() if not of.unread}),
        doubtful_rows=(),
        empty_rows=(),
    )


@once_of_both
def people_lacking(original: Table, edition: Table) -> BoolArray | None:
    """Return people without a row in an edition; None if unknown.

    Each row takes one person with its values in all common columns, in the edition's classes, or a
    random one of equals. Columns with overlapping classes are excluded. Unknown if most rows are
    nobody's, as in synthetic tables.
    """
    columns = [column for column in original.own_compared if column in edition.columns]
    data = encode(original, [edition], columns=columns)
    keys = np.zeros(len(original) + len(edition), dtype=np.int64)
    for column in columns:
        codes = _in_classes(data.original, data.released[0], column)
        if codes is not None:
            keys = np.unique(keys * (codes.max() + 1) + codes, return_inverse=True)[1]
    order = np.random.default_rng(0).permutation(len(original))
    lacking = np.empty(len(original), dtype=bool)
    lacking[order] = beyond(keys[: len(original)][order], keys[len(original) :])
    return lacking if (~lacking).sum() >= _LEAST_FOUND * len(edition) else None


def _in_classes(original: EncodedTable, edition: EncodedTable, column: str) -> IntArray | None:
    """Return classes of people, then of rows; None if classes overlap."""
    own = original.columns[column]
    sets = edition.set_columns.get(column)
    theirs = edition.columns[column] if sets is None else sets.single
    _, codes = np.unique(distinct_keys(np.concatenate([own, theirs])), return_inverse=True)
    codes = codes.astype(np.int64)
    if sets is None:
        return codes
    people, rows = codes[: len(own)], codes[len(own) :]
    distinct, first, place = np.unique(people, return_index=True, return_inverse=True)
    used = np.bincount(sets.codes[sets.labelled], minlength=len(sets.labels)) > 0
    covered = (sets.distances(own[first]) == 0) & used & ~sets.any_value
    times = covered.sum(axis=1) + np.isin(distinct, rows[~sets.labelled])
    if (times[place] > 1).mean() > _MOST_AMBIGUOUS:
        return None
    labels = np.where(covered.any(axis=1), codes.max() + 1 + covered.argmax(axis=1), distinct)
    released = np.where(sets.labelled, codes.max() + 1 + sets.codes, rows)
    return np.concatenate([labels[place], released])
