"""A page that was left does not come back by itself, and a browser hears what it asked for."""

import contextvars
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner

from alc_core.dashboard.state import late_requests

PAGES = {"s": ("", "start.py"), "f": ("findings", "findings.py"), "d": ("data", "data.py")}
HELD = {"widgets": [{"id": "alpha", "double_value": 0.5}]}
"""What a request of a widget brings."""


class Manager:
    current_page_script_hash = "s"

    def get_pages(self):
        return {
            key: {"url_pathname": path, "script_path": file} for key, (path, file) in PAGES.items()
        }


class Session:
    """What is asked of Streamlit, and what gets through."""

    def __init__(self, monkeypatch):
        self._pages_manager = Manager()
        self._browser_queue = ForwardMsgQueue()
        self.ran, self.id, self.ended = [], "mine", set()
        for owner, name in (
            (ScriptRunner, "_run_script"),
            (AppSession, "request_rerun"),
            (AppSession, "_create_new_session_message"),
            (AppSession, "_clear_queue"),
        ):
            monkeypatch.setattr(owner, name, getattr(owner, name))
        monkeypatch.setattr(late_requests, "_run_script", lambda _, data: self.ran.append(data))
        monkeypatch.setattr(
            late_requests, "_request_rerun", lambda _, state: self.ran.append(state)
        )
        monkeypatch.setattr(late_requests, "_new_session", lambda *_: None)
        context = SimpleNamespace(pages_manager=self._pages_manager)
        monkeypatch.setattr(late_requests, "get_script_run_ctx", lambda: context)
        monkeypatch.setattr(late_requests, "_has_ended", late_requests._has_ended)
        late_requests.mind_late_requests(self.ended.__contains__)
        late_requests.mind_late_requests(self.ended.__contains__)

    def ask(self, page, **settings):
        """Ask for a page; return whether the request gets through."""
        request = ClientState(page_script_hash=page, **settings)
        before = len(self.ran)
        AppSession.request_rerun(self, request)
        return len(self.ran) > before

    def run(self, page):
        """Run a page to its end; return where it leads on."""
        AppSession._create_new_session_message(self, page)
        self._pages_manager.current_page_script_hash = page
        return late_requests.page_to_go_on_to()


@pytest.fixture
def session(monkeypatch):
    return Session(monkeypatch)


def test_a_page_that_follows_a_part_of_the_sidebar_is_drawn_on_the_page(session, monkeypatch):
    where = []
    monkeypatch.setattr(
        late_requests, "_run_script", lambda *_: where.append(context_dg_stack.get())
    )

    def run():
        with st.sidebar:
            ScriptRunner._run_script(session, RerunData(page_script_hash="f"))

    contextvars.copy_context().run(run)
    assert where == [get_default_dg_stack_value()]


def test_what_a_left_page_sends_late_runs_and_leads_on(session):
    assert session.ask("f")
    assert session.ask("s", widget_states=HELD)
    assert session.run("s") == "findings.py"
    assert session.run("f") is None
    assert session.ask("s")
    assert session.run("s") is None


def test_a_click_on_a_page_whose_login_has_ended_draws_it_again_and_does_nothing(session):
    assert session.ask("s", widget_states=HELD, fragment_id="live")
    assert session.ran[-1].widget_states.widgets
    session.ended.add("mine")
    assert session.ask("s", widget_states=HELD, fragment_id="live", is_auto_rerun=True)
    assert not session.ran[-1].widget_states.widgets
    assert not session.ran[-1].fragment_id


def test_it_may_come_when_the_next_page_has_begun(session):
    session.ask("f")
    assert session.run("f") is None
    assert session.ask("s", fragment_id="part", widget_states=HELD)
    assert session.ran[-1].fragment_id == ""
    assert session.run("s") == "findings.py"


def test_several_that_come_late_lead_on_after_the_last(session):
    session.ask("f")
    session.ask("s", widget_states=HELD)
    session.run("s")
    assert session.ask("s", widget_states=HELD)
    assert session.run("s") == "findings.py"


def test_what_redraws_itself_is_not_run_late(session):
    session.ask("f")
    assert not session.ask("s", fragment_id="part", is_auto_rerun=True)


def test_a_page_that_the_browser_shows_works_as_ever(session):
    session.ask("f")
    session.run("f")
    for _ in range(2):
        assert session.ask("f", widget_states=HELD)
        assert session.run("f") is None


def test_the_last_of_two_links_wins(session):
    session.ask("f")
    session.ask("s", widget_states=HELD)
    session.ask("s")
    assert session.run("s") is None
    session.ask("f")
    session.ask("d")
    assert session.run("d") is None


def test_where_the_app_leads_elsewhere_that_page_stays(session):
    session.ask("d")
    session.run("d")
    assert session.run("s") is None  # Data led back to Start
    assert session.ask("s", widget_states=HELD)
    assert session.run("s") is None


def test_the_first_request_of_a_browser_and_one_of_the_server_get_through(session):
    assert session.ask("", page_name="findings")
    AppSession.request_rerun(session, None)
    assert session.ran[-1] is None


@pytest.mark.parametrize(
    ("parts", "page", "runs"),
    [(["a"], "s", True), (["a"], "f", False), ([], "f", True)],
    ids=["redraw of this page", "redraw of a page that was left", "another page"],
)
def test_only_a_redraw_of_the_page_that_is_shown_runs(session, parts, page, runs):
    asked = RerunData(fragment_id_queue=parts, page_script_hash=page)
    ScriptRunner._run_script(session, asked)
    assert session.ran == ([asked] if runs else [])


@pytest.mark.parametrize("parts", [None, ["part"]], ids=["a page", "a part of a page"])
def test_a_run_that_begins_leaves_the_browser_the_answer_to_its_question(session, parts):
    drawn, answer = ForwardMsg(), ForwardMsg()
    drawn.delta.new_element.markdown.body = "drawn before"
    drawn.delta.fragment_id = "part"
    answer.file_urls_response.response_id = "upload"
    for each in (drawn, answer):
        session._browser_queue.enqueue(each)
    AppSession._clear_queue(session, parts)
    assert session._browser_queue.flush() == [answer]
