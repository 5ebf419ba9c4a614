"""What the user chose on the Campaign page, kept as entered, and what the planner makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, Self

from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.campaign.plan.planner import CampaignPlan, plan_campaign
from alc_core.dashboard.choices.attack_choices import AttackChoices
from alc_core.dashboard.choices.one_attack import Attackable, OneAttack
from alc_core.dashboard.choices.run_choices import RunChoices
from alc_core.errors import InputError
from alc_core.releases.release import Release
from alc_core.scenario.scenario import Targets, Tolerance
from alc_core.tables.codes.encode import EncodedTable
from alc_core.tables.households import Household
from alc_core.tables.roles import ColumnRole
from alc_core.tables.table import Table

Mode = Literal["many", "one"]

DEFAULT_SETS = 2
"""Smallest sets that single out most people, asked for at first."""


@dataclass(slots=True, kw_only=True, eq=False)
class NamedSet:
    """A set of known columns that the user names."""

    number: int  # By which its widgets are known again
    columns: list[str] = field(default_factory=list)  # What is known; none yet in a new set


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """All that a plan depends on besides the tables."""

    unknown: tuple[str, ...] | None  # Columns to attack; None for all that can be
    releases: tuple[str, ...] | None  # Names of those that are attacked; None for all
    attacks: tuple[str, ...]  # As in :func:`plan_campaign`
    # Attacks that are confined to some releases, with these
    only_on: tuple[tuple[str, tuple[str, ...]], ...]
    named: tuple[tuple[str, ...], ...]
    known_sets: int
    all_others: bool
    knowable: bool
    max_known: int | None
    targets: Targets  # The same
    down_sample: bool
    person: str | None
    household: Household
    seed: int
    # Unknown columns with how near an answer must be
    tolerance: tuple[tuple[str, Tolerance], ...] = ()
    roles: tuple[tuple[str, ColumnRole], ...] = ()  # Columns with the roles that the user says

    def on_whom(self) -> tuple[object, ...]:
        """Return what the result of an attack depends on, whichever attacks are planned."""
        return (
            self.targets, self.down_sample, self.person, self.household, self.seed, self.tolerance,
            self.roles,
        )  # fmt: skip

    def plan(
        self, original: Table, releases: Sequence[Release], *, data: EncodedTable
    ) -> CampaignPlan:
        """Plan the campaign; see :func:`plan_campaign`."""
        return plan_campaign(
            original,
            releases,
            unknown=self.unknown,
            attacks=self.attacks,
            only_on=dict(self.only_on),
            known_sets=self.known_sets,
            named=self.named,
            all_others=self.all_others,
            knowable=self.knowable,
            max_known=self.max_known,
            targets=self.targets,
            down_sample=self.down_sample,
            tolerance=dict(self.tolerance),
            person=self.person,
            household=self.household,
            roles=dict(self.roles),
            seed=self.seed,
            data=data,
        )


@dataclass(slots=True, kw_only=True)
class CampaignChoices:
    """Choices as the widgets hold them."""

    mode: Mode = "many"  # Whether attacks are planned by rules, or the user chooses a single one
    releases: list[str] = field(default_factory=list)  # Names of those to attack
    # Whether these are all, so that releases that come later are attacked, too
    all_releases: bool = True
    attacks: AttackChoices = field(default_factory=AttackChoices)  # What is run
    # The single attack; the other choices are about planned ones
    one: OneAttack = field(default_factory=OneAttack)
    unknown: list[str] = field(default_factory=list)  # Columns to attack
    # Whether these are all that can be, so that columns that come later are attacked, too
    all_unknown: bool = True
    all_others: bool = True  # Whether an attacker who knows all other columns is tried
    knowable: bool = True  # Whether an attacker who knows all that may be known is tried
    known_sets: int = DEFAULT_SETS  # How many of the smallest sets that single people out are tried
    max_known: int | None = None  # Facts that an attacker may know at most
    named: list[NamedSet] = field(default_factory=list)  # Sets of the user

    @classmethod
    def of(cls, attacks: Sequence[PlannedAttack]) -> Self:
        """Return choices from which the same attacks are planned, as far as they tell."""
        first = attacks[0].scenario
        chosen = AttackChoices.of(attacks)
        if all(
            attack.kind is KnownSetKind.NAMED and attack.scenario.columns == first.columns
            for attack in attacks
        ):
            return cls(
                mode="one",
                attacks=chosen,
                one=OneAttack(unknown=first.unknown, known=list(first.known)),
            )
        known: dict[KnownSetKind, dict[str, dict[tuple[str, ...], None]]] = {}
        for attack in attacks:
            of_kind = known.setdefault(attack.kind, {})
            of_kind.setdefault(attack.scenario.unknown, {})[tuple(attack.scenario.known)] = None
        single = known.get(KnownSetKind.SINGLES_OUT, {})
        budget = known.get(KnownSetKind.BUDGET, {})
        return cls(
            attacks=chosen,
            unknown=list(dict.fromkeys(attack.scenario.unknown for attack in attacks)),
            all_unknown=False,
            all_others=KnownSetKind.ALL_OTHERS in known,
            knowable=KnownSetKind.KNOWABLE in known or KnownSetKind.ALL_OTHERS in known,
            known_sets=max((len(sets) for sets in single.values()), default=0),
            max_known=max((len(k) for sets in budget.values() for k in sets), default=None),
            named=[
                NamedSet(number=number, columns=list(columns))
                for number, columns in enumerate(
                    _whole_sets(known.get(KnownSetKind.NAMED, {})), start=1
                )
            ],
        )

    def adapt(
        self, attackable: Attackable, comparable: Sequence[str], releases: Sequence[str]
    ) -> None:
        """Keep the choices that the tables allow."""
        kept = [column for column in self.unknown if column in attackable]
        # What the user emptied stays empty; what other tables emptied does not.
        self.all_unknown = self.all_unknown or (bool(self.unknown) and not kept)
        self.unknown = list(attackable) if self.all_unknown else kept
        self.adapt_releases(releases)
        for chosen in self.named:
            chosen.columns = [column for column in chosen.columns if column in comparable]

    def adapt_releases(self, releases: Sequence[str]) -> None:
        """Keep the chosen releases that there are; other releases than these are all attacked."""
        kept = [name for name in self.releases if name in releases]
        self.all_releases = self.all_releases or (bool(self.releases) and not kept)
        self.releases = list(releases) if self.all_releases else kept

    def add_named(self) -> None:
        """Add an empty set."""
        number = max((chosen.number for chosen in self.named), default=0) + 1
        self.named.append(NamedSet(number=number))

    def remove_named(self, number: int) -> None:
        """Take a set away."""
        self.named = [chosen for chosen in self.named if chosen.number != number]

    def options(
        self, run: RunChoices, roles: Mapping[str, ColumnRole] = MappingProxyType({})
    ) -> PlanOptions:
        """Return what is to be planned."""
        if not (self.releases or self.all_releases):
            raise InputError("No release is chosen. Choose at least one to attack.")
        # Sets without a column are not filled in yet.
        named = dict.fromkeys(tuple(chosen.columns) for chosen in self.named if chosen.columns)
        options = PlanOptions(
            unknown=None if self.all_unknown else tuple(self.unknown),
            releases=None if self.all_releases else tuple(self.releases),
            attacks=self.attacks.texts(),
            only_on=self.attacks.only_on(),
            named=tuple(named),
            known_sets=self.known_sets,
            all_others=self.all_others,
            knowable=self.knowable,
            max_known=self.max_known,
            targets=run.targets(),
            down_sample=run.down_sample,
            person=run.person,
            household=run.household,
            seed=run.seed,
            tolerance=tuple(run.tolerances().items()),
            roles=tuple(roles.items()),
        )
        if self.mode == "many":
            return options
        unknown, known = self.one.columns()
        return replace(
            options,
            unknown=(unknown,),
            named=(known,),
            known_sets=0,
            all_others=False,
            knowable=False,
            max_known=None,
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
