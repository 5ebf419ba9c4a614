"""Learning attacks: what is learned of a population, and what of a person."""

import streamlit as st

from alc_core.dashboard.learning.asking import draw_asking
from alc_core.dashboard.learning.choices import LearningChoices, known_studies
from alc_core.dashboard.learning.example import draw_example
from alc_core.dashboard.learning.figures import draw_choice, draw_study
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import DATA_PAGE, require_state
from alc_core.studies.learning.words import EXPLANATION, SOURCE, TITLE

NO_ORIGINAL = (
    "A study needs an original: upload yours, or take the demo data. No release is needed, the "
    "study makes its own."
)


def show_page(state: AppState) -> None:
    """Draw the explanation, the choices, the figures and the example."""
    choices = state.screen(LearningChoices)
    with st.container(border=True):
        st.markdown(f"**{TITLE}**")
        for paragraph in EXPLANATION:
            st.markdown(paragraph)
        st.caption(SOURCE)
    st.subheader("A study on your data")
    if state.original is None:
        draw_empty(NO_ORIGINAL, DATA_PAGE, "Go to the data")
    else:
        draw_asking(state, choices)
    studies = known_studies(state, choices)
    if studies:
        draw_study(choices, draw_choice(choices, studies))
    if state.original is not None or studies:
        draw_example(state, choices)


state = require_state()
st.title("Learning attacks")
st.markdown(
    "What can a stranger learn about people from published counts or shuffled groups, and how much "
    "of it is about the people themselves?"
)
show_page(state)
