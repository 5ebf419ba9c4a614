"""Report: a document of the review to keep and to pass on."""

import streamlit as st

from alc_core.dashboard.parts.focus import focus_of
from alc_core.dashboard.parts.header import draw_outdated, draw_title
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.parts.what_if import chosen_scoring
from alc_core.dashboard.report import (
    draw_contents,
    draw_details,
    draw_files,
    draw_making,
    draw_preview,
    draw_scoring,
    report_options,
    report_screen,
)
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import CAMPAIGN_PAGE, require_state

NO_CAMPAIGN = (
    "A report is about a campaign: all attacks on a release together. There is none yet. Run one, "
    "or open a saved campaign file on the Start page."
)


def show_report(state: AppState, campaign: CampaignResult) -> None:
    """Draw declarations and contents, then the document and its files."""
    view = campaign.view
    view.refresh()
    draw_outdated(state)
    screen = report_screen(state, view)
    declared, contents = st.columns([3, 2], gap="medium")
    with declared:
        draw_details(screen, view)
    with contents:
        draw_contents(screen)
        scoring = chosen_scoring(state, view.settings.scoring)
        if scoring is not None:
            draw_scoring(scoring, view.settings.scoring)
            release = focus_of(state, campaign).release
            options = report_options(screen, campaign, scoring, release)
            if options is not None:
                draw_making(state, screen, options)
    draw_files(state, screen)
    draw_preview(screen)


state = require_state()
draw_title("Report", state)
if state.campaign is not None:
    show_report(state, state.campaign)
else:
    draw_empty(NO_CAMPAIGN, CAMPAIGN_PAGE, "Plan and run a campaign")
