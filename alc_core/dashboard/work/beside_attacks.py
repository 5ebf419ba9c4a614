"""What pages that measure something take from the tables: columns, a scenario, releases of rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from alc_core.campaign.file.annotations import KeptResults, Result
from alc_core.dashboard.choices.one_attack import OneAttack, attackable_columns
from alc_core.dashboard.state.app_state import AppState
from alc_core.errors import AlcError
from alc_core.releases.release import Release
from alc_core.scenario.scenario import Scenario


def adapt_columns(state: AppState, columns: OneAttack) -> dict[str, list[str]]:
    """Keep what the original allows, and suggest columns where nothing is left."""
    original = state.original_table()
    attackable = attackable_columns(original)
    columns.adapt(attackable, original, state.column_roles(), start=state.start)
    return attackable


def chosen_scenario(state: AppState, columns: OneAttack) -> Scenario:
    """Return what is known and what is wanted, with the column that says whose record it is."""
    unknown, known = columns.columns()
    person = state.run_choices.person
    return Scenario(known, unknown, person=None if person in (unknown, *known) else person)


def row_releases(state: AppState) -> dict[str, Release]:
    """Return the releases that are rows of people."""
    releases = state.releases()
    return {name: each for name, each in releases.items() if each.holds_rows}


class Told(Protocol):
    """Choices of a page that can say what went wrong."""

    message: str


def with_kept(
    state: AppState, choices: Told, own: Mapping[str, Result], kept: KeptResults[Result]
) -> dict[str, Result]:
    """Return the results of this session and those in the campaign's file, by their keys.

    What this session found about the campaign's original is kept in the file as soon as there is
    one.
    """
    if state.campaign is None:
        return dict(own)
    store = state.campaign.view.store
    there = kept.read(store)
    for found in own.values():
        if kept.is_of(store, found) and there.get(kept.key(found)) != found:
            try:
                kept.keep(store, found)
            except AlcError as error:
                choices.message = f"{error} The result is kept for this session only."
    return {**there, **own}
