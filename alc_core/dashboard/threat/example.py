"""The paper's example: eight people, published in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.threat.choices import ThreatChoices
from alc_core.dashboard.threat.results import draw_about
from alc_core.studies.relative_threat.toy import toy_original, toy_release, toy_threat
from alc_core.studies.relative_threat.words import TOY_EXPLANATION

if TYPE_CHECKING:
    from alc_core.runtime.progress import CancelCallback, ProgressCallback
    from alc_core.studies.relative_threat.result import ThreatResult

TOY_TASK = "threat_example"


def draw_example(state: AppState, choices: ThreatChoices) -> None:
    """Draw the two tables, and what is concluded about the first person."""
    with st.expander("The paper's example, to understand it", icon=":material/school:"):
        left, right = st.columns(2)
        left.markdown("**The original**")
        left.dataframe(toy_original(), hide_index=True, lazy=False, alt="Eight people.")
        right.markdown("**Published, 2-anonymous**")
        right.dataframe(toy_release(), hide_index=True, lazy=False, alt="The same in groups.")
        st.markdown(literal(TOY_EXPLANATION))
        running = draw_task(state, TOY_TASK)
        if choices.toy_done:
            choices.toy_done = False
            st.rerun()
        if choices.toy is None:
            st.button(
                "Run the example", icon=":material/science:", disabled=running,
                on_click=lambda: _start(state, choices),
            )  # fmt: skip
        else:
            draw_about(choices.toy, key="threat_toy")


def _start(state: AppState, choices: ThreatChoices) -> None:
    def work(progress: ProgressCallback, cancel: CancelCallback) -> ThreatResult:
        return toy_threat(progress=progress, cancel=cancel)

    state.tasks.start(TOY_TASK, "Example", work, take=choices.take_toy)
