"""What the user chose on the Campaign page, kept as entered, and what the planner makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.campaign.plan.planner import CampaignPlan, plan_campaign
from alc_core.dashboard.state.choices import AttackChoices
from alc_core.releases.release import Release
from alc_core.scenario.scenario import Targets
from alc_core.tables.encode import EncodedTable
from alc_core.tables.table import Table

DEFAULT_SETS = 2
"""Smallest sets that single out most people, asked for at first."""


@dataclass(slots=True, kw_only=True, eq=False)
class NamedSet:
    """A set of known columns that the user names.

    Attributes
    ----------
    number : int
        By which its widgets are known again.
    columns : list of str
        What is known; none yet in a new set.
    """

    number: int
    columns: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """All that a plan depends on besides the tables.

    Attributes
    ----------
    unknown : tuple of str or None
        Columns to attack; None for all that can be.
    named, known_sets, all_others, max_known, targets, down_sample, person, household, seed
        As in :func:`plan_campaign`.
    """

    unknown: tuple[str, ...] | None
    named: tuple[tuple[str, ...], ...]
    known_sets: int
    all_others: bool
    max_known: int | None
    targets: Targets
    down_sample: bool
    person: str | None
    household: str | None
    seed: int

    def plan(
        self, original: Table, releases: Sequence[Release], *, data: EncodedTable
    ) -> CampaignPlan:
        """Plan the campaign; see :func:`plan_campaign`."""
        return plan_campaign(
            original,
            releases,
            unknown=self.unknown,
            known_sets=self.known_sets,
            named=self.named,
            all_others=self.all_others,
            max_known=self.max_known,
            targets=self.targets,
            down_sample=self.down_sample,
            person=self.person,
            household=self.household,
            seed=self.seed,
            data=data,
        )

    def everything(self) -> PlanOptions:
        """Return the options without a choice of columns."""
        return replace(self, unknown=None, named=())


@dataclass(slots=True, kw_only=True)
class CampaignChoices:
    """Choices as the widgets hold them; who is attacked and seed are those of a single attack.

    Attributes
    ----------
    unknown : list of str
        Columns to attack.
    all_unknown : bool
        Whether these are all that can be, so that columns that come later are attacked, too.
    all_others : bool
        Whether an attacker who knows all other columns is tried.
    known_sets : int
        How many of the smallest sets that single people out are tried.
    max_known : int or None
        Facts that an attacker may know at most.
    named : list of NamedSet
        Sets of the user.
    """

    unknown: list[str] = field(default_factory=list)
    all_unknown: bool = True
    all_others: bool = True
    known_sets: int = DEFAULT_SETS
    max_known: int | None = None
    named: list[NamedSet] = field(default_factory=list)

    @classmethod
    def of(cls, attacks: Sequence[PlannedAttack]) -> Self:
        """Return choices from which the same attacks are planned, as far as they tell.

        Parameters
        ----------
        attacks : sequence of PlannedAttack
            Of a campaign, without those that were added to look closer.
        """
        known: dict[KnownSetKind, dict[str, dict[tuple[str, ...], None]]] = {}
        for attack in attacks:
            of_kind = known.setdefault(attack.kind, {})
            of_kind.setdefault(attack.scenario.unknown, {})[tuple(attack.scenario.known)] = None
        single = known.get(KnownSetKind.SINGLES_OUT, {})
        budget = known.get(KnownSetKind.BUDGET, {})
        return cls(
            unknown=list(dict.fromkeys(attack.scenario.unknown for attack in attacks)),
            all_unknown=False,
            all_others=KnownSetKind.ALL_OTHERS in known,
            known_sets=max((len(sets) for sets in single.values()), default=0),
            max_known=max((len(k) for sets in budget.values() for k in sets), default=None),
            named=[
                NamedSet(number=number, columns=list(columns))
                for number, columns in enumerate(
                    _whole_sets(known.get(KnownSetKind.NAMED, {})), start=1
                )
            ],
        )

    def adapt(self, attackable: Sequence[str], comparable: Sequence[str]) -> None:
        """Keep the choices that the tables allow.

        Parameters
        ----------
        attackable : sequence of str
            Columns that can be attacked.
        comparable : sequence of str
            Columns that can be known.
        """
        kept = [column for column in self.unknown if column in attackable]
        # What the user emptied stays empty; what other tables emptied does not.
        self.all_unknown = self.all_unknown or (bool(self.unknown) and not kept)
        self.unknown = list(attackable) if self.all_unknown else kept
        for chosen in self.named:
            chosen.columns = [column for column in chosen.columns if column in comparable]

    def add_named(self) -> None:
        """Add an empty set."""
        number = max((chosen.number for chosen in self.named), default=0) + 1
        self.named.append(NamedSet(number=number))

    def remove_named(self, number: int) -> None:
        """Take a set away."""
        self.named = [chosen for chosen in self.named if chosen.number != number]

    def options(self, people: AttackChoices) -> PlanOptions:
        """Return what is to be planned.

        Parameters
        ----------
        people : AttackChoices
            Says who is attacked, and the seed.

        Raises
        ------
        InputError
            If the choices do not fit together.
        """
        # Sets without a column are not filled in yet.
        named = dict.fromkeys(tuple(chosen.columns) for chosen in self.named if chosen.columns)
        return PlanOptions(
            unknown=None if self.all_unknown else tuple(self.unknown),
            named=tuple(named),
            known_sets=self.known_sets,
            all_others=self.all_others,
            max_known=self.max_known,
            targets=people.targets(),
            down_sample=people.down_sample,
            person=people.person,
            household=people.household,
            seed=people.seed,
        )


def _whole_sets(named: Mapping[str, Iterable[tuple[str, ...]]]) -> list[tuple[str, ...]]:
    """Return named sets without those that only lack the column that is attacked.

    A named set is tried without the unknown column where it holds that.
    """
    sets = dict.fromkeys(columns for each in named.values() for columns in each)
    lacking = {
        columns
        for unknown, each in named.items()
        for columns in each
        if any({*columns, unknown} == set(other) for other in sets)
    }
    return [columns for columns in sets if columns not in lacking]
