"""Findings: the verdict, the numbers behind it, and what other parameters would say."""

import streamlit as st

from alc_core.dashboard.findings.decision_parts import draw_decision, draw_questions
from alc_core.dashboard.findings.driver_parts import draw_campaign_drivers
from alc_core.dashboard.findings.explain_parts import draw_attack_closer, draw_result_closer
from alc_core.dashboard.findings.findings_page import (
    draw_attack_title,
    draw_campaign_downloads,
    draw_difference,
    draw_flips,
    draw_flips_table,
    draw_progress,
)
from alc_core.dashboard.parts.attack_overview import CampaignView, draw_campaign_overview
from alc_core.dashboard.parts.curve_parts import (
    chosen_scoring,
    draw_changes,
    draw_choice,
    draw_curves,
    draw_downloads,
    draw_notes,
    draw_numbers,
    draw_outdated,
    draw_readout,
    draw_sliders,
    draw_verdict,
    rescored,
)
from alc_core.dashboard.parts.details import draw_details, draw_glossary
from alc_core.dashboard.parts.opening import draw_opened
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import CAMPAIGN_PAGE, require_state
from alc_core.dashboard.state.state import AppState, Result

DETAILS = "Details: why the run ended, models, all numbers, parameters, fingerprints"


def show_campaign(state: AppState, campaign: CampaignResult) -> None:
    """Draw all attacks of a campaign, and one of them below."""
    view = campaign.view
    view.refresh()
    draw_outdated(state.campaign_outdated(), "campaign")
    draw_opened(state)
    draw_progress(view)
    scoring = chosen_scoring(state, view.settings.scoring)
    everything, keeping, detail = st.container(), st.container(), st.container()

    def draw_what_if() -> None:
        st.subheader("What if?")
        st.caption("Move a slider, and all attacks are scored anew at once, without a new run.")
        readout = st.container()
        draw_sliders(state, view.settings.scoring)
        if scoring is not None:
            with readout:
                draw_flips(view, scoring)

    if scoring is None:
        draw_what_if()
        return
    # Downloads first: whoever sees the new numbers must not get the file of the old ones.
    with keeping:
        draw_flips_table(view, scoring)
        draw_campaign_drivers(state, view, scoring)
        draw_campaign_downloads(campaign, scoring)
    with everything:
        number = draw_campaign_overview(
            view, scoring, key="findings", live=False, beside=draw_what_if
        )
    if number is not None:
        with detail:
            draw_attack_title(view, number, worst=number == view.overview(scoring).worst)
            show_attack(state, view, number)


def show_attack(state: AppState, view: CampaignView, number: int) -> None:
    """Draw one attack of a campaign, with its exact interval."""
    run = view.assessment(number)
    shown = rescored(state, run)
    if shown is None:
        return
    keeping = st.container()
    with keeping:
        draw_downloads(shown)
    draw_changes(run, shown)
    draw_difference(view, number, shown)
    draw_verdict(shown)
    draw_questions(shown)
    draw_decision(view, view.overview(shown.scoring), number)
    draw_notes(shown)
    draw_numbers(shown)
    draw_curves(shown)
    draw_attack_closer(state, view, number, shown)
    with st.expander(DETAILS):
        draw_details(shown)


def show_result(state: AppState, result: Result) -> None:
    """Draw a single attack with sliders beside its curves."""
    run = result.assessment
    draw_outdated(state.outdated(), "run")
    main = st.container()
    picture, settings = st.columns([12, 5], gap="medium")
    keeping = st.container()
    with settings:
        st.subheader("What if?")
        st.caption("Move a slider and everything on this page follows at once, without a new run.")
        readout = st.container()
        draw_sliders(state, run.scoring)
    with main:
        shown = rescored(state, run)
    if shown is None:
        return
    # Downloads first, as above.
    with keeping:
        st.subheader("Keep the result")
        draw_downloads(shown)
    with main:
        draw_changes(run, shown)
        draw_verdict(shown)
        draw_questions(shown)
        draw_notes(shown)
        draw_numbers(shown)
    with readout:
        draw_readout(shown)
    with picture:
        draw_curves(shown)
    draw_result_closer(state, result, shown)
    with st.expander(DETAILS):
        draw_details(shown)


state = require_state()
st.title("Findings")
if state.campaign is not None and draw_choice(state) == "Campaign":
    show_campaign(state, state.campaign)
elif state.result is not None:
    show_result(state, state.result)
else:
    draw_empty("There is no result yet.", CAMPAIGN_PAGE, "Plan and run a campaign")
    st.stop()
with st.expander("Terms explained"):
    draw_glossary()
