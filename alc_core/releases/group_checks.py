"""Checking a release whose values are shuffled inside groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from alc_core.releases.group_layout import Grouping, GroupLayout
from alc_core.tables.checks.checker import TableChecker
from alc_core.tables.checks.finding import Finding, Severity, worst_first
from alc_core.tables.checks.links import check_links
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.checks.rows import check_copies, is_identical
from alc_core.tables.households import Household
from alc_core.tables.table import Table


class GroupsChecker:
    """Checks groups against the original; what several scenarios share is looked at once."""

    def __init__(self, original: Table, tables: Sequence[Table], layout: GroupLayout) -> None:
        self._original = original
        self._layout = layout
        self._tables = tuple(tables)
        self._found: tuple[Finding, ...] | None = None
        self._people: TableChecker | None = None

    def findings(
        self,
        *,
        known: Sequence[str] | None = None,
        unknown: str | None = None,
        person: str | None = None,
        household: Household = None,
    ) -> tuple[Finding, ...]:
        """Return what would break or mislead an attack, worst first."""
        if self._found is None:
            self._found = tuple(_group_findings(self._original, self._tables, self._layout))
        if any(finding.severity is Severity.ERROR for finding in self._found):
            return self._found
        if self._people is None:
            joined = joined_table(self._tables, self._layout)
            self._people = TableChecker(self._original, [joined], as_rows=False)
        if unknown in self._original.columns and not any(
            unknown in t.columns for t in self._tables
        ):
            return (_without_unknown(self._tables, str(unknown)), *self._found)
        of_people = self._people.findings(
            known=known, unknown=unknown, person=person, household=household
        )
        return tuple(worst_first((*self._found, *of_people)))


def joined_table(tables: Sequence[Table], layout: GroupLayout) -> Table:
    """Return the rows with sensitive values of their groups beside them, in the order they have.

    It serves to check columns: which value of a group is beside which row means nothing.
    """
    rows = tables[layout.rows]
    if not layout.values:
        return rows
    grouping = Grouping.of(tables, layout)
    frame = rows.frame.drop(columns=layout.group).reset_index(drop=True)
    guesses = {column: guess for column, guess in rows.guesses.items() if column in frame.columns}
    sets = dict(rows.value_sets)
    for number in layout.values:
        found, table = grouping.of_values(number), tables[number]
        place = np.empty(len(rows), dtype=np.intp)
        place[np.argsort(found.group, kind="stable")] = found.taken[
            np.argsort(found.value_group, kind="stable")
        ]
        for column in table.columns:
            if column not in (layout.group, *layout.counts) and column not in frame.columns:
                frame[column] = table.frame[column].take(place).reset_index(drop=True)
                guesses[column] = table.guesses[column]
                if column in table.value_sets:
                    sets[column] = table.value_sets[column]
    name = " + ".join(table.name for table in tables)
    return replace(rows, name=name, frame=frame, guesses=guesses, overrides={}, value_sets=sets)


def _group_findings(
    original: Table, tables: Sequence[Table], layout: GroupLayout
) -> Iterator[Finding]:
    """Find what is wrong with the groups themselves."""
    for table in tables:
        if not len(table):
            yield _error("too-few-rows", table.name, case="part")
            return
    grouping = Grouping.of(tables, layout)
    for number, table in enumerate(tables):
        yield from _rows_without_group(table, grouping, number)
    for number in layout.values:
        yield from _bad_counts(tables, grouping, number)
        yield from _only_in_one(tables, grouping, number)
        yield from _other_numbers(tables, grouping, number)
    yield from _single_people(tables[layout.rows], grouping)
    rows, profiles = tables[layout.rows], Profiles()
    copies = () if layout.values else tuple(check_copies(original, rows))
    yield from copies
    for finding in check_links(original, rows, profiles):
        if finding.column != layout.group and not is_identical(copies):
            yield finding


def _without_unknown(tables: Sequence[Table], unknown: str) -> Finding:
    return _error("groups-without-unknown", " + ".join(table.name for table in tables), unknown)


def _rows_without_group(table: Table, grouping: Grouping, number: int) -> Iterator[Finding]:
    missing = int((grouping.groups[number] == grouping.coding.size - 1).sum())
    if missing:
        group = grouping.layout.group
        yield _error("row-without-group", table.name, group, missing=missing, rows=len(table))


def _bad_counts(tables: Sequence[Table], grouping: Grouping, number: int) -> Iterator[Finding]:
    counts = grouping.counts[number]
    if counts is None:
        return
    with np.errstate(invalid="ignore"):
        bad = ~np.isfinite(counts) | (counts < 0) | (counts != np.floor(counts))
    if bad.any():
        table = tables[number]
        column = dict(zip(grouping.layout.values, grouping.layout.counts, strict=True))[number]
        row = int(np.flatnonzero(bad)[0])
        yield _error(
            "count-is-no-number", table.name, column, case="group", row=row + 1, rows=len(table),
            shown=str(table.frame[column].iloc[row]), wrong=int(bad.sum()),
        )  # fmt: skip


def _only_in_one(tables: Sequence[Table], grouping: Grouping, number: int) -> Iterator[Finding]:
    rows = grouping.layout.rows
    has = [grouping.people(n)[:-1] > 0 for n in (rows, number)]
    for here, there, inside in ((rows, number, has[0] & ~has[1]), (number, rows, has[1] & ~has[0])):
        if inside.any():
            labels = tuple(grouping.coding.labels[n] for n in np.flatnonzero(inside)[:3])
            yield _error(
                "group-in-one-part", tables[there].name, grouping.layout.group,
                missing=int(inside.sum()), other=tables[here].name, labels=labels,
            )  # fmt: skip


def _other_numbers(tables: Sequence[Table], grouping: Grouping, number: int) -> Iterator[Finding]:
    rows, values = grouping.people(grouping.layout.rows)[:-1], grouping.people(number)[:-1]
    wrong = np.flatnonzero((rows > 0) & (values > 0) & (rows != values))
    if len(wrong):
        first = int(wrong[0])
        yield _error(
            "group-sizes", tables[number].name, grouping.layout.group,
            group=grouping.coding.labels[first], other=tables[grouping.layout.rows].name,
            rows=float(rows[first]), values=float(values[first]), wrong=len(wrong),
        )  # fmt: skip


def _single_people(rows: Table, grouping: Grouping) -> Iterator[Finding]:
    """Warn of groups with one person, whose value is published."""
    sizes = grouping.people(grouping.layout.rows)[:-1]
    single = int((sizes == 1).sum())
    if single:
        yield Finding.of(
            Severity.WARNING, "single-person-group", rows.name, grouping.layout.group,
            single=single, groups=int((sizes > 0).sum()),
        )  # fmt: skip


_error = partial(Finding.of, Severity.ERROR)
