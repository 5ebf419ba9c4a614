"""Choices of the Attack page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Literal, Self

from alc_core.attacks import registry
from alc_core.attacks.registry import (
    attack_parameters,
    attack_text,
    attack_type,
    attack_types,
    model_attack,
    plain_name,
    usual_attacks,
)
from alc_core.attacks.registry import refusal as attack_refusal
from alc_core.campaign.plan.settings import (
    EFFORTS,
    Effort,
    PlanSettings,
    with_effort,
)
from alc_core.errors import ColumnError, InputError
from alc_core.parameter import Value
from alc_core.releases.registry import release_types
from alc_core.releases.release import USUAL_KIND, Release
from alc_core.scenario.derived import base_columns
from alc_core.scenario.scenario import (
    Scenario,
    Targets,
    Tolerance,
    condition_line,
    read_tolerances,
    read_where,
)
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.roles import Attackable, Roles, suggested_attack
from alc_core.tables.table import Table

Mode = Literal["many", "one"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneAttack:
    """Columns of a single attack."""

    unknown: str | None = None
    known: tuple[str, ...] = ()

    def columns(self) -> tuple[str, tuple[str, ...]]:
        """Return the unknown column and the known ones."""
        if self.unknown is None:
            raise ColumnError("Choose an unknown column.")
        if not self.known:
            raise ColumnError("Choose a known column.")
        return self.unknown, self.known

    def fitted(
        self, attackable: Attackable, original: Table, roles: Roles, *, start: Scenario | None
    ) -> Self:
        """Keep allowed columns, or suggest some."""
        if self.unknown in attackable:
            return self._within(self.unknown, attackable)
        first = None if start is None else (start.unknown, start.known)
        suggestion = suggested_attack(original, roles, attackable, first)
        kept = self._within(suggestion[0], attackable)
        return kept if kept.known else replace(kept, known=suggestion[1])

    def learning(self, unknown: str | None, attackable: Attackable) -> Self:
        """Attack another column, still knowing everything else."""
        possible = attackable.get(unknown or "", ())
        if set(self.known) >= set(attackable.get(self.unknown or "", ())):
            return replace(self, unknown=unknown, known=tuple(possible))
        return self._within(unknown, attackable)

    def _within(self, unknown: str | None, attackable: Attackable) -> Self:
        possible = attackable.get(unknown or "", ())
        known = tuple(column for column in self.known if column in possible)
        return replace(self, unknown=unknown, known=known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Plan settings, and widgets' own values.

    Choices the tables do not allow stay; :meth:`fitted_attacks` and :meth:`fitted_columns` ignore
    them.
    """

    # Except the user's sets (may be empty) and texts (may be unreadable)
    settings: PlanSettings = field(default_factory=lambda: PlanSettings(knowable=True))
    mode: Mode = "many"  # By rules, or a single one
    one: OneAttack = OneAttack()  # The single attack; other choices are for planned ones
    # Else the user's roles decide
    unknown_by_user: bool = False
    # Types of release when the user chose attacks
    kinds: frozenset[str] = frozenset({USUAL_KIND})
    # Else a model is trained on synthetic releases
    model_by_user: bool = False
    # By widget; some are empty
    sets: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    asked: str = ""  # Derived columns, one a line
    where: str = ""  # Conditions on people, one a line
    # COLUMN=DISTANCE, one a line
    tolerance: str = ""
    include_missing: bool = False  # Attack people without a value
    people: int = 2000  # Number of people, if chosen
    minutes: int = 0  # Time limit; 0 for none
    # Changed :class:`ScoringParameters`; may conflict
    scoring: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        settings: PlanSettings,
        scoring: ScoringParameters | None = None,
        columns: Collection[str] | None = None,
    ) -> Self:
        """Return choices from a campaign's settings.

        Without unregistered attacks; of several parameters the last.
        """
        found = {plain_name(text): text for text in settings.attacks or () if attack_type(text)}
        targets, unknown, named = settings.targets, settings.unknown or (), settings.named
        made = cls(
            settings=replace(
                settings,
                attacks=tuple(found.values()) or None,
                only_on={name: on for name, on in settings.only_on.items() if name in found},
                knowable=settings.asks_for_knowable,
                named=(),
                targets=replace(targets, where={}, missing=targets.missing or {}),
                tolerance={},
            ),
            unknown_by_user=True,
            kinds=frozenset(release_types() if found else {USUAL_KIND}),
            model_by_user=True,
            sets=dict(enumerate(named, 1)),
            asked="" if columns is None else "\n".join(c for c in unknown if c not in columns),
            where=_condition_text(targets.where),
            tolerance=_tolerance_text(settings.tolerance),
            include_missing=targets.missing is None,
            people=targets.count if isinstance(targets.count, int) else cls().people,
            scoring={} if scoring is None else scoring.to_dict(),
        )
        generated = any(getattr(made.settings, name) for name in _NO_SETS)
        if generated or not len(unknown) == len(named) == 1:
            return made
        one = OneAttack(unknown=unknown[0], known=tuple(c for c in named[0] if c not in unknown))
        many = {name: getattr(cls().settings, name) for name in _NO_SETS}
        return made.changed(mode="one", one=one, sets={}, unknown=None, **many)

    def value(self, name: str) -> Any:
        """Return a choice, setting, target or scoring parameter by name."""
        if name in _OF_SCORING:
            return self.scoring.get(name, getattr(ScoringParameters(), name))
        of = self.settings.targets if name in _OF_TARGETS else self.settings
        return getattr(self if name in _OWN else of, name)

    def changed(self, **changes: Any) -> Self:
        """Return changed choices, by names as in :meth:`value`."""
        own = {name: changes.pop(name) for name in _OWN & changes.keys()}
        of_targets = {name: changes.pop(name) for name in _OF_TARGETS & changes.keys()}
        of_scoring = {name: changes.pop(name) for name in _OF_SCORING & changes.keys()}
        if of_targets:
            changes["targets"] = replace(self.settings.targets, **of_targets)
        if of_scoring:
            own["scoring"] = {**self.scoring, **of_scoring}
        settings = replace(own.pop("settings", self.settings), **changes)
        return replace(self, settings=settings, **own)

    # Texts, and their parsed values ---------------------------------------------

    @property
    def asked_columns(self) -> list[str]:
        """What else is attacked, as scenarios name it."""
        return _lines(self.asked)

    @property
    def worked_out(self) -> tuple[str, ...]:
        """All derived columns: attacked, or selecting people."""
        return (*self.asked_columns, *self.conditions)

    @property
    def conditions(self) -> dict[str, tuple[str, ...]]:
        """By what people are selected."""
        return read_where(_lines(self.where))

    @property
    def tolerances(self) -> dict[str, Tolerance]:
        """How near answers must be, by unknown column."""
        return read_tolerances(_lines(self.tolerance))

    @property
    def missing(self) -> Mapping[str, tuple[str, ...]] | None:
        """The user's "no value" markers, if any."""
        return None if self.include_missing else self.settings.targets.missing

    @property
    def targets(self) -> Targets:
        """Who is attacked."""
        return replace(self.settings.targets, where=self.conditions, missing=self.missing)

    @property
    def parameters(self) -> ScoringParameters:
        """The scoring parameters."""
        return ScoringParameters(**self.scoring)

    # What the attacks are ------------------------------------------------------------------------

    @property
    def attacks(self) -> dict[str, str]:
        """Each attack's text with parameters."""
        texts = registry.ROW_ATTACKS if self.settings.attacks is None else self.settings.attacks
        return {plain_name(text): text for text in texts}

    @property
    def model(self) -> bool:
        """Whether a model is trained on the releases."""
        return model_attack() in self.attacks

    @property
    def known_together(self) -> list[tuple[str, ...]]:
        """The user's sets, or the single attack's."""
        if self.mode == "one":
            return [(*self.one.known, *filter(None, [self.one.unknown]))]
        return list(self.sets.values())

    def plan(self) -> PlanSettings:
        """Return what is to be planned."""
        settings = self.settings
        if settings.attacked == ():
            raise InputError("Choose a release to attack.")
        if settings.attacks == ():
            raise InputError("Choose an attack.")
        several = replace(
            settings,
            unknown=None if settings.job_list else settings.unknown,
            # Sets without columns are unfinished.
            named=tuple(dict.fromkeys(filter(None, self.sets.values()))),
            targets=self.targets,
            tolerance=self.tolerances,
        )
        if self.mode == "many":
            return several
        unknown, known = self.one.columns()
        return replace(several, unknown=(unknown,), named=(known,), job_list={}, **_NO_SETS)

    # What the tables allow -----------------------------------------------------------------------

    def of_columns(self, columns: Collection[str]) -> Self:
        """Drop person, household and selection columns that are missing."""
        there, changes = {*columns}, dict[str, Any]()
        for name in ("person", "household"):
            chosen = self.value(name)
            if not {*((chosen,) if isinstance(chosen, str) else chosen or ())} <= there:
                changes[name] = None
        with suppress(InputError):  # reported where used
            said = self.conditions
            kept = {c: values for c, values in said.items() if base_columns([c], columns) <= there}
            if len(kept) < len(said):
                changes["where"] = _condition_text(kept)
        missing = self.settings.targets.missing or {}
        changes["missing"] = {c: values for c, values in missing.items() if c in there}
        return self.changed(**changes)

    def fitted_attacks(self, releases: Mapping[str, Release]) -> Self:
        """Keep present releases, and attacks that can read them.

        All releases, if none of the chosen remain. A new type adds its usual attacks.
        """
        chosen = _kept(self.settings.attacked, releases)
        among = [each for name, each in releases.items() if chosen is None or name in chosen]
        if not among:
            return self.changed(attacked=chosen)
        fitting, _ = fitting_attacks(among)
        texts = {name: text for name, text in self.attacks.items() if name in fitting}
        for name in (
            n for each in among if each.kind not in self.kinds for n in usual_attacks(each)
        ):
            texts.setdefault(name, name)
        texts = texts or {name: name for name in fitting[:1]}
        only_on = {}
        for name, on in self.settings.only_on.items():
            readable = readable_releases(name, among)
            kept = tuple(each for each in on if each in readable)
            if name in texts and kept and not {*readable} <= {*on}:
                only_on[name] = kept
        return self.changed(
            attacked=chosen,
            attacks=tuple(texts.values()),
            only_on=only_on,
            kinds=self.kinds | {each.kind for each in among},
        )

    def fitted_columns(
        self, attackable: Attackable, knowable: Collection[str], secret: Collection[str]
    ) -> Self:
        """Keep allowed columns.

        By default, columns to protect are attacked.
        """
        unknown = _kept(self.settings.unknown, attackable)
        if not self.unknown_by_user and (asked := [c for c in attackable if c in secret]):
            unknown = tuple(asked)
        elif unknown is None and self.asked_columns:
            unknown = tuple(attackable)
        sets = {
            number: tuple(column for column in columns if column in knowable)
            for number, columns in self.sets.items()
        }
        return self.changed(unknown=unknown, sets=sets)

    def training(self, releases: Sequence[str] | None) -> Self:
        """Train a model on these releases; on all or none if none is named."""
        name = model_attack()
        attacks = {each: text for each, text in self.attacks.items() if each != name}
        only_on = {each: on for each, on in self.settings.only_on.items() if each != name}
        if releases is not None and name:
            attacks[name] = self.attacks.get(name, name)
            only_on |= {name: tuple(releases)} if releases else {}
        return self.changed(attacks=tuple(attacks.values()), only_on=only_on)

    # What a click changes ------------------------------------------------------------------------

    def attacking(self, unknown: Sequence[str], columns: Collection[str]) -> Self:
        """Attack some of the possible columns."""
        every = {*unknown} == {*columns}
        return self.changed(unknown=None if every else tuple(unknown), unknown_by_user=True)

    def trying(self, effort: Effort, releases: Sequence[Release]) -> Self:
        """Set an effort's attacks, smallest sets and people."""
        tries = EFFORTS[effort]
        return self.changed(
            settings=with_effort(self.settings, effort, releases),
            kinds=frozenset({USUAL_KIND, *(release.kind for release in releases)}),
            model_by_user=tries.model,
            people=tries.people or self.people,
        )

    def with_parameter(self, attack: str, name: str, value: Value) -> Self:
        """Give a parameter of an attack another value."""
        text = self.attacks[attack]
        values = {**attack_parameters(text), name: value}
        texts = {**self.attacks, attack: attack_text(attack_types()[attack], values)}
        return self.changed(attacks=tuple(texts.values()))

    def asking(self, text: str, one: OneAttack) -> Self:
        """Also attack something else; a single attack, only that."""
        unknown, asked = self.settings.unknown, self.asked_columns
        if unknown is not None and text not in unknown:
            unknown = (*unknown, text)
        return self.changed(
            asked="\n".join(dict.fromkeys([*asked, text])),
            unknown=unknown,
            one=replace(one, unknown=text),
        )

    def with_set(self, columns: Sequence[str] = ()) -> Self:
        """Add a known set, with columns still to be filled in."""
        return self.changed(sets={**self.sets, max(self.sets, default=0) + 1: tuple(columns)})

    def without_set(self, number: int) -> Self:
        """Take a set away."""
        return self.changed(sets={n: each for n, each in self.sets.items() if n != number})

    def knowing(self, columns: Sequence[str], one: OneAttack) -> Self:
        """Add a known set; for a single attack, replace it."""
        there = any({*each} == {*columns} for each in self.sets.values())
        known = tuple(column for column in columns if column != one.unknown)
        return (self if there else self.with_set(columns)).changed(one=replace(one, known=known))

    def selecting(self, condition: str) -> Self:
        """Also require a condition of the people attacked."""
        return self.changed(where="\n".join(filter(None, (self.where.strip(), condition))))

    # Other names ---------------------------------------------------------------------------------

    def renamed(self, now: Mapping[str, str]) -> Self:
        """Follow renamed columns; drop derived ones."""

        def many(columns: Iterable[str]) -> tuple[str, ...]:
            return tuple(now.get(column, column) for column in columns)

        def same(column: str | None) -> str | None:
            return None if column is None else now.get(column, column)

        settings = self.settings
        changed, household = {c for c, name in now.items() if name != c}, settings.household
        changes: dict[str, Any] = {
            "asked": "\n".join(
                line for line in self.asked_columns if changed.isdisjoint(base_columns([line], now))
            ),
            "person": same(settings.person),
            "household": many(household) if isinstance(household, tuple) else same(household),
            "roles": {now.get(c, c): role for c, role in settings.roles.items()},
            "unknown": None if settings.unknown is None else many(settings.unknown),
            "one": OneAttack(unknown=same(self.one.unknown), known=many(self.one.known)),
            "sets": {number: many(columns) for number, columns in self.sets.items()},
            "job_list": {
                now.get(unknown, unknown): tuple(map(many, sets))
                for unknown, sets in settings.job_list.items()
            },
            "missing": {now.get(c, c): v for c, v in (settings.targets.missing or {}).items()},
        }
        with suppress(InputError):  # reported where used
            said = self.conditions.items()
            changes["where"] = "\n".join(condition_line(now.get(c, c), v) for c, v in said)
        with suppress(InputError):
            changes["tolerance"] = _tolerance_text(
                {now.get(c, c): near for c, near in self.tolerances.items()}
            )
        return self.changed(**changes)

    def with_release_renamed(self, name: str, new: str) -> Self:
        """Follow a release that is called otherwise now."""

        def named(names: Iterable[str]) -> tuple[str, ...]:
            return tuple(new if each == name else each for each in names)

        attacked, only_on = self.settings.attacked, self.settings.only_on
        return self.changed(
            attacked=None if attacked is None else named(attacked),
            only_on={attack: named(on) for attack, on in only_on.items()},
        )


