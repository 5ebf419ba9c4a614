"""Columns a campaign attacks, known columns for each, and a plan's notes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.campaign.model import KnownSet, KnownSetKind
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.errors import ColumnError
from alc_core.linked.events import events_of, knowable_events
from alc_core.phrasing import count, numbered, quoted
from alc_core.releases.release import Release, attackable, released_columns
from alc_core.scenario.no_value import WithoutValue
from alc_core.scenario.targets import People, down_sampled_size
from alc_core.scoring.intervals import targets_to_tell
from alc_core.tables.codes.columns import value_counts
from alc_core.tables.codes.encode import EncodedTable
from alc_core.tables.own_together import returns_alone
from alc_core.tables.roles import ColumnRole, Roles
from alc_core.tables.table import ColumnKind, Table, missing_column_message
from alc_core.tables.values.texts import canonical_labels, label_counts

_LEFT_OUT = {
    "Excluded": {
        "person": "person column",
        "household": "household column",
        "identifier": "identifier",
        "text": "texts",
        "ignore": "to be ignored",
        "unreleased": "in no release",
        "untold": "constant in every release",
        "constant": "only one value",
        "weight": "survey weight",
        "named identifier": "number of a record or household",
        "left out": "your choice",
    },
    "Known only from another survey file": {"survey": "unique for most people"},
    "Not attacked": {
        "only known": "not to be protected",
        "selection": "people are selected by it",
        "one value": "only one value",
        "alone": "released without a known column",
    },
}
_WHAT_TO_DO = {
    "person": "is the person column",
    "household": "is the household column",
    "identifier": "is an identifier; if wrong, change its kind",
    "text": "holds texts; if wrong, change its kind",
    "ignore": "is of the kind 'ignore'; change its kind",
    "unreleased": "is in no release; add one that has it",
    "untold": "is constant in every release; add another release",
    "constant": "has only one value in the original",
    "selection": "selects the people; select by another column",
    "one value": "has one value or none; include missing values",
    "alone": "is released without a known column; add one",
}
_BY_ROLE = {
    ColumnRole.WEIGHT: "weight",
    ColumnRole.IDENTIFIER: "named identifier",
    ColumnRole.LEFT_OUT: "left out",
}
_NO_FACTS = frozenset({*_BY_ROLE.values(), "survey"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignColumns:
    """The parts that columns play."""

    # Known columns by column to attack, in the table's order
    candidates: Mapping[str, tuple[str, ...]]
    knowable: Mapping[str, tuple[str, ...]]  # Those that may be known by role
    # By release, columns only in another file of the survey
    survey: Mapping[str, frozenset[str]]
    notes: tuple[str, ...]  # Columns left out, and why


def campaign_columns(
    original: Table,
    releases: Sequence[Release],
    settings: PlanSettings,
    *,
    data: EncodedTable,
    without: Mapping[str, WithoutValue],
    roles: Roles,
) -> CampaignColumns:
    """Return columns to attack, and what may be known with them."""
    asked = settings.asked or ()
    events = events_of(original.columns)
    of_first = {name for name, event in events.items() if event.number == 1}
    columns = {*original.columns} - ({*events} - {*(asked or of_first)})
    reasons = {
        c: _reason(original, releases, data, settings, c) for c in original.columns if c in columns
    }
    known_only = original.derived.keys() & {
        *itertools.chain(*(known for _, known in settings.own_sets))
    } - {*asked}
    usable = [c for c, reason in reasons.items() if reason is None and c not in known_only]
    facts = [
        column
        for column in usable
        if _BY_ROLE.get(roles.role(column)) is None and column not in original.derived
    ]
    survey = _in_other_files(original, releases, [c for c in usable if c not in facts], roles)
    of_rows = [*knowable_events(events)]
    beside = {
        column: _beside(original, column, of_rows if column in events else facts, releases)
        for column in usable
    }
    selecting = original.base(settings.targets.where)
    for column in usable:
        role = roles.role(column)
        spared = _BY_ROLE.get(role) or (None if role.is_protected else "only known")
        spared = "survey" if any(column in kept for kept in survey.values()) else spared
        reasons[column] = spared if column not in asked else None
        if reasons[column] in _NO_FACTS:
            continue
        if original.base([column]) & selecting:
            reasons[column] = "selection"
        elif column in without and without[column].nothing_to_learn:
            reasons[column] = "one value"
        elif not beside[column]:
            reasons[column] = "alone"
    for column in asked:
        original.require(column)
        if reason := reasons[column]:
            raise ColumnError(
                f"Column '{column}' of '{original.name}' {_WHAT_TO_DO[reason]}. Or do not attack "
                "it."
            )
    attacked = [column for column in usable if reasons[column] is None]
    if not attacked:
        raise ColumnError(_nothing_to_attack(original, usable, roles))
    ordered = attacked if settings.asked is None else asked
    return CampaignColumns(
        candidates={column: beside[column] for column in ordered},
        knowable={
            column: tuple(
                c
                for c in (facts if column in events else beside[column])
                if roles.role(c).may_be_known
            )
            for column in ordered
        },
        survey=survey,
        notes=tuple(
            f"{what}: {quoted(left)} ({words})."
            for what, why in _LEFT_OUT.items()
            for reason, words in why.items()
            if (left := [column for column, own in reasons.items() if own == reason])
        ),
    )


def _in_other_files(
    original: Table, releases: Sequence[Release], columns: Sequence[str], roles: Roles
) -> dict[str, frozenset[str]]:
    """Return by release weights and record numbers that link another file to rows."""
    asked = [c for c in columns if roles.role(c) in (ColumnRole.WEIGHT, ColumnRole.IDENTIFIER)]
    return {
        release.name: frozenset(
            column
            for column in asked
            for table in release.tables
            if column in table.columns and returns_alone(original, table, column)
        )
        for release in releases
    }


def check_named(original: Table, settings: PlanSettings) -> None:
    """Refuse sets of known columns that no attack can use."""
    parts = (settings.person, settings.household)
    for where, columns in settings.own_sets:
        for column in columns:
            if column not in original.columns:
                raise ColumnError(f"{where}: {missing_column_message(original, column)}")
            if columns.count(column) > 1:
                raise ColumnError(f"{where} has '{column}' twice. Name it once.")
            kind = original.kind(column)
            usable = kind.is_compared or kind is ColumnKind.IDENTIFIER
            if column in parts or not usable:
                what = (
                    "is the person or household column"
                    if column in parts
                    else f"is of the kind '{kind}'"
                )
                raise ColumnError(
                    f"{where} has '{column}', which {what}. Remove it, or change its role."
                )


def _reason(
    original: Table,
    releases: Sequence[Release],
    data: EncodedTable,
    settings: PlanSettings,
    column: str,
) -> str | None:
    """Return why a column can be neither known nor attacked, if so."""
    if column in (settings.person, settings.household):
        return "person" if column == settings.person else "household"
    kind = original.kind(column)
    if not kind.is_compared:
        return kind.value
    tables = [table for release in releases for table in release.coded_tables()]
    if not any(column in table.columns for table in tables):
        return "unreleased"
    if len(pd.unique(data.columns[column])) < 2:
        return "constant"
    return None if any(column in table.telling for table in tables) else "untold"


def _beside(
    original: Table, column: str, usable: Sequence[str], releases: Sequence[Release]
) -> tuple[str, ...]:
    """Return other usable columns of released tables with a column."""
    related = {other for release in releases for other in release.columns_beside(column)}
    return tuple(c for c in usable if c in related and c not in original.base([column]))


def _nothing_to_attack(original: Table, usable: Sequence[str], roles: Roles) -> str:
    what = f"only {quoted(usable)}" if usable else "no column"
    if usable and not any(roles.role(column).is_protected for column in usable):
        return f"Nothing to attack: no column of '{original.name}' is to be protected."
    return (
        f"Nothing to attack: no released table has an unknown and a known column ({what} of "
        f"'{original.name}' fit). Check roles."
    )


_HARDLY = 0.95
_GUESSES = 0.05, 0.9  # Shares of the most frequent value for which the error is worked out


def plan_notes(
    settings: PlanSettings,
    columns: CampaignColumns,
    chosen: Mapping[str, Sequence[KnownSet]],
    releases: Sequence[Release],
    *,
    without: Mapping[str, WithoutValue],
    roles: Roles,
) -> list[str]:
    """Say what was decided about columns, people, known sets and releases."""
    return [
        *columns.notes,
        *_on_people({column: without[column] for column in chosen}),
        *_on_too_many(settings, columns.candidates),
        *_on_named_sets(settings, columns, releases, roles),
        *_on_small_sets(settings, columns.knowable, chosen),
        *_on_releases(chosen, releases),
    ]


def _on_people(without: Mapping[str, WithoutValue]) -> list[str]:
    """Say who is excluded for a missing value, and if nearly everyone is."""
    notes = []
    if told := [f"'{column}': {found.words}" for column, found in without.items() if found.rows]:
        notes.append(f"Not attacked (missing value): people with {'; '.join(told)}.")
    if few := [column for column, found in without.items() if found.share >= _HARDLY]:
        notes.append(f"Few people have a value of {quoted(few)}.")
    return notes


def people_with(
    original: Table,
    column: str,
    data: EncodedTable,
    everybody: People,
    *,
    without: WithoutValue,
    bins: int,
) -> NDArray[np.int64]:
    """Count attackable people by value or range of a column."""
    series, there = original.frame[column], everybody.eligible & original.frame[column].notna()
    if without.markers:
        there &= ~canonical_labels(series).isin(list(without.markers))
    rows = np.flatnonzero(there)
    if everybody.person is not None:
        rows = rows[np.unique(everybody.person[rows], return_index=True)[1]]
    values = data.columns[column][rows]
    if values.dtype.kind == "f":
        return value_counts(values, bins)[:-1]
    return label_counts(series.iloc[rows]).to_numpy()


def too_few(settings: PlanSettings, people: Mapping[str, NDArray[np.int64]]) -> list[str]:
    """Say where too few people are attacked to decide a loss near the limit.

    `people`: numbers by value of attacked columns. The least is that of an attack answering for
    everyone, over a guess of the most frequent value.
    """
    few, needed, wanted = dict[str, int](), 0, settings.targets.count
    for column, counts in people.items():
        most, total = int(counts.max(initial=0)), int(counts.sum())
        targets = down_sampled_size(most, total) if settings.down_sample else total
        guess = (most - total + targets) / max(targets, 1)
        targets = targets if wanted in (None, "all") else min(targets, int(wanted))
        least = targets_to_tell(float(np.clip(guess, *_GUESSES)))
        if targets < least:
            few[column], needed = targets, max(needed, least)
    if not few:
        return []
    whose = "any column" if len(few) == len(people) else quoted(list(few))
    numbers = " to ".join(map(count, sorted({min(few.values()), max(few.values())})))
    return [f"{numbers} people may be too few for {whose}: perhaps {count(needed)} are needed."]


def _on_too_many(settings: PlanSettings, candidates: Mapping[str, Sequence[str]]) -> list[str]:
    most = settings.max_known
    if most is None or not settings.all_others:
        return []
    too_many = [column for column, others in candidates.items() if len(others) > most]
    whose = "any column" if len(too_many) == len(candidates) else quoted(too_many)
    return [f"Columns of {whose} are not tried together: at most {most} may be known."] * bool(
        too_many
    )


def _on_named_sets(
    settings: PlanSettings,
    columns_by_part: CampaignColumns,
    releases: Sequence[Release],
    roles: Roles,
) -> list[str]:
    notes = []
    survey = frozenset().union(*columns_by_part.survey.values())
    released = {column for release in releases for column in released_columns(release)}
    for where, columns in settings.own_sets:
        if unreleased := [column for column in columns if column not in released]:
            notes.append(f"{where} has {quoted(unreleased)}, which no release has.")
        weights = [c for c in columns if roles.role(c) is ColumnRole.WEIGHT and c not in survey]
        if weights:
            notes.append(
                f"{where} has {quoted(weights)}, like a survey weight, which may overstate the "
                "risk."
            )
        if len(columns) == 1 and columns[0] in columns_by_part.candidates:
            notes.append(f"{where} is not used to attack {quoted(columns)}.")
    return notes


def _on_small_sets(
    settings: PlanSettings,
    knowable: Mapping[str, Sequence[str]],
    chosen: Mapping[str, Sequence[KnownSet]],
) -> list[str]:
    """Say for which columns no small set, or only all others, is made."""
    notes: list[str] = []
    if not settings.known_sets and settings.max_known is None:
        return notes
    if nobody := [unknown for unknown in chosen if not knowable[unknown]]:
        notes.append(f"No small set for {quoted(nobody)}: mark columns as 'may be known'.")
    if not settings.known_sets or not settings.all_others or settings.named:
        return notes
    only = [
        unknown
        for unknown, sets in chosen.items()
        if {known.kind for known in sets} == {KnownSetKind.ALL_OTHERS}
        and len(sets[0].columns) > 1
        and knowable[unknown]
    ]
    if only:
        whose = "any column" if len(only) == len(chosen) else quoted(only)
        notes.append(f"No small set for {whose}: none singles people out.")
    return notes


def _on_releases(
    chosen: Mapping[str, Sequence[KnownSet]], releases: Sequence[Release]
) -> list[str]:
    """Say which columns are not attacked, or not in each release with each set."""
    notes = [
        f"Not attacked: '{unknown}' (no set of known columns is left)."
        for unknown, sets in chosen.items()
        if not sets
    ]
    for release in releases:
        missing = [
            unknown
            for unknown, sets in chosen.items()
            if not events_of(release.columns_beside(unknown))
            and not all(
                attackable(release, unknown, known.columns)
                for known in sets
                if known.kind is not KnownSetKind.KNOWN_ROWS
            )
        ]
        if missing:
            notes.append(
                f"Some sets are not used on {quoted(missing)} in '{release.name}': no table has "
                "both."
            )
    return notes


def nothing_planned(settings: PlanSettings) -> str:
    """Say why no attack is left, and what to do."""
    if not settings.own_sets:
        return "Nothing to attack. Mark one column as 'may be known'."
    sets = f"Your {numbered(len(settings.own_sets), 'set')} of known columns"
    return (
        f"Nothing to attack. {sets} cannot be used: no released table has one with a column to "
        "attack."
    )
