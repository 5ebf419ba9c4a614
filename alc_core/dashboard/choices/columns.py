"""Which columns can be known or attacked, and which are suggested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alc_core.tables.roles.suggest import suggest_roles
from alc_core.tables.table import ColumnKind, Table


def usable_columns(original: Table) -> list[str]:
    """Return the columns that an attack can use: those that are compared."""
    left_out = (ColumnKind.IDENTIFIER, ColumnKind.IGNORE)
    return [column for column in original.columns if original.kind(column) not in left_out]


def suggested_unknown(
    original: Table, releases: Sequence[Table], attackable: Sequence[str]
) -> list[str]:
    """Return the columns that are suggested as unknown, those with a telling name first."""
    suggested = [
        suggestion
        for suggestion in suggest_roles(original, releases)
        if suggestion.role == "unknown" and suggestion.column in attackable
    ]
    suggested.sort(key=lambda suggestion: not suggestion.by_name)
    return [suggestion.column for suggestion in suggested]


def suggested_known(
    original: Table, releases: Sequence[Table], possible: Sequence[str]
) -> list[str]:
    """Return the columns that are suggested as known, else all that can be."""
    known = {s.column for s in suggest_roles(original, releases) if s.role == "known"}
    return [column for column in possible if column in known] or list(possible)


Attackable = Mapping[str, Sequence[str]]
"""Each column that can be attacked, with those that can be known in an attack on it."""