_OWN = frozenset(each.name for each in fields(Choices))
_OF_TARGETS = frozenset({"count", "recall", "missing"})
_OF_SCORING = frozenset(each.name for each in fields(ScoringParameters))
# Settings without generated known sets
_NO_SETS: Mapping[str, Any] = MappingProxyType(
    {"known_sets": 0, "all_others": False, "knowable": False, "max_known": None}
)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _condition_text(where: Mapping[str, Sequence[str]]) -> str:
    return "\n".join(condition_line(column, values) for column, values in where.items())


def _tolerance_text(tolerance: Mapping[str, Tolerance]) -> str:
    return "\n".join(f"{column}={near}" for column, near in tolerance.items())


def _kept(chosen: Sequence[str] | None, there: Collection[str]) -> tuple[str, ...] | None:
    """Return choices still present; None, for all, if none is.

    An empty choice stays.
    """
    if not chosen:
        return None if chosen is None else ()
    return tuple(each for each in chosen if each in there) or None


def effort_of(settings: PlanSettings, releases: Sequence[Release]) -> Effort | None:
    """Return the effort of settings; None if customized."""
    alike = (each for each in Effort if with_effort(settings, each, releases) == settings)
    return next(alike, None)


def effort_like(settings: PlanSettings, releases: Sequence[Release]) -> Effort | None:
    """Return settings' effort; if extended, that with as many people."""
    alike = (each for each in Effort if EFFORTS[each].people == settings.targets.count)
    return effort_of(settings, releases) or next(alike, None)


def readable_releases(name: str, releases: Sequence[Release]) -> list[str]:
    """Return the releases an attack can read."""
    found = attack_type(name)
    if found is None:
        return []
    return [release.name for release in releases if not attack_refusal(found.accepts, release)]


def fitting_attacks(releases: Sequence[Release]) -> tuple[list[str], dict[str, str]]:
    """Return attacks that can read a release, and why others cannot."""
    reasons = {
        name: [attack_refusal(found.accepts, release) for release in releases]
        for name, found in attack_types().items()
    }
    fitting = [name for name, each in reasons.items() if not all(each)]
    return fitting, {name: each[0] for name, each in reasons.items() if name not in fitting}
