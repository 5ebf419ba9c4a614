"""Campaign after campaign in a real browser, each left for Findings at an unlucky moment.

``python benchmarks/browser_campaigns.py --campaigns 50`` starts the dashboard, drives it with
Chromium and looks whether Findings shows its verdict within 15 seconds, and keeps it. Where it does
not come at all, the page, its picture, the server's log with the stacks of its threads, and what
browser and server said to each other are kept in ``--folder``, and the exit code is 1.

In every second session the browser hears of everything later, as on a slow line or a busy machine:
``--late`` says by how many milliseconds.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Error, Locator, Page, WebSocket, sync_playwright
from playwright.sync_api import TimeoutError as TooLateError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from alc_core import load_demo

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))
from conftest import CHROMIUM, FLAGS, Server

COLUMNS = ["rate_marriage", "religious", "educ", "occupation"]
ROWS = 200
PAGES = ["Findings", "Attack", "Statistics", "Data"]
VERDICT_WITHIN = 15.0
PATIENCE = 60.0
"""Seconds after which a verdict that is still not there is taken to never come."""

STEADY = 1000
"""Milliseconds for which a page must stand still with its verdict."""

SHOWS_VERDICT = """steady => {
  const app = document.querySelector('[data-testid=stApp]');
  const main = document.querySelector('[data-testid=stMain]');
  const shown = app?.dataset.testScriptState === 'notRunning'
    && main?.querySelector('h1')?.textContent.startsWith('Findings')
    && main.querySelector('[role=status]') && main.querySelector('[data-testid=stDataFrame]');
  if (!shown) window.verdictSince = null;
  else window.verdictSince ??= performance.now();
  return shown && performance.now() - window.verdictSince > steady;
}"""

START = """
import faulthandler, signal
import alc_core.assessment.loop as loop
from alc_core.baselines.families import NaiveBayes
from alc_core.dashboard.app.launch import run_dashboard

