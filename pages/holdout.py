"""Holdout: people of the original beside people who are in neither table."""

import streamlit as st

from alc_core.dashboard.holdout.asking import draw_asking
from alc_core.dashboard.holdout.choices import HoldoutChoices, known_holdouts
from alc_core.dashboard.holdout.results import draw_results
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import DATA_PAGE, require_state
from alc_core.studies.holdout.words import EXPLANATION


def show_page(state: AppState) -> None:
    """Draw the explanation, the choices and what was found."""
    choices = state.screen(HoldoutChoices)
    with st.expander("What this measures", icon=":material/help:"):
        for paragraph in EXPLANATION:
            st.markdown(paragraph)
    if state.ready and state.holdout is not None:
        draw_asking(state, choices)
    else:
        draw_empty(
            "It needs an original, a release, and a holdout: a table of other people with the "
            "original's columns.",
            DATA_PAGE,
            "Go to the data",
        )
    results = known_holdouts(state, choices)
    if results:
        draw_results(state, choices, results)


state = require_state()
st.title("Holdout")
st.markdown(
    "Does the same attack guess people who are in the release more often than people who are not?"
)
show_page(state)
