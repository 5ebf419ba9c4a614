"""The running campaign live, and what the last one left."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from alc_core.campaign.findings.overview import overview_title
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.attack.plan import draw_plan_table
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_marks import FIGURES, draw_marks
from alc_core.dashboard.parts.attack_table import (
    draw_attacks,
    draw_failures,
    table_of,
)
from alc_core.dashboard.parts.campaign_file import draw_opened, draw_save
from alc_core.dashboard.parts.verdicts import draw_campaign_verdict
from alc_core.dashboard.parts.watching import watch
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignEnd, CampaignResult, CampaignRun
from alc_core.dashboard.state.jobs import Job
from alc_core.dashboard.state.session import Page, draw_link, show_safely
from alc_core.dashboard.work.campaign_runs import (
    CAMPAIGN_ABANDONED_AFTER,
    can_go_on,
    follow_campaign,
    go_on,
    progress_words,
    short_duration,
)
from alc_core.phrasing import count, numbered


def draw_running(state: AppState, run: CampaignRun) -> None:
    """Draw the running campaign: how far it is, what it found so far, and its plan."""
    watch(lambda: run.job, lambda job: _draw_progress(state, job))
    if len(run.plan) > 1:
        _draw_live_findings(state)
        with st.expander(f"The plan: {numbered(len(run.plan.scenarios), 'scenario')} and why"):
            draw_plan_table(run.plan)


def _draw_progress(state: AppState, job: Job[CampaignEnd]) -> None:
    follow_campaign(state)
    progress = job.snapshot.progress
    with st.container(border=True):
        stage = "Stopping" if job.stopping else progress.stage
        st.markdown(f"**{literal(stage)}** · {short_duration(job.elapsed)}")
        st.progress(progress.fraction)
        if progress.of != "attacks":
            st.markdown(progress_words(progress))
        with st.container(horizontal=True):
            st.button(
                "Cancel",
                on_click=job.cancel,
                disabled=job.stopping,
                icon=":material/stop_circle:",
                help="What is finished is kept, and the campaign can continue later.",
            )
            if state.campaign is not None:
                draw_save(state.campaign)
        st.caption(
            "You can use other pages meanwhile. After you close this page the campaign runs for "
            f"{CAMPAIGN_ABANDONED_AFTER / 60:.0f} more minutes. Then it stops and is forgotten, "
            "unless you come back."
        )


@st.fragment(run_every=4.0)
def _draw_live_findings(state: AppState) -> None:
    show_safely(lambda: _draw_found(state))


def _draw_live_attacks(view: CampaignView) -> None:
    """Draw what a running campaign found so far; it is drawn again and again."""
    scoring = view.settings.scoring
    overview = view.overview(scoring)
    draw_campaign_verdict(overview, overview)
    if overview.results["decisive_alc"].notna().any():
        draw_marks(next(iter(FIGURES.values())), overview.results, overview, None, key="live")
    if len(overview.results):
        draw_attacks(
            table_of(overview.results, overview, {}),
            key="live_table",
            scoring=scoring,
            alt="All attacks with a result, worst first.",
        )
    draw_failures(view)


def _draw_found(state: AppState) -> None:
    """Draw how many attacks have ended and what they found: all of one moment."""
    campaign, run = state.campaign, state.campaign_run
    is_of_run = run is None or (campaign is not None and campaign.folder is run.folder)
    found = campaign.view if campaign is not None and is_of_run else None
    progress = None if run is None else run.job.snapshot.progress
    if progress is not None and progress.of == "attacks":
        summary = None if found is None else found.overview(found.settings.scoring).summary
        total = progress.total if summary is None else summary.planned
        done = 0 if summary is None else total - summary.to_run
        st.markdown(progress_words(replace(progress, done=done, total=total)))
    if campaign is None or found is None or not _left_something(campaign):
        st.caption("Findings appear here as soon as the first attack is finished.")
        return
    _draw_live_attacks(found)


def draw_last(state: AppState) -> None:
    """Draw how the last campaign ended, what it left, and how it goes on."""
    campaign = state.campaign
    left_something = campaign is not None and _left_something(campaign)
    if state.campaign_message and (state.campaign_failed or not left_something):
        show = st.error if state.campaign_failed else st.info
        show(literal(state.campaign_message), icon=":material/info:")
    if campaign is None or not left_something:
        return
    counts = campaign.view.counts
    missing = counts.missing

    def continue_it(retry_failed: bool = False) -> None:
        go_on(state, retry_failed=retry_failed)

    with st.container(border=True):
        title = overview_title(campaign.view.overview(campaign.view.settings.scoring))
        st.markdown(f"**Last campaign: {literal(title)}**")
        words = "" if state.campaign_failed else state.campaign_message
        st.markdown(literal(words or _counted(campaign.view)))
        goes_on = can_go_on(state)
        with st.container(horizontal=True, vertical_alignment="center"):
            if missing:
                st.button(
                    f"Continue: {count(missing)} missing",
                    type="primary",
                    icon=":material/play_arrow:",
                    on_click=continue_it,
                    disabled=not goes_on,
                )
            if counts.failed:
                st.button(
                    f"Try {count(counts.failed)} failed again",
                    icon=":material/refresh:",
                    on_click=continue_it,
                    args=(True,),
                    disabled=not goes_on,
                )
            draw_save(campaign)
            draw_link(Page.FINDINGS, "See the findings", ":material/arrow_forward:")
        draw_opened(state)
        if not goes_on and campaign.inputs is not None and (missing or counts.failed):
            st.caption("It cannot continue: the tables are no longer those that it attacked.")
        draw_failures(campaign.view)


def _left_something(campaign: CampaignResult) -> bool:
    counts = campaign.view.counts
    return bool(counts.finished or counts.failed)


def _counted(view: CampaignView) -> str:
    counts, missing = view.counts, view.counts.missing
    words = f"{count(counts.finished)} of {numbered(counts.planned, 'attack')} finished"
    words += f", {count(counts.failed)} failed" if counts.failed else ""
    words += f", {count(counts.skipped)} skipped" if counts.skipped else ""
    words += f", {count(missing)} not yet run." if missing else "."
    if added := len(view.attacks) - len(view.judged):
        words += f" {count(added)} of them know one fact less than others and count in no verdict."
    return words
