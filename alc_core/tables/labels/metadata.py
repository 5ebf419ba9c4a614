"""SDV metadata: which kind each column has, and which say who somebody is."""

from __future__ import annotations

import json
from typing import Any

from alc_core.errors import InputError
from alc_core.tables.labels.language import file_content
from alc_core.tables.table import ColumnKind

_KINDS = {
    "numerical": ColumnKind.CONTINUOUS,
    "categorical": ColumnKind.CATEGORICAL,
    "boolean": ColumnKind.CATEGORICAL,
    "datetime": ColumnKind.DATETIME,
    "id": ColumnKind.IDENTIFIER,
}
"""What SDV calls types; those of other names (email) are personal unless it says otherwise."""


def parse_metadata(source: str | bytes, *, name: str) -> dict[str, dict[str, str]]:
    """Read the kinds of columns by table; a column without one keeps what is found out."""
    try:
        found: Any = json.loads(file_content(source, name=name))
        tables = found.get("tables", {"": found})
        return {str(table): _kinds(of) for table, of in tables.items()}
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        raise InputError(
            f"'{name}' is no SDV metadata. Save it by metadata.save_to_json(), in which each table "
            "has 'columns' with their 'sdtype'."
        ) from None


def _kinds(table: dict[str, Any]) -> dict[str, str]:
    keys = {table.get("primary_key"), *table.get("alternate_keys", ())}
    kinds = {}
    for column, told in table["columns"].items():
        sdtype = told["sdtype"]
        kind = _KINDS.get(sdtype)
        is_personal = bool(told.get("pii", kind is None and sdtype != "unknown"))
        if is_personal or column in keys:
            kind = ColumnKind.IDENTIFIER
        if kind is not None:
            kinds[str(column)] = str(kind)
    return kinds
