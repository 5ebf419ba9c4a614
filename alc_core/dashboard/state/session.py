"""The typed session state, bound widgets, and the pages' guard."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, NoReturn, Self, TypeVar

import streamlit as st
from starlette.requests import HTTPConnection

from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.browser import (
    end_session,
    free_session,
    is_connected,
    offering_sessions,
    page_id,
    redraws_a_part,
    saved_as,
    secret_of,
    session_id,
)
from alc_core.dashboard.state.jobs import UNEXPECTED, log_place
from alc_core.dashboard.state.late_requests import mind_late_requests
from alc_core.dashboard.state.registry import SessionRegistry, browser_key
from alc_core.dashboard.state.team import (
    LOGIN,
    TEAM,
    is_auditor,
    log_out,
    login_lasts,
    note,
    person,
    record,
    told_by_proxy,
    waits,
)
from alc_core.errors import AlcError, InputError
from alc_core.phrasing import error_line
from alc_core.runtime.machine import give_back

T = TypeVar("T")

_KEY, _TOKEN, _BOUND, _TOLD = "alc_state", "alc_token", "alc_bound", "alc_told"
_REMOVALS = "alc_removals"
_REMOVED = "alc_removed"

_PARAMETER = "session"  # The token in the page's address
PART = "part"  # A part of Statistics, or a study, in the address
_GONE = "This session has ended. Open a saved review to continue."
_ELSEWHERE = "This review is open in another tab, or just lost its connection. Close other tabs."

_PATIENCE = 4.0  # Seconds until a reloaded page reports its predecessor
_LOOK_EVERY = 2.0  # Seconds between checks that it is gone
REGISTRY = SessionRegistry(is_connected, free=end_session)


class Page(StrEnum):
    """Page files relative to app.py, in review order."""

    START = "pages/start.py"
    DATA = "pages/data.py"
    ATTACK = "pages/attack.py"
    FINDINGS = "pages/findings.py"
    ONE_ATTACK = "pages/one_attack.py"
    DECISION = "pages/decision.py"
    STATISTICS = "pages/statistics.py"
    METHODS = "pages/methods.py"


def open_state(page: Page | None = None) -> AppState:
    """Return the session's state: own, the reloaded page's, or new.

    The address keeps it, unless Methods opens at a section: Streamlit would drop that.
    """
    mind_late_requests(REGISTRY.has_ended)
    if _KEY not in st.session_state or not REGISTRY.owns(
        st.session_state.get(_TOKEN, ""), session=session_id()
    ):
        token, visitor = st.query_params.get(_PARAMETER, ""), _visitor()
        state = REGISTRY.take_over(token, **visitor, patience=_PATIENCE)
        if state is None and REGISTRY.holds(token, **visitor):
            _draw_elsewhere(token)
        if state is None:
            if waits(REGISTRY.held(visitor["who"])):
                st.stop()
            if token:
                st.toast(_GONE, icon=":material/info:", duration="long")
            state = AppState()
            token = REGISTRY.add(state, **visitor)
        st.session_state[_KEY], st.session_state[_TOKEN] = state, token
    for name, value in address_parameters().items():
        if page is not Page.METHODS and st.query_params.get(name) != value:
            st.query_params[name] = value
    _Told.here().ended = math.inf
    current: AppState = st.session_state[_KEY]
    return current


def _draw_elsewhere(token: str) -> NoReturn:
    """Say that another page holds the state; wait, or offer it.

    A lost connection may seem alive.
    """

    def go_on(*, asked: bool) -> None:
        if (state := REGISTRY.take_over(token, **_visitor(), asked=asked)) is not None:
            st.session_state[_KEY], st.session_state[_TOKEN] = state, token

    @st.fragment(run_every=_LOOK_EVERY)
    def look() -> None:
        go_on(asked=False)
        if REGISTRY.owns(token, session=session_id()) or not REGISTRY.holds(token, **_visitor()):
            st.rerun()

    st.title("This review is open elsewhere")
    st.markdown(_ELSEWHERE)
    with st.container(horizontal=True):
        st.button("Continue here", type="primary", on_click=go_on, kwargs={"asked": True})
        st.button("Start a new review", on_click=st.query_params.clear)
    look()
    st.stop()


def shut_page() -> None:
    """Note that the page shows only the login."""
    REGISTRY.shut(session_id())


def _visitor() -> dict[str, Any]:
    return {
        "session": session_id(),
        "browser": browser_key(secret_of(st.context.cookies)),
        "who": person(),
        "lasts": login_lasts(),
    }


def pages() -> tuple[Page, ...]:
    """Return the pages the person may open."""
    if is_auditor():
        return (Page.START, Page.FINDINGS, Page.ONE_ATTACK, Page.DECISION, Page.METHODS)
    return tuple(Page)


def address_parameters() -> dict[str, str]:
    """Return the parameters of every page's address."""
    token = st.session_state.get(_TOKEN)
    return {_PARAMETER: token} if token else {}


