"""Who may use a team's pages, and for how long."""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import pytest

from alc_core.dashboard.state import team
from alc_core.errors import InputError
from alc_core.team.settings import Login, Server, TeamSettings

NOW = 1_800_000_000.0


class Screen:
    """What the module asks of Streamlit."""

    def __init__(self, **user):
        self.user = {"is_logged_in": True, "iat": NOW, "exp": NOW + 300, "aud": "alc", **user}
        self.session_state, self.query_params = {}, {}
        self.context = SimpleNamespace(cookies={})
        self.drawn, self.buttons = [], []
        self.login = self.logout = None
        self.title = self.markdown = self.caption = self.drawn.append

    def button(self, label, **_):
        self.buttons.append(label)

    def warning(self, words, **_):
        self.drawn.append(words)


@pytest.fixture
def ours(monkeypatch, tmp_path):
    monkeypatch.setattr(team, "TEAM", team.Team())
    clock = SimpleNamespace(now=NOW)
    monkeypatch.setattr(team.time, "time", lambda: clock.now)
    login = Login(
        by="oidc", domains=frozenset({"example.org"}), groups=frozenset({"privacy"}), hours=2
    )
    log = tmp_path / "audit.jsonl"
    server = Server(public_url="https://alc.example.org", audit_log=str(log), sessions_per_person=2)
    team.begin_team(TeamSettings(server=server, login=login, auth={"client_id": "alc"}))

    def come(screen):
        monkeypatch.setattr(team, "st", screen)
        return team.admitted()

    def logged():
        return [json.loads(line)["what"] for line in log.read_text().splitlines()]

    return SimpleNamespace(come=come, clock=clock, logged=logged)


def test_without_a_team_nobody_logs_in_and_nothing_is_logged(monkeypatch):
    monkeypatch.setattr(team, "TEAM", team.Team())
    assert team.admitted()
    assert team.person() == ""
    team.record("upload", name="people.csv")
    assert not team.waits(1000)
    assert team.login_lasts() == math.inf


def test_whoever_is_on_a_list_comes_in_and_is_logged_once(ours):
    screen = Screen(email="Ada@Example.org")
    assert ours.come(screen)
    assert ours.come(screen)
    assert team.person() == "ada@example.org"
    assert ours.logged() == ["login"]


@pytest.mark.parametrize(
    "user",
    [
        {"is_logged_in": False, "email": "ada@example.org"},
        {"email": "eve@elsewhere.net", "groups": ["public"]},
        {"email": "ada@example.org", "email_verified": False},
        {"email": ""},
        {"email": "ada@example.org", "exp": NOW - 61},
        {"email": "ada@example.org", "iat": NOW + 61},
        {"email": "ada@example.org", "iat": NOW - 2 * 3600 - 1},
        {"email": "ada@example.org", "aud": ["another"]},
    ],
    ids=[
        "not logged in",
        "not listed",
        "not verified",
        "no address",
        "expired",
        "future",
        "old",
        "of another program",
    ],
)
def test_nobody_else_does(ours, user):
    screen = Screen(**user)
    for _ in "abc":  # however often they click
        assert not ours.come(screen)
    assert screen.drawn
    assert set(ours.logged()) == ({"refused"} if screen.user["is_logged_in"] else set())


def test_who_cannot_be_logged_does_not_come_in(ours, monkeypatch):
    screen = Screen(email="ada@example.org")
    monkeypatch.setattr(team.TEAM.log, "_path", team.TEAM.log._path / "nowhere")
    for _ in "ab":
        with pytest.raises(InputError):
            ours.come(screen)


def test_clocks_may_differ_a_little_and_groups_may_be_many(ours):
    assert ours.come(Screen(email="ada@example.org", exp=NOW - 59, iat=NOW + 59))
    many = [f"group {number}" for number in range(200)]
    assert ours.come(Screen(email="bob@elsewhere.net", groups=[*many, "privacy"]))
    assert not ours.come(Screen(email="bob@elsewhere.net", groups=many))


def test_a_page_outlives_the_token_but_not_the_hours(ours):
    screen = Screen(email="ada@example.org")
    assert ours.come(screen)
    ours.clock.now = NOW + 3600
    assert ours.come(screen)
    assert team.login_lasts() == 3600
    ours.clock.now = NOW + 2 * 3600 + 1
    assert not ours.come(screen)
    assert screen.buttons == ["Log in"]


def test_logging_out_ends_every_tab_and_a_copied_cookie(ours):
    here, there = Screen(email="ada@example.org"), Screen(email="ada@example.org")
    here.logout = lambda: None
    assert ours.come(there)
    assert ours.come(here)
    team.log_out()
    assert not ours.come(there)
    assert not ours.come(Screen(email="ada@example.org"))
    assert ours.come(Screen(email="ada@example.org", iat=NOW + 1))
    assert ours.logged() == ["login", "login", "logout", "login"]


def test_more_sessions_than_are_allowed_are_refused(ours):
    assert ours.come(Screen(email="ada@example.org"))
    assert not team.waits(1)
    assert team.waits(2)
    assert ours.logged()[-1] == "refused"


def test_an_upload_is_logged_without_what_is_in_it(ours, monkeypatch):
    assert ours.come(Screen(email="ada@example.org"))
    monkeypatch.setattr(team, "free_uploads", lambda _: None)
    data = b"secret,values"
    upload = SimpleNamespace(name="people.csv", file_id="1", getvalue=lambda: data)
    assert team.take_file(upload) == ("people.csv", data)
    log = team.TEAM.settings.server.audit_log
    line = json.loads(Path(log).read_text("utf-8").splitlines()[-1])
    assert (line["what"], line["bytes"], line["name"]) == ("upload", 13, "people.csv")
    assert "secret" not in json.dumps(line)
