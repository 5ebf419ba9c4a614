"""Compare releases: risk and utility of several candidates side by side."""

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.compare.comparison import Comparison, ReleaseChange
from alc_core.compare.layout import comparable, compare_releases
from alc_core.dashboard.compare.choices import CompareChoices
from alc_core.dashboard.compare.releases import (
    draw_change_figure,
    draw_changes,
    draw_distributions,
    draw_headline,
    draw_picked,
    draw_reference,
)
from alc_core.dashboard.compare.utility import (
    draw_map,
    draw_measuring,
    draw_releases,
    draw_utility_details,
    known_utilities,
)
from alc_core.dashboard.compare.where_lost import draw_where_lost
from alc_core.dashboard.parts.focus import Focus, focus_of, follow_opening
from alc_core.dashboard.parts.header import draw_header
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import Page, require_state

TITLE = "Compare releases"
ONE_RELEASE = (
    "A comparison needs a campaign on two or more releases. This one has one release: its losses "
    "and its utility are below."
)


def show_campaign(state: AppState, campaign: CampaignResult) -> None:
    """Draw the releases of a campaign under the parameters in force."""
    focus = focus_of(state, campaign)
    follow_opening(focus)
    scoring = draw_header(TITLE, state, campaign, release="none")
    if scoring is None:
        return
    view = campaign.view
    choices = state.screen(CompareChoices, view)
    everything = compare_releases(view, scoring)
    comparison, utilities = comparable(everything), known_utilities(choices, view)
    several = len(comparison.releases) > 1
    changes = draw_reference(choices, comparison) if several else ()
    if several:
        draw_headline(comparison, changes)
    else:
        draw_empty(ONE_RELEASE, Page.CAMPAIGN, "Plan a campaign on several releases")
    draw_releases(everything, utilities)
    show_utility(state, choices, comparison, view)
    if comparison.measured.any():
        if several:
            show_changes(choices, comparison, changes, focus)
        show_figures(choices, comparison, changes, focus)


def show_utility(
    state: AppState, choices: CompareChoices, comparison: Comparison, view: CampaignView
) -> None:
    """Draw the risk-utility map, or what it needs."""
    st.subheader("Risk and utility")
    utilities = known_utilities(choices, view)
    if utilities:
        draw_map(choices, comparison, utilities)
        draw_where_lost(state, choices, utilities)
        draw_utility_details(utilities)
    draw_measuring(state, choices, view)


def show_changes(
    choices: CompareChoices,
    comparison: Comparison,
    changes: tuple[ReleaseChange, ...],
    focus: Focus,
) -> None:
    """Draw what improved or worsened against the reference."""
    st.subheader("What improved, what worsened")
    draw_changes(choices, comparison, changes)
    draw_picked(choices, comparison, focus, "compare_table")


def show_figures(
    choices: CompareChoices,
    comparison: Comparison,
    changes: tuple[ReleaseChange, ...],
    focus: Focus,
) -> None:
    """Draw the attacks as figures, folded away."""
    with st.expander("Explore: how the losses are distributed", icon=":material/scatter_plot:"):
        draw_distributions(choices, comparison)
        draw_change_figure(choices, comparison, changes)
        draw_picked(choices, comparison, focus, "compare_distributions", "compare_changes")


state = require_state()
if state.campaign is None:
    st.title(TITLE)
    draw_empty("There is no campaign yet.", Page.CAMPAIGN, "Plan and run a campaign")
else:
    show_campaign(state, state.campaign)
