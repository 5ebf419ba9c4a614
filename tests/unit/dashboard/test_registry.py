import gc
import threading
import weakref

import pytest

from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.jobs import Job
from alc_core.dashboard.state.registry import KEPT, KEPT_WITH_RESULTS, SessionRegistry, browser_key

MINE, OTHER = browser_key(b"my browser"), browser_key(b"another")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Run:
    """Stands for a campaign's run."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.job = Job(lambda progress, cancel: self.stop.wait(300))
        self.folder = self
        self.discarded = False
        self.who, self.how = "", dict

    def discard(self) -> None:
        self.discarded = True


class Circle:
    """Stands for what holds itself."""


@pytest.fixture
def connected():
    return {"first"}


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def freed():
    return []


@pytest.fixture
def registry(connected, clock, freed):
    return SessionRegistry(connected.__contains__, free=freed.append, clock=clock)


@pytest.fixture
def state():
    return AppState(campaign_message="mine")


@pytest.fixture
def token(registry, state):
    return registry.add(state, session="first", browser=MINE)


def test_tokens_are_long_and_differ(registry):
    tokens = {registry.add(AppState(), session="first", browser=MINE) for _ in range(50)}
    assert len(tokens) == 50
    assert min(map(len, tokens)) >= 43


def test_a_reload_of_the_same_browser_gets_the_state(registry, connected, state, token):
    connected.clear()
    assert registry.take_over(token, session="second", browser=MINE) is state
    assert registry.owns(token, session="second")
    assert not registry.owns(token, session="first")


@pytest.mark.parametrize("browser", [OTHER, None])
def test_another_browser_gets_nothing(registry, connected, token, browser):
    connected.clear()
    assert registry.take_over(token, session="second", browser=browser) is None
    assert registry.owns(token, session="first")


def test_without_a_secret_nobody_gets_the_state(registry, connected, state):
    token = registry.add(state, session="first", browser=None)
    connected.clear()
    assert registry.take_over(token, session="second", browser=None) is None


def test_while_its_page_is_connected_nobody_gets_the_state(registry, token):
    assert registry.take_over(token, session="second", browser=MINE) is None


@pytest.mark.parametrize("guess", ["", "x", "A" * 43])
def test_other_tokens_open_nothing(registry, connected, token, guess):
    connected.clear()
    assert registry.take_over(guess, session="second", browser=MINE) is None


def test_a_removed_entry_opens_nothing(registry, connected, state, token):
    registry.remove(token)
    connected.clear()
    assert registry.take_over(token, session="second", browser=MINE) is None
    assert state.campaign_message == "mine"


def test_a_session_is_of_one_browser_and_one_person(registry):
    registry.add(AppState(), session="a", browser=MINE, who="ada@example.org")
    assert registry.is_of("a", browser=MINE, who="ada@example.org")
    assert registry.is_of("a", browser=MINE, who=None)
    assert not registry.is_of("a", browser=OTHER, who="ada@example.org")
    assert not registry.is_of("a", browser=None, who=None)
    assert not registry.is_of("a", browser=MINE, who="eve@example.org")
    assert not registry.is_of("b", browser=MINE, who="ada@example.org")


def test_a_session_whose_login_has_ended_is_nobodys(registry, clock):
    registry.add(AppState(), session="a", browser=MINE, who="ada@example.org", lasts=60)
    clock.now += 60
    assert not registry.is_of("a", browser=MINE, who="ada@example.org")


def test_a_page_is_told_apart_whose_login_has_ended_since_it_was_drawn(registry, connected, clock):
    token = registry.add(AppState(), session="first", browser=MINE, lasts=60)
    assert not registry.has_ended("first")
    clock.now += 60
    assert registry.has_ended("first")
    registry.shut("first")
    registry.shut("unknown")
    assert not registry.has_ended("first"), "its page may log in"
    connected.clear()
    registry.take_over(token, session="second", browser=MINE, lasts=60)
    clock.now += 60
    assert registry.has_ended("second")
    assert not registry.has_ended("first")


def test_whoever_leaves_takes_all_tabs_of_the_browser_along(registry):
    of = {"a": (MINE, "ada"), "b": (MINE, "ada"), "c": (OTHER, "ada"), "d": (MINE, "bob")}
    states = {name: AppState(campaign_message=name) for name in of}
    for name, (browser, who) in of.items():
        registry.add(states[name], session=name, browser=browser, who=who)
    assert registry.leave(browser=MINE, who="ada") == ["a", "b"]
    assert [states[name].campaign_message for name in of] == ["", "", "c", "d"]
    assert len(registry) == 2
    assert not registry.is_of("a", browser=MINE, who="ada")


def test_nothing_shows_tokens_or_states(registry, token):
    assert token not in repr(vars(registry))


def test_an_abandoned_state_is_freed(registry, connected, clock, state, token, freed):
    clock.now = 10 * KEPT
    assert registry.sweep() == 1
    connected.clear()
    clock.now += KEPT - 1
    assert registry.sweep() == 1
    assert not freed
    clock.now += 2
    assert registry.sweep() == 0
    assert freed == ["first"]
    assert state.campaign_message == ""
    assert registry.take_over(token, session="second", browser=MINE) is None


def test_a_page_whose_login_has_ended_counts_as_closed(registry, connected, clock, state, freed):
    token = registry.add(state, session="first", browser=MINE, lasts=100)
    connected.clear()
    assert registry.take_over(token, session="second", browser=MINE, lasts=1000) is state
    connected.add("second")
    clock.now = 999
    registry.sweep()
    clock.now = 999 + KEPT
    assert registry.sweep() == 1, "who logs in again finds it"
    clock.now += 1
    assert registry.sweep() == 0
    assert freed == ["second"]
    assert state.campaign_message == ""


def test_what_an_abandoned_state_held_in_circles_is_freed(registry, connected, clock, state):
    registry.add(state, session="first", browser=MINE)
    state.original = circle = Circle()
    circle.itself = circle
    held = weakref.ref(circle)
    del circle
    connected.clear()
    clock.now = 10 * KEPT
    gc.disable()  # as long as nobody asks for it
    try:
        registry.sweep()
        assert held() is None
    finally:
        gc.enable()


def test_a_state_left_with_a_running_campaign_or_its_results_is_kept_longer(
    registry, connected, clock, state
):
    token = registry.add(state, session="first", browser=MINE)
    state.campaign_run = run = Run()
    connected.clear()
    clock.now = KEPT_WITH_RESULTS + KEPT
    assert registry.sweep() == 1, "it still runs"
    assert registry.take_over(token, session="second", browser=MINE) is state
    run.stop.set()
    assert run.job.wait(60)
    clock.now += KEPT_WITH_RESULTS - 1
    assert registry.sweep() == 1, "its results wait for who comes back"
    clock.now += 2
    assert registry.sweep() == 0
    assert run.discarded
    assert registry.take_over(token, session="third", browser=MINE) is None


def test_results_of_a_file_wait_as_long(registry, connected, clock, state):
    registry.add(state, session="first", browser=MINE)
    state.campaign = Run()
    state.campaign.close = state.campaign.discard
    connected.clear()
    clock.now = KEPT_WITH_RESULTS - 1
    assert registry.sweep() == 1
    clock.now += 2
    assert registry.sweep() == 0


def test_whoever_asks_goes_on_here_while_the_old_page_seems_connected(registry, state, token):
    assert registry.holds(token, session="second", browser=MINE)
    assert registry.take_over(token, session="second", browser=MINE, asked=True) is state
    assert not registry.owns(token, session="first")


def test_a_page_that_goes_just_after_the_wait_leaves_its_state_there(registry, connected, token):
    """Else the new page would begin anew, and its address would lead there no more."""
    assert registry.take_over(token, session="second", browser=MINE) is None
    connected.clear()
    assert registry.holds(token, session="second", browser=MINE)
    assert registry.take_over(token, session="second", browser=MINE) is not None


@pytest.mark.parametrize(("browser", "who"), [(OTHER, ""), (None, ""), (MINE, "eve")])
def test_nobody_else_is_told_of_a_page_or_may_ask_for_it(registry, token, browser, who):
    asking = {"session": "second", "browser": browser, "who": who}
    assert not registry.holds(token, **asking)
    assert registry.take_over(token, **asking, asked=True) is None
    assert registry.owns(token, session="first")


def test_what_runs_goes_on_while_another_page_is_shown(registry, connected, state):
    registry.add(state, session="first", browser=MINE)
    state.campaign_run = run = Run()
    state.tasks.start("study", "A study", lambda *_: run.stop.wait(300), take=lambda _: None)
    jobs = [run.job, state.tasks["study"].job]
    for job in jobs:
        job._seen = 0.0
    registry.sweep()
    assert all(job._seen for job in jobs)
    connected.clear()
    for job in jobs:
        job._seen = 0.0
    registry.sweep()
    assert not any(job._seen for job in jobs)
    run.stop.set()


def test_patience_waits_for_the_old_page_to_go(connected, state):
    registry = SessionRegistry(lambda session: session in connected)
    token = registry.add(state, session="first", browser=MINE)
    threading.Timer(0.3, connected.clear).start()
    assert registry.take_over(token, session="second", browser=MINE, patience=60) is state


def test_browser_key_keeps_no_secret():
    assert MINE is not None
    assert b"my browser" not in MINE
    assert browser_key(None) is None
    assert browser_key(b"") is None
