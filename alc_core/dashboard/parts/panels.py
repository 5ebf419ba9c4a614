"""What many pages show: findings of the check, an empty page, the glossary, chips, running work."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import streamlit as st

from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.jobs import Job, Task
from alc_core.dashboard.state.session import draw_link, show_safely
from alc_core.figures.looks import LOOKS
from alc_core.glossary import GLOSSARY
from alc_core.phrasing import count, sentence_case
from alc_core.tables.checks.finding import Finding, Severity, patterns

_GROUPS = {
    Severity.ERROR: ("Must be fixed before a run", ":material/block:", "red"),
    Severity.QUESTION: ("Must be answered before a run", ":material/help:", "violet"),
    Severity.WARNING: ("May make the result misleading", ":material/warning:", "orange"),
    Severity.INFO: ("Good to know", ":material/info:", "gray"),
}

_SHOWN = 4


def finding_text(finding: Finding) -> Markdown:
    """Return a finding in Markdown: where, what, and what to do."""
    where = literal(finding.table)
    if finding.column is not None:
        where = f"{literal(finding.column)} in {where}"
    action = finding.action
    if finding.same_columns:
        action += " The place for it is “Columns under other names” on the page Data."
    return f"**{where}**: {literal(finding.message)}  \n_What to do:_ {literal(action)}"


def draw_findings(findings: Sequence[Finding]) -> None:
    """Draw findings by severity, worst first; each kind once, and many are folded away."""
    findings = patterns(findings)
    if not findings:
        st.success("The check found nothing to fix.", icon=":material/check_circle:")
    for severity in _GROUPS:
        title, icon, colour = _GROUPS[severity]
        group = [finding for finding in findings if finding.severity is severity]
        if not group:
            continue
        shown = 0 if severity is Severity.INFO else _SHOWN
        if shown:
            st.markdown(f":{colour}[{icon}] **{literal(title)}** ({count(len(group))})")
            st.markdown("\n".join(_item(finding) for finding in group[:shown]))
        if rest := group[shown:]:
            words = (
                f"{count(len(rest))} more" if shown else f"{literal(title)} ({count(len(rest))})"
            )
            with st.expander(words, icon=None if shown else icon):
                st.markdown("\n".join(_item(finding) for finding in rest))


def draw_empty(sentence: Markdown, page: str, label: Markdown) -> None:
    """Say what is missing, with a link to where to add it."""
    with st.container(border=True):
        st.markdown(sentence)
        draw_link(page, label, ":material/arrow_back:")


def draw_glossary() -> None:
    """Draw all terms with their explanations."""
    st.markdown(
        "\n".join(
            f"- **{literal(sentence_case(term))}**: {literal(text)}"
            for term, text in GLOSSARY.items()
        )
    )


def _item(finding: Finding) -> Markdown:
    return "- " + finding_text(finding).replace("\n", "\n  ")


def chip(standing: str, text: str, *, size: float = 1.0, role: str = "") -> str:
    """Return a chip as HTML."""
    look = LOOKS[standing]
    return plain_chip(f"{look.icon}\u2002{text}", look.colour, size=size, role=role)


def plain_chip(text: str, colour: str, *, size: float = 1.0, role: str = "") -> str:
    """Return a chip that is not about where an attack stands; see :func:`chip`."""
    return (
        f'<span {f"role={role} " if role else ""}style="display:inline-block;background:{colour};'
        f"color:#fff;font-size:{size}rem;font-weight:650;padding:.3em .8em;border-radius:1em;"
        f'line-height:1.35">{html.escape(text)}</span>'
    )


def draw_chip(
    standing: str,
    text: str,
    *,
    size: float = 1.25,
    width: Literal["stretch", "content"] | int = "stretch",
) -> None:
    """Draw the chip of a verdict."""
    st.html(chip(standing, text, size=size, role="status"), width=width)


T = TypeVar("T")


@st.fragment(run_every=1.0)
def watch(find: Callable[[], Job[T] | None], draw: Callable[[Job[T]], None]) -> bool:
    """Draw a running job every second; once it has ended, run the whole page again."""
    job = find()
    if job is None or not job.running:
        st.rerun()
    job.heartbeat()
    return show_safely(lambda: draw(job))


def draw_task(state: AppState, key: str) -> bool:
    """Draw how far a task is; take its result over at its end. Return whether it still runs."""
    task = state.tasks.collect(key)
    if task is not None:
        watch(lambda: task.job, lambda _: _draw_task(task, key))
        return True
    if message := state.tasks.messages.get(key):
        st.info(literal(message), icon=":material/info:")
    return False


def _draw_task(task: Task, key: str) -> None:
    job = task.job
    progress = job.snapshot.progress
    with st.container(horizontal=True, vertical_alignment="center"):
        words = f"{task.title}: {progress.stage} ({job.elapsed:.0f} s)"
        st.progress(progress.fraction, text=literal(words), width="stretch")
        st.button("Cancel", key=f"cancel_{key}", on_click=job.cancel, disabled=job.stopping)
    if progress.remark:
        st.caption(literal(progress.remark))
