"""A study of learning attacks on the demo, and a test release, by clicks alone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import enter, open_study, unfold, visit

pytestmark = pytest.mark.browser


def test_a_test_release_and_a_study_of_the_demo(page: Page, server, outside):
    page.goto(server.address)
    expect(page.get_by_role("heading", name="What does your release give away?")).to_be_visible()
    visit(page, "Data")
    page.get_by_role("button", name="Use demo data").click()
    expect(page.get_by_role("heading", name="3 Columns")).to_be_visible()
    page.get_by_text("1 Files").click()
    unfold(page, "Make a test release from the original")
    enter(page.get_by_role("spinbutton", name="Diversity ℓ"), "2")
    page.get_by_role("button", name="Make the test release").click()
    expect(page.get_by_text("Anatomy ℓ = 2").first).to_be_visible()

    open_study(page, "Learning attacks")
    page.get_by_role("button", name="Run the study").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(5)
    expect(page.get_by_text("From counts published with ε = 1").first).to_be_visible()
    assert not outside
