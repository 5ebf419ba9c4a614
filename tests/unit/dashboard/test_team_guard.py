"""What a team's server answers, and to whom."""

import asyncio
import http.client
import json
import os
import shutil
import socket
import subprocess
import time
from contextlib import closing
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from unittest.mock import Mock

import psutil
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from alc_core.dashboard.app.guard import Guard
from alc_core.dashboard.state import session, team
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.files import FailedFile, ReadingOptions
from alc_core.dashboard.state.registry import SessionRegistry, browser_key
from alc_core.dashboard.state.team import UploadRefusal
from alc_core.team.settings import Login, Server, TeamSettings
from tests.unit.dashboard.test_guard import ask

DEPLOY = Path(__file__).parents[3] / "deploy"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
SECRET = "s" * 32
PUBLIC = {"host": "alc.example.org", "origin": "https://alc.example.org"}
PROXY = {"x-alc-proxy": SECRET}
ADA = {"x-forwarded-email": "Ada@example.org"}


@pytest.fixture(autouse=True)
def settings(monkeypatch, tmp_path):
    monkeypatch.setattr(team, "TEAM", ours := team.Team())
    monkeypatch.setattr("alc_core.dashboard.app.guard.TEAM", ours)
    server = Server(
        public_url="https://alc.example.org", metrics_token="m" * 32, upload_mb=1, session_mb=2,
        audit_log=str(tmp_path / "audit.jsonl"),
    )  # fmt: skip
    login = Login(
        by="header", domains=frozenset({"example.org"}), groups=frozenset({"privacy"}),
        proxy_secret=SECRET,
    )  # fmt: skip
    team.begin_team(TeamSettings(server=server, login=login))
    return ours


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (200, PROXY | ADA),
        (200, PROXY | {"x-forwarded-email": "bob@there.net", "x-forwarded-groups": "a, privacy"}),
        (403, PROXY | {"x-forwarded-email": "bob@there.net", "x-forwarded-groups": "privacies"}),
        (403, PROXY),
        (403, ADA),
        (403, ADA | {"x-alc-proxy": "S" * 32}),
        (403, {}),
    ],
)
def test_a_proxy_tells_who_it_is_and_nobody_else_does(settings, status, headers):
    assert ask("/", **PUBLIC, **headers)[0] == status
    opened = ask("/stream", kind="websocket", **PUBLIC, **headers)[0]
    assert opened == ("websocket.accept" if status == 200 else "websocket.close")
    assert settings.refused == (0 if status == 200 else 2)


class SignIn(BaseHTTPRequestHandler):
    """Stands for oauth2-proxy: a cookie says who it is."""

    def do_GET(self):
        who = self.headers.get("cookie", "").removeprefix("who=")
        self.send_response(202 if who or self.path != "/oauth2/auth" else 401)
        self.send_header("x-auth-request-email", who)
        self.end_headers()
        self.wfile.write(b"sign in")

    def log_message(self, *_):
        pass


ALLOWED = dict.fromkeys(("may_fetch", "may_upload", "may_resume"), lambda *_: True)


@pytest.fixture
def proxied(tmp_path):
    """Return the address of nginx with signing in, before the guard, and the guard's own."""

    async def told(request):
        names = ("x-forwarded-email", "x-forwarded-groups")
        return PlainTextResponse(" ".join(request.headers.get(name, "") for name in names))

    app = Starlette(routes=[Route("/", told)])
    guard = Guard(app, port=8600, **ALLOWED)
    inside = uvicorn.Server(uvicorn.Config(guard, log_level="error", lifespan="off"))
    with socket.socket() as place, ThreadingHTTPServer(("127.0.0.1", 0), SignIn) as signing:
        place.bind(("127.0.0.1", 0))
        place.listen()
        for serve in (partial(inside.run, sockets=[place]), signing.serve_forever):
            Thread(target=serve, daemon=True).start()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            outside = free.getsockname()[1]
        text = (DEPLOY / "nginx.conf").read_text("utf-8")
        text = text[: text.index("    location / {")] + (DEPLOY / "nginx-login.conf").read_text()
        for old, new in {
            "listen 443 ssl": f"listen 127.0.0.1:{outside}", "    ssl_": "    #",
            "127.0.0.1:4180": f"127.0.0.1:{signing.server_port}",
            "127.0.0.1:8600": f"127.0.0.1:{place.getsockname()[1]}",
            "the secret of alc.toml": SECRET,
        }.items():  # fmt: skip
            assert old in text
            text = text.replace(old, new)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        places = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in kinds)
        (tmp_path / "nginx.conf").write_text(
            f"daemon off; pid {tmp_path}/pid; events {{}}\nhttp {{\n{places}{text}\n}}\n}}\n"
        )
        command = [NGINX, "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-e", "stderr"]
        running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        yield outside, place.getsockname()[1]
        running.terminate()
        running.wait(30)
        inside.should_exit = True
        signing.shutdown()


