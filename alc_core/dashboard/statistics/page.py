"""The Statistics page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from alc_core.dashboard.parts.header import draw_header, draw_title, focus_of, follow_opening
from alc_core.dashboard.parts.panels import draw_no_results
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import PART, bind
from alc_core.dashboard.statistics.compare import draw_compare
from alc_core.dashboard.statistics.studies import draw_list, draw_open_study
from alc_core.dashboard.statistics.trade_offs import draw_trade_offs
from alc_core.studies.registry import with_parts

_TITLE = "Statistics"


class Part(StrEnum):
    """Parts of the page, as in its address."""

    TRADE_OFFS = "trade-offs"
    COMPARE = "compare"
    STUDIES = "studies"


_NAMES = {Part.TRADE_OFFS: "Trade-offs", Part.COMPARE: "Compare", Part.STUDIES: "All studies"}


@dataclass(slots=True, kw_only=True, eq=False)
class StatisticsScreen:
    """What the page shows."""

    part: Part = Part.TRADE_OFFS
    study: str = ""  # The open one

    def show(self, what: str) -> None:
        """Show a part, or open a study."""
        names = [each.name for each in with_parts()]
        self.study = what if what in names else ""
        if self.study or what in list(Part):
            self.part = Part.STUDIES if self.study else Part(what)
        st.query_params[PART] = self.study or self.part


def draw_statistics(state: AppState) -> None:
    """Draw the choice of part, and the part."""
    screen = state.screen(StatisticsScreen)
    screen.show(st.query_params.get(PART, screen.part))
    top = st.container()
    st.segmented_control(
        "Part", list(Part), format_func=_NAMES.__getitem__, required=True,
        label_visibility="collapsed", **bind(screen, "part", lambda: screen.show(screen.part)),
    )  # fmt: skip
    campaign = state.campaign
    if screen.part is Part.TRADE_OFFS:
        with top:
            draw_title(_TITLE, state)
        draw_trade_offs(state)
    elif screen.part is Part.STUDIES or campaign is None:
        top.title(_TITLE)
        if screen.part is Part.COMPARE:
            draw_no_results()
        elif study := {each.name: each for each in with_parts()}.get(screen.study):
            draw_open_study(state, study, screen.show)
        else:
            draw_list(state, screen.show)
    else:
        follow_opening(focus_of(state, campaign))
        with top:
            scoring = draw_header(_TITLE, state, campaign, releases=False)
        if scoring is not None:
            draw_compare(state, campaign, scoring)
