"""What a good verdict lacks where a model was not tried, and the way to run one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from alc_core.attacks.model import ModelAttack
from alc_core.candidates.lines import CandidateLine, untried_sentence
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import CAMPAIGN_PAGE, go_to


def draw_untried(state: AppState, lines: Sequence[CandidateLine]) -> None:
    """Draw which releases ask for a model, too; nothing where none does."""
    if words := untried_sentence(lines):
        asking = [line.release for line in lines if line.untried]
        draw_model_advice(state, words, asking)


def draw_model_advice(state: AppState, words: str, releases: Sequence[str]) -> None:
    """Draw the advice to run a model on some releases, and the button that adds it to the plan."""
    with st.container(horizontal=True, vertical_alignment="center", key="model_advice"):
        st.caption(f":material/lightbulb: {literal(words)}", width="stretch")
        idle = state.ready and state.campaign_run is None
        if idle and st.button("Add the model attack", icon=":material/add:"):
            state.campaign_choices.attacks.add(ModelAttack.name, releases)
            go_to(CAMPAIGN_PAGE)
