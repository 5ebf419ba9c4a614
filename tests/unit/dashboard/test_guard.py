"""What the server refuses, and what it says with every answer."""

import asyncio
import re
from contextlib import suppress

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute

from alc_core.dashboard.app.guard import Guard, broken

MINE = "mine"


async def answer(request):
    return PlainTextResponse("here")


async def talk(websocket):
    await websocket.accept()
    await websocket.close()


async def fail(request):
    raise RuntimeError


def guarded(port):
    return Starlette(
        routes=[
            Route("/fail", fail),
            Route("/{path:path}", answer, methods=["GET", "PUT", "DELETE"]),
            WebSocketRoute("/stream", talk),
        ],
        middleware=[
            Middleware(
                Guard,
                port=port,
                may_fetch=lambda name, request: name == request.cookies.get("browser"),
                may_upload=lambda session, _: session != "other",
                may_resume=lambda session, _: session == "own",
            )
        ],
        exception_handlers={Exception: broken},
    )


def ask(path, *, kind="http", method="GET", port=8600, host="127.0.0.1:8600", **headers):
    """Return the first message of the answer: its status or type, and its headers."""
    said = []

    async def receive():
        return {"type": "websocket.connect" if kind == "websocket" else "http.request"}

    async def send(message):
        said.append(message)

    headers["host"] = host
    raw = [(name.encode(), value.encode()) for name, value in headers.items() if value is not None]
    scope = {"type": kind, "path": path, "headers": raw, "query_string": b"", "method": method}
    with suppress(RuntimeError):  # the server logs what failed
        asyncio.run(guarded(port)(scope, receive, send))
    return said[0].get("status", said[0]["type"]), Headers(
        scope=said[0] | {"headers": said[0].get("headers", [])}
    )


@pytest.mark.parametrize(
    ("path", "status", "asked"),
    [
        ("/", 200, {}),
        ("/static/js/index.js", 200, {}),
        ("/_stcore/health", 200, {}),
        ("/fail", 500, {}),
        ("/_stcore/metrics", 404, {}),
        ("/_stcore/upload_file/a/b", 403, {"method": "PUT"}),
        ("/", 403, {"host": "evil.example"}),
    ],
)
def test_every_answer_forbids_what_comes_from_elsewhere(path, status, asked):
    found, headers = ask(path, **asked)
    assert found == status
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


@pytest.mark.parametrize(
    ("port", "host"), [(8600, "127.0.0.1:8600"), (8600, "localhost:8600"), (80, "localhost")]
)
def test_its_own_origins_do(port, host):
    own = {"origin": f"http://{host}", "host": host, "port": port}
    assert ask("/_stcore/upload_file/a/b", method="PUT", **own)[0] == 200
    for method in ("PUT", "DELETE"):  # a session of somebody else
        assert ask("/_stcore/upload_file/other/b", method=method, **own)[0] == 404
    assert ask("/stream", kind="websocket", **own)[0] == "websocket.accept"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("streamlit, token, own", "streamlit, token, own"),
        ("streamlit, token, other", "streamlit, token"),
        ("streamlit, token", "streamlit, token"),
    ],
)
def test_a_connection_resumes_its_own_session_only(asked, told):
    seen = []

    async def app(scope, receive, send):
        seen.append(Headers(scope=scope)["sec-websocket-protocol"])

    own = {"host": "127.0.0.1:8600", "origin": "http://127.0.0.1:8600"}
    headers = own | {"sec-websocket-protocol": asked}
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    may = dict.fromkeys(("may_fetch", "may_upload"), lambda *_: True)
    guard = Guard(app, port=8600, **may, may_resume=lambda session, _: session == "own")
    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": raw}
    asyncio.run(guard(scope, None, None))
    assert seen == [told]


@pytest.mark.parametrize("host", [None, "evil.example", "evil.example:8600", "127.0.0.1:8601"])
def test_under_another_name_nothing_answers(host):
    assert ask("/", host=host)[0] == 403
    own = {"origin": "http://127.0.0.1:8600", "host": host}
    assert ask("/stream", kind="websocket", **own)[0] == "websocket.close"


def test_uploads_and_what_was_offered_are_kept_by_no_cache():
    own = {"origin": "http://127.0.0.1:8600", "method": "PUT"}
    for _, headers in (ask("/_stcore/upload_file/a/b", **own), ask("/media/a.csv")):
        assert headers["cache-control"] == "no-store"


def test_what_a_page_offers_goes_to_its_browser_alone_and_reaches_nothing():
    assert ask(f"/media/{MINE}.html")[0] == 404
    assert ask(f"/media/{MINE}.html", cookie="browser=other")[0] == 404
    status, headers = ask(f"/media/{MINE}.html", cookie=f"browser={MINE}")
    assert status == 200
    assert headers["cache-control"] == "no-store"
    assert headers["content-length"] == "4"
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy


def test_a_script_learns_of_an_offer_only_that_it_is_there():
    for asked in ({"sec-fetch-mode": "cors"}, {"method": "HEAD"}):
        status, headers = ask(f"/media/{MINE}.csv", cookie=f"browser={MINE}", **asked)
        assert (status, headers["content-length"]) == (200, "0")
        assert ask("/media/other.csv", cookie=f"browser={MINE}", **asked)[0] == 404
    assert ask("/index.js", **{"sec-fetch-mode": "cors"})[1]["content-length"] == "4"
