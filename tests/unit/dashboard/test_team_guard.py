"""What a team's server answers, and to whom."""

import asyncio

import pytest
from starlette.requests import HTTPConnection

from alc_core.dashboard.app.guard import Guard
from alc_core.dashboard.state import session, team
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.files import FailedFile, ReadingOptions
from alc_core.dashboard.state.registry import SessionRegistry, browser_key
from alc_core.dashboard.state.team import UploadRefusal
from alc_core.team.settings import Login, Server, TeamSettings
from tests.unit.dashboard.test_guard import ask

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
    monkeypatch.setattr(session, "_registry", registry)
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


def test_a_balancer_asks_for_health_and_a_token_opens_the_numbers():
    assert ask("/_stcore/health")[0] == 200
    assert ask("/metrics")[0] == 404
    assert ask("/metrics", authorization="Bearer " + "n" * 32)[0] == 404
    assert ask("/metrics", authorization="Bearer " + "m" * 32)[0] == 200
    assert ask("/metrics", **PUBLIC, **PROXY, authorization="Bearer " + "m" * 32)[0] == 403


UPLOAD = PUBLIC | PROXY | ADA | {"method": "PUT"}
PATH = "/_stcore/upload_file/session/file"


def test_an_upload_is_refused_before_it_is_read(settings, monkeypatch):
    def sent(size):
        return ask(PATH, **UPLOAD, **{"content-length": str(size)})[0]

    assert sent(2**20) == 200
    assert sent(3 * 2**20) == 413
    assert ask(PATH, **UPLOAD, **{"transfer-encoding": "chunked"})[0] == 411
    file = FailedFile(
        slot="original", name="a", data=bytes(2**20), options=ReadingOptions(), message=""
    )
    held = AppState(failed=(file,))
    monkeypatch.setattr(session, "_registry", registry := SessionRegistry(lambda _: True))
    registry.add(held, session="session", browser=None)
    assert sent(2**20) == 200
    assert sent(2**20 + 1) == 413
    left = settings.settings.server.reserve_mb * 2**20 + 300
    monkeypatch.setattr("alc_core.dashboard.app.guard.memory_left", lambda: left)
    assert sent(100) == 200
    assert sent(101) == 507
    assert ask("/", **PUBLIC, **PROXY, **ADA)[0] == 200
    assert settings.refused == 4


def test_the_page_says_why_an_upload_was_refused(monkeypatch):
    drawn = []
    monkeypatch.setattr(session, "draw_again", drawn.append)
    monkeypatch.setattr(session, "_registry", registry := SessionRegistry(lambda _: True))
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
        guard = Guard(back, port=8600, may_fetch=lambda *_: True, may_upload=lambda *_: True)
        asyncio.run(guard(scope | {"query_string": query, "cookies": cookies}, None, send))
        return said[0]

    assert ended(b"code=1&state=2", b'_streamlit_user="2|1:0"; HttpOnly') is None
    assert ended(b"", b'_streamlit_user=""; Max-Age=0') is None  # back from logging out
    assert settings.refused == 0
    assert ended(b"code=1&state=2", b'_streamlit_user=""; Max-Age=0') == b"/?refused"
    assert ended(b"error=access_denied") == b"/?refused"
    assert settings.refused == 2


def test_uploads_on_their_way_count_against_the_memory_that_is_left(settings, monkeypatch):
    left = settings.settings.server.reserve_mb * 2**20 + 300
    monkeypatch.setattr("alc_core.dashboard.app.guard.memory_left", lambda: left)
    second = []

    async def first(scope, receive, send):
        if not second:
            second.append(None)
            second[0] = await status(guard)

    async def status(app):
        said = []

        async def send(message):
            said.append(message["status"])

        headers = UPLOAD | {"content-length": "60"}
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "PUT", "path": PATH, "headers": raw}
        await app(scope, None, lambda message: send({"status": 0} | message))
        return said[0] if said else 200

    guard = Guard(first, port=8600, may_fetch=lambda *_: True, may_upload=lambda *_: True)
    asyncio.run(status(guard))
    assert second == [507]
    second[:] = [None]
    assert asyncio.run(status(guard)) == 200
