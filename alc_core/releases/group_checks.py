"""Checking a release whose values are shuffled inside groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from alc_core.phrasing import count, numbered, quoted
from alc_core.releases.group_layout import Grouping, GroupLayout
from alc_core.tables.checks.checker import TableChecker
from alc_core.tables.checks.finding import Finding, Severity, worst_first
from alc_core.tables.checks.links import check_links
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.checks.rows import check_copies, is_identical
from alc_core.tables.households import Household
from alc_core.tables.table import Table

_CORRECT = "Correct the tables: each group has as many values as it has rows."


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
            yield _error("too-few-rows", table, None, "The table has no rows.", "Add its rows.")
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
    return Finding(
        severity=Severity.ERROR,
        code="groups-without-unknown",
        table=" + ".join(table.name for table in tables),
        column=unknown,
        message=f"The groups are there, but no table has their values of '{unknown}'.",
        action=f"Add the table with the number of the group and its values of '{unknown}', or"
        " choose another unknown column.",
    )


def _rows_without_group(table: Table, grouping: Grouping, number: int) -> Iterator[Finding]:
    missing = int((grouping.groups[number] == grouping.coding.size - 1).sum())
    if missing:
        yield _error(
            "row-without-group",
            table,
            grouping.layout.group,
            f"{count(missing)} of {count(len(table))} rows have no group.",
            "Give each row the number of its group, or leave these rows out of all tables.",
        )


def _bad_counts(tables: Sequence[Table], grouping: Grouping, number: int) -> Iterator[Finding]:
    counts = grouping.counts[number]
    if counts is None:
        return
    with np.errstate(invalid="ignore"):
        bad = ~np.isfinite(counts) | (counts < 0) | (counts != np.floor(counts))
    if bad.any():
        table = tables[number]
        column = dict(zip(grouping.layout.values, grouping.layout.counts, strict=True))[number]
        shown = table.frame[column].iloc[int(np.flatnonzero(bad)[0])]
        yield _error(
            "count-is-no-number",
            table,
            column,
            f"'{shown}' is not a whole number of people (row {int(np.flatnonzero(bad)[0]) + 1} of"
            f" {count(len(table))}; {numbered(int(bad.sum()), 'such row')}).",
            "Correct the counts. Groups with noisy counts cannot be attacked as groups.",
        )


def _only_in_one(tables: Sequence[Table], grouping: Grouping, number: int) -> Iterator[Finding]:
    rows = grouping.layout.rows
    has = [grouping.people(n)[:-1] > 0 for n in (rows, number)]
    for here, there, inside in ((rows, number, has[0] & ~has[1]), (number, rows, has[1] & ~has[0])):
        if inside.any():
            labels = [grouping.coding.labels[n] for n in np.flatnonzero(inside)[:3]]
            yield _error(
                "group-in-one-part",
                tables[there],
                grouping.layout.group,
                f"Missing here: {numbered(int(inside.sum()), 'group')} of '{tables[here].name}',"
                f" such as {quoted(labels)}.",
                _CORRECT + " If these are files of two releases, upload those of one only.",
            )


def _other_numbers(tables: Sequence[Table], grouping: Grouping, number: int) -> Iterator[Finding]:
    rows, values = grouping.people(grouping.layout.rows)[:-1], grouping.people(number)[:-1]
    wrong = np.flatnonzero((rows > 0) & (values > 0) & (rows != values))
    if len(wrong):
        first = int(wrong[0])
        yield _error(
            "group-sizes",
            tables[number],
            grouping.layout.group,
            f"Group '{grouping.coding.labels[first]}' has {rows[first]:g} rows in"
            f" '{tables[grouping.layout.rows].name}', but {values[first]:g} values here"
            f" ({numbered(len(wrong), 'such group')}).",
            _CORRECT,
        )


def _single_people(rows: Table, grouping: Grouping) -> Iterator[Finding]:
    """Warn of groups with one person, whose value is published."""
    sizes = grouping.people(grouping.layout.rows)[:-1]
    single = int((sizes == 1).sum())
    if single:
        yield Finding(
            severity=Severity.WARNING,
            code="single-person-group",
            table=rows.name,
            column=grouping.layout.group,
            message=f"With one person: {count(single)} of"
            f" {numbered(int((sizes > 0).sum()), 'group')}. Their sensitive values are published as"
            " they are.",
            action="Merge them with other groups before you publish.",
        )


def _error(code: str, table: Table, column: str | None, message: str, action: str) -> Finding:
    return Finding(
        severity=Severity.ERROR, code=code, table=table.name, column=column,
        message=message, action=action,
    )  # fmt: skip
