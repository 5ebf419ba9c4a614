"""The roles in force: what is suggested, and what the user says instead."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from alc_core.errors import ColumnError, InputError
from alc_core.tables.households import Household
from alc_core.tables.roles.role import ColumnRole
from alc_core.tables.roles.suggest import suggest_roles
from alc_core.tables.table import Table, missing_column_message

_SET = "as you set it"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleInForce:
    """The role of one column."""

    role: ColumnRole  # Who knows it, and whether it is attacked
    reason: str  # Why, in words for the user
    by_user: bool = False  # Whether the user says so, against the suggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The role of every column of an original."""

    # In the table's order
    of_columns: Mapping[str, RoleInForce] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(
        cls,
        original: Table,
        released: Collection[str],
        *,
        chosen: Mapping[str, ColumnRole | str] | None = None,
        naming: Collection[Household] = (),
    ) -> Roles:
        """Suggest roles, and take over what the user says."""
        said = {column: _role(column, role) for column, role in (chosen or {}).items()}
        for column, role in said.items():
            _check(original, column, role, naming)
        found = {}
        for suggestion in suggest_roles(original, released):
            column = suggestion.column
            if column in naming:
                reason = "says whose record it is, or who lives together"
                found[column] = RoleInForce(role=ColumnRole.IDENTIFIER, reason=reason)
            elif said.get(column, suggestion.role) is not suggestion.role:
                found[column] = RoleInForce(role=said[column], reason=_SET, by_user=True)
            else:
                found[column] = RoleInForce(role=suggestion.role, reason=suggestion.reason)
        return cls(of_columns=MappingProxyType(found))

    def role(self, column: str) -> ColumnRole:
        """Return the role of a column; one that nothing is said of is both."""
        found = self.of_columns.get(column)
        return ColumnRole.BOTH if found is None else found.role

    def having(self, *roles: ColumnRole) -> tuple[str, ...]:
        """Return the columns that have one of some roles, in the table's order."""
        return tuple(c for c, found in self.of_columns.items() if found.role in roles)

    @property
    def columns_by_role(self) -> dict[ColumnRole, tuple[str, ...]]:
        """The columns of each role that any has."""
        found = {role: self.having(role) for role in ColumnRole}
        return {role: columns for role, columns in found.items() if columns}

    @property
    def by_user(self) -> dict[str, ColumnRole]:
        """The roles that the user says, against the suggestion."""
        return {c: found.role for c, found in self.of_columns.items() if found.by_user}


def protecting(roles: Roles, columns: Collection[str]) -> dict[str, ColumnRole]:
    """Return the roles to choose so that some columns are protected and no other ones are."""
    facts = roles.having(ColumnRole.KNOWN, ColumnRole.PROTECTED, ColumnRole.BOTH)
    known = {c: ColumnRole.KNOWN for c in facts if c not in columns}
    return {**known, **dict.fromkeys(columns, ColumnRole.PROTECTED)}


def may_have(
    original: Table, column: str, role: ColumnRole, naming: Collection[Household] = ()
) -> bool:
    """Return whether a column can be of a role: see :meth:`Roles.of`."""
    try:
        _check(original, column, role, naming)
    except ColumnError:
        return False
    return True


def _role(column: str, role: ColumnRole | str) -> ColumnRole:
    try:
        return ColumnRole(role)
    except ValueError:
        choices = ", ".join(f"'{each}'" for each in ColumnRole)
        raise InputError(
            f"The role of column '{column}' cannot be '{role}'. Choose one of: {choices}."
        ) from None


def _check(original: Table, column: str, role: ColumnRole, naming: Collection[Household]) -> None:
    if column not in original.columns:
        raise ColumnError(missing_column_message(original, column))
    if column in naming and role is not ColumnRole.IDENTIFIER:
        raise ColumnError(
            f"Column '{column}' of '{original.name}' cannot be of the role '{role}': it says whose "
            "record it is, or who lives together. Take back one of the two."
        )
    if role.takes_part and not original.kind(column).is_compared:
        raise ColumnError(
            f"Column '{column}' of '{original.name}' cannot be of the role '{role}': it is of the "
            f"kind '{original.kind(column)}', which is not compared. Change its kind, too."
        )
