"""The plan: size, time, check, start, scenarios, and the run."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.estimate import told_duration
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.campaign.run.check import broken_attacks
from alc_core.dashboard.choices.plan import effort_like
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.parts.attack_table import draw_attacks, draw_failures, per_cent, table_of
from alc_core.dashboard.parts.blocks import Controls, draw_blocks
from alc_core.dashboard.parts.campaign_file import draw_opened, draw_save
from alc_core.dashboard.parts.charts import FIGURES, draw_marks
from alc_core.dashboard.parts.offers import draw_offers
from alc_core.dashboard.parts.panels import (
    draw_findings,
    finding_text,
    watch,
)
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignEnd, CampaignResult, CampaignRun
from alc_core.dashboard.state.jobs import Job
from alc_core.dashboard.state.registry import KEPT_WITH_RESULTS
from alc_core.dashboard.state.session import Page, draw_link, show_safely
from alc_core.dashboard.work.campaign_planning import (
    asked_plan,
    campaign_findings,
    continuation,
    plan_preview,
    seconds_to_run,
)
from alc_core.dashboard.work.campaign_runs import (
    CAMPAIGN_ABANDONED_AFTER,
    can_go_on,
    follow_campaign,
    go_on,
    progress_words,
    short_duration,
    start_campaign,
)
from alc_core.phrasing import count, numbered
from alc_core.review.campaign import verdict_blocks
from alc_core.review.campaign_words import overview_title
from alc_core.tables.checks.finding import Finding, Severity, once, patterns

_SET_TITLES = {
    KnownSetKind.ALL_OTHERS: "everything else",
    KnownSetKind.KNOWABLE: "what others can know",
    KnownSetKind.SAME_SURVEY: "another survey file",
    KnownSetKind.FEW_FACTS: "one or two facts",
    KnownSetKind.SINGLES_OUT: "few, single out",
    KnownSetKind.BUDGET: "most for the budget",
    KnownSetKind.KNOWN_ROWS: "known rows",
    KnownSetKind.NAMED: "your own",
    KnownSetKind.ONE_LESS: "without one fact",
}

_TABLE_ROWS = 20
_ROW_HEIGHT = 66  # Pixels; from 65 on long text wraps


def draw_plan_check(state: AppState, plan: CampaignPlan) -> str:
    """Draw a plan's check; return why it cannot run, if so."""
    findings = campaign_findings(state, plan)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    questions = patterns(f for f in findings if f.severity is Severity.QUESTION)
    answered = [finding for finding in questions if state.answers.is_accepted(finding)]
    for finding in questions:
        if finding not in answered:
            _draw_question(state, finding)
    if answered:
        with st.expander(f"Answered questions ({count(len(answered))})", icon=":material/check:"):
            for finding in answered:
                _draw_question(state, finding)
    if errors:
        draw_findings(errors)
    doomed = len(broken_attacks(state.check().attacks(plan.attacks)))
    if 0 < doomed < len(plan):
        st.warning(
            f"{count(doomed)} of {numbered(len(plan), 'attack')} will fail: fix a column first.",
            icon=":material/warning:",
        )
    notes = (each for each in findings if not each.blocking)
    if rest := once(notes, told=state.findings()):  # shown on the Data page
        words = numbered(len(patterns(rest)), "note")
        with st.expander(words):
            draw_findings(rest, folded=False)
    if any(doomed == len(plan) or not finding.columns for finding in errors):
        return "Fix the problems first."
    return "" if len(answered) == len(questions) else "Answer the questions first."


