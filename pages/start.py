"""Start: what this is, the four steps and where you are in them, the demo, opening a campaign."""

import streamlit as st

from alc_core.dashboard.parts.steps import has_begun
from alc_core.dashboard.start import (
    draw_demo_start,
    draw_first_terms,
    draw_opening,
    draw_steps,
    draw_where,
)
from alc_core.dashboard.state.session import require_state

state = require_state()

st.title("What does your release give away?")
if has_begun(state):
    draw_where(state)
st.markdown(
    "You want to publish or share an anonymized or synthetic table about people. This tool plays "
    "the attacker: it takes a few facts about a person as known and tries to learn one more from "
    "the release. It also measures how well the same fact could be guessed if the person were "
    "**not** in the data. What the attack gains beyond that guess is the **anonymity loss** that "
    "the release causes. It is measured for every column and explained in plain words."
)
if not has_begun(state):
    st.subheader("Four steps")
    draw_steps(state)
demo, opening = st.columns(2, gap="large")
with demo:
    draw_demo_start(state)
with opening:
    draw_opening(state)
draw_first_terms()
