"""With names and words from strangers everywhere, no page and no report asks anybody else."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ORIGINAL, RELEASE, drawn, open_campaign, open_page, upload, visit
from tests.toys.hostile import FILE, hostile_campaign, hostile_tables

pytestmark = pytest.mark.browser

PAGES = (
    "Data", "Attack", "Findings", "Trade-offs", "Compare", "All studies", "Decision",
)  # fmt: skip

DRAWN_FROM_DATA = """() => [...document.querySelectorAll("img, script, a, [onerror], iframe")]
  .map(each => each.src || each.href || (each.hasAttribute("onerror") ? "onerror" : ""))
  .filter(each => each && !each.startsWith(location.origin) && !/^(data|blob):/.test(each))"""


OPEN_ALL = """() => document.querySelectorAll(
  "[data-testid=stMain] details:not([open]) > summary").forEach(each => each.click())"""


def look(page: Page) -> None:
    drawn(page)
    page.evaluate(OPEN_ALL)
    drawn(page)
    assert page.evaluate(DRAWN_FROM_DATA) == []


def test_no_page_and_no_report_asks_anybody_else(page, server, outside, people, tmp_path):
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    frame = people(300)
    hostile_campaign(frame, tmp_path / f"{FILE}.alc")
    original, release = hostile_tables(frame)
    original.to_csv(tmp_path / f"{FILE}.csv", index=False)
    release.to_csv(tmp_path / f"a{FILE}.csv", index=False)

    open_page(page, server)
    upload(page, ORIGINAL, tmp_path / f"{FILE}.csv")
    upload(page, RELEASE, tmp_path / f"a{FILE}.csv")
    look(page)
    visit_start = page.get_by_test_id("stSidebar").get_by_role("link", name="Start")
    visit_start.click()
    look(page)
    open_campaign(page, tmp_path / f"{FILE}.alc")
    for name in PAGES:
        visit(page, name)
        look(page)
    visit(page, "Decision")
    expect(page.get_by_test_id("stDownloadButton").filter(has_text="HTML")).to_be_visible()
    page.locator("iframe").scroll_into_view_if_needed()  # a frame out of sight is not drawn
    report = page.frame_locator("iframe")
    expect(report.get_by_role("heading").first).to_be_visible()
    assert report.locator("img[src^=http], a[href^='http://127'], [onerror]").count() == 0
    visit(page, "Findings")
    page.goto(f"{server.address}/one_attack?{page.url.partition('?')[2]}")
    expect(page.get_by_role("heading", name="One attack", exact=True)).to_be_visible()
    look(page)
    assert outside == []
    assert dialogs == []
