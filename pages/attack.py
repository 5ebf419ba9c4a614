"""Attack: many planned attacks, or one of the user's choice."""

import streamlit as st

from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.dashboard.attack.advanced import draw_advanced
from alc_core.dashboard.attack.attackers import draw_attackers, draw_effort
from alc_core.dashboard.attack.plan import draw_last, draw_plan_check, draw_running, draw_start
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import Page, go_to, require_state
from alc_core.dashboard.work.campaign_planning import plan_preview
from alc_core.dashboard.work.campaign_runs import collect_campaign
from alc_core.errors import InputError
from alc_core.tables.roles import Attackable


def show_choices(state: AppState) -> None:
    """Draw the last campaign's state, the next one's choices, and its plan."""
    obstacle = ""
    attackable: Attackable = {}
    plan: CampaignPlan | None = None
    with st.container():  # Keeps its place, and so stays open
        draw_last(state)
        try:
            with st.spinner("Planning the attacks"):
                attackable = state.attackable()
                plan = plan_preview(state).plan
        except InputError as error:
            obstacle = literal(error)
        draw_attackers(state, attackable, plan)
        effort, run = st.columns([4, 3], gap="medium", vertical_alignment="bottom")
        if state.choices.mode == "many":
            with effort:
                draw_effort(state)
        if plan is not None:
            obstacle = draw_plan_check(state, plan)
        with run:
            draw_start(state, plan, obstacle)
    draw_advanced(state, attackable, plan)


page_state = require_state()
if collect_campaign(page_state):
    go_to(Page.FINDINGS)

st.title("Attack")
# st.stop() would keep hidden widgets from being forgotten
if not page_state.ready:
    draw_last(page_state)
    draw_empty("This needs the original and a release.", Page.DATA, "Upload them on the Data page")
elif page_state.campaign_run is not None:
    draw_running(page_state, page_state.campaign_run)
else:
    show_choices(page_state)
