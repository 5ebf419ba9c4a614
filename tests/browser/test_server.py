"""What the server keeps to itself: nothing from elsewhere, no file on disk, downloads for one."""

import urllib.request
from urllib.error import HTTPError

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import START, Server
from tests.browser.steps import ORIGINAL, open_page, upload, visit

pytestmark = pytest.mark.browser

ON_DISK = "An upload went into a file."
WATCHED = f"""
import tempfile
def to_disk(file):
    print({ON_DISK!r}, flush=True)
tempfile.SpooledTemporaryFile.rollover = to_disk
{START}"""


@pytest.fixture
def watched(tmp_path):
    running = Server(tmp_path, start=WATCHED)
    yield running
    running.stop()


def test_uploads_stay_in_memory_and_downloads_with_their_browser(page, watched, tmp_path):
    open_page(page, watched)
    large = tmp_path / "large.csv"
    large.write_text("age,job\n" + "31,clerk of the works\n" * 150_000)
    upload(page, ORIGINAL, large)
    assert ON_DISK not in watched.log
    visit(page, "Trade-offs")
    page.get_by_role("button", name="Save chart").first.click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Data (CSV)").locator("visible=true").first.click()
    address = saving.value.url
    assert page.request.get(address).status == 200
    with pytest.raises(HTTPError, match="404"):
        urllib.request.urlopen(address)
    page.get_by_role("button", name="Remove all data").click()
    page.get_by_role("button", name="Yes, remove all").click()
    expect(page.get_by_text("All data were removed from memory.")).to_be_visible()
    assert page.request.get(address).status == 404


def test_a_picture_from_elsewhere_is_not_asked_for(page, server, outside):
    open_page(page, server)
    blocked = page.evaluate(
        """() => new Promise(resolve => {
            addEventListener("securitypolicyviolation", event => resolve(event.blockedURI));
            document.body.insertAdjacentHTML("beforeend", "<img src='http://example.org/a.png'>");
        })"""
    )
    assert blocked == "http://example.org/a.png"
    assert not outside
