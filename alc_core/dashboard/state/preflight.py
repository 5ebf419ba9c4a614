"""The pre-flight check of the tables as a session sees it: what it found, what was answered."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from alc_core.campaign.run.check import TablesCheck
from alc_core.releases.release import Release
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.table import Table

QuestionKey = tuple[str, str, str | None]


@dataclass(slots=True, kw_only=True)
class Preflight:
    """The check of the tables that are there, and which of its questions the user answered."""

    # Code, table and column of each question that was answered
    accepted: set[QuestionKey] = field(default_factory=set)
    # What is checked, and its check
    made: tuple[Hashable, TablesCheck] | None = None

    def of(
        self, original: Table, releases: Mapping[str, Release], readings: Sequence[Hashable]
    ) -> TablesCheck:
        """Return the check of some tables; what it found before is kept."""
        tables = [
            (release.kind, table.name, table.fingerprint)
            for release in releases.values()
            for table in release.tables
        ]
        key = (
            (original.name, original.fingerprint, *tables),
            tuple(readings),
            tuple(original.kinds.items()),
        )
        if self.made is None or self.made[0] != key:
            self.made = key, TablesCheck(original, releases.values())
        return self.made[1]

    def is_accepted(self, finding: Finding) -> bool:
        """Return whether a question was answered."""
        return _key(finding) in self.accepted

    def toggle(self, finding: Finding) -> None:
        """Take a question as answered, or an answer back."""
        self.accepted ^= {_key(finding)}

    def accepted_codes(self, findings: Sequence[Finding]) -> tuple[str, ...]:
        """Return the questions that are answered, each by its code, table and column."""
        answered = (f for f in findings if f.severity is Severity.QUESTION and self.is_accepted(f))
        return tuple(sorted({finding.answers[-1] for finding in answered}))


def _key(finding: Finding) -> QuestionKey:
    return finding.code, finding.table, finding.column
