"""One release of a campaign: verdict, people exposed, and what decides."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from alc_core.assessment.people import exposed_number
from alc_core.campaign.model import PlannedAttack
from alc_core.measures.measure import Measured
from alc_core.note import COPIED_TITLE, LINKED_TITLE, TEXTS_TITLE, TOGETHER_TITLE, Note
from alc_core.phrasing import count, numbered
from alc_core.present.notebook import InNotebook
from alc_core.scoring.verdict import (
    FLAGGED,
    HARMLESS,
    PUBLISHING,
    Cause,
    Perhaps,
    Publishing,
    Verdict,
    exposes_many,
    standing_words,
)
from alc_core.studies.utility.result import Utility
from alc_core.tables.checks.facts import Fact, FactKind, FileFacts


class Reason(enum.StrEnum):
    """What decides about a release."""

    LINKED = Cause.LINKED.value
    VERBATIM = Cause.ROWS.value
    TEXTS = Cause.TEXTS.value
    TOGETHER = Cause.TOGETHER.value  # And no attack was on them
    EXPOSED = "people are exposed"
    CERTAINTY = "certain, without new answers"  # A loss is shown, and nobody is exposed
    UNSURE = "attacks inconclusive"
    UNCONVERGED = "attacks did not converge"
    BELOW_LIMIT = "no attack does much better than guessing"
    TOO_FEW = "too few people to test"
    NOTHING = "nothing tested"


_UNDONE = {
    Reason.LINKED: LINKED_TITLE,
    Reason.VERBATIM: COPIED_TITLE,
    Reason.TEXTS: TEXTS_TITLE,
    Reason.TOGETHER: TOGETHER_TITLE,
    Reason.EXPOSED: "Exposes people",
}


_UNSURE: Mapping[str, Reason] = {
    Verdict.INCONCLUSIVE: Reason.UNSURE,
    Verdict.NOT_CONVERGED: Reason.UNCONVERGED,
}
_MANY_TRACED = 0.1
WORST_FIRST = (Publishing.CHANGE, Publishing.EXAMINE, Publishing.UNKNOWN, Publishing.CLEAR)


def publishing_of(lines: Iterable[CandidateLine]) -> dict[str, Publishing]:
    """Return what is said of publishing each whole release: the worst of its parts."""
    found: dict[str, Publishing] = {}
    for line in lines:
        both = (line.publishing, found.get(line.whole, line.publishing))
        found[line.whole] = min(both, key=WORST_FIRST.index)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackNumbers:
    """Findings of one attack."""

    attack: PlannedAttack
    standing: str
    alc: float  # Decides, with its interval
    low: float
    high: float
    interval: str  # As displayed, with the limit if it decides the verdict
    perhaps: Perhaps | None  # What that interval leaves open
    exposed: float  # People exposed, with their interval
    exposed_low: float
    exposed_high: float
    exposed_surely: float  # Lower bound, allowing for all attacks of the campaign
    people: int  # All people of the original
    material: float  # Number from which exposed people matter
    more: bool  # Whether more people can be attacked

    @property
    def exposes_many(self) -> bool:
        """Whether it surely exposes enough people to need attention."""
        return bool(exposes_many(self.exposed_surely, self.people, self.material))

    @property
    def by_chance(self) -> float:
        """Most people a harmless attack among as many would seem to expose."""
        return self.exposed - self.exposed_surely

    @property
    def exposes(self) -> bool:
        """Whether it exposes anyone beyond chance.

        Among many attacks, beyond what chance gives the luckiest.
        """
        return self.exposed_low > 0 and (self.standing in FLAGGED or self.exposed_surely > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleExposed:
    """How many people a release exposes, as displayed."""

    number: int  # 0 if negligible, or no more than chance
    interval: tuple[float, float]
    of: int  # All people of the original
    wanted: str  # What is learned of them
    perhaps: bool  # Whether it is an inconclusive attack's upper bound
    linked: bool = False  # Whether rows are also traceable

    @property
    def how(self) -> str:
        """What stands before the number."""
        return "perhaps up to" if self.perhaps else "about"

    @property
    def words(self) -> str:
        """How many of how many."""
        if not self.number:
            return "nobody found exposed beyond guessing"
        return f"{self.how} {count(self.number)} of {count(self.of)} people exposed"

    @property
    def by(self) -> str:
        """Interval and inferred column, in brackets."""
        if self.perhaps:
            return f"'{self.wanted}'"
        low, high = (count(max(round(each), 0)) for each in self.interval)
        more = ", even when unlinked" if self.linked else ""
        return f"{low} to {high}; '{self.wanted}'{more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedRows:
    """People whose own row an attacker finds in a release of own rows."""

    share: Measured  # Of the people, with an interval
    known: Sequence[str]  # What the attacker knows
    absent: tuple[str, ...]  # Columns that the release lacks
    number: int  # Of the attack
    rows: int  # Of the release: a random row is the person's own once in as many

    @property
    def many(self) -> bool:
        """Whether enough rows are surely found to question a low ALC."""
        return self.share.interval[0] >= _MANY_TRACED


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateLine(InNotebook):
    """One release of a campaign."""

    release: str  # Its name
    standing: str | None  # Of its worst attack; None without a result
    counts: Mapping[str, int]  # Its attacks by standing
    # The worst attack; of equally bad ones, that which exposes most, or might; the subset attack if
    # that decides; None without a result
    worst: AttackNumbers | None
    # The attack that exposes most; if none does and the worst is inconclusive, the inconclusive one
    # that might expose most
    most: AttackNumbers | None
    finished: int  # Attacks on it
    asking: int  # Attacks that need attention
    exposing: int  # Below the limit, but exposing many people
    concerned: Mapping[str, int]  # By standing: most people whom attacks may expose
    failed: int
    skipped: int  # Not run, as the release was settled
    planned: int
    left_out: int  # Planned besides, left out to save time
    # Whether row order or a column leads to the original's rows
    linked: bool
    untested: tuple[str, ...]  # Unknown columns whose attacks had nothing left to learn
    # The check's note on copied rows
    copied: Note | None
    texts: Note | None  # The check's note on people's texts that return
    not_attacked: tuple[str, ...]  # Columns attacked only on other releases
    absent: tuple[str, ...]  # Columns of the original that it lacks
    # Whether a model trained on it may find more than its attacks
    untried: bool
    utility: Utility | None  # None if not measured
    facts: tuple[FileFacts, ...]  # Counts of its files
    # Single people's values that no attack tests
    together: tuple[Fact, ...] = ()
    # By the attacker who finds most own rows; None if none is found
    traced: TracedRows | None = None
    part_of: str = ""  # The release of linked tables it is a part of

    @property
    def whole(self) -> str:
        """The release that is published with it: itself, or that of its linked tables."""
        return self.part_of or self.release

    @property
    def exposes(self) -> bool:
        """Whether any attack exposes anybody beyond chance."""
        return self.most is not None and self.most.exposes

    @property
    def exposes_many(self) -> bool:
        """Whether an attack surely exposes enough people to need attention."""
        return self.most is not None and self.most.exposes_many

    @property
    def people_exposed(self) -> PeopleExposed | None:
        """People it exposes, or might if inconclusive; None without a result."""
        found = self.most
        if found is None:
            return None
        number = exposed_number(found.exposed, found.exposed_low)
        most = max(round(found.exposed_high), 0) if self.standing == Verdict.INCONCLUSIVE else 0
        perhaps = most > 0 and not self.exposes
        return PeopleExposed(
            number=most if perhaps else number if self.exposes else 0,
            interval=(found.exposed_low, found.exposed_high),
            of=found.people,
            wanted=found.attack.scenario.wanted,
            perhaps=perhaps,
            linked=self.linked and not self.by_link,
        )

    @property
    def stopped(self) -> bool:
        """Whether the check stops it, whatever attacks find."""
        return self.linked or self.verbatim or bool(self.texts or self.together)

    @property
    def verbatim(self) -> bool:
        """Whether clearly more rows are the original's than by chance."""
        return self.copied is not None

    @property
    def reason(self) -> Reason:
        """What decides about it, before all else."""
        if self.linked:
            return Reason.LINKED
        if self.texts is not None:
            return Reason.TEXTS
        if self.verbatim:
            return Reason.VERBATIM
        if self.together and not (self.flagged or self.exposes_many):
            return Reason.TOGETHER
        if self.standing == Verdict.TOO_FEW:
            return Reason.TOO_FEW
        if self.standing is None or self.standing == Verdict.NOT_TESTABLE:
            return Reason.NOTHING
        if self.flagged:
            return Reason.EXPOSED if self.exposes else Reason.CERTAINTY
        if self.exposes_many:
            return Reason.EXPOSED
        return _UNSURE.get(self.standing, Reason.BELOW_LIMIT)

    @property
    def by_link(self) -> bool:
        """Whether the deciding attacks know a column to look people up by."""
        facts = (fact for file in self.facts for fact in file.facts)
        columns = {c for f in facts if f.kind is FactKind.PSEUDONYM for c in f.columns}
        told = filter(None, (self.worst, self.most))
        return any(not columns.isdisjoint(each.attack.scenario.known) for each in told)

    @property
    def flagged(self) -> bool:
        """Whether its worst attack is at risk or worse."""
        return self.standing in FLAGGED

    @property
    def to_run(self) -> int:
        """Attacks that are still to come."""
        return self.planned - self.finished - self.failed - self.skipped

    @property
    def so_far(self) -> bool:
        """Whether open attacks may still change its result."""
        left_out = self.left_out and self.publishing is not Publishing.CHANGE
        return self.standing is not None and (self.to_run > 0 or left_out > 0)

    @property
    def provisional(self) -> str:
        """Attacks behind the line while others have no result; else empty."""
        if not self.so_far:
            return ""
        every = numbered(self.planned + self.left_out, "attack")
        return f"provisional: {count(self.finished)} of {every} so far"

    @property
    def _by_attacks(self) -> Publishing:
        return Publishing.UNKNOWN if self.standing is None else PUBLISHING[self.standing]

    @property
    def undone(self) -> bool:
        """Whether the check's counts are worse than the attacks' findings."""
        return self.publishing not in (self._by_attacks, Publishing.UNKNOWN)

    @property
    def shown_standing(self) -> str:
        """The standing whose colour it has."""
        if self.undone:
            return Verdict.SERIOUS if self.linked or self.texts else Verdict.AT_RISK
        return self.standing or Verdict.NOT_TESTABLE

    @property
    def title(self) -> str:
        """The verdict of its worst attack with what is open, or what overrides it."""
        if self.undone:
            return _UNDONE[self.reason]
        if self.standing is None:
            return "No result" if self.planned else "Not tested"
        found = standing_words(self.standing, self.worst.perhaps if self.worst else None)
        if self.standing in HARMLESS:  # Of the attacks, never of the release
            found += " from this attack" if self.planned == 1 else " from these attacks"
        return f"{found} so far" if self.so_far or self.awaits_model else found

    @property
    def awaits_model(self) -> bool:
        """Whether nothing was found, and no model was tried."""
        return self.untried and self.publishing is Publishing.CLEAR

    @property
    def words(self) -> str:
        """What to do with the release, and the attacks behind that."""
        if self.so_far and self.publishing is Publishing.UNKNOWN:
            return self.provisional
        if self.so_far:
            return f"{self.publishing}, {self.provisional}"
        if self.awaits_model:
            return f"{self.publishing} yet"
        return self.publishing

    @property
    def publishing(self) -> Publishing:
        """What attacks and check say of publishing; all need a result to pass.

        Links of rows to people, or their texts, override attacks, which do not use them.
        """
        found = self._by_attacks
        if found is Publishing.CHANGE or self.linked or self.texts is not None:
            return Publishing.CHANGE
        if self.verbatim or self.exposes_many or self.together:
            return Publishing.EXAMINE
        missing = self.to_run or self.failed or self.skipped
        return Publishing.UNKNOWN if found is Publishing.CLEAR and missing else found
