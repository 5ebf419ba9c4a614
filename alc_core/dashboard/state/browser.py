"""Streamlit's view of the browser: session, page, connection, secret, uploads.

Only this module and late_requests.py use private parts of Streamlit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import wait
from typing import Any

from streamlit import runtime
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

_COOKIE = "_streamlit_xsrf"
LOGIN_COOKIE = "_streamlit_user"  # Only with a login
# Keeps Streamlit's list of offered files, dropped before a redraw while the browser shows the old
# page
_DRAWN = " drawn"
# Keeps files offered before a redraw for these seconds, for a busy browser
_BEFORE, _FETCHED_WITHIN = " before", 60.0
_PATIENCE = 10.0  # Seconds to wait for the thread that ends sessions
_GONE, _CLOSED = "The fragment with id ", "once a close message has been sent"


def _without_gone_fragments(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_GONE)


def _without_closed_connections(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, RuntimeError) and _CLOSED in str(error))


def _without_traceback(record: logging.LogRecord) -> bool:
    if record.exc_info and (error := record.exc_info[1]):
        record.msg = f"{record.msg} {type(error).__name__}: {error}"
        record.exc_info = None
    return True


def quiet_log() -> None:
    """Keep harmless messages and a traceback out of the log.

    Requests for a vanished part of a page, ignored by Streamlit; a double close with traceback if a
    tab closes while receiving; details of a refused login.
    """
    for name, without in {
        "streamlit.runtime.app_session": _without_gone_fragments,
        "uvicorn.error": _without_closed_connections,
        "streamlit.web.server.starlette.starlette_auth_routes": _without_traceback,
    }.items():
        logging.getLogger(name).addFilter(without)


def session_id() -> str:
    """Return the session's id, which no browser gets."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def page_id() -> str:
    """Return Streamlit's id of the page."""
    context = get_script_run_ctx()
    return "" if context is None else context.page_script_hash


def redraws_a_part() -> bool:
    """Return whether a part of the page redraws itself."""
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)


def is_connected(session: str) -> bool:
    """Return whether a page is connected to a session."""
    return bool(runtime.exists() and runtime.get_instance().is_active_session(session))


def draw_again(session: str) -> None:
    """Redraw a session's page from the request handler."""
    if runtime.exists():
        active = runtime.get_instance()._session_mgr.get_active_session_info(session)
        if active is not None:
            active.session.request_rerun(active.session._client_state)


def secret_of(cookies: Mapping[str, str]) -> bytes | None:
    """Return the secret in a browser's session cookie, if any.

    The cookie masks it anew at each request.
    """
    try:
        from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

        secret, _ = decode_xsrf_token_string(cookies[_COOKIE])
    except (ImportError, KeyError, TypeError, ValueError):
        return None
    return secret


def offering_sessions(name: str) -> set[str]:
    """Return the sessions whose pages offer a file."""
    if not runtime.exists():
        return set()
    offered = runtime.get_instance().media_file_mgr._files_by_session_and_coord
    return {_session_of(each) for each, files in list(offered.items()) if name in [*files.values()]}


def _session_of(listed: str) -> str:
    return listed.removesuffix(_DRAWN).removesuffix(_BEFORE)


def saved_as(name: str) -> str:
    """Return an offered file's name; empty if only shown."""
    file = runtime.get_instance().media_file_mgr.read_file(name)
    if file is None or file.kind is not MediaFileKind.DOWNLOADABLE:
        return ""
    return file.filename or name


def keep_offers() -> None:
    """Keep the page's offers during a redraw; call it first."""
    if (context := get_script_run_ctx()) is None or not runtime.exists():
        return
    server = runtime.get_instance()
    media = server.media_file_mgr
    with media._lock:
        offered = media._files_by_session_and_coord
        for listed in list(offered):
            # After a broken connection, a session continues
            session = _session_of(listed)
            if listed != session and server._session_mgr.get_session_info(session) is None:
                del offered[listed]
        now, before = time.monotonic(), offered[context.session_id + _BEFORE]
        for each in [each for each in before if float(each.split()[0]) < now - _FETCHED_WITHIN]:
            del before[each]
        drawn = offered[context.session_id + _DRAWN]
        before.update((f"{now} {place}", name) for place, name in drawn.items())
        offered[context.session_id + _DRAWN] = offered[context.session_id]


def offer(data: bytes, kind: str, *, key: str) -> str:
    """Offer a file for display; return its address."""
    return runtime.get_instance().media_file_mgr.add(data, kind, f"alc {key}")


def offered_at_click(
    make: Callable[[], str | bytes], kind: str, name: str
) -> Callable[[], str | bytes]:
    """Return a maker of a file at a click, for this browser only."""
    if (context := get_script_run_ctx()) is None or not runtime.exists():
        return make
    media = runtime.get_instance().media_file_mgr
    with media._lock:
        before = media._files_by_session_and_coord[context.session_id + _BEFORE]

    def made() -> bytes:
        data = make()
        content = data.encode() if isinstance(data, str) else data
        with media._lock:
            before[f"{time.monotonic()} {name}"] = media._storage.load_and_get_id(
                content, kind, MediaFileKind.DOWNLOADABLE, name
            )
        return content

    return made


def free_session(session: str) -> None:
    """Free a session's uploads and offers in Streamlit."""
    if runtime.exists():
        server = runtime.get_instance()
        server.uploaded_file_mgr.remove_session_files(session)
        media = server.media_file_mgr
        for name in (session, session + _DRAWN, session + _BEFORE):
            media.clear_session_refs(name)
        for _ in ("marked", "deleted"):
            media.remove_orphaned_files()


def end_session(session: str) -> None:
    """Free a closed page's session in Streamlit.

    Streamlit keeps closed sessions, with tables, for two minutes, until another page opens or
    closes.
    """
    free_session(session)
    if runtime.exists():
        server = runtime.get_instance()
        manager: Any = server._session_mgr
        storage = manager._session_storage

        async def end() -> None:
            if is_connected(session):  # its login has ended
                draw_again(session)
                return
            kept = storage.get(session)
            server.close_session(session)
            for each in [kept, *(expired for _, expired in storage._cache.expire())]:
                if each is not None:
                    each.session.shutdown()
                    each.session.session_state.clear()
                    each.session._fragment_storage.clear()

        ending = asyncio.run_coroutine_threadsafe(end(), server._get_async_objs().eventloop)
        wait([ending], _PATIENCE)


def waiting_uploads(*widgets: object) -> list[UploadedFile]:
    """Return upload widgets' files not yet taken."""
    if (context := get_script_run_ctx()) is None:
        return []
    found = [file for each in widgets for file in (each if isinstance(each, list) else [each])]
    files = {file.file_id: file for file in found if isinstance(file, UploadedFile)}
    held = context.uploaded_file_mgr.get_files(context.session_id, list(files))
    return [files[each.file_id] for each in held]


def uploaded_bytes(session: str) -> int:
    """Return the bytes of a session's uploads."""
    if not runtime.exists():
        return 0
    manager: Any = runtime.get_instance().uploaded_file_mgr
    return sum(len(file.data) for file in [*manager.file_storage.get(session, {}).values()])


def free_uploads(file_ids: Iterable[str]) -> None:
    """Free this session's uploads in Streamlit.

    Streamlit has no public way.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    manager = context.uploaded_file_mgr
    if not isinstance(manager, MemoryUploadedFileManager):
        manager.remove_session_files(context.session_id)
        return
    for file_id in file_ids:
        manager.remove_file(session_id=context.session_id, file_id=file_id)
