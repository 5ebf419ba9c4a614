"""Requests of a page that was left meanwhile must not take away the page that was asked for.

A browser goes on speaking for the page that it shows until it hears of the next one. What a widget
sends late (a table that hands over its last edit, a list that closes because of the click on the
link) would run the page before once more, and the user is back where the link was clicked. What
such a request brings is kept, so it runs; then the page follows that the user had asked for.

A page that is asked for while a part of the page before is drawn anew follows in the same thread,
where Streamlit writes on into that part.

A request of a page whose login has ended since it was drawn does nothing but draw it again.

Nor must a run that begins take away the answer to what a browser asked before: a browser that does
not hear where to send a file never sends it, and says nothing.

Streamlit has no public way: a link has no callback (its issue 8073), and a run does not say whether
a link or a widget asked for it. So four methods are replaced that are not public. What is relied
on is held by tests/contract/test_streamlit.py; pyproject.toml bounds the version.
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

_ANSWERS = {"file_urls_response", "backend_operation_response"}  # Messages that a browser waits for


class _Detour(NamedTuple):
    left: str  # The page that speaks late, as Streamlit tells pages apart
    asked: str  # The page that the user is on the way to


# The page that a session's user asked for and does not see yet
_asked: WeakKeyDictionary[PagesManager, str] = WeakKeyDictionary()
_detours: WeakKeyDictionary[PagesManager, _Detour] = WeakKeyDictionary()

# Whether a session's login has ended, and its page does not show that yet
_has_ended: Callable[[str], bool] = lambda _: False  # noqa: E731


def mind_late_requests(has_ended: Callable[[str], bool]) -> None:
    """Let what a page sends after it was left neither come back nor be lost."""
    global _has_ended
    _has_ended = has_ended
    ScriptRunner._run_script = _run_unless_late  # type: ignore[method-assign]
    AppSession.request_rerun = _request_with_detour  # type: ignore[method-assign]
    AppSession._create_new_session_message = _tell_page  # type: ignore[method-assign]
    AppSession._clear_queue = _clear_but_answers  # type: ignore[method-assign]


def page_to_go_on_to() -> str | None:
    """Return the file of the page that the user had asked for before a late request ran."""
    context = get_script_run_ctx()
    if context is None:
        return None
    manager = context.pages_manager
    detour = _detours.get(manager)
    if detour is None or detour.left != manager.current_page_script_hash:
        return None
    return str(manager.get_pages()[detour.asked]["script_path"])


def _run_unless_late(self: ScriptRunner, rerun_data: RerunData) -> None:
    """Run unless it is a part of a page that was left, which is asked for again and again."""
    shown = self._pages_manager.current_page_script_hash
    if not rerun_data.fragment_id_queue or rerun_data.page_script_hash == shown:
        context_dg_stack.set(get_default_dg_stack_value())  # else a page is drawn in that part
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
    """Return whether another page is asked for, not something on a page.

    With a link the browser sends what widgets around the pages hold, and there are none that hold
    anything; all else comes from a widget or a part of a page.
    """
    return not (request.widget_states.widgets or request.fragment_id)


def _tell_page(self: AppSession, page_script_hash: str, *args, **settings):  # type: ignore[no-untyped-def]
    """Forget a detour at its end, and what was asked for where the app leads elsewhere."""
    manager = self._pages_manager
    detour = _detours.get(manager)
    if detour is not None and page_script_hash != detour.left:
        del _detours[manager]
    if _asked.get(manager) != page_script_hash:
        _asked.pop(manager, None)
    return _new_session(self, page_script_hash, *args, **settings)


def _clear_but_answers(self: AppSession, fragment_ids_this_run: list[str] | None = None) -> None:
    """Take back what was drawn and not sent, as a new run begins, and no answer."""
    queue = self._browser_queue
    answers = [each for each in queue._queue if each.WhichOneof("type") in _ANSWERS]
    _clear_queue(self, fragment_ids_this_run)
    for answer in answers:
        if answer not in queue._queue:
            queue.enqueue(answer)
