"""Starting the dashboard; what its server asks of every request and says with every answer."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import signal
import socket
import sys
import threading
import time
import tomllib
import urllib.request
import webbrowser
from collections.abc import Callable, Iterable
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import psutil
import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.starlette import App

from alc_core.dashboard.state.session import held_bytes, may_fetch, may_upload, owner, sessions
from alc_core.dashboard.state.team import TEAM, begin_team, groups_told, refuse, told_by_proxy
from alc_core.errors import InputError, ParameterError
from alc_core.runtime.machine import hold_little_back, memory_left
from alc_core.team.settings import TeamSettings, streamlit_auth

HOST = "127.0.0.1"
"""The only address that the dashboard listens on."""

FIRST_PORT = 8501
_PORTS_TRIED = 50
_SECONDS_TO_START = 60
_SECTIONS = ("global", "server", "browser", "client", "runner")


def site_directory() -> Path:
    """Return the folder that holds app.py, pages/, assets/, static/ and .streamlit/."""
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "site", here.parents[1]):
        if (folder / "app.py").is_file() and (folder / "pages").is_dir():
            return folder
    raise InputError(
        "The dashboard's pages are missing from this installation. Install the package again."
    )


def run_dashboard(
    port: int | None = None, open_browser: bool = False, settings: TeamSettings | None = None
) -> None:
    """Run the dashboard until it is interrupted, and print its address."""
    site = site_directory()
    if settings is not None:
        begin_team(settings)
        port = port or settings.server.port
    chosen = _free_port() if port is None else _checked_port(port)
    address = f"http://{HOST}:{chosen}"
    if settings is not None:
        click.echo(f"For a team: {settings.server.public_url}, behind a proxy")
    click.echo(f"Dashboard: {address}  (stop with Ctrl+C)")
    if open_browser:
        threading.Thread(target=_open_when_ready, args=(address,), daemon=True).start()
    hold_little_back()
    # Uploads stay in memory; the parser would put those above 1 MiB into a file.
    MultiPartParser.spool_max_size = sys.maxsize
    # The server hands a signal on once it has shut down. Python would then end as if killed, and
    # leave the folders of campaigns behind.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit())
    # Streamlit takes settings and theme from the folder of what was started.
    sys.argv = [str(site / "app.py")]
    guard = Middleware(Guard, port=chosen, may_fetch=may_fetch, may_upload=may_upload)
    App(
        site / "app.py",
        middleware=[guard],
        exception_handlers={Exception: broken},
        secrets={} if settings is None else streamlit_auth(settings),
    ).run(config=server_settings(site, chosen, settings))


def server_settings(site: Path, port: int, team: TeamSettings | None = None) -> dict[str, Any]:
    """Return the folder's settings, which no other file or variable of the machine overrides."""
    settings = tomllib.loads((site / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    chosen = {
        f"{section}.{name}": value
        for section in _SECTIONS
        for name, value in settings.get(section, {}).items()
    }
    if team is not None:
        url = urlsplit(team.server.public_url)
        login = team.login
        told = {login.email_header: "email", login.groups_header: "groups"}
        chosen |= {
            "server.allowedHosts": [url.hostname],
            "server.corsAllowedOrigins": [team.server.public_url],
            "server.maxUploadSize": team.server.upload_mb,
            "server.trustedUserHeaders": told if login.by == "header" else {},
            "browser.serverAddress": url.hostname,
        }
    # Headless also keeps Streamlit from advertising in the page and on the terminal.
    return chosen | {"server.port": port, "server.headless": True, "server.address": HOST}


def _open_when_ready(address: str) -> None:
    """Open the browser once the server answers."""
    for _ in range(_SECONDS_TO_START):
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):  # noqa: S310
                webbrowser.open(address)
                return
        except OSError:
            time.sleep(1)


def _free_port() -> int:
    for port in range(FIRST_PORT, FIRST_PORT + _PORTS_TRIED):
        if _is_free(port):
            return port
    raise ParameterError(
        f"No port from {FIRST_PORT} to {FIRST_PORT + _PORTS_TRIED - 1} is free. Name another one."
    )


def _checked_port(port: int) -> int:
    if not 1 <= port <= 65535:
        raise ParameterError(f"The port must lie between 1 and 65535, but is {port}.")
    if not _is_free(port):
        raise ParameterError(f"Port {port} is in use or not allowed. Name another one, or none.")
    return port


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


May = Callable[[str, HTTPConnection], bool]
"""Whether whoever sent a request may have the file of this name that a page offers, or send one to
the session of this id."""

_MEDIA, _CORE, _UPLOAD = "/media/", "/_stcore/", "/_stcore/upload_file/"
_METRICS = "/metrics"
_FOR_MACHINES = ("/_stcore/health", _METRICS)
_USUAL_PORT = 80
_MIB = 2**20
_TIMES_ITS_SIZE = 3
"""What reading a file takes of memory, at least, in its own size."""
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
_DOCUMENT = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-scripts allow-downloads"
)
"""Policy of what a page offers, such as a report in its preview: it reaches neither page nor
network."""


