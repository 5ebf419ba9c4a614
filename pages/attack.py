"""Attack: many attacks on all releases, planned by rules, or one attack that the user chooses."""

import streamlit as st

from alc_core.dashboard.attack.attacked import draw_attacked
from alc_core.dashboard.attack.people import draw_parameters, draw_people
from alc_core.dashboard.attack.plan import draw_plan, draw_plan_table, draw_start
from alc_core.dashboard.attack.progress import draw_last, draw_running
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import PlanPreview
from alc_core.dashboard.state.session import Page, go_to, require_state
from alc_core.dashboard.work.campaign_planning import plan_preview
from alc_core.dashboard.work.campaign_runs import collect_campaign
from alc_core.errors import InputError


def show_choices(state: AppState) -> None:
    """Draw what the last campaign left, the choices for the next one, and its plan."""
    draw_last(state)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.subheader("What is attacked")
        obstacle = draw_attacked(state)
        draw_people(state)
        draw_parameters(state)
    preview: PlanPreview | None = None
    with right:
        st.subheader("Check and run")
        if not obstacle:
            try:
                with st.spinner("Planning the attacks"):
                    preview = plan_preview(state)
            except InputError as error:
                obstacle = literal(error)
            else:
                obstacle = draw_plan(state, preview)
        draw_start(state, preview.plan if preview else None, obstacle)
    if preview is not None and state.campaign_choices.mode == "many":
        with st.expander("The plan: what is attacked with which known columns, and why"):
            draw_plan_table(preview.plan)


page_state = require_state()
if collect_campaign(page_state):
    go_to(Page.FINDINGS)

st.title("Attack")
st.markdown(
    "Attack every column: what could somebody learn who knows everything else, or only a few "
    "telling facts? One attack says little about a release; many show where it leaks."
)
# No st.stop() here: it would keep the widgets that are not shown from being forgotten properly.
if not page_state.ready:
    draw_last(page_state)
    draw_empty("This needs the original and a release.", Page.DATA, "Upload them on the Data page")
elif page_state.campaign_run is not None:
    draw_running(page_state, page_state.campaign_run)
else:
    show_choices(page_state)
