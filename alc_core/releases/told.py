"""What the labels of a release's tables stand for, where a user said it: kept and put back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from alc_core.errors import ColumnError
from alc_core.phrasing import quoted
from alc_core.releases.release import Release
from alc_core.tables.labels.language import (
    PlainSet,
    PlainSets,
    plain_sets,
    told_sets,
    with_plain_sets,
)
from alc_core.tables.same_columns import SameColumns, with_same_columns
from alc_core.tables.table import Table

# By release and table, in their order, what a user said that labels stand for
ToldSets = Mapping[str, tuple[PlainSets, ...]]


def told_of_releases(
    original: Table, releases: Iterable[Release]
) -> dict[str, tuple[PlainSets, ...]]:
    """Return what a user said of the labels of releases, beside what is recognised anyway."""
    told = {
        release.name: tuple(told_sets(original, table) for table in release.tables)
        for release in releases
    }
    return {name: tables for name, tables in told.items() if any(tables)}


def with_told_sets(original: Table, release: Release, told: Sequence[PlainSets]) -> Release:
    """Return a release whose labels stand for what a user said of each table, in their order."""
    if not told:
        return release
    tables = [
        with_plain_sets(original, table, sets)
        for table, sets in zip(release.tables, told, strict=True)
    ]
    return with_tables(original, release, tables)


def with_tables(original: Table, release: Release, tables: Sequence[Table]) -> Release:
    """Return a release of the same type and name of other tables."""
    return type(release).of_tables(tables, name=release.name, original=original)


def with_sets_by_column(original: Table, release: Release, told: PlainSets) -> Release:
    """Return a release whose labels stand for what a user said of the columns of any table."""
    tables = [
        with_plain_sets(original, table, {c: told[c] for c in told if c in table.columns})
        for table in release.tables
    ]
    return with_tables(original, release, tables)


def sets_by_column(
    original: Table, tables: Iterable[Table]
) -> dict[str, dict[str, PlainSet | None]]:
    """Return what the labels of a release stand for by column.

    Of several tables with the same column the first's count: tables of one release
    name the same values in the same way.
    """
    joined: dict[str, dict[str, PlainSet | None]] = {}
    for table in tables:
        for column, labels in plain_sets(original, table).items():
            joined[column] = {**labels, **joined.get(column, {})}
    return joined


def tables_with_same_columns(
    original: Table, tables: Sequence[Table], same: SameColumns
) -> tuple[Table, ...]:
    """Return the tables of releases, each with what was said of the columns that it has."""
    others = sorted({column for table in tables for column in table.columns} - {*original.columns})
    for column in same:
        if not any(column in table.columns for table in tables):
            raise ColumnError(
                f"No released table has a column '{column}', which is said to be the original's "
                f"'{same[column]}'. The columns that the original does not have are "
                f"{quoted(others) or 'none'}."
            )
    return tuple(
        with_same_columns(original, table, {c: same[c] for c in same if c in table.columns})
        for table in tables
    )


def with_kept_columns(original: Table, release: Release, kept: Sequence[SameColumns]) -> Release:
    """Return a release whose tables have the names that a campaign knew their columns by."""
    tables = []
    for table, then in zip(release.tables, kept, strict=True):
        left = {c: of for c, of in then.items() if table.same_columns.get(c) != of}
        tables.append(with_same_columns(original, table, left))
    if all(new is old for new, old in zip(tables, release.tables, strict=True)):
        return release
    return with_tables(original, release, tables)
