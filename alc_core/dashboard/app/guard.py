"""What the server asks of every request, and what it says with every answer.

Nothing that a page shows can fetch from elsewhere or be framed by another page; nothing of another
origin can open a session; and what a page offers to save goes to the browser of that page alone.
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
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MayFetch = Callable[[str, HTTPConnection], bool]
"""Whether whoever sent a request may have the file of this name that a page offers."""

_MEDIA = "/media/"
_READS = ("GET", "HEAD", "OPTIONS")
_SCRIPTS = re.compile(r"<script>(.*?)</script>", re.DOTALL)

_EVERYWHERE = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_DOCUMENT = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-scripts allow-downloads"
)
"""Policy of what a page offers, such as a report in its preview: it reaches neither page nor
network."""


class Guard:
    """ASGI middleware around the dashboard.

    Parameters
    ----------
    app : ASGI application
        What answers.
    port : int
        Of the dashboard: its own addresses are 127.0.0.1 and localhost with this port.
    may_fetch : callable
        Given the name of a file below ``/media/`` and the request, whether it may be answered.
    """

    def __init__(self, app: ASGIApp, *, port: int, may_fetch: MayFetch) -> None:
        self._app, self._may_fetch = app, may_fetch
        self._origins = {f"http://{host}:{port}" for host in ("127.0.0.1", "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        origin, path = Headers(scope=scope).get("origin"), scope["path"]
        changes = scope["type"] == "websocket" or scope["method"] not in _READS
        if changes and origin not in self._origins:
            await _refuse(scope, receive, send, HTTPStatus.FORBIDDEN)
            return
        is_media = path.startswith(_MEDIA)
        name = path.removeprefix(_MEDIA).split(".")[0]
        if is_media and not self._may_fetch(name, HTTPConnection(scope)):
            await _refuse(scope, receive, send, HTTPStatus.NOT_FOUND)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_EVERYWHERE)
                headers["content-security-policy"] = _DOCUMENT if is_media else page_policy()
                headers["x-frame-options"] = "SAMEORIGIN" if is_media else "DENY"
                if is_media:
                    headers["cache-control"] = "no-store"
            await send(message)

        await self._app(scope, receive, answer)


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
