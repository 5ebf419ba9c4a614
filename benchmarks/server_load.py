"""How quick pages stay while many sessions run campaigns, and what memory is left when they go.

``python benchmarks/server_load.py`` starts the dashboard and, in a browser of its own, fourteen
sessions that each run the thorough demo campaign at once. In another browser one more session,
whose campaign is finished, walks through the pages and filters the attacks of Findings for
``--seconds`` meanwhile: how long until each page is drawn to its end? Then all sessions are closed,
and the memory of the server with all its processes is looked at for ``--after`` seconds: it
is compared with what it was after one session had done the same and was gone.

Measured: 14 sessions ran the thorough demo campaign within 336 s, one more walked through five
pages for 80 s. Seconds until a page is drawn in Chromium, on the same two cores as everything
else::

                                pages  median   p95  most   filter clicks  median   p95
    nobody else                    15    0.36  0.89  0.97               3    0.21  0.25
    14 to about 10 campaigns       52    0.61  2.38  5.18              11    1.00  5.62
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))
from conftest import CHROMIUM, FLAGS, Server

PAGES = ["Findings", "Attack", "Decision", "Data", "Statistics"]
PATIENCE = 600_000
FREED_AFTER = 330.0
"""Seconds after which a closed session is forgotten, and some more."""

DATA = ("Pss_Anon:", "Pss_Shmem:")
"""What the machine tells of a process's own and shared data, without libraries."""

_WHOLE = ForwardMsg.FINISHED_SUCCESSFULLY

RUNNING = "Campaign: "
DRAWN = """() =>
  document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'
  && !document.querySelector('[data-stale=true]')
  && [...document.querySelectorAll('.js-plotly-plot')].every(it => it.querySelector('.main-svg'))
"""


class Walker:
    """A session whose runs of a page are seen to end by what the server says."""

    def __init__(self, page: Page) -> None:
        self._ended, self.page = 0, page
        page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _hear(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes):
            message = ForwardMsg()
            message.ParseFromString(frame)
            # Parts that redraw by themselves end, too, while a campaign runs
            self._ended += message.script_finished == _WHOLE and (
                message.WhichOneof("type") == "script_finished"
            )

    def timed(self, act: Callable[[], None]) -> float:
        """Return the seconds from an act until what it changes is drawn."""
        before, start = self._ended, time.perf_counter()
        act()
        while self._ended == before:
            if time.perf_counter() - start > PATIENCE / 1000:
                raise TimeoutError(f"No page came within {PATIENCE / 1000:.0f} s")
            self.page.wait_for_timeout(10)
        self.page.wait_for_function(DRAWN)
        return time.perf_counter() - start

    def visit(self, name: str) -> float:
        link = self.page.get_by_test_id("stSidebar").get_by_role("link", name=name).first
        return self.timed(link.click)

    def filtered(self) -> float:
        """Return how long Findings takes to show attacks on one column alone, and all again."""
        self.page.get_by_role("button", name="Filter", exact=True).click()
        chosen = self.page.get_by_test_id("stMultiSelect").filter(has_text="Unknown column")
        chosen.get_by_role("combobox").click()
        option = self.page.get_by_role("option").first
        option.wait_for()
        seconds = self.timed(option.click)
        self.page.keyboard.press("Escape")
        everything = chosen.get_by_role("button", name="Clear all")
        return max(seconds, self.timed(everything.click))

    def walk(self, goes_on: Callable[[], bool]) -> None:
        """Walk through the pages while something goes on, and say how long each took."""
        pages: dict[str, list[float]] = {name: [] for name in PAGES}
        clicks: list[float] = []
        for name in itertools.cycle(PAGES):
            if not goes_on():
                break
            pages[name].append(self.visit(name))
            if name == "Findings":
                clicks.append(self.filtered())
        for name, seconds in pages.items():
            told(f"  {name}", seconds)
        told("pages", [each for seconds in pages.values() for each in seconds])
        told("clicks on a filter", clicks)


