"""Checking an original against releases for any number of scenarios."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from alc_core.tables.checks.columns import (
    check_column,
    check_known_weights,
    check_released_identifier,
    check_same_content,
    check_shared_columns,
    same_content,
)
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.labels import check_labels, check_sets
from alc_core.tables.checks.links import check_links
from alc_core.tables.checks.no_people import check_anatomy, check_cells
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.checks.rows import (
    check_copies,
    check_maybe_household,
    check_maybe_person,
    check_more_rows,
    check_repeated_people,
    check_row_count,
    check_sorted,
    is_identical,
)
from alc_core.tables.checks.scenario import (
    check_grouping,
    check_scenario_columns,
    check_unknown,
)
from alc_core.tables.checks.values import Released, check_scale, check_storage, rest_findings
from alc_core.tables.households import Household
from alc_core.tables.labels.column_sets import ColumnSets
from alc_core.tables.labels.find import column_sets
from alc_core.tables.table import ColumnKind, Table

_WORST_FIRST = (Severity.ERROR, Severity.QUESTION, Severity.WARNING, Severity.INFO)


class TableChecker:
    """Checks an original against releases; what several scenarios share is looked at once."""

    def __init__(self, original: Table, releases: Sequence[Table], *, as_rows: bool = True) -> None:
        self._original = original
        self._releases = tuple(releases)
        self._as_rows = as_rows
        self._profiles = Profiles()
        self._found: dict[Hashable, tuple[Finding, ...]] = {}
        self._pairs: tuple[tuple[str, str], ...] | None = None

    def findings(
        self,
        *,
        known: Sequence[str] | None = None,
        unknown: str | None = None,
        person: str | None = None,
        household: Household = None,
    ) -> tuple[Finding, ...]:
        """Return what would break or mislead an attack; see :func:`check_tables`."""
        original, releases = self._original, self._releases
        if not releases:
            return (Finding.of(Severity.ERROR, "no-release", original.name),)
        grouping = (person, household)
        findings = [
            *self._once("rows", lambda: check_row_count(original)),
            *_empty_tables((original, *releases)),
            *self._once(("sorted", grouping), lambda: check_sorted(original, grouping=grouping)),
            *self._people(person, household),
            *self._known_weights(known or ()),
        ]
        no_people = self._no_people
        for found in no_people.values():
            findings += found
        cells = [number for number, found in no_people.items() if _is_error(found)]
        rows = {n: table for n, table in enumerate(releases) if n not in cells}
        if rows:
            findings += self._rows_of_people(rows, known, unknown)
        return _ordered(findings, (original, *releases))

    @cached_property
    def _no_people(self) -> dict[int, tuple[Finding, ...]]:
        """Find tables whose rows are no people: nothing else that is said of them would hold."""
        if not self._as_rows:
            return {}
        original, profiles = self._original, self._profiles
        tables = dict(enumerate(self._releases))
        found = dict(check_anatomy(original, tables, profiles))
        for number, table in tables.items():
            if number not in found:
                found[number] = tuple(check_cells(original, table, profiles))
        return found

    def _rows_of_people(
        self, tables: Mapping[int, Table], known: Sequence[str] | None, unknown: str | None
    ) -> Iterator[Finding]:
        original, releases = self._original, tuple(tables.values())
        scope = _in_scope(original, known, unknown)
        yield from check_scenario_columns(original, releases, known, unknown)
        yield from check_shared_columns(
            original, releases, scope, profiles=self._profiles, known=known, unknown=unknown
        )
        yield from self._contents(releases, known, unknown)
        yield from self._same_content(known, unknown)
        if unknown is not None and unknown in original.columns:
            yield from self._once(
                ("unknown", unknown),
                lambda: check_unknown(original, releases, unknown, self._profiles),
            )
        for number, release in tables.items():
            if self._as_rows:
                yield from check_more_rows(original, release)
                yield from self._copies(number, release)
            sets = [sets for column in scope if (sets := self._sets(release, column)) is not None]
            yield from check_sets(release, sets, known=known or ())

    def _once(self, key: Hashable, check: Callable[[], Iterable[Finding]]) -> tuple[Finding, ...]:
        if key not in self._found:
            self._found[key] = tuple(check())
        return self._found[key]

    def _same_content(self, known: Sequence[str] | None, unknown: str | None) -> Iterator[Finding]:
        if self._pairs is None:
            self._pairs = same_content(self._original, self._profiles)
        yield from check_same_content(
            self._original, self._pairs, None if known is None else set(known), unknown
        )

    def _known_weights(self, known: Sequence[str]) -> Iterator[Finding]:
        for column in known:
            found = partial(check_known_weights, self._original, [column])
            yield from self._once(("weight", column), found)

    def _copies(self, number: int, release: Table) -> tuple[Finding, ...]:
        return self._once(("copies", number), lambda: self._copies_and_links(release))

    def _copies_and_links(self, release: Table) -> Iterator[Finding]:
        copies = tuple(check_copies(self._original, release))
        yield from copies
        for finding in check_links(self._original, release, self._profiles):
            if finding.column is not None or not is_identical(copies):
                yield finding

    def _people(self, person: str | None, household: Household) -> list[Finding]:
        original = self._original
        if person is None:
            findings = list(self._once("repeated", lambda: check_repeated_people(original)))
            findings += self._once(
                ("maybe-person", household),
                lambda: check_maybe_person(original, self._profiles, household),
            )
        else:
            findings = list(self._grouping(person, "person"))
        if household is None:
            findings += self._once(
                ("maybe-household", person), lambda: check_maybe_household(original, person)
            )
        for column in (household,) if isinstance(household, str) else household or ():
            if isinstance(household, str) or column not in original.columns:
                findings += self._grouping(column, "household")
        return findings

    def _grouping(self, column: str, what: str) -> tuple[Finding, ...]:
        return self._once(
            (what, column),
            lambda: check_grouping(self._original, column, self._profiles, code=f"{what}-column"),
        )

    def _contents(
        self, releases: Sequence[Table], known: Sequence[str] | None, unknown: str | None
    ) -> Iterator[Finding]:
        """Check the values of the columns in scope, in the original and against each release.

        A release that still has identifiers is reported whatever the scenario.
        """
        scope = _in_scope(self._original, known, unknown)
        yield from _identifiers_elsewhere(self._original, releases, scope, self._profiles)
        for column in scope:
            is_known, is_unknown = column in (known or ()), column == unknown
            yield from self._column(releases, column, is_known=is_known, is_unknown=is_unknown)

    def _sets(self, release: Table, column: str) -> ColumnSets | None:
        """Return what labels of a released column stand for, if any stand for several values."""
        if not self._original.kind(column).is_compared:
            return None
        return column_sets(self._original, release, [column]).get(column)

    def _column(
        self, releases: Sequence[Table], column: str, *, is_known: bool, is_unknown: bool
    ) -> tuple[Finding, ...]:
        return self._once(
            ("column", column, is_known, is_unknown),
            lambda: _column_findings(
                self._profiles.of(self._original, column),
                [
                    Released.of(release, column, self._sets(release, column), self._profiles)
                    for release in releases
                    if column in release.columns
                ],
                is_known=is_known,
                is_unknown=is_unknown,
            ),
        )


def _column_findings(
    before: ColumnProfile, released: Sequence[Released], *, is_known: bool, is_unknown: bool
) -> Iterator[Finding]:
    yield from check_column(before, is_known=is_known, is_unknown=is_unknown)
    for column in released:
        after = column.profile
        if column.share < 1:
            yield from rest_findings(before, column, is_known=is_known, is_unknown=is_unknown)
            continue
        if not is_unknown and after.kind is not ColumnKind.IDENTIFIER:
            yield from check_column(after, is_known=is_known, is_unknown=is_unknown)
        yield from check_released_identifier(before, after)
        if before.kind is ColumnKind.CATEGORICAL:
            yield from check_labels(before, after)
        if before.kind.is_numeric:
            yield from check_scale(before, after)
        if before.kind is not ColumnKind.IDENTIFIER:
            yield from check_storage(before, after)


def _is_error(findings: Sequence[Finding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)


def _ordered(findings: Sequence[Finding], tables: Sequence[Table]) -> tuple[Finding, ...]:
    places = {table.name: place for place, table in enumerate(tables)}

    def key(finding: Finding) -> tuple[int, int, str, str]:
        return (
            _WORST_FIRST.index(finding.severity),
            places.get(finding.table, len(places)),
            finding.column or "",
            finding.code,
        )

    return tuple(sorted(findings, key=key))


def _empty_tables(tables: Sequence[Table]) -> Iterator[Finding]:
    for table in tables[1:]:
        if len(table) == 0:
            yield Finding.of(Severity.ERROR, "too-few-rows", table.name, case="release")


def _in_scope(original: Table, known: Sequence[str] | None, unknown: str | None) -> list[str]:
    """Return the columns to examine: the scenario's, or all that the user does not ignore."""
    if known is None:
        ignored = ColumnKind.IGNORE
        return [name for name in original.columns if original.overrides.get(name) is not ignored]
    named = {*known, *([unknown] if unknown is not None else [])}
    return [name for name in original.columns if name in named]


