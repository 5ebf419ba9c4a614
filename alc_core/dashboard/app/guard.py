"""Checks of every request, and headers of every answer.

Pages cannot fetch from elsewhere or be framed; offered files go only to the page's browser.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs

import psutil
import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from alc_core.dashboard.state import session as sessions
from alc_core.dashboard.state.browser import LOGIN_COOKIE, draw_again, uploaded_bytes
from alc_core.dashboard.state.team import (
    NOT_LISTED,
    REFUSED,
    TEAM,
    UploadRefusal,
    appends,
    groups_told,
    not_listed,
    refuse,
    told_by_proxy,
)
from alc_core.runtime.machine import memory_left
from alc_core.team.settings import Server, TeamSettings

# Whether a sender may have a page's file, or upload to a session
May = Callable[[str, HTTPConnection], bool]
_MEDIA, _CORE, _UPLOAD = "/media/", "/_stcore/", "/_stcore/upload_file/"
_METRICS, _STREAMLIT_METRICS = "/metrics", "/_stcore/metrics"
_FOR_MACHINES = ("/_stcore/health", _METRICS)
_USUAL_PORT = 80
_MIB = 2**20
_CALLBACK = "/oauth2callback"
_STATUS = {
    UploadRefusal.NO_SIZE: HTTPStatus.LENGTH_REQUIRED,
    UploadRefusal.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    UploadRefusal.SESSION_FULL: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    UploadRefusal.NO_MEMORY: HTTPStatus.INSUFFICIENT_STORAGE,
}
_TIMES_ITS_SIZE = 3  # Memory for reading a file, in its sizes
_STALLED = 30.0  # Seconds without a byte that end an upload
_LOOK_EVERY = 8 * _MIB  # Bytes of an upload between looks at the memory
_PROTOCOLS = "sec-websocket-protocol"
_READS = ("GET", "HEAD", "OPTIONS")
_SCRIPTS = re.compile(r"<script>(.*?)</script>", re.DOTALL)

_EVERYWHERE = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_NOT_KEPT = {"cache-control": "no-store"}
# For offered documents: no access to page or network
_DOCUMENT = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-scripts allow-downloads"
)


class Guard:
    """ASGI middleware around the dashboard.

    A team's server answers only to its public name, but for health and metrics.
    """

    def __init__(
        self, app: ASGIApp, *, port: int, may_fetch: May, may_upload: May, may_resume: May
    ) -> None:
        self._app, self._may_fetch, self._may_upload = app, may_fetch, may_upload
        self._may_resume = may_resume
        # Browsers omit the default port.
        end = "" if port == _USUAL_PORT else f":{port}"
        self._own = {f"{name}{end}" for name in ("127.0.0.1", "localhost")}
        self._settings = TEAM.settings
        self._arriving: Counter[str] = Counter()  # Announced bytes of uploads, by session
        self._arrived = 0  # Bytes of unfinished uploads
        if self._settings is None:
            self._hosts = self._own
            self._origins = {f"http://{host}" for host in self._hosts}
        else:
            self._hosts = {self._settings.host}
            self._origins = {self._settings.origin}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        asked, path = Headers(scope=scope), scope["path"]
        settings, answer = self._settings, self._answering(scope, send)
        if settings is not None and asked.get("host") in self._own and path in _FOR_MACHINES:
            if path == _METRICS:
                await _tell_numbers(settings, asked)(scope, receive, answer)
            else:
                await self._app(scope, receive, answer)
            return
        if status := self._closed(scope, asked):
            await _refuse(scope, receive, answer, _answer(status))
            return
        if settings is not None and (refused := self._refused(settings, scope, asked)):
            await _refuse(scope, receive, answer, refused)
            return
        name, session = path.removeprefix(_MEDIA).split(".")[0], _session(path)
        if (path.startswith(_MEDIA) and not self._may_fetch(name, HTTPConnection(scope))) or (
            path.startswith(_UPLOAD) and not self._may_upload(session, HTTPConnection(scope))
        ):
            if settings is not None and scope.get("method") == "PUT":
                refuse(told_by_proxy(asked) or "", why="an upload to a session of others, or gone")
            await _refuse(scope, receive, answer, _answer(HTTPStatus.NOT_FOUND))
            return
        if path.startswith(_MEDIA) and sessions.only_looks(HTTPConnection(scope)):
            await Response()(scope, receive, answer)
            return
        self._forget_others(scope)
        if not (size := _size(asked)):
            await self._app(scope, receive, answer)
            return
        announced = Counter({session: size})
        self._arriving += announced
        try:
            await self._upload(scope, receive, answer)
        finally:
            self._arriving -= announced

    def _closed(self, scope: Scope, asked: Headers) -> HTTPStatus | None:
        changes = scope["type"] == "websocket" or scope["method"] not in _READS
        if asked.get("host") not in self._hosts or (
            changes and asked.get("origin") not in self._origins
        ):
            return HTTPStatus.FORBIDDEN
        return HTTPStatus.NOT_FOUND if scope["path"].startswith(_STREAMLIT_METRICS) else None

    def _forget_others(self, scope: Scope) -> None:
        """Let a connection that asks for another browser's session begin a new one."""
        asked = MutableHeaders(scope=scope)
        names = asked.get(_PROTOCOLS, "").split(",")
        if len(names) > 2 and not self._may_resume(names[2].strip(), HTTPConnection(scope)):
            asked[_PROTOCOLS] = ",".join(names[:2])

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take an upload, unless it stalls or memory runs out."""
        arrived, settings = 0, self._settings

        async def arriving() -> Message:
            nonlocal arrived
            try:
                message = await asyncio.wait_for(receive(), _STALLED)
            except TimeoutError:
                return {"type": "http.disconnect"}
            new = len(message.get("body", b""))
            looks = (arrived + new) // _LOOK_EVERY > arrived // _LOOK_EVERY
            arrived += new
            self._arrived += new
            if settings and looks and memory_left() < settings.server.reserve_mb * _MIB:
                return {"type": "http.disconnect"}
            return message

        try:
            with suppress(ClientDisconnect):
                await self._app(scope, arriving, send)
        finally:
            self._arrived -= arrived

    def _answering(self, scope: Scope, send: Send) -> Send:
        path, settings = scope["path"], self._settings

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = MutableHeaders(scope=message)
                told.update(_headers(path))
                if path == _CALLBACK and _not_accepted(scope, message["headers"]):
                    refuse("", why="the provider's answer was not accepted")
                    told["location"] = f"/?{REFUSED}"
                if settings is not None and settings.secure:
                    message["headers"] = [  # cookies only by TLS
                        (name, value + b"; Secure") if name == b"set-cookie" else (name, value)
                        for name, value in message["headers"]
                    ]
            await send(message)

        return answer

    def _refused(self, settings: TeamSettings, scope: Scope, asked: Headers) -> Response | None:
        """Log and return the answer to a refused request, if refused."""
        who, login, server = told_by_proxy(asked), settings.login, settings.server
        if appends(asked):
            refuse("", why="a proxy that appends to a login header")
            words = "The proxy must overwrite login headers. Tell your administrator."
            return PlainTextResponse(words, HTTPStatus.FORBIDDEN)
        if who == "":
            refuse(who, why="not sent by the proxy")
            words = "Log in at this server's public address."
            return PlainTextResponse(words, HTTPStatus.FORBIDDEN)
        if who is not None and not login.admits(who, groups_told(asked, login)):
            refuse(who, why=NOT_LISTED)
            return PlainTextResponse(not_listed(who), HTTPStatus.FORBIDDEN)
        return self._upload_refused(server, scope, asked, who)

    def _upload_refused(
        self, server: Server, scope: Scope, asked: Headers, who: str | None
    ) -> Response | None:
        size, session = _size(asked), _session(scope["path"])
        chunked = "chunked" in asked.get("transfer-encoding", "").lower()
        if not size and not chunked:
            return None
        state = sessions.REGISTRY.state_of(session)
        held = uploaded_bytes(session) + (0 if state is None else state.file_bytes)
        if "charset" in asked.get("content-type", ""):  # which no browser sends
            return _answer(HTTPStatus.BAD_REQUEST)
        if chunked:
            why = UploadRefusal.NO_SIZE
        elif size > (server.upload_mb + 1) * _MIB:
            why = UploadRefusal.TOO_LARGE
        elif size + self._arriving[session] + held > server.session_mb * _MIB:
            why = UploadRefusal.SESSION_FULL
        elif memory_left() < _TIMES_ITS_SIZE * (size + self._arrived) + server.reserve_mb * _MIB:
            why = UploadRefusal.NO_MEMORY
        else:
            return None
        refuse(who or sessions.REGISTRY.who(session), why=why, bytes=size)
        if state is not None:  # the page explains
            state.refused_upload = why
            draw_again(session)
        return _answer(_STATUS[why])


def _session(path: str) -> str:
    return path.removeprefix(_UPLOAD).partition("/")[0]


def _size(asked: Headers) -> int:
    return int(asked.get("content-length") or 0)


def _not_accepted(scope: Scope, answered: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether a provider refused a login."""
    asked = parse_qs(scope["query_string"].decode("latin-1"))
    cookie = f"{LOGIN_COOKIE}=".encode()
    return not {"code", "error"}.isdisjoint(asked) and not any(
        name == b"set-cookie" and value.startswith(cookie) and b"Max-Age=0" not in value
        for name, value in answered
    )


