"""Planning a campaign: unknown columns, known sets, releases and attacks."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import cloudpickle

from alc_core.attacks.protocol import Attack
from alc_core.attacks.registry import (
    attack_type,
    attack_types,
    compares,
    make_attack,
    plain_name,
    refusal,
    usual_attacks,
)
from alc_core.campaign.model import KnownSet, KnownSetKind, PlannedAttack
from alc_core.campaign.plan.known_sets import HashedRows, choose_known_sets, known_row_sets
from alc_core.campaign.plan.plan_notes import (
    campaign_columns,
    check_named,
    nothing_planned,
    people_with,
    plan_notes,
    too_few,
)
from alc_core.campaign.plan.settings import PlanSettings, takes_settings
from alc_core.errors import ColumnError, InputError
from alc_core.linked.events import events_of
from alc_core.parameter import check_name
from alc_core.phrasing import count, listed, numbered, quoted
from alc_core.releases.answers import asked_tables, knowing_intervals, levels
from alc_core.releases.registry import ReleasesLike, as_releases
from alc_core.releases.release import Release, attackable, released_columns
from alc_core.scenario.derived import check_derived
from alc_core.scenario.no_value import columns_without_values, narrowed, settled
from alc_core.scenario.scenario import Scenario, Targets
from alc_core.scenario.targets import People
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.codes.encode import EncodedTable, encode
from alc_core.tables.few_facts import telling_facts
from alc_core.tables.labels.date_readings import with_read_dates
from alc_core.tables.labels.intervals import kept_intervals
from alc_core.tables.roles import Roles
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignPlan:
    """What a campaign will do.

    Attributes
    ----------
    attacks : tuple of PlannedAttack
        Equal unknown and known columns follow each other, to share baselines.
    notes : tuple of str
        Columns left out, releases without a column, sets not made.
    known_sets : mapping of str to tuple of KnownSet
        By unknown column.
    roles : Roles
        Who knows which column, and what is attacked.
    too_few : str
        Where too few people are attacked; also among the notes.
    budget : str
        What a budget of time leaves out, in a sentence.
    left_out : tuple of PlannedAttack or None
        Attacks it leaves out, with `minutes`; None if not from a plan.
    settings : PlanSettings or None
        None if not from a plan.

    Examples
    --------
    >>> import alc_core as alc
    >>> demo = alc.load_demo("fair")
    >>> plan = alc.plan_campaign(demo.original, demo.releases, unknown=["religious"])
    >>> plan.attacks[0].scenario.unknown
    'religious'
    """

    attacks: tuple[PlannedAttack, ...]
    notes: tuple[str, ...] = ()
    known_sets: Mapping[str, tuple[KnownSet, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    roles: Roles = field(default_factory=Roles)
    too_few: str = ""
    budget: str = ""
    left_out: tuple[PlannedAttack, ...] | None = None
    minutes: int = 0
    settings: PlanSettings | None = None

    def __len__(self) -> int:
        return len(self.attacks)

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The different scenarios, each with its own baselines."""
        found: dict[str, Scenario] = {}
        for planned in self.attacks:
            found.setdefault(planned.scenario.key, planned.scenario)
        return tuple(found.values())

    @property
    def unknown(self) -> tuple[str, ...]:
        """Columns that are attacked, in order."""
        return tuple(dict.fromkeys(planned.scenario.unknown for planned in self.attacks))

    @property
    def releases(self) -> tuple[str, ...]:
        """Names of attacked releases, in order."""
        return tuple(dict.fromkeys(planned.release for planned in self.attacks))

    def settled(self, original: Table) -> CampaignPlan:
        """Return the plan with scenarios that name the values excluding people."""
        done: dict[str, Targets] = {}

        def exact(scenario: Scenario) -> Scenario:
            key = repr((scenario.unknown, scenario.to_dict()["targets"]))
            if key not in done:
                done[key] = settled(scenario, original).selection
            return replace(scenario, targets=done[key])

        def settle(attacks: Iterable[PlannedAttack]) -> tuple[PlannedAttack, ...]:
            return tuple(replace(each, scenario=exact(each.scenario)) for each in attacks)

        left_out = self.left_out and settle(self.left_out)
        return replace(self, attacks=settle(self.attacks), left_out=left_out)

    @property
    def summary(self) -> str:
        """The size of the campaign in a sentence."""
        on = Counter(attack.release for attack in self.attacks)
        parts = [f"{count(number)} on {name}" for name, number in on.items()]
        coarser = len({attack.scenario.wanted for attack in self.attacks}) - len(self.unknown)
        return (
            f"{numbered(len(self), 'attack')} on {numbered(len(self.unknown), 'unknown column')}"
            f"{f' ({count(coarser)} also in classes)' if coarser else ''} "
            f"in {numbered(len(on), 'release')}"
            f"{f' ({listed(parts)})' if len(set(on.values())) > 1 else ''}."
        )


