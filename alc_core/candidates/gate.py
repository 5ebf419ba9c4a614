"""A campaign's findings for programs, and whether its releases pass."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self
from xml.etree import ElementTree as ET

import pandas as pd

from alc_core.campaign.findings.findings_table import FAILED, FINISHED, NOT_YET_RUN, SKIPPED
from alc_core.campaign.findings.overview import bounds_text, expose_many
from alc_core.campaign.findings.view import CampaignLike, viewed
from alc_core.candidates.decision import PUBLISHED, ReleaseDecision, exposes_more, release_decisions
from alc_core.candidates.line import CandidateLine
from alc_core.candidates.lines import candidate_lines
from alc_core.errors import InputError
from alc_core.measures.measure import Measured
from alc_core.parameter import check_name
from alc_core.phrasing import listed, loss_text, no_markdown, numbered, printable, quoted
from alc_core.plain_values import to_plain
from alc_core.present.notebook import InNotebook
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import (
    EXIT_CODES,
    HARMLESS,
    SEVERITY,
    UNTESTED,
    Cause,
    Outcome,
    Verdict,
    cause_of,
    outcome_of,
    worst_outcome,
)

_OF_ATTACKS = {
    Cause.FOUND: "at or above the limit",
    Cause.INCONCLUSIVE: "inconclusive",
    Cause.EXPOSED: "exposing many people",
    Cause.FAILED: "failed",
    Cause.MISSING: "not yet run",
    Cause.LEFT_OUT: "left out to save time",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A reason why a release does not pass, with its worst attack."""

    cause: Cause
    attacks: int = 0  # For how many it holds
    unknown: tuple[str, ...] = ()  # What they learn
    number: int | None = None  # Of the worst with a result, with ALC and interval
    alc: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def words(self) -> str:
        """The reason in words."""
        if self.cause not in _OF_ATTACKS:
            return str(self.cause)
        what = _OF_ATTACKS[self.cause]
        text = f"{numbered(self.attacks, 'attack')} {what}"
        text += f": {quoted(self.unknown)}" if self.unknown else ""
        if self.alc is None or self.low is None or self.high is None:
            return text
        bounds = bounds_text(self.low, self.high, exact=True)
        return f"{text}; worst ALC {loss_text(self.alc)} ({bounds}), attack {self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateLine:
    """What the gate says of one release."""

    release: str
    outcome: Outcome
    grounds: tuple[Ground, ...] = ()  # Why it does not pass, or what was allowed
    allowed: str = ""  # What lets it pass nonetheless: "decision", "inconclusive"
    # Decision that stops it, if decisions count
    decided: str = ""

    @property
    def why(self) -> str:
        """Why it does not pass, or what was allowed."""
        parts = [ground.words for ground in self.grounds]
        if self.allowed:
            parts.append(f"allowed: {self.allowed}")
        elif self.decided:
            parts.append(f"decided: {self.decided}")
        return "; ".join(parts)

    @property
    def told(self) -> str:
        """The outcome, and why."""
        return f"{self.outcome} ({self.why})" if self.why else str(self.outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate(InNotebook):
    """The gate's answer for a campaign.

    Attributes
    ----------
    fail_on : Verdict
        Verdicts as bad or worse do not pass.
    scoring : ScoringParameters
    releases : tuple of GateLine
        In display order, each with `release`, `outcome`, `why` and, as numbers, `grounds`.

    Examples
    --------
    >>> import alc_core as alc
    >>> alc.gate("review.alc").exit_code
    3
    """

    fail_on: Verdict
    scoring: ScoringParameters
    releases: tuple[GateLine, ...]

    @property
    def outcome(self) -> Outcome:
        """The worst of the releases' outcomes."""
        return worst_outcome([line.outcome for line in self.releases])

    @property
    def exit_code(self) -> int:
        """0 passed, 1 stopped, 3 inconclusive."""
        return EXIT_CODES[self.outcome]

    @property
    def stopped(self) -> tuple[GateLine, ...]:
        """Releases behind the exit code; none if all passed."""
        is_passed = self.outcome is Outcome.PASSED
        return () if is_passed else tuple(r for r in self.releases if r.outcome is self.outcome)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"outcome": str(self.outcome), "exit": self.exit_code, **to_plain(self)}

    def markdown(self) -> str:
        """Return a summary for a build's page."""
        cells = [("Release", "Gate", "Why"), ("---",) * 3]
        cells += [(line.release, str(line.outcome), line.why) for line in self.releases]
        rows = [f"| {' | '.join(map(no_markdown, row))} |" for row in cells]
        return "\n".join((f"### Anonymity loss: {self.outcome}", "", *rows, ""))

    def text(self) -> str:
        """Return a line for each release."""
        return "\n".join(f"{line.release}: {line.told}" for line in self.releases)

    def junit(self) -> str:
        """Return the releases as JUnit test cases: failure, error or nothing."""
        found = [line.outcome for line in self.releases]
        suite = ET.Element(
            "testsuite", name="anonymity loss", tests=str(len(found)),
            failures=str(found.count(Outcome.FOUND)), errors=str(found.count(Outcome.INCONCLUSIVE)),
        )  # fmt: skip
        for line in self.releases:
            name, why = printable(line.release), printable(line.why)
            case = ET.SubElement(suite, "testcase", classname="anonymity loss", name=name)
            if line.outcome is not Outcome.PASSED:
                kind = "failure" if line.outcome is Outcome.FOUND else "error"
                ET.SubElement(case, kind, message=why, type=str(line.outcome))
            elif line.allowed:
                ET.SubElement(case, "system-out").text = why
        return ET.tostring(suite, encoding="unicode", xml_declaration=True)


