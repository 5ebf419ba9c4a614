"""Relative threat: what an attacker gets from a grouped release beyond what anybody learns."""

import streamlit as st

from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import DATA_PAGE, require_state
from alc_core.dashboard.threat.asking import draw_asking
from alc_core.dashboard.threat.choices import ThreatChoices, known_threats
from alc_core.dashboard.threat.example import draw_example
from alc_core.dashboard.threat.results import draw_kept, draw_measured
from alc_core.studies.relative_threat.words import EXPLANATION


def show_page(state: AppState) -> None:
    """Draw the explanation, the example, the choices and what was found."""
    choices = state.screen(ThreatChoices)
    with st.expander("What this measures", icon=":material/help:"):
        for paragraph in EXPLANATION:
            st.markdown(paragraph)
    draw_example(state, choices)
    if state.ready:
        draw_asking(state, choices)
    else:
        draw_empty(
            "It needs an original and a release in groups: upload yours, or make a test release.",
            DATA_PAGE,
            "Go to the data",
        )
    threats = known_threats(state, choices)
    if choices.measured is not None:
        draw_measured(choices, choices.measured)
    if threats:
        draw_kept(threats)


state = require_state()
st.title("Relative threat")
st.markdown(
    "Of how many people does somebody guess the truth who knows that they are in the release, and "
    "of how many does everybody who learns from it?"
)
show_page(state)
