"""The Report page: declarations, contents, the document made in the background."""

import re
import threading

import pytest

from alc_core.dashboard.decision import report
from alc_core.dashboard.decision.report import HTML_TASK, PDF_TASK
from alc_core.dashboard.decision.report_screen import ReportScreen
from alc_core.report.options import kept_details
from alc_core.report.pdf import pdf_of
from alc_core.report.sections import Depth, Section
from tests.app.conftest import opened
from tests.toys.campaigns import run_quickly


@pytest.fixture(scope="module")
def file(people, tmp_path_factory):
    frame = people(900)
    path = tmp_path_factory.mktemp("campaign") / "campaign.alc"
    run_quickly(frame, {"copy": frame.copy()}, path).close()
    return path


@pytest.fixture(autouse=True)
def printed(monkeypatch):
    """What the browser of this machine was given to print; it prints at once."""
    given = []

    def pdf_of(html, *, reporter):
        given.append(html)
        return b"%PDF-"

    monkeypatch.setattr(report, "pdf_of", pdf_of)
    monkeypatch.setattr(report, "find_chromium", lambda: "chromium")
    return given


@pytest.fixture
def shown(app, file):
    with opened(app, file):
        app.go_to("decision")
        yield app


def screen(app) -> ReportScreen:
    return app.state.screen(ReportScreen)


def make(app, label="Make the report") -> str:
    app.click(label)
    app.finish_task(HTML_TASK)
    return screen(app).made.html


def test_without_a_campaign_the_way_is_shown(app):
    app.go_to("decision")
    assert "A report is about a campaign" in app.texts
    assert not app.downloads


def test_the_page_makes_a_report_to_download_and_shows_it(shown):
    assert shown.downloads == []
    assert "uses the run's parameters" in shown.texts
    made = make(shown)
    assert made.startswith("<!doctype html>")
    assert "Download HTML" in shown.downloads
    assert screen(shown).made.options.depth is Depth.ONE_PAGE
    (frame,) = shown.test.get("iframe")
    assert "/media/" in frame.proto.src, "the server shuts in what it offers there"
    assert "Make it again" in shown.buttons
    assert "Out of date" not in shown.texts


def test_what_is_declared_is_kept_in_the_campaign_and_makes_the_report_out_of_date(shown):
    make(shown)
    shown.choose("text_input", "ReportScreen_purpose", "Open <b>data</b>")
    kept = kept_details(shown.state.campaign.view.store)
    assert kept.purpose == "Open <b>data</b>"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept.date)
    assert "Out of date" in shown.texts
    assert "Open &lt;b&gt;data&lt;/b&gt;" in make(shown, "Make it again")
    assert "Out of date" not in shown.texts

    shown.go_to("attack")
    shown.go_to("decision")
    assert shown.widget("text_input", "ReportScreen_purpose").value == "Open <b>data</b>"
    assert screen(shown).made is not None


def test_depth_and_sections_are_chosen(shown):
    shown.choose("radio", "ReportScreen_depth", Depth.FULL)
    sections = [Section.VERDICT, Section.DATA]
    shown.choose("button_group", "ReportScreen_full", sections)
    made = make(shown)
    assert re.findall(r'<h2 id="([\w-]+)"', made) == ["verdict", "data"]
    assert "--section verdict" not in made  # how to reproduce it was left out
    shown.choose("button_group", "ReportScreen_full", [])
    assert "Choose at least one section." in shown.texts
    assert "Make it again" not in shown.buttons


def test_what_if_parameters_are_said_and_used(shown):
    shown.go_to("findings")
    shown.choose("slider", "Rescoring_alpha", 2.0)
    shown.go_to("decision")
    assert "what-if parameters (alpha 2)" in shown.texts
    made = make(shown)
    assert "Scored with other parameters than the run: alpha 2" in made
    shown.choose("radio", "ReportScreen_depth", Depth.FULL)
    assert "--alpha 2.0" in make(shown, "Make it again"), "the command that makes it again"


def test_without_a_browser_the_page_says_how_to_print(shown, monkeypatch):
    monkeypatch.setattr(report, "find_chromium", lambda: None)
    make(shown)
    assert "Make PDF" not in shown.buttons
    assert "Open the HTML file in any browser and print it" in shown.texts


def test_the_pdf_follows_the_document_and_belongs_to_it(shown, printed):
    made = make(shown)
    shown.finish_task(PDF_TASK)
    assert printed == [made]
    assert shown.downloads == ["Download HTML", "Download PDF"]
    assert "Make PDF" not in shown.buttons
    shown.choose("radio", "ReportScreen_depth", Depth.FULL)
    again = make(shown, "Make it again")
    shown.finish_task(PDF_TASK)
    assert printed == [made, again]


def test_a_browser_that_cannot_start_is_told_in_a_sentence(shown, monkeypatch):
    monkeypatch.setattr(report, "pdf_of", pdf_of)
    monkeypatch.setenv("ALC_CHROMIUM", "/nowhere/chromium")
    make(shown)
    shown.finish_task(PDF_TASK)
    assert "cannot be started" in shown.texts
    assert "Download PDF" not in shown.downloads
    shown.click("Make PDF")
    shown.finish_task(PDF_TASK)
    assert "cannot be started" in shown.texts


def test_a_document_made_anew_is_printed_though_the_one_before_still_is(shown, monkeypatch):
    given, go_on = [], threading.Event()

    def slow(html, *, reporter):
        given.append(html)
        if len(given) == 1:
            assert go_on.wait(300)
        return html.encode()

    monkeypatch.setattr(report, "pdf_of", slow)
    first = make(shown)
    assert "Download PDF" not in shown.downloads
    shown.choose("radio", "ReportScreen_depth", Depth.FULL)
    again = make(shown, "Make it again")
    go_on.set()
    shown.finish_task(PDF_TASK)
    assert given == [first, again]
    made, pdf = screen(shown).pdf
    assert (made.html, pdf) == (again, again.encode())
