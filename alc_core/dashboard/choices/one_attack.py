"""The single attack that the user chooses in place of a plan: what is known, what is unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from alc_core.errors import ColumnError
from alc_core.scenario.scenario import Scenario
from alc_core.tables.roles import Roles, suggested_known, suggested_unknown
from alc_core.tables.table import Table


def attackable_columns(original: Table) -> dict[str, list[str]]:
    """Return each column that an attack can use, with all others that can then be known."""
    usable = original.compared
    return {column: [other for other in usable if other != column] for column in usable}


# Each column that can be attacked, with those that can be known in an attack on it
Attackable = Mapping[str, Sequence[str]]


@dataclass(slots=True, kw_only=True)
class OneAttack:
    """Choices as the widgets hold them."""

    unknown: str | None = None  # The column to attack
    known: list[str] = field(default_factory=list)  # The columns that the attacker knows

    def columns(self) -> tuple[str, tuple[str, ...]]:
        """Return the unknown column and the known ones."""
        if self.unknown is None:
            raise ColumnError("No unknown column is chosen. Choose the one to protect.")
        if not self.known:
            raise ColumnError("No known column is chosen. Choose at least one.")
        return self.unknown, tuple(self.known)

    def adapt(
        self, attackable: Attackable, original: Table, roles: Roles, *, start: Scenario | None
    ) -> None:
        """Keep what the tables allow, and suggest columns where nothing is left."""
        if self.unknown is not None and self.unknown in attackable:
            self.known = [column for column in self.known if column in attackable[self.unknown]]
            return
        if start is not None and start.unknown in attackable:
            self.unknown, suggested = start.unknown, list(start.known)
        else:
            by_role = suggested_unknown(original, roles, list(attackable))
            self.unknown = next(iter([*by_role, *reversed(list(attackable))]), None)
            possible = attackable.get(self.unknown or "", ())
            suggested = suggested_known(original, roles, possible)
        possible = attackable.get(self.unknown or "", ())
        kept = [column for column in self.known if column in possible]
        self.known = kept or [column for column in suggested if column in possible]

    def follow_unknown(self, before: str | None, attackable: Attackable) -> None:
        """Adapt the known columns to another unknown one; who knew everything else still does."""
        possible = attackable.get(self.unknown or "", ())
        everything = set(self.known) >= set(attackable.get(before or "", ()))
        self.known = list(possible) if everything else [c for c in self.known if c in possible]