def _identifiers_elsewhere(
    original: Table, releases: Sequence[Table], scope: Sequence[str], profiles: Profiles
) -> Iterator[Finding]:
    for column in original.columns:
        if column in scope or original.kind(column) is not ColumnKind.IDENTIFIER:
            continue
        for release in releases:
            if column in release.columns:
                yield from check_released_identifier(
                    profiles.of(original, column), profiles.of(release, column)
                )


def check_tables(
    original: Table,
    releases: Sequence[Table],
    *,
    known: Sequence[str] | None = None,
    unknown: str | None = None,
    person: str | None = None,
    household: Household = None,
) -> tuple[Finding, ...]:
    """Check an original and its releases for what would break or mislead an attack.

    Parameters
    ----------
    original : Table
        The table of real people.
    releases : sequence of Table
        What is published of it.
    known : sequence of str, optional
        Known attributes of the scenario. With a scenario, only its columns are examined, so that
        problems elsewhere do not stop a run; without, all columns that are not ignored are.
    unknown : str, optional
        Unknown attribute of the scenario.
    person, household : str, optional
        Columns of the original that show which records belong together.

    Returns
    -------
    tuple of Finding
        Worst first, then by table and column. Messages never quote a value of the original.

    Examples
    --------
    >>> import pandas as pd
    >>> from alc_core.tables.read import table_from_frame
    >>> original = table_from_frame(pd.DataFrame({"job": ["a", "b"] * 2000}), name="original")
    >>> release = table_from_frame(pd.DataFrame({"job": ["X1", "X2"] * 2000}), name="release")
    >>> [(f.severity.value, f.code) for f in check_tables(original, [release]) if f.blocking]
    [('question', 'unknown-labels')]
    """
    return TableChecker(original, releases).findings(
        known=known, unknown=unknown, person=person, household=household
    )
