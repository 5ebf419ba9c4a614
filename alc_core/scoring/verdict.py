"""From an ALC and its interval to a verdict."""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Mapping, Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.arrays import BoolArray
from alc_core.note import REPLAYED, leads_back
from alc_core.phrasing import sentence_case
from alc_core.scoring.intervals import normal_quantile
from alc_core.scoring.parameters import ScoringParameters

StandingCodes = NDArray[np.int8]


class Verdict(enum.StrEnum):
    """Meaning of an ALC for the release (limits: 0, `at_risk` and `serious`).

    ``INCONCLUSIVE``: the interval straddles `at_risk`, or a released column was not used
    (:func:`judge`). Straddling `serious` gives ``AT_RISK``; straddling 0 changes nothing.
    ``TOO_FEW``: what is open concerns too few people, or needs more than there are.
    ``NOT_TESTABLE``: the baseline knows nearly everyone, and the others are too few.
    ``NOT_CONVERGED``: the chains are unreliable.

    Examples
    --------
    >>> Verdict("at risk")
    <Verdict.AT_RISK: 'at risk'>
    """

    NO_LOSS = "no loss"
    BELOW_LIMIT = "below limit"
    AT_RISK = "at risk"
    SERIOUS = "serious"
    INCONCLUSIVE = "inconclusive"
    TOO_FEW = "too few to test"
    NOT_TESTABLE = "not testable"
    NOT_CONVERGED = "did not converge"


# By rising severity
SEVERITY: tuple[Verdict, ...] = (
    Verdict.NOT_TESTABLE,
    Verdict.TOO_FEW,
    Verdict.NO_LOSS,
    Verdict.BELOW_LIMIT,
    Verdict.INCONCLUSIVE,
    Verdict.NOT_CONVERGED,
    Verdict.AT_RISK,
    Verdict.SERIOUS,
)
HARMLESS = (Verdict.NO_LOSS, Verdict.BELOW_LIMIT)  # Clear an attack
UNTESTED = (Verdict.NOT_TESTABLE, Verdict.TOO_FEW)  # Inconclusive either way
FLAGGED = (Verdict.SERIOUS, Verdict.AT_RISK)  # Loss shown, the worse first
# Need a person's attention, the worst first
ASKING = (*FLAGGED, Verdict.NOT_CONVERGED, Verdict.INCONCLUSIVE)

VERDICT_TITLES = {each: sentence_case(each) for each in Verdict} | {
    Verdict.NO_LOSS: "No loss of anonymity",
    Verdict.SERIOUS: "Serious loss of anonymity",
    Verdict.TOO_FEW: "Too few people to test",
}


def exposes_many(surely: ArrayLike, people: ArrayLike, material: ArrayLike) -> BoolArray:
    """Return whether the lower bound of people exposed reaches the share `material`.

    ALC shows certainty, and may be low if many are exposed.
    """
    return np.asarray(np.greater_equal(surely, np.multiply(material, people)))


def concerns_few(
    exposed_high: ArrayLike, people: ArrayLike, scoring: ScoringParameters
) -> BoolArray:
    """Return whether an open verdict exposes too few people to matter."""
    return np.asarray(exposed_high) < scoring.material * np.asarray(people)


class Publishing(enum.StrEnum):
    """What a verdict asks for, in one phrase."""

    CLEAR = "no problem found"
    EXAMINE = "examine first"
    CHANGE = "do not publish unchanged"
    UNKNOWN = "no result yet"


# By verdict
PUBLISHING: Mapping[str, Publishing] = {
    Verdict.SERIOUS: Publishing.CHANGE,
    Verdict.AT_RISK: Publishing.EXAMINE,
    Verdict.NOT_CONVERGED: Publishing.EXAMINE,
    Verdict.INCONCLUSIVE: Publishing.EXAMINE,
    Verdict.BELOW_LIMIT: Publishing.CLEAR,
    Verdict.NO_LOSS: Publishing.CLEAR,
    Verdict.TOO_FEW: Publishing.UNKNOWN,
    Verdict.NOT_TESTABLE: Publishing.UNKNOWN,
}


# Verdicts by code
OUTCOMES: tuple[str, ...] = tuple(map(str, Verdict))
_SEVERITY_OF = np.array([SEVERITY.index(verdict) for verdict in Verdict], dtype=np.int8)


def code_of(outcome: str) -> int:
    """Return the code of a verdict.

    Examples
    --------
    >>> [code_of(outcome) for outcome in ("no loss", Verdict.SERIOUS)]
    [0, 3]
    """
    return OUTCOMES.index(outcome)


def verdict_of(code: StandingCodes | int) -> Verdict:
    """Return the verdict of a code."""
    return Verdict(OUTCOMES[int(code)])


def severity_of(codes: StandingCodes) -> StandingCodes:
    """Return each verdict's rank in :data:`SEVERITY`."""
    return _SEVERITY_OF[codes]


