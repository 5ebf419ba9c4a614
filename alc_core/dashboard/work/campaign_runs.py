"""Campaigns in the background, and their results."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from alc_core.campaign.file.annotations import accepted_codes, kept_waiting
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.plan.estimate import told_left
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.campaign.run.start import run_campaign
from alc_core.candidates.lines import shown_standings
from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import (
    CampaignEnd,
    CampaignFolder,
    CampaignInputs,
    CampaignResult,
    CampaignRun,
)
from alc_core.dashboard.state.jobs import Job, Snapshot
from alc_core.dashboard.state.team import TEAM, note, person, record
from alc_core.dashboard.work.campaign_planning import (
    asked_plan,
    campaign_findings,
    continuation,
    is_one_scenario,
    plan_preview,
)
from alc_core.dashboard.work.study_results import keep_results
from alc_core.errors import InputError, PreflightError
from alc_core.phrasing import count, error_line, numbered, quoted
from alc_core.runtime.progress import CancelCallback, Progress, ProgressCallback
from alc_core.scenario.preflight import answers_given
from alc_core.tables.checks.finding import Finding

# Seconds without its page after which a campaign stops
CAMPAIGN_ABANDONED_AFTER = 1800.0


def can_go_on(state: AppState) -> bool:
    """Return whether the last campaign's tables are loaded."""
    return state.campaign_tables() is not None


def start_campaign(state: AppState) -> bool:
    """Start the chosen campaign, unless one runs.

    It continues the last file if it has all its attacks, with equal tables and parameters, or is a
    single attack; else it begins a new one.
    """
    if state.campaign_run is not None:
        return False
    try:
        inputs, plan = state.campaign_inputs(), asked_plan(state, plan_preview(state).plan)
        goes_on = continuation(state, plan) is not None
    except InputError as error:
        _say(state, str(error), failed=True)
        return False
    return _start(state, plan, inputs=inputs, last=state.campaign if goes_on else None)


def go_on(
    state: AppState, attacks: Sequence[PlannedAttack] = (), *, retry_failed: bool = False
) -> bool:
    """Run missing and further attacks of the last campaign; return whether started."""
    last = state.campaign
    if last is None or state.campaign_run is not None or not can_go_on(state):
        return False
    plan = last.whole_plan()
    plan = replace(plan, attacks=(*plan.attacks, *attacks))
    return _start(state, plan, inputs=last.inputs, last=last, retry_failed=retry_failed)


def follow_campaign(state: AppState) -> None:
    """Open the running campaign's file once it exists, and read news."""
    run = state.campaign_run
    if run is not None:
        run.job.heartbeat()
        _open(state, run)
    if state.campaign is not None:
        state.campaign.view.refresh()


def collect_campaign(state: AppState) -> bool:
    """Take over an ended campaign; return whether it has a result."""
    run = state.campaign_run
    snapshot = None if run is None else run.job.collect()
    if run is None or snapshot is None:
        return False
    end = snapshot.result
    state.campaign_questions = () if end is None else end.questions
    _say(state, _end_message(run, snapshot), failed=end is None or bool(end.questions))
    try:
        follow_campaign(state)
    finally:
        state.campaign_run = None  # else every page would wait again
    counts = None if end is None else end.counts
    facts: dict[str, Any] = run.how()
    if counts is not None and state.campaign is not None:
        view = state.campaign.view
        facts["verdicts"] = shown_standings(view, view.settings.scoring)
    note("campaign ended", run.who, **facts)
    return counts is not None and bool(counts.finished) and not counts.missing


