"""Roles of columns, from the table on the Data page to the attacks that are run."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import drawn, open_advanced

pytestmark = pytest.mark.browser

ROW = 35
"""Height in pixels of a row of Streamlit's editor, its head being the first."""


def set_role(page: Page, editor: Locator, column: int, role: str) -> None:
    """Choose the role of a column in the editor, by its place from the top."""
    # The editor is drawn on a canvas; what it says stands in a table for screen readers.
    canvas = editor.get_by_test_id("data-grid-canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.dblclick(box["x"] + box["width"] * 0.4, box["y"] + ROW * (column + 1.5))
    listed = page.locator("#portal")
    listed.get_by_role("combobox").fill(role)
    page.keyboard.press("Enter")
    expect(listed.get_by_role("combobox")).to_have_count(0)


def test_roles_decide_what_is_attacked_and_what_attackers_know(page: Page, server, outside):
    page.goto(server.address)
    page.get_by_role("button", name="Try the demo").click()
    expect(page.get_by_role("heading", name="Attack", exact=True)).to_be_visible()
    side = page.get_by_test_id("stSidebar")
    side.get_by_role("link", name="Data").first.click()
    expect(page.get_by_role("heading", name="Columns of the original")).to_be_visible()
    expect(page.get_by_text("9 columns are to be protected, and 7 may be among")).to_be_visible()

    # Education is nobody's business any more
    editor = page.get_by_test_id("stDataFrame").filter(has=page.locator("[role=grid]")).last
    drawn(page)
    set_role(page, editor, 5, "to be protected")
    expect(page.get_by_text("9 columns are to be protected, and 6 may be among")).to_be_visible()
    drawn(page)

    # Only those, by attackers who know all that others can know
    side.get_by_role("link", name="Attack").first.click()
    expect(page.get_by_role("button", name="Run the campaign")).to_be_enabled()
    drawn(page)
    open_advanced(page)
    page.get_by_role("button", name="Only those to be protected").click()
    chosen = page.get_by_test_id("stMultiSelect").filter(has_text="Which columns are attacked?")
    for column in ("religious", "educ", "affairs"):
        expect(chosen.get_by_text(column, exact=True)).to_be_visible()
    expect(chosen.get_by_text("occupation", exact=True)).to_have_count(0)
    drawn(page)
    page.get_by_text("A colleague", exact=True).click()
    expect(page.get_by_text(re.compile("^18 attacks: 3 unknown columns in 6"))).to_be_visible()
    drawn(page)
    page.get_by_text("Someone who knows all else", exact=True).click()
    expect(page.get_by_text(re.compile("^9 attacks: 3 unknown columns in 3"))).to_be_visible()
    page.get_by_role("button", name="Run the campaign").click()
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    expect(page.get_by_text("All 9 attacks with a result")).to_be_visible()
    page.get_by_role("button", name="Open the worst attack").click()
    expect(page.get_by_role("heading", name="One attack", exact=True)).to_be_visible()
    told = page.get_by_text(re.compile("^Wants to learn (religious|educ|affairs) from")).first
    known = "rate_marriage, age, yrs_married, children, occupation and occupation_husb"
    expect(told).to_contain_text(f"knows {known}.")
    assert outside == []