faulthandler.register(signal.SIGUSR1)
loop.default_families = lambda: (NaiveBayes(),)
run_dashboard({port})
"""
"""A dashboard whose baseline is the cheapest, so that a campaign takes seconds."""

LATE = """
const Direct = WebSocket;
window.WebSocket = class extends Direct {
  addEventListener(kind, hear, ...rest) {
    const later = event => setTimeout(() => hear(event), %d);
    super.addEventListener(kind, kind === "message" ? later : hear, ...rest);
  }
};
"""


class BlankError(Exception):
    """Findings without its verdict."""


class Reviewer:
    """One session in a browser: four campaigns of one attack each, in one file.

    Parameters
    ----------
    browser, address, folder : Browser, str, Path
        Where the dashboard and the two tables are.
    rng : random.Random
        Chooses the moments.
    late : int
        Milliseconds by which the browser hears of everything later.
    """

    def __init__(
        self, browser: Browser, address: str, folder: Path, *, rng: random.Random, late: int
    ) -> None:
        self.rng = rng
        self.durations = [2.0]
        self.said: deque[str] = deque(maxlen=400)
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(60_000)
        if late:
            self.context.add_init_script(LATE % late)
        self.page = self.context.new_page()
        self.page.on("websocket", self._listen)
        self.page.goto(address)
        heading(self.page, "What does your release give away?").wait_for()
        self._upload(folder)

    def _upload(self, folder: Path) -> None:
        page = self.page
        self.visit("Data")
        for label, name in (
            ("Choose the file", "people.csv"),
            ("Choose files", "release.csv"),
        ):
            region = page.get_by_role("region", name=label, exact=True)
            region.locator("input[type=file]").set_input_files(folder / name)
            page.get_by_test_id("stMarkdown").get_by_text(name, exact=True).first.wait_for()
        page.get_by_role("button", name="Continue", exact=True).click()
        page.get_by_text("One attack that you choose").click()

    def start(self, unknown: str) -> None:
        """Choose an attack and run it."""
        page = self.page
        page.get_by_role("combobox", name="What does the attacker want to learn?").click()
        page.get_by_role("option", name=unknown, exact=True).click()
        page.get_by_role("button", name="Everything else").click()
        known = page.get_by_test_id("stMultiSelect").locator("visible=true")
        for column in COLUMNS:
            if column != unknown:
                known.get_by_text(column, exact=True).first.wait_for()
        page.get_by_role("button", name="Run the attack").click()
        self.running.wait_for()
        self.started = time.monotonic()

    @property
    def running(self) -> Locator:
        return self.page.get_by_test_id("stSidebar").get_by_text(re.compile("^Campaign: "))

    def visit(self, name: str) -> None:
        """Click a page in the sidebar, without waiting for it."""
        self.page.get_by_test_id("stSidebar").get_by_role("link", name=name).first.click()

    def pause(self, most: float) -> None:
        self.page.wait_for_timeout(1000 * self.rng.uniform(0.03, most))

    def wait_for_end(self) -> None:
        self.running.wait_for(state="detached", timeout=120_000)
        self.durations.append(time.monotonic() - self.started)

    def wait_for_verdict(self) -> bool:
        """Wait until Findings shows its verdict, and keeps it; return whether that was in time.

        Raises BlankError where the verdict does not come later either.
        """
        for within, in_time in ((VERDICT_WITHIN, True), (PATIENCE, False)):
            try:
                self.page.wait_for_function(SHOWS_VERDICT, arg=STEADY, timeout=1000 * within)
            except TooLateError:
                continue
            return in_time
        raise BlankError(self.page.get_by_test_id("stMain").inner_text()[:200])

    def _listen(self, socket: WebSocket) -> None:
        begin = time.monotonic()

        def note(arrow: str, message: BackMsg | ForwardMsg, data: bytes | str) -> None:
            if isinstance(data, str):
                return
            message.ParseFromString(data)
            kind = message.WhichOneof("type")
            what = getattr(message, kind)
            words = " ".join(str(what).split())
            if kind in ("rerun_script", "new_session", "navigation"):
                parts = re.findall(r'fragment_ids?: "\w+"', f"{words} {message}")
                words = " ".join([f"page {what.page_script_hash}", *dict.fromkeys(parts)])
            self.said.append(f"{time.monotonic() - begin:8.3f} {arrow} {kind} {words[:160]}")

        socket.on("framesent", lambda data: note("browser", BackMsg(), data))
        socket.on("framereceived", lambda data: note("server ", ForwardMsg(), data))


def heading(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("heading", name=name, exact=True).first


def waits(reviewer: Reviewer) -> None:
    """Stays on Campaign, which goes to Findings by itself."""
    reviewer.wait_for_end()
    heading(reviewer.page, "Findings").wait_for(timeout=1000 * VERDICT_WITHIN)


def looks_ahead(reviewer: Reviewer) -> None:
    """Goes to Findings while it runs, and waits there."""
    reviewer.pause(median(reviewer.durations))
    reviewer.visit("Findings")
    reviewer.wait_for_end()


def clicks_at_the_end(reviewer: Reviewer) -> None:
    """Goes to Findings in the moment in which Campaign does so by itself."""
    left = median(reviewer.durations) + reviewer.started - time.monotonic()
    reviewer.page.wait_for_timeout(max(0.0, 1000 * (left + reviewer.rng.gauss(0.0, 0.4))))
    reviewer.visit("Findings")
    reviewer.wait_for_end()


def walks_about(reviewer: Reviewer) -> None:
    """Goes from page to page while it runs, faster than they are drawn."""
    for _ in range(reviewer.rng.randint(2, 8)):
        reviewer.visit(reviewer.rng.choice(PAGES))
        reviewer.pause(0.6)
    reviewer.visit("Attack")
    reviewer.wait_for_end()
    reviewer.visit("Findings")


def goes_back(reviewer: Reviewer) -> None:
    """Uses the browser's own way back while it runs."""
    reviewer.visit("Findings")
    reviewer.pause(1.0)
    reviewer.page.go_back(wait_until="commit")
    reviewer.pause(1.0)
    reviewer.visit("Findings")
    reviewer.wait_for_end()


