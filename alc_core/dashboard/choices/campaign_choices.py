"""What the user chose on the Campaign page, kept as entered, and what the planner makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, Self

from alc_core.campaign.plan.settings import PlanSettings
from alc_core.dashboard.choices.attack_choices import AttackChoices
from alc_core.dashboard.choices.one_attack import Attackable, OneAttack
from alc_core.dashboard.choices.run_choices import RunChoices
from alc_core.errors import InputError
from alc_core.tables.roles import ColumnRole

Mode = Literal["many", "one"]


@dataclass(slots=True, kw_only=True, eq=False)
class NamedSet:
    """A set of known columns that the user names."""

    number: int  # By which its widgets are known again
    columns: list[str] = field(default_factory=list)  # What is known; none yet in a new set


class PlanDraft:
    """The settings of a plan whose widgets hold them as they are; each is an attribute."""

    settings: PlanSettings

    def __init__(self, settings: PlanSettings) -> None:
        vars(self)["settings"] = settings

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["settings"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        vars(self)["settings"] = replace(self.settings, **{name: value})


@dataclass(slots=True, kw_only=True)
class CampaignChoices:
    """Choices as the widgets hold them."""

    mode: Mode = "many"  # Whether attacks are planned by rules, or the user chooses a single one
    # All settings that have no form of their own below
    draft: PlanDraft = field(default_factory=lambda: PlanDraft(PlanSettings(knowable=True)))
    releases: list[str] = field(default_factory=list)  # Names of those to attack
    # Whether these are all, so that releases that come later are attacked, too
    all_releases: bool = True
    attacks: AttackChoices = field(default_factory=AttackChoices)  # What is run
    # The single attack; the other choices are about planned ones
    one: OneAttack = field(default_factory=OneAttack)
    unknown: list[str] = field(default_factory=list)  # Columns to attack
    # Whether these are all that can be, so that columns that come later are attacked, too
    all_unknown: bool = True
    named: list[NamedSet] = field(default_factory=list)  # Sets of the user

    @classmethod
    def of(cls, settings: PlanSettings) -> Self:
        """Return choices that make the settings of a campaign."""
        attacks = AttackChoices.of(settings)
        generated = settings.known_sets or settings.all_others or settings.max_known
        generated = generated or settings.asks_for_knowable
        if settings.unknown and len(settings.unknown) == len(settings.named) == 1 and not generated:
            (unknown,), (known,) = settings.unknown, settings.named
            return cls(
                mode="one",
                attacks=attacks,
                one=OneAttack(unknown=unknown, known=[c for c in known if c != unknown]),
            )
        return cls(
            draft=PlanDraft(replace(settings, knowable=settings.asks_for_knowable)),
            releases=list(settings.attacked or ()),
            all_releases=settings.attacked is None,
            attacks=attacks,
            unknown=list(settings.unknown or ()),
            all_unknown=settings.unknown is None,
            named=[NamedSet(number=n, columns=list(c)) for n, c in enumerate(settings.named, 1)],
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

    def settings(
        self, run: RunChoices, roles: Mapping[str, ColumnRole] = MappingProxyType({})
    ) -> PlanSettings:
        """Return what is to be planned."""
        if not (self.releases or self.all_releases):
            raise InputError("No release is chosen. Choose at least one to attack.")
        # Sets without a column are not filled in yet.
        named = dict.fromkeys(tuple(chosen.columns) for chosen in self.named if chosen.columns)
        several = replace(
            self.draft.settings,
            unknown=None if self.all_unknown else tuple(self.unknown),
            attacked=None if self.all_releases else tuple(self.releases),
            attacks=self.attacks.texts(),
            only_on=self.attacks.only_on(),
            named=tuple(named),
            targets=run.targets(),
            down_sample=run.down_sample,
            person=run.person,
            household=run.household,
            tolerance=run.tolerances(),
            roles=roles,
            seed=run.seed,
        )
        if self.mode == "many":
            return several
        unknown, known = self.one.columns()
        return replace(
            several,
            unknown=(unknown,),
            named=(known,),
            known_sets=0,
            all_others=False,
            knowable=False,
            max_known=None,
        )
