"""The decision about publishing a release, kept in the review file."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from alc_core.campaign.file.annotations import Annotations
from alc_core.campaign.file.store import CampaignReader, CampaignStore
from alc_core.campaign.findings.decisions import Decision, undecided_attacks
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.candidates.line import CandidateLine
from alc_core.parameter import check_name
from alc_core.plain_values import MOST_CHARACTERS, check_day, check_lengths
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Publishing, Verdict


class ReleaseChoice(enum.StrEnum):
    """What is to happen with a release."""

    PUBLISH = "publish"
    CONDITIONS = "publish with conditions"
    CHANGE = "change and test again"
    NOT = "do not publish"
    NOT_CHOSEN = "not chosen"


# Choices that let people see a release
PUBLISHED = (ReleaseChoice.PUBLISH, ReleaseChoice.CONDITIONS)

# The standing whose colour a choice has
RELEASE_CHOICE_STANDINGS: Mapping[ReleaseChoice, str] = {
    ReleaseChoice.PUBLISH: Verdict.BELOW_LIMIT,
    ReleaseChoice.CONDITIONS: Verdict.AT_RISK,
    ReleaseChoice.CHANGE: Verdict.INCONCLUSIVE,
    ReleaseChoice.NOT: Verdict.SERIOUS,
    ReleaseChoice.NOT_CHOSEN: Verdict.NOT_TESTABLE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseDecision:
    """The decision about a release, and what was known then."""

    choice: ReleaseChoice | None  # None for words without a decision
    # Why. If empty, the attacks' findings.
    reasons: str
    conditions: str
    name: str  # Who decided
    day: str  # ISO date, or empty
    standing: str | None  # Of the release's worst attack then
    alc: float | None  # The ALC that it stood on
    scoring: ScoringParameters  # The parameters in force then
    made: str  # Time of entry, ISO in UTC
    # Whether it surely exposed many people then
    exposes_many: bool = False

    def __post_init__(self) -> None:
        check_day(self.day)
        check_lengths(self.reasons, self.conditions, self.name)


_OF_A_FILE = " (says an uploaded file)"
_DECISIONS = Annotations(
    "release decision",
    str,
    ReleaseDecision,
    belongs=lambda store, release, _: release in store.settings.releases,
)


def decide_release(
    store: CampaignStore,
    line: CandidateLine,
    choice: ReleaseChoice | None,
    *,
    scoring: ScoringParameters,
    reasons: str = "",
    conditions: str = "",
    name: str = "",
    day: str = "",
) -> ReleaseDecision | None:
    """Keep the decision about a release, replacing an earlier one."""
    check_name("release", line.release, store.settings.releases)
    if choice is None and not reasons.strip() and not conditions.strip():
        _DECISIONS.remove(store, line.release)
        return None
    decision = ReleaseDecision(
        choice=choice,
        reasons=reasons.strip(),
        conditions=conditions.strip() if choice is ReleaseChoice.CONDITIONS else "",
        name=name.strip(),
        day=day,
        standing=line.standing,
        alc=None if line.worst is None else line.worst.alc,
        scoring=scoring,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        exposes_many=line.exposes_many,
    )
    _DECISIONS.keep(store, line.release, decision)
    return decision


def release_decisions(store: CampaignReader) -> dict[str, ReleaseDecision]:
    """Return decisions by release, in the campaign's order."""
    found = _DECISIONS.read(store)
    return {name: found[name] for name in store.settings.releases if name in found}


def release_choices(store: CampaignReader) -> dict[str, str]:
    """Return what was chosen for releases, in words."""
    made = release_decisions(store).items()
    return {name: str(each.choice) for name, each in made if each.choice is not None}


def doubt_names(store: CampaignStore) -> None:
    """Say that names of decisions are only a file's, not those of logins."""
    for release, decision in release_decisions(store).items():
        if decision.name and not decision.name.endswith(_OF_A_FILE):
            name = decision.name[: MOST_CHARACTERS - len(_OF_A_FILE)] + _OF_A_FILE
            _DECISIONS.keep(store, release, replace(decision, name=name))


def sign_decisions(store: CampaignStore, name: str, day: str) -> None:
    """Name who decided on all releases, and when."""
    for release, decision in release_decisions(store).items():
        _DECISIONS.keep(store, release, replace(decision, name=name.strip(), day=day))


def suggested_choice(line: CandidateLine) -> ReleaseChoice | None:
    """Return the suggested choice; None if only the reviewer can say."""
    return _SUGGESTED.get(line.publishing)


_SUGGESTED = {
    Publishing.CHANGE: ReleaseChoice.NOT,
    Publishing.EXAMINE: ReleaseChoice.CHANGE,
}


def last_decider(store: CampaignReader) -> str:
    """Return who last decided; empty if nobody."""
    made = release_decisions(store).values()
    return max(made, key=lambda each: each.made).name if made else ""


def settled(lines: Iterable[CandidateLine], made: Mapping[str, ReleaseDecision]) -> bool:
    """Whether all releases are decided on and unchanged since."""
    pairs = ((made.get(line.release), line) for line in lines)
    return all(each and each.choice and not moved(each, line) for each, line in pairs)


def moved(decision: ReleaseDecision, line: CandidateLine) -> bool:
    """Whether a release's standing changed since its decision."""
    return line.standing != decision.standing or exposes_more(decision, line)


def exposes_more(decision: ReleaseDecision, line: CandidateLine) -> bool:
    """Whether a release newly exposes many people since its decision."""
    return line.exposes_many and not decision.exposes_many


def open_attacks(
    overview: CampaignOverview,
    made: Mapping[int, Decision],
    releases: Mapping[str, ReleaseDecision],
) -> tuple[int, ...]:
    """Return attacks that still need a decision; their release's covers them."""
    covered = {name for name, each in releases.items() if each.choice is not None}
    results = overview.results
    on = dict(zip(results["number"].tolist(), results["release"].tolist(), strict=True))
    return tuple(n for n in undecided_attacks(overview, made) if on[n] not in covered)
