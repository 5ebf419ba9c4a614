"""What a plan says besides its attacks: sets that are not made, releases without a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from alc_core.campaign.model import KnownSet, KnownSetKind
from alc_core.campaign.plan.attackable import CampaignColumns
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.phrasing import count, numbered, quoted
from alc_core.releases.release import Release, attackable, released_columns
from alc_core.scenario.no_value import WithoutValue
from alc_core.scenario.targets import People, down_sampled_size
from alc_core.scoring.power import targets_to_tell
from alc_core.tables.codes.columns import value_counts
from alc_core.tables.codes.encode import EncodedTable
from alc_core.tables.roles import ColumnRole, Roles
from alc_core.tables.table import Table
from alc_core.tables.values.texts import label_counts

_HARDLY = 0.95
_GUESSES = 0.05, 0.9  # Shares of the most frequent value between which the error is worked out


def plan_notes(
    settings: PlanSettings,
    columns: CampaignColumns,
    chosen: Mapping[str, Sequence[KnownSet]],
    releases: Sequence[Release],
    *,
    without: Mapping[str, WithoutValue],
    roles: Roles,
) -> list[str]:
    """Say what was decided about columns, people, sets of known columns and releases."""
    return [
        *columns.notes,
        *_on_people({column: without[column] for column in chosen}),
        *_on_too_many(settings, columns.candidates),
        *_on_named_sets(settings, columns.candidates, releases, roles),
        *_on_small_sets(settings, columns.knowable, chosen),
        *_on_releases(chosen, releases),
    ]


def _on_people(without: Mapping[str, WithoutValue]) -> list[str]:
    """Say who is not attacked for having no value, and where that is nearly everybody."""
    notes = []
    if told := [f"'{column}': {found.words}" for column, found in without.items() if found.rows]:
        notes.append(f"Not attacked, since they have no value: people with {'; '.join(told)}.")
    if few := [column for column, found in without.items() if found.share >= _HARDLY]:
        notes.append(
            f"Hardly anybody has a value of {quoted(few)}: attacks on it are about few people."
        )
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
    """Count who may be attacked by what they have of a column: a value, or one of its ranges."""
    values = data.columns[column]
    if values.dtype.kind == "f":
        return value_counts(values[everybody.eligible], bins)[:-1]
    counts = label_counts(original.frame[column][everybody.eligible])
    return counts.drop(list(without.markers), errors="ignore").to_numpy()


def too_few(settings: PlanSettings, people: Mapping[str, NDArray[np.int64]]) -> list[str]:
    """Say where too few people are attacked to tell a loss near the limit from the limit.

    `people` are those with each value of the columns that are attacked. It takes at least as many
    as for an attack that answers for everybody, over a guess that names the most frequent value.
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
    return [
        f"With {numbers} people, attacks on {whose} cannot be decided if ALC comes near the limit: "
        f"that takes {count(needed)} or more."
    ]


def _on_too_many(settings: PlanSettings, candidates: Mapping[str, Sequence[str]]) -> list[str]:
    most = settings.max_known
    if most is None or not settings.all_others:
        return []
    too_many = [column for column, others in candidates.items() if len(others) > most]
    whose = "any column" if len(too_many) == len(candidates) else quoted(too_many)
    return [
        f"Not taken as known together: all other columns of {whose}, since they are more "
        f"than the {most} that may be known."
    ] * bool(too_many)


def _on_named_sets(
    settings: PlanSettings,
    candidates: Mapping[str, Sequence[str]],
    releases: Sequence[Release],
    roles: Roles,
) -> list[str]:
    notes = []
    released = {column for release in releases for column in released_columns(release)}
    for where, columns in settings.own_sets:
        if unreleased := [column for column in columns if column not in released]:
            notes.append(
                f"{where} has {quoted(unreleased)}, which no release has: "
                "knowing it does not help an attacker."
            )
        if weights := [c for c in columns if roles.role(c) is ColumnRole.WEIGHT]:
            notes.append(
                f"{where} has {quoted(weights)}, which looks like a survey "
                "weight. Nobody knows it of somebody else: what is attacked with it may look worse "
                "than it is."
            )
        if len(columns) == 1 and columns[0] in candidates:
            notes.append(
                f"{where} is not used where {quoted(columns)} is attacked: it has no other column."
            )
    return notes


def _on_small_sets(
    settings: PlanSettings,
    knowable: Mapping[str, Sequence[str]],
    chosen: Mapping[str, Sequence[KnownSet]],
) -> list[str]:
    """Say for which columns no small set is made, or only that of all others."""
    notes: list[str] = []
    if not settings.known_sets and settings.max_known is None:
        return notes
    if nobody := [unknown for unknown in chosen if not knowable[unknown]]:
        notes.append(
            f"No small set is made to attack {quoted(nobody)}: no other column may be known, since "
            "all are to be protected. Give some of them the role 'both'."
        )
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
        notes.append(
            f"No small set that singles people out is added to attack {whose}: no set that was "
            "tried does it with fewer than all other columns."
        )
    return notes


def _on_releases(
    chosen: Mapping[str, Sequence[KnownSet]], releases: Sequence[Release]
) -> list[str]:
    """Say which columns are not attacked, or not in every release with every set."""
    notes = [
        f"Not attacked: '{unknown}' (no set of known columns is left for it)."
        for unknown, sets in chosen.items()
        if not sets
    ]
    for release in releases:
        missing = [
            unknown
            for unknown, sets in chosen.items()
            if not all(attackable(release, unknown, known.columns) for known in sets)
        ]
        if missing:
            notes.append(
                f"Not all sets of known columns are used to attack {quoted(missing)} in release "
                f"'{release.name}': none of its tables has that column with one of the set."
            )
    return notes


def nothing_planned(settings: PlanSettings) -> str:
    """Say why no attack is left, and what to do."""
    if not settings.own_sets:
        return (
            "Nothing can be attacked: no column may be known, since all are to be protected. Give "
            "some of them the role 'both', or let the attacker know all other columns."
        )
    sets = f"The {numbered(len(settings.own_sets), 'set')} of known columns that you named"
    return (
        f"Nothing can be attacked. {sets} cannot be used with any column to attack: no released "
        "table has such a column with one of a set. Name other sets, or ask for generated "
        "ones."
    )
