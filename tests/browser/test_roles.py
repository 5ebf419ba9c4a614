"""Roles of columns, from the table on the Data page to the attacks that are run."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import drawn, open_advanced

pytestmark = pytest.mark.browser


def test_roles_decide_what_is_attacked_and_what_attackers_know(page: Page, server, outside):
    page.goto(server.address)
    page.get_by_role("button", name="Try the demo").click()
    expect(page.get_by_role("heading", name="Attack", exact=True)).to_be_visible()
    side = page.get_by_test_id("stSidebar")
    side.get_by_role("link", name="Data").first.click()
    expect(page.get_by_role("heading", name="3 Columns")).to_be_visible()
    expect(page.get_by_text("2 to be protected, 7 known and protected")).to_be_visible()

    # Education is nobody's business any more
    drawn(page)
    page.get_by_label("Role of educ").select_option("to be protected")
    expect(page.get_by_text("3 to be protected, 6 known and protected")).to_be_visible()
    drawn(page)

    # Only those, by attackers who know all that others can know
    side.get_by_role("link", name="Attack").first.click()
    expect(page.get_by_role("button", name="Run the attacks")).to_be_enabled()
    drawn(page)
    open_advanced(page)
    attacked = page.get_by_role("radio", name="The 3 to be protected")
    expect(attacked).to_be_checked()  # as the user said what is
    chosen = page.get_by_test_id("stMultiSelect").filter(
        has_text="What do attackers want to infer?"
    )
    for column in ("religious", "educ", "affairs"):
        expect(chosen.get_by_text(column, exact=True)).to_be_visible()
    expect(chosen.get_by_text("occupation", exact=True)).to_have_count(0)
    drawn(page)
    page.get_by_text("A colleague", exact=True).click()
    expect(page.get_by_text(re.compile("^18 attacks on 3 unknown columns"))).to_be_visible()
    drawn(page)
    page.get_by_text("Someone who knows everything else", exact=True).click()
    expect(page.get_by_text(re.compile("^9 attacks on 3 unknown columns"))).to_be_visible()
    page.get_by_role("button", name="Run the attacks").click()
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    page.get_by_role("button", name="Worst attack").first.click()
    expect(page.get_by_role("heading", name="One attack", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile(" 6 facts[, ]"))).to_be_visible()
    assert outside == []


def test_a_role_is_set_for_all_ticked_columns(page: Page, server):
    page.goto(server.address)
    page.get_by_role("button", name="Try the demo").click()
    expect(page.get_by_role("heading", name="Attack", exact=True)).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Data").first.click()
    expect(page.get_by_text("2 to be protected, 7 known and protected")).to_be_visible()
    drawn(page)
    for column in ("age", "educ", "children"):
        page.get_by_label(f"Choose {column}", exact=True).check()
    page.get_by_label("Role of age").select_option("to be protected")
    expect(page.get_by_text("5 to be protected, 4 known and protected")).to_be_visible()
    page.get_by_label("Role of occupation", exact=True).select_option("to be protected")
    expect(page.get_by_text("6 to be protected, 3 known and protected")).to_be_visible()


def test_a_mistake_is_shown_where_it_is_made_and_stops(page: Page, server):
    page.goto(server.address)
    page.get_by_role("button", name="Try the demo").click()
    expect(page.get_by_role("heading", name="Attack", exact=True)).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Data").first.click()
    going_on = page.get_by_role("button", name="Continue", exact=True)
    expect(going_on).to_be_in_viewport()
    roles = page.get_by_label(re.compile("^Role of "))
    expect(roles).to_have_count(9)
    for column in roles.all():  # faster than pages are drawn: none is lost
        column.select_option("may be known")
    expect(page.get_by_role("alert").filter(has_text="is to be protected")).to_be_in_viewport()
    expect(going_on).to_have_count(0)
    page.get_by_label("Role of affairs").select_option("to be protected")
    expect(going_on).to_be_visible()
    page.get_by_label("Kind of affairs").select_option("categorical")
    drawn(page)
    expect(page.get_by_label("Kind of affairs")).to_have_value("categorical")
