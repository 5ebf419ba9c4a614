"""What several browser tests do by clicks."""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Download, Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLateError


def open_page(page: Page, server, path: str = "") -> None:
    """Open the dashboard and go to the Data page."""
    page.goto(server.address + path)
    expect(page.get_by_role("heading", name="What does your release reveal?")).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Data").click()
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible()


ORIGINAL, RELEASE = "Choose a file, or linked tables", "Choose files"
"""Labels of the upload widgets while nothing is there."""


def upload(page: Page, label: str, file: Path) -> None:
    drawn(page)
    region = page.get_by_role("region", name=label, exact=True)
    region.locator("input[type=file]").set_input_files(file)
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text(file.stem).locator("visible=true").first).to_be_visible()


def open_campaign(page: Page, file: Path) -> None:
    """Open a campaign's file on the Start page, and arrive at its findings."""

    def give(within: float) -> None:
        given = page.get_by_test_id("stPopoverBody").locator("input[type=file]")
        given.set_input_files(file, timeout=within)
        findings = page.get_by_role("heading", name="Findings", exact=True)
        findings.wait_for(timeout=within)

    in_popover(page, "Open a saved review", give)


def in_popover(page: Page, name: str, do: Callable[[float], None]) -> None:
    """Open a popover and do something within milliseconds; again if a late run closes it."""
    button = page.get_by_role("button", name=name)
    expect(button).to_be_visible()

    def open_and_do(within: float) -> None:
        button.click()
        do(within)

    _again(page, open_and_do, f"'{name}' does not stay open")


def _again(page: Page, do: Callable[[float], None], failed: str) -> None:
    """Do something within milliseconds once the page is drawn; up to three times."""
    for within in (10_000, 20_000, 40_000):
        drawn(page)
        with suppress(TooLateError):
            return do(within)
    raise AssertionError(failed)


def drawn(page: Page) -> None:
    """Wait until all of the page is there: what comes late moves what is below it, or takes it."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    expect(page.locator("[data-stale=true]")).to_have_count(0)


def until_shown(page: Page, do: Callable[[], None], shown: Locator) -> None:
    """Do something once the page is drawn; again if a late run loses the click or key."""

    def do_and_wait(within: float) -> None:
        do()
        shown.wait_for(timeout=within)

    _again(page, do_and_wait, f"Done three times without effect: {shown}")


def slide_to_least(page: Page, name: str, shown: Locator) -> None:
    """Move a slider to its least value."""
    until_shown(page, lambda: page.get_by_role("slider", name=name).press("Home"), shown)


def ask_for_everything(page: Page) -> None:
    """Choose the long report on the Decision page."""

    def choose_depth() -> None:
        unfold(page, "Content of the report")
        page.get_by_text("Everything, for statisticians").click()

    until_shown(page, choose_depth, page.get_by_text("Methods and sources"))


CONTRAST = (Path(__file__).parent / "contrast.js").read_text("utf-8")
FADED_IN = """() => document.getAnimations().every(
  each => each.playState === "finished" || each.effect.getComputedTiming().endTime === Infinity)"""


def faint_texts(page: Page) -> list[str]:
    """Texts that hardly stand out from their ground, once nothing fades in any more."""
    drawn(page)
    page.wait_for_function(FADED_IN)
    found: list[str] = page.evaluate(CONTRAST)
    if found:  # charts take the ink of another scheme a moment later
        page.wait_for_timeout(2_000)
        found = page.evaluate(CONTRAST)
    return found


def download(button: Locator) -> Download:
    """Save a file by its button, once the page is there: an offer goes with its drawing.

    Chromium gives up what is clicked within some hundredths of a second of that, once in 50 times.
    """
    drawn(button.page)
    button.page.wait_for_timeout(300)
    with button.page.expect_download() as started:
        button.click()
    return started.value


PARTS = ("Trade-offs", "Compare", "All studies")
"""Parts of the Statistics page."""


def visit(page: Page, name: str) -> None:
    """Go to a page by the sidebar, or to a part of Statistics."""
    there = "Statistics" if name in PARTS else name
    page.get_by_test_id("stSidebar").get_by_role("link", name=there).first.click()
    expect(page.get_by_role("heading", name=there, exact=True).first).to_be_visible()
    if there != name:
        drawn(page)
        pick(page, name)
        expect(page.get_by_role("radio", name=name)).to_be_checked()
        drawn(page)


def enter(field: Locator, words: str) -> None:
    """Type into a field once the page is there: while it is drawn again a field may stand twice."""
    drawn(field.page)
    field.fill(words)
    field.press("Tab")


def pick(page: Page | Locator, name: str) -> None:
    """Choose in a row of buttons of which one is chosen; an icon may come before the name."""
    words = re.compile(f"{re.escape(name)}$")
    page.get_by_role("radio", name=words).or_(page.get_by_role("button", name=words)).first.click()


def choose(page: Page, label: str, option: str) -> None:
    """Choose from a list, which closes where the page is drawn again meanwhile."""
    wanted = page.get_by_role("option", name=option, exact=True)
    for _ in range(20):
        drawn(page)
        if not wanted.is_visible():
            page.get_by_role("combobox", name=label).click()
        try:
            wanted.click(timeout=3_000)
        except TooLateError:
            continue
        return
    raise AssertionError(f"The list '{label}' does not stay open, or has no '{option}'")


def unfold(page: Page, words: str) -> None:
    """Unfold a part of a page; what is in it and below it stands still afterwards.

    A click is lost where what comes late moves the part just then: it is made again.
    """
    part = page.get_by_test_id("stExpander").filter(has=page.get_by_text(words)).last
    inside = part.get_by_test_id("stExpanderDetails").first
    for _ in range(5):
        drawn(page)
        if not inside.is_visible():
            part.get_by_text(words).first.click()
        try:
            inside.wait_for(timeout=3_000)
        except TooLateError:
            continue
        break
    expect(inside).to_be_visible()
    part.evaluate(
        "part => Promise.allSettled(part.getAnimations({subtree: true}).map(a => a.finished))"
    )


def open_advanced(page: Page) -> None:
    """Unfold what the Attack page has besides the attackers."""
    unfold(page, "Advanced")


def run_one_attack(page: Page, unknown: str, known: str) -> None:
    """Choose one attack whose attacker knows all other columns, `known` among them; run it."""
    page.get_by_role("button", name="Continue", exact=True).click()
    open_advanced(page)
    page.get_by_text("One attack of your choice").click()
    choose(page, "What does the attacker want to infer?", unknown)
    drawn(page)
    page.get_by_role("button", name="Everything else").click()
    drawn(page)  # a click on "Run" would else be told together with that one
    columns = page.get_by_test_id("stMultiSelect")
    chosen = columns.get_by_text(known, exact=True).locator("visible=true")
    expect(chosen.first).to_be_visible()
    page.get_by_role("button", name="Run the attack").click()
