"""People who are in neither table: uploaded, compared, read."""

import re

import pytest
from playwright.sync_api import Page, expect

import alc_core as alc
from tests.browser.steps import open_study, visit

pytestmark = pytest.mark.browser

ORIGINAL = re.compile("^Choose the file(?! or)")


def file(name, frame):
    return {"name": name, "mimeType": "text/csv", "buffer": frame.to_csv(index=False).encode()}


def upload(page, label, given):
    uploader = page.get_by_test_id("stFileUploader").filter(has_text=label)
    uploader.locator("input[type=file]").set_input_files(given)


def test_members_are_compared_with_others(page: Page, server, outside, people):
    frame = people(600, 1)
    page.goto(server.address)
    expect(page.get_by_role("heading", name="What does your release give away?")).to_be_visible()
    visit(page, "Data")
    upload(page, ORIGINAL, file("people.csv", frame))
    expect(page.get_by_role("heading", name="2 Columns")).to_be_visible()
    weak = alc.swap_columns(frame, 0.05, seed=1)
    upload(page, "Choose the file or files", file("release.csv", weak))
    expect(page.get_by_text("2 What we noticed")).to_be_visible()
    page.get_by_text("1 Files").click()
    page.get_by_text("Holdout: people in neither table").click()
    upload(page, "Choose the holdout's file", file("others.csv", people(500, 2)))
    expect(page.get_by_text("released as release, with a holdout")).to_be_visible()

    open_study(page, "Holdout")
    page.get_by_role("button", name="Compare members and others").click()
    expect(page.get_by_text("Members are guessed more often than others")).to_be_visible()
    expect(page.get_by_text("the release remembers people")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(2)

    page.get_by_role("button", name="Remove all data").click()
    page.get_by_role("button", name="Yes, remove all").click()
    expect(page.get_by_text("needs an original, a release and a holdout")).to_be_visible()
    assert not outside
