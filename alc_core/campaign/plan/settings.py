"""A plan's settings, shared by page, command, planner and file."""

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
    """A plan's settings.

    Also takes lists and dictionaries; your own attacks by name. :meth:`check` validates.

    Attributes
    ----------
    unknown : tuple of str, optional
        Columns to attack, whatever their role, or derived ones as in :class:`Scenario`; by default
        all to be protected.
    attacked : tuple of str, optional
        Releases to attack; by default all.
    attacks : tuple of str, optional
        Registered names, with non-default parameters after a colon, or your own. Attacks skip
        releases they cannot read. By default best row match and record linkage on rows; on others
        all that can read them.
    only_on : mapping of str to tuple of str
        Releases that an attack is confined to, by its name without parameters.
    named : tuple of tuple of str
        Further known sets for every unknown column.
    job_list : mapping of str to tuple of tuple of str
        Known sets by unknown column, replacing all other sets; by default only its columns are
        attacked. See :func:`read_job_list`.
    known_sets : int, default 2
        Number of smallest knowable sets that single out most people, by unknown column; `seed`
        chooses them.
    all_others : bool, default True
        Whether all other facts about people are also a known set.
    knowable : bool, optional
        Whether all columns that may be known are a set, if others are only to be protected; by
        default as `all_others`.
    max_known : int, optional
        Most facts of a generated set; the set of that size singling out most people is added. Sets
        in `named` are never cut.
    targets : Targets
        Who is attacked. Each scenario names its missing-value markers.
    down_sample, person, household
        As in :class:`Scenario`. With a person column, people are singled out, not records.
    tolerance : mapping of str to Tolerance
        By unknown column; see :class:`Scenario`.
    roles : mapping of str to ColumnRole
        "may be known", "to be protected", "both", "survey weight", "identifier" or "left out"; by
        default suggested from names and values.
    stop_settled : bool, default False
        Whether a serious loss ends the attacks on a release. Skipped attacks depend on timing;
        results do not.
    seed : int, default 0
        Same input and seed, same plan. Choices for one unknown column do not depend on others.

    Examples
    --------
    >>> PlanSettings(unknown=["income"], known_sets=3).unknown
    ('income',)
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
        """Refuse impossible settings, whatever the tables.

        Raises
        ------
        ParameterError, InputError
            If a number is out of bounds, a list is empty or repeats a name, or no known set is
            requested.
        """
        lists = {"attack": self.attacks, "column to attack": self.asked}
        for what, listed in {**lists, "release to attack": self.attacked}.items():
            if listed is None:
                continue
            if not listed:
                raise InputError(f"No {what}. Choose at least one.")
            if twice := [name for name in listed if listed.count(name) > 1]:
                raise InputError(f"The {what} '{twice[0]}' is named twice. Name it once.")
        for name, least in {"known_sets": 0, "max_known": 1, "seed": 0}.items():
            if name != "max_known" or self.max_known is not None:
                check_whole(name, getattr(self, name), least)
        if strange := self.job_list.keys() - (self.asked or ()):
            raise InputError(f"The list of attacks has '{min(strange)}', which is not attacked.")
        rules = self.known_sets, self.all_others, self.knowable, self.max_known, self.named
        if not any(rules) and not (self.asked and self.job_list.keys() >= {*self.asked}):
            raise ParameterError(
                "No known columns. Set known_sets, all_others or max_known, or name sets."
            )

    @property
    def named_columns(self) -> tuple[str, ...]:
        """All named columns: to attack, to know, to select people by."""
        return (
            *(self.asked or ()), *itertools.chain(*(known for _, known in self.own_sets)),
            *self.targets.where, *(self.targets.missing or ()), *self.tolerance,
        )  # fmt: skip

    @property
    def asked(self) -> tuple[str, ...] | None:
        """Columns to attack; None for all to be protected."""
        return tuple(self.job_list) or None if self.unknown is None else self.unknown

    @property
    def own_sets(self) -> list[tuple[str, tuple[str, ...]]]:
        """All sets the user named, with their titles."""
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
        """What an attack's result depends on, whichever attacks are planned."""
        return (
            self.targets, self.down_sample, self.person, self.household, self.tolerance,
            self.roles, self.seed,
        )  # fmt: skip


def told_settings(
    attacks: Sequence[PlannedAttack], *, roles: Mapping[str, ColumnRole], seed: int
) -> PlanSettings:
    """Return settings that plan these attacks, as far as these show.

    For files that keep no settings, as their attacks are not of one plan.
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
    """Return named sets, without those that only lack the attacked column."""
    sets = dict.fromkeys(columns for each in named.values() for columns in each)
    lacking = {
        columns
        for unknown, each in named.items()
        for columns in each
        if any({*columns, unknown} == set(other) for other in sets)
    }
    return tuple(columns for columns in sets if columns not in lacking)


def takes_settings(planner: Planner) -> Planner:
    """Show the settings in a function's signature."""
    *own, _ = inspect.signature(planner).parameters.values()
    usual = PlanSettings()
    named = [
        inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default={} if (value := getattr(usual, each.name)) == {} else value,
            annotation=each.type,
        )
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

    # Whether a model trained on rows is also run
    model: bool
    known_sets: int  # Smallest sets that single people out, by unknown column
    people: int | None  # People attacked; None for as many as measures need


EFFORTS: Mapping[Effort, Tries] = {
    Effort.QUICK: Tries(model=False, known_sets=PlanSettings().known_sets, people=None),
    Effort.THOROUGH: Tries(model=True, known_sets=4, people=5000),
}


def effort_attacks(effort: Effort, releases: Iterable[Release]) -> tuple[str, ...]:
    """Return an effort's attacks: the usual ones, with or without a model."""
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
    """Plan a model in scenarios in which releases were attacked without one."""
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
    """Return settings with an effort's attacks, smallest sets and people.

    Zero smallest sets stay zero.
    """
    tries = EFFORTS[effort]
    return replace(
        settings,
        attacks=effort_attacks(effort, releases),
        only_on={},
        known_sets=settings.known_sets and tries.known_sets,
        targets=replace(settings.targets, count=tries.people),
    )
