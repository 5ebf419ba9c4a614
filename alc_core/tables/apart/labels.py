"""Reading what labels stand for, and names, from files in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from alc_core.errors import InputError
from alc_core.tables.apart.read import Advice, read_apart, read_table
from alc_core.tables.labels.find import column_domain, with_sets
from alc_core.tables.labels.language import PlainSets, sets_of_hierarchy
from alc_core.tables.names import Names, codebook
from alc_core.tables.table import Table, some_names
from alc_core.tables.value_sets import Domain, ValueSet

Kind = TypeVar("Kind")

_SHORTER = "Keep only what the labels of this release stand for."
_ADVICE = Advice(slow=_SHORTER, large=_SHORTER, broken="Save it again.")


def read_plain_sets(source: str | Path | bytes, *, name: str | None = None) -> PlainSets:
    """Read what labels stand for from a JSON file."""
    job = "alc_core.tables.labels.language:parse_plain_sets"
    return _read(job, source, dict[str, dict[str, Any]], name)


def read_hierarchy(
    source: str | Path | bytes, domain: Domain, *, column: str, name: str | None = None
) -> Mapping[str, ValueSet]:
    """Read which values of the original the labels of a hierarchy cover."""
    rows = _read("alc_core.tables.labels.language:hierarchy_rows", source, list[list[str]], name)
    return sets_of_hierarchy(rows, domain, column=column, name=name or str(source))


def read_codebook(source: str | Path | bytes, *, name: str | None = None) -> Names:
    """Read a codebook, any file that is a table."""
    table = read_table(source, name=name)
    rows = [table.columns, *table.frame.astype(object).itertuples(index=False, name=None)]
    return codebook(rows, name=table.name)


def with_metadata(table: Table, source: str | Path | bytes, *, name: str | None = None) -> Table:
    """Return a table whose columns are of the kinds that SDV metadata says.

    Keys and personal columns (``pii``) are identifiers. Of metadata of several tables, those of the
    table with most of the columns are taken.

    Parameters
    ----------
    table : Table
        The original.
    source : path or bytes
        JSON of the version V1 or SINGLE_TABLE_V1, as ``metadata.save_to_json()`` writes it.
    name : str, optional
        What messages call the file.

    Raises
    ------
    InputError
        If it is no such file, or names no column of the table.
    """
    job = "alc_core.tables.labels.metadata:parse_metadata"
    told = _read(job, source, dict[str, dict[str, str]], name)
    shared = [{c: k for c, k in of.items() if c in table.columns} for of in told.values()]
    kinds = max(shared, key=len, default={})
    if not kinds:
        raise InputError(
            f"'{name or str(source)}' names no column of '{table.name}', which has "
            f"{some_names(table.columns)}. Use the metadata of this table."
        )
    return table.with_kinds(kinds)


def with_hierarchy(original: Table, release: Table, column: str, path: str | Path) -> Table:
    """Return a released table whose labels of a column stand for what a hierarchy file says.

    Raises
    ------
    ColumnError
        If a table lacks the column.
    InputError
        If the file cannot be used; see :func:`read_hierarchy`.
    """
    covers = read_hierarchy(path, column_domain(original, column), column=column)
    return with_sets(original, release, {column: covers})


def _read(job: str, source: str | Path | bytes, gives: type[Kind], name: str | None) -> Kind:
    place = source if isinstance(source, bytes) else os.fspath(source)
    called = name or str(source)
    return read_apart(job, place, gives, name=called, advice=_ADVICE, options={"name": called})