def classify(losses: ArrayLike, scoring: ScoringParameters) -> StandingCodes:
    """Return the codes of exactly known ALCs (paper, sections 4.2 and 6.1).

    Examples
    --------
    >>> [OUTCOMES[code] for code in classify([-0.1, 0.0, 0.1, 0.5, 0.75], ScoringParameters())]
    ['no loss', 'no loss', 'below limit', 'at risk', 'serious']
    """
    limits = [np.nextafter(0.0, 1.0), scoring.at_risk, scoring.serious]
    return np.searchsorted(limits, losses, side="right").astype(np.int8)


def decide(
    losses: ArrayLike, lows: ArrayLike, highs: ArrayLike, scoring: ScoringParameters
) -> StandingCodes:
    """Return the codes of estimated ALCs, from their intervals.

    Examples
    --------
    >>> found = decide([0.6, 0.6, 0.8], [0.55, 0.45, 0.7], [0.7, 0.7, 0.9], ScoringParameters())
    >>> [OUTCOMES[code] for code in found]
    ['at risk', 'inconclusive', 'at risk']
    """
    low, high = classify(lows, scoring), classify(highs, scoring)
    flagged = np.where(_is(low, HARMLESS), code_of(Verdict.INCONCLUSIVE), low)
    return np.where(_is(high, HARMLESS), classify(losses, scoring), flagged).astype(np.int8)


def judge(
    readings: Sequence[tuple[ArrayLike, ArrayLike, ArrayLike]],
    scoring: ScoringParameters,
    *,
    few: ArrayLike = False,
    nothing_left: ArrayLike = False,
    unmatched: ArrayLike = False,
    unconverged: ArrayLike = False,
) -> tuple[StandingCodes, BoolArray]:
    """Return verdict codes, and where the second reading decides.

    The more severe reading decides: by verdict, then by value. Finding no loss proves nothing if
    nothing was left to learn, a column was unmatched, or chains did not converge. Open questions do
    not matter if they concern few (:func:`concerns_few`).

    `readings`: ALC, low, high; the paper's first.

    Examples
    --------
    >>> readings = [(0.1, 0.0, 0.2), (0.05, 0.0, 0.1)]
    >>> verdict_of(judge(readings, ScoringParameters(), unmatched=True)[0])
    <Verdict.INCONCLUSIVE: 'inconclusive'>
    """
    own, among = (decide(*each, scoring) for each in readings)
    more = np.asarray(readings[1][0]) > readings[0][0]
    by_rest = (severity_of(among) > severity_of(own)) | (
        (severity_of(among) == severity_of(own)) & more
    )
    found = np.where(by_rest, among, own)
    uncertain = np.asarray(few) & ~np.asarray(unmatched) & _is(found, [Verdict.INCONCLUSIVE])
    found = np.where(uncertain, code_of(Verdict.TOO_FEW), found)
    flagged, harmless = _is(found, FLAGGED), _is(found, HARMLESS)
    for proves_nothing, instead in (
        (np.asarray(unmatched) & harmless, Verdict.INCONCLUSIVE),
        (np.asarray(nothing_left) & ~flagged, Verdict.NOT_TESTABLE),
        (np.asarray(unconverged) & ~flagged, Verdict.NOT_CONVERGED),
    ):
        found = np.where(proves_nothing, code_of(instead), found)
    return found.astype(np.int8), by_rest


def straddled(
    interval: tuple[float, float], scoring: ScoringParameters
) -> tuple[Verdict, Verdict] | None:
    """Return the verdicts of an interval's ends if it straddles a risk limit."""
    low, high = map(verdict_of, classify(interval, scoring))
    return None if low == high or high in HARMLESS else (low, high)


def chance_to_settle(
    loss: float, interval: tuple[float, float], attacked: float, scoring: ScoringParameters
) -> float:
    """Return the chance that an open verdict is decided once all are attacked.

    The loss moves as the interval tells, which shrinks with the root of the number.

    Parameters
    ----------
    loss : float
    interval : tuple of float
        Straddles a risk limit.
    attacked : float
        Share of targets attacked so far.
    scoring : ScoringParameters

    Examples
    --------
    >>> scoring = ScoringParameters()
    >>> [round(chance_to_settle(loss, (0.3, 0.7), 0.5, scoring), 2) for loss in (0.4, 0.5)]
    [0.07, 0.05]
    """
    if attacked >= 1:
        return 0.0
    low, high = interval
    root = math.sqrt(attacked)
    spread = (high - low) / (2 * normal_quantile(scoring.confidence)) * math.sqrt(1 - attacked)
    chances = [1.0]
    for limit in (scoring.at_risk, scoring.serious):
        if low < limit <= high:
            above = loss - limit - (loss - low) * root
            below = limit - loss - (high - loss) * root
            chances.append(sum(NormalDist(sigma=spread).cdf(each) for each in (above, below)))
    return min(chances)


