"""The decision about a release: what the attacks say, what is open, and the form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import streamlit as st

from alc_core.campaign.findings.decisions import decisions
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
from alc_core.candidates.lines import CandidateLine, Publishing, line_sentence, utility_sentence
from alc_core.dashboard.findings.verdicts import standing_and_word
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.focus import Focus
from alc_core.dashboard.parts.panels import draw_chip
from alc_core.dashboard.state.session import bind
from alc_core.errors import InputError
from alc_core.phrasing import count, numbered
from alc_core.report.html.options import kept_details
from alc_core.scoring.parameters import ScoringParameters

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


def usual_name(view: CampaignView) -> str:
    """Return who is likely to decide: who did last, or the assessor of the report."""
    return last_decider(view.store) or kept_details(view.store).assessor


def draw_standing(line: CandidateLine) -> None:
    """Draw what the attacks say of publishing a release."""
    standing, word = standing_and_word(line)
    with st.container(border=True):
        draw_chip(standing, f"{word}: {line.words}")
        st.markdown(literal(f"{line_sentence(line)} {utility_sentence(line)}".strip()))


def draw_attack_decisions(view: CampaignView, overview: CampaignOverview, focus: Focus) -> None:
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


def draw_form(
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
        who.text_input(
            "Decided by", max_chars=200,
            **kept("name"),
        )  # fmt: skip
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


def draw_all_releases(
    form: DecisionForm,
    focus: Focus,
    view: CampaignView,
    lines: Sequence[CandidateLine],
    scoring: ScoringParameters,
) -> None:
    """Draw what the attacks say of each release beside the choice about it."""
    made, of_attacks = release_decisions(view.store), decisions(view.store)
    # In the campaign's order: a line that moved under the pointer would decide on another release.
    in_order = sorted(lines, key=lambda line: view.attacked_releases.index(line.release))
    with st.container(border=True, key="all_releases"):
        for line in in_order:
            decision = made.get(line.release)
            with st.container(horizontal=True, vertical_alignment="center"):
                draw_chip(*standing_and_word(line), size=1.0, width=_CHIP)
                st.markdown(f"**{literal(line.release)}**: {literal(line.words)}", width="content")
                st.space("stretch")
                key = f"decide_{line.release}"
                st.session_state[key] = None if decision is None else decision.choice
                st.segmented_control(
                    literal(f"Decision about {line.release}"),
                    list(ReleaseChoice),
                    format_func=release_choice_label,
                    label_visibility="collapsed",
                    key=key,
                    on_change=_choose,
                    args=(form, focus, view, line, scoring, key),
                )
            if decision is not None:
                overview = view.only(line.release).overview(scoring)
                for words in objections(line, overview, of_attacks, decision.choice):
                    st.caption(f":material/warning: {literal(line.release)}: {literal(words)}")
                if moved := moved_sentence(decision, line):
                    then = literal(
                        f"decided when it was “{decision.standing or 'without a result'}”."
                    )
                    st.caption(
                        f":material/history: {literal(line.release)}: {then} {literal(moved)}"
                    )
                if decision.choice is ReleaseChoice.CONDITIONS:
                    _draw_conditions(form, view, line, decision, scoring)
        _draw_all_not(form, view, in_order, scoring)


def _draw_conditions(
    form: DecisionForm,
    view: CampaignView,
    line: CandidateLine,
    decision: ReleaseDecision,
    scoring: ScoringParameters,
) -> None:
    """Draw the conditions of a release below its choice, and say where none is named."""
    key = f"conditions_of_{line.release}"
    st.session_state[key] = decision.conditions

    def keep() -> None:
        _decide(form, view, line, decision.choice, scoring, conditions=st.session_state[key])

    st.text_input(
        f"Conditions for {literal(line.release)}",
        max_chars=CHARACTERS,
        placeholder=CONDITIONS_EXAMPLE,
        key=key,
        on_change=keep,
    )
    if not decision.conditions:
        st.caption(f":material/warning: {literal(line.release)}: no condition is named")


def _draw_all_not(
    form: DecisionForm,
    view: CampaignView,
    lines: Sequence[CandidateLine],
    scoring: ScoringParameters,
) -> None:
    """Draw the button that decides together what must not be published as it is."""
    made = release_decisions(view.store)
    waiting = [
        line for line in lines
        if line.publishing is Publishing.CHANGE
        and (line.release not in made or made[line.release].choice is None)
    ]  # fmt: skip
    if len(waiting) < 2:
        return

    def refuse() -> None:
        for line in waiting:
            _decide(form, view, line, ReleaseChoice.NOT, scoring)

    st.button(
        f"Do not publish: the {numbered(len(waiting), 'release')} with serious attacks",
        icon=":material/block:",
        on_click=refuse,
    )


def _choose(
    form: DecisionForm,
    focus: Focus,
    view: CampaignView,
    line: CandidateLine,
    scoring: ScoringParameters,
    key: str,
) -> None:
    focus.candidate = line.release
    focus.follow()
    _decide(form, view, line, st.session_state[key], scoring)


def _decide(
    form: DecisionForm,
    view: CampaignView,
    line: CandidateLine,
    choice: ReleaseChoice | None,
    scoring: ScoringParameters,
    *,
    conditions: str | None = None,
) -> None:
    """Keep a choice with the words that are there, else with the conditions that the check asks."""
    before = release_decisions(view.store).get(line.release)
    asked = suggested_conditions(line)
    if conditions is None:
        conditions = asked if before is None or not before.conditions else before.conditions
    decide_release(
        view.store,
        line,
        choice,
        scoring=scoring,
        reasons="" if before is None else before.reasons,
        conditions="" if choice is None and conditions == asked else conditions,
        name=usual_name(view) if before is None else before.name,
        day=date.today().isoformat() if before is None or not before.day else before.day,
    )
    form.of = None  # filled anew with it
