"""What the check noticed: the facts of each file as chips, and what has to be answered."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

import streamlit as st

from alc_core.dashboard.data.questions import draw_households, draw_same_columns
from alc_core.dashboard.markdown import Markdown, literal, told_apart
from alc_core.dashboard.parts.panels import draw_findings, finding_text
from alc_core.dashboard.state.answers import RIGHT_ORIGINAL
from alc_core.dashboard.state.app_state import AppState
from alc_core.phrasing import count, listed
from alc_core.tables.checks.facts import Fact, FactKind, FileFacts, Weight, fact_chip, fact_meaning
from alc_core.tables.checks.finding import Finding, Severity, patterns

_COLOURS = {Weight.ALARM: "#b3261e", Weight.ASK: "#8a5a00"}
_RIGHT, _BACK = "the right original.", "Take the answer back"


def draw_noticed(state: AppState) -> None:
    """Draw a row of chips for each released file, the questions, and all else folded away."""
    with st.spinner("Checking the tables"):
        findings = state.findings()
        facts = state.file_facts()
    for each in facts:
        st.html(_chips(each))
    _draw_original(state, facts)
    stopping = [f for f in findings if f.severity in (Severity.ERROR, Severity.QUESTION)]
    for finding in patterns(stopping):
        _draw_question(state, finding)
    draw_households(state)
    draw_same_columns(state)
    if rest := [f for f in findings if f not in stopping]:
        with st.expander(f"All that was noticed ({count(len(patterns(rest)))})", key="noticed"):
            draw_findings(rest)


def _chips(facts: FileFacts) -> str:
    """Return the name of a file and its facts, each with its meaning where one points at it."""
    name = f"<b>{html.escape(facts.table)}</b>"
    chips = "".join(_chip(fact) for fact in facts.facts if _is_told(fact))
    return (
        '<div style="display:grid;grid-template-columns:minmax(3rem,max-content) 1fr;gap:.8rem">'
        f'{name}<div style="display:flex;flex-wrap:wrap;gap:.4rem">{chips}</div></div>'
    )


def _is_told(fact: Fact) -> bool:
    """Return whether a fact is a chip: none is where nothing is new, or where it is asked below."""
    return fact.kind is not FactKind.ORIGINAL and (
        fact.kind is not FactKind.NEW_VALUES or fact.count > 0
    )


def _chip(fact: Fact) -> str:
    colour = _COLOURS.get(fact.weight)
    look = (
        f"background:{colour};color:#fff;border:1px solid {colour}"
        if colour
        else "border:1px solid #8a9ba3"
    )
    return (
        f'<span title="{html.escape(fact_meaning(fact))}" tabindex="0" style="{look};'
        f'border-radius:1em;padding:.1em .6em;font-size:.8rem">{html.escape(fact_chip(fact))}'
        "</span>"
    )


def _draw_original(state: AppState, facts: Sequence[FileFacts]) -> None:
    """Ask whether the original is the right one where nothing matches beyond chance."""
    accepted = state.answers.accepted
    asked = {(RIGHT_ORIGINAL, each.table, None) for each in facts if each.fact(FactKind.ORIGINAL)}
    if not asked:
        return
    named = literal(listed(sorted(table for _, table, _ in asked)))
    if answered := asked <= accepted:
        text, label = f"{named}: {_RIGHT}", told_apart(_BACK, _RIGHT)
    else:
        match = "matches" if len(asked) == 1 else "match"
        text = (
            f"**{named}** {match} the original no better than chance. That is how it should be "
            "with synthetic data; with real people's rows it means another original. "
            f"Is {literal(state.original_table().name)} the right one?"
        )
        label = "Yes, the right one"
    change = accepted.difference_update if answered else accepted.update
    _draw_asked(text, label, "right_original", lambda: change(asked), answered=answered)


def _draw_question(state: AppState, finding: Finding) -> None:
    """Draw a question with its answer beside it, or an error."""
    if finding.severity is Severity.ERROR:
        st.error(finding_text(finding), icon=":material/error:")
        return
    parts = finding.parts or (finding,)
    answered = all(state.answers.is_accepted(part) for part in parts)

    def answer() -> None:
        for part in parts:
            if state.answers.is_accepted(part) is answered:
                state.answers.toggle(part)

    where = f"{finding.table} {' '.join(finding.columns)}"
    if answered:
        label = told_apart(_BACK, where)
        text = f"{literal(finding.place)}: as it should be."
    else:
        label, text = told_apart("It is as it should be", where), finding_text(finding)
    _draw_asked(text, label, f"answer_{finding.code}_{where}", answer, answered=answered)


def _draw_asked(
    text: Markdown, label: Markdown, key: str, answer: Callable[[], None], *, answered: bool
) -> None:
    mark = ":green[:material/check_circle:]" if answered else ":violet[:material/help:]"
    with st.container(border=True, horizontal=True, vertical_alignment="center", wrap=False):
        st.markdown(f"{mark} {text}", width="stretch")
        st.button(label, key=key, on_click=answer, type="tertiary" if answered else "secondary")