def draw_start(state: AppState, plan: CampaignPlan | None, obstacle: str) -> None:
    """Draw the start button, and the last campaign's end."""
    if obstacle:
        st.warning(literal(obstacle), icon=":material/block:")
    one = state.choices.mode == "one"
    label = "Run the attack" if one else "Run the attacks"
    words, nothing_new, replaces = "" if plan is None else _size_words(state, plan), False, False
    if plan is not None and state.campaign is not None:
        counts = state.campaign.view.counts
        goes_on = continuation(state, asked_plan(state, plan))
        has_results = bool(counts.finished or counts.failed)
        if goes_on is None:
            replaces = counts.finished > 0
        elif goes_on.to_run and not goes_on.extends and has_results:
            st.caption("Continue this review above.")
            return
        elif not goes_on.to_run:
            nothing_new, label = True, "Already run"
            words = ""
        elif goes_on.kept:
            label = label if one else "Run new or missing attacks"
            kept = numbered(goes_on.kept, "result")
            words = f"The last review keeps its {kept}."

    def start() -> None:
        start_campaign(state)

    if words:
        st.caption(literal(words))
    if replaces and state.campaign is not None:
        nothing_new = not st.checkbox(
            "Replace the last findings and decisions",
            key=f"replace_{state.campaign.folder.path}",
            help="Save the last review to keep it.",
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
    """Describe a plan's size and shortages, and its time unless the effort does."""
    releases = list(state.attacked_releases().values())
    preview = plan_preview(state)
    told = state.choices.mode == "many" and effort_like(preview.key[1], releases)
    takes = "" if told else f"It takes {told_duration(seconds_to_run(state, preview))}."
    return " ".join(filter(None, (plan.summary, plan.budget, takes, plan.too_few)))


def draw_plan_table(plan: CampaignPlan) -> None:
    """Draw a plan's scenarios with reasons and decisions."""
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
                format="%.1f%%",
                width=85,
                help="People with unique known values.",
            ),
        },
        alt="Column attacked, what is known, and why.",
    )
    releases = "" if len(plan.releases) == 1 else ", each run where its columns exist"
    st.caption(f"{numbered(len(table), 'scenario')}{releases}.")


def plan_table(plan: CampaignPlan) -> pd.DataFrame:
    """Return a row per scenario."""
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
            "Singles out": per_cent(
                pd.Series(
                    [
                        shares.get((tuple(attack.scenario.known), attack.scenario.unknown))
                        for attack in attacks
                    ],
                    dtype=float,
                )
            ),
        }
    )


def _draw_question(state: AppState, finding: Finding) -> None:
    """Draw a question, answered for its whole pattern."""
    parts = finding.parts
    several = f" in all {count(len(parts))} cases" if parts else ""
    with st.container(border=True):
        st.markdown(f":violet[:material/help:] {finding_text(finding)}")
        if not state.answers.is_accepted(finding):
            draw_offers(state, finding)
        key = f"accept_{(finding.code, finding.table, finding.columns)!r}"
        _draw_answer(state, finding, f"I have checked. This is intended{several}", key)
        if parts:
            with st.expander("One by one"):
                for part in parts:
                    of = f"{part.column} in {part.table}" if part.column else part.table
                    label = f"**{literal(of)}**: {literal(part.message)}"
                    key = f"accept_one_{(part.code, part.table, part.column)!r}"
                    _draw_answer(state, part, label, key)


def _draw_answer(state: AppState, finding: Finding, label: Markdown, key: str) -> None:
    st.session_state[key] = state.answers.is_accepted(finding)
    st.checkbox(label, key=key, on_change=state.answers.toggle, args=(finding,))


def draw_running(state: AppState, run: CampaignRun) -> None:
    """Draw the running campaign: progress, results, plan."""
    watch(lambda: run.job, lambda job: _draw_progress(state, job))
    if len(run.plan) > 1:
        _draw_live_findings(state)
        with st.expander(f"The plan: {numbered(len(run.plan.scenarios), 'scenario')}"):
            draw_plan_table(run.plan)


def _draw_progress(state: AppState, job: Job[CampaignEnd]) -> None:
    follow_campaign(state)
    progress = job.snapshot.progress
    with st.container(border=True):
        stage = "Stopping" if job.stopping else progress.stage
        st.markdown(f"**{literal(stage)}** · {short_duration(job.elapsed)}")
        st.progress(progress.fraction)
        if progress.of != "attacks":
            st.markdown(progress_words(progress))
        with st.container(horizontal=True):
            st.button(
                "Cancel",
                on_click=job.cancel,
                disabled=job.stopping,
                icon=":material/stop_circle:",
            )
            if state.campaign is not None:
                draw_save(state.campaign)
        st.caption(
            f"If you close this page, the run stops after {CAMPAIGN_ABANDONED_AFTER / 60:.0f} "
            f"minutes; results are kept for {KEPT_WITH_RESULTS / 3600:.0f} hours."
        )


