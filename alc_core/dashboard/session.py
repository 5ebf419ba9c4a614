"""The typed state in Streamlit's session, widgets bound to it, and the guard of every page."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import streamlit as st

from alc_core.dashboard.jobs import UNEXPECTED, log_place
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state import AppState
from alc_core.dashboard.uploads import free_uploads
from alc_core.errors import AlcError

_KEY = "alc_state"

DATA_PAGE, ATTACK_PAGE, FINDINGS_PAGE = "pages/data.py", "pages/attack.py", "pages/findings.py"
"""Pages as seen from the folder of app.py."""


def open_state() -> AppState:
    """Return the session's state, new at the session's first run."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = AppState()
    state: AppState = st.session_state[_KEY]
    return state


def require_state() -> AppState:
    """Return the session's state, or go to app.py where that has not run yet.

    In a fresh server the first visit to a deep link runs the page's file alone.
    """
    if _KEY not in st.session_state:
        st.switch_page("app.py")
    return open_state()


def remove_all_data() -> None:
    """Cancel the run, and forget every table, choice, result and uploaded byte of the session."""
    state = open_state()
    if state.job is not None:
        state.job.cancel()
    uploads = {slot: number + 1 for slot, number in state.uploads.items()}
    for key in list(st.session_state):
        del st.session_state[key]
    free_uploads()
    st.session_state[_KEY] = AppState(uploads=uploads)
    gc.collect()
    st.toast("All data were removed from memory.")


def bind(choices: object, name: str, then: Callable[[], object] | None = None) -> dict[str, Any]:
    """Return the arguments that let a widget show a choice and store it.

    Parameters
    ----------
    choices : object
        What holds the choice; it outlives the widget.
    name : str
        Attribute of `choices`.
    then : callable, optional
        Called after a change was stored.

    Returns
    -------
    dict
        For the widget's ``key``, ``on_change``, ``args``.
    """
    key = f"{type(choices).__name__}_{name}"
    value = getattr(choices, name)
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = list(value) if isinstance(value, list) else value
    return {"key": key, "on_change": _store, "args": (choices, name, key, then)}


def show_safely(draw: Callable[[], None]) -> None:
    """Draw a page; an error becomes a message and never a traceback.

    Parameters
    ----------
    draw : callable
        Runs the page.
    """
    try:
        draw()
    except AlcError as error:
        st.error(literal(error), icon=":material/error:")
    except Exception as error:  # noqa: BLE001 - whatever it is, the page gets a plain message
        log_place(error)
        st.error(UNEXPECTED, icon=":material/error:")


def _store(choices: object, name: str, key: str, then: Callable[[], object] | None) -> None:
    value = st.session_state[key]
    setattr(choices, name, list(value) if isinstance(value, list) else value)
    if then is not None:
        then()
