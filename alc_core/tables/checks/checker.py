"""Checking an original against releases for any number of scenarios."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from alc_core.note import PSEUDONYM, tells_copies
from alc_core.phrasing import split_names
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.checks.coding import ANSWERED, check_codings, check_dates, check_read
from alc_core.tables.checks.columns import (
    IDENTIFIER_LIKE,
    SAID_OF_UNDONE,
    check_column,
    check_known_weight,
    check_released_identifier,
    check_same_content,
    check_shapes,
    check_shared_columns,
    check_truth,
    same_content,
)
from alc_core.tables.checks.editions import check_editions
from alc_core.tables.checks.finding import Finding, Severity, worst_first
from alc_core.tables.checks.links import check_joins, check_links
from alc_core.tables.checks.no_people import check_anatomy, check_cells
from alc_core.tables.checks.own import (
    check_copied_numbers,
    check_intervals,
    check_own,
    of_scenario,
    people_have_alone,
)
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.checks.pseudonyms.check import ATTACKED, check_pseudonyms, kept_in_scenario
from alc_core.tables.checks.rows import (
    check_copies,
    check_left_out,
    check_maybe_household,
    check_maybe_person,
    check_repeated_people,
    check_row_count,
    check_single_column,
    is_identical,
)
from alc_core.tables.checks.scales import COPIED
from alc_core.tables.checks.texts import check_texts, check_values_in_texts
from alc_core.tables.checks.values import check_released, check_sets, check_thousands
from alc_core.tables.codes.columns import value_counts
from alc_core.tables.households import Household, columns_of
from alc_core.tables.labels.date_readings import open_dates, with_read_dates
from alc_core.tables.labels.find import column_sets
from alc_core.tables.names import with_same_columns
from alc_core.tables.same_rows import repeated_in
from alc_core.tables.table import ColumnKind, Table, nearest_column
from alc_core.tables.value_sets import ColumnSets


class TableChecker:
    """Checks an original against releases; scenarios share results."""

    def __init__(
        self, original: Table, releases: Sequence[Table], *, as_rows: bool = True,
        elsewhere: Collection[str] = (),
    ) -> None:  # fmt: skip
        self._original = original
        self._elsewhere = elsewhere  # Columns of other parts of the release
        self._given = tuple(releases)
        self._as_rows = as_rows
        self._profiles = Profiles()
        # Findings, by what they depend on besides the tables
        self.seen: dict[Hashable, tuple[Finding, ...]] = {}

    def findings(
        self,
        *,
        known: Sequence[str] | None = None,
        unknown: str | None = None,
        person: str | None = None,
        household: Household = None,
    ) -> tuple[Finding, ...]:
        """Return what would break or mislead an attack; see :func:`check_tables`."""
        original = self._original
        if not self._releases:
            return (Finding.of(Severity.ERROR, "no-release", original.name),)
        findings = [
            *self._once("rows", check_row_count, original),
            *(
                Finding.of(Severity.ERROR, "too-few-rows", release.name, case="release")
                for release in self._releases
                if not len(release)
            ),
            *self._once("reading", self._reading),
            *self._people(person, household),
        ]
        rows = dict(enumerate(self._releases))
        for number, found in self._no_people.items():
            findings += found
            if any(finding.severity is Severity.ERROR for finding in found):
                del rows[number]
        if self._as_rows:
            by = ("joins", person)
            findings += self._once(by, check_joins, original, tuple(rows.values()), person)
        if rows:
            findings += self._rows_of_people(rows, known, unknown)
            for number, release in rows.items():
                of = original, release, person
                findings += self._once(("texts", number, person), check_texts, *of)
                inside = original, release, self._profiles
                findings += self._once(("in texts", number), check_values_in_texts, *inside)
        own = people_have_alone(findings)
        for column in known or ():
            if column not in own:
                findings += self._once(("weight", column), check_known_weight, original, column)
        undone = {(f.table, f.column) for f in findings if f.code == PSEUDONYM}
        kept = {f.column for f in findings if f.code == PSEUDONYM and f.case == ATTACKED}
        findings = [
            f
            for f in findings
            if not (f.code in SAID_OF_UNDONE and (f.table, f.column) in undone)
            and not (f.code == IDENTIFIER_LIKE and f.column in kept)
        ]
        places = {table.name: place for place, table in enumerate((original, *self._releases))}
        findings.sort(key=lambda f: (places.get(f.table, len(places)), f.column or "", f.code))
        return tuple(worst_first(findings))

    def _reading(self) -> Iterator[Finding]:
        tables = (self._original, *self._releases)
        for place, table in enumerate(tables):
            yield from check_left_out(table)
            yield from check_single_column(table, [*tables[:place], *tables[place + 1 :]])

    @cached_property
    def _releases(self) -> tuple[Table, ...]:
        if not self._as_rows:
            return self._given
        return tuple(with_read_dates(self._original, release) for release in self._given)

    @cached_property
    def _no_people(self) -> dict[int, tuple[Finding, ...]]:
        """Find tables whose rows are not people; other checks do not apply."""
        if not self._as_rows:
            return {}
        original, profiles = self._original, self._profiles
        tables = dict(enumerate(self._releases))
        found = dict(check_anatomy(original, tables, profiles))
        for number, table in tables.items():
            if number not in found:
                found[number] = tuple(check_cells(original, table, profiles))
        return found

    @cached_property
    def _same_content(self) -> tuple[tuple[str, str], ...]:
        return same_content(self._original, self._profiles)

    def _rows_of_people(
        self, tables: Mapping[int, Table], known: Sequence[str] | None, unknown: str | None
    ) -> Iterator[Finding]:
        original, releases, profiles = self._original, tuple(tables.values()), self._profiles
        scope = _in_scope(original, known, unknown)
        yield from check_scenario_columns(original, releases, known, unknown)
        for column in original.columns:  # Released identifiers are always reported
            if column not in scope and original.kind(column) is ColumnKind.IDENTIFIER:
                before = profiles.of(original, column)
                for release in releases:
                    if column in release.columns:
                        yield from check_released_identifier(before, profiles.of(release, column))
        yield from self._columns(tables, scope, known, unknown)
        yield from check_same_content(original, self._same_content, known, unknown)
        if unknown is not None and unknown in original.columns:
            key = ("unknown", unknown)
            yield from self._once(key, check_unknown, original, releases, unknown, profiles)
        if self._as_rows:
            yield from self._once("editions", check_editions, original, releases)
        expected = [c for c in scope if c not in self._elsewhere] if known is None else scope
        for number, release in tables.items():
            yield from check_shared_columns(
                original, release, expected, shapes=partial(self._shapes, number, release),
                known=known, unknown=unknown, as_rows=self._as_rows,
            )  # fmt: skip
            if self._as_rows:
                yield from self._once(("copies", number), self._copies, release)
                found = self._once(("pseudonyms", number), check_pseudonyms, original, release)
                yield from kept_in_scenario(found, original.base(known or ()))
                yield from self._own(number, release, known, unknown)
                yield from self._numbers(number, release, scope)
            sets = [sets for column in scope if (sets := self._sets(release, column)) is not None]
            yield from check_sets(release, sets)

    def _own(
        self, number: int, release: Table, known: Sequence[str] | None, unknown: str | None
    ) -> Iterator[Finding]:
        for finding in self._once(("own", number), check_own, self._original, release):
            found = of_scenario(
                finding, self._original, self._singles_out, known=known, unknown=unknown
            )
            if found is not None:
                yield found
        for finding in self._once(("days", number), check_intervals, self._original, release):
            if known is None or self._original.base(known).issuperset(finding.facts["dates"]):
                yield finding

    def _numbers(self, number: int, release: Table, scope: Sequence[str]) -> Iterator[Finding]:
        """Report copied numbers unless copied rows are reported."""
        own = self._once(("own", number), check_own, self._original, release)
        copies = self._once(("copies", number), self._copies, release)
        if any(tells_copies(each.code) for each in copies):
            return
        told = people_have_alone(own)
        for found in self._once(("numbers", number), check_copied_numbers, self._original, release):
            columns = {*found.facts["columns"]}
            if not columns <= told and not columns.isdisjoint(scope):
                yield found

    def _singles_out(self, columns: frozenset[str]) -> float:
        return 1 - repeated_in(self._original, columns) if columns else 0.0

    def _columns(
        self,
        tables: Mapping[int, Table],
        scope: Sequence[str],
        known: Sequence[str] | None,
        unknown: str | None,
    ) -> Iterator[Finding]:
        """Check columns' values; a coding explains their other findings."""
        original, releases = self._original, tuple(tables.values())
        told, asked = original.base(known or ()), original.base([unknown] if unknown else ())
        coded = {
            (finding.table, finding.column): finding
            for number, release in (tables.items() if self._as_rows else ())
            for finding in self._once(("codings", number), check_codings, original, release)
            if finding.column in scope
        }
        for column in scope:
            is_known, is_unknown = column in told, column in asked
            key: Hashable = ("column", column, is_known, is_unknown)
            for found in self._once(key, self._column, column, releases, is_known, is_unknown):
                coding = coded.get((found.table, found.column))
                if coding is None or found.code not in ANSWERED:
                    yield found
                elif found.severity is Severity.QUESTION and found.case != COPIED:
                    # Asked already: here is the answer
                    del coded[found.table, found.column]
                    yield replace(found, offers=coding.offers)
        yield from coded.values()

    def _once(
        self, key: Hashable, check: Callable[..., Iterable[Finding]], *of: object
    ) -> tuple[Finding, ...]:
        if key not in self.seen:
            self.seen[key] = tuple(check(*of))
        return self.seen[key]

    def _copies(self, release: Table) -> Iterator[Finding]:
        copies = tuple(check_copies(self._original, release))
        yield from copies
        for finding in check_links(self._original, release, self._profiles):
            if finding.column is not None or not is_identical(copies):
                yield finding

    def _shapes(self, number: int, release: Table) -> tuple[Finding, ...]:
        of = self._original, release, self._profiles
        return self._once(("shapes", number), check_shapes, *of)

    def _people(self, person: str | None, household: Household) -> Iterator[Finding]:
        original, profiles = self._original, self._profiles
        if person is None:
            key: Hashable = ("repeated", household)
            yield from self._once(key, check_repeated_people, original, household)
            key = ("maybe-person", household)
            numbers = self._once(key, check_maybe_person, original, profiles, household)
            yield from numbers
        else:
            numbers = ()
            yield from self._grouping("person", person)
        if household is None:
            check = partial(check_maybe_household, asked=bool(numbers))
            yield from self._once(("maybe-household", person), check, original, person)
        for column in columns_of(household):
            if isinstance(household, str) or column not in original.columns:
                yield from self._grouping("household", column)

    def _grouping(self, what: str, column: str) -> tuple[Finding, ...]:
        check = partial(check_grouping, what=what)
        return self._once((what, column), check, self._original, column, self._profiles)

    def _sets(self, release: Table, column: str) -> ColumnSets | None:
        if not self._original.kind(column).is_compared:
            return None
        return column_sets(self._original, release, [column]).get(column)

    def _column(
        self, column: str, releases: Sequence[Table], is_known: bool, is_unknown: bool
    ) -> Iterator[Finding]:
        before = self._profiles.of(self._original, column)
        yield from check_column(before, is_known=is_known, is_unknown=is_unknown)
        having = [release for release in releases if column in release.columns]
        yield from check_thousands(before, [self._profiles.of(each, column) for each in having])
        for release in having:
            yield from check_read(release, column)
            yield from check_truth(release, column)
            if found := open_dates(self._original, release).get(column):
                yield check_dates(self._original, release, column, found)
                if found.are_numbers:
                    continue
            sets = self._sets(release, column)
            yield from check_released(
                before, release, sets, self._profiles, is_known=is_known, is_unknown=is_unknown
            )


