"""Single attack: choose what is known and what is to be protected, check, run."""

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_parts import (
    draw_parameters,
    draw_people,
    draw_preflight,
    draw_roles,
    draw_running,
)
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.state.session import DATA_PAGE, FINDINGS_PAGE, go_to, require_state
from alc_core.dashboard.work.attack_runs import collect_run, start_run
from alc_core.errors import InputError

state = require_state()
if collect_run(state):
    go_to(FINDINGS_PAGE)

st.title("Single attack")
st.markdown(
    "Play the attacker: someone knows a few facts about a person, has the release, and wants to "
    "learn one more fact. The run measures how often that works, and how often the same guess "
    "would work for people who are **not** in the data."
)
if not state.ready:
    draw_empty("This needs the original and a release.", DATA_PAGE, "Give them on the Data page")
    st.stop()

left, right = st.columns([3, 2], gap="large")
with left:
    st.subheader("What is attacked")
    draw_roles(state)
    draw_people(state, taken=(state.choices.unknown, *state.choices.known))
    with st.expander("Parameters of the verdict"):
        st.caption("They can be changed after the run, too: no new run is needed then.")
        draw_parameters(state)

with right:
    st.subheader("Check and run")
    try:
        inputs = state.inputs()
    except InputError as error:
        obstacle = literal(error)
    else:
        with st.spinner("Checking the tables"):
            findings = state.findings(inputs.scenario)
        obstacle = draw_preflight(state, findings)
    if obstacle:
        st.warning(obstacle, icon=":material/block:")
    st.button(
        "Run the attack",
        type="primary",
        icon=":material/play_arrow:",
        disabled=bool(obstacle) or state.job is not None,
        on_click=start_run,
        args=(state,),
        width="stretch",
    )
    if state.job is not None:
        draw_running(state)
    elif state.message:
        tell = st.info if state.was_cancelled else st.error
        tell(literal(state.message), icon=":material/info:")
