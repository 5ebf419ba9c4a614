"""From five releases to a signed PDF: five clicks, one name, one download."""

import re
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import alc_core as alc
from alc_core.campaign.file.store import CampaignStore
from alc_core.candidates.decision import ReleaseChoice, release_decisions
from tests.browser.steps import download, drawn, enter, open_campaign, unfold, visit
from tests.toys.campaigns import run_quickly

pytestmark = pytest.mark.browser

REASON = "5 % of swapped values hide nobody. <b>Swap more.</b>"


@pytest.fixture(scope="module")
def campaign(people, tmp_path_factory) -> Path:
    """The file of a campaign on five releases."""
    frame = people(900)
    shares = {"A": 1.0, "B": 0.05, "C": 0.9, "D": 0.02, "E": 0.01}
    releases = {name: alc.swap_columns(frame, share, seed=1) for name, share in shares.items()}
    path = tmp_path_factory.mktemp("five") / "five.alc"
    run_quickly(frame, releases, path).close()
    return path


def ready(page: Page):
    """The button that saves the PDF of what the page says now."""
    button = page.get_by_test_id("stDownloadButton").get_by_role("button", name="PDF")
    expect(button).to_be_visible()
    return button


def test_five_releases_are_decided_signed_and_downloaded(
    page: Page, server, outside, campaign: Path, tmp_path: Path
):
    page.goto(server.address)
    open_campaign(page, campaign)
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    visit(page, "Decision")
    ready(page)
    report = page.locator(".st-key-report")
    expect(report.get_by_text("Nothing is decided yet.").first).to_be_visible()

    choices = {"A": "Publish with conditions", "B": "Do not publish", "C": "Do not publish",
               "D": "Do not publish", "E": "Do not publish"}  # fmt: skip
    for name, choice in choices.items():
        drawn(page)
        row = page.get_by_role("radiogroup", name=f"Decision about {name}")
        chosen = row.get_by_role("radio", name=re.compile(f"{choice}$"))
        chosen.click()
        expect(chosen).to_be_checked()
    # What was made before is no longer offered.
    expect(page.get_by_text("Being brought up to date")).to_be_visible()
    enter(page.get_by_role("textbox", name="Conditions for A"), "Under contract")
    drawn(page)
    page.get_by_role("button", name=re.compile("More on B$")).click()
    enter(page.get_by_role("textbox", name="Reasons"), REASON)
    enter(page.get_by_role("textbox", name="Decided by"), "B. Officer")
    opening = re.compile("^Publish A under conditions; do not publish")
    expect(report.get_by_text(opening).first).to_be_visible()
    expect(page.get_by_text("Being brought up to date")).to_be_visible()
    ready(page)
    preview = page.frame_locator("iframe")
    for words in ("Under contract", REASON, "B. Officer"):
        expect(preview.get_by_text(words).first).to_be_visible()
    pdf = Path(download(ready(page)).path())
    assert pdf.read_bytes().startswith(b"%PDF")

    visit(page, "Findings")
    drawn(page)
    unfold(page, "More: files")
    saved = tmp_path / "review.alc"
    download(page.get_by_role("button", name="Save campaign file").first).save_as(saved)
    with CampaignStore.open(saved) as store:
        found = release_decisions(store)
        assert {name: made.choice for name, made in found.items()} == {
            "A": ReleaseChoice.CONDITIONS, **dict.fromkeys("BCDE", ReleaseChoice.NOT),
        }  # fmt: skip
        assert found["B"].reasons == REASON
        signed = {(made.name, made.day) for made in found.values()}
        assert signed == {("B. Officer", date.today().isoformat())}
    assert outside == []
