"""Which release of a campaign a review looks at, and which of its attacks is open."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import Page, bind, clicked_point, go_to

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
