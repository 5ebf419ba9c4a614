"""The user's answers on tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from alc_core.errors import InputError
from alc_core.phrasing import quoted
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.shapes import LikelyColumn
from alc_core.tables.labels.find import (
    column_domain,
    column_sets,
    open_labels,
    recognised_sets,
    with_sets,
)
from alc_core.tables.labels.language import (
    NOT_SAID,
    PlainSet,
    PlainSets,
    read_plain_set,
    told_sets,
)
from alc_core.tables.table import Table
from alc_core.tables.value_sets import ColumnSets, UnreadLabel, ValueSet


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongLabel:
    """An unreadable meaning of a label."""

    column: str
    label: str
    message: str  # Why, and what to write instead


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledTable:
    """A released table with label meanings: the user's, else recognized."""

    original: Table
    # By column and label; misfits are ignored
    said: PlainSets
    table: Table
    wrong: tuple[WrongLabel, ...] = ()  # Unreadable; the recognized meaning is used

    @classmethod
    def of(cls, original: Table, source: Table, name: str, said: PlainSets) -> LabelledTable:
        """Apply the user's meanings to a released table, under a name."""
        table = source if source.name == name else replace(source, name=name)
        sets: dict[str, dict[str, ValueSet | None]] = {}
        wrong: list[WrongLabel] = []
        for column, labels in said.items():
            if column not in table.columns or not _compared(original, column):
                continue
            domain = column_domain(original, column)
            for label, plain in labels.items():
                if plain == NOT_SAID:
                    continue
                try:
                    covers = None if plain is None else read_plain_set(plain, domain, column=column)
                except InputError as error:
                    wrong.append(WrongLabel(column=column, label=label, message=str(error)))
                else:
                    sets.setdefault(column, {})[label] = covers
        if sets:
            table = with_sets(original, table, sets)
        return cls(original=original, said=said, table=table, wrong=tuple(wrong))

    @cached_property
    def sets(self) -> Mapping[str, ColumnSets]:
        """Meanings by column."""
        return column_sets(self.original, self.table)

    def compares(self, column: str) -> bool:
        """Return whether a column's labels can cover the original's values."""
        return column in self.table.columns and _compared(self.original, column)

    def recognised(self, column: str) -> ColumnSets | None:
        """Return the recognized meanings of a column's labels."""
        return recognised_sets(self.original, self.table, column)

    @cached_property
    def open(self) -> Mapping[str, tuple[UnreadLabel, ...]]:
        """Labels that need a meaning, by column."""
        found = {c: open_labels(self.original, self.table, c) for c in self.original.columns}
        return {column: labels for column, labels in found.items() if labels}

    @cached_property
    def told(self) -> PlainSets:
        """The user's meanings that differ from recognized ones."""
        return told_sets(self.original, self.table)


class Labels(dict[str, PlainSets]):
    """The user's meanings by table, column and label.

    None marks a value. Entries are replaced, never changed.
    """

    def say(self, name: str, column: str, labels: Mapping[str, PlainSet | None]) -> None:
        """Set the meanings of a column's labels."""
        said = self.get(name, {})
        self[name] = {**said, column: {**said.get(column, {}), **labels}}

    def take_back(self, name: str, column: str, label: str) -> None:
        """Restore a label's recognized meaning."""
        said = self.get(name, {})
        labels = {each: plain for each, plain in said.get(column, {}).items() if each != label}
        rest = {each: kept for each, kept in said.items() if each != column}
        self[name] = {**rest, column: labels} if labels else rest


def _compared(original: Table, column: str) -> bool:
    return column in original.columns and original.kind(column).is_compared


QuestionKey = tuple[str, str, str | None]

# Question whether the original is right; not a finding
RIGHT_ORIGINAL = "right-original"


@dataclass(slots=True, kw_only=True)
class AnsweredQuestions:
    """The check's answered questions."""

    # Code, table and column of each
    accepted: set[QuestionKey] = field(default_factory=set)
    withdrawn: set[QuestionKey] = field(default_factory=set)  # Withdrawn answers

    def is_accepted(self, finding: Finding) -> bool:
        """Return whether a question was answered in all parts."""
        return _keys(finding) <= self.accepted

    @property
    def right_originals(self) -> dict[str, bool]:
        """Whether released tables have the right original, if answered."""
        return {
            table: keys is self.accepted
            for keys in (self.withdrawn, self.accepted)
            for code, table, _ in keys
            if code == RIGHT_ORIGINAL
        }

    def rename(self, name: str, new: str) -> None:
        """Follow a renamed table."""
        self.accepted, self.withdrawn = (
            {(code, new if table == name else table, column) for code, table, column in keys}
            for keys in (self.accepted, self.withdrawn)
        )

    def toggle(self, finding: Finding) -> None:
        """Answer a question in all parts, or withdraw it."""
        keys = _keys(finding)
        if self.is_accepted(finding):
            self.accepted, self.withdrawn = self.accepted - keys, self.withdrawn | keys
        else:
            self.accepted, self.withdrawn = self.accepted | keys, self.withdrawn - keys

    def accepted_codes(self, findings: Sequence[Finding]) -> tuple[str, ...]:
        """Return answered questions by code, table and column."""
        answered = (f for f in findings if f.severity is Severity.QUESTION and self.is_accepted(f))
        return tuple(sorted({finding.answers[-1] for finding in answered}))


def _keys(finding: Finding) -> set[QuestionKey]:
    return {(part.code, part.table, part.column) for part in finding.parts or (finding,)}


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherNames:
    """A release's columns not named like the original's, over all tables."""

    # Possible original columns, by column as in the file
    choices: Mapping[str, tuple[str, ...]]
    suggested: Mapping[str, LikelyColumn]  # Likely column, by column
    in_force: Mapping[str, str]  # Chosen column, by column

    @classmethod
    def of(
        cls,
        original: Table,
        tables: Sequence[Table],
        likely: Iterable[LikelyColumn],
        in_force: Mapping[str, str],
    ) -> OtherNames:
        """Collect them, with likely and chosen columns."""
        others = dict.fromkeys(c for t in tables for c in t.columns if c not in original.columns)
        choices: dict[str, tuple[str, ...]] = {}
        for column in others:
            # Missing from each table with the column
            beside = {name for table in tables if column in table.columns for name in table.columns}
            choices[column] = tuple(name for name in original.columns if name not in beside)
        suggested: dict[str, LikelyColumn] = {}
        for each in likely:
            if each.source not in ("", each.column):
                continue  # Coded otherwise: the question's answer says how
            known = {other.of for other in suggested.values()} | suggested.keys()
            if each.of in choices[each.column] and not {each.of, each.column} & known:
                suggested[each.column] = each
        return cls(
            choices={column: possible for column, possible in choices.items() if possible},
            suggested=suggested,
            in_force=in_force,
        )

    @property
    def open(self) -> dict[str, str]:
        """Suggestions and original columns without an answer."""
        taken = set(self.in_force.values())
        return {
            column: likely.of
            for column, likely in self.suggested.items()
            if column not in self.in_force and likely.of not in taken
        }


def said_twice(same: Mapping[str, str]) -> str:
    """Return columns matched twice, in a sentence; empty if none."""
    times = Counter(same.values())
    of = next((of for of, number in times.items() if number > 1), None)
    if of is None:
        return ""
    columns = [column for column, each in same.items() if each == of]
    return f"{quoted(columns)} cannot all be the original's '{of}'. Choose one."
