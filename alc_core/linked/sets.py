"""Files that are sets of linked tables: workbooks, databases, folders, and files beside others."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence

from alc_core.errors import InputError, TableReadError
from alc_core.linked.keys import Link, LinkedTables
from alc_core.tables.formats.source import PART
from alc_core.tables.names import plain_names
from alc_core.tables.table import Table

_SHARED = 0.5  # Share of a released table's columns that its original has
_ALIKE = 0.8  # Share of common columns from which two tables are versions of one
_NAMED = 0.5  # Share of a parent's rows named by a key of another name
_BETWEEN = re.compile(r"^[\W_]+|[\W_]+$")  # Around a table's name in a file's


def tables_in(
    path: str, read: Callable[[str], Table],
    check: Callable[[dict[str, Table]], object] = lambda tables: tables,
) -> Table | dict[str, Table]:  # fmt: skip
    """Return a file's table; all of them by name, if there are several and none is named.

    Raises
    ------
    TableReadError
        If the file, or one of its tables, cannot be read, or `check` refuses them.
    """
    try:
        return read(path)
    except TableReadError as error:
        if not error.tables or error.together or PART in path:
            raise
        try:
            names = zip(plain_names(error.tables), error.tables, strict=True)
            tables = {name: read(f"{path}{PART}{each}") for name, each in names}
            check(tables)
        except InputError as why:
            message = f"{error} To use all of them: {why}"
            raise TableReadError(message, error.tables) from None
        return tables


def alike(tables: Sequence[Table]) -> tuple[Table, Table] | None:
    """Return two tables with about the same columns."""
    for first, second in itertools.combinations(tables, 2):
        one, other = set(first.columns), set(second.columns)
        if len(one & other) >= _ALIKE * max(1, len(one | other)):
            return first, second
    return None


def check_linked(tables: Mapping[str, Table], *, name: str, keys: Sequence[Link] = ()) -> None:
    """Refuse tables that no sure keys join, or of which two have nearly the same columns.

    A key is sure if it was given, has one name in both tables, or names most of the parent's rows.

    Raises
    ------
    InputError
    """
    if pair := alike([*tables.values()]):
        raise InputError(
            f"'{pair[0].name}' and '{pair[1].name}' have nearly the same columns. Name one."
        )
    for link in LinkedTables.of(tables, name=name, keys=keys).links:
        if link not in keys and not _is_sure(link, tables):
            raise InputError(
                f"What joins '{link.child}' to the others? Name the key, such as "
                "visits.patient=people.id."
            )


def _is_sure(link: Link, tables: Mapping[str, Table]) -> bool:
    if not link.parent or link.column == link.parent_column:
        return bool(link.parent)
    return tables[link.child].frame[link.column].nunique() >= _NAMED * len(tables[link.parent])


def like_originals(
    released: Mapping[str, Table], originals: Mapping[str, Table]
) -> dict[str, Table]:
    """Return released tables by the original's names: theirs, one in theirs, or by columns.

    A table like none keeps its name.
    """
    found: dict[str, Table] = {}
    for name, table in released.items():
        found.setdefault(_original_of(name, table, originals) or name, table)
    return found if len(found) == len(released) else {**released}


def released_sets(
    files: Mapping[str, Table], originals: Mapping[str, Table]
) -> dict[str, dict[str, Table]]:
    """Return releases by name, each with the tables of one workbook, database or kind of name.

    Parameters
    ----------
    files : mapping of str to Table
        By file, such as "v1.xlsx::visits" or "visits_v1.csv".
    originals : mapping of str to Table
        The original's tables by name.
    """
    found: dict[str, dict[str, Table]] = {}
    for file, table in files.items():
        place, _, part = file.rpartition(PART)
        (stem,) = plain_names([part or file])
        own = _original_of(stem, table, originals) or stem
        if place:
            (release,) = plain_names([place])
        else:
            apart = re.sub(re.escape(own), "", stem, flags=re.IGNORECASE)
            release = _BETWEEN.sub("", apart) or "release"
        tables = found.setdefault(release, {})
        tables[own if own not in tables else stem] = table
    names = [name for tables in found.values() for name in tables]
    if files and len(names) == len({*names}) and all(PART not in file for file in files):
        return {"release": {name: t for tables in found.values() for name, t in tables.items()}}
    return found


def _original_of(name: str, table: Table, originals: Mapping[str, Table]) -> str | None:
    """Return the original's table that a released one is of; None if there is none."""
    lower = name.lower()
    if same := [each for each in originals if each.lower() == lower]:
        return same[0]
    if within := [each for each in originals if each.lower() in lower]:
        return max(within, key=len)
    shares = {each: _shared(table.columns, of.columns) for each, of in originals.items()}
    best = max(shares, key=lambda each: shares[each])
    return best if shares[best] >= _SHARED else None


def _shared(columns: Sequence[str], own: Sequence[str]) -> float:
    return len({*columns} & {*own}) / max(1, len(columns))
