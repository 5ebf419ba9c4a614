"""Which tables and columns hold rows, groups and values; their check."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray
from alc_core.errors import InputError
from alc_core.phrasing import quoted
from alc_core.tables.checks.checker import TableChecker
from alc_core.tables.checks.finding import Finding, Severity, worst_first
from alc_core.tables.checks.links import check_links
from alc_core.tables.checks.no_people import joining_group, names_count
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.checks.rows import check_copies, is_identical
from alc_core.tables.codes.columns import CategoricalCodes, encode_categorical
from alc_core.tables.table import Table
from alc_core.tables.values.texts import distinct_codes, numeric_values

_GROUP_WORD = re.compile(
    r"groups?|grp|gid|qid|class|cluster|bucket|block|cell|partition|ec|eqclass|gruppe|groupe|grupo"
)
_ROWS_PER_GROUP = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLayout:
    """The role of each table and column."""

    group: str  # Group number, in every table
    rows: int = 0  # Table with a row per person
    # Tables of groups' values; none if the rows hold them, shuffled
    values: tuple[int, ...] = ()
    # Column of each value's frequency, by table
    counts: tuple[str | None, ...] = ()

    @classmethod
    def of(cls, tables: Sequence[Table], original: Table) -> Self:
        """Detect the layout by a column of group numbers the original lacks."""
        if not tables:
            raise InputError("A release needs at least one table.")
        if len(tables) == 1:
            return cls(group=_group_of_one(tables[0], original))
        group = _common_group(tables, original)
        taken = {group, *original.columns}
        counts = [
            next((c for c in table.columns if c not in taken and names_count(c)), None)
            for table in tables
        ]
        known = [sum(c in original.columns for c in table.columns) for table in tables]
        places = range(len(tables))
        rows = min(places, key=lambda n: (counts[n] is not None, -known[n]))
        values = tuple(n for n in places if n != rows)
        return cls(group=group, rows=rows, values=values, counts=tuple(counts[n] for n in values))

    @property
    def with_rows(self) -> tuple[int, ...]:
        """Tables with a row per person, `rows` first."""
        counted = zip(self.values, self.counts, strict=True)
        return (self.rows, *(number for number, count in counted if count is None))

    def turned(self, rows: int) -> Self:
        """Return the layout with another table as rows."""
        others: dict[int, str | None] = {self.rows: None}
        others |= zip(self.values, self.counts, strict=True)
        del others[rows]
        return replace(self, rows=rows, values=tuple(others), counts=tuple(others.values()))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupValues:
    """Groups of values, by table."""

    group: CodeArray
    value_group: CodeArray  # Groups as often as in `group`
    taken: NDArray[np.intp]  # The value's row in the table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grouping:
    """Groups of a release's rows and sensitive values."""

    layout: GroupLayout  # Roles of tables and columns
    coding: CategoricalCodes  # Group numbers
    names: tuple[str, ...]
    # By table and row; the last code if none
    groups: tuple[CodeArray, ...]
    # People per row, by table with counts; NaN if not a number
    counts: tuple[NDArray[np.float64] | None, ...]

    @classmethod
    def of(cls, tables: Sequence[Table], layout: GroupLayout) -> Self:
        """Look up all tables' groups under common numbers."""
        coding, groups = encode_categorical(
            layout.group, [table.frame[layout.group] for table in tables]
        )
        columns = dict(zip(layout.values, layout.counts, strict=True))
        counts = []
        for number, table in enumerate(tables):
            column = columns.get(number)
            counts.append(None if column is None else numeric_values(table.frame[column]))
        return cls(
            layout=layout,
            coding=coding,
            names=tuple(table.name for table in tables),
            groups=tuple(groups),
            counts=tuple(counts),
        )

    def people(self, number: int) -> NDArray[np.float64]:
        """Return groups' people in a table, those without group last."""
        return np.bincount(
            self.groups[number], weights=self.counts[number], minlength=self.coding.size
        ).astype(np.float64)

    def mismatch(self, number: int) -> tuple[str, int, float] | None:
        """Return a group with unequal values and rows, and both numbers."""
        rows, values = self.people(self.layout.rows), self.people(number)
        wrong = np.flatnonzero((rows != values)[:-1])
        if not len(wrong):
            return None
        first = int(wrong[0])
        return self.coding.labels[first], int(rows[first]), float(values[first])

    def of_values(self, number: int) -> GroupValues:
        """Return groups of people, and of a table's values.

        In the table of rows, a value belongs to its row, or in a single table to its group.
        """
        group = self.groups[self.layout.rows]
        everyone = np.arange(len(group))
        if number == self.layout.rows:
            own = everyone.astype(np.int32) if len(self.counts) > 1 else _dense(group, group)[0]
            return GroupValues(group=own, value_group=own, taken=everyone)
        if wrong := self.mismatch(number):
            raise InputError(
                f"Group '{wrong[0]}' has {wrong[1]} rows in '{self.names[self.layout.rows]}' and "
                f"{wrong[2]:g} values in '{self.names[number]}'. Correct the tables."
            )
        counts = self.counts[number]
        rows = np.arange(len(self.groups[number]))
        taken = rows if counts is None else np.repeat(rows, counts.astype(np.int64))
        dense, of_values = _dense(group, self.groups[number][taken])
        return GroupValues(group=dense, value_group=of_values, taken=taken)


