"""What the server refuses, and what it says with every answer."""

import asyncio
import re

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute

from alc_core.dashboard.app.guard import Guard

MINE = "mine"


async def answer(request):
    return PlainTextResponse("here")


async def talk(websocket):
    await websocket.accept()
    await websocket.close()


APP = Guard(
    Starlette(
        routes=[
            Route("/{path:path}", answer, methods=["GET", "PUT", "DELETE"]),
            WebSocketRoute("/stream", talk),
        ]
    ),
    port=8600,
    may_fetch=lambda name, request: name == request.cookies.get("browser"),
)


def ask(path, *, kind="http", method="GET", **headers):
    """Return the first message of the answer: its status or type, and its headers."""
    said = []

    async def receive():
        return {"type": "websocket.connect" if kind == "websocket" else "http.request"}

    async def send(message):
        said.append(message)

    raw = [(name.encode(), value.encode()) for name, value in headers.items() if value is not None]
    scope = {"type": kind, "path": path, "headers": raw, "query_string": b"", "method": method}
    asyncio.run(APP(scope, receive, send))
    return said[0].get("status", said[0]["type"]), Headers(
        scope=said[0] | {"headers": said[0].get("headers", [])}
    )


@pytest.mark.parametrize("path", ["/", "/data", "/static/js/index.js", "/_stcore/health"])
def test_every_answer_forbids_what_comes_from_elsewhere(path):
    _, headers = ask(path)
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'self'; script-src 'self' ")
    assert "frame-ancestors 'none'" in policy
    assert "img-src 'self' data: blob:;" in policy
    assert "unsafe" not in re.search("script-src ([^;]*);", policy)[1]
    assert "//" not in policy
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "origin",
    [None, "http://127.0.0.1:8601", "https://127.0.0.1:8600", "http://evil.example", "null"],
)
def test_other_origins_open_no_session_and_change_nothing(origin):
    for method in ("PUT", "DELETE"):
        assert ask("/_stcore/upload_file/a/b", method=method, origin=origin)[0] == 403
    assert ask("/stream", kind="websocket", origin=origin)[0] == "websocket.close"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_its_own_origins_do(host):
    own = f"http://{host}:8600"
    assert ask("/_stcore/upload_file/a/b", method="PUT", origin=own)[0] == 200
    assert ask("/stream", kind="websocket", origin=own)[0] == "websocket.accept"


def test_what_a_page_offers_goes_to_its_browser_alone_and_reaches_nothing():
    assert ask(f"/media/{MINE}.html")[0] == 404
    assert ask(f"/media/{MINE}.html", cookie="browser=other")[0] == 404
    status, headers = ask(f"/media/{MINE}.html", cookie=f"browser={MINE}")
    assert status == 200
    assert headers["cache-control"] == "no-store"
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy
