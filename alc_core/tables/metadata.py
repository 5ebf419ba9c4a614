"""SDV metadata: kinds of columns by table, and keys between tables."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from alc_core.errors import InputError
from alc_core.phrasing import quoted
from alc_core.tables.formats.source import Project, file_content
from alc_core.tables.names import column_named
from alc_core.tables.table import ColumnKind, Table, some_names

# What SDV calls types; those of other names (email) are personal unless it says otherwise
_SDTYPES = {
    "numerical": ColumnKind.CONTINUOUS,
    "categorical": ColumnKind.CATEGORICAL,
    "boolean": ColumnKind.CATEGORICAL,
    "datetime": ColumnKind.DATETIME,
    "id": ColumnKind.IDENTIFIER,
}


@dataclass(frozen=True, slots=True)
class Metadata:
    """What SDV metadata says."""

    name: str
    kinds: Mapping[str, Mapping[str, str]]  # By table and column
    keys: tuple[str, ...]  # Between tables, such as "visits.patient=people.id"

    def described(self, table: Table, *, of: str | None = None) -> Table:
        """Return a table whose columns have these kinds.

        See :func:`~alc_core.tables.apart.read.with_metadata`.
        """
        if of is None and self.keys:
            raise InputError(
                f"'{self.name}' links {len(self.kinds)} tables by keys ({self.keys[0]}), but one "
                "is given. Give each: --original people=FILE --original visits=FILE. Or remove "
                "the relationships."
            )
        said = self.kinds if of is None or of not in self.kinds else {of: self.kinds[of]}
        kinds = max((_of_columns(table, each) for each in said.values()), key=len, default={})
        if not kinds:
            raise InputError(
                f"'{self.name}' names no column of '{table.name}', which has "
                f"{some_names(table.columns)}. Use its metadata."
            )
        project = table.project or Project(tool="SDV metadata", kinds=kinds)
        return replace(table.with_kinds(kinds), project=project)

    def check_tables(self, names: Collection[str]) -> None:
        """Raise :class:`InputError` if none of these tables is described."""
        if not self.kinds.keys() & names:
            raise InputError(
                f"'{self.name}' describes {quoted(list(self.kinds))}, but the tables are "
                f"{quoted(list(names))}. Rename the files."
            )

    def described_each(self, tables: Mapping[str, Table]) -> dict[str, Table]:
        """Return linked tables, whose columns have these kinds."""
        return {
            name: table.with_kinds(_of_columns(table, self.kinds.get(name, {})))
            for name, table in tables.items()
        }


def _of_columns(table: Table, said: Mapping[str, str]) -> dict[str, str]:
    named = partial(column_named, columns=table.columns, codes=table.codes)
    return {own: kind for column, kind in said.items() if (own := named(column)) in table.columns}


def is_metadata(data: bytes) -> bool:
    """Return whether a file looks like SDV metadata."""
    return data.lstrip()[:1] == b"{" and b'"columns"' in data and b'"sdtype"' in data


def parse_metadata(source: str | bytes, *, name: str) -> dict[str, Any]:
    """Read the kinds of columns by table, and the keys; other columns keep what is inferred."""
    data = file_content(source, name=name)
    try:
        found: Any = json.loads(data)
        tables = found.get("tables", {"": found})
        keys = [
            f"{each['child_table_name']}.{each['child_foreign_key']}="
            f"{each['parent_table_name']}.{each['parent_primary_key']}"
            for each in found.get("relationships", ())
        ]
        kinds = {str(table): _kinds(of) for table, of in tables.items()}
        return {"name": name, "kinds": kinds, "keys": keys}
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        raise InputError(
            f"'{name}' is not SDV metadata. Save it by metadata.save_to_json()."
        ) from None


def _kinds(table: dict[str, Any]) -> dict[str, str]:
    keys = {table.get("primary_key"), *table.get("alternate_keys", ())}
    kinds = {}
    for column, told in table["columns"].items():
        sdtype = told["sdtype"]
        kind = _SDTYPES.get(sdtype)
        is_personal = bool(told.get("pii", kind is None and sdtype != "unknown"))
        if is_personal or column in keys:
            kind = ColumnKind.IDENTIFIER
        if kind is not None:
            kinds[str(column)] = str(kind)
    return kinds
