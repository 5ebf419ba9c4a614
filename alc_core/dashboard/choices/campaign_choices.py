"""What the user chose on the Attack page, as its widgets hold it: one attack, or many."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType, SimpleNamespace
from typing import Any, Literal, Self

from alc_core.attacks import registry
from alc_core.attacks.registry import (
    attack_parameters,
    attack_text,
    attack_type,
    attack_types,
    model_attack,
    usual_attacks,
)
from alc_core.attacks.registry import refusal as attack_refusal
from alc_core.campaign.plan.settings import (
    EFFORTS,
    Effort,
    PlanSettings,
    effort_attacks,
    with_effort,
)
from alc_core.dashboard.choices.run_choices import RunChoices
from alc_core.errors import ColumnError, InputError
from alc_core.releases.registry import release_types
from alc_core.releases.release import USUAL_KIND, Release
from alc_core.scenario.derived import base_columns
from alc_core.scenario.scenario import Scenario
from alc_core.tables.roles import ColumnRole, Roles, suggested_known, suggested_unknown
from alc_core.tables.table import Table


def attackable_columns(original: Table) -> dict[str, list[str]]:
    """Return each column that an attack can use, with all others that can then be known."""
    usable = original.compared
    return {column: [other for other in usable if other != column] for column in usable}


# Each column that can be attacked, with those that can be known in an attack on it
Attackable = Mapping[str, Sequence[str]]


@dataclass(slots=True, kw_only=True)
class OneAttack:
    """Choices as the widgets hold them."""

    unknown: str | None = None  # The column to attack
    known: list[str] = field(default_factory=list)  # The columns that the attacker knows
    followed: str | None = None  # The unknown column that these were chosen for

    def columns(self) -> tuple[str, tuple[str, ...]]:
        """Return the unknown column and the known ones."""
        if self.unknown is None:
            raise ColumnError("No unknown column is chosen. Choose the one to protect.")
        if not self.known:
            raise ColumnError("No known column is chosen. Choose at least one.")
        return self.unknown, tuple(self.known)

    def adapt(
        self, attackable: Attackable, original: Table, roles: Roles, *, start: Scenario | None
    ) -> None:
        """Keep what the tables allow, and suggest columns where nothing is left."""
        if self.unknown is not None and self.unknown in attackable:
            self.known = [column for column in self.known if column in attackable[self.unknown]]
            return
        if start is not None and start.unknown in attackable:
            self.unknown, suggested = start.unknown, list(start.known)
        else:
            by_role = suggested_unknown(original, roles, list(attackable))
            self.unknown = next(iter([*by_role, *reversed(list(attackable))]), None)
            possible = attackable.get(self.unknown or "", ())
            suggested = suggested_known(roles, possible)
        possible = attackable.get(self.unknown or "", ())
        kept = [column for column in self.known if column in possible]
        self.known = kept or [column for column in suggested if column in possible]

    def follow_unknown(self, attackable: Attackable) -> None:
        """Adapt the known columns to another unknown one; who knew everything else still does."""
        possible = attackable.get(self.unknown or "", ())
        everything = set(self.known) >= set(attackable.get(self.followed or "", ()))
        self.known = list(possible) if everything else [c for c in self.known if c in possible]
        self.followed = self.unknown


class AttackSettings(SimpleNamespace):
    """The parameters of one attack, each an attribute."""


@dataclass(slots=True, kw_only=True)
class AttackReleases:
    """The releases that one attack is confined to."""

    names: list[str] = field(default_factory=list)  # Empty for all that it can read


@dataclass(slots=True, kw_only=True)
class AttackChoices:
    """The attacks that are run."""

    # Names of registered attacks
    names: list[str] = field(default_factory=lambda: [*registry.ROW_ATTACKS])
    # Parameters of those that were changed or shown
    settings: dict[str, AttackSettings] = field(default_factory=dict)
    # On which releases attacks run, of those that were confined or shown
    confined: dict[str, AttackReleases] = field(default_factory=dict)
    # Types of release whose usual attacks were chosen already
    kinds: set[str] = field(default_factory=lambda: {USUAL_KIND})

    @classmethod
    def of(cls, settings: PlanSettings) -> Self:
        """Return choices that run the attacks of a campaign, as far as they are registered.

        Of an attack that ran with several parameters, the last ones are kept.
        """
        choices = cls(names=[], kinds=set(release_types()))
        for text in settings.attacks or ():
            found = attack_type(text)
            if found is not None:
                choices.names = list(dict.fromkeys([*choices.names, found.name]))
                vars(choices.of_attack(found.name)).update(attack_parameters(text))
                own = settings.only_on.get(found.name, ())
                choices.releases_of(found.name).names = list(own)
        return choices if choices.names else cls()

    def of_attack(self, name: str) -> AttackSettings:
        """Return the settings of an attack, the usual ones at first."""
        if name not in self.settings:
            usual = {each.name: each.default for each in attack_types()[name].parameters}
            self.settings[name] = AttackSettings(**usual)
        return self.settings[name]

    def releases_of(self, name: str) -> AttackReleases:
        """Return what an attack is confined to, nothing at first."""
        return self.confined.setdefault(name, AttackReleases())

    def only_on(self) -> dict[str, tuple[str, ...]]:
        """Return the chosen attacks that are confined, with their releases."""
        return {
            name: tuple(self.confined[name].names)
            for name in self.names
            if name in self.confined and self.confined[name].names
        }

    def adapt(self, releases: Sequence[Release]) -> None:
        """Keep the attacks that can read one of the releases, and of these those that there are.

        The usual ones of a type of release are added when it is there for the first time.
        """
        if not releases:
            return
        fitting, _ = fitting_attacks(releases)
        names = [name for name in self.names if name in fitting]
        for release in releases:
            if release.kind not in self.kinds:
                names += [name for name in usual_attacks(release) if name not in names]
        self.kinds |= {release.kind for release in releases}
        self.names = names or fitting[:1]
        for name, own in self.confined.items():
            readable = readable_releases(name, releases)
            whole = set(readable) <= set(own.names)
            own.names = [] if whole else [each for each in own.names if each in readable]

    def texts(self) -> tuple[str, ...]:
        """Return the attacks as a plan names them."""
        if not self.names:
            raise InputError("No attack is chosen. Choose at least one.")
        types = attack_types()
        return tuple(attack_text(types[name], vars(self.of_attack(name))) for name in self.names)


def effort_of(settings: PlanSettings, releases: Sequence[Release]) -> Effort | None:
    """Return the effort that settings are of, or None where they are of the user's own making."""
    alike = (each for each in Effort if with_effort(settings, each, releases) == settings)
    return next(alike, None)


