"""Starting a single attack in the background, and taking its result over."""

from __future__ import annotations

from alc_core.assessment.assess import assess
from alc_core.assessment.result import Assessment
from alc_core.dashboard.state.attack_state import Result
from alc_core.dashboard.state.jobs import Job, JobStatus
from alc_core.dashboard.state.state import AppState
from alc_core.errors import InputError
from alc_core.runtime.progress import CancelCallback, ProgressCallback


def start_run(state: AppState) -> bool:
    """Start the run that is chosen, unless one is running.

    Parameters
    ----------
    state : AppState
        Tables and choices are taken as they are now; later changes do not reach the run.

    Returns
    -------
    bool
        Whether a run was started; where it was not, because choices are not complete, the
        state's message says why.
    """
    if state.job is not None:
        return False
    try:
        inputs = state.inputs()
        accepted = state.accepted_codes(state.findings(inputs.scenario))
    except InputError as error:
        state.message = str(error)
        return False
    original, release = state.original_table(), state.attacked_release()

    def work(progress: ProgressCallback, cancel: CancelCallback) -> Assessment:
        return assess(
            original,
            release,
            inputs.scenario,
            scoring=inputs.scoring,
            seed=inputs.seed,
            accept=accepted,
            progress=progress,
            cancel=cancel,
        )

    state.message = ""
    state.job, state.job_inputs = Job(work), inputs
    return True


def collect_run(state: AppState) -> bool:
    """Take over what an ended run leaves; return whether it left a result."""
    job, inputs = state.job, state.job_inputs
    if job is None or inputs is None:
        return False
    job.heartbeat()
    snapshot = job.snapshot
    if snapshot.status is JobStatus.RUNNING:
        return False
    state.job = state.job_inputs = None
    state.message = snapshot.message
    state.was_cancelled = snapshot.status is JobStatus.CANCELLED
    if snapshot.result is None:
        return False
    state.result = Result(assessment=snapshot.result, inputs=inputs)
    state.rescoring = None
    return True
