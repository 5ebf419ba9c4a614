"""How quick pages stay while many sessions run campaigns, and what memory is left when they go.

``python benchmarks/server_load.py --sessions 10`` starts the dashboard and, in a browser of its
own, that many sessions, each with the demo campaign. In another browser one more session, whose
campaign is finished, walks through the pages and filters the attacks of Findings until the first
of them ends: how long until each page is drawn to its end? Then all sessions are closed, and the
memory of the server with all its processes is looked at for ``--after`` seconds: it is compared
with what it was after one session had run the demo campaign and was gone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))
from conftest import CHROMIUM, FLAGS, Server

PAGES = ["Findings", "Campaign", "Decision", "Data", "Trade-offs", "Compare", "Report"]
PATIENCE = 1_800_000
FREED_AFTER = 330.0
"""Seconds after which a closed session is forgotten, and some more."""

LET_GO = "Campaign: "
WATCH = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  window.ran = false;
  new MutationObserver(() => { window.ran ||= app.dataset.testScriptState === 'running' })
    .observe(app, {attributes: true, attributeFilter: ['data-test-script-state']});
}"""
DRAWN = """() => window.ran
  && document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'
  && !document.querySelector('[data-stale=true]')
  && [...document.querySelectorAll('.js-plotly-plot')].every(it => it.querySelector('.main-svg'))
"""


def timed(page: Page, act: Callable[[], None]) -> float:
    """Return the seconds from an act until what it changes is drawn."""
    page.evaluate(WATCH)
    start = time.perf_counter()
    act()
    page.wait_for_function(DRAWN, timeout=PATIENCE)
    return time.perf_counter() - start


def begin(browser: Browser, address: str) -> Page:
    """Open a session and run the demo campaign in it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name="Try the demo").click()
    page.get_by_role("button", name="Run the campaign").click()
    page.get_by_test_id("stSidebar").get_by_text(LET_GO).first.wait_for()
    return page


def runs(page: Page) -> bool:
    return page.get_by_test_id("stSidebar").get_by_text(LET_GO).count() > 0


def finish(page: Page) -> None:
    """Wait until Findings shows what the campaign found, and what is measured after it."""
    page.get_by_role("heading", name="Findings", exact=True).wait_for()
    page.get_by_test_id("stStatusWidget").first.wait_for(state="detached")


def visit(page: Page, name: str) -> float:
    link = page.get_by_test_id("stSidebar").get_by_role("link", name=name).first
    return timed(page, link.click)


def filtered(page: Page) -> float:
    """Return how long Findings takes to show attacks on one column alone, and then all again."""
    page.get_by_role("button", name="Filter the attacks").click()
    chosen = page.get_by_test_id("stMultiSelect").filter(has_text="Unknown column")
    chosen.get_by_role("combobox").click()
    option = page.get_by_role("option").first
    option.wait_for()
    seconds = timed(page, option.click)
    page.keyboard.press("Escape")
    return max(seconds, timed(page, chosen.get_by_role("button", name="Clear all").click))


def memory(pid: int) -> tuple[float, float]:
    """Return the MiB of a process and of it with all that it started, shared pages counted once."""
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
        found.append(next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024)
    return found[0], sum(found)


def told(what: str, seconds: list[float]) -> None:
    if not seconds:
        print(f"{what}: none", flush=True)
        return
    middle, most = np.quantile(seconds, [0.5, 0.95])
    print(
        f"{what}: {len(seconds)}, median {middle:.2f} s, p95 {most:.2f}, most {max(seconds):.2f}",
        flush=True,
    )


def walk(page: Page, goes_on: Callable[[], bool]) -> None:
    """Walk through the pages while something goes on, and say how long each took."""
    pages: dict[str, list[float]] = {name: [] for name in PAGES}
    clicks: list[float] = []
    while goes_on():
        for name in PAGES:
            pages[name].append(visit(page, name))
            if name == "Findings":
                clicks.append(filtered(page))
            if not goes_on():
                break
    for name, seconds in pages.items():
        told(f"  {name}", seconds)
    told("pages", [each for seconds in pages.values() for each in seconds])
    told("clicks on a filter", clicks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=10)
    parser.add_argument("--after", type=float, default=600.0, help="seconds to look at memory")
    parser.add_argument("--no-memory", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))

        def told_memory(when: str) -> None:
            alone, together = memory(server.pid)
            print(f"{when}: {alone:.0f} MiB, with its processes {together:.0f}", flush=True)

        told_memory("started")
        mine = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        if not args.no_memory:
            first = begin(mine, server.address)
            finish(first)
            time.sleep(20)
            told_memory("one session")
            first.context.close()
            time.sleep(FREED_AFTER)
            told_memory("gone")
        walker = begin(mine, server.address)
        finish(walker)
        time.sleep(20)
        print("Alone:", flush=True)
        rounds = iter(range(3 * len(PAGES)))
        walk(walker, lambda: next(rounds, None) is not None)
        others = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        begun = time.monotonic()
        sessions = [begin(others, server.address) for _ in range(args.sessions)]
        print(
            f"With {args.sessions} campaigns ({time.monotonic() - begun:.0f} s to begin):",
            flush=True,
        )
        walk(walker, lambda: all(map(runs, sessions)))
        print(f"First end after {time.monotonic() - begun:.0f} s", flush=True)
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
