"""The plan: its size, time and check, the button that runs it, and the table of its scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.estimate import told_duration
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.campaign.run.check import broken_attacks
from alc_core.dashboard.choices.campaign_choices import effort_of
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.panels import draw_findings, finding_text
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.campaign_planning import (
    asked_plan,
    campaign_findings,
    continuation,
    plan_preview,
    seconds_to_run,
)
from alc_core.dashboard.work.campaign_runs import start_campaign
from alc_core.phrasing import count, numbered
from alc_core.tables.checks.finding import Finding, Severity, patterns

_SET_TITLES = {
    KnownSetKind.ALL_OTHERS: "everything else",
    KnownSetKind.KNOWABLE: "what others can know",
    KnownSetKind.SINGLES_OUT: "few, single out",
    KnownSetKind.BUDGET: "most for the budget",
    KnownSetKind.NAMED: "your own",
    KnownSetKind.ONE_LESS: "without one fact",
}

_TABLE_ROWS = 20
_ROW_HEIGHT = 66
"""Pixels: with more than 64, long text is wrapped."""


def draw_plan_check(state: AppState, plan: CampaignPlan) -> str:
    """Draw the check of a plan; return why it cannot run, or nothing."""
    findings = campaign_findings(state, plan)
    doomed = len(broken_attacks(state.check().attacks(plan.attacks)))
    blocking = [finding for finding in findings if finding.blocking]
    obstacle = ""
    if blocking:
        obstacle = draw_check(state, blocking, columns_stop=doomed == len(plan))
    if 0 < doomed < len(plan):
        st.warning(
            f"{count(doomed)} of {numbered(len(plan), 'attack')} use a column that must be fixed "
            "first. They will be listed as failed, with the reason; the others run.",
            icon=":material/warning:",
        )
    told = state.findings()  # on the Data page
    if rest := [each for each in findings if not each.blocking and each not in told]:
        with st.expander(f"Notes on these attacks ({count(len(patterns(rest)))})"):
            draw_findings(rest)
    return obstacle


def draw_start(state: AppState, plan: CampaignPlan | None, obstacle: str) -> None:
    """Draw the button that starts the run, and what becomes of the last campaign."""
    if obstacle:
        st.warning(literal(obstacle), icon=":material/block:")
    one = state.campaign_choices.mode == "one"
    label = "Run the attack" if one else "Run the campaign"
    words, nothing_new, replaces = "" if plan is None else _size_words(state, plan), False, False
    if plan is not None and state.campaign is not None:
        counts = state.campaign.view.counts
        goes_on = continuation(state, asked_plan(state, plan))
        has_results = bool(counts.finished or counts.failed)
        if goes_on is None:
            replaces = counts.finished > 0
        elif goes_on.to_run and not goes_on.extends and has_results:
            st.caption("This is the last campaign: continue it above.")
            return
        elif not goes_on.to_run:
            nothing_new, label = True, "Nothing new to run"
            words = "All of these attacks have run. Change the choices to run more."
        elif goes_on.kept:
            label = label if one else "Run what is new or missing"
            kept = numbered(goes_on.kept, "result")
            words = f"This is added to the last campaign, which keeps its {kept}."

    def start() -> None:
        start_campaign(state)

    if words:
        st.caption(literal(words))
    if replaces and state.campaign is not None:
        nothing_new = not st.checkbox(
            "Replace the last findings and decisions",
            key=f"replace_{state.campaign.folder.path}",
            help="Other people, tables or parameters: these attacks cannot be added. Save the last "
            "campaign's file to keep it.",
        )
    st.button(
        label,
        type="primary",
        icon=":material/play_arrow:",
        disabled=bool(obstacle) or plan is None or nothing_new,
        on_click=start,
        width="stretch",
    )


def _size_words(state: AppState, plan: CampaignPlan) -> str:
    """Say how large a plan is, how long it takes unless the effort does, and what is too few."""
    releases = list(state.attacked_releases().values())
    preview = plan_preview(state)
    told = state.campaign_choices.mode == "many" and effort_of(preview.key[1], releases)
    takes = "" if told else f"It takes {told_duration(seconds_to_run(state, preview))}."
    return " ".join(filter(None, (plan.summary, takes, plan.too_few)))


def draw_plan_table(plan: CampaignPlan) -> None:
    """Draw every scenario of a plan with the reason for it, and what was decided."""
    for note in plan.notes:
        st.markdown(f"- {literal(note)}")
    table = plan_table(plan)
    st.dataframe(
        table,
        hide_index=True,
        lazy=False,
        height=40 + _ROW_HEIGHT * min(len(table), _TABLE_ROWS),
        row_height=_ROW_HEIGHT,
        column_config={
            "Attacked": st.column_config.TextColumn(pinned=True, width=110),
            "Knows": st.column_config.TextColumn(width=115),
            "Why": st.column_config.TextColumn(width=310),
            "Known columns": st.column_config.TextColumn(width=310),
            "Facts": st.column_config.NumberColumn(width=58),
            "Singles out": st.column_config.NumberColumn(
                format="%.1f %%",
                width=85,
                help="Share of people whose combination of known values nobody else has.",
            ),
        },
        alt="One row per scenario: the column attacked, what is known, and why.",
    )
    releases = "" if len(plan.releases) == 1 else ", each on every release that has its columns"
    st.caption(f"{numbered(len(table), 'scenario')}{releases}.")


def plan_table(plan: CampaignPlan) -> pd.DataFrame:
    """Return one row per scenario of a plan: what is attacked, what is known and why."""
    shares = {
        (known.columns, unknown): known.singled_out
        for unknown, sets in plan.known_sets.items()
        for known in sets
    }
    firsts = {attack.scenario.key: attack for attack in reversed(plan.attacks)}
    attacks = [firsts[scenario.key] for scenario in plan.scenarios]
    return pd.DataFrame(
        {
            "Attacked": [attack.scenario.wanted for attack in attacks],
            "Knows": [_SET_TITLES[attack.kind] for attack in attacks],
            "Why": [attack.reason for attack in attacks],
            "Known columns": [", ".join(attack.scenario.known) for attack in attacks],
            "Facts": [len(attack.scenario.known) for attack in attacks],
            "Singles out": [
                _per_cent(shares.get((tuple(attack.scenario.known), attack.scenario.unknown)))
                for attack in attacks
            ],
        }
    )


def _per_cent(share: float | None) -> float | None:
    """Return a share in per cent that no rounding to one decimal makes a false 100."""
    return 100.0 if share == 1 else None if share is None else min(100 * share, 99.9)


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
    if any(not state.answers.is_accepted(finding) for finding in questions):
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
    return all(state.answers.is_accepted(part) for part in finding.parts or (finding,))


def _answer(state: AppState, finding: Finding) -> None:
    """Take all of a pattern as answered, or all answers back."""
    answered = _is_answered(state, finding)
    for part in finding.parts or (finding,):
        if state.answers.is_accepted(part) is answered:
            state.answers.toggle(part)


def _answer_of(state: AppState, finding: Finding) -> dict[str, Any]:
    """Return the arguments of the checkbox that answers one case, checked if it is answered."""
    key = f"accept_one_{finding.code}_{finding.table}_{finding.column}"
    st.session_state[key] = state.answers.is_accepted(finding)
    return {"key": key, "on_change": state.answers.toggle, "args": (finding,)}
