"""Data: files, findings, columns."""

import streamlit as st

from alc_core.dashboard.data.columns import (
    draw_columns,
    draw_names,
    draw_no_values,
    planning_problem,
    roles_sentence,
)
from alc_core.dashboard.data.files import draw_files
from alc_core.dashboard.data.labels import draw_labels
from alc_core.dashboard.data.linked_tables import draw_linked
from alc_core.dashboard.data.noticed import draw_continue, draw_noticed
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.session import require_state

state = require_state()

with st.container(horizontal=True, vertical_alignment="bottom"):
    st.title("Data", width="stretch")
    going_on = st.container(width="content")
draw_files(state)
if state.linked is not None:
    draw_linked(state, state.linked)
if state.ready:
    st.header("2 What we noticed")
    draw_noticed(state)
if state.original is not None:
    st.header("3 Columns" if state.ready else "2 Columns")
    wrong = st.container()
    if state.linked is None:
        draw_names(state)
    draw_columns(state)
    st.caption("To change several at once, tick them first.")
    st.caption(literal(roles_sentence(state.column_roles())))
    draw_no_values(state)
    draw_labels(state)
if state.ready:
    draw_continue(state, going_on, wrong, planning_problem(state))
