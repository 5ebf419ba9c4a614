"""Campaign: attack many columns of all releases, with many sets of known facts."""

import streamlit as st

from alc_core.dashboard.campaign.plan_parts import (
    draw_known,
    draw_plan,
    draw_plan_table,
    draw_start,
    draw_unknown,
    free_from_single_attack,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_parts import draw_parameters, draw_people
from alc_core.dashboard.parts.campaign_progress import draw_last, draw_live_findings, draw_running
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.state.campaign_state import CampaignRun, PlanPreview
from alc_core.dashboard.state.session import DATA_PAGE, FINDINGS_PAGE, go_to, require_state
from alc_core.dashboard.state.state import AppState
from alc_core.dashboard.work.campaign_planning import attackable_columns, plan_preview
from alc_core.dashboard.work.campaign_runs import collect_campaign
from alc_core.errors import InputError
from alc_core.phrasing import count


def show_running(state: AppState, run: CampaignRun) -> None:
    """Draw the running campaign: how far it is, and what it found so far."""
    draw_running(state)
    draw_live_findings(state)
    with st.expander(f"The plan: {count(len(run.plan.scenarios))} scenarios and why"):
        draw_plan_table(run.plan)


def show_choices(state: AppState) -> None:
    """Draw what the last campaign left, the choices for the next one, and its plan."""
    draw_last(state)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.subheader("What is attacked")
        obstacle = show_columns(state)
        draw_known(state)
        draw_people(state, taken=(), then=lambda: free_from_single_attack(state))
        with st.expander("Parameters of the verdict"):
            st.caption("They can be changed after the run, too: no new run is needed then.")
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
    if preview is not None:
        st.subheader("The plan")
        draw_plan_table(preview.plan)


def show_columns(state: AppState) -> str:
    """Draw which columns are attacked; return why none can be, or nothing."""
    try:
        with st.spinner("Looking at the columns"):
            attackable = attackable_columns(state)
    except InputError as error:
        return literal(error)
    draw_unknown(state, attackable)
    return ""


page_state = require_state()
if collect_campaign(page_state):
    go_to(FINDINGS_PAGE)

st.title("Campaign")
st.markdown(
    "Attack every column: what could somebody learn who knows everything else, or only a few "
    "telling facts? One attack says little about a release; many show where it leaks."
)
# No st.stop() here: it would keep the widgets that are not shown from being forgotten properly.
if not page_state.ready:
    draw_last(page_state)
    draw_empty("This needs the original and a release.", DATA_PAGE, "Give them on the Data page")
elif page_state.campaign_run is not None:
    show_running(page_state, page_state.campaign_run)
else:
    show_choices(page_state)
