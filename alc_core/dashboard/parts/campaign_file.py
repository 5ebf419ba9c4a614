"""The file of a campaign: opening and saving it, and whether the tables loaded are its own."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from alc_core.campaign.file.annotations import kept_names, kept_roles, kept_settings
from alc_core.campaign.findings.open_foreign import open_foreign, store_warnings
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.plan.settings import told_settings
from alc_core.dashboard.choices.campaign_choices import CampaignChoices
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignFolder, CampaignResult
from alc_core.dashboard.state.files import campaign_file_stem
from alc_core.dashboard.state.said import Labels
from alc_core.dashboard.state.session import Page, draw_link
from alc_core.errors import InputError
from alc_core.phrasing import count, listed
from alc_core.tables.names import names_of
from alc_core.tables.roles import ColumnRole


def open_campaign(state: AppState, name: str, data: bytes, *, read_only: bool = False) -> None:
    """Make a saved campaign the session's, in place of the one that is there."""
    if state.campaign_run is not None:
        raise InputError(
            "A campaign is running. Wait for its end, or cancel it, then open the file."
        )
    folder = CampaignFolder()
    try:
        store = open_foreign(data, folder.path, name=name, read_only=read_only)
    except BaseException:
        folder.discard()
        raise
    last = state.campaign
    opened = CampaignResult(view=CampaignView(store, approximate=True), folder=folder, name=name)
    opened.note_saved()
    state.campaign = opened
    try:
        _name_alike(state, opened.view)
        _label_alike(state, opened.view)
        if not state.ready or state.campaign_tables() is not None:
            _choose_alike(state, opened.view)
    except BaseException:
        state.campaign = last
        opened.close()
        raise
    state.rescoring = None
    state.campaign_message, state.campaign_failed, state.campaign_questions = "", False, ()
    if last is not None:
        last.close()


def _name_alike(state: AppState, view: CampaignView) -> None:
    """Let columns, values and released files have the names that they have in a campaign."""
    settings = view.settings
    if state.original is None or state.original.table.fingerprint != settings.original.fingerprint:
        return
    if names_of(state.original.table) != (names := kept_names(view.store)):
        state.give_names(names)
    called = {t.fingerprint: t.name for tables in settings.releases.values() for t in tables}
    for file in state.release:
        if (name := called.get(file.table.fingerprint, file.table.name)) != file.table.name:
            state.rename_release(file.table.name, name)


def _label_alike(state: AppState, view: CampaignView) -> None:
    """Let columns be, and labels stand for, what they were in it, unless tables are others."""
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
    """Let the pages show the choices that led to a campaign, so that it can be extended."""
    if not view.judged:
        return
    if (by_user := kept_roles(view.store)).of_columns:
        roles = by_user.by_user
    else:  # in older files every column is both
        used = {column for attack in view.judged for column in attack.scenario.columns}
        roles = dict.fromkeys(sorted(used), ColumnRole.BOTH)
    settings = told = told_settings(view.judged, roles=roles, seed=view.settings.seed)
    if kept := kept_settings(view.store):
        settings = replace(kept, attacks=told.attacks, only_on=told.only_on, seed=told.seed)
    state.campaign_choices = CampaignChoices.of(settings, view.settings.kinds)
    state.roles = dict(settings.roles)
    state.run_choices.follow(settings, view.settings.scoring)
    if kept is None:
        everybody = set(settings.asked or ()) - (settings.targets.missing or {}).keys()
        found = state.without_values() if state.ready else {}
        # Where people without a value were attacked in one column, they are to be in all.
        state.run_choices.include_missing = any(found[c].rows for c in everybody & found.keys())


def opened_note(state: AppState) -> str:
    """Return where an opened campaign is from and whether its tables are there; or nothing."""
    campaign = state.campaign
    if campaign is None or not campaign.name or campaign.inputs is not None:
        return ""
    if campaign.view.store.read_only:
        return f"'{campaign.name}', from the shelf: to be read, not changed."
    damage = campaign.view.store.damage
    origin = f"Opened from '{campaign.name}'."
    if state.campaign_tables() is not None:
        goes_on = "" if damage else ": it can continue"
        return f"{origin} The tables that are loaded are those it attacked{goes_on}."
    if not state.ready:
        purpose = "To look" if damage else "To continue it, or to look"
        return (
            f"{origin} Its tables are not loaded, and are not needed here. {purpose} at single "
            f"records, upload them on the Data page: {_tables(campaign)}."
        )
    return (
        f"{origin} The tables that are loaded are not those it attacked; the results are those of "
        f"the file. It attacked {_tables(campaign)}."
    )


def draw_damage(state: AppState) -> None:
    """Say what of an opened campaign is damaged, or of a plug-in that is missing; or nothing."""
    for warning in store_warnings(state.campaign.view.store) if state.campaign else ():
        st.warning(literal(warning), icon=":material/warning:")


def draw_opened(state: AppState) -> None:
    """Say where an opened campaign is from, what is damaged, and whether its tables are loaded."""
    draw_damage(state)
    if not (note := opened_note(state)):
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/folder_open: {literal(note)}", width="stretch")
        campaign = state.campaign
        reads = campaign is not None and campaign.view.store.read_only
        if state.campaign_tables() is None and not reads:
            draw_link(Page.DATA, "Upload the tables")


def draw_save(campaign: CampaignResult, key: str | None = None) -> None:
    """Draw the download of a campaign's file, once an attack is finished."""
    if not campaign.view.counts.finished:
        return
    kept = "none of the data"
    if campaign.view.settings.told_sets:
        kept = "what you said that labels stand for, and none of the rows"
    draw_download(
        "Save review",
        campaign.saved,
        f"{campaign_file_stem(campaign.view.settings.original.name, 'campaign')}.alc",
        key=key,
        help=f"All results and decisions, {kept}. Open it again on the Start page, on the command "
        "line or in Python, and continue it there.",
    )


def _tables(campaign: CampaignResult) -> str:
    settings = campaign.view.settings
    original = f"the original '{settings.original.name}' ({count(settings.original.rows)} rows)"
    releases = [
        f"the release '{name}' ({listed([f'{count(table.rows)} rows' for table in tables])})"
        for name, tables in settings.releases.items()
    ]
    return listed([original, *releases])
