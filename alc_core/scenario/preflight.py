"""The pre-flight check before a run: it stops on what must be fixed or answered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from alc_core.errors import PreflightError
from alc_core.scenario.scenario import Scenario
from alc_core.tables.checks.finding import Finding, Severity

FindingsCallback = Callable[[tuple[Finding, ...]], None]
"""Takes the findings of the pre-flight check."""


class ReleaseChecker(Protocol):
    """Checks a release against its original; what several scenarios share is looked at once."""

    def findings(
        self,
        *,
        known: Sequence[str] | None = None,
        unknown: str | None = None,
        person: str | None = None,
        household: str | None = None,
    ) -> tuple[Finding, ...]:
        """Return what would break or mislead an attack, worst first."""
        ...


def check_before_run(
    checker: ReleaseChecker,
    scenario: Scenario,
    *,
    accept: Collection[str] = (),
    tell: FindingsCallback | None = None,
) -> tuple[str, ...]:
    """Run the pre-flight check and raise on anything that must be answered or fixed first.

    Parameters
    ----------
    checker : ReleaseChecker
        Of the original and the release.
    scenario : Scenario
        Only the columns of the scenario can stop the run.
    accept : collection of str
        Codes of questions that are answered.
    tell : callable, optional
        Called with all findings, worst first, before anything is raised.

    Returns
    -------
    tuple of str
        What a reader of the result must know: the warnings, and the questions accepted.

    Raises
    ------
    PreflightError
        If there is an error, or a question that is not accepted.
    """
    findings = checker.findings(
        known=scenario.known,
        unknown=scenario.unknown,
        person=scenario.person,
        household=scenario.household,
    )
    if tell is not None:
        tell(findings)
    blocking = tuple(f for f in findings if f.blocking and not _is_accepted(f, accept))
    if blocking:
        first = blocking[0]
        answer = (
            f" If this is as it should be, accept it by its code, {first.code}."
            if first.severity is Severity.QUESTION
            else ""
        )
        more = f" (And {len(blocking) - 1} more to fix or answer.)" if len(blocking) > 1 else ""
        place = "" if f"'{first.table}'" in first.message else f"{first.place}: "
        raise PreflightError(f"{place}{first.message} {first.action}{answer}{more}", blocking)
    return tuple(
        f"{'Accepted' if f.blocking else 'Warning'}: {f.place}: {f.message}"
        for f in findings
        if f.severity in (Severity.WARNING, Severity.QUESTION)
    )


def _is_accepted(finding: Finding, accept: Collection[str]) -> bool:
    return finding.severity is Severity.QUESTION and finding.code in accept