def _tell_numbers(settings: TeamSettings, asked: Headers) -> Response:
    token = settings.server.metrics_token
    told = asked.get("authorization", "").removeprefix("Bearer ")
    if token is None or not hmac.compare_digest(told.encode(), token.encode()):
        return _answer(HTTPStatus.NOT_FOUND)
    process, memory = psutil.Process(), 0
    for each in (process, *process.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # it has ended meanwhile
            memory += each.memory_info().rss
    numbers = {
        "alc_sessions": len(sessions.REGISTRY),
        "alc_campaigns_running": TEAM.turns.running,
        "alc_campaigns_waiting": TEAM.turns.waiting,
        "alc_memory_bytes": memory,
        "alc_refusals_total": TEAM.refused,
    }
    lines = [
        f"# TYPE {name} {'counter' if name.endswith('_total') else 'gauge'}\n{name} {number}\n"
        for name, number in numbers.items()
    ]
    return PlainTextResponse("".join(lines))


async def broken(request: Request, _error: Exception) -> Response:
    """Answer an unexpected failure, which no middleware sees."""
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    return PlainTextResponse(status.phrase, status, _headers(request.url.path))


def _headers(path: str) -> dict[str, str]:
    if path.startswith(_MEDIA):
        kind = {"content-security-policy": _DOCUMENT, "x-frame-options": "SAMEORIGIN"}
    else:
        kind = {"content-security-policy": page_policy(), "x-frame-options": "DENY"}
    return _EVERYWHERE | kind | (_NOT_KEPT if path.startswith((_MEDIA, _CORE)) else {})


@cache
def page_policy() -> str:
    """Return the pages' policy: nothing from elsewhere, scripts from files.

    Streamlit's inline script is allowed by hash.
    """
    page = Path(streamlit.__file__).with_name("static") / "index.html"
    scripts = _SCRIPTS.findall(page.read_text(encoding="utf-8"))
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in scripts]
    own = " ".join(f"'sha256-{each.decode()}'" for each in hashes)
    return (
        f"default-src 'self'; script-src 'self' blob: {own}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
        "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


async def _refuse(scope: Scope, receive: Receive, send: Send, said: Response) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    await said(scope, receive, send)


def _answer(status: HTTPStatus) -> Response:
    return PlainTextResponse(status.phrase, status)
