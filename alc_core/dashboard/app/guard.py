"""What the server asks of every request, and what it says with every answer.

Nothing that a page shows can fetch from elsewhere or be framed by another page; nothing under
another name or of another origin can open a session; and what a page offers to save goes to the
browser of that page alone.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from pathlib import Path

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MayFetch = Callable[[str, HTTPConnection], bool]
"""Whether whoever sent a request may have the file of this name that a page offers."""

_MEDIA, _CORE = "/media/", "/_stcore/"
_USUAL_PORT = 80
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
    """ASGI middleware around the dashboard."""

    def __init__(self, app: ASGIApp, *, port: int, may_fetch: MayFetch) -> None:
        self._app, self._may_fetch = app, may_fetch
        # A browser does not name the usual port.
        end = "" if port == _USUAL_PORT else f":{port}"
        self._hosts = {f"{name}{end}" for name in ("127.0.0.1", "localhost")}
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        asked, path = Headers(scope=scope), scope["path"]

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_headers(path))
            await send(message)

        changes = scope["type"] == "websocket" or scope["method"] not in _READS
        if asked.get("host") not in self._hosts or (
            changes and asked.get("origin") not in self._origins
        ):
            await _refuse(scope, receive, answer, HTTPStatus.FORBIDDEN)
            return
        name = path.removeprefix(_MEDIA).split(".")[0]
        if path.startswith(_MEDIA) and not self._may_fetch(name, HTTPConnection(scope)):
            await _refuse(scope, receive, answer, HTTPStatus.NOT_FOUND)
            return
        await self._app(scope, receive, answer)


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