def asked(port, **headers):
    """Return status and words, once there is an answer."""
    for _ in range(300):
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            try:
                connection.request("GET", "/", headers={"host": "alc.example.org"} | headers)
            except ConnectionRefusedError:
                time.sleep(0.1)
                continue
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
    raise TimeoutError


@pytest.mark.parametrize(
    "address",
    ["eve@there.net, ada@example.org", "a b@example.org", "a@b@example.org", "a\x1b@example.org"],
)
def test_a_proxy_that_appends_is_told(settings, address):
    assert ask("/", **PUBLIC, **PROXY, **{"x-forwarded-email": address})[0] == 403
    (line,) = Path(settings.settings.server.audit_log).read_text("utf-8").splitlines()
    why = "a proxy that appends to a login header"
    assert json.loads(line)["why"] == why


@pytest.mark.parametrize("name", ["x-forwarded-email", "x-forwarded-groups", "x-alc-proxy"])
def test_a_login_header_with_two_values_names_nobody(settings, name):
    named = PROXY | ADA | {"x-forwarded-groups": "a"}
    sent = [*named.items(), (name, named[name])]
    raw = [(each.encode(), value.encode()) for each, value in sent]
    assert team.told_by_proxy(Headers(raw=raw)) == ""
    assert team.appends(Headers(raw=raw))
    assert team.told_by_proxy(Headers(raw=raw[:-1])) == "ada@example.org"


def test_refusals_of_one_kind_are_one_line(settings):
    for _ in range(50):
        ask("/", **PUBLIC, **ADA)
    assert settings.refused == 50
    (line,) = Path(settings.settings.server.audit_log).read_text("utf-8").splitlines()
    assert json.loads(line)["why"] == "not sent by the proxy"


@pytest.mark.skipif(NGINX is None, reason="there is no nginx: apt-get install nginx-light")
def test_identities_that_somebody_brings_along_are_overwritten_by_nginx(settings, proxied):
    outside, inside = proxied
    forged = ADA | PROXY | {"x-forwarded-groups": "privacy", "X_Forwarded_Email": "ada@example.org"}
    assert asked(outside, **forged) == (202, "sign in")
    assert asked(outside, cookie="who=bob@example.org", **forged) == (200, "bob@example.org ")
    assert settings.refused == 0
    refused, words = asked(outside, cookie="who=eve@elsewhere.net", **forged)
    assert (refused, words) == (403, "eve@elsewhere.net may not use this server.")
    refused, words = asked(inside, **ADA | {"x-forwarded-groups": "privacy"})
    assert (refused, words) == (403, "Log in at this server's public address.")
    lines = Path(settings.settings.server.audit_log).read_text("utf-8").splitlines()
    refused = [(line["who"], line["why"]) for line in map(json.loads, lines)]
    assert refused == [("eve@elsewhere.net", "not on a list"), ("", "not sent by the proxy")]


@pytest.mark.parametrize("host", ["127.0.0.1:8600", "localhost:8600", "evil.example", None])
def test_only_the_public_name_answers(host):
    assert ask("/", **PUBLIC | {"host": host}, **PROXY, **ADA)[0] == 403


@pytest.mark.parametrize("origin", [None, "http://alc.example.org", "https://evil.example", "null"])
def test_only_the_public_origin_opens_a_session_or_changes_anything(origin):
    asked = PUBLIC | {"origin": origin} | PROXY | ADA
    assert ask("/stream", kind="websocket", **asked)[0] == "websocket.close"
    assert ask("/_stcore/upload_file/a/b", method="PUT", **asked)[0] == 403


