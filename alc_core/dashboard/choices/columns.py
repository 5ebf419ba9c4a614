"""Which columns can be known or attacked, and which are suggested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alc_core.tables.roles.role import ColumnRole
from alc_core.tables.roles.roles import Roles
from alc_core.tables.roles.suggest import RoleSuggestion, suggest_roles
from alc_core.tables.table import ColumnKind, Table


def usable_columns(original: Table) -> list[str]:
    """Return the columns that an attack can use: those that are compared."""
    left_out = (ColumnKind.IDENTIFIER, ColumnKind.IGNORE)
    return [column for column in original.columns if original.kind(column) not in left_out]


def attackable_columns(original: Table) -> dict[str, list[str]]:
    """Return each column that an attack can use, with all others that can then be known."""
    usable = usable_columns(original)
    return {column: [other for other in usable if other != column] for column in usable}


def suggested_unknown(original: Table, roles: Roles, attackable: Sequence[str]) -> list[str]:
    """Return the columns that are suggested as unknown, those with a telling name first."""
    suggested = [
        suggestion
        for suggestion in suggest_roles(original, attackable)
        if suggestion.column in attackable and _rather(suggestion, roles) == "unknown"
    ]
    suggested.sort(key=lambda suggestion: not suggestion.by_name)
    return [suggestion.column for suggestion in suggested]


def suggested_known(original: Table, roles: Roles, possible: Sequence[str]) -> list[str]:
    """Return the columns that are suggested as known, else all that can be."""
    suggested = suggest_roles(original, possible)
    known = {each.column for each in suggested if _rather(each, roles) == "known"}
    return [column for column in possible if column in known] or list(possible)


def _rather(suggestion: RoleSuggestion, roles: Roles) -> str | None:
    """Return what a column is in a single attack: as the user says, else as it is suggested."""
    found = roles.of_columns.get(suggestion.column)
    said = {ColumnRole.KNOWN: "known", ColumnRole.PROTECTED: "unknown"}
    return said.get(found.role, suggestion.rather) if found else suggestion.rather


Attackable = Mapping[str, Sequence[str]]
"""Each column that can be attacked, with those that can be known in an attack on it."""
