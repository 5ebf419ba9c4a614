"""From a term to its exact definition in two clicks."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import drawn

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [800, 1440])
def test_a_term_opens_its_definition(page: Page, server, width):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(server.address)
    drawn(page)
    page.get_by_role("button", name="Terms explained").click()
    page.set_viewport_size({"width": width, "height": 900})
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Rows traced").click()
    heading = opened.value.get_by_role("heading", name="Attack: record linkage")
    expect(heading).to_be_in_viewport()
    assert opened.value.url.endswith("/methods#attack-record-linkage")
    main = opened.value.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth - e.clientWidth") == 0
