"""From a term to its exact definition in two clicks."""

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as TooLateError

from tests.browser.steps import drawn, in_popover

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [800, 1440])
def test_a_term_opens_its_definition(page: Page, server, width):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(server.address)
    drawn(page)
    link = page.get_by_role("link", name="Rows traced")

    def follow(within: float) -> None:
        page.set_viewport_size({"width": width, "height": 900})
        try:
            link.click(timeout=within)
        except TooLateError:
            page.set_viewport_size({"width": 1440, "height": 900})
            raise

    with page.context.expect_page() as opened:
        in_popover(page, "Terms explained", follow)
    heading = opened.value.get_by_role("heading", name="Attack: record linkage")
    expect(heading).to_be_in_viewport()
    assert opened.value.url.endswith("/methods#attack-record-linkage")
    main = opened.value.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth - e.clientWidth") == 0
