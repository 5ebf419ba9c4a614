"""The team's shelf: what a reviewer puts there, who goes on with it, what an auditor can do."""

import json
import sys
from datetime import date
from threading import Event
from types import SimpleNamespace

import pytest
import streamlit as st

from alc_core.campaign.file.file_errors import CampaignFileError
from alc_core.campaign.findings.decisions import Choice, decisions
from alc_core.campaign.findings.open_foreign import open_foreign
from alc_core.candidates.decision import ReleaseChoice, last_decider, release_decisions
from alc_core.dashboard.decision.report import ReportScreen, report_options
from alc_core.dashboard.parts import shelf as part
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.state import team
from alc_core.dashboard.state.campaign_state import CampaignEnd, CampaignFolder, CampaignRun
from alc_core.dashboard.state.jobs import Job
from alc_core.dashboard.state.session import Page, pages
from alc_core.dashboard.work.uploads import take_uploads, use_demo
from alc_core.errors import InputError
from alc_core.report.options import kept_details
from alc_core.team.audit import AuditLog, MinuteCount
from alc_core.team.settings import Login, Server, TeamSettings
from alc_core.team.shelf import Held, Shelf
from tests.app.conftest import App, opened

ADA, BOB, EVE = "ada@example.org", "bob@example.org", "eve@example.org"


@pytest.fixture
def ours(monkeypatch, tmp_path):
    """A team of which Eve is an auditor, by her group."""
    login = Login(
        by="header", domains=frozenset({"example.org"}), auditors=frozenset({"auditing"}),
        proxy_secret="s" * 32,
    )  # fmt: skip
    settings = TeamSettings(server=Server(public_url="https://alc.example.org"), login=login)
    log = tmp_path / "audit.jsonl"
    shelf = Shelf(tmp_path / "shelf", days=30)
    for name, value in {
        "settings": settings, "log": AuditLog(log), "shelf": shelf, "auditors": set(), "refused": 0,
        "refusals": MinuteCount(),
    }.items():  # fmt: skip
        monkeypatch.setattr(team.TEAM, name, value)

    def be(person):
        groups = "auditing" if person == EVE else ""
        monkeypatch.setattr(st, "user", {"email": person, "groups": groups})

    def logged(what):
        lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
        return [line for line in lines if line["what"] == what]

    be(ADA)
    return SimpleNamespace(be=be, logged=logged, shelf=shelf)


@pytest.fixture
def put(ours, app, review_file):
    """An app whose campaign Ada has put on the shelf."""
    with opened(app, review_file):
        app.go_to("decision")
        app.click("Share")
        yield app
        app.state.close_campaign()


def come(ours, person, label):
    """Open the one campaign of the shelf as somebody else."""
    ours.be(person)
    there = App()
    there.run_framed()
    button = next(button for name, button in there.buttons.items() if name.startswith(label))
    button.click()
    there.run()
    return there


def set_value(app, widget, value):
    """Set a widget as a browser that minds no rules does."""
    widget.proto.disabled = False
    widget.set_value(value)
    app.run()


def choose(app, choice):
    app.go_to("decision")
    set_value(app, app.widget("pills", "on copy_ReleaseForm_choice"), choice)
    app.run_framed()  # as the browser does


def test_names_in_an_uploaded_review_are_only_the_files(ours, app, review_file):
    with opened(app, review_file):
        choose(app, ReleaseChoice.PUBLISH)
        data = app.state.campaign.saved()
        for uploaded, name in ((False, ADA), (True, f"{ADA} (says an uploaded file)")):
            open_campaign(app.state, "r.alc", data, uploaded=uploaded)
            assert last_decider(app.state.campaign.view.store) == name


def test_decisions_reach_the_shelf_with_who_made_them_and_keep_the_old_ones(ours, put):
    choose(put, ReleaseChoice.PUBLISH)
    choose(put, ReleaseChoice.NOT)
    (entry,) = ours.shelf.entries()
    assert entry.owner == ADA
    assert set(entry.standings) == {"copy", "weak", "strong"}
    release = entry.history[0].about
    assert [(each.about, each.choice, each.who) for each in entry.history] == [
        (release, "publish", ADA),
        (release, "do not publish", ADA),
    ]
    assert [line["choice"] for line in ours.logged("shelf decision")] == [
        "publish",
        "do not publish",
    ]
    assert ours.logged("shelf put")[0]["who"] == ADA
    put.go_to("decision")
    assert put.texts.count(ADA) >= 2


