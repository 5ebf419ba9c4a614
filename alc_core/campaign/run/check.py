"""The check of the tables, the same on a page and in a run."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from threading import RLock
from typing import cast

from alc_core.campaign.model import PlannedAttack, named_columns
from alc_core.errors import NothingToAttackError, PreflightError
from alc_core.note import Note
from alc_core.releases.answers import asked_tables
from alc_core.releases.registry import release_facts
from alc_core.releases.release import Release
from alc_core.runtime.machine import available_threads
from alc_core.runtime.processes import in_processes
from alc_core.runtime.progress import Reporter
from alc_core.scenario.preflight import (
    FindingsCallback,
    answers_to,
    findings_of,
    notes_or_stop,
    open_questions,
)
from alc_core.tables.checks.checker import TableChecker
from alc_core.tables.checks.facts import FileFacts
from alc_core.tables.checks.finding import Finding, Severity, once
from alc_core.tables.checks.own import OWN_TOGETHER, own_in_plan
from alc_core.tables.households import Household
from alc_core.tables.table import Table

# Cells of original and release between which other processes check them; they hold both once more
LARGE, HUGE = 1_000_000, 50_000_000
FoundOfAttacks = Mapping[int, tuple[Finding, ...]]  # Findings by attack number


class TablesCheck:
    """Check an original against releases, in general and for attacks, once each.

    Thread-safe.
    """

    def __init__(self, original: Table, releases: Iterable[Release]) -> None:
        self._given = self._tables = original, tuple(releases)
        self._lock = RLock()
        self._checkers = {each.name: each.checker(original) for each in self._tables[1]}
        self._facts: dict[str, tuple[FileFacts, ...]] = {}
        self._of_tables: dict[tuple[str | None, Household], tuple[Finding, ...]] = {}
        self._of_attacks: dict[tuple[str, str], tuple[Finding, ...]] = {}

    def tables(self, *, person: str | None, household: Household) -> tuple[Finding, ...]:
        """Return findings independent of attacks, worst first."""
        key = person, household
        with self._lock:
            if key not in self._of_tables:
                self._look(person, household)
                checkers = self._checkers.values()
                found = (each.findings(person=person, household=household) for each in checkers)
                self._of_tables[key] = all_findings(dict(enumerate(found)))
            return self._of_tables[key]

    def facts(self, name: str) -> tuple[FileFacts, ...]:
        """Return the counts of a release's files."""
        with self._lock:
            if name not in self._facts:
                self._look(None, None)
            if name not in self._facts:
                original, releases = self._given
                (release,) = (each for each in releases if each.name == name)
                self._facts[name] = release_facts(original, release)
            return self._facts[name]

    def _look(self, person: str | None, household: Household) -> None:
        """Check large tables in other processes, to keep this one free."""
        original, releases = self._tables
        large = [
            (release.name, person, household)
            for release in releases
            if release.name not in self._facts
            and isinstance(self._checkers[release.name], TableChecker)
            and LARGE <= sum(table.frame.size for table in (original, *release.tables)) <= HUGE
        ]
        jobs = available_threads()
        if not large or jobs == 1:
            return
        with (
            suppress(BrokenExecutor),  # it is looked at here
            in_processes(_looked_at, self._tables, large, jobs=jobs) as results,
        ):
            for name, seen, facts in results:
                self._facts[name] = facts
                cast(TableChecker, self._checkers[name]).seen.update(seen)

    def attacks(
        self,
        attacks: Sequence[PlannedAttack],
        reporter: Reporter = Reporter(),  # noqa: B008 - frozen
    ) -> FoundOfAttacks:
        """Return each attack's findings; only its columns can stop it."""
        with self._lock:
            return self._found(attacks, reporter)

    def _found(self, attacks: Sequence[PlannedAttack], reporter: Reporter) -> FoundOfAttacks:
        tables = asked_tables(*self._tables, named_columns(attacks))
        if tables[0] is not self._tables[0]:
            self._tables = tables
            self._checkers = {each.name: each.checker(tables[0]) for each in tables[1]}
        elif attacks:
            scenario = attacks[0].scenario
            self._look(scenario.person, scenario.household)
        found = {}
        for done, attack in enumerate(attacks):
            reporter.report("Checking the tables", done, len(attacks))
            key = attack.release, attack.scenario.key
            if key not in self._of_attacks:
                checker = self._checkers[attack.release]
                self._of_attacks[key] = findings_of(checker, tables[0], attack.scenario)
            found[attack.number] = self._of_attacks[key]
        return _answered(found, {attack.number: attack.release for attack in attacks})


