"""Restore an opened campaign's names and choices."""

from __future__ import annotations

from dataclasses import dataclass, replace

from alc_core.campaign.file.annotations import kept_names, kept_roles, kept_settings
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.plan.settings import told_settings
from alc_core.dashboard.choices.plan import Choices
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.said import Labels
from alc_core.tables.names import names_of
from alc_core.tables.roles import ColumnRole


@dataclass(slots=True, kw_only=True, eq=False)
class Alike:
    """Whether an opened campaign's choices were restored, once."""

    done: bool = False


def choose_alike(state: AppState) -> None:
    """Restore an opened campaign's names, labels and choices.

    If its tables are there.
    """
    campaign = state.campaign
    if campaign is None or campaign.inputs is not None:
        return
    alike = state.screen(Alike, campaign.view)
    if alike.done:
        return
    _name_alike(state, campaign.view)
    _label_alike(state, campaign.view)
    alike.done = state.campaign_tables() is not None
    if alike.done or not state.ready:
        _choose_alike(state, campaign.view)


def _name_alike(state: AppState, view: CampaignView) -> None:
    settings = view.settings
    if state.original is None or state.original.table.fingerprint != settings.original.fingerprint:
        return
    if names_of(state.original.table) != (names := kept_names(view.store)):
        state.give_names(names)
    called = {t.fingerprint: t.name for tables in settings.releases.values() for t in tables}
    for file in state.release:
        if (name := called.get(file.table.fingerprint, file.table.name)) != file.table.name:
            state.rename_release(file.table.name, name)
    state.called = {
        tuple(table.fingerprint for table in tables): release
        for release, tables in settings.releases.items()
    }


def _label_alike(state: AppState, view: CampaignView) -> None:
    """Restore matched columns and labels, if the tables are its own."""
    before = state.same_columns, state.labels, state.date_readings
    settings = view.settings
    state.same_columns = {
        table.name: dict(table.same_columns)
        for tables in settings.releases.values()
        for table in tables
        if table.same_columns
    }
    tables = (settings.original, *(each for of in settings.releases.values() for each in of))
    state.date_readings = {c: how for table in tables for c, how in table.date_readings.items()}
    state.labels = Labels(
        (table.name, sets)
        for release, told in settings.told_sets.items()
        for table, sets in zip(settings.releases[release], told, strict=True)
    )
    if state.ready and state.campaign_tables() is None:
        state.same_columns, state.labels, state.date_readings = before


def _choose_alike(state: AppState, view: CampaignView) -> None:
    """Restore a campaign's choices, to extend it."""
    if not view.judged:
        return
    if (by_user := kept_roles(view.store)).of_columns:
        roles = by_user.by_user
    else:  # older files: every column is both
        used = {column for attack in view.judged for column in attack.scenario.columns}
        roles = dict.fromkeys(sorted(used), ColumnRole.BOTH)
    settings = told = told_settings(view.judged, roles=roles, seed=view.settings.seed)
    if kept := kept_settings(view.store):
        settings = replace(kept, attacks=told.attacks, only_on=told.only_on, seed=told.seed)
    state.choices = Choices.of(settings, view.settings.scoring, view.settings.kinds)
    if kept is None:
        everybody = set(settings.asked or ()) - (settings.targets.missing or {}).keys()
        found = state.without_values() if state.ready else {}
        # If people without a value were attacked in one column, attack them in all
        state.choose(include_missing=any(found[c].rows for c in everybody & found.keys()))
