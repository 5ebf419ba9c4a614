"""From the demo to a decision on two of its releases, by clicks alone."""

import re
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from alc_core.campaign.file.store import CampaignStore
from alc_core.candidates.decision import ReleaseChoice, release_decisions
from tests.browser.steps import choose, download, drawn, pick

pytestmark = pytest.mark.browser

REASON = "5 % of swapped values hide nobody. <b>Swap more.</b>"
WORST, BEST = "fair 5% swapped", "fair 80% swapped"


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def follow(page: Page, name: str) -> None:
    """Go by a link inside the page."""
    page.get_by_test_id("stMain").get_by_role("link", name=name).click()


def test_a_decision_on_two_releases_of_the_demo(page: Page, server, outside, tmp_path: Path):
    page.goto(server.address)
    page.get_by_role("button", name="Try the demo").click()
    heading(page, "Attack")
    page.get_by_role("button", name="Run the campaign").click()

    # Findings: one line a release, the one not to publish last
    heading(page, "Findings")
    expect(
        page.get_by_role("heading", name=re.compile(r"The findings speak against \d of 3 releases"))
    ).to_be_visible()
    lines = page.get_by_test_id("stHtml").filter(has_text=re.compile("^.{1,40}fair \\d+% swapped"))
    expect(lines).to_have_count(3)
    expect(lines.last).to_contain_text(WORST)
    expect(lines.last).to_contain_text("Do not publish as it is")
    looks = page.get_by_role("button", name="Look closer")
    expect(looks).to_have_count(3)
    looks.last.click()
    verdict = page.get_by_role("status").filter(has_text="Serious loss of anonymity")
    expect(verdict.first).to_be_visible()
    expect(looks).to_have_count(0)

    # Decision: not as it is, with a reason
    follow(page, "Decide on publishing")
    heading(page, "Decision")
    form = page.locator(".st-key-decision_form")
    drawn(page)
    expect(page.get_by_role("status").filter(has_text="do not publish as it is")).to_be_visible()
    pick(form, "Publish")
    serious = page.get_by_role("alert").filter(has_text="An attack is serious")
    expect(serious).to_be_visible()
    drawn(page)
    pick(form, "Do not publish")
    expect(serious).to_have_count(0)
    reasons = page.get_by_role("textbox", name="Reasons")
    reasons.fill(REASON)
    reasons.press("Tab")
    decided = page.get_by_text(
        re.compile(f"^Decided on {date.today()}. The release was “serious” then")
    )
    # While the page is drawn again, what was there may still be below what is new.
    expect(decided.first).to_be_visible()

    # The next release
    choose(page, "Release", BEST)
    expect(page.get_by_role("status").filter(has_text="no model tried yet")).to_be_visible()
    expect(decided).to_have_count(0)
    expect(reasons).to_have_value("")
    drawn(page)
    pick(form, "Publish")
    expect(
        page.get_by_text(re.compile("^Decided on .* The release was “(safe|no loss)” then")).first
    ).to_be_visible()

    # The third by one click; without words what the attacks found is the reason
    rows = page.locator(".st-key-all_releases")
    drawn(page)
    third = rows.get_by_role("radiogroup", name="Decision about fair 20% swapped")
    third.get_by_role("radio", name=re.compile("Publish with conditions$")).click()
    expect(page.get_by_text("fair 20% swapped: no condition is named")).to_be_visible()
    # The form has turned to it
    heading(page, "fair 20% swapped")
    expect(form.get_by_role("radio", name=re.compile("Publish with conditions$"))).to_be_checked()
    expect(form.get_by_role("textbox", name="Conditions")).to_be_visible()
    expect(reasons).to_have_value("")
    choose(page, "Release", WORST)
    expect(reasons).to_have_value(REASON)
    choose(page, "Release", "fair 20% swapped")
    expect(reasons).to_have_value("")

    # It stands on the line of each release, in the report and in the file
    drawn(page)
    page.get_by_role("button", name="Make the report").click()
    heading(page, "Report")
    expect(page.get_by_role("button", name="Download HTML")).to_be_visible()
    report = page.frame_locator("iframe")
    expect(report.get_by_text("what the attacks found, as said above").first).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Findings").first.click()
    heading(page, "Findings")
    choose(page, "Release", "All releases")
    expect(lines.last).to_contain_text("Decided: ✖ Do not publish")
    expect(lines.filter(has_text=BEST)).to_contain_text("Decided: ✔ Publish")
    saved = tmp_path / "review.alc"
    download(page.get_by_role("button", name="Save campaign file").first).save_as(saved)
    with CampaignStore.open(saved) as store:
        found = release_decisions(store)
        assert {name: made.choice for name, made in found.items()} == {
            WORST: ReleaseChoice.NOT, BEST: ReleaseChoice.PUBLISH,
            "fair 20% swapped": ReleaseChoice.CONDITIONS,
        }  # fmt: skip
        assert found[WORST].reasons == REASON
    assert outside == []
