"""The check before a run: questions to answer, and what stops the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.panels import draw_findings, finding_text
from alc_core.dashboard.state.app_state import AppState
from alc_core.tables.checks.finding import Finding, Severity, grouped


def draw_check(state: AppState, findings: Sequence[Finding], *, columns_stop: bool = True) -> str:
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
    for number, finding in enumerate(grouped(questions)):
        with st.container(border=True):
            st.markdown(f":violet[:material/help:] {finding_text(finding)}")
            for part in finding.parts:
                st.checkbox(
                    f"**{literal(part.column or '')}**: I have checked, this is as it should be. "
                    f"{literal(part.message)}",
                    **_answer_of(state, part, number),
                )
            if not finding.parts:
                st.checkbox(
                    "I have checked: this is as it should be",
                    **_answer_of(state, finding, number),
                )
    rest = [finding for finding in findings if finding not in questions]
    if rest or not questions:
        draw_findings(rest)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if any(columns_stop or not finding.columns for finding in errors):
        return "Fix what the check found first."
    if any(not state.preflight.is_accepted(finding) for finding in questions):
        return "Answer the questions of the check first."
    return ""


def _answer_of(state: AppState, finding: Finding, number: int) -> dict[str, Any]:
    """Return the arguments of the checkbox that answers a question, checked if it is answered."""
    key = f"accept_{number}_{finding.code}_{finding.table}_{finding.column}"
    st.session_state[key] = state.preflight.is_accepted(finding)
    return {"key": key, "on_change": state.preflight.toggle, "args": (finding,)}
