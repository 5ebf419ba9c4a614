"""Risk numbers: k-anonymity and what guidelines and other tools speak of."""

import streamlit as st

from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.risk_numbers.asking import draw_asking
from alc_core.dashboard.risk_numbers.choices import RiskChoices, known_results
from alc_core.dashboard.risk_numbers.results import draw_results
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import DATA_PAGE, require_state
from alc_core.risk_numbers.words import EXPLANATION


def show_page(state: AppState) -> None:
    """Draw the explanation, the choices and what was found."""
    choices = state.screen(RiskChoices)
    with st.expander("What these numbers say, and what not", icon=":material/help:"):
        for paragraph in EXPLANATION:
            st.markdown(paragraph)
    if state.ready:
        draw_asking(state, choices)
    else:
        draw_empty(
            "Risk numbers need an original and a release: upload yours, or take the demo data.",
            DATA_PAGE,
            "Go to the data",
        )
    results = known_results(state, choices)
    if results:
        draw_results(state, choices, results)


state = require_state()
st.title("Risk numbers")
st.markdown(
    "The numbers of guidelines and other tools, from k-anonymity to t-closeness, with ALC beside."
)
show_page(state)
