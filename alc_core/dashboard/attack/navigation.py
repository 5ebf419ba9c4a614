"""From one attack to the next."""

from __future__ import annotations

import streamlit as st

from alc_core.campaign.findings.decisions import decisions
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import open_attacks, release_decisions
from alc_core.dashboard.markdown import Markdown
from alc_core.dashboard.results.focus import Focus
from alc_core.dashboard.state.session import FINDINGS_PAGE, draw_link
from alc_core.phrasing import count


def draw_navigation(
    view: CampaignView, overview: CampaignOverview, focus: Focus, number: int
) -> None:
    """Draw the way back, to the attacks before and after (worst first), and to the next open."""
    numbers = [int(each) for each in overview.results["number"].tolist()]
    place = numbers.index(number)
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_link(FINDINGS_PAGE, "All attacks", ":material/arrow_back:")
        _button(focus, "Previous", ":material/chevron_left:", numbers, place - 1)
        _button(focus, "Next", ":material/chevron_right:", numbers, place + 1)
        waiting = open_attacks(overview, decisions(view.store), release_decisions(view.store))
        later = [each for each in waiting if each != number]
        if later:
            st.button(
                f"Next without a decision ({count(len(later))})",
                icon=":material/gavel:",
                on_click=_open,
                args=(focus, next((n for n in later if numbers.index(n) > place), later[0])),
            )
        st.caption(f"{count(place + 1)} of {count(len(numbers))}, worst first", width="content")


def _button(focus: Focus, label: Markdown, icon: str, numbers: list[int], place: int) -> None:
    there = 0 <= place < len(numbers)
    st.button(
        label, icon=icon, disabled=not there, on_click=_open,
        args=(focus, numbers[place] if there else None),
    )  # fmt: skip


def _open(focus: Focus, number: int | None) -> None:
    focus.attack = number
