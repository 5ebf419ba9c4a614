"""A campaign's file: opening, saving, and whether its tables are loaded."""

from __future__ import annotations

import streamlit as st

from alc_core.campaign.findings.open_foreign import open_foreign, store_warnings
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import doubt_names
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignFolder, CampaignResult
from alc_core.dashboard.state.files import campaign_file_stem
from alc_core.dashboard.state.session import Page, draw_link
from alc_core.dashboard.state.team import TEAM
from alc_core.dashboard.work.alike import choose_alike
from alc_core.dashboard.work.study_results import keep_results
from alc_core.errors import InputError
from alc_core.phrasing import count, listed


def open_campaign(
    state: AppState, name: str, data: bytes, *, read_only: bool = False, uploaded: bool = False
) -> None:
    """Make a saved campaign the session's.

    On a team's server, decisions of an uploaded one are not those of logins.
    """
    if state.campaign_run is not None:
        raise InputError("Attacks are running. Wait, or cancel them.")
    folder = CampaignFolder()
    try:
        store = open_foreign(data, folder.path, name=name, read_only=read_only)
        if uploaded and TEAM.settings is not None:
            doubt_names(store)
    except BaseException:
        folder.discard()
        raise
    last = state.campaign
    opened = CampaignResult(view=CampaignView(store, approximate=True), folder=folder, name=name)
    opened.note_saved()
    state.campaign = opened
    try:
        choose_alike(state)
        keep_results(state)
    except BaseException:
        state.campaign = last
        opened.close()
        raise
    state.rescoring = {}
    state.campaign_message, state.campaign_failed, state.campaign_questions = "", False, ()
    if last is not None:
        last.close()


def opened_note(state: AppState) -> str:
    """Return where an opened campaign is from, and whether its tables are there."""
    campaign = state.campaign
    if campaign is None or not campaign.name or campaign.inputs is not None:
        return ""
    if campaign.view.store.read_only:
        return f"'{campaign.name}' from the team folder, read-only."
    damage = campaign.view.store.damage
    origin = f"Opened from '{campaign.name}'."
    if state.campaign_tables() is not None:
        goes_on = "" if damage else " and it can continue"
        return f"{origin} Its tables are loaded{goes_on}."
    if not state.ready:
        purpose = "To view" if damage else "To continue it, or to view"
        return f"{origin} {purpose} records, upload {_tables(campaign)}."
    return f"{origin} Other tables are loaded. Its tables: {_tables(campaign)}."


def draw_damage(state: AppState) -> None:
    """Report damage of an opened campaign, and missing plug-ins."""
    for warning in store_warnings(state.campaign.view.store) if state.campaign else ():
        st.warning(literal(warning), icon=":material/warning:")


def draw_opened(state: AppState) -> None:
    """Draw an opened campaign's source, damage and tables."""
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
    kept = "no data"
    if campaign.view.settings.told_sets:
        kept = "your labels, no rows"
    draw_download(
        "Save review",
        campaign.saved,
        f"{campaign_file_stem(campaign.view.settings.original.name, 'review')}.alc",
        key=key,
        help=f"All results and decisions ({kept}).",
    )


def _tables(campaign: CampaignResult) -> str:
    settings = campaign.view.settings
    original = f"'{settings.original.name}' ({count(settings.original.rows)} rows)"
    releases = [
        f"the release '{name}' ({listed([f'{count(table.rows)} rows' for table in tables])})"
        for name, tables in settings.releases.items()
    ]
    return listed([original, *releases])
