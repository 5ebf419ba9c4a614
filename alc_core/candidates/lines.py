"""One line for each release of a campaign: what its attacks say of publishing it, and its use."""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scipy.stats import norm

from alc_core.assessment.people import exposed_number
from alc_core.assessment.result import Assessment
from alc_core.assessment.words import verdict_title
from alc_core.attacks.registry import fits_model
from alc_core.campaign.file.annotations import kept_facts, kept_settings
from alc_core.campaign.findings.overview import CampaignOverview, bounds_text, untested_columns
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.note import Note, is_verbatim, keeps_rows, leads_back, tells_copies
from alc_core.phrasing import count, numbered
from alc_core.present.notebook import InNotebook
from alc_core.releases.registry import of_rows
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import (
    FLAGGED,
    PUBLISHING,
    SEVERITY,
    Perhaps,
    Publishing,
    Verdict,
    exposes_many,
    perhaps,
    standing_words,
)
from alc_core.studies.utility.result import Utility
from alc_core.tables.checks.facts import FileFacts
from alc_core.tables.checks.finding import Finding


def asks_for_model(kind: str, attacks: Iterable[str], said: Iterable[Finding | Note]) -> bool:
    """Return whether a model trained on a release may find what the attacks on it cannot.

    It may where none of them fits one and the rows are not the original's own.

    Examples
    --------
    >>> asks_for_model("rows", ["best row match"], [])
    True
    >>> asks_for_model("rows", ["best row match", "model: family=boosting"], [])
    False
    """
    attacked = list(attacks)
    made_up = not any(keeps_rows(each.code, each.numbers) for each in said)
    return of_rows(kind) and bool(attacked) and not any(map(fits_model, attacked)) and made_up


class Reason(enum.StrEnum):
    """What decides about a release."""

    LINKED = "rows lead back to the original's"
    VERBATIM = "rows are the original's"
    EXPOSED = "people are exposed"
    CERTAINTY = "certain of what a guess tells, too"  # A loss is shown, and nobody is exposed
    UNSURE = "too few people to tell"
    UNCONVERGED = "attacks came to no end"
    SAFE = "no attack tells much more than a guess"
    NOTHING = "nothing tested"


_UNDONE = {
    Reason.LINKED: "Rows lead to people",
    Reason.VERBATIM: "Holds original rows",
    Reason.EXPOSED: "Exposes people",
}


