"""Short work in the background of a page: started by a button, watched, and taken over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.jobs import Job, JobStatus, Work
from alc_core.dashboard.state.state import AppState


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
    state: AppState, key: str, title: str, work: Work[Any], *, take: Callable[[Any], None]
) -> None:
    """Start work in the background, unless work with this key is under way.

    Parameters
    ----------
    state : AppState
        Holds the task.
    key : str
        By which :func:`draw_task` finds it; one task per key.
    title : str
        What it does, as the page says it.
    work : callable
        Is given a progress and a cancel callback, calls no Streamlit, returns the result.
    take : callable
        Is given the result, in the page's own run.
    """
    if key in state.tasks and state.tasks[key].job.running:
        return
    state.task_messages.pop(key, None)
    state.tasks[key] = Task(title=title, job=Job(work), take=take)


def draw_task(state: AppState, key: str) -> bool:
    """Draw how far a task is, with a way to cancel it; take its result over once it ended.

    Parameters
    ----------
    state, key
        As in :func:`start_task`.

    Returns
    -------
    bool
        Whether it is still under way.
    """
    _collect(state, key)
    if key in state.tasks:
        _watch(state, key)
        return True
    if message := state.task_messages.get(key):
        st.info(literal(message), icon=":material/info:")
    return False


def _collect(state: AppState, key: str) -> None:
    task = state.tasks.get(key)
    if task is None:
        return
    task.job.heartbeat()
    snapshot = task.job.snapshot
    if snapshot.status is JobStatus.RUNNING:
        return
    del state.tasks[key]
    if snapshot.status is JobStatus.DONE:
        task.take(snapshot.result)
    else:
        state.task_messages[key] = snapshot.message or "Cancelled."


@st.fragment(run_every=0.5)
def _watch(state: AppState, key: str) -> None:
    task = state.tasks.get(key)
    if task is None or not task.job.running:
        st.rerun()
    task.job.heartbeat()
    progress = task.job.snapshot.progress
    with st.container(horizontal=True, vertical_alignment="center"):
        words = f"{task.title}: {progress.stage.lower()} ({task.job.elapsed:.0f} s)"
        st.progress(progress.fraction, text=literal(words), width="stretch")
        st.button(
            "Cancel", key=f"cancel_{key}", on_click=task.job.cancel, disabled=task.job.stopping
        )