def _dense(group: CodeArray, other: CodeArray) -> tuple[CodeArray, CodeArray]:
    present = np.unique(group)
    first, second = (np.searchsorted(present, each).astype(np.int32) for each in (group, other))
    return first, second


def _group_of_one(table: Table, original: Table) -> str:
    own = [c for c in table.columns if c not in original.columns and not names_count(c)]
    coded = {column: distinct_codes(table.frame[column]) for column in own}
    found = [
        column
        for column, (codes, distinct) in coded.items()
        if (codes >= 0).sum() >= _ROWS_PER_GROUP * max(1, len(distinct))
    ]
    return _only(
        found,
        lambda columns: f"'{table.name}' may number groups by {columns}. Call one 'group_id'.",
        none=(
            f"'{table.name}' has no column that numbers the groups. Add it, or choose rows of "
            "people."
        ),
    )


def _common_group(tables: Sequence[Table], original: Table) -> str:
    names = quoted([table.name for table in tables])
    common = [c for c in tables[0].columns if all(c in table.columns for table in tables[1:])]
    own = [c for c in common if c not in original.columns and not names_count(c)]
    shared = f" (they share {quoted(common)}, which the original has)" if common else ""
    return _only(
        own,
        lambda columns: f"{names} may number groups by {columns}. Call one 'group_id'.",
        none=f"{names} share no column that numbers the groups{shared}. Add one.",
    )


def _only(columns: Sequence[str], several: Callable[[str], str], *, none: str) -> str:
    """Return the only column, or the only one named like a group."""
    words = {column: re.split(r"[\W\d_]+", column.casefold()) for column in columns}
    named = [column for column in columns if any(map(_GROUP_WORD.fullmatch, words[column]))]
    chosen = named if len(named) == 1 else columns
    if len(chosen) != 1:
        raise InputError(several(quoted(chosen)) if chosen else none)
    return chosen[0]


def joined_pairs(
    original: Table, tables: Sequence[Table], profiles: Profiles
) -> list[tuple[int, int]]:
    """Return pairs of tables joined by groups, equal sizes first."""
    joined = [
        pair
        for pair in itertools.combinations(range(len(tables)), 2)
        if joining_group(original, tables[pair[0]], tables[pair[1]], profiles) is not None
    ]
    return sorted(joined, key=lambda pair: not _agree([tables[n] for n in pair], original))


def _agree(pair: Sequence[Table], original: Table) -> bool:
    try:
        layout = GroupLayout.of(pair, original)
    except InputError:
        return False
    grouping = Grouping.of(pair, layout)
    return all(grouping.mismatch(number) is None for number in range(len(pair)))


_error = partial(Finding.of, Severity.ERROR)


class GroupsChecker:
    """Checks groups against the original."""

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
    """Return rows beside their groups' values, in stored order.

    For checks of columns only.
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
