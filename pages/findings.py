"""Findings: the verdict, the numbers behind it, and what other parameters would say."""

from collections.abc import Callable

import streamlit as st

from alc_core.dashboard.findings.attack import (
    draw_attack_title,
    draw_changes,
    draw_curves,
    draw_difference,
    draw_fewer_facts,
    draw_notes,
    draw_numbers,
    draw_verdict,
    rescored,
)
from alc_core.dashboard.findings.decision import draw_decision, draw_questions
from alc_core.dashboard.findings.details import draw_details
from alc_core.dashboard.findings.downloads import draw_campaign_downloads, draw_downloads
from alc_core.dashboard.findings.drivers import draw_campaign_drivers
from alc_core.dashboard.findings.explain import draw_closer_look
from alc_core.dashboard.parts.campaign_file import draw_opened
from alc_core.dashboard.parts.freshness import draw_freshness
from alc_core.dashboard.parts.panels import draw_empty, draw_glossary
from alc_core.dashboard.results.overview import draw_campaign_overview
from alc_core.dashboard.results.what_if import (
    chosen_scoring,
    draw_flips,
    draw_flips_table,
    draw_sliders,
)
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import CAMPAIGN_PAGE, require_state
from alc_core.scoring.parameters import ScoringParameters

_OVERVIEW = "findings"


def show_campaign(state: AppState, campaign: CampaignResult) -> None:
    """Draw what a campaign found: all of its attacks and one of them below, or its only one."""
    view = campaign.view
    view.refresh()
    draw_freshness(state, campaign)
    draw_opened(state)
    scoring = chosen_scoring(state, view.settings.scoring)

    def draw_what_if() -> None:
        st.subheader("What if?")
        st.caption("Move a slider: everything here is scored again at once, without a new run.")
        readout = st.container()
        draw_sliders(state, view.settings.scoring)
        if scoring is not None:
            with readout:
                draw_flips(view, scoring)

    if scoring is None:
        draw_what_if()
    elif view.counts.planned == view.counts.finished == 1:
        show_only_attack(state, campaign, scoring, draw_what_if)
    else:
        show_attacks(state, campaign, scoring, draw_what_if)


def show_only_attack(
    state: AppState,
    campaign: CampaignResult,
    scoring: ScoringParameters,
    draw_what_if: Callable[[], None],
) -> None:
    """Draw a campaign of one attack: that attack, with the sliders beside it."""
    (number,) = (attack.number for attack in campaign.view.attacks)
    main, settings = st.columns([12, 5], gap="medium")
    below = st.container()
    with settings:
        draw_what_if()
    with below:
        draw_campaign_downloads(campaign, scoring)
    show_attack(state, campaign, number, main=main, title="")


def show_attacks(
    state: AppState,
    campaign: CampaignResult,
    scoring: ScoringParameters,
    draw_what_if: Callable[[], None],
) -> None:
    """Draw all attacks of a campaign, and below them the worst or the one that was chosen."""
    view = campaign.view
    everything, keeping, detail = st.container(), st.container(), st.container()
    # Downloads first: whoever sees the new numbers must not get the file of the old ones.
    with keeping:
        draw_flips_table(view, scoring)
        draw_campaign_drivers(state, view, scoring)
        draw_campaign_downloads(campaign, scoring)
    with everything:
        number = draw_campaign_overview(
            view, scoring, key=_OVERVIEW, live=False, beside=draw_what_if
        )
    if number is not None:
        worst = number == view.overview(scoring).worst
        title = "The worst attack in detail" if worst else "The chosen attack in detail"
        with detail:
            st.divider()
            show_attack(state, campaign, number, main=st.container(), title=title)


def show_attack(
    state: AppState, campaign: CampaignResult, number: int, *, main: object, title: str
) -> None:
    """Draw one attack, with its exact interval; what is folded away goes below `main`."""
    view = campaign.view
    run = view.assessment(number)
    shown = rescored(state, run)
    if shown is None:
        return
    with main:
        draw_attack_title(view, number, title)
        draw_downloads(shown)
        draw_changes(run, shown)
        draw_difference(view, number, shown)
        draw_fewer_facts(view, view.overview(shown.scoring), number, key=_OVERVIEW)
        draw_verdict(shown)
        draw_questions(shown)
        draw_decision(view, view.overview(shown.scoring), number)
        draw_notes(shown)
        draw_numbers(shown)
        draw_curves(shown)
    draw_closer_look(state, view, number, shown)
    with st.expander("Details: why the run ended, models, all numbers, parameters, fingerprints"):
        draw_details(shown)


page_state = require_state()
st.title("Findings")
if page_state.campaign is None:
    draw_empty("There is no result yet.", CAMPAIGN_PAGE, "Plan and run a campaign")
else:
    show_campaign(page_state, page_state.campaign)
    with st.expander("Terms explained"):
        draw_glossary()
