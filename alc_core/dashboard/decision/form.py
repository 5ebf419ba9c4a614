"""The decision about a release: what the attacks say, what is open, and the form."""

from __future__ import annotations

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
    objections,
    open_attacks,
    release_choice_label,
    release_decision_sentence,
    release_decisions,
    sign_decisions,
)
from alc_core.candidates.lines import CandidateLine, line_sentence, utility_sentence
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.chips import draw_chip
from alc_core.dashboard.results.candidates import standing_and_word
from alc_core.dashboard.results.focus import Focus
from alc_core.dashboard.state.session import bind
from alc_core.errors import InputError
from alc_core.phrasing import count
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
