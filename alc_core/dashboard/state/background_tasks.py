"""Short work in the background of a page: started by a button, and taken over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.jobs import Job, JobStatus, Work


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """Work under way, and what is done with its result."""

    title: str  # What it does, such as "Measuring utility"
    job: Job[Any]  # The work
    take: Callable[[Any], None]  # Given the result when it is there


def start_task(
    state: AppState,
    key: str,
    title: str,
    work: Work[Any],
    *,
    take: Callable[[Any], None],
    instead: bool = False,
) -> None:
    """Start work in the background, unless work with this key is under way."""
    if key in state.tasks and state.tasks[key].job.running:
        if not instead:
            return
        state.tasks[key].job.forget()
    state.task_messages.pop(key, None)
    state.tasks[key] = Task(title=title, job=Job(work), take=take)


def collect_task(state: AppState, key: str) -> Task | None:
    """Take over what a task that ended leaves; return the task if it is still under way."""
    task = state.tasks.get(key)
    snapshot = None if task is None else task.job.collect()
    if task is None or snapshot is None:
        return task
    del state.tasks[key]
    if snapshot.status is JobStatus.DONE:
        task.take(snapshot.result)
    else:
        state.task_messages[key] = snapshot.message or "Cancelled."
    return None
