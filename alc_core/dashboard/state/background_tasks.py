"""Short work in the background of a page: started by a button, and taken over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.jobs import Job, JobStatus, Work


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """Work under way, and what is done with its result.

    Attributes
    ----------
    title : str
        What it does, such as "Measuring utility".
    job : Job
        The work.
    take : callable
        Given the result when it is there.
    """

    title: str
    job: Job[Any]
    take: Callable[[Any], None]


def start_task(
    state: AppState,
    key: str,
    title: str,
    work: Work[Any],
    *,
    take: Callable[[Any], None],
    instead: bool = False,
) -> None:
    """Start work in the background, unless work with this key is under way.

    Parameters
    ----------
    state : AppState
        Holds the task.
    key : str
        By which it is found again; one task per key.
    title : str
        What it does, as the page says it.
    work : callable
        Is given a progress and a cancel callback, calls no Streamlit, returns the result.
    take : callable
        Is given the result, in the page's own run.
    instead : bool, default False
        Whether it takes the place of what is under way.
    """
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
