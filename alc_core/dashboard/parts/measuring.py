"""The button that measures something in the background, how far that is, and what hinders it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.state.app_state import AppState


class Measuring(Protocol):
    """What a page on a measure keeps."""

    done: bool  # Whether the page is to be drawn again with what was found
    message: str  # What went wrong in keeping a result

    @property
    def measured(self) -> object:
        """See above."""


Choices = TypeVar("Choices", bound=Measuring)


def draw_measuring(
    state: AppState,
    choices: Choices,
    *,
    task: str,
    label: str,
    icon: str,
    start: Callable[[AppState, Choices], None],
    problem: str,
    beside: Callable[[bool], object],
    note: str = "",
) -> None:
    """Draw the button that starts a task, and the task while it runs."""
    if problem:
        st.warning(literal(problem), icon=":material/warning:")
    asking, waiting = st.container(), st.container()
    with waiting:
        running = draw_task(state, task)
    if choices.done:
        choices.done = False
        st.rerun()
    with asking.container(horizontal=True, vertical_alignment="center"):
        st.button(
            literal(label),
            type="secondary" if choices.measured else "primary",
            icon=icon,
            on_click=start,
            args=(state, choices),
            disabled=running or bool(problem),
        )
        beside(running)
    if note:
        st.caption(literal(note))
    if choices.message:
        st.warning(literal(choices.message), icon=":material/warning:")
