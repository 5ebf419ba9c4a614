"""What columns are where none can be both known and protected: suggested by their roles."""

from __future__ import annotations

from collections.abc import Sequence

from alc_core.tables.roles.role import ColumnRole
from alc_core.tables.roles.roles import Roles
from alc_core.tables.roles.suggest import RoleSuggestion, suggest_roles
from alc_core.tables.table import Table


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


def known_and_protected(
    original: Table, roles: Roles, possible: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns that are suggested as known, and the other ones that are protected."""
    known = suggested_known(original, roles, possible)
    rest = (column for column in possible if column not in known)
    return tuple(known), tuple(column for column in rest if roles.role(column).is_protected)


def _rather(suggestion: RoleSuggestion, roles: Roles) -> str | None:
    """Return what a column is in a single attack: as the user says, else as it is suggested."""
    found = roles.of_columns.get(suggestion.column)
    said = {ColumnRole.KNOWN: "known", ColumnRole.PROTECTED: "unknown"}
    return said.get(found.role, suggestion.rather) if found else suggestion.rather
