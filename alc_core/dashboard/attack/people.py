"""People attacked, derived columns, and the verdict's parameters."""

from __future__ import annotations

import math

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
from alc_core.dashboard.state.session import bind, bind_choice, bind_value
from alc_core.errors import InputError
from alc_core.glossary import explain
from alc_core.scoring.parameters import (
    ALPHA,
    AT_RISK,
    CONFIDENCE,
    MAX_INTERVAL_WIDTH,
    R_MIN,
    SERIOUS,
)
from alc_core.tables.households import household_of, likely_dependents
from alc_core.tables.values.texts import label_counts

_NONE = "(none)"
_TARGET_TITLES = {
    "automatic": "As many as needed (recommended)",
    "number": "This many",
    "all": "Everyone",
}
# Parameter, label, glossary term
_PARAMETERS = (
    ((ALPHA, "alpha", "alpha"), (R_MIN, "R_min", "R_min")),
    ((AT_RISK, "At-risk limit", "at risk"), (SERIOUS, "Serious limit", "serious")),
    (
        (CONFIDENCE, "Confidence", "confidence"),
        (MAX_INTERVAL_WIDTH, "Widest interval", "widest interval"),
    ),
)
_RECALL_TITLES = {"population": "everyone in the table", "group": "the people selected"}


def draw_people(state: AppState) -> None:
    """Draw the people attacked: number, units, selection."""
    original, settings = state.original_table(), state.choices.settings
    counted = isinstance(settings.targets.count, int)
    how_many = "number" if counted else settings.targets.count or "automatic"
    counts = {"automatic": None, "number": state.choices.people, "all": "all"}
    st.radio(
        "How many people are attacked?",
        list(_TARGET_TITLES),
        format_func=_TARGET_TITLES.__getitem__,
        help="At least 2,000, until the measures are precise.",
        **bind_value("plan_targets", how_many, lambda mode: state.choose(count=counts[mode])),
    )
    if counted:
        st.number_input(
            "Number of people", min_value=35, step=500,
            **bind_value(
                "plan_people", settings.targets.count,
                lambda people: state.choose(count=people, people=people),
            ),
        )  # fmt: skip
    left, right = st.columns(2, gap="large")
    with left:
        st.selectbox(
            "Person column",
            original.columns,
            placeholder=_NONE,
            help="The best guess then ignores all of them.",
            **bind_choice(state, "person"),
        )
        found = likely_dependents(original, settings.person)
        several = {found and household_of(found.columns), settings.household}
        st.selectbox(
            "Household column",
            [*(columns for columns in several if isinstance(columns, tuple)), *original.columns],
            format_func=lambda c: c if isinstance(c, str) else f"all of {', '.join(c)}",
            placeholder=_NONE,
            help="The best guess then ignores all of them.",
            **bind_choice(state, "household"),
        )
        _draw_selection(state)
    with right:
        st.checkbox(
            "Balance a dominant value",
            help="A value that over half the people share gets half or two thirds of attempts.",
            **bind_choice(state, "down_sample"),
        )
        st.checkbox(
            "Attack people with missing values",
            help="If a missing value is sensitive.",
            **bind_choice(state, "include_missing"),
        )
        st.text_area(
            "Tolerance",
            placeholder="income=2000\nage=10%",
            help="One column per line, with allowed error. Default: 20 ranges.",
            **bind_choice(state, "tolerance"),
        )
        st.number_input(
            "Seed", min_value=0, step=1,
            **bind_choice(state, "seed"),
        )  # fmt: skip


def draw_parameters(state: AppState) -> None:
    """Draw the parameters of the scoring."""
    for row in _PARAMETERS:
        for place, (parameter, label, term) in zip(st.columns(2), row, strict=True):
            # Excluded bounds can be entered: the page explains
            place.number_input(
                literal(label), float(parameter.low),
                None if math.isinf(parameter.high) else float(parameter.high),
                step=parameter.step or parameter.default, format="%g", help=explain(term),
                **bind_choice(state, parameter.name),
            )  # fmt: skip


def _draw_selection(state: AppState) -> None:
    condition = state.screen(ConditionChoice)
    st.text_area(
        "Attack only people with",
        placeholder="region = N\nincome >= quantile 0.99",
        help="One per line; all must hold.",
        **bind_choice(state, "where"),
    )
    with st.popover("Add a condition", icon=":material/add:"):
        draw_condition(state, condition, scope="people")
        text = condition.selection
        st.button(
            "Add",
            key="add_people_condition",
            disabled=not text,
            on_click=lambda: state.choose(state.choices.selecting(text)),
        )
    if not state.choices.where.strip():
        return
    st.radio(
        "Recall counts relative to",
        list(_RECALL_TITLES),
        format_func=_RECALL_TITLES.__getitem__,
        horizontal=True,
        help=explain("recall"),
        **bind_choice(state, "recall"),
    )


MOST_VALUES = 500  # Most frequent values offered
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
    """Draw the derived columns to attack."""
    screen = state.screen(AskedChoice)
    st.text_area(
        "Also infer",
        placeholder="job & income\ndiagnosis in C50|C51\nmean cost per patient",
        help="Each line: several columns, a set or range, or a summary of records.",
        **bind_choice(state, "asked"),
    )
    with st.popover("Add another", icon=":material/add:"):
        st.segmented_control(
            "What should be inferred?", list(_KINDS), format_func=_KINDS.__getitem__, required=True,
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
        text = screen.text(state.choices.settings.person)
        if problem := _problem(state, text):
            st.caption(literal(problem))
        st.button(
            f"Add: {literal(text)}" if text else "Add", key="add_asked",
            disabled=not text or bool(problem),
            on_click=lambda: state.choose(state.choices.asking(text, state.chosen().one)),
        )  # fmt: skip


def _draw_of_person(state: AppState, screen: AskedChoice) -> None:
    columns = state.original_table().compared
    if state.choices.settings.person is None:
        st.caption("Set the person column first, under “People”.")
        return
    st.segmented_control(
        "Summary of records", list(_OF_PERSON), format_func=_OF_PERSON.__getitem__, required=True,
        **bind(screen, "of_person"),
    )  # fmt: skip
    if screen.of_person == "ever":
        draw_condition(state, screen.condition, scope="ever")
    elif screen.of_person != "count":
        st.selectbox("Column", columns, **bind(screen, "column"))
    if screen.of_person == "last":
        st.selectbox("In the order of", columns, placeholder="the rows", **bind(screen, "by"))


def _problem(state: AppState, text: str) -> str:
    try:
        if text and text not in state.asked_tables([text])[0].columns:
            return "A column name has a sign that joins columns. Rename it."
    except InputError as error:
        return str(error)
    return ""


def draw_condition(state: AppState, condition: ConditionChoice, *, scope: str) -> None:
    """Draw a condition: column and values."""
    original = state.original_table()

    def follow() -> None:
        column, kinds = condition.column, state.original_table().kinds
        condition.values = []
        condition.how = condition.how if column and kinds[column].is_numeric else "one of"

    st.selectbox(
        "Column", original.compared, placeholder="Choose a column",
        **bind(condition, "column", follow, scope=scope),
    )  # fmt: skip
    if condition.column not in original.compared:
        return
    numeric = original.kind(condition.column).is_numeric
    if numeric:
        st.selectbox(
            "Compared", list(_COMPARISONS), format_func=_COMPARISONS.__getitem__,
            label_visibility="collapsed", **bind(condition, "how", scope=scope),
        )  # fmt: skip
    if condition.how == "one of":
        counts = label_counts(original.frame[condition.column])
        labels = [str(label) for label in counts.index][:MOST_VALUES]
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
