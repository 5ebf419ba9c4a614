"""What a plan is made of besides the tables, the same for page, command, planner and file."""

from __future__ import annotations

import enum
import inspect
import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, TypeVar

from alc_core.attacks.registry import attack_types, model_attack, plain_name, refusal, usual_attacks
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.errors import ColumnError, InputError, ParameterError
from alc_core.parameter import check_whole
from alc_core.releases.release import Release
from alc_core.scenario.scenario import Targets, Tolerance, texts_of
from alc_core.tables.households import Household, household_of
from alc_core.tables.roles import ColumnRole, as_role

Planner = TypeVar("Planner", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSettings:
    """What a plan is made of besides the tables.

    Lists and dictionaries are taken, too, and attacks of your own by their names.
    :meth:`check` refuses what no plan can be made of.

    Attributes
    ----------
    unknown : tuple of str, optional
        Columns to attack, in this order and whatever their role, or what is worked out from
        columns as in :class:`Scenario`; by default all columns that are to be protected.
    attacked : tuple of str, optional
        Names of the releases to attack; by default all.
    attacks : tuple of str, optional
        Attacks to run: names of registered ones, followed after a colon by parameters that
        differ from their defaults, or your own. An attack is left out of releases that it cannot
        read. By default the usual ones on rows (best row match, record linkage), on others all
        that can read them.
    only_on : mapping of str to tuple of str
        Names of the releases that an attack is run on alone, by its name without parameters; an
        attack that is not named runs on all that it can read.
    named : tuple of tuple of str
        Sets of known columns to use with every unknown one, besides.
    job_list : mapping of str to tuple of tuple of str
        Sets of known columns by unknown column, used with that one alone and in place of all other
        sets. By default just its columns are attacked. :func:`read_job_list` reads one.
    known_sets : int, default 2
        For each unknown column, how many of the smallest sets of columns that may be known and
        single out most people; which of them depends on `seed`.
    all_others : bool, default True
        Whether all other columns that are facts about people are taken as known, too.
    knowable : bool, optional
        Whether all columns that may be known are one set, where there are others that are only to
        be protected. By default as `all_others`.
    max_known : int, optional
        How many facts an attacker may know. No generated set is larger, and the set of that size
        that singles out the most people is added. Sets in `named` are never cut.
    targets : Targets
        Who is attacked. Each scenario of the plan names the values of its unknown column that mean
        "no value".
    down_sample, person, household
        As in :class:`Scenario`. With a person column, it is people who are
        singled out, not records.
    tolerance : mapping of str to Tolerance
        How far from the true number an answer may be, by unknown column; see :class:`Scenario`.
    roles : mapping of str to ColumnRole
        Who knows a column, and whether it is attacked: "may be known", "to be protected", "both",
        "survey weight", "identifier" or "left out". Those of other columns are suggested
        from their names and values.
    stop_settled : bool, default False
        Whether a release on which an attack found a serious loss is attacked no further. Which
        attacks are skipped depends on which end first; the others have the same results.
    seed : int, default 0
        Same input and seed, same plan. What is chosen for one unknown column does not depend on
        which others are attacked.
    """

    unknown: tuple[str, ...] | None = None
    attacked: tuple[str, ...] | None = None
    attacks: tuple[str, ...] | None = None
    only_on: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    named: tuple[tuple[str, ...], ...] = ()
    job_list: Mapping[str, tuple[tuple[str, ...], ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    known_sets: int = 2
    all_others: bool = True
    knowable: bool | None = None
    max_known: int | None = None
    targets: Targets = field(default_factory=Targets)
    down_sample: bool = True
    person: str | None = None
    household: Household = None
    tolerance: Mapping[str, Tolerance] = field(default_factory=lambda: MappingProxyType({}))
    roles: Mapping[str, ColumnRole] = field(default_factory=lambda: MappingProxyType({}))
    stop_settled: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        def names(what: str, given: Any) -> Any:
            if isinstance(given, str):
                raise ParameterError(f"The {what} is the text '{given}'. Pass a list.")
            if given is None:
                return None
            return tuple(str(getattr(each, "name", each)) for each in given)

        own: Sequence[tuple[str, Any]] = self.own_sets
        for where, columns in own:
            if isinstance(columns, str) or not columns:
                what = f"is the text '{columns}'" if columns else "is empty"
                raise ColumnError(f"{where} {what}. Pass a list of columns.")
        jobs = {str(of): tuple(map(texts_of, sets)) for of, sets in self.job_list.items()}
        only_on = {each: names(f"release of '{each}'", on) for each, on in self.only_on.items()}
        roles = {str(column): as_role(column, role) for column, role in (self.roles or {}).items()}
        targets: Any = self.targets
        tidy: dict[str, Any] = {
            "targets": targets if isinstance(targets, Targets) else Targets(count=targets),
            "unknown": names("column to attack", self.unknown),
            "attacked": names("release to attack", self.attacked),
            "attacks": names("attack", self.attacks),
            "only_on": MappingProxyType(only_on),
            "named": tuple(map(texts_of, self.named)),
            "job_list": MappingProxyType(jobs),
            "person": None if self.person is None else str(self.person),
            "household": self.household and household_of(texts_of(self.household)),
            "tolerance": MappingProxyType({str(of): each for of, each in self.tolerance.items()}),
            "roles": MappingProxyType(roles),
        }
        for name, value in tidy.items():
            object.__setattr__(self, name, value)

    def check(self) -> None:
        """Refuse what no plan can be made of, whatever the tables are.

        Raises
        ------
        ParameterError, InputError
            If a number is out of its bounds, a list is empty or has a name twice, or no set of
            known columns is asked for.
        """
        lists = {"attack": self.attacks, "column to attack": self.asked}
        for what, listed in {**lists, "release to attack": self.attacked}.items():
            if listed is None:
                continue
            if not listed:
                raise InputError(f"There is no {what}. Choose at least one.")
            if twice := [name for name in listed if listed.count(name) > 1]:
                raise InputError(f"The {what} '{twice[0]}' is named twice. Name it once.")
        for name, least in {"known_sets": 0, "max_known": 1, "seed": 0}.items():
            if name != "max_known" or self.max_known is not None:
                check_whole(name, getattr(self, name), least)
        if strange := self.job_list.keys() - (self.asked or ()):
            raise InputError(
                f"The list of attacks has sets for '{min(strange)}', which is not attacked. "
                "Attack it, or remove it from the list."
            )
        rules = self.known_sets, self.all_others, self.knowable, self.max_known, self.named
        if not any(rules) and not (self.asked and self.job_list.keys() >= {*self.asked}):
            raise ParameterError(
                "No known columns are asked for. Set known_sets, all_others or max_known, or "
                "name sets."
            )

    @property
    def named_columns(self) -> tuple[str, ...]:
        """All columns that are named: to attack, to be known, to select people by."""
        return (
            *(self.asked or ()), *itertools.chain(*(known for _, known in self.own_sets)),
            *self.targets.where, *(self.targets.missing or ()), *self.tolerance,
        )  # fmt: skip

    @property
    def asked(self) -> tuple[str, ...] | None:
        """Columns to attack whatever their role; None for all that are to be protected."""
        return tuple(self.job_list) or None if self.unknown is None else self.unknown

    @property
    def own_sets(self) -> list[tuple[str, tuple[str, ...]]]:
        """All sets that the user named, each with what it is called."""
        named = [(f"Set {n} that you named", known) for n, known in enumerate(self.named, start=1)]
        return named + [
            (f"Set {n} for '{unknown}' in the list of attacks", known)
            for unknown, sets in self.job_list.items()
            for n, known in enumerate(sets, start=1)
        ]

    @property
    def asks_for_knowable(self) -> bool:
        """Whether all columns that may be known are one set."""
        return self.all_others if self.knowable is None else self.knowable

    @property
    def on_whom(self) -> tuple[object, ...]:
        """What the result of an attack depends on, whichever attacks are planned."""
        return (
            self.targets, self.down_sample, self.person, self.household, self.tolerance,
            self.roles, self.seed,
        )  # fmt: skip


def told_settings(
    attacks: Sequence[PlannedAttack], *, roles: Mapping[str, ColumnRole], seed: int
) -> PlanSettings:
    """Return settings from which some attacks are planned again, as far as these tell.

    For files whose attacks are not all of one plan, which keep no settings.
    """
    scenarios, releases = [attack.scenario for attack in attacks], {a.release for a in attacks}
    known: dict[KnownSetKind, dict[str, dict[tuple[str, ...], None]]] = {}
    ran: dict[str, dict[str, None]] = {}
    for attack in attacks:
        sets = known.setdefault(attack.kind, {}).setdefault(attack.scenario.unknown, {})
        sets[tuple(attack.scenario.known)] = None
        ran.setdefault(plain_name(attack.attack), {})[attack.release] = None
    singling, budget = known.get(KnownSetKind.SINGLES_OUT, {}), known.get(KnownSetKind.BUDGET, {})
    targets = scenarios[0].selection
    markers = {s.unknown: s.markers for s in scenarios if s.selection.missing is not None}
    return PlanSettings(
        unknown=tuple(dict.fromkeys(scenario.unknown for scenario in scenarios)),
        attacks=tuple(dict.fromkeys(attack.attack for attack in attacks)),
        only_on={name: tuple(on) for name, on in ran.items() if set(on) < releases},
        named=_whole_sets(known.get(KnownSetKind.NAMED, {})),
        known_sets=max(map(len, singling.values()), default=0),
        all_others=KnownSetKind.ALL_OTHERS in known,
        knowable=KnownSetKind.KNOWABLE in known or KnownSetKind.ALL_OTHERS in known,
        max_known=max((len(k) for sets in budget.values() for k in sets), default=None),
        targets=replace(targets, missing=markers),
        down_sample=scenarios[0].down_sample,
        person=scenarios[0].person,
        household=scenarios[0].household,
        tolerance={s.unknown: s.tolerance for s in scenarios if s.tolerance is not None},
        roles=roles,
        seed=seed,
    )


def _whole_sets(named: Mapping[str, Iterable[tuple[str, ...]]]) -> tuple[tuple[str, ...], ...]:
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
    return tuple(columns for columns in sets if columns not in lacking)


def takes_settings(planner: Planner) -> Planner:
    """Let help and editors name the settings that a function takes as further keywords."""
    *own, _ = inspect.signature(planner).parameters.values()
    named = [
        inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, annotation=each.type)
        for each in fields(PlanSettings)
    ]
    vars(planner)["__signature__"] = inspect.Signature([*own, *named])
    return planner


class Effort(enum.StrEnum):
    """How much a campaign tries."""

    QUICK = "quick"
    THOROUGH = "thorough"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tries:
    """What a campaign of an effort tries."""

    # Whether a model is trained on rows of people, besides the usual attacks
    model: bool
    known_sets: int  # Smallest sets of facts that single people out, for each unknown column
    people: int | None  # How many are attacked; None for as many as the measures need


EFFORTS: Mapping[Effort, Tries] = {
    Effort.QUICK: Tries(model=False, known_sets=PlanSettings().known_sets, people=None),
    Effort.THOROUGH: Tries(model=True, known_sets=4, people=5000),
}


def effort_attacks(effort: Effort, releases: Iterable[Release]) -> tuple[str, ...]:
    """Return the attacks that an effort runs on releases: all usual ones, and a model or none."""
    published = list(releases)
    run = {name for release in published for name in usual_attacks(release)}
    name = model_attack()
    more = name and EFFORTS[effort].model
    if more and not all(refusal(attack_types()[name].accepts, each) for each in published):
        run.add(name)
    return tuple(name for name in attack_types() if name in run)


def plan_model(
    attacks: Sequence[PlannedAttack], releases: Collection[str]
) -> tuple[PlannedAttack, ...]:
    """Plan a model in every scenario in which some releases were attacked without one."""
    first = max((attack.number for attack in attacks), default=-1) + 1
    counted = (each for each in attacks if each.kind is not KnownSetKind.ONE_LESS)
    asked = {(a.release, a.scenario.key): a for a in counted if a.release in releases}
    return tuple(
        replace(attack, number=number, attack=model_attack())
        for number, attack in enumerate(asked.values(), first)
    )


def with_effort(
    settings: PlanSettings, effort: Effort, releases: Iterable[Release]
) -> PlanSettings:
    """Return settings with the attacks, smallest sets and number of people of an effort.

    Who asked for no smallest sets still gets none.
    """
    tries = EFFORTS[effort]
    return replace(
        settings,
        attacks=effort_attacks(effort, releases),
        only_on={},
        known_sets=settings.known_sets and tries.known_sets,
        targets=replace(settings.targets, count=tries.people),
    )
