"""What surrounds every page: the sidebar with the three steps, the running job, removing data."""

from __future__ import annotations

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.session import (
    ATTACK_PAGE,
    DATA_PAGE,
    FINDINGS_PAGE,
    remove_all_data,
)
from alc_core.dashboard.state import AppState
from alc_core.wording import headline

_DONE, _OPEN = ":material/check_circle:", ":material/radio_button_unchecked:"
_RUNNING = ":material/progress_activity:"


_NARROW_COLUMNS_WRAP = """<style>
.stMain [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"]) { flex-wrap: wrap; }
.stMain [data-testid="stColumn"] { min-width: min(100%, 16rem); }
</style>"""


def apply_style() -> None:
    """Let columns that would become too narrow wrap; Streamlit does so only on telephones."""
    st.html(_NARROW_COLUMNS_WRAP)


def draw_sidebar(state: AppState) -> None:
    """Draw the steps with how far each is, the running job and the way to remove all data."""
    with st.sidebar:
        st.markdown("**Three steps**")
        for page, title, done, words in _steps(state):
            with st.container(gap=None):
                st.page_link(page, label=title, icon=_DONE if done else _OPEN, width="stretch")
                st.caption(words)
        if state.job is not None:
            st.divider()
            watch_run(state)
        st.divider()
        st.caption(
            "Your data stay on this machine, in the memory of this session: reloading the page "
            "forgets them. Nothing is sent anywhere."
        )
        with st.popover("Remove all data", icon=":material/delete:", width="stretch"):
            st.markdown("Tables, choices and results of this session are lost. Files stay on disk.")
            st.button("Yes, remove all", type="primary", on_click=remove_all_data)


@st.fragment(run_every=1.0)
def watch_run(state: AppState) -> None:
    """Show the running job in short; when it ends, run the whole page once."""
    if state.job is None or not state.job.running:
        st.rerun()
    state.job.heartbeat()
    progress = state.job.snapshot.progress
    st.progress(progress.fraction, text=f"{progress.stage} ({state.job.elapsed:.0f} s)")


def _steps(state: AppState) -> list[tuple[str, str, bool, str]]:
    """Return page, title, whether it is done, and how far it is in words."""
    if state.original is None:
        data = "Give the original and a release"
    elif not state.release:
        data = "Give a release"
    else:
        data = "Original and release are there"
    if state.job is not None:
        attack = "Running"
    elif state.message:
        attack = "The last run did not finish"
    elif state.result is not None:
        attack = "Run again with other choices"
    else:
        attack = "Choose what is attacked, and run"
    if state.result is None:
        findings = "After the run"
    elif state.outdated():
        findings = "Out of date"
    else:
        findings = literal(headline(state.result.assessment))
    return [
        (DATA_PAGE, "1  Data", state.ready, data),
        (ATTACK_PAGE, "2  Attack", state.result is not None, attack),
        (FINDINGS_PAGE, "3  Findings", state.result is not None, findings),
    ]
