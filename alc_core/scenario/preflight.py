"""The check before a run, which may stop it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol

from alc_core.errors import PreflightError
from alc_core.note import Note
from alc_core.phrasing import count, listed
from alc_core.scenario.no_value import check_no_values
from alc_core.scenario.scenario import Scenario
from alc_core.tables.checks.finding import Finding, Severity, grouped, patterns, worst_first
from alc_core.tables.households import Household
from alc_core.tables.table import Table

# Takes the check's findings
FindingsCallback = Callable[[tuple[Finding, ...]], None]


class ReleaseChecker(Protocol):
    """Checks a release against its original."""

    def findings(
        self,
        *,
        known: Sequence[str] | None = None,
        unknown: str | None = None,
        person: str | None = None,
        household: Household = None,
    ) -> tuple[Finding, ...]:
        """Return what would break or mislead an attack, worst first."""
        ...


def findings_of(
    checker: ReleaseChecker, original: Table, scenario: Scenario
) -> tuple[Finding, ...]:
    """Return a scenario's findings; only its columns can stop the run."""
    found = checker.findings(
        known=scenario.known,
        unknown=scenario.unknown,
        person=scenario.person,
        household=scenario.household,
    )
    asked = check_no_values(original, scenario.unknown, scenario.selection.missing)
    return tuple(worst_first((*found, *asked)))


def check_before_run(
    checker: ReleaseChecker,
    original: Table,
    scenario: Scenario,
    *,
    accept: Collection[str] = (),
    tell: FindingsCallback | None = None,
    unless: Collection[str] = (),
) -> tuple[Note, ...]:
    """Check, and raise on anything to answer or fix first."""
    findings = tuple(f for f in findings_of(checker, original, scenario) if f.code not in unless)
    if tell is not None:
        tell(findings)
    return notes_or_stop(findings, accept=answers_to(findings, accept))


def answers_to(findings: Iterable[Finding], accept: Collection[str]) -> frozenset[str]:
    """Return answers, bare codes resolved to their only column or table."""
    questions = [f for f in findings if f.severity is Severity.QUESTION]
    answers = set(accept)
    for code in {question.code for question in questions} & answers:
        meant = tuple(question for question in questions if question.code == code)
        single = list(
            dict.fromkeys(question.answers[question.column is None] for question in meant)
        )
        if len(single) > 1:
            what = "columns" if meant[0].column is not None else "tables"
            raise PreflightError(
                f"{len(single)} {what} have the question '{code}'. Check and accept each: "
                f"{', '.join(single)}.",
                meant,
            )
        answers = {*answers - {code}, *single}
    return frozenset(answers)


def answers_given(findings: Iterable[Finding], kept: Collection[str]) -> set[str]:
    """Return a campaign's answers, bare codes resolved.

    Bare codes answer for all tables.
    """
    questions = [finding for finding in findings if finding.severity is Severity.QUESTION]
    codes = {question.code for question in questions}
    spelled_out = {q.answers[-1] for q in questions if q.code in kept}
    return (set(kept) - codes) | spelled_out


def notes_or_stop(findings: Sequence[Finding], *, accept: Collection[str]) -> tuple[Note, ...]:
    """Return notes, or raise on what must be fixed or answered."""
    blocking = tuple(f for f in findings if f.blocking and not is_accepted(f, accept))
    if blocking:
        told = grouped(blocking)
        more = f" ({len(told) - 1} more to fix or answer.)" if len(told) > 1 else ""
        raise PreflightError(f"{_what_to_do(told[0])}{more}", blocking)
    return tuple(
        Note(
            text=f"{'Accepted' if f.blocking else 'Warning'}: {f.place}: {f.message}",
            code=f.code,
            table=f.table,
            column=f.column or "",
            numbers=tuple((name, float(number)) for name, number in f.numbers),
        )
        for f in grouped(findings)
        if f.severity in (Severity.WARNING, Severity.QUESTION)
    )


def open_questions(questions: Iterable[Finding]) -> PreflightError:
    """Return an error listing open questions, similar ones together."""
    found = tuple(dict.fromkeys(questions))
    told = patterns(found)
    if len(told) == 1:
        return PreflightError(_what_to_do(told[0]), found)
    listing = (f"{number}. {_what_to_do(each)}" for number, each in enumerate(told, start=1))
    head = f"Answer {count(len(told))} questions before the run."
    return PreflightError("\n".join((head, *listing)), found)


def _what_to_do(finding: Finding) -> str:
    place = "" if finding.names_its_table else f"{finding.place}: "
    text = f"{place}{finding.message} {finding.action}"
    if finding.severity is not Severity.QUESTION:
        return text
    parts = finding.parts or (finding,)
    answers = [part.answers[part.column is None and len(parts) > 1] for part in parts]
    return f"{text} If this is intended, accept {listed(list(dict.fromkeys(answers)))}."


def is_accepted(finding: Finding, accept: Collection[str]) -> bool:
    """Return whether a question is among the answers."""
    return finding.severity is Severity.QUESTION and any(a in accept for a in finding.answers)
