"""Linked tables as releases: each alone, joined, and known rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from alc_core.arrays import IntArray
from alc_core.errors import InputError
from alc_core.linked.events import (
    ROW_OF,
    Event,
    events_of,
    people_of,
    released_events,
    with_known_events,
)
from alc_core.linked.keys import Link, LinkedTables
from alc_core.linked.view import child_of, entity_view
from alc_core.parameter import check_whole
from alc_core.phrasing import quoted
from alc_core.plain_values import read_only
from alc_core.releases.microdata import Microdata, ReleasedRows, check_overlap
from alc_core.releases.release import AttackView, PublishedTables, Release, attackable
from alc_core.scenario.preflight import ReleaseChecker
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.checks.checker import TableChecker
from alc_core.tables.checks.finding import Finding
from alc_core.tables.checks.links import check_links
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.checks.pseudonyms.check import check_pseudonyms
from alc_core.tables.codes.encode import EncodedData
from alc_core.tables.households import Household
from alc_core.tables.labels.find import with_found_sets
from alc_core.tables.names import with_same_columns
from alc_core.tables.roles import Roles
from alc_core.tables.table import Table
from alc_core.tables.thousands import with_thousands
from alc_core.tables.value_sets import AnyValue, Interval
from alc_core.tables.values.texts import canonical_labels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EventsView(AttackView):
    """Released people with their rows.

    Attributes
    ----------
    people : KnownValues
        A row per person, with the root's known columns.
    rows : KnownValues
        With the columns of each known row.
    person : ndarray of int64
        The person of each row.
    values : ReleasedRows
        The unknown column of people; of rows, if a row has it.
    of_row : Event or None
        The unknown column, if a row has it.
    """

    people: KnownValues
    rows: KnownValues
    person: IntArray
    values: ReleasedRows
    of_row: Event | None

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return the view with shuffled unknown values."""
        return replace(self, values=self.values.shuffled(rng))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedEvents:
    """A release's entity view and rows as arrays."""

    data: EncodedData
    person: IntArray

    def view(self, scenario: Scenario) -> EventsView:
        """Return people and rows, with what the attacker knows of both."""
        data, asked = self.data, (scenario.unknown, scenario.bins, scenario.markers)
        people, rows = data.released
        of_row = Event.read(scenario.unknown)
        holds = people if of_row is None else rows
        events = [column for column in events_of(scenario.known) if rows.has(column)]
        others = [column for column in scenario.known if column not in events]
        if not events or not holds.has(scenario.unknown):
            raise InputError(
                f"No known row leads to '{scenario.unknown}'. Name known rows, such as 'visits 1: "
                "date', and a released unknown column."
            )
        unknown = data.as_unknown(holds, *asked)
        check_overlap(data.as_unknown(data.original, *asked), np.unique(unknown), scenario.unknown)
        return EventsView(
            known={column: data.specs[column] for column in scenario.known},
            unknown=data.unknown_codes(*asked),
            absent=tuple(c for c in others if not people.has(c)),
            people=KnownValues.of(people, data.specs, others),
            rows=KnownValues.of(rows, data.specs, events),
            person=self.person,
            values=ReleasedRows(
                name=holds.name,
                known=KnownValues.of(holds, data.specs, []),
                unknown=unknown,
                spread=data.spread(holds, *asked),
            ),
            of_row=of_row,
        )

    def notes(self, scenario: Scenario) -> tuple[str, ...]:
        """Report the known columns that the release lacks."""
        released = self.data.released
        missing = [c for c in scenario.known if not any(table.has(c) for table in released)]
        if not missing:
            return ()
        return (f"The release lacks {quoted(missing)}; only the baseline uses them.",)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsChecker:
    """Checks an entity view, and whether its rows can be traced to the original's."""

    checker: TableChecker
    traced: tuple[Finding, ...]

    def findings(
        self, *, known: Sequence[str] | None = None, unknown: str | None = None,
        person: str | None = None, household: Household = None,
    ) -> tuple[Finding, ...]:  # fmt: skip
        """Return findings of the entity view's columns."""
        if known is None:
            found = self.checker.findings(person=person, household=household)
            return (*self.traced, *(finding for finding in found if finding.blocking))
        scope = {*known, unknown} - {None, *events_of([*known, unknown or ""])}
        asked = unknown if unknown in scope and len(scope) > 1 else None
        found = self.checker.findings(
            known=[c for c in known if c in scope] or None, unknown=asked, person=person,
            household=household,
        )  # fmt: skip
        own = (f for f in found if f.column in scope or (f.blocking and f.column is None))
        return (*self.traced, *own)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KnownRows(PublishedTables):
    """An entity view and its rows, some known to an attacker.

    Attributes
    ----------
    sources : tuple of Table, or None
        A child table of the original, and the released one.

    Examples
    --------
    >>> KnownRows.title
    'linked rows of people'
    """

    kind: ClassVar[str] = "events"
    title: ClassVar[str] = "linked rows of people"
    help: ClassVar[str] = "People have several rows, such as visits; some may be known."

    sources: tuple[Table, Table] | None = None

    @classmethod
    def of_tables(cls, tables: Sequence[Table], *, name: str, original: Table) -> Self:  # noqa: ARG003
        """Build from an entity view and the rows behind it.

        Raises
        ------
        InputError
            If the tables are not these two.
        """
        if len(tables) != 2 or ROW_OF not in tables[1].columns:
            raise InputError(
                f"'{name}' is not linked tables. Name each: --original people=FILE --original "
                "visits=FILE."
            )
        return cls(tables=tuple(tables), name=name)

    def columns_beside(self, column: str) -> tuple[str, ...]:
        """Return the columns of known rows, needed for an attack."""
        people, rows = self.tables
        if all(column not in table.telling for table in (people, rows)):
            return ()
        return tuple(each for each in events_of(rows.columns) if each != column)

    def checker(self, original: Table) -> ReleaseChecker:
        """Return what checks the entity view and the rows."""
        traced: list[Finding] = []
        if self.sources:
            traced += check_links(*self.sources, Profiles())
            traced += check_pseudonyms(*self.sources)
        return EventsChecker(checker=TableChecker(original, self.tables[:1]), traced=tuple(traced))

    def encoded(self, data: EncodedData) -> EncodedEvents:
        """Return people and rows as arrays."""
        return EncodedEvents(data=data, person=people_of(self.tables[1]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkedReview:
    """Linked tables ready for any review.

    Attributes
    ----------
    original : Table
        The original's entity view, with known rows.
    releases : mapping of str to Release
        Each table alone, joined, and known rows, by name.
    sides : tuple of LinkedTables
        Tables and keys of the original, and of each release.

    Examples
    --------
    >>> import alc_core as alc
    >>> ids = [*range(40)]
    >>> tables = {"people": {"id": ids}, "visits": {"id": ids * 2, "ward": ["a", "b"] * 40}}
    >>> len(alc.link_tables(tables, {"all": tables}).original)
    40
    """

    original: Table
    releases: Mapping[str, Release]
    sides: tuple[LinkedTables, ...]


def link_tables(
    original: Mapping[str, TableLike],
    releases: Mapping[str, Mapping[str, TableLike]],
    *,
    keys: Iterable[str] = (),
    asked: Iterable[str] = (),
    events: Mapping[str, Sequence[str]] | None = None,
    orders: Mapping[str, str] | None = None,
    rarest: bool = False,
    seed: int = 0,
) -> LinkedReview:
    """Turn linked tables into one row a person, and releases.

    Parameters
    ----------
    original : mapping of str to Table, data frame or path
        Tables of real people by name, one with a row per person.
    releases : mapping of str to mapping of str to Table, data frame or path
        Tables by release, named like the original's.
    keys : iterable of str
        Such as "visits.patient=people.id"; others are found by values and names.
    asked : iterable of str
        Further columns of the view, such as "ever diagnosis = C50 of visits".
    events : mapping of str to sequence of str, optional
        Known columns of rows by table; by default those others may know.
    orders : mapping of str to str, optional
        Ordering column by table; by default its first of dates.
    rarest : bool, default False
        Know a person's rarest rows, not random ones.
    seed : int, default 0
        Of the known rows.

    Returns
    -------
    LinkedReview

    Raises
    ------
    InputError
        If no key joins the tables, or a release has a table of another name.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"id": range(40), "age": [20, 30] * 20})
    >>> visits = pd.DataFrame({"id": [*range(40)] * 2, "ward": ["a", "b"] * 40})
    >>> tables = {"people": people, "visits": visits}
    >>> review = link_tables(tables, {"all": tables})
    >>> [*review.releases]
    ['all: people', 'all: visits', "all: joined by 'id'", "all: known rows of 'visits'"]
    >>> review.original.kinds["most frequent ward of visits"].value
    'categorical'
    """
    check_whole("seed", seed)
    links = [Link.read(each) for each in keys]
    whole = LinkedTables.of(_tables(original), name="original", keys=links)
    view = entity_view(whole, asked=(asked := [*asked]), orders=orders)
    sides = {
        name: LinkedTables.of(_released(tables, whole), name=name, keys=links, like=whole)
        for name, tables in releases.items()
    }
    number, _ = whole.people()
    shared = {child: _shared(whole, child, sides.values()) for child in whole.children}
    known = {
        child: (events or {}).get(child) or _knowable(whole, child, columns)
        for child, columns in shared.items()
    }
    inferred = {
        child: [c for c in columns if c not in known[child]] for child, columns in shared.items()
    }
    for child, columns in known.items():
        own = child_of(whole, whole, child, person=number[child], orders=orders or {})
        if columns:
            view = with_known_events(
                view, own, child, columns, others=inferred[child], rarest=rarest, seed=seed
            )
    made: dict[str, Release] = {}
    for name, side in sides.items():
        joined = entity_view(side, original=whole, asked=asked, orders=orders)
        for part, tables in _parts(side).items():
            label, own_view = f"{name}: {part}", joined
            if tables is not side:
                own_view = entity_view(tables, original=whole, asked=asked, orders=orders)
            made[label] = Microdata(
                tables=(_fitted(own_view, view, label),), name=label, part_of=name,
                elsewhere=frozenset({*joined.columns} - {*own_view.columns}),
            )  # fmt: skip
        number, _ = side.people()
        for child in side.children:
            rows = child_of(side, whole, child, person=number[child], orders=orders or {})
            told, others = (
                [c for c in of[child] if c in rows.table.columns] for of in (known, inferred)
            )
            if told:
                label = f"{name}: known rows of '{child}'"
                sets = with_found_sets(rows.original, rows.table, [*told, *others])
                tables_of = released_events(replace(rows, table=sets), child, told, others=others)
                made[label] = KnownRows(
                    tables=(_fitted(joined, view, label), tables_of), name=label,
                    part_of=name, sources=(rows.original, replace(rows.table, name=label)),
                )  # fmt: skip
    return LinkedReview(original=view, releases=read_only(made), sides=(whole, *sides.values()))


def asked_releases(
    releases: Sequence[Release], known: Sequence[str], unknown: str
) -> tuple[Release, ...]:
    """Return releases relating an unknown column to known ones, by rows if known.

    All if none does.
    """
    fitting = [each for each in releases if attackable(each, unknown, known)]
    events = events_of(known)
    by_rows = [
        each for each in fitting if not events.keys().isdisjoint(each.columns_beside(unknown))
    ]
    return tuple(by_rows or fitting or releases)


def _tables(given: Mapping[str, TableLike]) -> dict[str, Table]:
    return {name: as_table(table, name=name) for name, table in given.items()}


def _released(given: Mapping[str, TableLike], original: LinkedTables) -> dict[str, Table]:
    """Return released tables with the original's names of columns."""
    made = _tables(given)
    for name, own in original.tables.items():
        if name in made:
            made[name] = with_same_columns(own, with_thousands(own, made[name]), {})
    return made


def _parts(side: LinkedTables) -> dict[str, LinkedTables]:
    if len(side.tables) == 1:
        return dict.fromkeys(side.tables, side)
    heads = {side.root, ""}  # a grandchild alone names no person
    alone = {
        name: side.only(name)
        for name in side.tables
        if name == side.root or side.link(name).parent in heads
    }
    return {**alone, f"joined by {side.joined_by}": side}


def _shared(whole: LinkedTables, child: str, sides: Iterable[LinkedTables]) -> tuple[str, ...]:
    """Return the columns of a person's rows that some release has."""
    released = {c for side in sides if child in side.tables for c in side.tables[child].columns}
    keys = whole.keys[child]
    return tuple(c for c in whole.tables[child].compared if c in released and c not in keys)


def _knowable(whole: LinkedTables, child: str, shared: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a person's rows that others may know."""
    roles = Roles.of(whole.tables[child], shared)
    return tuple(c for c in shared if roles.role(c).may_be_known) or tuple(shared)


def _fitted(view: Table, original: Table, name: str) -> Table:
    frame, sets = view.frame, {**view.value_sets}
    for column, labels in view.value_sets.items():
        if column not in original.columns:
            continue
        own = {*canonical_labels(original.frame[column].drop_duplicates()).dropna()}
        empty = [
            label for label, covers in labels.items()
            if not isinstance(covers, AnyValue | Interval) and own.isdisjoint(covers)
        ]  # fmt: skip
        if empty:
            frame = frame.assign(**{column: frame[column].mask(frame[column].isin(empty))})
            sets[column] = {each: c for each, c in labels.items() if each not in empty}
    return replace(view, name=name, frame=frame, value_sets=read_only(sets))
