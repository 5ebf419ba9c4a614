"""Releases with unknown values shuffled within groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.errors import InputError
from alc_core.phrasing import count, listed, quoted
from alc_core.releases.group_layout import Grouping, GroupLayout, GroupsChecker, joined_pairs
from alc_core.releases.microdata import (
    ReleasedRows,
    RowsView,
    check_overlap,
    unused_columns,
    used_columns,
)
from alc_core.releases.release import PublishedTables, Recognised
from alc_core.scenario.preflight import ReleaseChecker
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.codes.columns import SpreadValues
from alc_core.tables.codes.encode import EncodedData, EncodedTable
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedRows:
    """Rows in groups, and each group's unknown values."""

    group: CodeArray
    # Group g has `values[starts[g]:starts[g + 1]]`, as many as rows
    starts: NDArray[np.int64]
    values: CodeArray  # Codes, sorted within groups

    @classmethod
    def of(cls, group: CodeArray, value_group: CodeArray, values: CodeArray) -> Self:
        """Sort values by their groups."""
        sizes = np.bincount(group)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        order = np.lexsort((values, value_group))
        return cls(group=group, starts=starts, values=values[order].astype(np.int32))

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Rows, and values, per group."""
        return np.diff(self.starts)

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return the groups with all values reassigned at random."""
        value_group = np.repeat(np.arange(self.n_groups), self.sizes)
        values = rng.permutation(self.values)
        return replace(self, values=values[np.lexsort((values, value_group))])

    def shares(self, n_codes: int) -> FloatArray:
        """Return each code's share of each group."""
        return group_shares(np.repeat(np.arange(self.n_groups), self.sizes), self.values, n_codes)


def group_shares(
    value_group: NDArray[np.integer],
    values: CodeArray,
    n_codes: int,
    spread: SpreadValues | None = None,
) -> FloatArray:
    """Return each code's share of each group."""
    n_groups = int(value_group.max()) + 1
    labels = np.full(len(values), -1) if spread is None else spread.labels
    single = labels < 0
    cells = value_group[single].astype(np.int64) * n_codes + values[single]
    counts = np.bincount(cells, minlength=n_groups * n_codes).reshape(n_groups, n_codes)
    shares = counts.astype(np.float64)
    if spread is not None:
        np.add.at(shares, value_group[~single], spread.weights[labels[~single]])
    return np.asarray(shares / np.bincount(value_group)[:, None], dtype=np.float64)


