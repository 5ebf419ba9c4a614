"""Columns that a release has under other names than the original, over all its tables."""

from __future__ import annotations

from collections.abc import Sequence

from alc_core.errors import ColumnError
from alc_core.phrasing import quoted
from alc_core.releases.labels import with_tables
from alc_core.releases.release import Release
from alc_core.tables.same_columns import SameColumns, with_same_columns
from alc_core.tables.table import Table


def tables_with_same_columns(
    original: Table, tables: Sequence[Table], same: SameColumns
) -> tuple[Table, ...]:
    """Return the tables of releases, each with what was said of the columns that it has."""
    for column in same:
        if not any(column in table.columns for table in tables):
            raise ColumnError(
                f"No released table has a column '{column}', which is said to be the original's "
                f"'{same[column]}'. The columns that the original does not have are "
                f"{quoted(_others(original, tables)) or 'none'}."
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


def _others(original: Table, tables: Sequence[Table]) -> list[str]:
    return sorted({column for table in tables for column in table.columns} - {*original.columns})