def _in_scope(original: Table, known: Sequence[str] | None, unknown: str | None) -> list[str]:
    if known is None:
        ignored = ColumnKind.IGNORE
        return [name for name in original.kinds if original.overrides.get(name) is not ignored]
    named = original.base([*known, *([unknown] if unknown is not None else [])])
    return [name for name in original.columns if name in named]


def check_tables(
    original: TableLike,
    releases: TableLike | Sequence[TableLike],
    *,
    known: Sequence[str] | None = None,
    unknown: str | None = None,
    person: str | None = None,
    household: Household = None,
) -> tuple[Finding, ...]:
    """Check for what would break or mislead an attack.

    Parameters
    ----------
    original : Table, data frame or path
        Real people.
    releases : Table, data frame or path, or a sequence of these
        Its releases.
    known : sequence of str, optional
        Known attributes. With a scenario, only its columns are examined; without, all not ignored.
    unknown : str, optional
        Unknown attribute.
    person, household : str, optional
        The original's columns of records that belong together.

    Returns
    -------
    tuple of Finding
        Worst first. Messages never quote the original's values.

    Examples
    --------
    >>> import pandas as pd
    >>> from alc_core.tables.read import table_from_frame
    >>> original = table_from_frame(pd.DataFrame({"job": ["a", "b"] * 2000}), name="original")
    >>> release = table_from_frame(pd.DataFrame({"job": ["X1", "X2"] * 2000}), name="release")
    >>> [(f.severity.value, f.code) for f in check_tables(original, [release]) if f.blocking]
    [('question', 'unknown-labels')]
    """
    several = releases if isinstance(releases, list | tuple) else (releases,)
    table = as_table(original, name="original")
    tables = [
        with_same_columns(table, as_table(each, name=f"release {number}"), {})
        for number, each in enumerate(several, 1)
    ]
    return TableChecker(table, tables).findings(
        known=known, unknown=unknown, person=person, household=household
    )


