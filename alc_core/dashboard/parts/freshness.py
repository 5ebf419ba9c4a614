"""Whether results are complete, and still those of the tables and choices as they are now."""

from __future__ import annotations

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.phrasing import count, listed, numbered


def draw_freshness(state: AppState, campaign: CampaignResult) -> None:
    """Say what changed since the campaign and what is missing, or nothing where all is well."""
    draw_outdated(state)
    _draw_missing(campaign)


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


def _draw_missing(campaign: CampaignResult) -> None:
    counts = campaign.view.counts
    if not counts.missing:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"{count(counts.finished)} of {numbered(counts.planned, 'attack')} have a result so "
            "far."
        )
        st.button("Look again", icon=":material/refresh:")
