"""One attack: what it learns, how sure that is, what drives it, and the decision about it."""

import streamlit as st

from alc_core.dashboard.attack.closer_look import draw_closer_look
from alc_core.dashboard.attack.one import (
    draw_attack_title,
    draw_changes,
    draw_curves,
    draw_decision,
    draw_details,
    draw_exact_interval,
    draw_fewer_facts,
    draw_navigation,
    draw_notes,
    draw_numbers,
    draw_questions,
    draw_verdict,
)
from alc_core.dashboard.findings.downloads import draw_downloads
from alc_core.dashboard.parts.focus import focus_of, focused_view, opened_number
from alc_core.dashboard.parts.header import draw_header
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import CAMPAIGN_PAGE, require_state

TITLE = "One attack"


def show_attack(state: AppState, campaign: CampaignResult) -> None:
    """Draw the attack that is open."""
    scoring = draw_header(TITLE, state, campaign)
    if scoring is None:
        return
    focus, view = focus_of(state, campaign), focused_view(state, campaign)
    overview = view.overview(scoring)
    number = opened_number(focus, overview)
    if number is None:
        draw_empty("No attack has a result yet.", CAMPAIGN_PAGE, "Go to the campaign")
        return
    draw_navigation(view, overview, focus, number)
    run = view.assessment(number)
    shown = view.assessment(number, scoring)
    draw_attack_title(view, number)
    main, side = st.columns([12, 5], gap="medium")
    with side:
        about = st.container()
        # First: whoever sees the new numbers must not get the file of the old ones.
        draw_downloads(shown)
    with main:
        draw_changes(run, shown)
        draw_exact_interval(run, shown)
        draw_fewer_facts(view, overview, number, focus)
        draw_verdict(shown)
        draw_numbers(shown)
    with about:
        draw_decision(view, overview, number)
        draw_notes(shown)
        draw_questions(shown)
    draw_curves(shown)
    draw_closer_look(state, view, number, shown)
    with st.expander("Details: why the run ended, models, all numbers, parameters, fingerprints"):
        draw_details(shown)


page_state = require_state()
if page_state.campaign is None:
    st.title(TITLE)
    draw_empty("There is no result yet.", CAMPAIGN_PAGE, "Plan and run a campaign")
else:
    show_attack(page_state, page_state.campaign)
