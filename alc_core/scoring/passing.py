"""Whether verdicts pass a limit, and what a command ends with."""

from __future__ import annotations

import enum
from collections.abc import Collection

from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import SEVERITY, Verdict


class Outcome(enum.StrEnum):
    """What the gate says of a release."""

    PASSED = "passed"
    FOUND = "at the limit or above"
    UNDECIDED = "undecided"


EXIT_CODES = {Outcome.PASSED: 0, Outcome.FOUND: 1, Outcome.UNDECIDED: 3}
"""What a command ends with; 2 says that it was used wrongly."""


class Cause(enum.StrEnum):
    """Why a release does not pass."""

    ROWS = "rows are the original's"
    FOUND = "attacks at the limit or above"
    UNDECIDED = "attacks undecided"
    EXPOSED = "attacks exposing many people"
    FAILED = "attacks failed"
    MISSING = "attacks not yet run"
    UNTESTED = "nothing tested"


def cause_of(
    verdict: Verdict,
    high: float,
    scoring: ScoringParameters,
    fail_on: Verdict,
    *,
    exposes_many: bool,
) -> Cause | None:
    """Return why an attack of a verdict, with this upper bound of its ALC, does not pass."""
    if SEVERITY.index(verdict) >= SEVERITY.index(fail_on):
        return Cause.FOUND
    perhaps = fail_on is Verdict.SERIOUS and high >= scoring.serious
    if perhaps or verdict in (Verdict.UNDECIDED, Verdict.NOT_CONVERGED):
        return Cause.UNDECIDED
    if exposes_many and fail_on is not Verdict.SERIOUS:
        return Cause.EXPOSED
    return Cause.UNTESTED if verdict is Verdict.NOTHING_LEFT else None


def outcome_of(causes: Collection[Cause | None]) -> Outcome:
    """Return what causes come to: what was found outweighs what is not known."""
    if {Cause.ROWS, Cause.FOUND}.intersection(causes):
        return Outcome.FOUND
    return Outcome.UNDECIDED if any(causes) else Outcome.PASSED