_UNSURE: Mapping[str, Reason] = {
    Verdict.UNDECIDED: Reason.UNSURE,
    Verdict.NOT_CONVERGED: Reason.UNCONVERGED,
}
WORST_FIRST = (Publishing.CHANGE, Publishing.EXAMINE, Publishing.UNKNOWN, Publishing.CLEAR)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackNumbers:
    """What one attack found, all of it of this attack alone."""

    attack: PlannedAttack
    standing: str
    alc: float  # What it stands on, with its interval
    low: float
    high: float
    interval: str  # That interval for show, and by which limit where it decides the verdict
    perhaps: Perhaps | None  # What that interval leaves open
    exposed: float  # People exposed, with their interval
    exposed_low: float
    exposed_high: float
    by_chance: float  # The most that as many harmless attacks would seem to expose
    people: int  # All people of the original
    more: bool  # Whether more people can be attacked

    @property
    def exposes(self) -> bool:
        """Whether it exposes anybody beyond chance.

        One of many attacks that find nothing else does only beyond what chance gives the luckiest.
        """
        sure = self.standing in FLAGGED or self.exposes_many or self.exposed > self.by_chance
        return self.exposed_low > 0 and sure

    @property
    def exposes_many(self) -> bool:
        """Whether it surely exposes so many that it asks for a look."""
        return bool(exposes_many(self.exposed_low, self.people))


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleExposed:
    """How many people a release exposes, as it is told everywhere."""

    number: int  # As good as nobody is none
    interval: tuple[float, float]
    of: int  # All people of the original
    wanted: str  # What is learned of them
    perhaps: bool  # Whether it is the upper end of an undecided attack's interval
    chance: bool  # Whether it may be chance
    linked: bool = False  # Whether rows lead back to the original's besides

    @property
    def how(self) -> str:
        """What stands before the number."""
        return "perhaps up to" if self.perhaps else "about"

    @property
    def words(self) -> str:
        """How many of how many, in a few words."""
        if not self.number:
            return "nobody exposed"
        return f"{self.how} {count(self.number)} of {count(self.of)} people exposed"

    @property
    def by(self) -> str:
        """What stands behind it, in brackets: the interval, and what is learned."""
        if self.perhaps:
            return self.wanted
        low, high = (count(max(round(each), 0)) for each in self.interval)
        more = (
            ", no more than chance"
            if self.chance
            else ", even when unlinked"
            if self.linked
            else ""
        )
        return f"{low} to {high}; {self.wanted}{more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateLine(InNotebook):
    """One release of a campaign."""

    release: str  # Its name
    standing: str | None  # Of its worst attack; None without a result
    counts: Mapping[str, int]  # Its attacks by standing
    # The attack that it stands on: the worst, of equally bad ones that which exposes most people,
    # or might; where it is so through fewer facts alone, the one with these; None without a result
    worst: AttackNumbers | None
    # The attack that exposes most people, which speaks for the release; where none does and its
    # worst is undecided, the undecided one that might expose most
    most: AttackNumbers | None
    finished: int  # Attacks on it
    asking: int  # Those of them that ask for a look
    failed: int
    skipped: int  # Not run as the release was settled before
    planned: int
    # Whether the order of its rows or a column leads to the original's rows, by the check
    linked: bool
    untested: tuple[str, ...]  # Unknown columns of which no attack on it had anything left to learn
    # What the check said of rows that are the original's; None where it found none
    copied: Note | None
    not_attacked: tuple[str, ...]  # Columns that are attacked on other releases alone
    # Whether a model trained on it may find what the attacks on it cannot, by what the check says
    # of it, wherever it stands
    untried: bool
    utility: Utility | None  # What the release is still good for; None where it was not measured
    facts: tuple[FileFacts, ...]  # What was counted of its files; empty in older campaigns

    @property
    def exposes(self) -> bool:
        """Whether any attack exposes anybody beyond chance."""
        return self.most is not None and self.most.exposes

    @property
    def exposes_many(self) -> bool:
        """Whether an attack surely exposes so many that it asks for a look."""
        return self.most is not None and self.most.exposes_many

    @property
    def people_exposed(self) -> PeopleExposed | None:
        """How many people it exposes; perhaps, where it is undecided; None without a result."""
        found = self.most
        if found is None:
            return None
        number = exposed_number(found.exposed, found.exposed_low)
        most = max(round(found.exposed_high), 0) if self.standing == Verdict.UNDECIDED else 0
        perhaps = most > 0 and not self.exposes
        return PeopleExposed(
            number=most if perhaps else number,
            interval=(found.exposed_low, found.exposed_high),
            of=found.people,
            wanted=found.attack.scenario.wanted,
            perhaps=perhaps,
            chance=not self.exposes and not perhaps,
            linked=self.linked,
        )

    @property
    def verbatim(self) -> bool:
        """Whether clearly more of its rows are the original's, in all columns, than by chance."""
        return self.copied is not None and is_verbatim(self.copied)

    @property
    def reason(self) -> Reason:
        """What decides about it, before all else."""
        if self.linked:
            return Reason.LINKED
        if self.verbatim:
            return Reason.VERBATIM
        if self.standing is None or self.standing == Verdict.NOTHING_LEFT:
            return Reason.NOTHING
        if self.flagged:
            return Reason.EXPOSED if self.exposes else Reason.CERTAINTY
        if self.exposes_many:
            return Reason.EXPOSED
        return _UNSURE.get(self.standing, Reason.SAFE)

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
        """Whether there is a result, and attacks that may still change what it says."""
        return self.standing is not None and self.to_run > 0

    @property
    def provisional(self) -> str:
        """How many attacks the line rests on while others are still to come; else empty."""
        if not self.so_far:
            return ""
        return f"provisional: {count(self.finished)} of {numbered(self.planned, 'attack')} so far"

    @property
    def undone(self) -> bool:
        """Whether what the check counted is worse than all that the attacks found."""
        return self.standing is not None and self.publishing not in (
            PUBLISHING[self.standing],
            Publishing.UNKNOWN,
        )

    @property
    def shown_standing(self) -> str:
        """The standing whose colour it has: of its worst attack, or of what undoes that."""
        if self.undone:
            return Verdict.SERIOUS if self.linked else Verdict.AT_RISK
        return self.standing or Verdict.NOTHING_LEFT

    @property
    def title(self) -> str:
        """The verdict of its worst attack, and what that leaves open; or what undoes it."""
        if self.standing is None:
            return "No result" if self.planned else "Not tested"
        if self.undone:
            return _UNDONE[self.reason]
        found = standing_words(self.standing, self.worst.perhaps if self.worst else None)
        return f"{found} so far" if self.so_far or self.awaits_model else found

    @property
    def awaits_model(self) -> bool:
        """Whether nothing was found against it, and no model was tried that might find more."""
        return self.untried and self.publishing is Publishing.CLEAR

    @property
    def words(self) -> str:
        """What to do with the release, and on how many attacks that rests so far."""
        if self.so_far and self.publishing is Publishing.UNKNOWN:
            return self.provisional
        if self.so_far:
            return f"{self.publishing}, {self.provisional}"
        if self.awaits_model:
            return f"{self.publishing} yet"
        return self.publishing

    @property
    def publishing(self) -> Publishing:
        """What attacks and check say of publishing: all must have a result for nothing found.

        What links rows to people undoes whatever the attacks, which do not use it, leave unlearned.
        """
        if self.standing is None:
            return Publishing.UNKNOWN
        found = PUBLISHING[self.standing]
        if found is Publishing.CHANGE or self.linked:
            return Publishing.CHANGE
        if self.verbatim or self.exposes_many:
            return Publishing.EXAMINE
        missing = self.to_run or self.failed or self.skipped
        return Publishing.UNKNOWN if found is Publishing.CLEAR and missing else found