def gate(
    campaign: CampaignLike,
    scoring: ScoringParameters | None = None,
    *,
    fail_on: Verdict | Literal["inconclusive", "at risk", "serious"] = Verdict.AT_RISK,
    allow: Collection[str] = (),
    allow_inconclusive: bool = False,
    allow_decided: bool = False,
) -> Gate:
    """Return whether each release of a campaign passes.

    A release does not pass if an attack is as bad as `fail_on`; if its rows are the original's or
    lead back to them; if it contains people's texts; or if it holds single people's values that no
    attack tested. It is inconclusive if nothing was tested, attacks were left out to save
    time, or many people are exposed (except at "serious"). At "serious", an attack at risk whose
    interval reaches serious is also inconclusive.

    Parameters
    ----------
    campaign : CampaignView, CampaignStore, path or str
    scoring : ScoringParameters, optional
        By default the run's.
    fail_on : {"inconclusive", "at risk", "serious"}, default "at risk"
        The limit.
    allow : collection of str
        Unknown columns whose attacks are ignored.
    allow_inconclusive : bool, default False
        Pass despite attacks that are inconclusive, failed, missing, left out or tested nothing,
        unless many people are surely exposed.
    allow_decided : bool, default False
        Pass if decided to be published, unless it got worse since.

    Returns
    -------
    Gate

    Raises
    ------
    InputError
        If an allowed column is not attacked, the limit is unknown, or the file cannot be read.

    Examples
    --------
    >>> print(*(f"{line.release}: {line.outcome}" for line in gate("review.alc").releases))
    strong: inconclusive
    """
    check_name("fail_on", fail_on, (Verdict.INCONCLUSIVE, Verdict.AT_RISK, Verdict.SERIOUS))
    with viewed(campaign) as view:
        view.store.check_whole()
        scoring = scoring or view.settings.scoring
        view.settle(scoring)
        attacked = {attack.scenario.unknown for attack in view.judged}
        if strangers := [column for column in allow if column not in attacked]:
            raise InputError(
                f"Column '{strangers[0]}' is allowed but not attacked. Attacked: "
                f"{listed(sorted(attacked))}."
            )
        decided = release_decisions(view.store) if allow_decided else {}
        kept = {attack.number for attack in view.judged if attack.scenario.unknown not in allow}
        frame = view.frame(scoring)
        frame = frame[frame["number"].isin(kept)]
        limit = Verdict(fail_on)
        found = []
        for line in candidate_lines(view, scoring, {}):
            own = frame[frame["release"] == line.release]
            grounds = _grounds(line, own, scoring, limit)
            outcome, allowed = outcome_of([ground.cause for ground in grounds]), ""
            done = own[own["status"] == FINISHED]  # also those whose loss is inconclusive
            surely = limit is not Verdict.SERIOUS and bool(expose_many(done).any())
            if grounds and line.release in decided and _holds(decided[line.release], line):
                allowed = "decision"
            elif allow_inconclusive and outcome is Outcome.INCONCLUSIVE and not surely:
                allowed = "inconclusive"
            outcome = Outcome.PASSED if allowed else outcome
            choice = decided[line.release].choice if line.release in decided else None
            stays = outcome is not Outcome.PASSED and choice not in (None, *PUBLISHED)
            found.append(
                GateLine(
                    release=line.release, outcome=outcome, grounds=grounds, allowed=allowed,
                    decided=str(choice) if stays else "",
                )
            )  # fmt: skip
    return Gate(fail_on=limit, scoring=scoring, releases=tuple(found))


def _holds(decision: ReleaseDecision, line: CandidateLine) -> bool:
    """Whether a release is to be published, and got no worse since."""
    then, now = decision.standing, line.standing
    worse = now not in (None, *UNTESTED, *HARMLESS) and (
        not then or SEVERITY.index(now) > SEVERITY.index(then)
    )
    return decision.choice in PUBLISHED and not worse and not exposes_more(decision, line)