def test_another_reviewer_reads_at_once_and_goes_on_once_it_is_free(ours, put, tmp_path):
    choose(put, ReleaseChoice.PUBLISH)
    assert come(ours, BOB, "Go on").state.campaign is None
    reading = come(ours, BOB, "Read")
    assert reading.state.campaign.view.store.read_only
    choose(reading, ReleaseChoice.NOT)
    assert len(ours.shelf.entries()[0].history) == 1
    put.state.close_campaign()
    going_on = come(ours, BOB, "Go on")
    choose(going_on, ReleaseChoice.NOT)
    (entry,) = ours.shelf.entries()
    assert [each.who for each in entry.history] == [ADA, BOB]
    going_on.state.close_campaign()
    store = open_foreign(ours.shelf.read(entry.id), tmp_path / "copy.alc", name="copy")
    with store:
        (decision,) = release_decisions(store).values()
    assert (decision.choice, decision.name) == (ReleaseChoice.NOT, BOB)
    assert [(line["who"], line["changes"]) for line in ours.logged("shelf open")] == [
        (BOB, False),
        (BOB, True),
    ]


def test_a_report_names_the_file_that_is_saved_from_the_page(ours, put):
    there = come(ours, BOB, "Read")
    campaign = there.state.campaign
    options = report_options(ReportScreen(), campaign, campaign.view.settings.scoring)
    assert options.campaign_file == "alc-original-review.alc"


@pytest.mark.parametrize("same", [True, False])
def test_what_is_decided_beside_a_run_reaches_the_shelf(ours, put, same):
    campaign, stop = put.state.campaign, Event()
    counts = CampaignEnd(counts=campaign.view.store.counts())
    job = Job(lambda *_: counts if same or stop.wait(60) else None)
    assert job.wait(60 if same else 0) is same
    folder = campaign.folder if same else CampaignFolder()
    put.state.campaign_run = CampaignRun(job=job, inputs=None, plan=campaign.plan, folder=folder)
    choose(put, ReleaseChoice.PUBLISH)
    assert [each.choice for each in ours.shelf.entries()[0].history] == ["publish"]
    stop.set()


def test_nobody_signs_as_somebody_else(ours, put):
    put.go_to("decision")
    set_value(put, put.widget("text_input", "ReportScreen_assessor"), BOB)
    choose(put, ReleaseChoice.PUBLISH)
    (decision,) = release_decisions(put.state.campaign.view.store).values()
    assert decision.name == ADA
    assert {each.who for each in ours.shelf.entries()[0].history} == {ADA}


def test_who_declares_something_signs_no_decision_of_others(ours, put):
    choose(put, ReleaseChoice.PUBLISH)
    put.state.close_campaign()
    there = come(ours, BOB, "Go on")
    there.go_to("decision")
    there.choose("text_input", "ReportScreen_purpose", "Open data")
    there.choose("date_input", "ReportScreen_day", date(2025, 12, 31))
    there.choose("text_area", "ReportScreen_description", "Swapped")
    store = there.state.campaign.view.store
    (decision,) = release_decisions(store).values()
    assert (decision.name, decision.day) == (ADA, date.today().isoformat())
    kept = kept_details(store)
    assert (kept.purpose, kept.date, kept.description) == ("Open data", "2025-12-31", "Swapped")
    said = ours.logged("declaration")
    assert [(line["who"], line["parts"]) for line in said] == [
        (BOB, ["assessor", "purpose", "date"]),
        (BOB, ["date"]),
        (BOB, ["description"]),
    ]
    choose(there, ReleaseChoice.NOT)
    (decision,) = release_decisions(there.state.campaign.view.store).values()
    assert (decision.name, decision.day) == (BOB, date.today().isoformat())
    there.state.close_campaign()


def test_an_auditor_reads_what_is_on_the_shelf_and_changes_nothing(ours, put):
    choose(put, ReleaseChoice.PUBLISH)
    put.state.close_campaign()
    there = come(ours, EVE, "Read")
    assert pages() == (Page.START, Page.FINDINGS, Page.ONE_ATTACK, Page.DECISION, Page.METHODS)
    assert there.state.campaign.view.store.read_only
    for page in ("findings", "one_attack", "decision"):
        there.go_to(page)
        assert not {"Upload the tables", "Run the model attack"} & {*there.links, *there.buttons}
    before = ours.shelf.entries(), len(ours.logged("decision"))
    choose(there, ReleaseChoice.NOT)
    there.go_to("decision")
    signed = there.widget("text_input", "ReportScreen_assessor")
    assert signed.value == there.state.screen(ReportScreen).details.assessor == ADA
    set_value(there, there.widget("text_input", "ReportScreen_purpose"), "Open data")
    for name in ("description", "assumptions"):
        box = there.widget("text_area", f"ReportScreen_{name}")
        assert box.disabled
        set_value(there, box, "As safe as can be")
    said = there.state.screen(ReportScreen).details
    assert (said.purpose, said.description, said.assumptions) == ("", "", "")
    there.go_to("one_attack")
    control = next(each for each in there.test.pills if each.label == "Decision")
    set_value(there, control, Choice.ACCEPTED)
    assert (ours.shelf.entries(), len(ours.logged("decision"))) == before
    store = there.state.campaign.view.store
    kept = release_decisions(store)
    assert not decisions(store)
    assert {each.choice for each in kept.values()} == {ReleaseChoice.PUBLISH}


