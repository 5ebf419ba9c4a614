"""Asking for what is no single column, and choosing a condition, by clicks."""

from __future__ import annotations

import streamlit as st

from alc_core.dashboard.choices.asked import (
    Asked,
    AskedChoice,
    Comparison,
    ConditionChoice,
    OfPerson,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.errors import InputError
from alc_core.tables.values.texts import label_counts

MOST_VALUES = 500
"""Values of a column that can be chosen, the most frequent ones."""

_KINDS: dict[Asked, str] = {
    "together": "Several at once",
    "condition": "A set or range",
    "person": "Records of a person",
}
_OF_PERSON: dict[OfPerson, str] = {
    "count": "how many records",
    "ever": "whether ever",
    "last": "the last value",
    "mean": "the mean",
}
_COMPARISONS: dict[Comparison, str] = {
    "one of": "is one of",
    "at least": "is at least",
    "at most": "is at most",
    "between": "is between",
    "top": "is in the top share",
}


def draw_asked(state: AppState) -> None:
    """Draw what else is attacked, and how it is put together."""
    choices, screen = state.campaign_choices, state.screen(AskedChoice)
    st.text_area(
        "Also attack",
        placeholder="job & income\ndiagnosis in C50|C51\nmean cost per patient",
        help="More than a single column, a line each: several columns at once (right when all are "
        "right), whether somebody is in a set or range, what a person's records come to.",
        **bind(choices, "asked"),
    )
    with st.popover("Put it together", icon=":material/add:"):
        st.segmented_control(
            "What is asked?", list(_KINDS), format_func=_KINDS.__getitem__, required=True,
            **bind(screen, "kind"),
        )  # fmt: skip
        if screen.kind == "together":
            st.multiselect(
                "Columns", state.original_table().compared, wrap=True, **bind(screen, "columns")
            )
        elif screen.kind == "condition":
            draw_condition(state, screen.condition, scope="asked")
        else:
            _draw_of_person(state, screen)
        text = screen.text(state.run_choices.person)
        if problem := _problem(state, text):
            st.caption(literal(problem))
        st.button(
            f"Add: {literal(text)}" if text else "Add", key="add_asked",
            disabled=not text or bool(problem), on_click=choices.ask, args=(text,),
        )  # fmt: skip


def _draw_of_person(state: AppState, screen: AskedChoice) -> None:
    columns = state.original_table().compared
    if state.run_choices.person is None:
        st.caption("Name the person column first, under “People”.")
        return
    st.segmented_control(
        "Of each person", list(_OF_PERSON), format_func=_OF_PERSON.__getitem__, required=True,
        **bind(screen, "of_person"),
    )  # fmt: skip
    if screen.of_person == "ever":
        draw_condition(state, screen.condition, scope="ever")
    elif screen.of_person != "count":
        st.selectbox("Column", columns, **bind(screen, "column"))
    if screen.of_person == "last":
        st.selectbox("In the order of", columns, placeholder="the rows", **bind(screen, "by"))


def _problem(state: AppState, text: str) -> str:
    """Say why something cannot be asked; empty where it can, or where nothing is asked yet."""
    try:
        if text and text not in state.asked_tables([text])[0].columns:
            return "This cannot be read: a column's name holds a sign that joins columns."
    except InputError as error:
        return str(error)
    return ""


def draw_condition(state: AppState, condition: ConditionChoice, *, scope: str) -> None:
    """Draw the choice of a column and of the values that it is to have."""
    original = state.original_table()
    st.selectbox(
        "Column", original.compared, placeholder="Choose a column",
        **bind(condition, "column", condition.values.clear, scope=scope),
    )  # fmt: skip
    if condition.column not in original.compared:
        return
    numeric = original.kind(condition.column).is_numeric
    condition.how = condition.how if numeric else "one of"
    if numeric:
        st.selectbox(
            "Compared", list(_COMPARISONS), format_func=_COMPARISONS.__getitem__,
            label_visibility="collapsed", **bind(condition, "how", scope=scope),
        )  # fmt: skip
    if condition.how == "one of":
        counts = label_counts(original.frame[condition.column])
        labels = [str(label) for label in counts.index][:MOST_VALUES]
        condition.values = [value for value in condition.values if value in labels]
        st.multiselect("Values", labels, **bind(condition, "values", scope=scope))
    if condition.how in ("at least", "between"):
        st.text_input("From", **bind(condition, "low", scope=scope))
    if condition.how in ("at most", "between"):
        st.text_input("To", **bind(condition, "high", scope=scope))
    if condition.how == "top":
        st.number_input(
            "Top share in per cent", min_value=0.01, max_value=99.0, step=1.0,
            **bind(condition, "share", scope=scope),
        )  # fmt: skip