def opened(browser: Browser, address: str) -> Walker:
    """Open a session with the demo data."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE)
    walker = Walker(page)
    page.goto(address)
    page.get_by_role("button", name="Try the demo").click()
    page.get_by_role("button", name="Run the campaign").wait_for()
    walker.timed(page.get_by_test_id("stMain").get_by_text(re.compile("^Thorough, ")).first.click)
    return walker


def begin(page: Page) -> None:
    """Run the demo campaign."""
    page.get_by_role("button", name="Run the campaign").click()
    found = page.get_by_role("heading", name="Findings", exact=True)
    page.get_by_test_id("stSidebar").get_by_text(RUNNING).or_(found).first.wait_for()


def finish(page: Page) -> None:
    """Wait until Findings shows what the campaign found, and what is measured after it."""
    page.get_by_role("heading", name="Findings", exact=True).wait_for()
    page.get_by_test_id("stStatusWidget").first.wait_for(state="detached")


def memory(pid: int) -> list[float]:
    """Return the MiB of data of a process, and of each that it started, shared ones once.

    Pages of libraries are left out: the more programs use them, the less each seems to have.
    """
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    wanted, found = [pid], []
    while wanted:
        each = wanted.pop()
        wanted += children.get(each, [])
        try:
            lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        held = [int(line.split()[1]) for line in lines if line.startswith(DATA)]
        found.append(sum(held) / 1024)
    return found


def elsewhere(folder: Path) -> str:
    """Return a Chromium of which `hold_back` knows the session."""
    script = folder / "chromium"
    script.write_text(f'#!/bin/sh\necho $$ > {folder}/pid\nexec {CHROMIUM} "$@"\n')
    script.chmod(0o700)
    return str(script)


def hold_back(folder: Path) -> None:
    """Let that Chromium hardly take processor from the server, as if on another machine.

    Where Linux groups processes by session, niceness counts within a group alone. A group gets a
    thirtieth of what the server gets: they hardly answer.
    """
    pid = int((folder / "pid").read_text())
    os.setpriority(os.PRIO_PGRP, os.getpgid(pid), 19)
    group = Path(f"/proc/{pid}/autogroup")
    if group.exists():
        group.write_text("15")


def _walker(browser: Browser, address: str) -> Walker:
    """Return a session whose campaign, and what is measured after it, is finished."""
    walker = opened(browser, address)
    begin(walker.page)
    finish(walker.page)
    time.sleep(20)
    return walker


def told(what: str, seconds: list[float]) -> None:
    if not seconds:
        print(f"{what}: none", flush=True)
        return
    middle, most = np.quantile(seconds, [0.5, 0.95])
    print(
        f"{what}: {len(seconds)}, median {middle:.2f} s, p95 {most:.2f}, most {max(seconds):.2f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=14)
    parser.add_argument("--seconds", type=float, default=80.0, help="walk so long")
    parser.add_argument("--after", type=float, default=600.0, help="seconds to look at memory")
    parser.add_argument("--no-memory", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))

        def told_memory(when: str) -> None:
            alone, *others = memory(server.pid)
            together = alone + sum(others)
            print(f"{when}: {alone:.0f} MiB, with its processes {together:.0f}", flush=True)

        told_memory("started")
        mine = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        walker = _walker(mine, server.address)
        print("Alone:", flush=True)
        rounds = iter(range(3 * len(PAGES)))
        walker.walk(lambda: next(rounds, None) is not None)
        if not args.no_memory:
            told_memory("one session")
            walker.page.context.close()
            time.sleep(FREED_AFTER)
            told_memory("gone")
            walker = _walker(mine, server.address)
        others = playwright.chromium.launch(executable_path=elsewhere(Path(folder)), args=FLAGS)
        sessions = [opened(others, server.address).page for _ in range(args.sessions)]
        begun = time.monotonic()
        for page in sessions:
            begin(page)
        hold_back(Path(folder))
        print(f"With campaigns, {time.monotonic() - begun:.0f} s after the first:", flush=True)
        until = time.monotonic() + args.seconds
        walker.walk(lambda: time.monotonic() < until)
        told_memory("busy")
        for page in sessions:
            finish(page)
        print(f"All ended after {time.monotonic() - begun:.0f} s", flush=True)
        told_memory("ended")
        others.close()
        mine.close()
        closed = time.monotonic()
        while not args.no_memory and (passed := time.monotonic() - closed) < args.after:
            time.sleep(min(60.0, args.after - passed))
            told_memory(f"{time.monotonic() - closed:.0f} s after all were closed")
        server.stop()


if __name__ == "__main__":
    main()