CONTINUOUS_BINS = 20  # Bins of a continuous unknown column
MANY_LABELS = 100  # Labels of an unknown column hard to predict
_NEARLY_ALL = 0.9  # Share of distinct values of identifiers
_RARE_ROWS = 10  # Rows of a rare value
_DOMINATING = 0.5  # Share of rows with one value

_error = partial(Finding.of, Severity.ERROR)


def check_scenario_columns(
    original: Table,
    releases: Sequence[Table],
    known: Sequence[str] | None,
    unknown: str | None,
) -> Iterator[Finding]:
    """Check that columns are where the attack needs them."""
    for column in dict.fromkeys([*(known or ()), *([unknown] if unknown is not None else [])]):
        if column not in original.columns:
            yield _lacks(original, column, "missing-column", "original")
        elif original.overrides.get(column) is ColumnKind.IGNORE:
            part = "unknown" if column == unknown else "known"
            yield _error("ignored-column", original.name, column, part=part)
    if unknown is None:
        return
    if unknown in (known or ()):
        yield _error("unknown-is-known", original.name, unknown)
    others = [column for column in known or () if column != unknown]
    if known is not None and not others:
        yield _error("no-known-columns", original.name)
    having = [release for release in releases if unknown in release.columns]
    if not having and unknown in original.columns:
        names = ", ".join(release.name for release in releases)
        yield _error("missing-column", names, unknown, case="in-no-release")
    if others and having and not any(c in r.columns for r in having for c in others):
        names = ", ".join(release.name for release in having)
        yield _error("no-common-columns", names, case="known", unknown=unknown)


