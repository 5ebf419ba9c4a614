"""Keep late requests of a left page from replacing the requested page.

A browser speaks for its old page until it hears of the next. A late widget event would rerun the
old page and bring the user back. It still runs, with its data; then the requested page follows.

A page requested during a partial redraw runs in the same thread, where Streamlit would write into
that part.

If a page's login has ended, its requests only redraw it.

A new run must not drop answers to earlier requests: without the address, a browser never sends its
file.

Streamlit has no public way (its issue 8073), so four private methods are replaced;
tests/contract/test_streamlit.py checks them, and pyproject.toml bounds the version.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from weakref import WeakKeyDictionary

from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, get_script_run_ctx

_run_script, _request_rerun = ScriptRunner._run_script, AppSession.request_rerun
_new_session, _clear_queue = AppSession._create_new_session_message, AppSession._clear_queue

_ANSWERS = {"file_urls_response", "backend_operation_response"}  # A browser waits for them


class _Detour(NamedTuple):
    left: str  # The left page, by Streamlit's id
    asked: str  # The requested page


# Requested page that a session's user does not see yet
_asked: WeakKeyDictionary[PagesManager, str] = WeakKeyDictionary()
_detours: WeakKeyDictionary[PagesManager, _Detour] = WeakKeyDictionary()

# Whether a session's login has ended unseen by its page
_has_ended: Callable[[str], bool] = lambda _: False  # noqa: E731


def mind_late_requests(has_ended: Callable[[str], bool]) -> None:
    """Keep late events of a left page from bringing it back or being lost."""
    global _has_ended
    _has_ended = has_ended
    ScriptRunner._run_script = _run_unless_late  # type: ignore[method-assign]
    AppSession.request_rerun = _request_with_detour  # type: ignore[method-assign]
    AppSession._create_new_session_message = _tell_page  # type: ignore[method-assign]
    AppSession._clear_queue = _clear_but_answers  # type: ignore[method-assign]


def page_to_go_on_to() -> str | None:
    """Return the page requested before a late request ran."""
    context = get_script_run_ctx()
    if context is None:
        return None
    manager = context.pages_manager
    detour = _detours.get(manager)
    if detour is None or detour.left != manager.current_page_script_hash:
        return None
    return str(manager.get_pages()[detour.asked]["script_path"])


def _run_unless_late(self: ScriptRunner, rerun_data: RerunData) -> None:
    """Run, unless a part of a left page, requested again and again."""
    shown = self._pages_manager.current_page_script_hash
    if not rerun_data.fragment_id_queue or rerun_data.page_script_hash == shown:
        context_dg_stack.set(get_default_dg_stack_value())  # Else a page is drawn in that part
        _run_script(self, rerun_data)


def _request_with_detour(self: AppSession, client_state: ClientState | None) -> None:
    if client_state is not None and _has_ended(self.id):
        client_state.ClearField("widget_states")
        client_state.ClearField("fragment_id")
    elif client_state is not None and client_state.page_script_hash:
        late = _is_late(self._pages_manager, client_state)
        if late and client_state.is_auto_rerun:
            return
        if late:
            client_state.ClearField("fragment_id")
    _request_rerun(self, client_state)


def _is_late(manager: PagesManager, request: ClientState) -> bool:
    page, asked = request.page_script_hash, _asked.get(manager)
    if _is_link(request):
        _asked[manager] = page
        _detours.pop(manager, None)
        return False
    if asked is None or asked == page:
        _asked.pop(manager, None)
        return False
    _detours[manager] = _Detour(page, asked)
    return True


def _is_link(request: ClientState) -> bool:
    """Return whether a link was clicked.

    Links send no widget values.
    """
    return not (request.widget_states.widgets or request.fragment_id)


def _tell_page(self: AppSession, page_script_hash: str, *args, **settings):  # type: ignore[no-untyped-def]
    """Forget a finished detour, and a redirected request."""
    manager = self._pages_manager
    detour = _detours.get(manager)
    if detour is not None and page_script_hash != detour.left:
        del _detours[manager]
    if _asked.get(manager) != page_script_hash:
        _asked.pop(manager, None)
    return _new_session(self, page_script_hash, *args, **settings)


def _clear_but_answers(self: AppSession, fragment_ids_this_run: list[str] | None = None) -> None:
    """Drop unsent drawing before a new run, but keep answers."""
    queue = self._browser_queue
    answers = [each for each in queue._queue if each.WhichOneof("type") in _ANSWERS]
    _clear_queue(self, fragment_ids_this_run)
    for answer in answers:
        if answer not in queue._queue:
            queue.enqueue(answer)
