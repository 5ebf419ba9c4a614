"""Data: upload the original and the release, check what was read."""

import streamlit as st

from alc_core.dashboard.data.columns import draw_columns, draw_outcome
from alc_core.dashboard.data.files import (
    draw_demo,
    draw_holdout,
    draw_release_mode,
    draw_slot,
    draw_upload,
)
from alc_core.dashboard.data.labels import draw_labels
from alc_core.dashboard.data.no_values import draw_no_values
from alc_core.dashboard.data.questions import draw_households, draw_same_columns
from alc_core.dashboard.data.samples import draw_making, draw_samples
from alc_core.dashboard.parts.panels import draw_findings
from alc_core.dashboard.state.session import Page, go_to, require_state
from alc_core.glossary import explain

state = require_state()

st.title("Data")
st.markdown(
    "How much more can an attacker learn about people because their data were released? To find "
    "out, upload the **original** table of real people and the **release** made from it, or "
    "several releases to compare."
)

checked = st.container()
left, right = st.columns(2, gap="medium")
with left:
    st.subheader("Original", help=explain("original"))
    draw_slot(state, "original")
    draw_upload(state, "original")
    draw_holdout(state)
with right:
    st.subheader("Release", help=explain("release"))
    draw_slot(state, "release")
    draw_release_mode(state)
    draw_samples(state)
    draw_upload(state, "release")
    if state.original is not None:
        with st.expander("Make a test release from the original", icon=":material/science:"):
            draw_making(state)

with st.expander(
    "No data at hand? Try the demo data", expanded=state.original is None and not state.release
):
    draw_demo(state)

if state.original is not None:
    st.subheader("Columns of the original")
    st.markdown(
        "Check the kind and the role of each column, and change them where they are wrong. The "
        "role says who knows a column: it decides which columns are attacked, and of which ones "
        "small sets of known facts are made."
    )
    place = draw_columns(state)
    draw_no_values(state)
    draw_labels(state)

if state.ready:
    with checked, st.container(border=True):
        st.markdown("**Check of the tables**")
        with st.spinner("Checking the tables"):
            findings = state.findings()
        draw_findings(findings)
        draw_households(state)
        draw_same_columns(state)
        if st.button("Continue", type="primary", icon=":material/arrow_forward:"):
            go_to(Page.ATTACK)

if state.original is not None:
    # Last, as it plans the attacks: all else is there by then.
    draw_outcome(state, place)
