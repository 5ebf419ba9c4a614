"""The head of the pages that show results: release and attack, what if, what changed since."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from alc_core.campaign.findings.overview import what_if_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.parts.campaign_file import draw_opened
from alc_core.dashboard.parts.panels import watch
from alc_core.dashboard.parts.what_if import chosen_scoring, draw_what_if
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignEnd, CampaignResult
from alc_core.dashboard.state.jobs import Job
from alc_core.dashboard.state.session import Page, bind, clicked_point, go_to
from alc_core.phrasing import count, listed, numbered
from alc_core.scoring.parameters import ScoringParameters

_ALL = "All releases"
_WIDTH = 280


@dataclass(slots=True, kw_only=True, eq=False)
class Focus:
    """What a review looks at; Findings, Trade-offs and Decision follow it."""

    of: CampaignView | None = None  # The campaign
    release: str = ""  # The one release; empty for all
    attack: int | None = None  # Number of the attack that was opened last
    opening: bool = False  # Whether its page is to be shown now

    def open(self, number: int) -> None:
        """Let the page of an attack be the next one, whatever release is looked at."""
        self.attack, self.opening = number, True
        if self.of is not None and self.of.attack(number).release != self.release:
            self.release = ""

    def look_at(self, number: int) -> None:
        """Open another attack on the page of one."""
        self.attack = number

    def open_clicked(self, chart: str) -> None:
        """Open the attack whose mark or cell was clicked in a chart."""
        if (number := clicked_point(chart)) is not None:
            self.open(number)


def focus_of(state: AppState, campaign: CampaignResult) -> Focus:
    """Return what the review of a campaign looks at."""
    focus = state.screen(Focus, campaign.view)
    focus.of = campaign.view
    return focus


def focused_view(state: AppState, campaign: CampaignResult) -> CampaignView:
    """Return the view of the release that is looked at, or of all."""
    return campaign.view.only(focus_of(state, campaign).release or None)


def follow_opening(focus: Focus) -> None:
    """Show the page of an attack that was just clicked."""
    if focus.opening:
        focus.opening = False
        go_to(Page.ONE_ATTACK)


def draw_title(title: Markdown, state: AppState, *, releases: bool = True) -> DeltaGenerator:
    """Draw a page's title with the choice of release, if there is one; return the place beside."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title(title, width="stretch")
        campaign = state.campaign
        if releases and campaign is not None and len(campaign.view.attacked_releases) > 1:
            st.selectbox(
                "Release",
                ["", *campaign.view.attacked_releases],
                format_func=lambda name: name or _ALL,
                width=_WIDTH,
                **bind(focus_of(state, campaign), "release"),
            )
        return st.container(width="content")


def draw_header(
    title: Markdown,
    state: AppState,
    campaign: CampaignResult,
    *,
    releases: bool = True,
    what_if: bool = True,
) -> ScoringParameters | None:
    """Draw a page's title with the choice of release and, if asked, of other parameters."""
    view = campaign.view
    view.refresh()
    other = draw_title(title, state, releases=releases)
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
    if changed := state.campaign_outdated():
        st.info(
            literal(
                f"Out of date: since this campaign you changed {listed(list(changed))}. The "
                "results below are those of the campaign as it was. Run it again to bring them up "
                "to date."
            ),
            icon=":material/history:",
        )
    counts = campaign.view.counts
    if not counts.missing:
        return
    shown = f"{count(counts.finished)} of {numbered(counts.planned, 'attack')} have a result"
    if state.campaign_run is None:
        st.markdown(f"{shown} so far.")
        return

    def draw(_job: Job[CampaignEnd]) -> None:
        new = campaign.view.counts.finished - counts.finished
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"{shown} on this page, {count(new)} more since." if new else f"{shown} so far."
            )
            if new and st.button("Show them", icon=":material/refresh:"):
                st.rerun()

    watch(state.campaign_job, draw)