def _answered(found: FoundOfAttacks, releases: Mapping[int, str]) -> FoundOfAttacks:
    """Drop questions about people's own columns if an attack answers them."""
    by_release: dict[str, set[Finding]] = {}
    for number, of_attack in found.items():
        told = by_release.setdefault(releases[number], set())
        told.update(each for each in of_attack if each.code == OWN_TOGETHER)
    return {
        number: tuple(own_in_plan(of_attack, by_release[releases[number]]))
        for number, of_attack in found.items()
    }


def _looked_at(
    tables: tuple[Table, tuple[Release, ...]],
    name: str,
    person: str | None,
    household: Household,
) -> tuple[str, dict[Hashable, tuple[Finding, ...]], tuple[FileFacts, ...]]:
    """Check a release of people's rows: findings and counts."""
    original, releases = tables
    release = next(each for each in releases if each.name == name)
    checker = cast(TableChecker, release.checker(original))
    checker.findings(person=person, household=household)
    return name, checker.seen, release_facts(original, release)


def all_findings(found: FoundOfAttacks) -> tuple[Finding, ...]:
    """Return all attacks' findings once, worst first."""
    return once(dict.fromkeys(itertools.chain.from_iterable(found.values())))


def broken_attacks(found: FoundOfAttacks) -> set[int]:
    """Return attacks that cannot run until something is fixed."""
    return {n for n, of in found.items() if any(f.severity is Severity.ERROR for f in of)}


@dataclass(slots=True)
class Checked:
    """The check's notes for each attack, or why it cannot run."""

    accepted: frozenset[str]
    notes: dict[int, tuple[Note, ...]] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    # Releases with open questions, and the questions
    waiting: dict[str, str] = field(default_factory=dict)


def checked(
    attacks: Sequence[PlannedAttack],
    found: FoundOfAttacks,
    *,
    accept: Collection[str],
    tell: FindingsCallback | None,
) -> Checked:
    """Return notes and failures of attacks, and releases with open questions.

    Raises if no attack can run.
    """
    findings = all_findings(found)
    if tell is not None:
        tell(findings)
    result = Checked(accepted=answers_to(findings, accept))
    broken = broken_attacks(found)
    releases = {attack.number: attack.release for attack in attacks}
    questions: dict[str, list[Finding]] = {}
    for number, of_attack in found.items():
        try:
            result.notes[number] = notes_or_stop(of_attack, accept=result.accepted)
        except PreflightError as error:
            if number in broken:
                result.failures[number] = str(error)
            else:
                asked = questions.setdefault(releases[number], [])
                asked += cast(tuple[Finding, ...], error.findings)
    if questions and all(releases[n] in questions or n in result.failures for n in found):
        raise open_questions(itertools.chain.from_iterable(questions.values()))
    result.waiting = {name: str(open_questions(asked)) for name, asked in questions.items()}
    if found and len(result.failures) == len(found):
        raise NothingToAttackError(nothing_ran(result.failures))
    return result


def nothing_ran(failures: Mapping[int, str]) -> str:
    """Say why no attack could run: the first reason, and whether there are others."""
    reasons = list(dict.fromkeys(failures.values()))
    others = f" ('alc check' shows all {len(reasons)} reasons.)" if len(reasons) > 1 else ""
    which = "The attack" if len(failures) == 1 else f"None of {len(failures)} attacks"
    return f"{which} {'cannot' if len(failures) == 1 else 'can'} run. {reasons[0]}{others}"
