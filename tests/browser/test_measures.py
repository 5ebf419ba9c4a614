"""RAPID and relative threat of the demo, by clicks alone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import open_study, visit

pytestmark = pytest.mark.browser


def test_rapid_and_relative_threat_of_the_demo(page: Page, server, outside):
    page.goto(server.address)
    expect(page.get_by_role("heading", name="What does your release give away?")).to_be_visible()
    visit(page, "Data")
    page.get_by_role("button", name="Use demo data").click()
    expect(page.get_by_role("heading", name="3 Columns")).to_be_visible()

    open_study(page, "RAPID")
    page.get_by_role("combobox", name="Learner").click()
    page.get_by_role("option", name="Decision tree").click()
    page.get_by_role("button", name="Measure RAPID").click()
    expect(page.get_by_text("At risk from the release").first).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(3)

    open_study(page, "Relative threat")
    page.get_by_role("button", name="Run the example").click()
    expect(page.get_by_text("attacker: Heart (58").first).to_be_visible()
    page.get_by_role("button", name="Run the chains").click()
    expect(page.get_by_role("heading", name="What if: one person")).to_be_visible()
    expect(page.get_by_text("Global threat, attacker").first).to_be_visible()
    assert not outside
