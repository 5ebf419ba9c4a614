"""What surrounds every page: the sidebar with the steps, what runs, removing data."""

from __future__ import annotations

import streamlit as st

from alc_core.campaign.overview import overview_title
from alc_core.dashboard.campaign_runs import follow_campaign
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.progress_words import short_duration
from alc_core.dashboard.registry import KEPT, KEPT_WITH_CAMPAIGN
from alc_core.dashboard.session import (
    ATTACK_PAGE,
    CAMPAIGN_PAGE,
    DATA_PAGE,
    FINDINGS_PAGE,
    REMOVAL_OPEN,
    address_parameters,
    remove_all_data,
)
from alc_core.dashboard.state import AppState
from alc_core.phrasing import count
from alc_core.wording import headline

_DONE, _OPEN = ":material/check_circle:", ":material/radio_button_unchecked:"
_BESIDE = ":material/target:"


_NARROW_COLUMNS_WRAP = """<style>
.stMain [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"]) { flex-wrap: wrap; }
.stMain [data-testid="stColumn"] { min-width: min(100%, 16rem); }
</style>"""


def apply_style() -> None:
    """Let columns that would become too narrow wrap; Streamlit does so only on telephones."""
    st.html(_NARROW_COLUMNS_WRAP)


def draw_sidebar(state: AppState) -> None:
    """Draw the steps with how far each is, what runs and the way to remove all data."""
    with st.sidebar:
        st.markdown("**Three steps**")
        for page, title, done, words in _steps(state):
            _draw_step(page, title, _DONE if done else _OPEN, words)
        st.markdown("**On its own**")
        _draw_step(ATTACK_PAGE, "Single attack", _BESIDE, _attack_words(state))
        if state.job is not None or state.campaign_run is not None:
            st.divider()
            watch_runs(state)
        st.divider()
        st.caption(
            "Your data stay on this machine, in the memory of this session. Nothing is sent "
            "anywhere. After a reload of the page all is here again. "
            f"{KEPT / 60:.0f} minutes after the page is closed all is forgotten "
            f"({KEPT_WITH_CAMPAIGN / 60:.0f} minutes while a campaign runs)."
        )
        with st.popover(
            "Remove all data",
            icon=":material/delete:",
            width="stretch",
            key=REMOVAL_OPEN,
            on_change="rerun",
        ):
            st.markdown(
                "What runs is stopped, and tables, choices and results of this session are lost. "
                "Files that you saved stay."
            )
            st.button("Yes, remove all", type="primary", on_click=remove_all_data)


@st.fragment(run_every=1.0)
def watch_runs(state: AppState) -> None:
    """Show what runs in short; when something ends, run the whole page once."""
    job, run = state.job, state.campaign_run
    if (job is None and run is None) or any(
        each is not None and not each.running for each in (job, run.job if run else None)
    ):
        st.rerun()
    if run is not None:
        follow_campaign(state)
        progress = run.job.snapshot.progress
        text = "Campaign: " + progress.stage.lower()
        if progress.total:
            text = f"Campaign: {count(progress.done)} of {count(progress.total)}"
        if progress.seconds_left is not None:
            text += f", about {short_duration(progress.seconds_left)} left"
        st.progress(progress.fraction, text=text)
    if job is not None:
        job.heartbeat()
        progress = job.snapshot.progress
        st.progress(progress.fraction, text=f"{progress.stage} ({job.elapsed:.0f} s)")


def _draw_step(page: str, title: str, icon: str, words: str) -> None:
    with st.container(gap=None):
        st.page_link(
            page, label=title, icon=icon, width="stretch", query_params=address_parameters()
        )
        st.caption(words)


def _steps(state: AppState) -> list[tuple[str, str, bool, str]]:
    """Return page, title, whether it is done, and how far it is in words."""
    if state.original is None:
        data = "Give the original and a release"
    elif not state.release:
        data = "Give a release"
    elif len(state.releases()) > 1:
        data = f"Original and {count(len(state.releases()))} releases are there"
    else:
        data = "Original and release are there"
    finished, campaign = _campaign_words(state)
    return [
        (DATA_PAGE, "1  Data", state.ready, data),
        (CAMPAIGN_PAGE, "2  Campaign", finished, campaign),
        (
            FINDINGS_PAGE,
            "3  Findings",
            finished or state.result is not None,
            _findings_words(state),
        ),
    ]


def _campaign_words(state: AppState) -> tuple[bool, str]:
    """Return whether the last campaign has run to its end, and how far it is in words."""
    if state.campaign_run is not None:
        return False, "Running"
    if state.campaign_failed:
        return False, "The last run did not finish"
    if state.campaign is None:
        return False, "Attack every column"
    counts = state.campaign.view.counts
    missing = counts.planned - counts.finished - counts.failed
    if missing:
        return False, f"{count(missing)} attacks are missing"
    return True, "Run again with other choices"


def _attack_words(state: AppState) -> str:
    if state.job is not None:
        return "Running"
    if state.message:
        return "The last run did not finish"
    return "One column, known facts of your choice"


def _findings_words(state: AppState) -> str:
    if state.campaign_run is not None:
        return "Come in while the campaign runs"
    if state.campaign is not None and state.campaign.view.counts.finished:
        view = state.campaign.view
        if state.campaign_outdated():
            return "Out of date"
        return literal(overview_title(view.overview(view.settings.scoring)))
    if state.result is None:
        return "After the run"
    return "Out of date" if state.outdated() else literal(headline(state.result.assessment))