class Perhaps(enum.StrEnum):
    """What a verdict leaves open; the worst first."""

    SERIOUS = "perhaps serious"
    AT_RISK = "perhaps at risk"
    UNSHOWN = "probably below the limit"  # Below, but risk is not excluded
    CHANCE = "perhaps by chance"  # A loss, but not among so many attacks
    UNMATCHED = "a column unmatched"  # Harmless without the column


def perhaps(
    standing: str, alc: float, low: float, high: float, scoring: ScoringParameters
) -> Perhaps | None:
    """Return what ALC and its interval leave open, if anything.

    Examples
    --------
    >>> scoring = ScoringParameters()
    >>> [str(perhaps("inconclusive", 0.5, 0.4, high, scoring)) for high in (0.45, 0.6, 0.8)]
    ['a column unmatched', 'perhaps at risk', 'perhaps serious']
    >>> str(perhaps("inconclusive", 0.3, -0.2, 0.8, scoring))
    'probably below the limit'
    >>> [str(perhaps("at risk", 0.65, 0.6, high, scoring)) for high in (0.7, 0.8)]
    ['None', 'perhaps serious']
    """
    if standing == Verdict.AT_RISK:
        return Perhaps.SERIOUS if high >= scoring.serious else None
    if standing != Verdict.INCONCLUSIVE:
        return None
    if high < scoring.at_risk or low >= scoring.at_risk:
        return Perhaps.UNMATCHED if high < scoring.at_risk else Perhaps.CHANCE
    if alc < scoring.at_risk:
        return Perhaps.UNSHOWN
    return Perhaps.SERIOUS if high >= scoring.serious else Perhaps.AT_RISK


def standing_words(standing: str, open_: Perhaps | None = None) -> str:
    """Return a verdict with what it leaves open.

    Examples
    --------
    >>> standing_words("at risk", Perhaps.SERIOUS), standing_words("below limit")
    ('At risk, perhaps serious', 'Below limit')
    """
    return sentence_case(f"{standing}, {open_}" if open_ else standing)


def _is(codes: StandingCodes, verdicts: Sequence[Verdict]) -> BoolArray:
    return np.isin(codes, [code_of(verdict) for verdict in verdicts])


class Outcome(enum.StrEnum):
    """The gate's answer for a release."""

    PASSED = "passed"
    FOUND = "stopped"
    INCONCLUSIVE = "inconclusive"


# Exit codes of commands; 2 means wrong use
EXIT_CODES = {Outcome.PASSED: 0, Outcome.FOUND: 1, Outcome.INCONCLUSIVE: 3}


class Cause(enum.StrEnum):
    """Why a release does not pass."""

    LINKED = "rows can be traced to the original"
    ROWS = "rows are copied from the original"
    TEXTS = "contains people's texts"
    TOGETHER = "holds single people's values, untested"
    FOUND = "attacks at the limit or above"
    INCONCLUSIVE = "attacks inconclusive"
    EXPOSED = "attacks exposing many people"
    FAILED = "attacks failed"
    MISSING = "attacks not yet run"
    LEFT_OUT = "attacks left out"
    ALLOWED = "all attacks allowed"
    UNTESTED = "nothing tested"


def cause_of(
    verdict: Verdict,
    high: float,
    scoring: ScoringParameters,
    fail_on: Verdict,
    *,
    exposes_many: bool,
) -> Cause | None:
    """Return why an attack does not pass, if it does not."""
    if SEVERITY.index(verdict) >= SEVERITY.index(fail_on):
        return Cause.FOUND
    may_be_serious = verdict is Verdict.AT_RISK and high >= scoring.serious
    if may_be_serious or verdict in (Verdict.INCONCLUSIVE, Verdict.NOT_CONVERGED):
        return Cause.INCONCLUSIVE
    if exposes_many and fail_on is not Verdict.SERIOUS:
        return Cause.EXPOSED
    return Cause.UNTESTED if verdict in UNTESTED else None


def stopping_cause(code: str) -> Cause:
    """Return why a check's finding, by code, stops a release."""
    if leads_back(code):
        return Cause.LINKED
    return Cause.TEXTS if code == REPLAYED else Cause.ROWS


def worst_outcome(outcomes: Collection[Outcome]) -> Outcome:
    """Return the outcome of several releases: findings outweigh the rest."""
    return next(
        each for each in (Outcome.FOUND, Outcome.INCONCLUSIVE, Outcome.PASSED) if each in outcomes
    )


_STOPPING = (Cause.LINKED, Cause.ROWS, Cause.TEXTS, Cause.TOGETHER, Cause.FOUND)


def outcome_of(causes: Collection[Cause | None]) -> Outcome:
    """Return the outcome of causes: findings outweigh unknowns.

    Not testable leaves it open only if no attack was tested.
    """
    if {*_STOPPING}.intersection(causes):
        return Outcome.FOUND
    passed = not any(causes) or {*causes} == {None, Cause.UNTESTED}
    return Outcome.PASSED if passed else Outcome.INCONCLUSIVE