def check_unknown(
    original: Table, releases: Sequence[Table], unknown: str, profiles: Profiles
) -> Iterator[Finding]:
    """Check that attacking the unknown attribute can show something."""
    profile = profiles.of(original, unknown)
    if not profile.n_present:
        yield profile.found(Severity.ERROR, "all-missing", "unknown")
    elif profile.has_single_value and profile.n_present == len(original):
        yield profile.found(Severity.ERROR, "constant-unknown")
    elif profile.has_single_value:
        yield profile.found(Severity.WARNING, "constant-unknown", "or-missing")
    for after in (profiles.of(each, unknown) for each in releases if unknown in each.columns):
        if not after.n_present:
            yield after.found(Severity.ERROR, "all-missing", "unknown-here")
        elif after.has_single_value:
            yield after.found(Severity.WARNING, "constant-unknown", "here")
    if profile.n_present and not profile.has_single_value:
        yield from _shares_of_unknown(profile)


def _shares_of_unknown(profile: ColumnProfile) -> Iterator[Finding]:
    numeric = profile.kind.is_numeric
    if numeric:
        numbers = profile.comparable(profile.kind)
        counts = value_counts(numbers[np.isfinite(numbers)], CONTINUOUS_BINS)
    else:
        counts = profile.labels.to_numpy()
        values, rare = len(counts), int((counts < _RARE_ROWS).sum())
        if profile.kind is ColumnKind.IDENTIFIER or values >= _NEARLY_ALL * profile.n_present:
            yield profile.found(
                Severity.ERROR, "all-distinct-unknown", values=values, rows=profile.n_present
            )
            return
        if values > MANY_LABELS:
            yield profile.found(Severity.WARNING, "high-cardinality-unknown", values=values)
        if rare:
            yield profile.found(
                Severity.INFO, "rare-values", rare=rare, values=values, fewest=_RARE_ROWS
            )
    share = float(counts.max()) / len(profile.table)
    if share > _DOMINATING:
        yield profile.found(
            Severity.INFO, "dominating-value", share=share, value=not numeric,
            ranges=CONTINUOUS_BINS if numeric else None,
        )  # fmt: skip


def check_grouping(
    original: Table, column: str, profiles: Profiles, *, what: str
) -> Iterator[Finding]:
    """Check a person or household column."""
    code = "grouping-column"
    if column not in original.columns:
        yield _lacks(original, column, code, what=what)
        return
    profile = profiles.of(original, column)
    if not profile.n_present or profile.has_single_value:
        yield profile.found(Severity.ERROR, code, "single", what=what)
    elif profile.n_present < len(original):
        missing = 1 - profile.n_present / len(original)
        yield profile.found(Severity.WARNING, code, "gaps", share=missing, what=what)


def _lacks(
    original: Table, column: str, code: str, case: str = "", *, what: str | None = None
) -> Finding:
    names = list(split_names(column))
    several = len(names) > 1 and {*names} <= {*original.columns}
    return _error(
        code, original.name, column, case=case, what=what, has=original.columns,
        close=None if several else nearest_column(original, column),
        as_list=several and json.dumps(names, ensure_ascii=False),
    )  # fmt: skip