def effort_like(settings: PlanSettings, releases: Sequence[Release]) -> Effort | None:
    """Return the effort of settings; where something was added, that of as many people."""
    alike = (each for each in Effort if EFFORTS[each].people == settings.targets.count)
    return effort_of(settings, releases) or next(alike, None)


def readable_releases(name: str, releases: Sequence[Release]) -> list[str]:
    """Return the names of the releases that an attack can read."""
    found = attack_type(name)
    if found is None:
        return []
    return [release.name for release in releases if not attack_refusal(found.accepts, release)]


def fitting_attacks(releases: Sequence[Release]) -> tuple[list[str], dict[str, str]]:
    """Return the attacks that can read one of the releases, and why the others cannot."""
    reasons = {
        name: [attack_refusal(found.accepts, release) for release in releases]
        for name, found in attack_types().items()
    }
    fitting = [name for name, each in reasons.items() if not all(each)]
    return fitting, {name: each[0] for name, each in reasons.items() if name not in fitting}


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
    # Whether the roles that the user gave chose them, or the user; else all are attacked
    chosen_by: Literal["", "roles", "user"] = ""
    named: list[NamedSet] = field(default_factory=list)  # Sets of the user
    minutes: int = 0  # That the attacks may take; 0 for all of them
    # What else is attacked that is no single column, a line each
    asked: str = ""
    # Attacked releases of which a model may tell more than their rows, by the check
    made_up: list[str] = field(default_factory=list)
    model_by_user: bool = False  # Whether the user said on which a model is trained; else these

    @property
    def asked_columns(self) -> list[str]:
        """What else is attacked, as scenarios name it."""
        return [line.strip() for line in self.asked.splitlines() if line.strip()]

    def ask(self, text: str) -> None:
        """Attack something else, too; where a single attack is chosen, that alone."""
        if text not in self.asked_columns:
            self.asked = "\n".join([*self.asked_columns, text])
        if not self.all_unknown and text not in self.unknown:
            self.unknown.append(text)
        self.one.unknown = text

    def rename(self, now: Mapping[str, str]) -> None:
        """Follow columns that are called otherwise now; what joins such columns is let go of."""

        def renamed(columns: Iterable[str]) -> list[str]:
            return [now.get(column, column) for column in columns]

        changed = {column for column, name in now.items() if name != column}
        self.asked = "\n".join(
            line for line in self.asked_columns if changed.isdisjoint(base_columns([line], now))
        )
        self.unknown, self.one.known = renamed(self.unknown), renamed(self.one.known)
        if self.one.unknown is not None:
            self.one.unknown = now.get(self.one.unknown, self.one.unknown)
        for each in self.named:
            each.columns = renamed(each.columns)
        self.draft.job_list = {
            now.get(unknown, unknown): tuple(tuple(renamed(known)) for known in sets)
            for unknown, sets in self.draft.job_list.items()
        }

    def rename_release(self, name: str, new: str) -> None:
        """Follow a release that is called otherwise now."""
        confined = (each.names for each in self.attacks.confined.values())
        for names in (self.releases, self.made_up, *confined):
            names[:] = [new if each == name else each for each in names]

    @classmethod
    def of(cls, settings: PlanSettings, columns: Collection[str] | None = None) -> Self:
        """Return choices that make the settings of a campaign on an original with some columns."""
        named = settings.unknown or ()
        asked = "\n".join(c for c in named if columns is not None and c not in columns)
        attacks = AttackChoices.of(settings)
        generated = settings.known_sets or settings.all_others or settings.max_known
        generated = generated or settings.asks_for_knowable
        if settings.unknown and len(settings.unknown) == len(settings.named) == 1 and not generated:
            (unknown,), (known,) = settings.unknown, settings.named
            return cls(
                mode="one",
                attacks=attacks,
                asked=asked,
                one=OneAttack(unknown=unknown, known=[c for c in known if c != unknown]),
            )
        return cls(
            draft=PlanDraft(replace(settings, knowable=settings.asks_for_knowable)),
            releases=list(settings.attacked or ()),
            all_releases=settings.attacked is None,
            attacks=attacks,
            unknown=list(settings.unknown or ()),
            all_unknown=settings.unknown is None,
            chosen_by="user",
            named=[NamedSet(number=n, columns=list(c)) for n, c in enumerate(settings.named, 1)],
            asked=asked,
            model_by_user=True,
        )

    def adapt(
        self,
        attackable: Attackable,
        comparable: Sequence[str],
        releases: Sequence[str],
        *,
        secret: Collection[str] = (),
    ) -> None:
        """Keep the choices that the tables allow.

        What the user says is to be protected is attacked, unless the user chose otherwise.
        """
        if self.chosen_by != "user":
            asked = [column for column in attackable if column in secret]
            self.all_unknown = self.all_unknown or self.chosen_by == "roles"
            self.chosen_by = "roles" if asked else ""
            if asked:
                self.unknown, self.all_unknown = asked, False
        kept = [column for column in self.unknown if column in attackable]
        # What the user emptied stays empty; what other tables emptied does not.
        self.all_unknown = self.all_unknown or (bool(self.unknown) and not kept)
        self.unknown = list(attackable) if self.all_unknown else kept
        self.adapt_releases(releases)
        for chosen in self.named:
            chosen.columns = [column for column in chosen.columns if column in comparable]

    def attack(self, unknown: Sequence[str], columns: Collection[str]) -> None:
        """Attack some of the columns that can be, as the user says."""
        self.unknown, self.chosen_by = list(unknown), "user"
        self.all_unknown = set(unknown) == set(columns)

    def adapt_releases(self, releases: Sequence[str]) -> None:
        """Keep the chosen releases that there are; other releases than these are all attacked."""
        kept = [name for name in self.releases if name in releases]
        self.all_releases = self.all_releases or (bool(self.releases) and not kept)
        self.releases = list(releases) if self.all_releases else kept

    @property
    def neighbour(self) -> bool:
        """Whether somebody attacks who knows the few facts that single people out."""
        return bool(self.draft.known_sets)

    @neighbour.setter
    def neighbour(self, attacks: bool) -> None:
        tries = EFFORTS[Effort.THOROUGH if self.model else Effort.QUICK]
        self.draft.known_sets = tries.known_sets if attacks else 0

    @property
    def model(self) -> bool:
        """Whether a model is trained on the releases."""
        return model_attack() in self.attacks.names

    @model.setter
    def model(self, trained: bool) -> None:
        self.model_by_user = True
        self._train(self.made_up if trained else None)

    def adapt_model(self, made_up: Sequence[str]) -> None:
        """Train a model on the releases whose rows are made up, unless the user chose otherwise."""
        self.made_up = list(made_up)
        if not self.model_by_user:
            self._train(self.made_up if made_up and self.mode == "many" else None)

    def _train(self, releases: Sequence[str] | None) -> None:
        """Train a model on some releases, with none of them named on all, or on none."""
        self.attacks.names = [name for name in self.attacks.names if name != model_attack()]
        if releases is not None and (model := model_attack()):
            self.attacks.names.append(model)
            self.attacks.releases_of(model).names = list(releases)

    def take(self, effort: Effort, run: RunChoices, releases: Sequence[Release]) -> None:
        """Choose the attacks, smallest sets and number of people of an effort."""
        tries = EFFORTS[effort]
        self.attacks = AttackChoices(
            names=list(effort_attacks(effort, releases)),
            kinds={USUAL_KIND, *(release.kind for release in releases)},
        )
        self.model_by_user = tries.model
        self.draft.known_sets = self.draft.known_sets and tries.known_sets
        run.target_mode = "number" if tries.people else "automatic"
        run.target_number = tries.people or run.target_number

    def add_named(self) -> None:
        """Add an empty set."""
        number = max((chosen.number for chosen in self.named), default=0) + 1
        self.named.append(NamedSet(number=number))

    def know(self, columns: Sequence[str]) -> None:
        """Add a set of known columns; a single attack knows these alone."""
        if all({*chosen.columns} != {*columns} for chosen in self.named):
            self.add_named()
            self.named[-1].columns = list(columns)
        self.one.known = [column for column in columns if column != self.one.unknown]

    @property
    def known_sets(self) -> list[list[str]]:
        """The sets of the user, or what a single attack is about."""
        if self.mode == "one":
            return [[*self.one.known, *filter(None, [self.one.unknown])]]
        return [chosen.columns for chosen in self.named]

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
            unknown=None
            if self.draft.job_list or (self.all_unknown and not self.asked_columns)
            else tuple(self.unknown),
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
            job_list={},
            known_sets=0,
            all_others=False,
            knowable=False,
            max_known=None,
        )
