"""What a check of the tables found: data for the page, the command line and the report."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from alc_core.phrasing import count, listed, quoted

_SHOWN_VALUES = 3
_SHOWN_CHARACTERS = 40


class Severity(enum.StrEnum):
    """How much a finding matters. Questions and errors stop a run.

    ``INFO`` is good to know; a ``WARNING`` may make the result misleading; a ``QUESTION`` must be
    answered (accepted by its code, or fixed); an ``ERROR`` must be fixed.
    """

    INFO = "info"
    WARNING = "warning"
    QUESTION = "question"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing noticed about a table or a column."""

    severity: Severity  # How much it matters
    # Stable name of what was noticed, such as "unknown-labels"; a question is accepted by it and
    # its column
    code: str
    table: str  # Name of the table
    column: str | None = None  # The column, or None where the whole table is meant
    # What was found, in plain words. Never a value of the original, except for one of many people
    # that a value of the release nearly spells.
    message: str
    action: str  # What to do about it
    # What to say instead where several columns of a table have it, with "{columns}", or of a whole
    # table, where several tables have it; empty to say it of one and name the others
    together: str = ""
    # Released columns that may be the original's under other names, each with that column
    same_columns: tuple[tuple[str, str], ...] = ()
    household: tuple[str, ...] = ()  # Columns whose values together may tell who lives together
    # What was counted, by name, such as "rows", "share" and "expected"
    numbers: tuple[tuple[str, float], ...] = ()
    # Where findings of the same kind are told as one, those of the single columns
    parts: tuple[Finding, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns concerned; empty where the whole table is meant."""
        if self.parts:
            return tuple(column for part in self.parts for column in part.columns)
        return () if self.column is None else (self.column,)

    @property
    def answers(self) -> tuple[str, ...]:
        """What a question is accepted by: its code and column, or its code, table and column."""
        if self.column is None:
            return self.code, f"{self.code}:{self.table}"
        return f"{self.code}:{self.column}", f"{self.code}:{self.table}:{self.column}"

    @property
    def place(self) -> str:
        """The table, and the column where there is one, as they stand in a sentence."""
        return f"'{self.table}'" + (f", column '{self.column}'" if self.column else "")

    @property
    def blocking(self) -> bool:
        """Whether a run must not start before this is answered or fixed."""
        return self.severity in (Severity.QUESTION, Severity.ERROR)

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain values for JSON."""
        return {
            "severity": self.severity.value,
            "code": self.code,
            "table": self.table,
            "column": self.column,
            "columns": list(self.columns),
            "message": self.message,
            "action": self.action,
            "same_columns": dict(self.same_columns),
            "household": list(self.household),
            "numbers": dict(self.numbers),
            "blocking": self.blocking,
        }


def grouped(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Put findings together that say the same of several columns of one table.

    Examples
    --------
    >>> def found(column):
    ...     return Finding(severity=Severity.WARNING, code="all-missing", table="release",
    ...                    column=column, message="All values are missing.", action="Check it.")
    >>> (finding,) = grouped([found("age"), found("sex"), found("job")])
    >>> finding.message
    "In 'age': All values are missing. Likewise in 'sex' and 'job'."
    """

    def kind(finding: Finding) -> object:
        same = (finding.severity, finding.code, finding.table, finding.action, finding.together)
        return finding if finding.column is None else same

    return tuple(p[0] if len(p) == 1 else _together(p) for p in _of_one_kind(findings, kind))


def patterns(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Put findings together that say the same of several columns or of several tables.

    Examples
    --------
    >>> def found(table, column):
    ...     return Finding(severity=Severity.QUESTION, code="masked", table=table, column=column,
    ...                    message="Values are masked.", action="Check it.")
    >>> (finding,) = patterns([found("a", "age"), found("a", "sex"), found("b", "age")])
    >>> finding.table, finding.message, len(finding.parts)
    ('a and b', "In 'age': Values are masked. Likewise in 'sex'. Alike in 'b'.", 3)
    """

    def kind(finding: Finding) -> object:
        # What is said of a whole table must be the same word for word, or have words for all
        # together: it would be lost else.
        words = (
            finding.action,
            "" if finding.columns else finding.together or finding.message,
        )
        without = (text.replace(f"'{finding.table}'", "") for text in words)
        return finding.severity, finding.code, *without

    return tuple(p[0] if len(p) == 1 else _alike(p) for p in _of_one_kind(grouped(findings), kind))


def _of_one_kind(
    findings: Iterable[Finding], kind: Callable[[Finding], object]
) -> Iterable[list[Finding]]:
    """Put findings of one kind together, in the order of the first of each."""
    kinds: dict[object, list[Finding]] = {}
    for finding in findings:
        kinds.setdefault(kind(finding), []).append(finding)
    return kinds.values()


def _alike(alike: Sequence[Finding]) -> Finding:
    first = alike[0]
    tables = list(dict.fromkeys(finding.table for finding in alike))
    others = tables[1:]
    more = f" Alike in {quoted(others)}." if others else ""
    message = f"{_with_column(first)}{more}"
    if others and first.together and not first.columns:
        message = first.together
    return replace(
        first,
        table=listed(tables),
        column=None,
        message=message,
        parts=tuple(part for finding in alike for part in (finding.parts or (finding,))),
    )


def _with_column(finding: Finding) -> str:
    return (
        finding.message if finding.column is None else f"In '{finding.column}': {finding.message}"
    )


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by severity, those alike in the order given."""
    order = list(reversed(Severity))
    return sorted(findings, key=lambda finding: order.index(finding.severity))


def examples(labels: Sequence[str]) -> str:
    """Return up to three values of a release, shortened, for a message."""
    shown = []
    for label in list(labels)[:_SHOWN_VALUES]:
        single_line = " ".join(label.split())
        short = single_line[: _SHOWN_CHARACTERS - 1] + "…"
        shown.append(f"'{single_line if len(single_line) <= _SHOWN_CHARACTERS else short}'")
    more = ", ..." if len(labels) > _SHOWN_VALUES else ""
    return ", ".join(shown) + more


def _together(parts: Sequence[Finding]) -> Finding:
    first = parts[0]
    columns = [part.column for part in parts if part.column is not None]
    if first.together:
        message = first.together.format(n=count(len(columns)), columns=quoted(columns))
    else:
        message = f"In '{first.column}': {first.message} Likewise in {quoted(columns[1:])}."
    return Finding(
        severity=first.severity,
        code=first.code,
        table=first.table,
        message=message,
        action=first.action,
        parts=tuple(parts),
    )
