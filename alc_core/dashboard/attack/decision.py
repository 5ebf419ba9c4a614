"""For the reviewer: what to ask next, the decision and its note."""

from __future__ import annotations

import streamlit as st

from alc_core.assessment.questions import reviewer_questions
from alc_core.assessment.result import Assessment
from alc_core.campaign.findings.decisions import (
    CHOICE_MEANINGS,
    Choice,
    Decision,
    choice_label,
    decide,
    decision_sentence,
    decisions,
)
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.errors import InputError

_NOTE_CHARACTERS = 4000


def draw_questions(assessment: Assessment) -> None:
    """Draw what a reviewer should ask next, folded away."""
    with st.expander("What a reviewer should ask next", icon=":material/help:"):
        st.markdown(
            "\n".join(
                f"- **{literal(question.topic)}.** {literal(question.text)}"
                for question in reviewer_questions(assessment)
            )
        )


def draw_decision(view: CampaignView, overview: CampaignOverview, number: int) -> None:
    """Draw the decision about an attack; what is changed is kept at once."""
    made = decisions(view.store).get(number)
    standing, loss = overview.stands(number)
    choice_key, note_key = f"decision_{number}", f"decision_note_{number}"
    st.session_state[choice_key] = None if made is None else made.choice
    st.session_state[note_key] = "" if made is None else made.note

    def keep() -> None:
        if choice_key not in st.session_state:
            return  # all data were removed meanwhile
        try:
            decide(
                view.store,
                number,
                st.session_state[choice_key],
                note=st.session_state[note_key],
                standing=standing,
                alc=loss,
                scoring=overview.scoring,
            )
        except InputError as error:
            st.toast(literal(error), icon=":material/error:")

    with st.container(border=True):
        st.markdown("**Decision of the reviewer**")
        st.segmented_control(
            "Decision",
            list(Choice),
            format_func=choice_label,
            key=choice_key,
            on_change=keep,
            help="\n\n".join(
                f"{choice_label(choice)}: {CHOICE_MEANINGS[choice]}" for choice in Choice
            ),
        )
        st.text_area(
            "Note",
            key=note_key,
            on_change=keep,
            max_chars=_NOTE_CHARACTERS,
            height=90,
            placeholder="Why; what is to be done, by whom. No names of people in the data.",
        )
        st.caption(_caption(made, standing))


def _caption(made: Decision | None, standing: str) -> Markdown:
    if made is None:
        return (
            "None yet. A decision is kept in the campaign, with the verdict at that time. Save the "
            "campaign's file to keep it beyond this session."
        )
    return literal(decision_sentence(made, standing))