@takes_settings
def plan_campaign(
    original: TableLike,
    releases: ReleasesLike,
    settings: PlanSettings = PlanSettings(),  # noqa: B008 - frozen
    *,
    data: EncodedTable | None = None,
    **changes: Any,
) -> CampaignPlan:
    """Plan a campaign's attacks, with reasons for each known set.

    Parameters
    ----------
    original : Table, data frame or path
        Real people.
    releases : Release or several, Table, DataFrame, several tables, or mapping of str to these
        As for :func:`run_campaign`.
    settings : PlanSettings, optional
    data : EncodedTable, optional
        The encoded original.
    **changes
        Single fields of :class:`PlanSettings`, such as ``unknown=["income"], known_sets=3``.
        `attacks` may include your own.

    Returns
    -------
    CampaignPlan
        Ordered by unknown column, known set, release and attack. A coarsened unknown column is also
        attacked at its own level.

    Raises
    ------
    ColumnError
        If a column is missing or unusable, or nothing can be attacked.
    ParameterError, InputError
        If a number is out of bounds, or no release, attack or known set is requested.

    References
    ----------
    Francis and Wagner (2025), section 6: known attributes that are few and mostly unique.

    Examples
    --------
    >>> import alc_core as alc
    >>> demo = alc.load_demo("fair")
    >>> plan = plan_campaign(demo.original, demo.releases, unknown=["religious"], known_sets=0)
    >>> {attack.scenario.unknown for attack in plan.attacks}
    {'religious'}
    """
    plugged = [make_attack(e) for e in changes.get("attacks") or () if not isinstance(e, str)]
    settings = replace(settings, **changes)
    settings.check()
    table = as_table(original, name="original")
    published: Sequence[Release] = _attacked(as_releases(releases, table), settings)
    table, published = asked_tables(table, published, settings.named_columns)
    fitting, attack_notes = fitting_attacks(settings, published, plugged)
    check_named(table, settings)
    roles = Roles.of(
        table,
        frozenset().union(*map(released_columns, published)),
        chosen=settings.roles,
        naming=[settings.person, settings.household],
    )
    named = {column for _, known in settings.own_sets for column in known}
    if data is None or not {*table.derived, *named} <= data.columns.keys():
        used = {*table.compared, *named}  # An identifier is compared if it is known
        data = encode(table, [], columns=[c for c in table.columns if c in used]).original
    targets = settings.targets
    without = columns_without_values(table, targets.missing, settings.asked or data.columns)
    columns = campaign_columns(table, published, settings, data=data, without=without, roles=roles)
    first, others = next(iter(columns.candidates.items()))
    template = Scenario(
        others,
        first,
        targets=targets,
        down_sample=settings.down_sample,
        person=settings.person,
        household=settings.household,
    )
    own = (known for _, known in settings.own_sets)
    survey = frozenset().union(*columns.survey.values())
    known_or_told = (*columns.candidates.values(), *own, survey)
    events = events_of(table.columns)
    compared = {c for known in known_or_told for c in known} | {*events}
    everybody = People.of(table, template)
    rows = HashedRows.of(
        data,
        [column for column in table.columns if column in compared],
        person=everybody.person,
    )
    few = {
        release.name: _few_facts(table, release, columns.candidates)
        for release in (published if settings.known_sets else ())
    }
    by_rows = replace(settings, known_sets=0, all_others=False, knowable=False)
    chosen = {
        column: choose_known_sets(
            rows, candidates, by_rows if column in events else settings, unknown=column,
            knowable=columns.knowable[column],
            hidden={c for c in table.columns if table.base([c]) & table.base([column])},
            survey=survey, facts={facts[column]: None for facts in few.values() if column in facts},
        )
        for column, candidates in columns.candidates.items()
    }  # fmt: skip
    if settings.known_sets:
        for column in chosen:
            chosen[column] += tuple(
                known_row_sets(
                    rows, events, unknown=column, others=columns.knowable[column],
                    thorough=settings.known_sets > PlanSettings().known_sets,
                )
            )  # fmt: skip
    if unused := [column for column in settings.tolerance if column not in chosen]:
        raise ColumnError(f"'{unused[0]}' has a tolerance, but is not attacked.")
    asked = {
        (column, release.name): levels(
            table,
            release,
            replace(
                template,
                known=columns.candidates[column],
                unknown=column,
                targets=narrowed(targets, column, without[column]),
                tolerance=settings.tolerance.get(column),
            ),
        )
        for column in chosen
        for release in published
    }
    numbers = itertools.count()
    planned = tuple(
        PlannedAttack(
            number=next(numbers),
            scenario=scenario,
            release=release.name,
            attack=attack,
            kind=known.kind,
            reason=known.reason,
        )
        for unknown, sets in chosen.items()
        for known in sets
        for release in published
        if attackable(release, unknown, known.columns)
        and (
            events.keys().isdisjoint(known.columns)
            or not events.keys().isdisjoint(release.columns_beside(unknown))
        )
        and (
            known.kind is not KnownSetKind.SAME_SURVEY
            or survey.intersection(known.columns) <= columns.survey[release.name]
        )
        and (
            known.kind is not KnownSetKind.FEW_FACTS
            or few[release.name].get(unknown) == known.columns
        )
        for scenario in (
            knowing_intervals(replace(each, known=known.columns), table, release)
            for each in asked[unknown, release.name]
        )
        for attack in fitting[release.name]
        if asks_it(attack, table, unknown)
        and (scenario.selection.where == targets.where or not compares(attack))
    )
    for scenario in {each.scenario.key: each.scenario for each in planned}.values():
        check_derived(table, scenario)
    run = dict.fromkeys(itertools.chain(*fitting.values()))
    idle = [name for name in run if not any(asks_it(name, table, column) for column in chosen)]
    attack_notes += [f"Not run: {name} (only for several columns)." for name in idle]
    if not planned:
        if len(idle) == len(run):
            raise InputError(" ".join(attack_notes))
        raise ColumnError(nothing_planned(settings))
    people = {
        column: people_with(
            table, column, data, everybody, without=without[column], bins=template.bins
        )
        for column in chosen
    }
    notes = plan_notes(settings, columns, chosen, published, without=without, roles=roles)
    short = too_few(settings, people)
    return CampaignPlan(
        attacks=planned,
        notes=(*notes, *attack_notes, *short),
        too_few=" ".join(short),
        left_out=(),
        known_sets=MappingProxyType(chosen),
        roles=roles,
        settings=settings,
    )