def spread_over_rows(group: CodeArray, shares: FloatArray) -> tuple[CodeArray, SpreadValues | None]:
    """Return each row's possible values, from its group."""
    codes = shares.argmax(axis=1).astype(np.int32)[group]
    mixed = np.flatnonzero(shares.max(axis=1) < 1)
    if not len(mixed):
        return codes, None
    distinct, alike = np.unique(shares[mixed], axis=0, return_inverse=True)
    labels = np.full(len(shares), -1, dtype=np.int32)
    labels[mixed] = alike.reshape(-1)
    return codes, SpreadValues(labels=labels[group], weights=distinct)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupsView(RowsView):
    """Rows in groups with shuffled unknown values.

    The one table's `spread` has its groups' values by frequency.

    Attributes
    ----------
    groups : GroupedRows
        Of that table's rows.

    Examples
    --------
    >>> import alc_core as alc
    >>> issubclass(GroupsView, alc.AttackView)
    True
    """

    groups: GroupedRows

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return the view with unknown values reassigned at random."""
        groups = self.groups.shuffled(rng)
        codes, spread = spread_over_rows(groups.group, groups.shares(self.unknown.size))
        table = replace(self.tables[0], unknown=codes, spread=spread)
        return replace(self, tables=(table,), groups=groups)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedGroups:
    """Tables joined by groups, as arrays."""

    data: EncodedData
    grouping: Grouping

    def view(self, scenario: Scenario) -> GroupsView:
        """Return the rows, and their groups' unknown values."""
        data, unknown, grouping = self.data, scenario.unknown, self._turned(scenario)
        rows, number = data.released[grouping.layout.rows], self._holder(grouping, unknown)
        if not used_columns(rows, scenario):
            raise InputError(f"Released table '{rows.name}' has no known column. Choose others.")
        found, table = grouping.of_values(number), data.released[number]
        asked = (unknown, scenario.bins, scenario.markers)
        values = data.as_unknown(table, *asked)[found.taken]
        spread, coding = data.spread(table, *asked), data.unknown_codes(*asked)
        spread = None if spread is None else spread.take(found.taken)
        shares = group_shares(found.value_group, values, coding.size, spread)
        codes, of_rows = spread_over_rows(found.group, shares)
        released = ReleasedRows(
            name=rows.name,
            known=KnownValues.of(rows, data.specs, scenario.known),
            unknown=codes,
            spread=of_rows,
        )
        check_overlap(data.as_unknown(data.original, *asked), values, unknown)
        absent, unmatched = unused_columns(self._joined(grouping, number, unknown), scenario)
        return GroupsView(
            tables=(released,),
            groups=GroupedRows.of(found.group, found.value_group, values),
            known={column: data.specs[column] for column in scenario.known},
            unknown=coding,
            absent=absent,
            unmatched=unmatched,
        )

    def _turned(self, scenario: Scenario) -> Grouping:
        """Return the grouping whose rows have most known columns.

        Ties prefer a table without the unknown column.
        """
        released, layout = self.data.released, self.grouping.layout

        def fits(number: int) -> tuple[int, bool]:
            table = released[number]
            return len(used_columns(table, scenario)), not table.has(scenario.unknown)

        return replace(self.grouping, layout=layout.turned(max(layout.with_rows, key=fits)))

    def _holder(self, grouping: Grouping, unknown: str) -> int:
        for number in (*grouping.layout.values, grouping.layout.rows):
            if self.data.released[number].has(unknown):
                return number
        raise InputError(f"No released table has '{unknown}'. Choose another unknown column.")

    def _joined(self, grouping: Grouping, number: int, unknown: str) -> EncodedData:
        rows, table = self.data.released[grouping.layout.rows], self.data.released[number]
        if number == grouping.layout.rows:
            return replace(self.data, released=(rows,))
        taken = grouping.of_values(number).taken
        columns, sets = dict(rows.columns), dict(rows.set_columns)
        if unknown in table.columns:
            columns[unknown] = table.columns[unknown][taken]
        else:
            sets[unknown] = table.set_columns[unknown].take(taken)
        joined = EncodedTable(name=rows.name, n_rows=len(rows), columns=columns, set_columns=sets)
        return replace(self.data, released=(joined,))

    def notes(self, scenario: Scenario) -> tuple[str, ...]:
        """Report group sizes, and unused known columns."""
        grouping = self._turned(scenario)
        rows = self.data.released[grouping.layout.rows]
        number = self._holder(grouping, scenario.unknown)
        sizes = np.bincount(grouping.of_values(number).group)
        used, holder = used_columns(rows, scenario), self.data.released[number]
        notes = [
            f"The release gives '{scenario.unknown}' only for {count(len(sizes))} groups of "
            f"{_span(sizes)} people each."
        ] * bool(sizes.max() > 1)
        if holder is not rows and (beside := used_columns(holder, scenario)):
            notes = [
                f"'{scenario.unknown}' is from {count(len(sizes))} groups of {_span(sizes)} "
                f"people for '{rows.name}'. '{holder.name}' has it beside {listed(beside)}: also "
                "assess that as rows."
            ]
        if not grouping.layout.values:
            notes.append(
                f"'{scenario.unknown}' is treated as shuffled in the groups. If not, also assess "
                "it as rows."
            )
        missing = [column for column in scenario.known if column not in used]
        if missing:
            notes.append(f"'{rows.name}' lacks {listed(missing)}, which only the baseline uses.")
        return tuple(notes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Groups(PublishedTables):
    """People in groups, with sensitive values known by group only.

    A table of rows and tables of groups' values (Anatomy), or one table with values exchanged
    within groups.

    Attributes
    ----------
    layout : GroupLayout
        Roles of tables and columns.

    Examples
    --------
    >>> import alc_core as alc
    >>> demo = alc.load_demo("fair")
    >>> groups = alc.anatomize(demo.original, unknown="occupation", known=["age"], level=2)
    >>> groups.columns_beside("occupation")
    ('age',)
    """

    kind: ClassVar[str] = "groups"
    title: ClassVar[str] = "groups of people with shuffled values"
    help: ClassVar[str] = "Groups of people with sensitive values, in one table or two (Anatomy)."

    layout: GroupLayout

    @classmethod
    def of_tables(cls, tables: Sequence[Table], *, name: str, original: Table) -> Self:
        """Build a release from tables joined by a group number."""
        return cls(tables=tuple(tables), name=name, layout=GroupLayout.of(tables, original))

    @classmethod
    def recognise(
        cls, original: Table, tables: Sequence[Table], profiles: Profiles
    ) -> tuple[Recognised, ...]:
        """Return pairs of tables joined only by a group number."""
        return tuple(
            Recognised(
                kind=cls.kind,
                tables=pair,
                reason=f"'{tables[pair[0]].name}' and '{tables[pair[1]].name}' look like two "
                "parts of one Anatomy release.",
            )
            for pair in joined_pairs(original, tables, profiles)
        )

    def described(self) -> tuple[str, ...]:
        """Describe group sizes and the columns known by group."""
        layout, rows = self.layout, self.tables[self.layout.rows]
        sizes = Grouping.of(self.tables, layout).people(layout.rows)[:-1]
        sizes = sizes[sizes > 0]
        people = f"{count(len(rows))} people in {count(len(sizes))} groups of {_span(sizes)}"
        start = f"{people}, numbered by '{layout.group}'"
        if not layout.values:
            return (f"{start}. The column attacked is treated as shuffled.",)
        beside = [c for n in layout.values for c in self.tables[n].columns]
        told = [c for c in beside if c not in (layout.group, *layout.counts)]
        return (f"{start}. Known only by group: {quoted(told)}.",)

    def columns_beside(self, column: str) -> tuple[str, ...]:
        """Return the rows' informative columns, if any table has the column."""
        if column == self.layout.group or not any(column in t.telling for t in self.tables):
            return ()
        rows = [self.tables[number] for number in self.layout.with_rows]
        told = dict.fromkeys(c for table in rows for c in table.columns if c in table.telling)
        return tuple(c for c in told if c not in (column, self.layout.group))

    def checker(self, original: Table) -> ReleaseChecker:
        """Return what checks the tables against the original."""
        return GroupsChecker(original, self.tables, self.layout)

    def encoded(self, data: EncodedData) -> EncodedGroups:
        """Return the tables as arrays."""
        return EncodedGroups(data=data, grouping=Grouping.of(self.tables, self.layout))


def _span(sizes: NDArray[Any]) -> str:
    low, high = (int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0)
    return f"{low}" if low == high else f"{low} to {high}"
