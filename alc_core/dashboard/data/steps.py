"""Going on from the page Data, and what stands against it."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import Page, go_to


def draw_continue(
    state: AppState, going_on: DeltaGenerator, wrong: DeltaGenerator, problem: str
) -> None:
    """Draw the button to the next page, or a problem where the columns are changed."""
    if state.data_problem != problem:
        state.data_problem = problem
        st.rerun()  # the sidebar, drawn before, has a tick for it
    if problem:
        going_on.markdown(":red[:material/block:] See *3 Columns*")
        wrong.error(literal(problem), icon=":material/error:")
    elif going_on.button("Continue", type="primary", icon=":material/arrow_forward:"):
        go_to(Page.ATTACK)
