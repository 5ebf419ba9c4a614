"""RAPID: how many people a model that learns from a release predicts too well."""

import streamlit as st

from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.rapid.asking import draw_asking
from alc_core.dashboard.rapid.beside_alc import draw_scatter
from alc_core.dashboard.rapid.choices import RapidChoices, known_results
from alc_core.dashboard.rapid.results import draw_results
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import DATA_PAGE, require_state
from alc_core.studies.rapid.words import EXPLANATION


def show_page(state: AppState) -> None:
    """Draw the explanation, the choices and what was found."""
    choices = state.screen(RapidChoices)
    with st.expander("What this measures", icon=":material/help:"):
        for paragraph in EXPLANATION:
            st.markdown(paragraph)
    if state.ready:
        draw_asking(state, choices)
    else:
        draw_empty(
            "RAPID needs an original and a release: upload yours, or take the demo data.",
            DATA_PAGE,
            "Go to the data",
        )
    results = known_results(state, choices)
    if results:
        draw_results(state, choices, results)
    draw_scatter(state, choices)


state = require_state()
st.title("RAPID")
st.markdown(
    "How many people does a model predict too well that learned from the release alone? And how "
    "many does one that learned from other people?"
)
show_page(state)
