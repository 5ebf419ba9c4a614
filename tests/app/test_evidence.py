"""What stands behind a verdict is measured in the background, once, for campaigns that ran here."""

import threading

import pytest

from alc_core import plan_campaign, swap_columns
from alc_core.campaign.file.database import saved_campaign
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.state.jobs import ABANDONED_AFTER, JobStatus, Tasks
from alc_core.dashboard.work import evidence
from alc_core.dashboard.work.campaign_runs import start_campaign
from alc_core.dashboard.work.evidence import EVIDENCE_TASK, gather_evidence
from alc_core.errors import CancelledError
from alc_core.explain.context import attack_contexts
from alc_core.studies.utility import study
from alc_core.studies.utility.result import stored_utilities
from tests.app.conftest import csv

RELEASES = ["near", "far"]


@pytest.fixture(autouse=True)
def begun(monkeypatch, _no_evidence):
    """Names of the tasks that were begun."""
    names, begin = [], Tasks.start

    def start(self, key, *args, **settings):
        names.append(key)
        begin(self, key, *args, **settings)

    monkeypatch.setattr(Tasks, "start", start)
    monkeypatch.setattr(evidence, "gather_evidence", gather_evidence)
    return names


@pytest.fixture
def chosen(app, people):
    """An app with two releases to attack."""
    frame = people(800)
    files = zip(RELEASES, (swap_columns(frame, share, seed=1) for share in (0.1, 0.9)), strict=True)
    app.load(("people.csv", csv(frame)), *((f"{name}.csv", csv(each)) for name, each in files))
    app.state.release_mode = "several"
    app.state.choose(unknown=["job"], known_sets=0)
    return app


def run_campaign(app) -> None:
    app.go_to("attack")
    assert start_campaign(app.state)
    app.run()
    app.finish()
    assert app.title == "Findings"


def worst(view):
    scoring = view.settings.scoring
    return {view.only(release).overview(scoring).worst for release in RELEASES}


def test_utility_and_marks_of_the_worst_attacks_are_kept_in_the_file(chosen, begun):
    chosen.state.choose(unknown=["job", "city"])
    run_campaign(chosen)
    chosen.finish_task(EVIDENCE_TASK)
    view = chosen.state.campaign.view
    assert list(stored_utilities(view.store)) == RELEASES
    contexts = attack_contexts(view.store)
    assert {number for number, each in contexts.items() if each.has_marks} == worst(view)
    assert len(worst(view)) == 2 < view.counts.finished
    assert chosen.state.tasks.messages == {}
    assert all(f"{name}: " in chosen.charts[0] for name in RELEASES)

    for page in ("one_attack", "findings"):
        chosen.go_to(page)
    assert begun == [EVIDENCE_TASK], "once"


@pytest.fixture
def endless(monkeypatch):
    """Lets the first measuring go on until it is cancelled."""
    reached, measure = threading.Event(), study.measure_utility

    def slow(*args, cancel, **settings):
        if reached.is_set():
            return measure(*args, cancel=cancel, **settings)
        reached.set()
        while not cancel():
            threading.Event().wait(0.01)
        raise CancelledError("Cancelled.")

    monkeypatch.setattr(study, "measure_utility", slow)
    return reached


def test_it_waits_for_that_of_another_session(chosen, begun):
    with evidence._TURN:
        run_campaign(chosen)
        job = chosen.state.tasks[EVIDENCE_TASK].job
        while job.snapshot.progress.stage == "Starting":
            assert not job.wait(0.1)
        assert job.snapshot.progress.stage == "Waiting for other sessions"
    chosen.finish_task(EVIDENCE_TASK)
    assert list(stored_utilities(chosen.state.campaign.view.store)) == RELEASES


def test_what_was_cancelled_does_not_begin_again(chosen, begun, endless):
    run_campaign(chosen)
    assert endless.wait(60)
    chosen.state.tasks[EVIDENCE_TASK].job.cancel()
    chosen.finish_task(EVIDENCE_TASK)
    for page in ("attack", "findings"):
        chosen.go_to(page)
    assert begun == [EVIDENCE_TASK]
    assert stored_utilities(chosen.state.campaign.view.store) == {}


def test_what_nobody_looked_at_for_long_begins_again(chosen, begun, endless):
    run_campaign(chosen)
    assert endless.wait(60)
    job = chosen.state.tasks[EVIDENCE_TASK].job
    chosen.go_to("one_attack")
    job._seen -= ABANDONED_AFTER + 1
    assert job.wait(60)
    assert job.abandoned
    chosen.go_to("findings")
    chosen.finish_task(EVIDENCE_TASK)
    assert begun == [EVIDENCE_TASK] * 2
    assert list(stored_utilities(chosen.state.campaign.view.store)) == RELEASES


def test_another_campaign_takes_the_place_of_one_whose_evidence_is_under_way(
    chosen, begun, endless
):
    run_campaign(chosen)
    assert endless.wait(60)
    job = chosen.state.tasks[EVIDENCE_TASK].job
    chosen.state.choose(seed=1)
    run_campaign(chosen)
    assert job.wait(60)
    assert job.snapshot.status is JobStatus.CANCELLED
    chosen.finish_task(EVIDENCE_TASK)
    assert begun == [EVIDENCE_TASK] * 2
    assert list(stored_utilities(chosen.state.campaign.view.store)) == RELEASES
    assert chosen.state.tasks.messages == {}


def test_an_opened_file_is_left_as_it_is(chosen, begun, quick_run, tmp_path):
    original, releases = chosen.state.original_table(), chosen.state.releases()
    plan = plan_campaign(original, releases, unknown=["job"], known_sets=0)
    path = tmp_path / "campaign.alc"
    quick_run(original, releases, path, plan=plan).close()
    open_campaign(chosen.state, "review.alc", saved_campaign(path))
    assert chosen.state.campaign_tables() is not None
    chosen.go_to("findings")
    assert chosen.state.campaign.view.counts.finished
    assert begun == []
    assert stored_utilities(chosen.state.campaign.view.store) == {}
    chosen.state.campaign.close()