def test_an_upload_comes_from_the_browser_and_the_person_of_its_session(settings, monkeypatch):
    registry = SessionRegistry(lambda _: True)
    monkeypatch.setattr(session, "REGISTRY", registry)
    monkeypatch.setattr(session, "TEAM", settings)
    monkeypatch.setattr(session, "secret_of", lambda cookies: cookies.get("mine", "").encode())
    registry.add(AppState(), session="a", browser=browser_key(b"x"), who="ada@example.org")

    def may(cookie="mine=x", **headers):
        named = {"cookie": cookie} | PROXY | ADA | headers
        raw = [(name.encode(), value.encode()) for name, value in named.items()]
        return session.may_upload("a", HTTPConnection({"type": "http", "headers": raw}))

    assert may()
    assert not may(cookie="mine=y")
    assert not may(**{"x-forwarded-email": "eve@example.org"})
    assert not may(**{"x-alc-proxy": "S" * 32})
    settings.auditors.add("ada@example.org")
    assert not may()


def test_an_upload_to_a_session_of_others_is_logged(settings):
    for of, status in (("mine", 200), ("other", 404)):
        asked = PUBLIC | PROXY | ADA | {"content-length": "9"}
        assert ask(f"/_stcore/upload_file/{of}/b", method="PUT", **asked)[0] == status
    (line,) = Path(settings.settings.server.audit_log).read_text("utf-8").splitlines()
    told = json.loads(line)
    assert (told["what"], told["who"]) == ("refused", "ada@example.org")
    assert told["why"] == "an upload to a session of others, or gone"


@pytest.mark.parametrize(
    ("method", "mode", "logged"),
    [
        ("GET", "navigate", True), ("GET", "same-origin", True), ("GET", None, True),
        ("GET", "cors", False), ("HEAD", None, False),
    ],
)  # fmt: skip
def test_who_gets_a_file_that_a_page_offers_is_logged(settings, monkeypatch, method, mode, logged):
    monkeypatch.setattr(session, "REGISTRY", registry := SessionRegistry(lambda _: True))
    monkeypatch.setattr(session, "offering_sessions", lambda _: {"a"})
    monkeypatch.setattr(session, "secret_of", lambda _: b"x")
    monkeypatch.setattr(session, "saved_as", lambda _: "report.pdf")
    registry.add(AppState(), session="a", browser=browser_key(b"x"), who="ada@example.org")
    named = PROXY | ADA | ({} if mode is None else {"sec-fetch-mode": mode})
    raw = [(name.encode(), value.encode()) for name, value in named.items()]
    request = HTTPConnection({"type": "http", "method": method, "headers": raw})
    assert session.may_fetch("1", request)
    lines = Path(settings.settings.server.audit_log).read_text("utf-8").splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["report.pdf"] * logged


def test_a_balancer_asks_for_health_and_a_token_opens_the_numbers(monkeypatch):
    assert ask("/_stcore/health")[0] == 200
    assert ask("/metrics")[0] == 404
    assert ask("/metrics", authorization="Bearer " + "n" * 32)[0] == 404
    assert ask("/metrics", authorization="Bearer " + "m" * 32)[0] == 200
    ended = SimpleNamespace(memory_info=Mock(side_effect=psutil.NoSuchProcess(1)))
    monkeypatch.setattr(psutil.Process, "children", lambda *_args, **_more: [ended])
    assert ask("/metrics", authorization="Bearer " + "m" * 32)[0] == 200
    assert ask("/metrics", **PUBLIC, **PROXY, authorization="Bearer " + "m" * 32)[0] == 403


UPLOAD = PUBLIC | PROXY | ADA | {"method": "PUT"}
PATH = "/_stcore/upload_file/session/file"


def test_an_upload_is_refused_before_it_is_read(settings, monkeypatch):
    def sent(size):
        return ask(PATH, **UPLOAD, **{"content-length": str(size)})[0]

    assert sent(2**20) == 200
    assert sent(3 * 2**20) == 413
    assert ask(PATH, **UPLOAD, **{"transfer-encoding": "Chunked"})[0] == 411
    file = FailedFile(
        slot="original", name="a", data=bytes(2**20), options=ReadingOptions(), message=""
    )
    held = AppState(failed=(file,))
    monkeypatch.setattr(session, "REGISTRY", registry := SessionRegistry(lambda _: True))
    registry.add(held, session="session", browser=None)
    assert sent(2**20) == 200
    assert sent(2**20 + 1) == 413
    monkeypatch.setattr(
        "alc_core.dashboard.app.guard.uploaded_bytes", {"session": 2**19}.__getitem__
    )
    assert sent(2**19) == 200
    assert sent(2**19 + 1) == 413
    monkeypatch.setattr("alc_core.dashboard.app.guard.uploaded_bytes", lambda _: 0)
    left = settings.settings.server.reserve_mb * 2**20 + 300
    monkeypatch.setattr("alc_core.dashboard.app.guard.memory_left", lambda: left)
    assert sent(100) == 200
    assert sent(101) == 507
    assert ask("/", **PUBLIC, **PROXY, **ADA)[0] == 200
    assert settings.refused == 5


