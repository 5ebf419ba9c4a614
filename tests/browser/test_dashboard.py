import json
import re
import socket
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from alc_core import Assessment, load_demo
from tests.browser.steps import (
    ORIGINAL,
    RELEASE,
    drawn,
    open_page,
    run_one_attack,
    slide_to_least,
    unfold,
    upload,
    visit,
)

pytestmark = pytest.mark.browser


def open_attack(page: Page) -> None:
    page.get_by_role("button", name="Worst attack").first.click()
    expect(page.get_by_role("heading", name="One attack", exact=True)).to_be_visible()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    demo = load_demo("fair")
    original, release = tmp_path / "people.csv", tmp_path / "release.csv"
    demo.original.frame.to_csv(original, index=False)
    demo.releases["20% swapped"].tables[0].frame.to_csv(release, index=False)
    return original, release


def test_from_two_files_to_a_verdict(page: Page, server, files, outside, tmp_path):
    open_page(page, server)
    upload(page, ORIGINAL, files[0])
    upload(page, RELEASE, files[1])
    run_one_attack(page, "rate_marriage", "occupation_husb")
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    chips = page.get_by_role("status").filter(has_text="Below limit")
    rows = page.locator(".st-key-lines").or_(page.get_by_test_id("stHtml"))
    expect(rows.filter(has_text="Examine first").first).to_be_visible()
    open_attack(page)
    expect(chips.first).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile(r"\d facts"))).to_be_visible()
    unfold(page, "Evidence")
    expect(page.get_by_text(re.compile(r"Knowing \d facts, an attacker infers"))).to_be_visible()
    number = (
        page.get_by_test_id("stMetric").filter(has_text="ALC").first.get_by_test_id("stMetricValue")
    )
    before = number.inner_text()

    page.get_by_role("button", name="What if?").click()
    slide_to_least(page, "alpha", page.get_by_text("What if: alpha 0.5").first)
    expect(page.get_by_role("button", name="Reset to the run's parameters")).to_be_enabled()
    expect(number).not_to_have_text(before)

    page.keyboard.press("Escape")
    drawn(page)  # until then what was drawn before may stand beside it
    with page.expect_download() as started:
        page.get_by_role("button", name="This attack (JSON)").click()
    path = tmp_path / "result.json"
    started.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    result = Assessment.from_json(text)
    assert result.scoring.alpha == pytest.approx(0.5)
    assert json.loads(text)["verdict"] == str(result.verdict)
    assert number.inner_text() == ("no loss" if result.alc <= 0 else f"{result.alc:.2f}")

    page.get_by_role("button", name="What if?").click()
    page.get_by_role("button", name="Reset to the run's parameters").click()
    expect(number).to_have_text(before)
    assert outside == []


class LateLine:
    """A line on which the browser's last request to redraw a part of a page comes again, late.

    It comes in the moment in which the server begins the next page by itself, as it does where the
    browser has not heard of that page yet. ``answers`` counts the runs of a page that was left.
    """

    def __init__(self) -> None:
        self.redraw, self.left, self.page, self.answers = b"", "", "", 0

    def __call__(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def to_server(data: bytes | str) -> None:
            asked = BackMsg.FromString(data).rerun_script
            if asked.is_auto_rerun:
                self.redraw, self.page = data, asked.page_script_hash
            server.send(data)

        def to_browser(data: bytes | str) -> None:
            message = ForwardMsg.FromString(data)
            page = message.new_session.page_script_hash
            if self.left and message.metadata.run.fragment_ids:
                self.answers += page == self.left
            elif self.redraw and page and page != self.page and not self.left:
                self.left = self.page
                server.send(self.redraw)
            browser.send(data)

        browser.on_message(to_server)
        server.on_message(to_browser)


def test_findings_stay_where_the_page_before_is_asked_for_late(page, server, tmp_path, people):
    files = tmp_path / "people.csv", tmp_path / "copy.csv"
    for file in files:
        people(300).to_csv(file, index=False)
    line = LateLine()
    page.route_web_socket(re.compile("/_stcore/stream"), line)
    open_page(page, server)
    upload(page, ORIGINAL, files[0])
    upload(page, RELEASE, files[1])
    run_one_attack(page, "job", "hours")
    expect(page.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    drawn(page)
    unfold(page, "More")
    page.get_by_role("button", name="What if?").click()
    drawn(page)
    page.get_by_role("slider", name="alpha").press("ArrowLeft")
    expect(page.get_by_text(re.compile("^What if: alpha 2.9")).first).to_be_visible()
    assert line.left, "Campaign went to Findings while it was redrawn"
    assert line.answers == 0, "a run of the page before takes the page away"


def test_the_open_question_before_removal_takes_no_page_away(page: Page, server):
    open_page(page, server)
    for name in ("Findings", "Statistics", "Findings"):
        drawn(page)
        page.get_by_role("button", name="Remove all data").click()
        expect(page.get_by_role("button", name="Yes, remove all")).to_be_visible()
        page.wait_for_timeout(100)  # it leaves clicks alone that come within 50: nobody's
        visit(page, name)
        expect(page.get_by_role("button", name="Yes, remove all")).to_have_count(0)
        drawn(page)
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def test_what_would_leave_the_machine_is_seen_and_stopped(page: Page, server, outside):
    page.goto("about:blank")  # the dashboard's own pages may not even ask
    asked = """address => fetch(address, {mode: "no-cors"}).then(() => "there", () => "stopped")"""
    itself = f"{server.address.replace('127.0.0.1', 'localhost')}/"  # would answer
    elsewhere = [itself, "http://example.org/", "https://198.51.100.1/"]
    assert [page.evaluate(asked, each) for each in elsewhere] == ["stopped"] * 3
    # The page's own connection may open again at any moment: wait for this one.
    with page.expect_websocket(lambda opened: opened.url == "ws://example.org/"):
        page.evaluate("new WebSocket('ws://example.org/'), 0")
    assert outside == [*elsewhere, "ws://example.org/"]


def test_only_this_machine_is_served(server):
    port = int(server.address.rsplit(":", 1)[1])
    addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), port)}
    for address in addresses - {"127.0.0.1", "127.0.1.1", "::1"}:
        with socket.socket() as probe:
            probe.settimeout(3)
            assert probe.connect_ex((address, port)) != 0
