"""What the audit log holds of campaigns, and what people read where it cannot be written."""

from threading import Event
from types import SimpleNamespace

import pytest

from alc_core.campaign.file.store import CampaignCounts
from alc_core.candidates.decision import ReleaseChoice
from alc_core.dashboard.state import team
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignEnd, CampaignFolder, CampaignRun
from alc_core.dashboard.state.jobs import Job
from alc_core.dashboard.work.campaign_runs import collect_campaign
from alc_core.dashboard.work.uploads import take_uploads
from alc_core.errors import CancelledError, InputError
from tests.app.conftest import csv
from tests.app.test_decision_page import choose, in_row, kept

FULL = "The audit log cannot be written"


class Full:
    """A log on a full disk."""

    def record(self, what, who="", **facts):
        raise InputError(FULL)


@pytest.fixture
def full(monkeypatch):
    monkeypatch.setattr(team.TEAM, "log", Full())


def test_no_file_is_taken_and_the_next_can_be_chosen(app, full, people, monkeypatch):
    app.go_to("data")
    monkeypatch.setattr(team, "free_uploads", lambda _: None)
    upload = SimpleNamespace(name="people.csv", file_id="1", getvalue=lambda: csv(people(20)))
    with pytest.raises(InputError, match=FULL):
        take_uploads(app.state, "original", [upload])
    assert app.state.original is None
    assert app.state.uploads["original"] == 1  # another widget, without the file


def test_no_campaign_begins_and_data_can_be_removed(loaded, full, caplog):
    loaded.go_to("attack")
    loaded.click("Run the attacks")
    assert FULL in loaded.texts
    assert loaded.state.campaign_run is None
    loaded.run_framed()
    loaded.click("Yes, remove all")
    assert loaded.state.original is None
    assert "lacks: removal" in caplog.text


def test_nothing_is_decided(review, full):
    review.go_to("decision")
    choose(review, "copy", ReleaseChoice.PUBLISH)
    assert FULL in review.test.toast[0].value
    assert not kept(review)
    assert in_row(review, "pills", "choice", "copy").value is None


def cancelled(progress, cancel):
    raise CancelledError


def asks(progress, cancel):
    return CampaignEnd(questions=(None,))


def ends_with(**counts):
    return lambda progress, cancel: CampaignEnd(counts=CampaignCounts(planned=3, **counts))


@pytest.fixture
def told(monkeypatch):
    told = []
    log = SimpleNamespace(record=lambda *what, **facts: told.append((*what, facts)))
    monkeypatch.setattr(team.TEAM, "log", log)
    return told


def begun(work):
    run = CampaignRun(job=Job(work), inputs=None, plan=None, folder=CampaignFolder(), who="ada")
    return AppState(campaign_run=run)


@pytest.mark.parametrize("end", [collect_campaign, AppState.close_campaign])
@pytest.mark.parametrize(
    ("work", "facts"),
    [
        (cancelled, {"how": "cancelled"}),
        (asks, {"how": "questions"}),
        (ends_with(finished=1, failed=1), {"how": "cancelled", "finished": 1, "failed": 1}),
        (ends_with(finished=3, failed=0), {"how": "done", "finished": 3, "failed": 0}),
    ],
)
def test_every_campaign_ends_in_the_log(told, end, work, facts):
    state = begun(work)
    assert state.campaign_run.job.wait(60)
    end(state)
    assert told == [("campaign ended", "ada", facts)]


def test_so_does_one_that_is_removed_while_it_runs(told):
    stop = Event()
    state = begun(lambda *_: stop.wait(60))
    state.clear()
    stop.set()
    assert told == [("campaign ended", "ada", {"how": "stopped"})]
