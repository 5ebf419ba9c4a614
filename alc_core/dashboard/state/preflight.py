"""The pre-flight check of the tables as a session sees it: what it found, what was answered."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from alc_core.releases.release import Release
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.finding import Finding, Severity, worst_first
from alc_core.tables.households import Household
from alc_core.tables.table import Table

QuestionKey = tuple[str, str, str | None]


@dataclass(slots=True, kw_only=True)
class Preflight:
    """The last check, and which of its questions the user answered."""

    # Code, table and column of each question that was answered
    accepted: set[QuestionKey] = field(default_factory=set)
    # What was checked last, and what was found
    checked: tuple[Hashable, tuple[Finding, ...]] | None = None

    def findings(
        self,
        original: Table,
        releases: Mapping[str, Release],
        readings: Sequence[Hashable],
        *,
        person: str | None = None,
        household: Household = None,
    ) -> tuple[Finding, ...]:
        """Check tables, unless they are those of the last time."""
        tables = [
            (release.kind, table.name, table.fingerprint)
            for release in releases.values()
            for table in release.tables
        ]
        names = (original.name, original.fingerprint, *tables)
        key = names, tuple(readings), tuple(original.kinds.items()), person, household
        if self.checked is None or self.checked[0] != key:
            self.checked = key, tuple(_findings(original, releases.values(), person, household))
        return self.checked[1]

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


def _findings(
    original: Table, releases: Iterable[Release], person: str | None, household: Household
) -> list[Finding]:
    """Check all tables of rows together, and each other release in its own way; worst first."""
    every = list(releases)
    rows = [table for each in every if each.holds_rows for table in each.tables]
    found: list[Finding] = []
    if rows or not every:
        found += check_tables(original, rows, person=person, household=household)
    for release in every:
        if not release.holds_rows:
            found += release.checker(original).findings(person=person, household=household)
    return worst_first(dict.fromkeys(found))


def _key(finding: Finding) -> QuestionKey:
    return finding.code, finding.table, finding.column
