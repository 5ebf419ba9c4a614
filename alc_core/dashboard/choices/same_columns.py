"""Columns that releases have under other names: suggested, said by the user, in force."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from alc_core.phrasing import quoted
from alc_core.tables.checks.likely_columns import LikelyColumn, likely_columns
from alc_core.tables.same_columns import fitting, with_same_columns
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherNames:
    """The columns of one release that have no name of the original's, over all its tables."""

    # By column, as the files name it, which columns of the original it may be
    choices: Mapping[str, tuple[str, ...]]
    suggested: Mapping[str, LikelyColumn]  # By column which one it is likely to be
    in_force: Mapping[str, str]  # By column which one it is taken as

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
    """What the user said that columns of released tables are, and the tables with it."""

    # By table and column, as the file names it, the original's column. Never changed in place.
    said: dict[str, dict[str, str]] = field(default_factory=dict)
    # By table the original, the table as it was read, what was said, and the table with it
    kept: dict[str, tuple[Table, Table, dict[str, str], Table]] = field(default_factory=dict)
    # By table the original, the table as it was read, and what is suggested of it
    likely: dict[str, tuple[Table, Table, tuple[LikelyColumn, ...]]] = field(default_factory=dict)

    def of(self, original: Table, source: Table, name: str) -> Table:
        """Return a released table with what was said of its columns, as far as it fits."""
        said = self.said.get(name, {})
        kept = self.kept.get(name)
        if kept is None or kept[0] is not original or kept[1] is not source or kept[2] != said:
            table = with_same_columns(original, source, fitting(original, source, said))
            self.kept[name] = kept = (original, source, said, table)
        return kept[3]

    def other_names(self, original: Table, sources: Mapping[str, Table]) -> OtherNames:
        """Return the columns of one release that have no name of the original's."""
        tables = list(sources.values())
        others = dict.fromkeys(c for t in tables for c in t.columns if c not in original.columns)
        choices = {column: _not_beside(column, original, tables) for column in others}
        suggested: dict[str, LikelyColumn] = {}
        for name, table in sources.items():
            for likely in self._likely(original, table, name):
                known = {each.of for each in suggested.values()} | suggested.keys()
                if likely.of in choices[likely.column] and not {likely.of, likely.column} & known:
                    suggested[likely.column] = likely
        in_force: dict[str, str] = {}
        for name, table in sources.items():
            in_force |= self.of(original, table, name).same_columns
        return OtherNames(
            choices={column: possible for column, possible in choices.items() if possible},
            suggested=suggested,
            in_force=in_force,
        )

    def say(self, sources: Mapping[str, Table], same: Mapping[str, str]) -> None:
        """Take over which columns of one release's tables are which; of others nothing is said."""
        for name, table in sources.items():
            self.said[name] = {c: of for c, of in same.items() if c in table.columns}

    def forget(self, *names: str) -> None:
        """Let columns of some tables have their own names again."""
        for name in names:
            self.said.pop(name, None)

    @property
    def key(self) -> str:
        """What tells two states of what the user said apart."""
        return json.dumps(self.said, sort_keys=True)

    def _likely(self, original: Table, source: Table, name: str) -> tuple[LikelyColumn, ...]:
        kept = self.likely.get(name)
        if kept is None or kept[0] is not original or kept[1] is not source:
            self.likely[name] = kept = (original, source, likely_columns(original, source))
        return kept[2]


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
