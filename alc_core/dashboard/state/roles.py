"""The roles of the original's columns, suggested once for each choice."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass

from alc_core.tables.households import Household
from alc_core.tables.roles import ColumnRole, Roles, may_have
from alc_core.tables.table import Table


@dataclass(slots=True, kw_only=True)
class RolesInForce:
    """What was found last, after what it was found for."""

    found: tuple[Hashable, Roles] | None = None

    def of(
        self,
        original: Table,
        released: Collection[str],
        chosen: Mapping[str, ColumnRole],
        naming: tuple[Household, ...],
    ) -> Roles:
        """Return the roles; what the user chose and the tables do not allow is left aside."""
        fitting = {
            column: role
            for column, role in chosen.items()
            if may_have(original, column, role, naming)
        }
        key = (
            original.fingerprint,
            tuple(original.kinds.items()),
            frozenset(released),
            tuple(fitting.items()),
            naming,
        )
        if self.found is None or self.found[0] != key:
            roles = Roles.of(original, released, chosen=fitting, naming=naming)
            self.found = (key, roles)
        return self.found[1]