def moves_a_slider(reviewer: Reviewer) -> None:
    """Waits for Findings, moves alpha there, and is on the next page and back at once."""
    reviewer.wait_for_end()
    reviewer.visit("Findings")
    reviewer.page.get_by_role("button", name=re.compile("What if")).click()
    slider = reviewer.page.get_by_role("slider", name="alpha")
    slider.focus()
    for _ in range(reviewer.rng.randint(1, 4)):
        slider.press(reviewer.rng.choice(["ArrowLeft", "ArrowRight"]))
        reviewer.pause(0.3)
    reviewer.visit(reviewer.rng.choice(["Statistics", "Attack"]))
    reviewer.pause(0.5)
    reviewer.visit("Findings")


MOMENTS: list[Callable[[Reviewer], None]] = [
    waits, looks_ahead, clicks_at_the_end, walks_about, goes_back, moves_a_slider, waits,
]  # fmt: skip


def keep(folder: Path, reviewer: Reviewer, server: Server) -> None:
    """Write down all there is about a page without its verdict."""
    folder.mkdir(parents=True, exist_ok=True)
    reviewer.page.screenshot(path=folder / "page.png")
    (folder / "page.html").write_text(reviewer.page.content(), encoding="utf-8")
    (folder / "said.txt").write_text("\n".join(reviewer.said), encoding="utf-8")
    server.signal(signal.SIGUSR1)
    time.sleep(1.0)
    (folder / "server.log").write_text(server.log, encoding="utf-8")


def run_session(
    reviewer: Reviewer, server: Server, moments: list[Callable[[Reviewer], None]], place: Path
) -> list[str]:
    """Run a campaign for each moment; return how each ended."""
    ends = []
    for unknown, moment in zip(COLUMNS, moments, strict=False):
        try:
            reviewer.start(unknown)
            moment(reviewer)
            ends.append("verdict" if reviewer.wait_for_verdict() else "slow verdict")
            reviewer.visit("Attack")
        except (BlankError, Error) as error:
            ends.append("BLANK" if isinstance(error, BlankError) else "STUCK")
            folder = place / f"{time.strftime('%H%M%S')}-{moment.__name__}"
            keep(folder, reviewer, server)
            print(f"{ends[-1]} after '{moment.__name__}', see {folder}: {str(error)[:300]!r}")
            break
    return ends


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--campaigns", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--late", type=int, default=800, help="milliseconds")
    parser.add_argument("--folder", type=Path, default=Path("blank-pages"))
    options = parser.parse_args()
    rng, counts, begin = random.Random(options.seed), Counter[str](), time.monotonic()
    demo = load_demo("fair")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        tables = Path(name)
        release = demo.releases["20% swapped"].tables[0]
        demo.original.frame[COLUMNS].head(ROWS).to_csv(tables / "people.csv", index=False)
        release.frame[COLUMNS].head(ROWS).to_csv(tables / "release.csv", index=False)
        server = Server(tables, start=START)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for late in cycle((options.late, 0)):
            if (left := options.campaigns - counts.total()) <= 0:
                break
            reviewer = Reviewer(browser, server.address, tables, rng=rng, late=late)
            moments = rng.choices(MOMENTS, k=min(left, len(COLUMNS)))
            counts.update(run_session(reviewer, server, moments, options.folder))
            reviewer.context.close()
            print(f"{time.monotonic() - begin:6.0f} s  late {late} ms  {dict(counts)}", flush=True)
        browser.close()
        server.stop()
    return int(bool(counts["BLANK"] or counts["STUCK"]))


if __name__ == "__main__":
    sys.exit(main())
