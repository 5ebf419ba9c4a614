"""Findings, verdicts, empty pages, chips, running work."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeVar

import streamlit as st

from alc_core.campaign.plan.settings import plan_model
from alc_core.candidates.line import CandidateLine, PeopleExposed
from alc_core.candidates.lines import asking_for_model
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.jobs import Job, Task
from alc_core.dashboard.state.session import Page, draw_link, go_to, show_safely
from alc_core.dashboard.work.campaign_runs import can_go_on, go_on
from alc_core.figures.looks import ATTACK, GUIDE, LOOKS, faded
from alc_core.measures.registry import ROWS_TRACED
from alc_core.phrasing import count, listed, percent, sentence_case, there
from alc_core.review.campaign_words import untried_sentence
from alc_core.review.rows_words import traced_by
from alc_core.scoring.verdict import Verdict
from alc_core.tables.checks.facts import Fact, FactKind, Weight, fact_chip, fact_meaning
from alc_core.tables.checks.finding import Finding, Severity, patterns

_GROUPS = {
    Severity.ERROR: ("Fix before running", ":material/block:", "red"),
    Severity.QUESTION: ("Answer before running", ":material/help:", "violet"),
    Severity.WARNING: ("May skew results", ":material/warning:", "orange"),
    Severity.INFO: ("Notes", ":material/info:", "gray"),
}

_SHOWN = 4


def finding_text(finding: Finding) -> Markdown:
    """Return a finding as Markdown: where, what, what to do."""
    where = literal(finding.table)
    if finding.column is not None:
        where = f"{literal(finding.column)} in {where}"
    return f"**{where}**: {literal(finding.message)}  \n_What to do:_ {literal(finding.action)}"


def draw_findings(findings: Sequence[Finding], *, folded: bool = True) -> None:
    """Draw findings by severity, each kind once, folded if many."""
    findings = patterns(findings)
    if not findings:
        st.success("Nothing to fix.", icon=":material/check_circle:")
    for severity in _GROUPS:
        title, icon, colour = _GROUPS[severity]
        group = [finding for finding in findings if finding.severity is severity]
        if not group:
            continue
        shown = 0 if severity is Severity.INFO else _SHOWN
        if not folded:
            shown = len(group)
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
    """Say what is missing, with a link."""
    with st.container(border=True):
        st.markdown(sentence)
        draw_link(page, label, ":material/arrow_back:")


def draw_no_results() -> None:
    """Say that there is no campaign yet, with a link."""
    draw_empty("No results yet.", Page.ATTACK, "Plan the attacks")


def draw_tables_needed(what: str) -> None:
    """Say that something needs the campaign's tables."""
    draw_empty(
        f"{literal(what)} needs the original and all attacked releases.",
        Page.DATA,
        "Upload them on the Data page",
    )


def _item(finding: Finding) -> Markdown:
    return "- " + finding_text(finding).replace("\n", "\n  ")


def chip(standing: str, text: str, *, size: float = 1.0, role: str = "") -> str:
    """Return a chip as HTML."""
    look = LOOKS[standing]
    return plain_chip(f"{look.icon}\u2002{text}", look.colour, size=size, role=role)


def plain_chip(text: str, colour: str, *, size: float = 1.0, role: str = "") -> str:
    """Return a chip that is not about a standing; see :func:`chip`."""
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
    """Draw a running job each second; rerun the page at its end."""
    job = find()
    if job is None or not job.running:
        st.rerun()
    job.heartbeat()
    return show_safely(lambda: draw(job))


def draw_task(state: AppState, key: str) -> bool:
    """Draw a task's progress; return whether it runs."""
    if (task := state.tasks.get(key)) is not None:
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


def exposed_bar(line: CandidateLine) -> str:
    """Return people exposed as HTML: number and bar."""
    if (told := line.people_exposed) is None:
        return ""
    if told.perhaps:
        hint = "An inconclusive attack's upper limit."
    elif not told.number:
        hint = "By these attacks, beyond chance."
    else:
        hint = f"The most exposing attack infers '{told.wanted}'."
    return people_bar(told, hint)


