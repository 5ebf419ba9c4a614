"""The Start page: progress, own data, demo, opening a campaign."""

from __future__ import annotations

from functools import partial

import streamlit as st

from alc_core.campaign.plan.settings import PlanSettings
from alc_core.candidates.line import PeopleExposed
from alc_core.dashboard.choices.plan import Choices
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.parts.campaign_file import (
    draw_damage,
    draw_save,
    open_campaign,
    opened_note,
)
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.panels import draw_chip, people_bar
from alc_core.dashboard.parts.shelf import draw_shelf
from alc_core.dashboard.parts.steps import has_begun, next_step, review_steps
from alc_core.dashboard.parts.widgets import draw_small_upload, draw_taken
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import Page, go_to
from alc_core.dashboard.state.team import TEAM, is_auditor
from alc_core.dashboard.work.uploads import use_demo
from alc_core.figures.one_attack import right_people
from alc_core.scoring.verdict import Verdict

_EXAMPLE = 0.92, 0.43  # Precision of attack and guess in the example
_EXAMPLE_EXPOSED = PeopleExposed(
    number=2037, interval=(1907, 2167), of=6366, wanted="religious", perhaps=False
)
_EXAMPLE_WIDTH = 640

DEMO = "fair"
# Columns the demo's campaign attacks first: done in seconds
DEMO_UNKNOWN = ("religious", "affairs", "occupation")


def draw_start(state: AppState) -> None:
    """Draw the page that a review begins on."""
    if is_auditor():
        st.title("Reviews of the team")
        draw_shelf(state)
        return
    st.title("What does your release reveal?")
    if begun := has_begun(state):
        _draw_where(state)
    else:
        st.markdown(
            "This tool infers facts about people, with and without your release. The difference "
            "is the risk."
        )
    with st.container(horizontal=True):
        if not begun:
            _draw_way(Page.DATA, "Assess my data")
        _draw_demo(state)
        with st.popover("Open a saved review", icon=":material/folder_open:"):
            _draw_opening(state)
    draw_taken(state, "campaign_file")
    if TEAM.shelf is not None:
        st.header("Reviews of the team")
        draw_shelf(state)
    if not begun:
        _draw_example()


def _draw_example() -> None:
    st.header("An example of a verdict")
    with st.container(border=True, width=_EXAMPLE_WIDTH):
        draw_chip(Verdict.SERIOUS, "Serious: do not publish unchanged", size=1.0)
        st.markdown("Knowing eight facts, an attacker can infer how religious someone is.")
        draw_chart(right_people(*_EXAMPLE), key="example", name="example", saves=False)
        st.html(people_bar(_EXAMPLE_EXPOSED, "An example"))


def _draw_way(page: str, label: Markdown) -> None:
    if st.button(
        label, type="primary", icon=":material/arrow_forward:",
        key="next_step",
    ):  # fmt: skip
        go_to(page)


def _draw_where(state: AppState) -> None:
    page, words = next_step(state)
    draw_damage(state)
    with st.container(border=True):
        st.header("Your progress")
        lines = [
            f"- **{literal(step.title)}**: {literal(step.words)}" for step in review_steps(state)
        ]
        if note := opened_note(state):
            lines.append(f"- {literal(note)}")
        st.markdown("\n".join(lines))
        with st.container(horizontal=True, vertical_alignment="center"):
            _draw_way(page, literal(words))
            if state.campaign is not None and state.campaign.view.counts.finished:
                draw_save(state.campaign)


def _draw_demo(state: AppState) -> None:
    """Draw the way to the demo, which asks before replacing tables."""
    own = any(file.data is not None for file in state.files("original"))
    if own or (state.release and state.start is None):
        with st.popover("Try the demo", icon=":material/science:"):
            st.markdown("The demo replaces your tables.")
            _draw_demo_button(state, "Replace my tables with the demo")
    else:
        _draw_demo_button(state, "Try the demo")


def _draw_demo_button(state: AppState, label: Markdown) -> None:
    if st.button(
        label, icon=":material/science:", key="demo_start",
        help="6,366 people, three releases, half a minute.",
    ):  # fmt: skip
        with st.spinner("Making the demo data"):
            use_demo(state, DEMO)
        state.choices = Choices(  # done in seconds
            settings=PlanSettings(known_sets=0, knowable=False, unknown=DEMO_UNKNOWN),
            model_by_user=True,  # none, for haste
        )
        go_to(Page.ATTACK)


def _draw_opening(state: AppState) -> None:
    if state.campaign_run is not None:
        st.info(
            "Attacks are running. Wait, or cancel them.",
            icon=":material/hourglass:",
        )
        return
    st.markdown("A review (.alc) contains results and decisions but no tables.")
    if state.campaign is not None:
        st.caption("Replaces the open review. Save that first.")

    def take(name: str, data: bytes) -> str:
        with st.spinner("Opening the review"):
            open_campaign(state, name, data, uploaded=True)
        return ""

    draw_small_upload(
        state, "campaign_file", "Campaign file", take, partial(go_to, Page.FINDINGS),
        label_visibility="collapsed",
    )  # fmt: skip
