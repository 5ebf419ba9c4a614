"""The head of the pages that show results: title, release, what if, what changed since."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from alc_core.campaign.findings.overview import what_if_text
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.parts.campaign_file import draw_opened
from alc_core.dashboard.parts.focus import draw_focus
from alc_core.dashboard.parts.what_if import chosen_scoring, draw_what_if
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.phrasing import count, listed, numbered
from alc_core.scoring.parameters import ScoringParameters


def draw_title(title: Markdown, state: AppState) -> None:
    """Draw a page's title, with the choice of release where there is a campaign on several."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title(title, width="stretch")
        if state.campaign is not None:
            draw_focus(state, state.campaign)


def draw_header(
    title: Markdown,
    state: AppState,
    campaign: CampaignResult,
    *,
    release: Literal["any", "none"] = "any",
    what_if: bool = True,
) -> ScoringParameters | None:
    """Draw a page's title with the choice of release and, if asked, of other parameters."""
    view = campaign.view
    view.refresh()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title(title, width="stretch")
        if release != "none":
            draw_focus(state, campaign)
        other = st.container(width="content")
    draw_freshness(state, campaign)
    draw_opened(state)
    scoring = chosen_scoring(state, view.settings.scoring)
    if scoring is not None and (changed := what_if_text(scoring, view.settings.scoring)):
        st.caption(literal(f"What if: {changed}. Not the parameters of the run."))
    # Always the same button: another one would close what is open.
    if what_if:
        with other.popover(
            "What if?", icon=":material/tune:",
            help="Score everything again with other parameters, at once and without a new run.",
        ):  # fmt: skip
            draw_what_if(state, campaign, scoring)
    return scoring


def draw_freshness(state: AppState, campaign: CampaignResult) -> None:
    """Say what changed since the campaign and what is missing, or nothing where all is well."""
    draw_outdated(state)
    counts = campaign.view.counts
    if not counts.missing:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"{count(counts.finished)} of {numbered(counts.planned, 'attack')} have a result so "
            "far."
        )
        st.button("Look again", icon=":material/refresh:")


def draw_outdated(state: AppState) -> None:
    """Say what changed since the campaign, or nothing where nothing did."""
    if changed := state.campaign_outdated():
        st.info(
            literal(
                f"Out of date: since this campaign you changed {listed(list(changed))}. The "
                "results below are those of the campaign as it was. Run it again to bring them up "
                "to date."
            ),
            icon=":material/history:",
        )