def candidate_lines(
    view: CampaignView, scoring: ScoringParameters, utilities: Mapping[str, Utility]
) -> tuple[CandidateLine, ...]:
    """Return the releases of a campaign in the order of all pages: refused ones first.

    While attacks are still to run they stay in the campaign's order.
    """
    facts, chosen = kept_facts(view.store), chosen_releases(view)
    key = ("lines", scoring, chosen, tuple(facts.items()))
    lines = view.keep(key, lambda: _lines(view, scoring, chosen, facts))
    return tuple(replace(line, utility=utilities.get(line.release)) for line in lines)


def _lines(
    view: CampaignView,
    scoring: ScoringParameters,
    chosen: Sequence[str],
    facts: Mapping[str, tuple[FileFacts, ...]],
) -> list[CandidateLine]:
    attacked: dict[str, set[str]] = {name: set() for name in chosen}
    for attack in view.judged:
        attacked[attack.release].add(attack.scenario.unknown)
    unknown = dict.fromkeys(attack.scenario.unknown for attack in view.judged)
    lines = [
        _line(
            name, view.only(name), scoring, facts=facts.get(name, ()),
            not_attacked=tuple(column for column in unknown if column not in own),
        )
        for name, own in attacked.items()
    ]  # fmt: skip
    return lines if any(line.to_run for line in lines) else sorted(lines, key=_place)


def chosen_releases(view: CampaignView) -> tuple[str, ...]:
    """Return the releases that were to be attacked, also those on which no attack could be."""
    plan = kept_settings(view.store)
    chosen = plan.attacked if plan is not None and plan.attacked else view.settings.releases
    seen = (view.release,) if view.release else chosen
    return (*view.attacked_releases, *(n for n in seen if n not in view.attacked_releases))


def title_on_release(view: CampaignView, attack: PlannedAttack, shown: Assessment) -> str:
    """Return the verdict of an attack, "so far" where its release awaits attacks or a model."""
    title = verdict_title(shown)
    if PUBLISHING[shown.verdict] is not Publishing.CLEAR:
        return title
    (line,) = candidate_lines(view.only(attack.release), shown.scoring, {})
    return f"{title} so far" if line.so_far or line.awaits_model else title


def release_order(view: CampaignView, scoring: ScoringParameters) -> tuple[str, ...]:
    """Return the names of a campaign's releases in the order of all pages."""
    return tuple(line.release for line in candidate_lines(view, scoring, {}))


def shown_standings(view: CampaignView, scoring: ScoringParameters) -> dict[str, str]:
    """Return the standing by which each release of a campaign is coloured, on all pages."""
    return {line.release: line.shown_standing for line in candidate_lines(view, scoring, {})}


def _place(line: CandidateLine) -> tuple[object, ...]:
    """Return what sorts releases: verdict, rows that lead back, people exposed, copies, ALC."""
    worst = line.worst
    exposed = line.most.exposed if line.most is not None and line.exposes else 0
    return (
        WORST_FIRST.index(line.publishing),
        -1 if line.standing is None else -SEVERITY.index(Verdict(line.shown_standing)),
        not line.linked,
        -1 if worst is None or worst.perhaps is None else list(Perhaps).index(worst.perhaps),
        -exposed,
        not line.verbatim,
        0.0 if worst is None else -worst.alc,
    )


def asking_for_model(lines: Sequence[CandidateLine]) -> list[str]:
    """Return the releases that a model might yet find more of: none that is refused anyway."""
    return [
        line.release for line in lines if line.untried and line.publishing is not Publishing.CHANGE
    ]


