"""The Statistics page: one part of it at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.study_runs import StudyChoices
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.statistics.compare.page import draw_compare
from alc_core.dashboard.statistics.studies import draw_studies
from alc_core.dashboard.statistics.trade_offs.page import draw_trade_offs


class Part(StrEnum):
    """The parts of the page."""

    TRADE_OFFS = "Trade-offs"
    COMPARE = "Compare releases"
    STUDIES = "Studies"


_DRAWN: Mapping[Part, Callable[[AppState], None]] = {
    Part.TRADE_OFFS: draw_trade_offs,
    Part.COMPARE: draw_compare,
    Part.STUDIES: draw_studies,
}


@dataclass(slots=True, kw_only=True, eq=False)
class StatisticsScreen:
    """What the page shows."""

    part: Part = Part.TRADE_OFFS


def draw_statistics(state: AppState) -> None:
    """Draw the choice of the part, and the part."""
    screen = state.screen(StatisticsScreen)
    if state.screen(StudyChoices).open or st.query_params.get("study"):
        screen.part = Part.STUDIES
    st.segmented_control(
        "Part", list(Part), format_func=literal, required=True, label_visibility="collapsed",
        **bind(screen, "part", _close_study),
    )  # fmt: skip
    _DRAWN[screen.part](state)


def _close_study() -> None:
    st.query_params.pop("study", None)
