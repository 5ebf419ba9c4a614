"""Parts of the Attack page, some shared with the Campaign page: choices, questions, running job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.panels import draw_findings, finding_text
from alc_core.dashboard.state.choices import (
    known_columns,
    suggested_known,
    suggested_unknown,
    unknown_columns,
    usable_columns,
)
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.state.state import AppState, question_key
from alc_core.glossary import explain
from alc_core.phrasing import count
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.table import Table
from alc_core.tables.values.texts import label_counts

MOST_VALUES = 500
"""Values of a column that people can be selected by, the most frequent ones."""

_MANY_QUESTIONS = 3
"""From so many on, they can be answered at once."""

_NONE = "(none)"
_TARGET_TITLES = {
    "automatic": "As many as needed (recommended)",
    "number": "This many",
    "all": "Everyone",
}
_PARAMETERS = (
    (
        ("alpha", "alpha", 0.1, 50.0, 0.5, "alpha"),
        ("r_min", "R_min", 1e-9, 0.9, 1e-4, "R_min"),
    ),
    (
        ("at_risk", "At risk from", 0.01, 0.99, 0.05, "at risk"),
        ("serious", "Serious from", 0.02, 1.0, 0.05, "serious"),
    ),
    (
        ("confidence", "Confidence", 0.5, 0.999, 0.01, "confidence"),
        ("max_interval_width", "Widest interval", 0.01, 1.0, 0.01, "widest interval"),
    ),
)
"""Rows of attribute, label, least and greatest value, step, term of the glossary."""

_RECALL_TITLES = {"population": "everyone in the table", "group": "the people selected"}


def draw_roles(state: AppState) -> None:
    """Draw the choice of release, unknown and known columns."""
    _draw_release(state)
    original, choices = state.original_table(), state.choices
    releases = state.attacked_release().tables
    others_before = known_columns(original, choices)
    everything = choices.known == others_before

    def follow() -> None:
        possible = known_columns(original, choices)
        choices.known = possible if everything else [c for c in choices.known if c in possible]

    st.selectbox(
        "What does the attacker want to learn? (unknown attribute)",
        unknown_columns(original, releases),
        help=explain("unknown attribute"),
        **bind(choices, "unknown", follow),
    )
    st.caption(_suggestion(state, original, releases))
    st.multiselect(
        "What does the attacker already know? (known attributes)",
        known_columns(original, choices),
        help=explain("known attributes"),
        placeholder="Choose at least one column",
        wrap=True,
        **bind(choices, "known"),
    )
    with st.container(horizontal=True):
        # What to set is found out at the click: the unknown column may have changed just before.
        st.button(
            "All others",
            on_click=lambda: _set_known(state, known_columns(original, choices)),
        )
        st.button(
            "Suggested",
            on_click=lambda: _set_known(
                state, suggested_known(original, releases, choices.unknown)
            ),
            help="Columns whose name or values speak of facts that others often know.",
        )


def draw_people(
    state: AppState, *, taken: Sequence[str | None], then: Callable[[], object] | None = None
) -> None:
    """Draw who is attacked: how many, how rows belong together, a selection.

    Parameters
    ----------
    state : AppState
        Its choices are shown and changed.
    taken : sequence of str
        Columns that have another part, so that they cannot say whose record is whose.
    then : callable, optional
        Called after person or household column were changed.
    """
    original, choices = state.original_table(), state.choices
    st.radio(
        "How many people are attacked?",
        list(_TARGET_TITLES),
        format_func=_TARGET_TITLES.__getitem__,
        help="As many as needed: at least 2 000 where the table has them, and more until the "
        "measures are precise. More people cost little time and show attacks that predict for few.",
        **bind(choices, "target_mode"),
    )
    if choices.target_mode == "number":
        st.number_input(
            "Number of people", min_value=35, step=500, **bind(choices, "target_number")
        )
    with st.expander("Several records per person, households, or a selection of people"):
        grouping = [column for column in original.columns if column not in taken]
        for name, title, text in (
            ("person", "Person column", "All records of a person are left out together."),
            ("household", "Household column", "People of a household are left out together."),
        ):
            st.selectbox(title, grouping, placeholder=_NONE, help=text, **bind(choices, name, then))
        _draw_selection(state, original)
    with st.expander("Details of the run"):
        st.checkbox(
            "Balance a dominating value",
            help="Where one value makes up over half of the unknown column, take its people only "
            "so often that it makes up half of the attempts.",
            **bind(choices, "down_sample"),
        )
        st.number_input(
            "Seed", min_value=0, step=1, help="Same data, choices and seed: same result.",
            **bind(choices, "seed"),
        )  # fmt: skip


def draw_parameters(state: AppState) -> None:
    """Draw the parameters of the scoring. They can be changed after the run, too."""
    choices = state.choices
    for row in _PARAMETERS:
        for place, (name, label, low, high, step, term) in zip(st.columns(2), row, strict=True):
            place.number_input(
                label,
                min_value=low,
                max_value=high,
                step=step,
                format="%g",
                help=explain(term),
                **bind(choices, name),
            )


def draw_preflight(
    state: AppState, findings: Sequence[Finding], *, columns_stop: bool = True
) -> str:
    """Draw what the check says of what is chosen; return why it cannot run, or nothing.

    Parameters
    ----------
    state : AppState
        Remembers which questions were answered.
    findings : sequence of Finding
        For what is chosen.
    columns_stop : bool, default True
        Whether an error in a single column stops the run.

    Returns
    -------
    str
        Empty if a run may start.
    """
    questions = [finding for finding in findings if finding.severity is Severity.QUESTION]
    for number, finding in enumerate(questions):
        with st.container(border=True):
            st.markdown(f":violet[:material/help:] {finding_text(finding)}")
            st.checkbox(
                "I have checked: this is as it should be",
                **_answer_of(state, finding, number),
            )
    if len(questions) >= _MANY_QUESTIONS:
        st.button(
            "All of these are as they should be", on_click=_answer_all, args=(state, questions)
        )
    rest = [finding for finding in findings if finding not in questions]
    if rest or not questions:
        draw_findings(rest)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if any(columns_stop or finding.column is None for finding in errors):
        return "Mend what the check found first."
    if any(question_key(finding) not in state.accepted for finding in questions):
        return "Answer the questions of the check first."
    return ""


@st.fragment(run_every=0.5)
def draw_running(state: AppState) -> None:
    """Draw the running job with a way to cancel it; when it ends, run the whole page once."""
    job = state.job
    if job is None or not job.running:
        st.rerun()
    job.heartbeat()
    progress = job.snapshot.progress
    with st.container(border=True):
        st.markdown(f"**{'Stopping' if job.stopping else progress.stage}** · {job.elapsed:.0f} s")
        st.progress(progress.fraction)
        st.caption(
            f"{count(progress.done)} of at most {count(progress.total)} people attacked. The run "
            "ends earlier once the measures are precise enough."
            if progress.total
            else "Most runs take from a few seconds to a minute."
        )
        st.button(
            "Cancel", on_click=job.cancel, disabled=job.stopping, icon=":material/stop_circle:"
        )


def _draw_release(state: AppState) -> None:
    names = list(state.releases())
    if len(names) > 1:
        st.selectbox(
            "Which release is attacked?",
            names,
            help=explain("release"),
            **bind(state.choices, "release", state.adapt_choices),
        )


def _draw_selection(state: AppState, original: Table) -> None:
    choices = state.choices
    st.selectbox(
        "Attack only people selected by",
        usable_columns(original),
        placeholder=_NONE,
        help="An attacker may be after certain people only, such as those of one rare value.",
        **bind(choices, "where_column", choices.where_values.clear),
    )
    if choices.where_column is None:
        return
    labels = [str(label) for label in label_counts(original.frame[choices.where_column]).index]
    labels = labels[:MOST_VALUES]
    choices.where_values = [value for value in choices.where_values if value in labels]
    st.multiselect("who have one of these values", labels, **bind(choices, "where_values"))
    st.radio(
        "Recall counts relative to",
        list(_RECALL_TITLES),
        format_func=_RECALL_TITLES.__getitem__,
        horizontal=True,
        help=explain("recall"),
        **bind(choices, "recall"),
    )


def _suggestion(state: AppState, original: Table, releases: Sequence[Table]) -> str:
    suggested = state.start.unknown if state.start else suggested_unknown(original, releases)
    return (
        f"One attack looks at one column. Suggested first: {literal(suggested)}."
        if suggested
        else "No column can be attacked: none is in both the original and a release."
    )


def _set_known(state: AppState, columns: list[str]) -> None:
    taken = (state.choices.person, state.choices.household)
    state.choices.known = [column for column in columns if column not in taken]


def _answer_of(state: AppState, finding: Finding, number: int) -> dict[str, Any]:
    """Return the arguments of the checkbox that answers a question, checked if it is answered."""
    key = f"accept_{number}_{finding.code}_{finding.table}_{finding.column}"
    st.session_state[key] = question_key(finding) in state.accepted
    return {"key": key, "on_change": _answer, "args": (state, finding)}


def _answer_all(state: AppState, questions: Sequence[Finding]) -> None:
    state.accepted |= {question_key(finding) for finding in questions}


def _answer(state: AppState, finding: Finding) -> None:
    state.accepted ^= {question_key(finding)}