def draw_link(
    page: str, label: Markdown, icon: str | None = None, *, part: str = "", **settings: Any
) -> None:
    """Draw a link to a page or part of Statistics, if permitted.

    For `settings` see ``page_link``.
    """
    if page in pages():
        address = address_parameters() | ({PART: part} if part else {})
        st.page_link(page, label=label, icon=icon, query_params=address, **settings)


def go_to(page: str) -> NoReturn:
    """Switch to a page."""
    st.switch_page(page, query_params=address_parameters())


def require_state() -> AppState:
    """Return the session's state, or go to app.py.

    `streamlit run` may run only the page.
    """
    if _KEY not in st.session_state:
        st.switch_page("app.py", query_params=dict(st.query_params))
    state: AppState = st.session_state[_KEY]
    state.tasks.collect()  # before anything is drawn
    return state


def removals() -> int:
    """Return how often this session's data were removed."""
    return int(st.session_state.get(_REMOVALS, 0))


def remove_all_data() -> None:
    """Stop jobs, and forget all tables, choices, results and uploads."""
    state = open_state()
    REGISTRY.remove(st.session_state[_TOKEN])
    done = removals() + 1
    for key in list(st.session_state):
        if key != LOGIN:
            del st.session_state[key]
    free_session(session_id())
    # Self-redrawing parts may still hold the old state
    state.clear()
    fresh = AppState(uploads=dict(state.uploads))
    token = REGISTRY.add(fresh, **_visitor())
    st.session_state[_KEY], st.session_state[_TOKEN] = fresh, token
    st.session_state[_REMOVALS] = done
    st.session_state[_REMOVED] = True
    gc.collect()
    note("removal")


def leave() -> None:
    """Remove the data of this browser's tabs, and log out."""
    remove_all_data()
    browser = browser_key(secret_of(st.context.cookies))
    for session in REGISTRY.leave(browser=browser, who=person()):
        free_session(session)
    log_out()


def may_fetch(name: str, request: HTTPConnection) -> bool:
    """Return whether a request may have a page's file; log saves."""
    for session in offering_sessions(name):
        if is_asked_by(session, request):
            if not only_looks(request) and (file := saved_as(name)):
                record("export", REGISTRY.who(session), name=file)
            return True
    return False


def only_looks(request: HTTPConnection) -> bool:
    """Return whether a request only checks an offer.

    Scripts check; clicks save.
    """
    mode = request.headers.get("sec-fetch-mode")
    return request.scope.get("method") != "GET" or mode == "cors"


def may_upload(session: str, request: HTTPConnection) -> bool:
    """Return whether a request may upload to a session."""
    return is_asked_by(session, request) and REGISTRY.who(session) not in TEAM.auditors


def is_asked_by(session: str, request: HTTPConnection) -> bool:
    """Return whether a request is from a session's browser and person."""
    browser = browser_key(secret_of(request.cookies))
    return REGISTRY.is_of(session, browser=browser, who=told_by_proxy(request.headers))


def finish_page() -> None:
    """End a page's run; free what only it held before data were removed."""
    _Told.here().ended = time.monotonic()
    if st.session_state.pop(_REMOVED, False):
        give_back()