class Guard:
    """ASGI middleware around the dashboard.

    Nothing that a page shows can fetch from elsewhere or be framed by another page; nothing under
    another name or of another origin can open a session; and what a page offers to save goes to
    the browser of that page alone. A team's server is asked for by its public name alone, but for
    its health and its numbers.
    """

    def __init__(self, app: ASGIApp, *, port: int, may_fetch: May, may_upload: May) -> None:
        self._app, self._may_fetch, self._may_upload = app, may_fetch, may_upload
        # A browser does not name the usual port.
        end = "" if port == _USUAL_PORT else f":{port}"
        self._own = {f"{name}{end}" for name in ("127.0.0.1", "localhost")}
        self._settings = TEAM.settings
        self._arriving = 0  # Bytes of uploads that are on their way
        if self._settings is None:
            self._hosts = self._own
            self._origins = {f"http://{host}" for host in self._hosts}
        else:
            self._hosts = {self._settings.host}
            self._origins = {self._settings.server.public_url}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        asked, path = Headers(scope=scope), scope["path"]
        settings = self._settings

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = MutableHeaders(scope=message)
                told.update(_headers(path))
                if settings is not None and settings.secure:
                    message["headers"] = _only_by_tls(message["headers"])
            await send(message)

        if settings is not None and asked.get("host") in self._own and path in _FOR_MACHINES:
            if path == _METRICS:
                await _tell_numbers(settings, asked)(scope, receive, answer)
            else:
                await self._app(scope, receive, answer)
            return
        changes = scope["type"] == "websocket" or scope["method"] not in _READS
        if asked.get("host") not in self._hosts or (
            changes and asked.get("origin") not in self._origins
        ):
            await _refuse(scope, receive, answer, HTTPStatus.FORBIDDEN)
            return
        if settings is not None and (refused := self._refused(settings, scope, asked)):
            await _refuse(scope, receive, answer, refused)
            return
        name, session = path.removeprefix(_MEDIA).split(".")[0], path.removeprefix(_UPLOAD)
        if (path.startswith(_MEDIA) and not self._may_fetch(name, HTTPConnection(scope))) or (
            path.startswith(_UPLOAD)
            and not self._may_upload(session.split("/")[0], HTTPConnection(scope))
        ):
            await _refuse(scope, receive, answer, HTTPStatus.NOT_FOUND)
            return
        size = _size(asked)
        self._arriving += size
        try:
            await self._app(scope, receive, answer)
        finally:
            self._arriving -= size

    def _refused(self, settings: TeamSettings, scope: Scope, asked: Headers) -> HTTPStatus | None:
        """Return why a team's server does not answer a request, or None; log who was refused."""
        who, login, server = told_by_proxy(asked), settings.login, settings.server
        if who is not None and not login.admits(who, groups_told(asked, login)):
            refuse(who, why="not on a list" if who else "not sent by the proxy")
            return HTTPStatus.FORBIDDEN
        if "chunked" in asked.get("transfer-encoding", ""):
            return HTTPStatus.LENGTH_REQUIRED
        if not (size := _size(asked)):
            return None
        session = scope["path"].removeprefix(_UPLOAD).partition("/")[0]
        if size > (server.upload_mb + 1) * _MIB:
            why, status = "too large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        elif size + held_bytes(session) > server.session_mb * _MIB:
            why, status = "too much in one session", HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        elif memory_left() < _TIMES_ITS_SIZE * (size + self._arriving) + server.reserve_mb * _MIB:
            why, status = "no memory left", HTTPStatus.INSUFFICIENT_STORAGE
        else:
            return None
        refuse(who or owner(session), why=why, bytes=size)
        return status


def _size(asked: Headers) -> int:
    """Return how many bytes a request says that it brings."""
    return int(asked.get("content-length") or 0)


def _only_by_tls(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return headers whose cookies are sent back by TLS alone."""
    return [(n, v + b"; Secure") if n == b"set-cookie" else (n, v) for n, v in headers]


def _tell_numbers(settings: TeamSettings, asked: Headers) -> Response:
    """Return the server's numbers in Prometheus's text form, to whoever knows the token."""
    token = settings.server.metrics_token
    told = asked.get("authorization", "").removeprefix("Bearer ")
    if token is None or not hmac.compare_digest(told.encode(), token.encode()):
        return PlainTextResponse(HTTPStatus.NOT_FOUND.phrase, HTTPStatus.NOT_FOUND)
    process = psutil.Process()
    memory = sum(each.memory_info().rss for each in (process, *process.children(recursive=True)))
    numbers = {
        "alc_sessions": sessions(),
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
    """Answer where something failed unexpectedly, which no middleware gets to see."""
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
    """Return the policy of the pages: nothing from elsewhere, and no script that is not a file.

    The one script in Streamlit's page itself is named by its hash; our components come as blobs.
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


async def _refuse(scope: Scope, receive: Receive, send: Send, status: HTTPStatus) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    await PlainTextResponse(status.phrase, status)(scope, receive, send)