def test_the_page_says_why_an_upload_was_refused(monkeypatch):
    drawn = []
    monkeypatch.setattr("alc_core.dashboard.app.guard.draw_again", drawn.append)
    monkeypatch.setattr(session, "REGISTRY", registry := SessionRegistry(lambda _: True))
    registry.add(state := AppState(), session="session", browser=None)
    ask(PATH, **UPLOAD, **{"content-length": str(3 * 2**20)})
    assert state.refused_upload is UploadRefusal.TOO_LARGE
    assert drawn == ["session"]


def test_a_login_that_was_not_accepted_is_logged_and_said(settings):
    async def back(scope, receive, send):
        cookies = [(b"set-cookie", cookie) for cookie in scope["cookies"]]
        await send({"type": "http.response.start", "status": 302, "headers": [*cookies]})

    def ended(query, *cookies):
        said = []

        async def send(message):
            said.append(dict(message["headers"]).get(b"location"))

        raw = [(name.encode(), value.encode()) for name, value in (PUBLIC | PROXY | ADA).items()]
        scope = {"type": "http", "method": "GET", "path": "/oauth2callback", "headers": raw}
        guard = Guard(back, port=8600, **ALLOWED)
        asyncio.run(guard(scope | {"query_string": query, "cookies": cookies}, None, send))
        return said[0]

    assert ended(b"code=1&state=2", b'_streamlit_user="2|1:0"; HttpOnly') is None
    assert ended(b"", b'_streamlit_user=""; Max-Age=0') is None  # back from logging out
    assert settings.refused == 0
    assert ended(b"code=1&state=2", b'_streamlit_user=""; Max-Age=0') == b"/?refused"
    assert ended(b"error=access_denied") == b"/?refused"
    assert settings.refused == 2


@pytest.mark.parametrize(
    ("size", "arrived", "more", "refusal"),
    [(60, 60, 300, 507), (60, 0, 300, 200), (2**20 + 1, 0, 2**30, 413)],
)
def test_uploads_on_their_way_count(settings, monkeypatch, size, arrived, more, refusal):
    """Announced bytes fill their own session; only bytes that arrived take memory of others."""
    left = settings.settings.server.reserve_mb * 2**20 + more
    monkeypatch.setattr("alc_core.dashboard.app.guard.memory_left", lambda: left)
    second = []

    async def first(scope, receive, send):
        if not second:
            second.append(None)
            await receive()
            second[0] = await status(guard)

    async def body():
        return {"type": "http.request", "body": bytes(arrived), "more_body": True}

    async def status(app):
        said = []

        async def send(message):
            said.append(message["status"])

        await app(upload_of(size), body, lambda message: send({"status": 0} | message))
        return said[0] if said else 200

    guard = Guard(first, port=8600, **ALLOWED)
    asyncio.run(status(guard))
    assert second == [refusal]
    second[:] = [None]
    assert asyncio.run(status(guard)) == 200


@pytest.mark.parametrize("stalls", [True, False], ids=["stalled", "without memory"])
def test_an_upload_that_stalls_or_fills_the_memory_ends(settings, monkeypatch, stalls):
    monkeypatch.setattr("alc_core.dashboard.app.guard._STALLED", 0.01)
    memory, got = [2**40], []
    monkeypatch.setattr("alc_core.dashboard.app.guard.memory_left", lambda: memory[-1])

    async def app(scope, receive, send):
        memory.append(0)  # since it began
        got.append(await receive())
        raise ClientDisconnect

    async def body():
        if stalls:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": bytes(2**23), "more_body": True}

    asyncio.run(Guard(app, port=8600, **ALLOWED)(upload_of(2**20), body, None))
    assert got == [{"type": "http.disconnect"}]


def test_a_charset_that_no_browser_sends_is_refused(settings):
    said = []

    async def send(message):
        said.append(message)

    scope = upload_of(60)
    scope["headers"].append(
        (b"content-type", b"multipart/form-data; boundary=a; charset=undefined")
    )
    asyncio.run(Guard(None, port=8600, **ALLOWED)(scope, None, send))
    assert said[0]["status"] == 400


def upload_of(size):
    headers = UPLOAD | {"content-length": str(size)}
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "method": "PUT", "path": PATH, "headers": raw}
