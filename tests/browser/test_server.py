"""What the server keeps to itself: nothing from elsewhere, no file on disk, downloads for one."""

import signal
import time
import urllib.request
from urllib.error import HTTPError

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LONG, ROOT, START, Server
from tests.browser.steps import ORIGINAL, ask_for_everything, drawn, open_page, upload, visit

pytestmark = pytest.mark.browser

PAGES = ["", *sorted({path.stem for path in (ROOT / "pages").glob("*.py")} - {"start"})]

BLOCKED = "Blocked by policy: "
REPORT_BLOCKED = f"""
addEventListener("securitypolicyviolation", event => {{
    const tried = event.effectiveDirective === "script-src" && /eval$/.test(event.blockedURI);
    if (!tried) console.error({BLOCKED!r} + event.effectiveDirective + " " + event.blockedURI);
}})"""
"""Streamlit's scripts try whether text can be run as script, and do without."""

TIDY = "Everything was tidied up."
TIDYING = f"import atexit; atexit.register(print, {TIDY!r})\n"
HELD = "Sessions that hold something: "
FORGETFUL = f"""
import threading, time, weakref
from streamlit.runtime.app_session import AppSession
from alc_core.dashboard.state import registry
registry.KEPT, registry._SWEEP_EVERY = 1.0, 0.2
begun, begin = weakref.WeakSet(), AppSession.__init__
def beginning(self, *given, **named):
    begin(self, *given, **named)
    begun.add(self)
AppSession.__init__ = beginning
def holds(session):
    return bool(session._fragment_storage._fragments or session.session_state.filtered_state)
def tell():
    while True:
        time.sleep(0.2)
        print({HELD!r} + str(sum(map(holds, begun))), flush=True)
threading.Thread(target=tell, daemon=True).start()
{START}"""


def test_uploads_stay_in_memory_and_downloads_with_their_browser(page, server, tmp_path):
    open_page(page, server)
    large = tmp_path / "large.csv"
    large.write_text("age,job\n" + "31,clerk of the works\n" * 150_000)
    upload(page, ORIGINAL, large)
    drawn(page)  # Its check may lose a click
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
    expect(page.get_by_text("All data removed.")).to_be_visible()
    expect(page.get_by_text("large.csv", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Yes, remove all")).to_have_count(0)
    assert page.request.get(address).status == 404


def test_a_review_is_found_again_though_its_old_page_seems_to_be_there(page, server, tmp_path):
    """As after a lost connection that a busy server has not noticed, or in a second tab."""
    open_page(page, server)
    table = tmp_path / "people.csv"
    table.write_text("age,job\n" + "31,clerk\n" * 50)
    upload(page, ORIGINAL, table)
    second = page.context.new_page()
    second.goto(page.url)
    there, own = "This review is open elsewhere", second.get_by_test_id("stMain")
    expect(second.get_by_role("heading", name=there)).to_be_visible()
    assert second.url == page.url, "the address still leads there"
    second.get_by_role("button", name="Continue here").click()
    expect(own.get_by_text("people").locator("visible=true").first).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name=there)).to_be_visible()
    second.close()
    expect(page.get_by_role("heading", name=there)).to_have_count(0)
    mine = page.get_by_test_id("stMain").get_by_text("people").locator("visible=true")
    expect(mine.first).to_be_visible()


def test_a_picture_from_elsewhere_is_not_asked_for(page, server):
    open_page(page, server)
    failed = []
    page.on("requestfailed", lambda request: failed.append((request.url, request.failure)))
    blocked = page.evaluate(
        """() => new Promise(resolve => {
            addEventListener("securitypolicyviolation", event => resolve(event.blockedURI));
            document.body.insertAdjacentHTML("beforeend", "<img src='http://example.org/a.png'>");
        })"""
    )
    assert blocked == "http://example.org/a.png"
    assert failed == [("http://example.org/a.png", "csp")]


def test_no_page_needs_what_the_policy_forbids(page, server, outside):
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: message.text.startswith(BLOCKED) and complaints.append(message.text),
    )
    page.add_init_script(REPORT_BLOCKED)
    page.goto(server.address)
    page.get_by_role("button", name="Try the demo").click()
    page.get_by_role("button", name="Run the attacks").click()
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    session = page.url.partition("?")[2]
    for name in PAGES:
        page.goto(f"{server.address}/{name}?{session}")
        expect(page.get_by_test_id("stHeading").first).to_be_visible()
        drawn(page)
        for chart in page.locator(".js-plotly-plot:visible").all():
            expect(chart.locator(".main-svg").first).to_be_visible()
    visit(page, "Decision")
    ask_for_everything(page)
    expect(page.get_by_text("Updating")).to_be_visible()
    expect(page.get_by_test_id("stDownloadButton").filter(has_text="PDF")).to_be_visible()
    preview = page.frame_locator("iframe")
    page.locator("iframe").scroll_into_view_if_needed()  # a frame out of sight is not drawn
    preview.locator(".chart").first.evaluate("chart => chart.scrollIntoView({block: 'center'})")
    expect(preview.locator(".chart .main-svg").first).to_be_visible()
    assert not complaints
    assert not outside


def test_a_first_click_arrives_and_nothing_is_held_of_a_session_that_is_forgotten(page, tmp_path):
    running = Server(tmp_path, start=TIDYING + FORGETFUL)
    page.goto(running.address)
    visit(page, "Data")
    drawn(page)
    page.get_by_role("button", name="Use demo data").click()
    expect(page.get_by_role("button", name="Continue", exact=True)).to_be_visible()
    assert f"{HELD}1\n" in running.lines
    page.goto("about:blank")
    deadline = time.monotonic() + LONG / 1000
    while running.lines[-1] != f"{HELD}0\n":
        assert time.monotonic() < deadline, running.lines[-1]
        time.sleep(0.1)
    assert_tidied_up(running, signal.SIGINT)


def assert_tidied_up(running, number):
    running.signal(number)
    assert running.wait() == 0
    running.stop()
    assert TIDY in running.log


def test_a_deep_link_opens_a_fresh_server_and_a_signal_lets_it_tidy_up(page, outside, tmp_path):
    running = Server(tmp_path, start=TIDYING + START)
    page.goto(f"{running.address}/methods?session=of-an-earlier-server#precision")
    expect(page.get_by_role("heading", name="Methods", exact=True)).to_be_visible()
    visit(page, "Findings")
    expect(page.get_by_text("No results yet.")).to_be_visible()
    assert_tidied_up(running, signal.SIGTERM)
    assert outside == []