def _attacked(releases: Sequence[Release], settings: PlanSettings) -> Sequence[Release]:
    if settings.attacked is None:
        return releases
    by_name = {release.name: release for release in releases}
    for name in settings.attacked:
        check_name("release", name, by_name)
    return [by_name[name] for name in settings.attacked]


def _few_facts(
    original: Table, release: Release, candidates: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return by column the facts that lead to rows revealing it."""
    found: dict[str, tuple[str, ...]] = {}
    known = {*candidates, *itertools.chain(*candidates.values())}
    for given in release.tables:
        table = with_read_dates(original, given)
        shared = [c for c in table.columns if c in known and c in original.own_compared]
        hidden = {c: {*shared} - {*candidates[c]} for c in shared if c in candidates}
        facts = telling_facts(original, table, shared, hidden)
        if (kept := kept_intervals(original, given)) is not None:
            dates = tuple(dict.fromkeys(itertools.chain(*kept.intervals)))
            facts = {**{c: dates for c in hidden if hidden[c].isdisjoint(dates)}, **facts}
        for column, known_facts in facts.items():
            found.setdefault(column, tuple(c for c in original.columns if c in known_facts))
    return found


def fitting_attacks(
    settings: PlanSettings, releases: Sequence[Release], own: Sequence[Attack] = ()
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return attack names by release, and why others do not run."""
    passed = {each.name: each for each in own}
    chosen: dict[str, Attack | None] = {}
    for text in settings.attacks or ():
        known = text not in passed and attack_type(text) is not None
        made = make_attack(text) if known else passed.get(text)
        chosen[made.name if made else text] = made  # Others may be passed to the run
    fitting, notes = {}, []
    for release in releases:
        if settings.attacks is None:
            fitting[release.name] = usual_attacks(release)
            if not fitting[release.name]:
                notes.append(f"No attack reads '{release.name}': it is {release.title}.")
            continue
        reasons = {name: made and refusal(made.accepts, release) for name, made in chosen.items()}
        fitting[release.name] = tuple(name for name, reason in reasons.items() if not reason)
        notes += [
            f"Not run on '{release.name}': {name} ({reason})."
            for name, reason in reasons.items()
            if reason
        ]
    run = {plain_name(name) for names in (chosen, *fitting.values()) for name in names}
    for attack, only in settings.only_on.items():
        if attack not in run:
            raise InputError(
                f"The attack '{attack}' is limited to {listed(list(only))}, but not run."
            )
        for name in only:
            check_name("release", name, fitting, option="--only-on")
        found = attack_type(attack)
        spared = [
            release.name
            for release in releases
            if release.name not in only and not (found and refusal(found.accepts, release))
        ]
        if spared:
            notes.append(f"Run only on {quoted(only)}: {attack}.")
    return {
        release: tuple(
            name for name in names if release in settings.only_on.get(plain_name(name), fitting)
        )
        for release, names in fitting.items()
    }, notes


def asks_it(attack: str, original: Table, unknown: str) -> bool:
    """Return whether an attack fits a column: a chain needs several."""
    found = attack_type(attack)
    return found is None or not found.chains or bool(original.together(unknown))


def chosen_attacks(
    planned: Sequence[PlannedAttack], own: Sequence[Attack], releases: Sequence[Release]
) -> dict[str, Attack]:
    """Return attacks by name; refuse unknown ones, and unreadable releases."""
    chosen = {attack.name: attack for attack in own}
    by_name = {release.name: release for release in releases}
    for name, release in {(attack.attack, attack.release): None for attack in planned}:
        if name not in chosen:
            if attack_type(name) is None:
                raise InputError(
                    f"Unknown attack '{name}'. Load its plug-in (--plugin), or choose from "
                    f"{', '.join(attack_types())}."
                )
            chosen[name] = make_attack(name)
        if reason := refusal(chosen[name].accepts, by_name[release]):
            raise InputError(f"The attack '{name}' cannot run on release '{release}': it {reason}.")
    return chosen


def check_sendable(attack: Attack) -> None:
    """Refuse an attack that cannot be sent to another process."""
    try:
        cloudpickle.dumps(attack)
    except Exception as error:  # noqa: BLE001 - pickling runs the attack's own code
        raise InputError(
            f"The attack '{attack.name}' cannot be sent to another process "
            f"({type(error).__name__}). Open files and connections in prepare()."
        ) from None
