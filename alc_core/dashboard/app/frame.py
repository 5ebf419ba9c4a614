"""The frame of each page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from alc_core.dashboard.markdown import literal, methods_link
from alc_core.dashboard.parts.panels import watch
from alc_core.dashboard.parts.steps import Step, has_begun, review_steps
from alc_core.dashboard.parts.widgets import component
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignEnd, CampaignResult
from alc_core.dashboard.state.jobs import Job, log_place
from alc_core.dashboard.state.registry import KEPT, KEPT_WITH_RESULTS
from alc_core.dashboard.state.session import (
    Page,
    draw_link,
    leave,
    pages,
    removals,
    remove_all_data,
    show_safely,
)
from alc_core.dashboard.state.team import TEAM, logs_out, person, upload_refused
from alc_core.dashboard.work.campaign_runs import follow_campaign, left_words
from alc_core.glossary import GLOSSARY
from alc_core.phrasing import sentence_case

_LOOK_EVERY = 3.0  # Seconds between checks for a saved review
_DONE, _OPEN = ":material/check_circle:", ":material/radio_button_unchecked:"


def apply_style() -> None:
    """Apply styles beyond the theme's settings."""
    st.html(Path(__file__).with_name("style.css"))


def draw_refused_upload(state: AppState) -> None:
    """Explain a refused upload, which Streamlit shows as a number."""
    if TEAM.settings is not None and (why := state.refused_upload):
        words = upload_refused(why, TEAM.settings.server)
        st.toast(literal(words), icon=":material/error:", duration="infinite")
        state.refused_upload = None


def draw_sidebar(state: AppState, here: str) -> bool:
    """Draw the steps with progress, running jobs, and data removal."""
    with st.sidebar:
        with st.container(key="steps"):
            draw_link(Page.START, "Start", ":material/home:", width="stretch")
            steps, well = _steps(state)
            for step in (each for each in steps if each.page in pages()):
                draw_link(
                    step.page, literal(step.title), _DONE if step.done else _OPEN, width="stretch"
                )
                st.caption(literal(step.words))
                if step.page == Page.FINDINGS and here == Page.ONE_ATTACK:
                    with st.container(key="below"):
                        draw_link(Page.ONE_ATTACK, "One attack", ":material/search:")
        with st.container(key="apart"):
            draw_link(Page.STATISTICS, "Statistics", ":material/analytics:", width="stretch")
            with st.popover(
                "Terms explained", icon=":material/help:", type="tertiary", width="stretch"
            ):
                st.markdown(
                    "\n".join(
                        f"- **{methods_link(literal(sentence_case(name)), term.section)}**: "
                        f"{literal(term.text)}"
                        for name, term in GLOSSARY.items()
                    )
                )
            draw_link(Page.METHODS, "Methods", ":material/menu_book:", width="stretch")
        if state.campaign_run is not None:
            st.divider()
            well &= watch(state.campaign_job, lambda job: _draw_run(state, job))
        st.divider()
        if state.campaign is not None:
            _draw_saved(state)
        _draw_removal(state)
        component(__file__, "narrow")(data={"page": here}, key="narrow")
    return well


def draw_ways_out(state: AppState) -> None:
    """Offer to close the campaign if the page cannot be drawn."""
    if state.campaign is None and state.campaign_run is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            "Part of this page failed. Close the review (tables and choices stay), or **Remove "
            "all data**.",
            width="stretch",
        )
        st.button("Close the review", icon=":material/close:", on_click=state.close_campaign)


def _steps(state: AppState) -> tuple[tuple[Step, ...], bool]:
    try:
        return review_steps(state), True
    except Exception as error:  # noqa: BLE001 - whatever it is, the links stay
        log_place(error)
        return tuple(
            replace(each, words="", done=False) for each in review_steps(AppState())
        ), False


@st.fragment(run_every=_LOOK_EVERY)
def _draw_saved(state: AppState) -> None:
    campaign = state.campaign
    if campaign is not None and not campaign.shelf_id:
        show_safely(lambda: _say_whether_saved(campaign))


def _say_whether_saved(campaign: CampaignResult) -> None:
    if not campaign.view.counts.finished:
        return
    if (at := campaign.saved_at) is not None:
        st.caption(f":material/check: Saved {at:%H:%M}")
    else:
        st.caption(
            ":material/warning: Not saved",
            help=f"Deleted {KEPT_WITH_RESULTS / 3600:.0f} hours after closing.",
        )


def _draw_removal(state: AppState) -> None:
    st.caption(
        "Data stay on this machine.",
        help=(
            f"Nothing is sent anywhere. Data are deleted {KEPT / 60:.0f} minutes after closing "
            f"({KEPT_WITH_RESULTS / 3600:.0f} hours with results)."
        ),
    )
    if who := person():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f":material/person: {literal(who)}", width="stretch")
            if logs_out():
                st.button("Log out", on_click=leave, type="tertiary")
    with st.popover(
        "Remove all data",
        icon=":material/delete:",
        width="stretch",
        # A new key closes it after a removal; `on_change` would also close it, but requests this
        # page on a click on another's link
        key=f"remove_all_data_{removals()}",
    ):
        st.markdown("This deletes all tables, choices and results.")
        st.button("Yes, remove all", type="primary", on_click=remove_all_data)
    if removals() and not has_begun(state):
        st.caption(":material/check: All data removed.")


def _draw_run(state: AppState, job: Job[CampaignEnd]) -> None:
    follow_campaign(state)
    progress = job.snapshot.progress
    words = left_words(progress) or progress.stage.lower()
    st.progress(progress.fraction, text=f"Attacks: {literal(words)}")
