"""Columns that releases have under other names: suggested, said by the user, in force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from alc_core.phrasing import quoted
from alc_core.tables.checks.columns import LikelyColumn
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherNames:
    """The columns of one release that have no name of the original's, over all its tables."""

    # By column, as the files name it, which columns of the original it may be
    choices: Mapping[str, tuple[str, ...]]
    suggested: Mapping[str, LikelyColumn]  # By column which one it is likely to be
    in_force: Mapping[str, str]  # By column which one it is taken as

    @classmethod
    def of(
        cls,
        original: Table,
        sources: Mapping[str, Table],
        *,
        likely: Mapping[str, Sequence[LikelyColumn]],
        in_force: Sequence[Mapping[str, str]],
    ) -> OtherNames:
        """Look at the tables of a release, with what each has likely and said columns for."""
        tables = list(sources.values())
        others = dict.fromkeys(c for t in tables for c in t.columns if c not in original.columns)
        choices = {column: _not_beside(column, original, tables) for column in others}
        suggested: dict[str, LikelyColumn] = {}
        for each in chain.from_iterable(likely[name] for name in sources):
            known = {other.of for other in suggested.values()} | suggested.keys()
            if each.of in choices[each.column] and not {each.of, each.column} & known:
                suggested[each.column] = each
        return cls(
            choices={column: possible for column, possible in choices.items() if possible},
            suggested=suggested,
            in_force=dict(chain.from_iterable(said.items() for said in in_force)),
        )

    @property
    def open(self) -> dict[str, str]:
        """Suggestions about columns, and columns of the original, that nothing is said of."""
        taken = set(self.in_force.values())
        return {
            column: likely.of
            for column, likely in self.suggested.items()
            if column not in self.in_force and likely.of not in taken
        }


@dataclass(slots=True, kw_only=True)
class SameColumnsSaid:
    """What the user said that columns of released tables are."""

    # By table and column, as the file names it, the original's column. Never changed in place.
    said: dict[str, dict[str, str]] = field(default_factory=dict)

    def say(self, sources: Mapping[str, Table], same: Mapping[str, str]) -> None:
        """Take over which columns of one release's tables are which; of others nothing is said."""
        for name, table in sources.items():
            self.said[name] = {c: of for c, of in same.items() if c in table.columns}

    def forget(self, *names: str) -> None:
        """Let columns of some tables have their own names again."""
        for name in names:
            self.said.pop(name, None)


def said_twice(same: Mapping[str, str]) -> str:
    """Return which columns are said to be the same one, in a sentence; empty where none are."""
    times = Counter(same.values())
    of = next((of for of, number in times.items() if number > 1), None)
    if of is None:
        return ""
    columns = [column for column, each in same.items() if each == of]
    return f"{quoted(columns)} cannot all be the original's '{of}'. Choose it for one of them."


def _not_beside(column: str, original: Table, tables: Sequence[Table]) -> tuple[str, ...]:
    """Return the columns of the original that no table with a column has itself."""
    there = {name for table in tables if column in table.columns for name in table.columns}
    return tuple(name for name in original.columns if name not in there)
