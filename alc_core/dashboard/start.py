"""The Start page: where the review is, the demo, opening a campaign, the terms."""

from __future__ import annotations

import streamlit as st

from alc_core.campaign.plan.settings import PlanSettings
from alc_core.dashboard.choices.campaign_choices import CampaignChoices, PlanDraft
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.parts.campaign_file import (
    OpeningScreen,
    draw_damage,
    draw_save,
    opened_note,
    take_campaign_file,
)
from alc_core.dashboard.parts.panels import draw_glossary
from alc_core.dashboard.parts.steps import has_begun, next_step, review_steps
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import Page, draw_link, go_to
from alc_core.dashboard.work.uploads import use_demo
from alc_core.glossary import GLOSSARY
from alc_core.phrasing import sentence_case

FIRST_TERMS = ("precision", "recall", "baseline", "PRC", "ALC", "rank score")
"""What a data protection officer meets first."""

DEMO = "fair"
DEMO_UNKNOWN = ("religious", "affairs", "occupation")
"""Columns that the demo's campaign attacks at first: few, to be done in seconds."""


def draw_start(state: AppState) -> None:
    """Draw the page that a review begins on."""
    st.title("What does your release give away?")
    if has_begun(state):
        _draw_where(state)
    st.markdown(
        "You want to publish or share an anonymized or synthetic table about people. This tool "
        "plays the attacker: it takes a few facts about a person as known and tries to learn one "
        "more from the release. It also measures how well the same fact could be guessed if the "
        "person were **not** in the data. What the attack gains beyond that guess is the "
        "**anonymity loss** that the release causes. It is measured for every column and explained "
        "in plain words."
    )
    if not has_begun(state):
        st.subheader("Four steps")
        _draw_steps(state)
    demo, opening = st.columns(2, gap="large")
    with demo:
        _draw_demo_start(state)
    with opening:
        _draw_opening(state)
    _draw_first_terms()


def _draw_steps(state: AppState) -> None:
    """Draw the four steps, what each is for and how far it is."""
    steps = review_steps(state)
    for column, step in zip(st.columns(len(steps), gap="small"), steps, strict=True):
        with column.container(border=True, height="stretch", gap="xsmall"):
            icon = ":material/check_circle:" if step.done else ":material/arrow_forward:"
            draw_link(step.page, f"**{literal(step.title)}**", icon)
            st.markdown(literal(step.task))
            if has_begun(state):
                st.caption(literal(f"Now: {step.words[:1].lower()}{step.words[1:]}"))


def _draw_where(state: AppState) -> None:
    """Say how far a review is, with a link to its next step."""
    page, words = next_step(state)
    draw_damage(state)
    with st.container(border=True):
        st.subheader("Where you are")
        lines = [
            f"- **{literal(step.title)}**: {literal(step.words)}" for step in review_steps(state)
        ]
        if note := opened_note(state):
            lines.append(f"- {literal(note)}")
        st.markdown("\n".join(lines))
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button(
                literal(words), type="primary", icon=":material/arrow_forward:", key="next_step"
            ):
                go_to(page)
            if state.campaign is not None and state.campaign.view.counts.finished:
                draw_save(state.campaign)


def _draw_demo_start(state: AppState) -> None:
    st.subheader("Try it with demo data")
    st.markdown(
        "A marriage survey of 6 366 people and three releases of it: hardly, weakly and strongly "
        "anonymized. Then press **Run the campaign**; the verdict is there in about half a minute."
    )
    own = state.original is not None and state.original.data is not None
    if own or (state.release and state.start is None):
        with st.popover("Try the demo", icon=":material/science:"):
            st.markdown("The demo replaces the tables that you uploaded.")
            _draw_demo_button(state, "Replace my tables with the demo")
    else:
        _draw_demo_button(state, "Try the demo")


def _draw_opening(state: AppState) -> None:
    """Draw the upload of a campaign's file, and why the last one could not be opened."""
    st.subheader("Open a campaign file")
    st.markdown(
        "A campaign saved earlier (**.alc**) opens with all results and decisions; the tables are "
        "not needed for that."
    )
    if state.campaign_run is not None:
        st.info(
            "A campaign is running. Wait for its end, or cancel it, then open a file.",
            icon=":material/hourglass:",
        )
        return
    screen = state.screen(OpeningScreen)
    upload = st.file_uploader(
        "Campaign file", key=f"campaign_file_{screen.uploads}", label_visibility="collapsed"
    )
    if screen.message:
        st.error(literal(screen.message), icon=":material/error:")
    if state.campaign is not None:
        st.caption("It replaces the campaign that is open. Save that first to keep it.")
    if upload is not None:
        with st.spinner("Opening the campaign"):
            opened = take_campaign_file(state, upload)
        if opened:
            go_to(Page.FINDINGS)
        st.rerun()


def _draw_first_terms() -> None:
    """Explain the terms that come first, and fold the others away."""
    st.subheader("Six terms to know")
    for start in range(0, len(FIRST_TERMS), 3):
        for column, term in zip(
            st.columns(3, gap="medium"), FIRST_TERMS[start : start + 3], strict=True
        ):
            column.markdown(f"**{literal(sentence_case(term))}**  \n{literal(GLOSSARY[term])}")
    with st.expander("All terms"):
        draw_glossary()


def choose_demo(state: AppState) -> None:
    """Load the demo and choose a campaign on it that is done in seconds."""
    use_demo(state, DEMO)
    state.campaign_choices = CampaignChoices(
        draft=PlanDraft(PlanSettings(known_sets=0, knowable=False)),
        unknown=list(DEMO_UNKNOWN),
        all_unknown=False,
    )


def _draw_demo_button(state: AppState, label: Markdown) -> None:
    if st.button(label, type="primary", icon=":material/science:", key="demo_start"):
        with st.spinner("Making the demo data"):
            choose_demo(state)
        go_to(Page.ATTACK)


demo, opening = st.columns(2, gap="large")
