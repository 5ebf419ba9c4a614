"""The Decision page: what the attacks say of a release, what is open, and the form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import streamlit as st

from alc_core.campaign.findings.decisions import asking_attacks, decisions
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import (
    ReleaseChoice,
    ReleaseDecision,
    attacks_sentence,
    decide_release,
    last_decider,
    moved_sentence,
    objections,
    open_attacks,
    release_choice_label,
    release_decision_sentence,
    release_decisions,
    sign_decisions,
    suggested_conditions,
)
from alc_core.candidates.lines import (
    CandidateLine,
    Publishing,
    candidate_lines,
    line_sentence,
    utility_sentence,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.focus import Focus, focus_of, follow_opening
from alc_core.dashboard.parts.header import draw_header
from alc_core.dashboard.parts.panels import draw_chip, draw_empty
from alc_core.dashboard.parts.verdicts import draw_untried, standing_and_word
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.remedies import draw_what_to_change
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import Page, bind
from alc_core.dashboard.work.evidence import EVIDENCE_TASK
from alc_core.errors import InputError
from alc_core.phrasing import count, numbered
from alc_core.report.html.options import kept_details
from alc_core.scoring.parameters import ScoringParameters
from alc_core.studies.utility.result import stored_utilities

CHARACTERS = 4000
"""The longest text that is taken."""

CONDITIONS_EXAMPLE = "Such as: under contract only; no linking; deleted after the project."


@dataclass(slots=True, kw_only=True, eq=False)
class DecisionForm:
    """What is entered about one release of one campaign; see :class:`ReleaseDecision`.

    Each release has widgets of its own: a browser may keep showing what was in those of another.
    """

    of: CampaignView | None = None
    release: str = ""
    place: int = 0
    choice: ReleaseChoice | None = None
    reasons: str = ""
    conditions: str = ""
    name: str = ""
    day: date | None = None

    def fill(self, of: CampaignView, release: str, made: ReleaseDecision | None) -> None:
        """Show what was decided about a release, or an empty form."""
        self.of, self.release = of, release
        self.place = of.attacked_releases.index(release)
        self.choice = None if made is None else made.choice
        self.reasons = "" if made is None else made.reasons
        self.conditions = "" if made is None else made.conditions
        self.name = usual_name(of) if made is None else made.name
        self.day = date.fromisoformat(made.day) if made is not None and made.day else date.today()


def draw_decision_page(state: AppState) -> None:
    """Draw the page on publishing."""
    if state.campaign is None or not state.campaign.view.judged:
        st.title(TITLE)
        draw_empty("There is nothing to decide on yet.", Page.ATTACK, "Plan and run a campaign")
    else:
        _draw_decision(state, state.campaign)


def _draw_decision(state: AppState, campaign: CampaignResult) -> None:
    """Draw the decision about the release that is looked at; where none is, about the first."""
    focus = focus_of(state, campaign)
    follow_opening(focus)
    whole = campaign.view
    if focus.release:
        focus.candidate = focus.release
    elif focus.candidate not in whole.attacked_releases:
        ranked = candidate_lines(whole, whole.settings.scoring, stored_utilities(whole.store))
        focus.candidate = ranked[-1].release
    scoring = draw_header(TITLE, state, campaign, release="one")
    if scoring is None:
        return
    lines = candidate_lines(whole, scoring, stored_utilities(whole.store))
    line = next((each for each in lines if each.release == focus.candidate), lines[0])
    view = whole.only(line.release)
    overview = view.overview(scoring)
    form = state.screen(DecisionForm)
    if state.campaign_run is not None:
        st.info("The campaign still runs: decide when all attacks have a result.")
    if len(lines) > 1:
        Releases(form=form, focus=focus, view=whole, lines=lines, scoring=scoring).draw()
    draw_untried(state, lines)
    if len(lines) > 1:
        st.subheader(literal(line.release))
    made = release_decisions(whole.store).get(line.release)
    if form.of is not whole or form.release != line.release:
        form.fill(whole, line.release, made)
    found, decision = st.columns(2, gap="medium")
    with found:
        _draw_standing(line)
        _draw_attack_decisions(view, overview, focus)
    with decision:
        _draw_form(form, view, line, overview, made)
    with st.container():  # what follows stays in its place when it ends
        draw_task(state, EVIDENCE_TASK)
    if asking_attacks(overview):
        st.subheader("What to change")
        draw_what_to_change(state, whole, line.release)


def usual_name(view: CampaignView) -> str:
    """Return who is likely to decide: who did last, or the assessor of the report."""
    return last_decider(view.store) or kept_details(view.store).assessor


def _draw_standing(line: CandidateLine) -> None:
    standing, word = standing_and_word(line)
    with st.container(border=True):
        draw_chip(standing, f"{word}: {line.words}")
        st.markdown(literal(f"{line_sentence(line)} {utility_sentence(line)}".strip()))


def _draw_attack_decisions(view: CampaignView, overview: CampaignOverview, focus: Focus) -> None:
    """Draw how far the attacks that ask for a decision have one, and the way to the next."""
    made, releases = decisions(view.store), release_decisions(view.store)
    progress = attacks_sentence(overview, made, releases)
    if not progress:
        return
    waiting = open_attacks(overview, made, releases)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(literal(progress), width="stretch")
        if waiting:
            st.button(
                f"Next attack without a decision ({count(len(waiting))})",
                icon=":material/gavel:",
                on_click=focus.open,
                args=(waiting[0],),
            )


def _draw_form(
    form: DecisionForm,
    view: CampaignView,
    line: CandidateLine,
    overview: CampaignOverview,
    made: ReleaseDecision | None,
) -> None:
    """Draw the form; what is entered is kept in the campaign's file at once."""

    def kept(name: str) -> dict[str, Any]:
        return bind(
            form, name, lambda: _keep(form, view, line, overview.scoring), number=form.place
        )

    with st.container(border=True, key="decision_form"):
        st.markdown("**Decision**")
        st.segmented_control(
            "Decision", list(ReleaseChoice), format_func=release_choice_label,
            label_visibility="collapsed",
            **kept("choice"),
        )  # fmt: skip
        for words in objections(line, overview, decisions(view.store), form.choice):
            st.warning(literal(words), icon=":material/warning:")
        st.text_area(
            "Reasons", max_chars=CHARACTERS, height=90,
            placeholder="Left empty: what the attacks found. No names of people in the data.",
            **kept("reasons"),
        )  # fmt: skip
        if form.choice is ReleaseChoice.CONDITIONS:
            st.text_area(
                "Conditions", max_chars=CHARACTERS, height=90,
                placeholder=CONDITIONS_EXAMPLE,
                **kept("conditions"),
            )  # fmt: skip
        who, when = st.columns([2, 1])
        who.text_input("Decided by", max_chars=200, **kept("name"))
        when.date_input("On", format="YYYY-MM-DD", **kept("day"))
        st.caption(
            literal(release_decision_sentence(made, line))
            if made is not None
            else "Kept in the campaign's file and on the first page of the report."
        )


