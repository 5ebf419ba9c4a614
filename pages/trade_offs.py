"""Trade-offs: what the parameters do, and whether verdicts depend on them."""

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.parts.focus import focused_view
from alc_core.dashboard.parts.header import draw_freshness, draw_title
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.parts.what_if import (
    chosen_scoring,
    draw_flips,
    draw_flips_table,
    draw_sliders,
)
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import CAMPAIGN_PAGE, require_state
from alc_core.dashboard.trade_offs.calculator import draw_calculator
from alc_core.dashboard.trade_offs.pictures import Attacks
from alc_core.dashboard.trade_offs.presets import draw_presets
from alc_core.dashboard.trade_offs.sensitivity import (
    choices_of,
    draw_answers,
    draw_changing,
    draw_pictures,
    scored_grid,
)
from alc_core.scoring.parameters import ScoringParameters

NO_CAMPAIGN = (
    "There is no campaign with results yet, so these are the curves alone. With one, your attacks "
    "are drawn into them, and this page says whether your verdict depends on alpha and R_min."
)


def starting_scoring(state: AppState) -> ScoringParameters:
    """Return the parameters that the sliders start from."""
    if state.campaign is not None:
        return state.campaign.view.settings.scoring
    return ScoringParameters()


def show_answer(state: AppState, campaign: CampaignResult, scoring: ScoringParameters) -> Attacks:
    """Say whether the verdict depends on the parameters, and return what the figures draw."""
    view = focused_view(state, campaign)
    draw_freshness(state, campaign)
    choices = choices_of(state)
    grid = scored_grid(choices, view, scoring)
    if not grid.finished:
        choices.grid = None
        draw_empty(NO_CAMPAIGN, CAMPAIGN_PAGE, "Go to the campaign")
        return Attacks()
    draw_answers(grid)
    overview = view.overview(scoring)
    selected = overview.worst if choices.attack is None else choices.attack
    return Attacks(results=overview.results, selected=selected, grid=grid)


def show_changes(view: CampaignView, scoring: ScoringParameters, attacks: Attacks) -> None:
    """List what changes against the run, and anywhere on the grid, folded away."""
    with st.expander("Which attacks cross a limit", icon=":material/swap_horiz:"):
        st.markdown("**From the run's parameters to those of the sliders**")
        draw_flips(view, scoring)
        st.markdown("**Anywhere, for other alpha and R_min**")
        if attacks.grid is not None and attacks.results is not None:
            draw_changing(attacks.grid, attacks.results)
    draw_flips_table(view, scoring)


def show_trade_offs(state: AppState) -> None:
    """Draw the answer, the figures beside the sliders, what changes, and the calculator."""
    campaign, run = state.campaign, starting_scoring(state)
    if campaign is not None:
        campaign.view.refresh()
    draw_title("Trade-offs", state)
    answer = st.container()
    st.subheader("Explore")
    picture, settings = st.columns([12, 5], gap="medium")
    below = st.container()
    scoring = chosen_scoring(state, run)
    with settings:
        whose = "paper" if campaign is None else "run"
        draw_sliders(state, run, back=f"Back to the {whose}'s parameters")
        draw_presets(state, scoring)
    if scoring is None:
        return
    attacks = Attacks()
    with answer:
        if campaign is None:
            draw_empty(NO_CAMPAIGN, CAMPAIGN_PAGE, "Plan and run a campaign")
        else:
            attacks = show_answer(state, campaign, scoring)
    with picture:
        draw_pictures(state, scoring, attacks, run=None if campaign is None else run)
    with below:
        if campaign is not None and attacks.results is not None:
            show_changes(focused_view(state, campaign), scoring, attacks)
        with st.expander(
            "Calculator: from precision and recall to ALC", icon=":material/calculate:"
        ):
            draw_calculator(state, scoring)


state = require_state()
show_trade_offs(state)
