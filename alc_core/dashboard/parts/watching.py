"""Watching work in the background: the one place that asks a job again and again how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.jobs import Job, Task
from alc_core.dashboard.state.session import show_safely

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
