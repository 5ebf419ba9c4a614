"""What the user answered of what the check of the tables asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from alc_core.tables.checks.finding import Finding, Severity

QuestionKey = tuple[str, str, str | None]

RIGHT_ORIGINAL = "right-original"
"""Code of the question whether the original is the right one, which no finding asks."""


@dataclass(slots=True, kw_only=True)
class Answers:
    """Which questions of the check the user answered."""

    # Code, table and column of each
    accepted: set[QuestionKey] = field(default_factory=set)

    def is_accepted(self, finding: Finding) -> bool:
        """Return whether a question was answered."""
        return _key(finding) in self.accepted

    @property
    def right_originals(self) -> frozenset[str]:
        """Released tables that are of the right original."""
        return frozenset(table for code, table, _ in self.accepted if code == RIGHT_ORIGINAL)

    def toggle(self, finding: Finding) -> None:
        """Take a question as answered, or an answer back."""
        self.accepted ^= {_key(finding)}

    def accepted_codes(self, findings: Sequence[Finding]) -> tuple[str, ...]:
        """Return the questions that are answered, each by its code, table and column."""
        answered = (f for f in findings if f.severity is Severity.QUESTION and self.is_accepted(f))
        return tuple(sorted({finding.answers[-1] for finding in answered}))


def _key(finding: Finding) -> QuestionKey:
    return finding.code, finding.table, finding.column
