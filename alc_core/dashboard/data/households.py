"""Households that are suspected from the data: taken as such with one click."""

from __future__ import annotations

import streamlit as st

from alc_core.dashboard.choices.run_choices import RunChoices
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.phrasing import listed
from alc_core.tables.households import likely_households

_KEY = "as_households"


def draw_households(state: AppState) -> None:
    """Draw whether rows that seem to be of one household are taken as such."""
    run = state.run_choices
    found = likely_households(state.original_table(), run.person)
    if found is None or run.household not in (None, found.columns):
        return
    st.session_state[_KEY] = run.household == found.columns
    st.toggle(
        f"Rows with the same {literal(listed(found.columns))} are one household",
        key=_KEY,
        help="The guess that attacks are compared with is then made without the whole household of "
        "a person, so that nothing is looked up at who lives there, too.",
        on_change=_take,
        args=(run, found.columns),
    )


def _take(run: RunChoices, columns: tuple[str, ...]) -> None:
    run.household = columns if st.session_state[_KEY] else None
