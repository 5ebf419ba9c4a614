"""The check before a run: questions to answer, and what stops the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.panels import draw_findings, finding_text
from alc_core.dashboard.state.app_state import AppState
from alc_core.phrasing import count
from alc_core.tables.checks.finding import Finding, Severity, patterns


def draw_check(state: AppState, findings: Sequence[Finding], *, columns_stop: bool = True) -> str:
    """Draw what the check says of what is chosen; return why it cannot run, or nothing."""
    questions = [finding for finding in findings if finding.severity is Severity.QUESTION]
    told = patterns(questions)
    answered = [each for each in told if _is_answered(state, each)]
    for finding in told:
        if finding not in answered:
            _draw_question(state, finding)
    if answered:
        with st.expander(f"Answered questions ({count(len(answered))})", icon=":material/check:"):
            for finding in answered:
                _draw_question(state, finding)
    rest = [finding for finding in findings if finding not in questions]
    if rest or not questions:
        draw_findings(rest)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if any(columns_stop or not finding.columns for finding in errors):
        return "Fix what the check found first."
    if any(not state.preflight.is_accepted(finding) for finding in questions):
        return "Answer the questions of the check first."
    return ""


def _draw_question(state: AppState, finding: Finding) -> None:
    """Draw a question with one answer for all columns and tables of its pattern."""
    parts = finding.parts or (finding,)
    key = f"accept_{finding.code}_{finding.table}_{','.join(finding.columns)}"
    st.session_state[key] = _is_answered(state, finding)
    several = f" in all {count(len(parts))} cases" if len(parts) > 1 else ""
    with st.container(border=True):
        st.markdown(f":violet[:material/help:] {finding_text(finding)}")
        st.checkbox(
            f"I have checked: this is as it should be{several}",
            key=key, on_change=_answer, args=(state, finding),
        )  # fmt: skip
        if len(parts) > 1:
            with st.expander("One by one"):
                for part in parts:
                    of = f"{part.column} in {part.table}" if part.column else part.table
                    st.checkbox(
                        f"**{literal(of)}**: {literal(part.message)}", **_answer_of(state, part)
                    )


def _is_answered(state: AppState, finding: Finding) -> bool:
    return all(state.preflight.is_accepted(part) for part in finding.parts or (finding,))


def _answer(state: AppState, finding: Finding) -> None:
    """Take all of a pattern as answered, or all answers back."""
    answered = _is_answered(state, finding)
    for part in finding.parts or (finding,):
        if state.preflight.is_accepted(part) is answered:
            state.preflight.toggle(part)


def _answer_of(state: AppState, finding: Finding) -> dict[str, Any]:
    """Return the arguments of the checkbox that answers one case, checked if it is answered."""
    key = f"accept_one_{finding.code}_{finding.table}_{finding.column}"
    st.session_state[key] = state.preflight.is_accepted(finding)
    return {"key": key, "on_change": state.preflight.toggle, "args": (finding,)}
