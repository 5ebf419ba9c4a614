"""Planning a campaign: every unknown column, what is known with it, every release and attack."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pandas as pd

from alc_core.attacks.protocol import Attack
from alc_core.campaign.model import KnownSet, PlannedAttack
from alc_core.campaign.plan.attackable import campaign_columns, check_named
from alc_core.campaign.plan.fitting import fitting_attacks
from alc_core.campaign.plan.known_sets import KnownSetRules, choose_known_sets
from alc_core.campaign.plan.plan_notes import (
    notes_on_attacks,
    notes_on_confined,
    notes_on_no_values,
    notes_on_releases,
    notes_on_sets,
    notes_on_small_sets,
    nothing_planned,
)
from alc_core.campaign.plan.uniqueness import HashedRows
from alc_core.errors import ColumnError, InputError, ParameterError
from alc_core.phrasing import numbered
from alc_core.releases.answers import levels
from alc_core.releases.registry import ReleasesLike, as_releases, as_table
from alc_core.releases.release import Release, attackable, released_columns
from alc_core.scenario.no_value import columns_without_values, narrowed
from alc_core.scenario.scenario import Scenario, Targets, Tolerance
from alc_core.scenario.targets import People
from alc_core.tables.codes.encode import EncodedTable, encode
from alc_core.tables.households import Household
from alc_core.tables.roles import ColumnRole, Roles
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignPlan:
    """What a campaign will do.

    Attributes
    ----------
    attacks : tuple of PlannedAttack
        In order: those with the same unknown and known columns follow each other, so that they can
        share their baselines.
    notes : tuple of str
        Decisions to report: columns left out, releases without a column, sets not made.
    known_sets : mapping of str to tuple of KnownSet
        What was chosen for each unknown column.
    roles : Roles
        Who knows which column, and which are attacked.
    """

    attacks: tuple[PlannedAttack, ...]
    notes: tuple[str, ...] = ()
    known_sets: Mapping[str, tuple[KnownSet, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    roles: Roles = field(default_factory=Roles)

    def __len__(self) -> int:
        return len(self.attacks)

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The different scenarios, in order; each has baselines of its own."""
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
        """Names of the releases that are attacked, in order."""
        return tuple(dict.fromkeys(planned.release for planned in self.attacks))

    @property
    def summary(self) -> str:
        """The size of the campaign in a sentence."""
        return (
            f"{numbered(len(self), 'attack')}: {numbered(len(self.unknown), 'unknown column')} in "
            f"{numbered(len(self.scenarios), 'scenario')}, on "
            f"{numbered(len(self.releases), 'release')}."
        )