def _start(
    state: AppState,
    plan: CampaignPlan,
    *,
    inputs: CampaignInputs | None,
    last: CampaignResult | None,
    retry_failed: bool = False,
) -> bool:
    tables = None if last is None else state.campaign_tables()
    original, releases = tables or (state.original_table(), state.attacked_releases())
    findings = campaign_findings(state, plan)
    accepted = set(state.answers.accepted_codes(findings))
    settings: dict[str, Any] = {"check": state.check()}
    if last is not None:
        accepted |= answers_given(findings, accepted_codes(last.view.store))
    elif inputs is not None:
        settings |= {"scoring": inputs.scoring, "seed": inputs.settings.seed}
    if is_one_scenario(state, plan, goes_on=last is not None):
        settings["jobs"] = 1  # not worth a process
    folder = CampaignFolder() if last is None else last.folder

    def work(progress: ProgressCallback, cancel: CancelCallback) -> CampaignEnd:
        try:
            with (
                TEAM.turns.taken(progress, cancel) as report,
                folder.in_use() as path,
                run_campaign(
                    original,
                    releases,
                    path,
                    plan=plan,
                    retry_failed=retry_failed,
                    accept=sorted(accepted),
                    progress=report,
                    cancel=cancel,
                    **settings,
                ) as store,
            ):
                return CampaignEnd(counts=store.counts(), waiting=tuple(kept_waiting(store)))
        except PreflightError as error:
            return CampaignEnd(questions=cast(tuple[Finding, ...], error.findings))

    try:
        record("campaign started", attacks=len(plan.attacks), releases=sorted(releases))
    except InputError as error:
        _say(state, str(error), failed=True)
        return False
    _say(state, "", failed=False)
    job = Job(work, abandoned_after=CAMPAIGN_ABANDONED_AFTER)
    state.campaign_run = CampaignRun(job=job, inputs=inputs, plan=plan, folder=folder, who=person())
    return True


def _open(state: AppState, run: CampaignRun) -> None:
    last = state.campaign
    if last is not None and last.folder is run.folder:
        if last.plan is not run.plan or last.inputs != run.inputs:
            state.campaign = replace(last, inputs=run.inputs, plan=run.plan)
        return
    if not run.folder.path.exists():
        return
    store = CampaignStore.open(run.folder.path)
    state.campaign = CampaignResult(
        view=CampaignView(store, approximate=True),
        inputs=run.inputs,
        plan=run.plan,
        folder=run.folder,
    )
    state.rescoring = {}
    keep_results(state)
    if last is not None:
        last.close()


def _end_message(run: CampaignRun, snapshot: Snapshot[CampaignEnd]) -> str:
    end = snapshot.result
    if end is None:
        return snapshot.message
    if end.counts is None:
        return "Answer the check's question, then run again."
    if not end.counts.missing:
        return ""
    kept = (
        f"{count(end.counts.finished)} of {numbered(end.counts.planned, 'attack')} finished"
        f"{f', {count(end.counts.failed)} failed' if end.counts.failed else ''}. You can continue."
    )
    if run.job.abandoned:
        minutes = round(CAMPAIGN_ABANDONED_AFTER / 60)
        return f"The run stopped: its page was closed for {minutes} minutes. {kept}"
    if end.waiting:
        return f"{quoted(end.waiting)} not attacked: answer the check's question first. {kept}"
    return f"Cancelled. {kept}"


def _say(state: AppState, message: str, *, failed: bool) -> None:
    state.campaign_message, state.campaign_failed = error_line(message), failed


def short_duration(seconds: float) -> str:
    """Return a duration in one or two units.

    Examples
    --------
    >>> [short_duration(seconds) for seconds in (8, 59.7, 130, 3600, 8000)]
    ['8 s', '1 min', '2 min', '1 h', '2 h 13 min']
    """
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h" + (f" {minutes} min" if minutes else "")


def progress_words(progress: Progress) -> Markdown:
    """Return the progress of attacks, or of a single attack's people.

    Examples
    --------
    >>> progress_words(Progress(stage="", of="attacks", done=5, total=25))
    '5 of 25 attacks'
    >>> progress_words(Progress(stage="", of="people", done=300, total=800))
    '300 of at most 800 people attacked.'
    """
    if progress.of == "people":
        return f"{count(progress.done)} of at most {count(progress.total)} people attacked."
    if progress.of == "turns":
        left = progress.seconds_left
        soon = "" if left is None else f", about {short_duration(left)}"
        return f"{count(progress.total)} before this one{soon}."
    if not progress.of:
        return "Preparing the tables."
    done = f"{count(progress.done)} of {numbered(progress.total, 'attack')}"
    words = literal(left_words(progress))
    return f"{done} · {words}" if words else done


def left_words(progress: Progress) -> str:
    """Say how long a campaign will take; empty if unknown."""
    if progress.ends is None or progress.done == progress.total:
        return ""
    now = time.monotonic()
    return told_left(*(end - now for end in progress.ends))
