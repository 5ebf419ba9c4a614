"""Findings: the verdict, the numbers behind it, and what other parameters would say."""

import streamlit as st

from alc_core.dashboard.details import draw_details, draw_glossary
from alc_core.dashboard.findings_parts import (
    draw_curves,
    draw_downloads,
    draw_notes,
    draw_numbers,
    draw_readout,
    draw_sliders,
    draw_verdict,
    rescored,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.panels import draw_empty
from alc_core.dashboard.runs import outdated_sentence
from alc_core.dashboard.session import ATTACK_PAGE, require_state
from alc_core.wording import changed_parameters, changed_verdict

state = require_state()

st.title("Findings")
if state.result is None:
    draw_empty("There is no result yet.", ATTACK_PAGE, "Choose and run an attack")
    st.stop()

run = state.result.assessment
if outdated := outdated_sentence(state):
    st.info(literal(outdated), icon=":material/history:")

main = st.container()
picture, settings = st.columns([12, 5], gap="medium")
keeping = st.container()
with settings:
    st.subheader("What if?")
    st.caption("Move a slider and everything on this page follows at once, without a new run.")
    readout = st.container()
    draw_sliders(state, run)

with main:
    shown = rescored(state, run)

if shown is not None:
    # Downloads first: whoever sees the new numbers must not get the file of the old ones.
    with keeping:
        st.subheader("Keep the result")
        draw_downloads(shown)
    with main:
        changes = [changed_verdict(run, shown), changed_parameters(shown)]
        if any(changes):
            st.info(literal(" ".join(filter(None, changes))), icon=":material/swap_horiz:")
        draw_verdict(shown)
        draw_notes(shown)
        draw_numbers(shown)
    with readout:
        draw_readout(shown)
    with picture:
        draw_curves(shown)
    with st.expander("Details: why the run ended, models, all numbers, parameters, fingerprints"):
        draw_details(shown)
with st.expander("Terms explained"):
    draw_glossary()
