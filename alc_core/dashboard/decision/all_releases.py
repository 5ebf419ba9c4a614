"""The releases of a campaign below each other, each decided by one click."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import streamlit as st

from alc_core.campaign.findings.decisions import decisions
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import (
    ReleaseChoice,
    ReleaseDecision,
    decide_release,
    moved_sentence,
    objections,
    release_choice_label,
    release_decisions,
    suggested_conditions,
)
from alc_core.candidates.lines import CandidateLine, Publishing
from alc_core.dashboard.decision.form import (
    CHARACTERS,
    CONDITIONS_EXAMPLE,
    DecisionForm,
    usual_name,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.chips import draw_chip
from alc_core.dashboard.results.candidates import standing_and_word
from alc_core.dashboard.results.focus import Focus
from alc_core.phrasing import numbered
from alc_core.scoring.parameters import ScoringParameters

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
