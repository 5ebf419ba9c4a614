"""Checking a release whose values are shuffled inside groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from alc_core.releases.group_layout import Grouping, GroupLayout
from alc_core.tables.checks.checker import TableChecker
from alc_core.tables.checks.finding import Finding, Severity, worst_first
from alc_core.tables.checks.links import check_links
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.checks.rows import check_copies, is_identical
from alc_core.tables.table import Table

_error = partial(Finding.of, Severity.ERROR)


class GroupsChecker:
    """Checks groups against the original; what several scenarios share is looked at once."""

    def __init__(self, original: Table, tables: Sequence[Table], layout: GroupLayout) -> None:
        self._original, self._tables, self._layout = original, tuple(tables), layout

    @cached_property
    def _found(self) -> tuple[Finding, ...]:
        return tuple(_group_findings(self._original, self._tables, self._layout))

    @cached_property
    def _people(self) -> TableChecker:
        joined = joined_table(self._tables, self._layout)
        return TableChecker(self._original, [joined], as_rows=False)

    def findings(self, **scenario: Any) -> tuple[Finding, ...]:
        """Return what would break or mislead an attack, worst first."""
        if any(finding.severity is Severity.ERROR for finding in self._found):
            return self._found
        unknown = scenario.get("unknown")
        told = {column for table in self._tables for column in table.columns}
        if unknown in self._original.columns and unknown not in told:
            names = " + ".join(table.name for table in self._tables)
            return (_error("groups-without-unknown", names, unknown), *self._found)
        return tuple(worst_first((*self._found, *self._people.findings(**scenario))))


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
    for table, groups in zip(tables, grouping.groups, strict=True):
        if missing := int((groups == grouping.coding.size - 1).sum()):
            yield _error(
                "row-without-group", table.name, layout.group, missing=missing, rows=len(table)
            )
    for number, column in zip(layout.values, layout.counts, strict=True):
        yield from _bad_counts(tables[number], column, grouping.counts[number])
        yield from _other_sizes(tables, grouping, number)
    rows, sizes = tables[layout.rows], grouping.people(layout.rows)[:-1]
    if single := int((sizes == 1).sum()):
        yield Finding.of(
            Severity.WARNING, "single-person-group", rows.name, layout.group,
            single=single, groups=int((sizes > 0).sum()),
        )  # fmt: skip
    copies = () if layout.values else tuple(check_copies(original, rows))
    yield from copies
    for finding in check_links(original, rows, Profiles()):
        if finding.column != layout.group and not is_identical(copies):
            yield finding


def _bad_counts(table: Table, column: str | None, counts: np.ndarray | None) -> Iterator[Finding]:
    if column is None or counts is None:
        return
    with np.errstate(invalid="ignore"):
        bad = np.flatnonzero(~np.isfinite(counts) | (counts < 0) | (counts != np.floor(counts)))
    if len(bad):
        row = int(bad[0])
        yield _error(
            "count-is-no-number", table.name, column, case="group", row=row + 1, rows=len(table),
            shown=str(table.frame[column].iloc[row]), wrong=len(bad),
        )  # fmt: skip


def _other_sizes(tables: Sequence[Table], grouping: Grouping, number: int) -> Iterator[Finding]:
    """Find groups that rows or values are missing of, or of which there are not as many."""
    place, group, labels = grouping.layout.rows, grouping.layout.group, grouping.coding.labels
    rows, values = grouping.people(place)[:-1], grouping.people(number)[:-1]
    for here, there, inside in (
        (place, number, (rows > 0) & ~(values > 0)), (number, place, (values > 0) & ~(rows > 0)),
    ):  # fmt: skip
        if len(found := np.flatnonzero(inside)):
            yield _error(
                "group-in-one-part", tables[there].name, group, missing=len(found),
                other=tables[here].name, labels=tuple(labels[n] for n in found[:3]),
            )  # fmt: skip
    wrong = np.flatnonzero((rows > 0) & (values > 0) & (rows != values))
    if len(wrong):
        first = int(wrong[0])
        yield _error(
            "group-sizes", tables[number].name, group, group=labels[first], wrong=len(wrong),
            other=tables[place].name, rows=float(rows[first]), values=float(values[first]),
        )  # fmt: skip
