"""The check of the tables before a run, and what the user answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from alc_core.releases.microdata import Microdata
from alc_core.releases.release import Release
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.finding import Finding, Severity, worst_first
from alc_core.tables.households import Household
from alc_core.tables.table import Table

QuestionKey = tuple[str, str, str | None]


@dataclass(slots=True, kw_only=True)
class Answers:
    """Which questions of the check the user answered."""

    # Code, table and column of each
    accepted: set[QuestionKey] = field(default_factory=set)

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


def check_releases(
    original: Table, releases: Iterable[Release], person: str | None, household: Household
) -> tuple[Finding, ...]:
    """Check all tables of rows together, and each other release in its own way; worst first."""
    every = list(releases)
    rows = [table for each in every if isinstance(each, Microdata) for table in each.tables]
    found: list[Finding] = []
    if rows or not every:
        found += check_tables(original, rows, person=person, household=household)
    for release in every:
        if not isinstance(release, Microdata):
            found += release.checker(original).findings(person=person, household=household)
    return tuple(worst_first(dict.fromkeys(found)))


def _key(finding: Finding) -> QuestionKey:
    return finding.code, finding.table, finding.column
