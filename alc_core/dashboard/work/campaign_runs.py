"""Running a campaign in the background, and taking over what it leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from alc_core.campaign.file.annotations import accepted_codes
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.campaign.run.start import run_campaign
from alc_core.dashboard.state.campaign_state import (
    CampaignEnd,
    CampaignFolder,
    CampaignInputs,
    CampaignResult,
    CampaignRun,
)
from alc_core.dashboard.state.jobs import Job, JobStatus, Snapshot
from alc_core.dashboard.state.state import AppState
from alc_core.dashboard.work.campaign_planning import campaign_findings, continues, plan_preview
from alc_core.errors import InputError, PreflightError
from alc_core.phrasing import count
from alc_core.releases.release import Release
from alc_core.runtime.progress import CancelCallback, ProgressCallback
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.checks.finding import Finding
from alc_core.tables.table import Table

CAMPAIGN_ABANDONED_AFTER = 1800.0
"""Seconds without a sign of its page after which a campaign stops by itself."""


def can_go_on(state: AppState) -> bool:
    """Return whether the last campaign can go on: the tables are still those it began with."""
    if state.campaign is None:
        return False
    if state.campaign.inputs is None:
        return state.campaign_tables() is not None
    try:
        return state.campaign.inputs.data == state.campaign_data()
    except InputError:
        return False


def start_campaign(state: AppState) -> bool:
    """Start the campaign that is chosen, unless one is running.

    One that has all attacks of the last campaign, on the same tables and with the same parameters,
    goes on in that one's file; any other begins a new file.

    Parameters
    ----------
    state : AppState
        Tables and choices are taken as they are now; later changes do not reach the run.

    Returns
    -------
    bool
        Whether it was started; where it was not, because choices are not complete, the state's
        message says why.
    """
    if state.campaign_run is not None:
        return False
    try:
        inputs, plan = state.campaign_inputs(), plan_preview(state).plan
    except InputError as error:
        _tell(state, str(error), failed=True)
        return False
    goes_on = state.campaign is not None and continues(state, plan)
    folder = state.campaign.folder if state.campaign and goes_on else CampaignFolder()
    _start(state, plan, folder, inputs=inputs)
    return True


def go_on(state: AppState, *, retry_failed: bool = False) -> bool:
    """Run what the last campaign still lacks, with its own choices; return whether it started."""
    last = state.campaign
    if last is None or state.campaign_run is not None or not can_go_on(state):
        return False
    _start(state, last.whole_plan(), last.folder, inputs=last.inputs, retry_failed=retry_failed)
    return True


def add_attacks(state: AppState, attacks: Sequence[PlannedAttack]) -> bool:
    """Run further attacks in the last campaign, as it ran; return whether it started."""
    last = state.campaign
    if last is None or state.campaign_run is not None or not can_go_on(state):
        return False
    plan = last.whole_plan()
    plan = replace(plan, attacks=(*plan.attacks, *attacks))
    _start(state, plan, last.folder, inputs=last.inputs)
    return True


def follow_campaign(state: AppState) -> None:
    """Open the running campaign's file as soon as it is there, and read what is new in it."""
    run = state.campaign_run
    if run is not None:
        run.job.heartbeat()
        _open(state, run)
    if state.campaign is not None:
        state.campaign.view.refresh()


def collect_campaign(state: AppState) -> bool:
    """Take over what an ended campaign leaves; return whether all of its attacks have run."""
    run = state.campaign_run
    if run is None:
        return False
    run.job.heartbeat()
    snapshot = run.job.snapshot
    if snapshot.status is JobStatus.RUNNING:
        return False
    follow_campaign(state)
    state.campaign_run = None
    end = snapshot.result
    state.campaign_questions = () if end is None else end.questions
    _tell(state, _end_message(run, snapshot), failed=end is None or bool(end.questions))
    counts = None if end is None else end.counts
    return counts is not None and not counts.missing


def _start(
    state: AppState,
    plan: CampaignPlan,
    folder: CampaignFolder,
    *,
    inputs: CampaignInputs | None,
    retry_failed: bool = False,
) -> None:
    tables, scoring, seed, earlier = _terms(state, inputs)
    original, releases = tables
    accepted = {*state.accepted_codes(campaign_findings(state, plan)), *earlier}

    def work(progress: ProgressCallback, cancel: CancelCallback) -> CampaignEnd:
        try:
            with (
                folder.in_use() as path,
                run_campaign(
                    original,
                    releases,
                    path,
                    plan=plan,
                    scoring=scoring,
                    seed=seed,
                    retry_failed=retry_failed,
                    accept=sorted(accepted),
                    progress=progress,
                    cancel=cancel,
                ) as store,
            ):
                return CampaignEnd(counts=store.counts())
        except PreflightError as error:
            return CampaignEnd(questions=cast(tuple[Finding, ...], error.findings))

    _tell(state, "", failed=False)
    job = Job(work, abandoned_after=CAMPAIGN_ABANDONED_AFTER)
    state.campaign_run = CampaignRun(job=job, inputs=inputs, plan=plan, folder=folder)


def _terms(
    state: AppState, inputs: CampaignInputs | None
) -> tuple[tuple[Table, Mapping[str, Release]], ScoringParameters, int, tuple[str, ...]]:
    """Return tables, scoring, seed and accepted questions: of choices, or of the opened file."""
    if inputs is not None:
        tables = state.original_table(), state.releases()
        return tables, inputs.scoring, inputs.options.seed, ()
    view, attacked = cast(CampaignResult, state.campaign).view, state.campaign_tables()
    if attacked is None:
        raise InputError("The tables are not those of the campaign. Give them on the Data page.")
    return attacked, view.settings.scoring, view.settings.seed, accepted_codes(view.store)


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
        view=CampaignView(store), inputs=run.inputs, plan=run.plan, folder=run.folder
    )
    state.rescoring = None
    if last is not None:
        last.close()
        last.folder.discard()


def _end_message(run: CampaignRun, snapshot: Snapshot[CampaignEnd]) -> str:
    """Say how a run ended, or nothing where all is well."""
    end = snapshot.result
    if end is None:
        return snapshot.message
    if end.counts is None:
        return "The check found something to be answered first. Answer it, then run again."
    if not end.counts.missing:
        return ""
    kept = (
        f"{count(end.counts.finished)} of {count(end.counts.planned)} attacks are finished and "
        f"kept{f', {count(end.counts.failed)} failed' if end.counts.failed else ''}. Go on "
        "whenever you like."
    )
    if run.job.abandoned:
        minutes = round(CAMPAIGN_ABANDONED_AFTER / 60)
        return f"The campaign stopped since its page was closed for {minutes} minutes. {kept}"
    return f"Cancelled. {kept}"


def _tell(state: AppState, message: str, *, failed: bool) -> None:
    state.campaign_message, state.campaign_failed = message, failed