@dataclass(slots=True, kw_only=True)
class _Told:
    """Widgets whose values may not have arrived.

    Streamlit sends a value once. If lost, the browser draws the default and sends that back.
    """

    keys: dict[str, float] = field(default_factory=dict)  # Time sent, by widget
    ended: float = math.inf  # Of the last run; infinite during one

    @classmethod
    def here(cls) -> Self:
        """Return this session's; older values have arrived."""
        told: Self = st.session_state.setdefault(_TOLD, cls())
        now = time.monotonic()
        for key, then in list(told.keys.items()):
            if now - (told.ended if then <= told.ended else then + _PART_HEARD) > _HEARD:
                del told.keys[key]
        return told


_HEARD = 1.0  # Seconds after a run until values have arrived
_PART_HEARD = 2.0  # Extra seconds for a redrawn part, whose end is unknown


def bind(
    choices: object,
    name: str,
    then: Callable[[], object] | None = None,
    *,
    number: int | None = None,
    scope: str = "",
) -> dict[str, Any]:
    """Return arguments that bind a widget to a choice.

    A number or a scope distinguishes similar widgets.
    """
    places = [scope, type(choices).__name__, name, "" if number is None else str(number)]

    def take(value: object) -> None:
        setattr(choices, name, value)
        if then is not None:
            then()

    return bind_value("_".join(filter(None, places)), getattr(choices, name), take)


def bind_choice(state: AppState, name: str) -> dict[str, Any]:
    """Return arguments that bind a widget to a plan's choice."""
    value = state.choices.value(name)
    return bind_value(f"plan_{name}", value, lambda given: state.choose(None, **{name: given}))


def bind_value(key: str, value: object, take: Callable[[Any], object]) -> dict[str, Any]:
    """Return arguments that show a value, and hand over entries."""
    # Streamlit has a widget, and default, per page
    pages: dict[str, str] = st.session_state.setdefault(_BOUND, {})
    told, moved = _Told.here().keys, pages.get(key) != page_id() or key not in st.session_state
    if moved or key in told or st.session_state[key] != value:
        st.session_state[key] = list(value) if isinstance(value, list) else value
        told[key] = time.monotonic()
    pages[key] = page_id()
    return {"key": key, "on_change": _store, "args": (key, take)}


def selection(key: str, part: Literal["points", "rows", "cells"]) -> list[Any]:
    """Return the selection in a chart or table."""
    widget = st.session_state.get(key)
    return [] if widget is None else list(widget["selection"][part])


def clicked_point(key: str) -> int | None:
    """Return the chart mark or cell last clicked, if any."""
    points = [point["customdata"] for point in selection(key, "points") if "customdata" in point]
    return None if not points or points[-1] is None else int(points[-1])


def selected_row(key: str, rows: Sequence[T]) -> T | None:
    """Return the table row clicked, if any."""
    clicked = [*(row for row, _ in selection(key, "cells")), *selection(key, "rows")]
    return rows[clicked[0]] if clicked and clicked[0] < len(rows) else None


def show_error(error: object) -> None:
    """Show an error, whatever names are in it, as one short line."""
    st.error(literal(error_line(error)), icon=":material/error:")


def show_safely(draw: Callable[[], object]) -> bool:
    """Draw a part; errors become messages, never tracebacks."""
    try:
        draw()
    except AlcError as error:
        show_error(error)
    except Exception as error:  # noqa: BLE001 - whatever it is, the page gets a plain message
        log_place(error)
        st.error(UNEXPECTED, icon=":material/error:")
    else:
        return True
    return False


@contextmanager
def refusal_told() -> Iterator[None]:
    """Show briefly why the work inside is refused."""
    try:
        yield
    except InputError as error:
        st.toast(literal(error_line(error)), icon=":material/error:")


def _store(key: str, take: Callable[[Any], object]) -> None:
    if key not in st.session_state:
        return  # all data were removed meanwhile
    if redraws_a_part():
        return  # Sent before the browser heard of another choice
    value = st.session_state[key]
    take(list(value) if isinstance(value, list) else value)
