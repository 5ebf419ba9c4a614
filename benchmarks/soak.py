"""Whether a team's server stays whole: many people at once for an hour, or for as long as asked.

``python benchmarks/soak.py --minutes 60 --people 10`` starts the server as a team's, behind nginx
with TLS and with logging in (needs nginx and ``oidc-provider-mock``). Each person has a Chromium,
and goes on and on: uploads 20 MB twice, looks at the check, removes it all; runs the demo's
campaign and mostly closes the tab meanwhile, comes back by its address, walks through all pages,
and saves report and campaign. Now and then a process that the server started is killed (kill -9).

It ends with 1, and says why, at a campaign that is not found again or whose end is not told, a page
without content or with the words of a bug, a server that ended, memory more than 10 % above what it
was after one person had done all of it once, or where 95 % of the pages took longer than 2 s while
two campaigns ran.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np
import psutil
from playwright.sync_api import Page, expect, sync_playwright
from server_load import FREED_AFTER, RUNNING, Walker, elsewhere, memory, told

sys.path.insert(0, str(Path(__file__).parents[1]))
from alc_core.dashboard.state.jobs import OUT_OF_MEMORY, UNEXPECTED
from alc_core.team.audit import verify
from tests.browser.conftest import FLAGS, START
from tests.browser.steps import ORIGINAL, RELEASE, download, drawn, upload
from tests.browser.test_team import Team, log_in

PAGES = ["Attack", "Findings", "Decision", "Data", "Statistics"]
LABELS = (ORIGINAL, RELEASE)
PATIENCE = 180_000
MEGABYTES = 20
MOST_SECONDS = 2.0
MOST_MEMORY = 1.1
KILL_EVERY = (40.0, 120.0)


class Soak:
    """What all people share: the server, the clock, what was seen."""

    def __init__(self, team: Team, folder: Path, *, seed: int) -> None:
        self.team, self.folder, self.seed = team, folder, seed
        self.over = threading.Event()
        self.busy: list[float] = []  # Seconds of pages while two campaigns ran
        self.quiet: list[float] = []
        self.done: Counter[str] = Counter()
        self.faults: list[str] = []
        self.files = [table(folder / f"{name}.csv", seed=seed) for name in ("people", "released")]

    def look(self, walker: Walker, name: str) -> None:
        """Go to a page, and look whether it is whole."""
        both = self.team.numbers()["alc_campaigns_running"] >= 2
        seconds = walker.visit(name)
        both &= self.team.numbers()["alc_campaigns_running"] >= 2
        (self.busy if both else self.quiet).append(seconds)
        self.whole(walker.page, name)

    def whole(self, page: Page, name: str) -> None:
        words = page.get_by_test_id("stMain").inner_text()
        broken = [each for each in (UNEXPECTED, OUT_OF_MEMORY) if each[:40] in words]
        if len(words.strip()) < 20 or broken or page.get_by_test_id("stException").count():
            self.fault(page, f"{name} is not whole: {words[:200]!r}")

    def fault(self, page: Page | None, words: str) -> None:
        print(f"FAULT: {words}", flush=True)
        self.faults.append(words)
        if page is not None:
            page.screenshot(path=self.folder / f"fault-{len(self.faults)}.png", full_page=True)


def table(path: Path, *, seed: int) -> Path:
    """Write a table of people of 20 MB."""
    rng = np.random.default_rng(seed)
    parts = [["clerk of the works", "nurse", "teacher"], ["north", "south", "east", "west"]]
    with path.open("w", encoding="utf-8") as file:
        file.write("age,job,place,children,income\n")
        while file.tell() < MEGABYTES * 2**20:
            drawn = zip(
                rng.integers(18, 90, 10_000), rng.choice(parts[0], 10_000),
                rng.choice(parts[1], 10_000), rng.integers(0, 5, 10_000),
                rng.integers(9, 90, 10_000) * 1000, strict=True,
            )  # fmt: skip
            file.write("".join(",".join(map(str, row)) + "\n" for row in drawn))
    return path


def live(soak: Soak, number: int, *, rounds: int = 10**9) -> None:
    """Be one person until the time is over."""
    name = f"person{number}@example.org"
    rng = random.Random(f"{soak.seed} {number}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=elsewhere(str(soak.folder)), args=FLAGS
        )
        context = browser.new_context(ignore_https_errors=True, accept_downloads=True)
        context.set_default_timeout(PATIENCE)
        page = log_in(context, soak.team, name)
        for _ in range(rounds):
            try:
                walker = Walker(page)
                page.reload()  # from now on its connection is heard
                page.get_by_role("button", name="Try the demo").wait_for()
                send_files(soak, walker)
                page = review(soak, walker, rng)
                remove(page)
            except Exception as error:  # noqa: BLE001 - every fault counts, and the others go on
                if not soak.over.is_set():
                    soak.fault(page, f"{name}: {type(error).__name__} {str(error)[:300]}")
                page.close()
                page = context.new_page()
                page.goto(soak.team.address)
            if soak.over.is_set():
                break
        browser.close()


def send_files(soak: Soak, walker: Walker) -> None:
    """Upload 20 MB twice, look at what is said of them, and remove them."""
    page = walker.page
    walker.visit("Data")
    for slot, label, file in zip(("original", "release"), LABELS, soak.files, strict=True):
        upload(page, label, file)
        page.locator(f"[class*=st-key-remove_{slot}]").first.wait_for(state="attached")
        soak.done["uploads of 20 MB"] += 1
    soak.look(walker, "Attack")
    soak.look(walker, "Data")
    remove(page)


def review(soak: Soak, walker: Walker, rng: random.Random) -> Page:
    """Run the demo's campaign, look at all pages, save what it gives; return the page."""
    page = walker.page
    page.get_by_test_id("stSidebar").get_by_role("link", name="Start").click()
    page.get_by_role("button", name="Try the demo").click()
    page.get_by_role("button", name="Run the campaign").click()
    page.get_by_test_id("stSidebar").get_by_text(RUNNING).first.wait_for()
    if rng.random() < 0.6:
        address, context = page.url, page.context
        page.close()
        time.sleep(rng.uniform(1, 20))
        page = context.new_page()
        walker = Walker(page)
        page.goto(address)
        soak.done["closed tabs"] += 1
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_role("link", name="Findings").wait_for()
    drawn(page)
    expect(sidebar.get_by_text(RUNNING)).to_have_count(0, timeout=PATIENCE)
    walker.visit("Findings")
    if page.get_by_role("heading", name="Findings", exact=True).count() == 0:
        soak.fault(page, "the result of a campaign is not there")
        return page
    soak.done["campaigns"] += 1
    for name in PAGES:
        soak.look(walker, name)
    for name, button in (("Decision", "HTML"), ("Attack", "Save campaign file")):
        walker.visit(name)
        saved = download(page.get_by_role("button", name=button).first)
        if saved.path().stat().st_size < 10_000:
            soak.fault(page, f"{button}: nothing came")
        soak.done["reports and campaign files"] += 1
    return page


