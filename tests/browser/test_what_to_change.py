"""What to change in a release that nobody may publish: tried, listed, taken away."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ORIGINAL, RELEASE, download, open_page, run_one_attack, upload

pytestmark = pytest.mark.browser


def test_what_would_do_is_tried_and_listed(page: Page, server, outside, people, tmp_path: Path):
    frame = people(600).drop(columns="hours")
    for name in ("people.csv", "copy.csv"):
        frame.to_csv(tmp_path / name, index=False)
    open_page(page, server)
    upload(page, ORIGINAL, tmp_path / "people.csv")
    upload(page, RELEASE, tmp_path / "copy.csv")
    run_one_attack(page, "job", "age")
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    page.get_by_test_id("stMain").get_by_role("link", name="Decide on publishing").click()
    expect(page.get_by_role("heading", name="Decision", exact=True)).to_be_visible()

    page.get_by_role("button", name=re.compile("^More")).first.click()
    page.get_by_role("button", name="Try changes").click()
    expect(page.get_by_role("button", name="Try changes again")).to_be_enabled()
    found = page.get_by_text(re.compile(r"brings the attack to look at below 0\.5"))
    expect(found.first).to_be_visible()
    to_do = Path(download(page.get_by_role("button", name="To-do list (CSV)")).path())
    listed = list(csv.DictReader(to_do.read_text("utf-8").splitlines()))
    assert {row["release"] for row in listed} == {"copy"}
    assert {row["suffices"] for row in listed} == {"yes"}
    assert all(not row["worst alc"] or float(row["worst alc"]) < 0.5 for row in listed)
    assert outside == []