@st.fragment(run_every=4.0)
def _draw_live_findings(state: AppState) -> None:
    show_safely(lambda: _draw_found(state))


def _draw_found(state: AppState) -> None:
    """Redraw finished attacks and results of one moment."""
    campaign, run = state.campaign, state.campaign_run
    if campaign is not None and run is not None and campaign.folder is not run.folder:
        campaign = None  # the one before
    overview = None if campaign is None else campaign.view.overview(campaign.view.settings.scoring)
    if run is not None and (progress := run.job.snapshot.progress).of == "attacks":
        done, total = 0, progress.total
        if overview is not None:
            total = overview.planned
            done = total - overview.to_run
        st.markdown(progress_words(replace(progress, done=done, total=total)))
    if campaign is None or overview is None or not _left_something(campaign):
        return
    controls = Controls(chosen={}, key="live_verdict", ask=lambda _: None, open_attack=str)
    with st.container(border=True):
        draw_blocks(verdict_blocks(overview, overview), controls)
    if overview.results["decisive_alc"].notna().any():
        draw_marks(next(iter(FIGURES.values())), overview.results, overview, None, key="live")
    if len(overview.results):
        draw_attacks(
            table_of(overview.results, overview, {}),
            key="live_table",
            scoring=overview.scoring,
            alt="All attacks, worst first.",
        )
    draw_failures(campaign.view)


def draw_last(state: AppState) -> None:
    """Draw the last campaign's end, results, and continuation."""
    campaign = state.campaign
    left_something = campaign is not None and _left_something(campaign)
    if state.campaign_message and (state.campaign_failed or not left_something):
        show = st.error if state.campaign_failed else st.info
        show(literal(state.campaign_message), icon=":material/info:")
    if campaign is None or not left_something:
        return
    counts = campaign.view.counts
    missing = counts.missing

    def continue_it(retry_failed: bool = False) -> None:
        go_on(state, retry_failed=retry_failed)

    with st.container(border=True):
        title = overview_title(campaign.view.overview(campaign.view.settings.scoring))
        st.markdown(f"**Last review: {literal(title)}**")
        words = "" if state.campaign_failed else state.campaign_message
        if words := words or _counted(campaign.view):
            st.markdown(literal(words))
        goes_on = can_go_on(state)
        with st.container(horizontal=True, vertical_alignment="center"):
            if missing:
                st.button(
                    f"Continue: {count(missing)} missing",
                    type="primary",
                    icon=":material/play_arrow:",
                    on_click=continue_it,
                    disabled=not goes_on,
                )
            if counts.failed:
                st.button(
                    f"Try {count(counts.failed)} failed again",
                    icon=":material/refresh:",
                    on_click=continue_it,
                    args=(True,),
                    disabled=not goes_on,
                )
            draw_save(campaign)
            draw_link(Page.FINDINGS, "See the findings", ":material/arrow_forward:")
        draw_opened(state)
        if not goes_on and campaign.inputs is not None and (missing or counts.failed):
            st.caption("The tables have changed: this review cannot continue.")
        draw_failures(campaign.view)


def _left_something(campaign: CampaignResult) -> bool:
    counts = campaign.view.counts
    return bool(counts.finished or counts.failed)


def _counted(view: CampaignView) -> str:
    """Say what is left of the planned attacks: nothing where all finished."""
    counts, missing = view.counts, view.counts.missing
    added = len(view.attacks) - len(view.judged)
    if counts.finished == counts.planned and not added:
        return ""
    words = f"{count(counts.finished)} of {numbered(counts.planned, 'attack')} finished"
    words += f", {count(counts.failed)} failed" if counts.failed else ""
    words += f", {count(counts.skipped)} skipped" if counts.skipped else ""
    words += f", {count(missing)} not yet run." if missing else "."
    if added:
        words += f" {count(added)} lack one fact and set no verdict."
    return words