def plan_campaign(
    original: Table | pd.DataFrame,
    releases: ReleasesLike,
    *,
    unknown: Sequence[str] | None = None,
    known_sets: int = 2,
    named: Sequence[Sequence[str]] = (),
    all_others: bool = True,
    knowable: bool | None = None,
    max_known: int | None = None,
    attacks: Sequence[str | Attack] | None = None,
    only_on: Mapping[str, Collection[str]] = MappingProxyType({}),
    targets: Targets = Targets(),  # noqa: B008 - frozen
    down_sample: bool = True,
    tolerance: Mapping[str, Tolerance] = MappingProxyType({}),
    person: str | None = None,
    household: Household = None,
    roles: Mapping[str, ColumnRole | str] | None = None,
    seed: int = 0,
    data: EncodedTable | None = None,
) -> CampaignPlan:
    """Plan the attacks of a campaign and say why each set of known columns is chosen.

    Parameters
    ----------
    original : Table or DataFrame
        The table of real people, with the kinds in force.
    releases : Release or several, Table, DataFrame, several tables, or mapping of str to these
        What is published, as for :func:`run_campaign`.
    unknown : sequence of str, optional
        Columns to attack, in this order and whatever their role; by default all that are to be
        protected.
    known_sets : int, default 2
        For each unknown column, how many of the smallest sets of columns that may be known and
        single out most people; which of them depends on `seed`.
    named : sequence of sequence of str
        Sets of known columns to use with every unknown one, besides.
    all_others : bool, default True
        Whether all other columns that are facts about people are taken as known, too.
    knowable : bool, optional
        Whether all columns that may be known are one set, where there are others that are only to
        be protected. By default as `all_others`.
    max_known : int, optional
        How many facts an attacker may know. No generated set is larger, and the set of that size
        that singles out the most people is added. Sets in `named` are never cut.
    attacks : sequence of str or Attack, optional
        Attacks to run: names of registered ones, followed after a colon by parameters that
        differ from their defaults, or your own. An attack is left out of releases that it cannot
        read. By default best row match on rows of people, and on other releases all that can
        read them.
    only_on : mapping of str to collection of str, optional
        Names of the releases that an attack is run on alone, by its name without parameters; an
        attack that is not named runs on all that it can read.
    targets : Targets
        Who is attacked. Each scenario of the plan names the values of its unknown column that mean
        "no value".
    tolerance : mapping of str to Tolerance
        How far from the true number an answer may be, by unknown column; see :class:`Scenario`.
    down_sample, person, household
        As in :class:`Scenario`. With a person column, it is people who are
        singled out, not records.
    roles : mapping of str to ColumnRole or str, optional
        Who knows a column, and whether it is attacked: "may be known", "to be protected", "both",
        "survey weight", "identifier" or "left out". Those of other columns are suggested
        from their names and values.
    seed : int, default 0
        Same input and seed, same plan. What is chosen for one unknown column does not depend on
        which others are attacked.
    data : EncodedTable, optional
        The original encoded already.

    Returns
    -------
    CampaignPlan
        Ordered by unknown column, known set, release and attack. A release that has an unknown
        column coarsened is attacked at its own level, too.

    Raises
    ------
    ColumnError
        If a column is missing or cannot play its part, or nothing can be attacked.
    ParameterError, InputError
        If a number is out of its bounds, or no release, attack or kind of known set is asked for.

    References
    ----------
    Francis and Wagner (2025), section 6: known attributes that are few and mostly unique.
    """
    _check_lists({"attack": attacks, "column to attack": unknown})
    table, published = as_table(original, name="original"), as_releases(releases)
    fitting = fitting_attacks(attacks, published, only_on)
    rules = KnownSetRules(
        named=named,
        known_sets=known_sets,
        all_others=all_others,
        knowable=knowable,
        max_known=max_known,
        seed=seed,
    )
    check_named(table, named, (person, household))
    in_force = Roles.of(
        table,
        frozenset().union(*map(released_columns, published)),
        chosen=roles,
        naming=[person, household],
    )
    data = encode(table, []).original if data is None else data
    without = columns_without_values(table, targets.missing, unknown or data.columns)
    columns = campaign_columns(
        table,
        published,
        data=data,
        unknown=unknown,
        person=person,
        household=household,
        selected_by=targets.where,
        without=without,
        roles=in_force,
    )
    first, others = next(iter(columns.candidates.items()))
    template = Scenario(
        others,
        first,
        targets=targets,
        down_sample=down_sample,
        person=person,
        household=household,
    )
    compared = {c for others in (*columns.candidates.values(), *named) for c in others}
    rows = _hashed(table, data, template, compared)
    chosen = {
        column: choose_known_sets(
            rows, candidates, unknown=column, knowable=columns.knowable[column], rules=rules
        )
        for column, candidates in columns.candidates.items()
    }
    if unused := [column for column in tolerance if column not in chosen]:
        raise ColumnError(
            f"A tolerance is given for '{unused[0]}', which is not attacked. Leave it out, or "
            "attack the column."
        )
    asked = {
        (column, release.name): levels(
            table,
            release,
            replace(
                template,
                known=columns.candidates[column],
                unknown=column,
                targets=narrowed(targets, column, without[column]),
                tolerance=tolerance.get(column),
            ),
        )
        for column in chosen
        for release in published
    }
    planned = _planned(chosen, published, fitting, asked)
    if not planned:
        if not any(fitting.values()):
            raise InputError(" ".join(notes_on_attacks(fitting, attacks, published)))
        raise ColumnError(nothing_planned(rules))
    return CampaignPlan(
        attacks=planned,
        notes=(
            *columns.notes,
            *notes_on_no_values({column: without[column] for column in chosen}),
            *notes_on_sets(columns.candidates, published, rules, in_force),
            *notes_on_small_sets(chosen, columns.knowable, rules),
            *notes_on_releases(chosen, published),
            *notes_on_attacks(fitting, attacks, published),
            *notes_on_confined(only_on, published),
        ),
        known_sets=MappingProxyType(chosen),
        roles=in_force,
    )


def _hashed(
    original: Table, data: EncodedTable, template: Scenario, compared: Collection[str]
) -> HashedRows:
    columns = [column for column in original.columns if column in compared]
    return HashedRows.of(data, columns, person=People.of(original, template).person)


def _planned(
    chosen: Mapping[str, Sequence[KnownSet]],
    releases: Sequence[Release],
    fitting: Mapping[str, Sequence[str]],
    asked: Mapping[tuple[str, str], Sequence[Scenario]],
) -> tuple[PlannedAttack, ...]:
    numbers = itertools.count()
    return tuple(
        PlannedAttack(
            number=next(numbers),
            scenario=replace(scenario, known=known.columns),
            release=release.name,
            attack=attack,
            kind=known.kind,
            reason=known.reason,
        )
        for unknown, sets in chosen.items()
        for known in sets
        for release in releases
        if attackable(release, unknown, known.columns)
        for scenario in asked[unknown, release.name]
        for attack in fitting[release.name]
    )


def _check_lists(given: Mapping[str, Sequence[str | Attack] | None]) -> None:
    for what, listed in given.items():
        if listed is None:
            continue
        if isinstance(listed, str):
            raise ParameterError(f"The {what} is the text '{listed}'. Pass a list.")
        if not listed:
            raise InputError(f"There is no {what}. Choose at least one.")
        names = [each if isinstance(each, str) else each.name for each in listed]
        if twice := [name for name in names if names.count(name) > 1]:
            raise InputError(f"The {what} '{twice[0]}' is named twice. Name it once.")