def people_bar(told: PeopleExposed, hint: str) -> str:
    """Return people exposed as HTML, with a bar of everyone."""
    colour = faded(ATTACK, 0.4) if told.perhaps else ATTACK
    by = html.escape(told.by, quote=False)
    said = f"<b>{count(told.number)}</b> of {count(told.of)} exposed ({by})"
    said = (
        f"{sentence_case(told.how)} {said}"
        if told.number
        else "<b>Nobody</b> found exposed beyond guessing"
    )
    return _bar(told.number / told.of, said, hint, colour)


def _bar(share: float, said: str, hint: str, colour: str) -> str:
    width = f"width:{100 * share:.2f}%;min-width:{3 if share else 0}px"
    return (
        '<div style="flex:1 1 10rem;font-size:.85rem;line-height:1.3" '
        f'title="{html.escape(hint)}">{said}'
        f'<div style="height:.6rem;border-radius:3px;background:{faded(GUIDE, 0.25)};'
        f'margin-top:.25rem"><div style="height:100%;border-radius:3px;background:{colour};'
        f'{width}"></div></div>'
        "</div>"
    )


def people_bars(line: CandidateLine) -> str:
    """Return people exposed and rows traced as HTML."""
    bars = exposed_bar(line) + traced_bar(line)
    return f'<div style="flex:2 1 12rem;display:grid;gap:.4rem">{bars}</div>' if bars else ""


def traced_bar(line: CandidateLine) -> str:
    """Return rows traced as HTML, with a bar; empty without any."""
    traced = line.traced
    if traced is None:
        return ""
    said = f"Rows traced: <b>{percent(traced.share.value)}</b> ({html.escape(traced_by(traced))})"
    hint = f"{_TRACED} Known: {listed(there(traced.known, traced.absent))}."
    return _bar(traced.share.value, said, hint, ATTACK)


_TRACED = f"{ROWS_TRACED.numbers[0].help} By the attack finding most."

_FACT_LOOKS = {
    Weight.ALARM: f"background:{LOOKS[Verdict.SERIOUS].colour};color:#fff",
    Weight.ASK: f"background:{LOOKS[Verdict.AT_RISK].colour};color:#fff",
    Weight.CALM: f"border:1px solid {GUIDE}",
}


def fact_chips(line: CandidateLine) -> str:
    """Return the check's notable counts as HTML."""
    return chips_of(
        fact
        for file in line.facts
        for fact in file.facts
        if fact.weight is not Weight.CALM
        # People exposed or rows traced show the right original
        and not (fact.kind is FactKind.ORIGINAL and (line.exposes or line.traced))
    )


def chips_of(facts: Iterable[Fact]) -> str:
    """Return facts as HTML, with meanings on hovering."""
    chips = "".join(
        f'<span title="{html.escape(fact_meaning(fact))}" tabindex="0" style="border-radius:1em;'
        f'padding:.1em .7em;{_FACT_LOOKS[fact.weight]}">{html.escape(fact_chip(fact))}</span>'
        for fact in facts
    )
    return (
        '<div style="flex:1 0 100%;display:flex;flex-wrap:wrap;gap:.3rem;font-size:.85rem;'
        f'line-height:1.3">{chips}</div>'
        if chips
        else ""
    )


def draw_model_button(state: AppState, lines: Sequence[CandidateLine]) -> None:
    """Draw the button that runs an untried model, with the reason as help."""
    releases = asking_for_model(lines)
    if not releases or state.campaign_run is not None or not can_go_on(state):
        return
    why = untried_sentence(lines)
    if st.button("Run the model attack", icon=":material/play_arrow:", help=literal(why)):
        campaign = state.campaign
        if campaign and go_on(state, plan_model(campaign.whole_plan().attacks, releases)):
            go_to(Page.ATTACK)