_BY_STATUS = {FAILED: Cause.FAILED, NOT_YET_RUN: Cause.MISSING}


def _grounds(
    line: CandidateLine, attacks: pd.DataFrame, scoring: ScoringParameters, fail_on: Verdict
) -> tuple[Ground, ...]:
    exposing = expose_many(attacks)
    shown = (attacks[column] for column in ("status", "standing", "standing_high"))
    causes = pd.Series(
        [
            cause_of(Verdict(standing), high, scoring, fail_on, exposes_many=many)
            if status == FINISHED
            else _BY_STATUS.get(status)
            for status, standing, high, many in zip(*shown, exposing, strict=True)
        ],
        index=attacks.index,
        dtype=object,
    )
    if not (causes == Cause.FOUND).any():  # What settled it may no longer count
        causes[attacks["status"] == SKIPPED] = Cause.MISSING
    said = (
        (Cause.LINKED, line.linked),
        (Cause.ROWS, line.verbatim),
        (Cause.TEXTS, line.texts),
        (Cause.TOGETHER, line.together),
    )
    grounds = [Ground(cause=cause) for cause, holds in said if holds]
    grounds += [
        _ground(cause, attacks[causes == cause])
        for cause in (Cause.FOUND, Cause.INCONCLUSIVE, Cause.EXPOSED, Cause.FAILED, Cause.MISSING)
        if (causes == cause).any()
    ]
    if line.left_out:
        grounds.append(Ground(cause=Cause.LEFT_OUT, attacks=line.left_out))
    if attacks.empty and line.planned:
        grounds.append(Ground(cause=Cause.ALLOWED))
    elif not ((attacks["status"] == FINISHED) & (causes != Cause.UNTESTED)).any():
        grounds.append(Ground(cause=Cause.UNTESTED))
    return tuple(grounds)


def _ground(cause: Cause, attacks: pd.DataFrame) -> Ground:
    worst = attacks.iloc[0]
    found: dict[str, Any] = {}
    if worst["status"] == FINISHED:
        found = {name: float(worst[f"standing_{name}"]) for name in ("alc", "low", "high")}
        found["number"] = int(worst["number"])
    unknown = tuple(dict.fromkeys(attacks["unknown"]))
    return Ground(cause=cause, attacks=len(attacks), unknown=unknown, **found)


Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRelease:
    """What the attacks on one release say of publishing it."""

    release: str
    part_of: str = ""  # The release of linked tables it is a part of
    title: str = ""  # A verdict, or what overrides it
    verdict: str | None  # Of its worst attack; None without a result
    publishing: str
    reason: str  # What decides
    decisive_alc: Measured | None  # Of the worst attack; None without a result
    exposed: Measured | None  # People, by the attack that exposes most
    people_exposed: int | None = None  # As displayed: 0 if it may be chance
    rows_traced: Measured | None = None  # Share whose own row is found; None proves nothing
    asking: int  # Attacks that ask for a look
    planned: int
    finished: int
    failed: int
    skipped: int
    left_out: int = 0  # Planned, left out to save time

    @classmethod
    def of(cls, line: CandidateLine) -> Self:
        """Return the numbers of a line."""
        worst, most, told = line.worst, line.most, line.people_exposed
        return cls(
            release=line.release, part_of=line.part_of, title=line.title, verdict=line.standing,
            publishing=line.words,
            people_exposed=(told.number if line.exposes else 0) if told else None,
            reason=str(line.reason),
            decisive_alc=Measured(worst.alc, worst.low, worst.high) if worst else None,
            exposed=Measured(most.exposed, most.exposed_low, most.exposed_high)
            if most else None,
            rows_traced=line.traced.share if line.traced else None,
            asking=line.asking, planned=line.planned + line.left_out,
            finished=line.finished, failed=line.failed, skipped=line.skipped,
            left_out=line.left_out,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundJson:
    """A campaign's findings by release, and by attack as in the findings table."""

    format: Literal["alc-findings/1"] = "alc-findings/1"
    scoring: ScoringParameters
    releases: Sequence[FoundRelease]
    attacks: Sequence[Mapping[str, Cell]]

    @classmethod
    def of(
        cls, scoring: ScoringParameters, lines: Sequence[CandidateLine], frame: pd.DataFrame
    ) -> Self:
        """Combine lines and table; missing cells are None."""
        cells = frame.astype(object).where(frame.notna(), None)
        rows = cells.itertuples(index=False, name=None)
        return cls(
            scoring=scoring,
            releases=[FoundRelease.of(line) for line in lines],
            attacks=[dict(zip(frame.columns, row, strict=True)) for row in rows],
        )
