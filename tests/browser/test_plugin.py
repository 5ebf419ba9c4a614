"""An attack in a file of one's own, in the dashboard."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.steps import choose, open_advanced, visit
from tests.unit.cli.test_plugins import PLUGIN

pytestmark = pytest.mark.browser

START = (
    "import alc_core.cli as cli; "
    "cli.main(['dashboard', '--no-browser', '--port', '{port}', '--plugin', 'mine.py'])"
)


def test_an_attack_of_a_file_can_be_chosen(page: Page, tmp_path):
    (tmp_path / "mine.py").write_text(PLUGIN)
    server = Server(tmp_path, start=START)
    try:
        page.goto(server.address)
        visit(page, "Data")
        page.get_by_role("button", name="Use demo data").click()
        expect(page.get_by_role("heading", name="3 Columns")).to_be_visible()
        visit(page, "Attack")
        open_advanced(page)
        page.get_by_role("tab", name="Attacks").click()
        choose(page, "Which attacks are run?", "constant guess")
        chosen = page.get_by_test_id("stMultiSelect").get_by_text("constant guess", exact=True)
        expect(chosen.first).to_be_visible()
    finally:
        server.stop()
