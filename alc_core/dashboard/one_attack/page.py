"""The page of one attack."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from alc_core.assessment.result import Assessment
from alc_core.campaign.findings.decisions import (
    CHOICE_MEANINGS,
    Choice,
    choice_label,
    decide,
    decision_sentence,
    decisions,
)
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import open_attacks, release_decisions
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.one_attack.closer_look import draw_closer_look
from alc_core.dashboard.parts.blocks import Controls, draw_blocks
from alc_core.dashboard.parts.charts import draw_marks, figures_of
from alc_core.dashboard.parts.header import Focus, draw_header, focus_of, focused_view
from alc_core.dashboard.parts.panels import draw_empty, draw_no_results
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import Page, bind, draw_link, refusal_told
from alc_core.dashboard.state.team import record
from alc_core.phrasing import count
from alc_core.plain_values import MOST_CHARACTERS
from alc_core.report.text import measures_csv
from alc_core.review.attack import details_fold, remark_blocks
from alc_core.review.attack_words import changed_parameters, changed_verdict, file_stem
from alc_core.review.campaign_attack import evidence_blocks, fewer_facts_blocks, found_blocks


def draw_attack(state: AppState) -> None:
    """Draw the page of one attack."""
    campaign = state.campaign
    if campaign is None:
        st.title(TITLE)
        draw_no_results()
        return
    scoring = draw_header(TITLE, state, campaign)
    if scoring is None:
        return
    focus, view = focus_of(state, campaign), focused_view(state, campaign)
    focus.opening = False  # The clicked attack is drawn now
    overview = view.overview(scoring)
    results = overview.results["number"].tolist()
    number = focus.attack if focus.attack in results else overview.worst
    if number is None:
        draw_empty("No results yet.", Page.ATTACK, "Go to the attacks")
        return
    _draw_navigation(view, overview, focus, number)
    run = view.assessment(number)
    shown = view.assessment(number, scoring)
    controls = Controls(chosen={}, key="attack", ask=lambda _: None, open_attack=focus.open)
    main, side = st.columns([12, 5], gap="medium")
    with side:
        about = st.container()
        # First: new numbers must not come with old files
        _draw_downloads(shown)
    with main:
        if changes := [*filter(None, (changed_verdict(run, shown), changed_parameters(shown)))]:
            st.info(literal(" ".join(changes)), icon=":material/swap_horiz:")
        if fewer := tuple(fewer_facts_blocks(view, overview, number)):
            with st.container(border=True):
                draw_blocks(fewer, controls)
        with st.container(border=True):
            draw_blocks(found_blocks(view, number, shown), controls)
    with about:
        if shown.interval_exact:  # Decisions need exact intervals
            _draw_decision(view, overview, number)
        draw_blocks(remark_blocks(shown), controls)
    draw_how_we_know(state, overview, number, shown, focus, controls)
    draw_closer_look(state, view, number, shown)
    draw_blocks([details_fold(shown)], controls)


def _draw_navigation(
    view: CampaignView, overview: CampaignOverview, focus: Focus, number: int
) -> None:
    """Draw links back, to neighbours in the table, and to the next open one."""
    numbers = [int(each) for each in overview.results["number"].tolist()]
    place = numbers.index(number)
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_link(Page.FINDINGS, "All attacks", ":material/arrow_back:")
        for label, icon, target in (
            ("Previous", ":material/chevron_left:", numbers[max(place - 1, 0) : place]),
            ("Next", ":material/chevron_right:", numbers[place + 1 : place + 2]),
        ):
            st.button(label, icon=icon, disabled=not target, on_click=focus.open, args=target)
        waiting = open_attacks(overview, decisions(view.store), release_decisions(view.store))
        if later := [each for each in waiting if each != number]:
            following = next((n for n in later if numbers.index(n) > place), later[0])
            words = "Next to examine"
            st.button(words, icon=":material/gavel:", on_click=focus.open, args=(following,))
        st.caption(f"{count(place + 1)} of {count(len(numbers))}", width="content")


def _draw_decision(view: CampaignView, overview: CampaignOverview, number: int) -> None:
    made = decisions(view.store).get(number)
    standing, loss = overview.stands(number)
    choice_key, note_key = f"decision_{number}", f"decision_note_{number}"
    st.session_state[choice_key] = None if made is None else made.choice
    st.session_state[note_key] = "" if made is None else made.note

    def keep() -> None:
        if choice_key not in st.session_state:
            return  # all data were removed meanwhile
        choice = st.session_state[choice_key]
        with refusal_told():
            view.store.check_writable()
            record("decision", attack=number, choice=choice, standing=standing)
            decide(
                view.store, number, choice, note=st.session_state[note_key], standing=standing,
                alc=loss, scoring=overview.scoring,
            )  # fmt: skip

    with st.container(border=True):
        st.markdown("**Reviewer's decision**")
        st.pills(  # Side by side or stacked, by room
            "Decision",
            list(Choice),
            format_func=choice_label,
            key=choice_key,
            on_change=keep,
            disabled=view.store.read_only,
            label_visibility="collapsed",
            help="\n\n".join(
                f"{choice_label(choice)}: {CHOICE_MEANINGS[choice]}" for choice in Choice
            ),
        )
        st.text_area(
            "Note",
            key=note_key,
            on_change=keep,
            disabled=view.store.read_only,
            max_chars=MOST_CHARACTERS,
            height=90,
            placeholder="Do not name people.",
        )
        release = view.attack(number).release
        whole = release_decisions(view.store).get(release)
        none = "None yet."
        if whole is not None and whole.choice is not None:
            none = f"Covered by the decision about {release}."
        st.caption(literal(none if made is None else decision_sentence(made, standing)))


TITLE = "One attack"


def _draw_downloads(assessment: Assessment) -> None:
    stem = file_stem(assessment) + ("-what-if" if assessment.run_scoring is not None else "")
    with st.container(horizontal=True):
        draw_download(
            "This attack (JSON)",
            assessment.to_json(indent=1),
            f"{stem}.json",
            disabled=not assessment.interval_exact,
        )
        draw_download(
            "Its curves (CSV)",
            measures_csv(assessment),
            f"{stem}.csv",
        )


@dataclass(slots=True, kw_only=True)
class HowWeKnow:
    """Whether the part is unfolded."""

    open: bool = False


def draw_how_we_know(
    state: AppState,
    overview: CampaignOverview,
    number: int,
    assessment: Assessment,
    focus: Focus,
    controls: Controls,
) -> None:
    """Draw the folded numbers and curves behind a verdict."""
    with (panel := st.expander(
        "Evidence", icon=":material/ssid_chart:",
        **bind(state.screen(HowWeKnow), "open"),
    )):  # fmt: skip
        if not panel.open:
            return
        draw_blocks(evidence_blocks(assessment), controls)
        if overview.results["decisive_alc"].notna().any():
            for marks in figures_of(overview.results).values():
                draw_marks(marks, overview.results, overview, focus, key="attack", selected=number)