def _keep(
    form: DecisionForm, view: CampaignView, line: CandidateLine, scoring: ScoringParameters
) -> None:
    try:
        decide_release(
            view.store,
            line,
            form.choice,
            scoring=scoring,
            reasons=form.reasons,
            conditions=form.conditions,
            name=form.name,
            day="" if form.day is None else form.day.isoformat(),
        )
        sign_decisions(view.store, form.name)
    except InputError as error:
        st.toast(literal(error), icon=":material/error:")


_CHIP = 168
"""Pixels, so that the names below each other begin at one place."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Releases:
    """The releases of a campaign below each other, each decided by one click."""

    form: DecisionForm
    focus: Focus
    view: CampaignView
    lines: Sequence[CandidateLine]
    scoring: ScoringParameters

    def draw(self) -> None:
        """Draw what the attacks say of each release beside the choice about it."""
        # In the campaign's order: a line that moved under the pointer would decide on another one.
        order = self.view.attacked_releases
        made = release_decisions(self.view.store)
        with st.container(border=True, key="all_releases"):
            for line in sorted(self.lines, key=lambda line: order.index(line.release)):
                self._draw_line(line, made.get(line.release))
            self._draw_all_not(made)

    def _draw_line(self, line: CandidateLine, decision: ReleaseDecision | None) -> None:
        name, key = literal(line.release), f"decide_{line.release}"
        with st.container(horizontal=True, vertical_alignment="center"):
            draw_chip(*standing_and_word(line), size=1.0, width=_CHIP)
            st.markdown(f"**{name}**: {literal(line.words)}", width="content")
            st.space("stretch")
            st.session_state[key] = None if decision is None else decision.choice
            st.segmented_control(
                f"Decision about {name}", list(ReleaseChoice), format_func=release_choice_label,
                label_visibility="collapsed", key=key,
                on_change=lambda: self._choose(line, st.session_state[key]),
            )  # fmt: skip
        if decision is None:
            return
        overview = self.view.only(line.release).overview(self.scoring)
        for words in objections(line, overview, decisions(self.view.store), decision.choice):
            st.caption(f":material/warning: {name}: {literal(words)}")
        if moved := moved_sentence(decision, line):
            then = f"decided when it was “{decision.standing or 'without a result'}”."
            st.caption(f":material/history: {name}: {literal(then)} {literal(moved)}")
        if decision.choice is ReleaseChoice.CONDITIONS:
            self._draw_conditions(line, decision)

    def _draw_conditions(self, line: CandidateLine, decision: ReleaseDecision) -> None:
        """Draw the conditions of a release below its choice, and say where none is named."""
        name, key = literal(line.release), f"conditions_of_{line.release}"
        st.session_state[key] = decision.conditions

        def keep() -> None:
            self._decide(line, decision.choice, conditions=st.session_state[key])

        st.text_input(
            f"Conditions for {name}", max_chars=CHARACTERS, placeholder=CONDITIONS_EXAMPLE,
            key=key, on_change=keep,
        )  # fmt: skip
        if not decision.conditions:
            st.caption(f":material/warning: {name}: no condition is named")

    def _draw_all_not(self, made: Mapping[str, ReleaseDecision]) -> None:
        decided = {name for name, decision in made.items() if decision.choice is not None}
        waiting = [
            line
            for line in self.lines
            if line.publishing is Publishing.CHANGE and line.release not in decided
        ]
        if len(waiting) < 2:
            return

        def refuse() -> None:
            for line in waiting:
                self._decide(line, ReleaseChoice.NOT)

        words = f"Do not publish: the {numbered(len(waiting), 'release')} with serious attacks"
        st.button(words, icon=":material/block:", on_click=refuse)

    def _choose(self, line: CandidateLine, choice: ReleaseChoice | None) -> None:
        self.focus.candidate = line.release
        self.focus.follow()
        self._decide(line, choice)

    def _decide(
        self, line: CandidateLine, choice: ReleaseChoice | None, conditions: str | None = None
    ) -> None:
        """Keep a choice with the words that are there, else with the conditions that are asked."""
        before = release_decisions(self.view.store).get(line.release)
        asked = suggested_conditions(line)
        if conditions is None:
            conditions = asked if before is None or not before.conditions else before.conditions
        decide_release(
            self.view.store,
            line,
            choice,
            scoring=self.scoring,
            reasons="" if before is None else before.reasons,
            conditions="" if choice is None and conditions == asked else conditions,
            name=usual_name(self.view) if before is None else before.name,
            day=date.today().isoformat() if before is None or not before.day else before.day,
        )
        self.form.of = None  # filled anew with it


TITLE = "Decision"
