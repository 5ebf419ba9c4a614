"""The report beside the decisions: made by itself, never offered once something has changed."""

import json
import re

import pytest

from alc_core.candidates.decision import ReleaseChoice
from alc_core.candidates.lines import release_order
from alc_core.dashboard.decision import report
from alc_core.dashboard.decision.report import REPORT_TASK, ReportScreen, ask
from alc_core.dashboard.parts.header import SETTLING
from alc_core.errors import InputError
from alc_core.report.dpia import dpia_json
from alc_core.report.html.document import report_html
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

    monkeypatch.setattr(report, "ask", ask)
    monkeypatch.setattr(report, "PATIENCE", 0.0)
    monkeypatch.setattr(report, "pdf_of", pdf_of)
    monkeypatch.setattr(report, "find_chromium", lambda: "chromium")
    return given


@pytest.fixture
def shown(app, file):
    with opened(app, file):
        app.go_to("decision")
        app.finish_task(REPORT_TASK)
        yield app
        app.state.tasks.forget(REPORT_TASK)


def screen(app) -> ReportScreen:
    return app.state.screen(ReportScreen)


def made_anew(app) -> str:
    """Wait until the report is what the page says, and return the document."""
    app.finish_task(REPORT_TASK)
    return screen(app).made.html


def test_it_is_made_by_itself_to_download_and_shown(shown):
    made = screen(shown).made.html
    assert made.startswith("<!doctype html>")
    assert shown.downloads[:2] == ["PDF", "HTML"]
    (frame,) = shown.test.get("iframe")
    assert "/media/" in frame.proto.src, "the server shuts in what it offers there"


def test_once_anything_changes_the_previous_one_is_not_offered(shown, printed):
    first = screen(shown).made
    shown.choose("text_input", "ReportScreen_purpose", "Open <b>data</b>")
    assert not {"PDF", "HTML"} & set(shown.downloads) or screen(shown).made is not first
    kept = kept_details(shown.state.campaign.view.store)
    assert kept.purpose == "Open <b>data</b>"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept.date)
    again = made_anew(shown)
    assert "Open &lt;b&gt;data&lt;/b&gt;" in again
    assert shown.downloads[:2] == ["PDF", "HTML"]
    assert printed == [first.html, again]

    shown.choose("pills", "on copy_ReleaseForm_choice", ReleaseChoice.NOT)
    assert "Do not publish copy." in made_anew(shown)

    shown.go_to("attack")
    shown.go_to("decision")
    assert shown.widget("text_input", "ReportScreen_purpose").value == "Open <b>data</b>"
    assert shown.downloads[:2] == ["PDF", "HTML"]


def test_while_it_is_made_the_buttons_wait(shown, monkeypatch):
    monkeypatch.setattr(report, "PATIENCE", 300.0)
    shown.choose("text_input", "ReportScreen_purpose", "Open data")
    assert not {"PDF", "HTML"} & set(shown.downloads)
    assert shown.buttons["PDF"].disabled
    assert "Updating" in shown.texts
    assert shown.test.get("iframe"), "the one before may be read"
    monkeypatch.setattr(report, "PATIENCE", 0.0)
    shown.choose("text_input", "ReportScreen_purpose", "Closed data")
    assert "Closed data" in made_anew(shown)


def test_depth_and_sections_are_chosen(shown):
    assert screen(shown).depth is Depth.SHORT
    shown.choose("radio", "ReportScreen_depth", Depth.FULL)
    sections = [Section.VERDICT, Section.DATA]
    shown.choose("button_group", "ReportScreen_full", sections)
    made = made_anew(shown)
    assert re.findall(r'<h2 id="([\w-]+)"', made) == ["verdict", "data"]
    assert "--section verdict" not in made  # how to reproduce it was left out
    shown.choose("button_group", "ReportScreen_full", [])
    assert "Choose a section." in shown.texts
    assert not {"PDF", "HTML"} & set(shown.downloads)


def test_what_if_parameters_are_said_and_used(shown):
    shown.go_to("findings")
    shown.choose("slider", "rescoring_alpha", 2.0)
    shown.finish_task(SETTLING)
    shown.go_to("decision")
    assert "Scored by your “What if?” (alpha 2)" in shown.texts
    made = made_anew(shown)
    assert "Scored with other parameters: alpha 2" in made
    assert "--alpha 2.0" in made, "the command that makes it again"


def test_without_a_browser_the_page_says_how_to_print(shown, monkeypatch):
    monkeypatch.setattr(report, "find_chromium", lambda: None)
    shown.choose("text_input", "ReportScreen_purpose", "Open data")
    made_anew(shown)
    assert "PDF" not in shown.downloads
    assert "HTML" in shown.downloads
    assert "Or print the HTML file" in shown.texts


def test_a_browser_that_cannot_start_is_told_in_a_sentence(shown, monkeypatch):
    monkeypatch.setattr(report, "pdf_of", pdf_of)
    monkeypatch.setenv("ALC_CHROMIUM", "/nowhere/chromium")
    shown.choose("text_input", "ReportScreen_purpose", "Open data")
    made_anew(shown)
    assert "cannot be started" in shown.texts
    assert "PDF" not in shown.downloads


def test_a_report_that_failed_is_asked_for_again_by_a_click(shown, monkeypatch):
    def broken(view, options, *, reporter):
        raise InputError("It failed.")

    monkeypatch.setattr(report, "report_html", broken)
    shown.choose("text_input", "ReportScreen_purpose", "Open data")
    shown.finish_task(REPORT_TASK)
    assert "It failed." in shown.texts
    assert not {"PDF", "HTML"} & set(shown.downloads)
    monkeypatch.setattr(report, "report_html", report_html)
    shown.click("Make it now")
    assert "Open data" in made_anew(shown)


def test_the_annex_of_a_dpia_is_offered_at_once(shown):
    assert {"Text to paste", "File for CNIL's PIA tool"} <= {*shown.downloads}
    assert "Annex for a DPIA" in shown.popovers
    view = shown.state.campaign.view
    details = screen(shown).details
    found = json.loads(dpia_json(view, view.settings.scoring, details))
    assert found["pia"]["created_at"].startswith(details.date)


def test_each_release_has_a_page_of_its_own_worst_first(shown):
    assert "One page per release" in shown.popovers
    view = shown.state.campaign.view
    order = release_order(view, view.settings.scoring)
    offered = [label.replace("\\", "") for label in shown.downloads]
    assert [name for name in offered if name in order] == list(order)
