"""Parts of the Campaign page: the running campaign live, and what the last one left."""

from __future__ import annotations

import streamlit as st

from alc_core.campaign.file.database import saved_campaign
from alc_core.campaign.findings.overview import overview_title
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_overview import draw_campaign_overview
from alc_core.dashboard.parts.opening import draw_opened
from alc_core.dashboard.state.campaign_state import CampaignResult, CampaignRun
from alc_core.dashboard.state.files import campaign_file_stem
from alc_core.dashboard.state.session import FINDINGS_PAGE, address_parameters
from alc_core.dashboard.state.state import AppState
from alc_core.dashboard.work.campaign_runs import (
    CAMPAIGN_ABANDONED_AFTER,
    can_go_on,
    follow_campaign,
    go_on,
)
from alc_core.dashboard.work.progress_words import progress_words, short_duration
from alc_core.phrasing import count

_FAILURES_SHOWN = 20


@st.fragment(run_every=1.0)
def draw_running(state: AppState) -> None:
    """Draw the running campaign with a way to cancel it; when it ends, run the whole page once."""
    run = state.campaign_run
    if run is None or not run.job.running:
        st.rerun()
    follow_campaign(state)
    with st.container(border=True):
        _draw_progress(run)
        with st.container(horizontal=True):
            st.button(
                "Cancel",
                on_click=run.job.cancel,
                disabled=run.job.stopping,
                icon=":material/stop_circle:",
                help="What is finished is kept, and the campaign can go on later.",
            )
            if state.campaign is not None:
                draw_save(state.campaign)
        st.caption(
            "Other pages can be used meanwhile. With its page closed the campaign goes on for "
            f"{CAMPAIGN_ABANDONED_AFTER / 60:.0f} minutes; then it stops and is forgotten, unless "
            "you come back before."
        )


@st.fragment(run_every=2.0)
def draw_live_findings(state: AppState) -> None:
    """Draw what the running campaign found so far."""
    campaign, run = state.campaign, state.campaign_run
    is_of_run = run is None or (campaign is not None and campaign.folder is run.folder)
    if campaign is None or not is_of_run or not _left_something(campaign):
        st.caption("Findings show here as soon as the first attack is finished.")
        return
    view = campaign.view
    draw_campaign_overview(view, view.settings.scoring, key="live", live=True)


def draw_last(state: AppState) -> None:
    """Draw how the last campaign ended, what it left, and how it goes on."""
    campaign = state.campaign
    left_something = campaign is not None and _left_something(campaign)
    if state.campaign_message and (state.campaign_failed or not left_something):
        tell = st.error if state.campaign_failed else st.info
        tell(literal(state.campaign_message), icon=":material/info:")
    if campaign is None or not left_something:
        return
    counts = campaign.view.counts
    missing = counts.missing
    with st.container(border=True):
        title = overview_title(campaign.view.overview(campaign.view.settings.scoring))
        st.markdown(f"**Last campaign: {literal(title)}**")
        words = "" if state.campaign_failed else state.campaign_message
        st.markdown(literal(words or _counted(campaign.view)))
        goes_on = can_go_on(state)
        with st.container(horizontal=True, vertical_alignment="center"):
            if missing:
                st.button(
                    f"Go on: {count(missing)} missing",
                    type="primary",
                    icon=":material/play_arrow:",
                    on_click=_go_on,
                    args=(state, False),
                    disabled=not goes_on,
                )
            if counts.failed:
                st.button(
                    f"Try {count(counts.failed)} failed again",
                    icon=":material/refresh:",
                    on_click=_go_on,
                    args=(state, True),
                    disabled=not goes_on,
                )
            draw_save(campaign)
            st.page_link(
                FINDINGS_PAGE,
                label="See the findings",
                icon=":material/arrow_forward:",
                query_params=address_parameters(),
            )
        draw_opened(state)
        if not goes_on and campaign.inputs is not None and (missing or counts.failed):
            st.caption("It cannot go on: the tables are not those that it began with any more.")
        if counts.failed:
            _draw_failures(campaign)


def _go_on(state: AppState, retry_failed: bool) -> None:
    go_on(state, retry_failed=retry_failed)


def _left_something(campaign: CampaignResult) -> bool:
    counts = campaign.view.counts
    return bool(counts.finished or counts.failed)


def _counted(view: CampaignView) -> str:
    counts, missing = view.counts, view.counts.missing
    words = f"{count(counts.finished)} of {count(counts.planned)} attacks finished"
    words += f", {count(counts.failed)} failed" if counts.failed else ""
    words += f", {count(missing)} not yet run." if missing else "."
    if added := len(view.attacks) - len(view.judged):
        words += f" {count(added)} of them, with one fact less than others, count in no verdict."
    return words


def _draw_progress(run: CampaignRun) -> None:
    progress = run.job.snapshot.progress
    stage = "Stopping" if run.job.stopping else progress.stage
    st.markdown(f"**{literal(stage)}** · {short_duration(run.job.elapsed)}")
    st.progress(progress.fraction)
    words = progress_words(progress) if progress.stage == "Attacking" else ""
    st.markdown(words or "The tables are being made ready; this takes a moment.")


def draw_save(campaign: CampaignResult) -> None:
    """Draw the download of a campaign's file, once an attack is finished."""
    if not campaign.view.counts.finished:
        return
    path = campaign.folder.path
    st.download_button(
        "Save campaign file",
        data=lambda: saved_campaign(path),
        file_name=f"{campaign_file_stem(campaign.view.settings.original.name, 'campaign')}.alc",
        mime="application/octet-stream",
        icon=":material/download:",
        on_click="ignore",
        help="All results and decisions, none of the data. Open it again on the Start page; the "
        "command line and Python read it, and go on with it, too.",
    )


def _draw_failures(campaign: CampaignResult) -> None:
    failures = campaign.view.failures
    with st.expander(f"Why {count(len(failures))} failed"):
        lines = [
            f"- **{literal(campaign.view.attack(number).scenario.unknown)}** from "
            f"{literal(campaign.view.attack(number).release)}: {literal(reason)}"
            for number, reason in list(failures.items())[:_FAILURES_SHOWN]
        ]
        if more := len(failures) - len(lines):
            lines.append(f"- and {count(more)} more: see the table of the findings")
        st.markdown("\n".join(lines))
