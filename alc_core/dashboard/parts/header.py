"""The head of the pages that show results: release and attack, what if, what changed since."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from alc_core.campaign.findings.overview import CampaignOverview, what_if_text
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


def draw_focus(state: AppState, campaign: CampaignResult) -> None:
    """Draw the choice of the release, where there is one."""
    names, focus = campaign.view.attacked_releases, focus_of(state, campaign)
    if len(names) < 2:
        return
    st.selectbox(
        "Release",
        ["", *names],
        format_func=lambda name: name or _ALL,
        width=_WIDTH,
        **bind(focus, "release"),
    )


def follow_opening(focus: Focus) -> None:
    """Show the page of an attack that was just clicked."""
    if focus.opening:
        focus.opening = False
        go_to(Page.ONE_ATTACK)


def added_attack(state: AppState, campaign: CampaignResult) -> int | None:
    """Return the single attack that the user chose last, where it is one of several."""
    one, every = state.campaign_choices.one, campaign.view.judged
    if state.campaign_choices.mode != "one" or len(every) < 2:
        return None
    own = [
        attack.number
        for attack in every
        if attack.scenario.wanted == one.unknown and set(attack.scenario.known) == set(one.known)
    ]
    return own[0] if len(own) == 1 else None


def opened_number(focus: Focus, overview: CampaignOverview) -> int | None:
    """Return the attack that is open: the one chosen if it has a result here, else the worst."""
    numbers = set(overview.results["number"].tolist())
    return focus.attack if focus.attack in numbers else overview.worst


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
