"""The page of findings: a row a release, risk against use, every attack, and more folded away."""

from __future__ import annotations

import streamlit as st

from alc_core.campaign.file.annotations import keep_right_original
from alc_core.campaign.findings.overview import chance_sentence, what_if_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import release_decisions
from alc_core.candidates.lines import candidate_lines, not_attacked_sentence
from alc_core.dashboard.findings.attacks import draw_all_attacks
from alc_core.dashboard.findings.downloads import draw_campaign_downloads
from alc_core.dashboard.findings.lines import draw_lines
from alc_core.dashboard.findings.risk_and_use import draw_risk_and_use
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_table import draw_failures
from alc_core.dashboard.parts.drivers import draw_campaign_drivers
from alc_core.dashboard.parts.focus import (
    Focus,
    added_attack,
    focus_of,
    focused_view,
    follow_opening,
)
from alc_core.dashboard.parts.header import draw_header
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.parts.shelf import draw_on_shelf
from alc_core.dashboard.parts.verdicts import draw_model_button
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.parts.what_if import draw_flips_table, draw_what_if
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import Page, draw_link
from alc_core.dashboard.work import evidence
from alc_core.scoring.parameters import ScoringParameters
from alc_core.studies.utility.result import stored_utilities

TITLE = "Findings"


def draw_findings_page(state: AppState) -> None:
    """Draw the page of findings."""
    if state.campaign is None:
        st.title(TITLE)
        draw_empty("There is no result yet.", Page.ATTACK, "Plan and run a campaign")
    else:
        _draw_campaign(state, state.campaign)


def _draw_campaign(state: AppState, campaign: CampaignResult) -> None:
    """Draw what a campaign found on all releases, or on the one that is looked at."""
    focus = focus_of(state, campaign)
    follow_opening(focus)
    scoring = draw_header(TITLE, state, campaign, what_if=False)
    if scoring is None:
        draw_what_if(state, campaign, scoring)
        return
    view = focused_view(state, campaign)
    everything, keeping = st.container(), st.container()
    # Downloads first: whoever sees the new numbers must not get the file of the old ones.
    with keeping:
        draw_failures(view)
        draw_flips_table(view, scoring)
        _draw_more(state, campaign, view, scoring)
    with everything:
        _draw_releases(state, campaign, view, scoring)
        evidence.gather_evidence(state)
        with st.container():  # what follows stays in its place when it ends
            draw_task(state, evidence.EVIDENCE_TASK)
        draw_risk_and_use(campaign.view, scoring)
        draw_all_attacks(state, view, scoring, focus)


def _draw_releases(
    state: AppState, campaign: CampaignResult, view: CampaignView, scoring: ScoringParameters
) -> None:
    """Draw a row for each release that is looked at, and where to go from them."""
    focus, run = focus_of(state, campaign), view.settings.scoring
    keep_right_original(view.store, state.answers.right_originals)
    every = candidate_lines(campaign.view, scoring, stored_utilities(view.store))
    lines = [line for line in every if focus.release in ("", line.release)]
    decided = release_decisions(view.store)
    draw_lines(campaign.view, lines, scoring, decided, focus, changed=what_if_text(scoring, run))
    for missing in filter(None, map(not_attacked_sentence, lines)):
        st.caption(literal(missing))
    with st.container(horizontal=True, vertical_alignment="center"):
        _draw_chosen(state, campaign, view, focus, scoring)
        draw_model_button(state, lines)
        draw_link(Page.DECISION, "Decide on publishing", ":material/gavel:")


def _draw_chosen(
    state: AppState,
    campaign: CampaignResult,
    view: CampaignView,
    focus: Focus,
    scoring: ScoringParameters,
) -> None:
    """Offer to open the single attack that the user chose last, where it is one of several."""
    added = added_attack(state, campaign)
    if added is not None and added in view.overview(scoring).results["number"].tolist():
        st.button("Open the attack that you chose", on_click=focus.open, args=(added,))


def _draw_more(
    state: AppState, campaign: CampaignResult, view: CampaignView, scoring: ScoringParameters
) -> None:
    """Draw what few readers need, folded away: files, other parameters, drivers, chance."""
    with st.expander("More: files, what if, drivers", icon=":material/more_horiz:"):
        draw_campaign_downloads(campaign, scoring)
        draw_on_shelf(state, campaign)
        with st.popover("What if?", icon=":material/tune:"):
            draw_what_if(state, campaign, scoring)
        if chance := chance_sentence(view.overview(scoring)):
            st.caption(literal(chance))
        draw_campaign_drivers(state, view, scoring)
