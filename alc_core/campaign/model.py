"""Known sets, planned attacks and settings."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from alc_core.assessment.result import TableSummary
from alc_core.parameter import check_whole
from alc_core.phrasing import facts_words
from alc_core.releases.registry import ToldSets
from alc_core.releases.release import USUAL_KIND
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.tables.names import SameColumns


class KnownSetKind(enum.StrEnum):
    """Why a set of known columns was chosen."""

    ALL_OTHERS = "all others"
    KNOWABLE = "what others can know"
    SAME_SURVEY = "another file of the survey"
    FEW_FACTS = "one or two facts"
    SINGLES_OUT = "singles out"
    BUDGET = "budget"
    KNOWN_ROWS = "known rows"
    NAMED = "named"
    ONE_LESS = "one less"

    @property
    def attacker(self) -> str:
        """Who knows such a set."""
        return _ATTACKERS[self]


_ATTACKERS: Mapping[KnownSetKind, str] = {
    KnownSetKind.ALL_OTHERS: "someone who knows everything else",
    KnownSetKind.KNOWABLE: "a colleague",
    KnownSetKind.SAME_SURVEY: f"someone with {KnownSetKind.SAME_SURVEY}",
    KnownSetKind.FEW_FACTS: "someone with one or two facts that lead to a row",
    KnownSetKind.SINGLES_OUT: "a neighbour",
    KnownSetKind.BUDGET: "someone with the facts that single out most",
    KnownSetKind.KNOWN_ROWS: "someone who knows rows of a person in part",
    KnownSetKind.NAMED: "attackers of your own",
    KnownSetKind.ONE_LESS: "someone with one fact fewer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSet:
    """Columns an attacker knows, and why these."""

    columns: tuple[str, ...]  # In the table's order
    kind: KnownSetKind  # The rule that chose them
    singled_out: float  # Share of people with a unique combination
    reason: str  # The choice in a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAttack:
    """One attack of a campaign."""

    number: int  # Position in the campaign, from 0
    scenario: Scenario  # What is attacked
    release: str  # Name of the release
    attack: str  # Name of the attack
    kind: KnownSetKind  # The rule that chose the known columns
    reason: str  # Why, in a sentence

    @property
    def words(self) -> str:
        """Which attack it is, in words."""
        return (
            f"Attack {self.number}: {self.scenario.wanted} from {self.release}, knowing "
            f"{facts_words(self.scenario.known)}"
        )

    @property
    def all_but_known(self) -> str:
        """A text shared by attacks that differ only in known columns."""
        scenario = {**self.scenario.to_dict(), "known": None}
        return repr((scenario, self.release, self.attack))


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """What was planned on a release, and left out to save time."""

    minutes: int  # That the attacks could take
    attacks: Mapping[str, KnownSetKind]  # By the attacks' hexadecimal identities


def own_conditions(attacks: Iterable[PlannedAttack]) -> dict[int, str]:
    """Return conditions on people not shared by all attacks, by number."""
    found = {attack.number: attack.scenario.selection.conditions for attack in attacks}
    shared = frozenset.intersection(*map(frozenset, found.values())) if found else frozenset[str]()
    return {
        number: ", ".join(each for each in conditions if each not in shared)
        for number, conditions in found.items()
    }


def named_columns(attacks: Iterable[PlannedAttack]) -> tuple[str, ...]:
    """Return all columns that attacks name."""
    return tuple(dict.fromkeys(c for attack in attacks for c in attack.scenario.named))


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSettings:
    """What a campaign's results depend on besides attacks."""

    seed: int  # Of each attack: alone, with this seed, it has the same result
    # Of the run; others can be asked for later
    scoring: ScoringParameters
    loop: LoopParameters  # How the attack loop runs
    original: TableSummary  # Name, size and fingerprint
    # Of each release's tables, by release
    releases: Mapping[str, tuple[TableSummary, ...]]
    kinds: Mapping[str, str]  # Kind of every column of the original
    versions: Mapping[str, str]  # Of the software that made the campaign
    # By release, if not rows
    release_kinds: Mapping[str, str] = field(default_factory=dict)
    # By release that is one of several parts of linked tables
    part_of: Mapping[str, str] = field(default_factory=dict)
    # User-given meanings of labels by release, table, column and label
    told_sets: ToldSets = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_whole("seed", self.seed)

    def same_columns(self, release: str) -> tuple[SameColumns, ...]:
        """Return a release's renamed columns, by table."""
        return tuple(table.same_columns for table in self.releases[release])

    def release_kind(self, release: str) -> str:
        """Return the type of a release."""
        return self.release_kinds.get(release, USUAL_KIND)
