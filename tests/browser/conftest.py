"""The dashboard in a server of its own, and Chromium to look at it."""

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

ROOT = Path(__file__).parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = os.environ.get("ALC_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    # Playwright's own setting for this does not reach downloads by a new connection
    "--ignore-certificate-errors",
]  # fmt: skip
LONG = 300_000
"""Milliseconds until a test gives up: a busy machine is slow, not wrong. All tests wait for a state
of the page, so that nothing takes longer for it."""

SIZE = {"width": 1280, "height": 900}

expect.set_options(timeout=LONG)
ON_DISK = "An upload went into a file."
START = f"""
import tempfile
def to_disk(file):
    print({ON_DISK!r}, flush=True)
tempfile.SpooledTemporaryFile.rollover = to_disk
from alc_core.attacks import registry
registry.ROW_ATTACKS = registry.ROW_ATTACKS[:1]  # as tests/conftest.py has it
from alc_core.dashboard.app.launch import run_dashboard
run_dashboard({{port}})
"""
SMALL = """
from statsmodels.datasets import fair
from tests.toys.small_demo import some_people
fair.load_pandas = some_people
"""
"""The demo with a quarter of its people."""
CAMPAIGNS = """
from functools import partial
from alc_core import LoopParameters
from alc_core.attacks import model
from alc_core.baselines.families import NaiveBayes
from alc_core.dashboard.work import campaign_runs
from tests.browser.unhurried import Unhurried
loop = LoopParameters(resamples=100, min_targets=300, folds=3)
changed = dict(families=(Unhurried(),), loop=loop, jobs=1)
model.default_families = lambda: (NaiveBayes(),)
campaign_runs.run_campaign = partial(campaign_runs.run_campaign, **changed)
"""
ALONE = """
from alc_core.dashboard.work import evidence
evidence.gather_evidence = lambda state: None
"""
LINGERING = """
from streamlit.runtime.scriptrunner import ScriptRunner
from tests.browser.unhurried import lingering
ScriptRunner._on_script_finished = lingering(ScriptRunner._on_script_finished)
"""
EVIDENT = CAMPAIGNS + START
"""With a guess, and a model as attack, that are quick to fit."""
QUICK = SMALL + ALONE + LINGERING + EVIDENT
"""With a small demo besides, nothing measured after a campaign, and runs that can be held."""


def own_port() -> int:
    """A port that nobody has; servers of other processes may start at the same moment."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])


class Server:
    """The dashboard as a subprocess, started from a folder without settings."""

    def __init__(self, folder: Path, *, start: str = START) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        # What a machine might have set must not loosen the settings.
        environment["STREAMLIT_SERVER_ADDRESS"] = "0.0.0.0"
        environment["STREAMLIT_SERVER_BASE_URL_PATH"] = "elsewhere"
        environment["STREAMLIT_BROWSER_GATHER_USAGE_STATS"] = "true"
        environment["STREAMLIT_SERVER_ENABLE_AGENT_API"] = "true"
        self._process = subprocess.Popen(
            [sys.executable, "-c", start.format(port=own_port())],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.folder = folder
        self.lines: list[str] = []
        self._ready = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._ready.wait(LONG / 1000), self.log

    @property
    def log(self) -> str:
        return "".join(self.lines)

    @property
    def address(self) -> str:
        found = re.search(r"Dashboard: (http://127\.0\.0\.1:\d+)", self.log)
        assert found, self.log
        return found.group(1)

    @property
    def pid(self) -> int:
        return self._process.pid

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def wait(self) -> int:
        return self._process.wait(LONG / 1000)

    def stop(self) -> None:
        """End it and look at what it said: no error, no session's address, no file on disk."""
        self._process.terminate()
        self.wait()
        self._reader.join(5)
        assert self._process.stdout is not None
        self._process.stdout.close()
        for unwanted in ("Traceback", "missing ScriptRunContext", "session=", ON_DISK):
            assert unwanted not in self.log, self.log

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line)
            if "Dashboard: " in line:
                self._ready.set()


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        word = "There is no Chromium: apt-get install chromium, or name one by ALC_CHROMIUM"
        if os.environ.get("ALC_REQUIRE_BROWSER") == "1":
            pytest.fail(word)
        pytest.skip(word)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def serving(start: str) -> Callable[[pytest.TempPathFactory], Iterator[Server]]:
    """A fixture: one server for all tests of a process, which share no session."""

    @pytest.fixture(scope="package")
    def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
        running = Server(tmp_path_factory.mktemp("elsewhere"), start=start)
        yield running
        running.stop()

    return serve


server = serving(QUICK)
evident_server = serving(EVIDENT)
real_server = serving(SMALL + START)


@pytest.fixture(scope="package")
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """The browser of one person, which loads the scripts of the dashboard once."""
    # The browser itself keeps all in the machine: asking here about each request took time.
    context = chromium.new_context(viewport=SIZE, accept_downloads=True)
    context.set_default_timeout(LONG)
    yield context
    context.close()


@pytest.fixture
def outside(context: BrowserContext) -> Iterator[list[str]]:
    """Requests that would have left the machine."""
    asked: list[str] = []

    def note(address: str) -> None:
        if not re.match(r"(https?|wss?)://127\.0\.0\.1[:/]|(data|blob|about):", address):
            asked.append(address)

    def request(made: Request) -> None:
        note(made.url)

    def opened(page: Page) -> None:
        page.on("websocket", lambda socket: note(socket.url))

    context.on("request", request)
    context.on("page", opened)
    yield asked
    context.remove_listener("request", request)
    context.remove_listener("page", opened)


@pytest.fixture
def page(context: BrowserContext, outside: list[str]) -> Iterator[Page]:
    """A page of somebody who was never there; what it asks of others than 127.0.0.1 is recorded."""
    yield context.new_page()
    for page in context.pages:
        page.close()
    context.clear_cookies()