def test_an_auditor_brings_no_data_and_holds_no_file(ours, put, monkeypatch):
    put.state.close_campaign()
    ours.be(EVE)
    there = App()
    there.run_framed()
    assert [label.split("\u2060")[0] for label in there.buttons if "Go on" in label] == []
    assert not there.test.get("file_uploader")
    assert not {"Try the demo", "Assess my data"} & there.buttons.keys()
    (entry,) = ours.shelf.entries()
    upload = SimpleNamespace(name="people.csv", file_id="1", getvalue=lambda: b"a,b\n1,2\n")
    monkeypatch.setattr(team, "free_uploads", lambda _: None)
    for attempt in (
        lambda: take_uploads(there.state, "original", [upload]),
        lambda: use_demo(there.state, "fair"),
        lambda: part._open(there.state, ours.shelf, entry, changes=True),
    ):
        with pytest.raises(InputError):
            attempt()
    part._remove(there.state, ours.shelf, entry)
    assert there.state.original is None
    assert there.state.campaign is None
    assert ours.shelf.entries() == [entry]
    assert [line["who"] for line in ours.logged("refused")] == [EVE]  # of one kind, in a minute
    assert team.TEAM.refused == 4
    assert not ours.logged("upload")


def test_what_lay_for_its_days_is_removed_and_logged(ours, put, monkeypatch):
    (entry,) = ours.shelf.entries()
    monkeypatch.setattr(Shelf, "overdue", lambda _: {entry.id: entry.name})
    team.clear_shelf(ours.shelf)
    assert ours.shelf.entries() == [entry]  # Ada has it open
    assert not ours.logged("shelf removal")
    put.state.close_campaign()
    with monkeypatch.context() as ended:
        ended.setattr(Held, "remove", lambda _: sys.exit())
        with pytest.raises(SystemExit):
            team.clear_shelf(ours.shelf)
    assert [line["id"] for line in ours.logged("shelf removal")] == [entry.id]
    team.clear_shelf(ours.shelf)
    assert ours.shelf.entries() == []


def test_only_the_owner_is_offered_to_remove(ours, put):
    put.state.close_campaign()
    for person, offered in ((BOB, False), (ADA, True)):
        ours.be(person)
        there = App()
        there.run_framed()
        assert any(label.startswith("Remove") for label in there.buttons) is offered
    remove(there)
    assert ours.shelf.entries() == []


def remove(app):
    app.run_framed()
    next(b for label, b in app.buttons.items() if label.startswith("Remove")).click()
    app.run()


def test_what_one_has_open_can_be_removed_at_once(ours, put):
    remove(put)
    assert ours.shelf.entries() == []
    assert len(ours.logged("shelf removal")) == 1
    choose(put, ReleaseChoice.PUBLISH)
    assert not put.test.toast
    put.go_to("decision")
    assert "no longer in the team folder" in put.texts


def test_what_is_not_removed_is_not_logged_and_what_is_not_logged_stays(ours, put, monkeypatch):
    there = App()
    for each in (put, there):
        each.run_framed()
    remove(there)
    assert not ours.logged("shelf removal"), "it is open elsewhere"
    (entry,) = ours.shelf.entries()

    def full(*_, **__):
        raise InputError("The audit log cannot be written.")

    monkeypatch.setattr(team.TEAM.log, "record", full)
    remove(put)
    assert ours.shelf.entries() == [entry]
    assert put.state.campaign.held is not None
    put.state.close_campaign()
    remove(there)
    assert ours.shelf.entries() == [entry]
    ours.shelf.hold(entry.id).close()


def test_a_read_only_file_takes_no_write(review_file, tmp_path):
    store = open_foreign(review_file.read_bytes(), tmp_path / "a.alc", name="a", read_only=True)
    with store, pytest.raises(CampaignFileError):
        store.annotate("decision", "1", None)


def test_without_a_team_there_is_no_shelf(review):
    for page in ("start", "findings", "decision"):
        review.go_to(page)
        assert "shelf" not in review.texts
        assert "Share with the team" not in review.popovers


def test_what_is_read_stays_when_it_is_removed_from_the_shelf(ours, put):
    put.state.close_campaign()
    there = come(ours, BOB, "Read")
    part._remove(there.state, ours.shelf, ours.shelf.entries()[0])
    there.go_to("decision")
    assert not there.test.error
    assert "no longer in the team folder" in there.texts
    assert there.state.campaign.view.judged
