"""What the labels of released tables stand for: recognised, changed by the user, in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from alc_core.errors import InputError
from alc_core.tables.labels.find import column_domain, column_sets, recognised_sets, with_sets
from alc_core.tables.labels.language import PlainSet, PlainSets, read_plain_set, told_sets
from alc_core.tables.table import Table
from alc_core.tables.value_sets import ColumnSets, ValueSet


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongLabel:
    """What the user said that a label stands for, where that cannot be read."""

    column: str  # Where
    label: str
    message: str  # Why, and what to write instead


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledTable:
    """A released table whose labels stand for what the user says, else for what is recognised."""

    original: Table  # The original, and the released table as it was read
    source: Table
    # What the user said, by column and label; what does not fit the tables is left aside
    said: PlainSets
    table: Table  # The released table with it
    wrong: tuple[WrongLabel, ...] = ()  # What cannot be read; what was recognised counts there

    @classmethod
    def of(cls, original: Table, source: Table, name: str, said: PlainSets) -> LabelledTable:
        """Put what the user said into a released table, under a name."""
        table = source if source.name == name else replace(source, name=name)
        sets: dict[str, dict[str, ValueSet | None]] = {}
        wrong: list[WrongLabel] = []
        for column, labels in said.items():
            if column not in table.columns or not _compared(original, column):
                continue
            domain = column_domain(original, column)
            for label, plain in labels.items():
                try:
                    covers = None if plain is None else read_plain_set(plain, domain, column=column)
                except InputError as error:
                    wrong.append(WrongLabel(column=column, label=label, message=str(error)))
                else:
                    sets.setdefault(column, {})[label] = covers
        if sets:
            table = with_sets(original, table, sets)
        return cls(original=original, source=source, said=said, table=table, wrong=tuple(wrong))

    @cached_property
    def sets(self) -> Mapping[str, ColumnSets]:
        """What the labels stand for, by column."""
        return column_sets(self.original, self.table)

    def compares(self, column: str) -> bool:
        """Return whether labels of a column can stand for values of the original."""
        return column in self.table.columns and _compared(self.original, column)

    def recognised(self, column: str) -> ColumnSets | None:
        """Return what labels of a column stand for by themselves."""
        return recognised_sets(self.original, self.table, column)

    @cached_property
    def told(self) -> PlainSets:
        """What the user said, beside what is recognised anyway."""
        return told_sets(self.original, self.table)


@dataclass(slots=True, kw_only=True)
class Labels:
    """What the user said that labels stand for."""

    # By table, column and label; None for a label that is a value. Never changed in place.
    said: dict[str, PlainSets] = field(default_factory=dict)

    def say(self, name: str, column: str, labels: Mapping[str, PlainSet | None]) -> None:
        """Take over what labels of a column of a table stand for."""
        said = self.said.get(name, {})
        self.said[name] = {**said, column: {**said.get(column, {}), **labels}}

    def take_back(self, name: str, column: str, label: str) -> None:
        """Let what is recognised of a label count again."""
        said = self.said.get(name, {})
        labels = {each: plain for each, plain in said.get(column, {}).items() if each != label}
        rest = {each: kept for each, kept in said.items() if each != column}
        self.said[name] = {**rest, column: labels} if labels else rest

    def forget(self, *names: str) -> None:
        """Let what is recognised count again in some tables."""
        for name in names:
            self.said.pop(name, None)


def _compared(original: Table, column: str) -> bool:
    return column in original.columns and original.kind(column).is_compared
