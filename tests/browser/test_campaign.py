import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from alc_core import swap_columns
from alc_core.campaign.file.store import CampaignStore
from tests.browser.steps import ORIGINAL, RELEASE, download, open_advanced, open_page, upload, visit
from tests.browser.unhurried import HOLD, LINGER, SLOW

pytestmark = pytest.mark.browser

SECRET = "Wolpertinger"
"""Part of names of files and a column that only the first browser may see."""

THEIRS = "Elwetritsch"
"""Part of names of files that only the second browser may see."""


@pytest.fixture
def other_browser(chromium: Browser) -> Iterator[BrowserContext]:
    """Another person's browser: it shares no cookie with the first one."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(300_000)
    yield context
    context.close()


@pytest.fixture
def files(tmp_path: Path, people) -> tuple[Path, Path]:
    """An original and a release."""
    frame = people(900).rename(columns={"city": f"city_{SECRET}"})
    original, release = tmp_path / f"{SECRET}.csv", tmp_path / f"{SECRET}_release.csv"
    frame.to_csv(original, index=False)
    swap_columns(frame, 0.2, seed=1).to_csv(release, index=False)
    return original, release


def start(page: Page, files: tuple[Path, Path]) -> None:
    """Upload two files and run a campaign over every column, by clicks alone."""
    upload(page, ORIGINAL, files[0])
    upload(page, RELEASE, files[1])
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.get_by_text(re.compile(r"attacks on \d+ unknown columns"))).to_be_visible()
    page.get_by_role("button", name="Run the attacks").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()


@pytest.fixture
def hold(server) -> Iterator[Path]:
    """A file by which the campaigns of the server are held while it is there; they begin slowly."""
    (server.folder / SLOW).touch()
    yield server.folder / HOLD
    let_go(server.folder / HOLD)


def let_go(hold: Path) -> None:
    hold.unlink(missing_ok=True)
    hold.with_name(SLOW.name).unlink(missing_ok=True)


@pytest.fixture
def linger(server) -> Iterator[Path]:
    """A file: while it is there, the part of the sidebar that is drawn comes to no end."""
    file = server.folder / LINGER
    yield file
    file.unlink(missing_ok=True)


def first_findings(page: Page) -> None:
    expect(page.get_by_text("not yet run").or_(page.get_by_text("Not yet run"))).to_be_visible()


def state_of(page: Page) -> str:
    return page.get_by_test_id("stApp").inner_text()


def test_a_reload_finds_it_other_pages_stay_usable_cancel_keeps_and_go_on_completes(
    page, server, files, hold, linger, tmp_path, outside
):
    open_page(page, server)
    start(page, files)
    first_findings(page)
    hold.touch()
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible()
    expect(page.get_by_text("attacks · ").first).to_be_visible()
    address = page.url
    page.reload()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    assert page.url == address
    side = page.get_by_test_id("stSidebar")
    side.get_by_role("link", name="Data").click()
    shown = page.get_by_text(f"{files[0].stem}, released as {files[1].stem}")
    expect(shown).to_be_visible()
    linger.touch()
    page.wait_for_timeout(2_500)  # until the sidebar's part is drawn anew
    side.get_by_role("link", name="Start").click()
    page.wait_for_timeout(1_000)
    linger.unlink()
    main = page.get_by_test_id("stMain")
    expect(main.get_by_role("button", name="Try the demo")).to_be_visible()
    visit(page, "Trade-offs")
    expect(side.get_by_text(re.compile("^Attacks: "))).to_be_visible()
    page.get_by_text("Calculator: from precision and recall to ALC").click()
    page.get_by_role("combobox", name="Load an example from the paper").click()
    page.keyboard.press("Escape")
    side.get_by_role("link", name="2 Attack").click()
    page.get_by_role("button", name="Cancel").click()
    let_go(hold)
    kept = page.get_by_text(re.compile(r"Cancelled\. \d+ of \d+ attacks finished"))
    expect(kept).to_be_visible()
    numbers = re.findall(r"\d+", kept.inner_text())
    finished, planned = int(numbers[0]), int(numbers[1])
    assert 0 < finished < planned
    open_advanced(page)
    columns = page.get_by_test_id("stMultiSelect").get_by_text("hours", exact=True)
    expect(columns.first).to_be_visible()

    saved = tmp_path / "saved.alc"
    download(page.get_by_role("button", name="Save review")).save_as(saved)
    with CampaignStore.open(saved) as store:
        assert store.counts().finished == finished

    page.get_by_role("button", name=f"Continue: {planned - finished} missing").click()
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    expect(page.get_by_text("provisional")).to_have_count(0)
    assert outside == []


def test_another_browser_sees_nothing_even_with_the_address(
    page, server, files, hold, other_browser, people, tmp_path
):
    open_page(page, server)
    start(page, files)
    first_findings(page)
    hold.touch()
    address = page.url

    copy = page.context.new_page()  # a second tab may go on, or begin with nothing
    copy.goto(address)
    expect(copy.get_by_role("heading", name="This review is open elsewhere")).to_be_visible()
    copy.get_by_role("button", name="Start a new review").click()
    expect(copy.get_by_text("This needs the original and a release.")).to_be_visible()
    assert copy.url != address
    copy.close()
    stranger = other_browser.new_page()
    stranger.goto(address)
    expect(stranger.get_by_text("This needs the original and a release.")).to_be_visible()
    assert SECRET not in stranger.content()
    assert stranger.url != address

    # Also with the first page closed, and with a campaign beside it.
    page.goto("about:blank")
    stranger.goto(address)
    expect(stranger.get_by_text("This needs the original and a release.")).to_be_visible()
    own = people(600)
    paths = (tmp_path / f"{THEIRS}.csv", tmp_path / f"{THEIRS}_release.csv")
    own.to_csv(paths[0], index=False)
    swap_columns(own, 0.5, seed=1).to_csv(paths[1], index=False)
    stranger.get_by_test_id("stSidebar").get_by_role("link", name="Data").click()
    start(stranger, paths)
    assert SECRET not in state_of(stranger)

    page.goto(address)
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    assert THEIRS not in state_of(page)
    page.get_by_role("button", name="Cancel").click()
    let_go(hold)
    expect(stranger.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    assert SECRET not in state_of(stranger)
    assert SECRET not in server.log