def _line(
    name: str,
    view: CampaignView,
    scoring: ScoringParameters,
    *,
    facts: tuple[FileFacts, ...],
    not_attacked: tuple[str, ...],
) -> CandidateLine:
    overview = view.overview(scoring)
    # What the check said of a release is noted by each attack on it.
    notes = () if overview.worst is None else view.assessment(overview.worst).notes
    chosen = {attack.attack for attack in view.judged}
    worst = most = None
    if overview.worst is not None:
        through = overview.row(overview.worst)["through"]  # with fewer facts, where it stands so
        worst = attack_numbers(view, overview.worst if through is None else through, scoring)
        most = _exposing_most(view, overview, worst)
    if worst and most and (most.exposes or overview.standing == Verdict.UNDECIDED):
        # One that stands so through fewer facts alone is named by these
        taken = overview.results.loc[overview.results["through"].notna(), "number"].tolist()
        own = most is worst or most.attack.number not in taken
        equal = own and (most.standing, most.perhaps) == (worst.standing, worst.perhaps)
        worst = most if equal else worst
    return CandidateLine(
        release=name,
        standing=overview.standing,
        counts=overview.counts,
        worst=worst,
        most=most,
        finished=overview.finished,
        asking=overview.asking,
        failed=overview.failed,
        skipped=overview.skipped,
        planned=overview.planned,
        linked=any(leads_back(note.code) for note in notes),
        untested=untested_columns(overview.results),
        copied=next(
            filter(is_verbatim, notes), next((n for n in notes if tells_copies(n.code)), None)
        ),
        not_attacked=not_attacked,
        untried=overview.standing is not None
        and asks_for_model(view.settings.release_kind(name), chosen, notes),
        utility=None,
        facts=facts,
    )


def attack_numbers(view: CampaignView, number: int, scoring: ScoringParameters) -> AttackNumbers:
    """Return what a finished attack found."""
    frame = view.frame(scoring)
    row = frame[frame["number"] == number].iloc[0].to_dict()
    found = view.assessment(number)
    return AttackNumbers(
        attack=view.attack(number),
        standing=str(row["standing"]),
        alc=float(row["standing_alc"]),
        low=float(row["standing_low"]),
        high=float(row["standing_high"]),
        interval=_interval(row, scoring),
        perhaps=perhaps(
            row["standing"], row["standing_alc"], row["standing_low"], row["standing_high"], scoring
        ),
        exposed=float(row["exposed"]),
        exposed_low=float(row["exposed_low"]),
        exposed_high=float(row["exposed_high"]),
        by_chance=_by_chance(
            row["exposed_low"], row["exposed_high"], len(view.overview(scoring).results), scoring
        ),
        people=found.population,
        more=found.candidates > found.attempts,
    )


def _by_chance(low: float, high: float, attacks: int, scoring: ScoringParameters) -> float:
    """Return how many people the luckiest of harmless attacks would expose, each one-sided.

    Bonferroni's bound for normal errors, whose spread is told by the width of the interval.
    """
    tail = (1 - scoring.confidence) / 2
    return float((high - low) / 2 * norm.isf(tail / attacks) / norm.isf(tail))


def _exposing_most(
    view: CampaignView, overview: CampaignOverview, worst: AttackNumbers
) -> AttackNumbers:
    """Return the attack that exposes most people beyond chance, else of those that might."""
    results = overview.results
    seeming = results.loc[results["exposed_low"] > 0].sort_values("exposed", ascending=False)
    first = None
    for number in seeming["number"]:
        each = attack_numbers(view, int(number), overview.scoring)
        first = first or each
        if each.exposes:
            return worst if worst.exposes and worst.exposed >= each.exposed else each
    if overview.standing == Verdict.UNDECIDED:
        undecided = results.loc[results["standing"] == Verdict.UNDECIDED]
        number = undecided.sort_values("exposed_high")["number"].iloc[-1]
        return attack_numbers(view, int(number), overview.scoring)
    return first if first and not worst.exposed_low > 0 else worst


def _interval(row: Mapping[Hashable, Any], scoring: ScoringParameters) -> str:
    """Return the interval of an attack; where it decides the verdict, by which limit."""
    low, high, standing = row["standing_low"], row["standing_high"], row["standing"]
    text = bounds_text(low, high, exact=bool(row["interval_exact"]))
    limit = scoring.at_risk if standing == Verdict.UNDECIDED else scoring.serious
    near = standing == Verdict.UNDECIDED or (
        standing == Verdict.AT_RISK and row["standing_alc"] >= limit
    )
    return f"{text}, on both sides of {limit:g}" if near and low < limit <= high else text