def remove(page: Page) -> None:
    page.get_by_role("button", name="Remove all data").click()
    page.get_by_role("button", name="Yes, remove all").click()
    page.get_by_text("All data were removed from memory.").first.wait_for()


def kill_now_and_then(soak: Soak) -> None:
    """Kill a process that the server started, at random."""
    rng, server = random.Random(soak.seed), psutil.Process(soak.team.server.pid)
    while not soak.over.wait(rng.uniform(*KILL_EVERY)):
        if children := [each for each in server.children(recursive=True) if each.is_running()]:
            os.kill(rng.choice(children).pid, signal.SIGKILL)
            soak.done["processes killed"] += 1


def freed(soak: Soak, seconds: float, enough: float = 0.0) -> float:
    """Return the least MiB of the server with its processes, within some time or as asked."""
    least, end = np.inf, time.monotonic() + seconds
    while time.monotonic() < end and least > enough:
        least = min(least, memory(soak.team.server.pid)[1])
        time.sleep(5)
    return float(least)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="480 for a night")
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    print(f"Pictures of faults: {folder}", flush=True)
    team = Team(folder, start=START)
    soak = Soak(team, folder, seed=args.seed)
    first = threading.Thread(target=live, args=(soak, 0), kwargs={"rounds": 1})
    first.start()
    first.join()
    before = freed(soak, 60)
    print(f"One person has done it: {before:.0f} MiB, pages {soak.quiet}", flush=True)
    soak.quiet.clear()
    soak.done.clear()
    people = [threading.Thread(target=live, args=(soak, 1 + i)) for i in range(args.people)]
    killer = threading.Thread(target=kill_now_and_then, args=(soak,))
    for each in (*people, killer):
        each.start()
    time.sleep(60 * args.minutes)
    soak.over.set()
    for each in (*people, killer):
        each.join()
    after = freed(soak, FREED_AFTER, MOST_MEMORY * before)
    print(f"{args.people} people for {args.minutes:g} minutes: {dict(soak.done)}")
    told("pages while two campaigns ran", soak.busy)
    told("other pages", soak.quiet)
    print(f"memory: {before:.0f} MiB before, {after:.0f} after; {verify([team.log])[0]} log lines")
    if soak.busy and np.quantile(soak.busy, 0.95) > MOST_SECONDS:
        soak.fault(None, f"95 % of the pages took more than {MOST_SECONDS} s")
    if after > MOST_MEMORY * before:
        soak.fault(None, "memory does not come back")
    team.stop()  # fails where the server said something of a bug
    sys.exit(f"{len(soak.faults)} faults" if soak.faults else 0)


if __name__ == "__main__":
    main()
