import logging
import os
import sys
import threading
from types import SimpleNamespace

import pytest

from alc_core.dashboard.state import jobs
from alc_core.dashboard.state.jobs import OUT_OF_MEMORY, UNEXPECTED, Job, JobStatus
from alc_core.errors import CancelledError, InputError
from alc_core.runtime.machine import BACKGROUND_NICE
from alc_core.runtime.progress import Progress


def stop_when_told(started):
    def work(progress, cancel):
        progress(Progress(stage="Waiting", done=1, total=4))
        started.set()
        while True:
            if cancel():
                raise CancelledError("The run was cancelled; nothing of it is kept.")
            threading.Event().wait(0.005)

    return work


def fail_with(error):
    def work(progress, cancel):
        raise error

    return work


def ended(job):
    assert job.wait(60)
    return job.snapshot


def test_result_is_kept():
    snapshot = ended(Job(lambda *_: 7))
    assert (snapshot.status, snapshot.result, snapshot.message) == (JobStatus.DONE, 7, "")


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_work_gives_way_to_pages():
    def priority(*_):
        return os.getpriority(os.PRIO_PROCESS, 0)

    assert ended(Job(priority)).result == max(priority(), BACKGROUND_NICE)


def test_progress_is_seen_while_running():
    started = threading.Event()
    job = Job(stop_when_told(started))
    assert started.wait(60)
    assert job.running
    assert job.snapshot.progress == Progress(stage="Waiting", done=1, total=4)
    assert job.elapsed > 0
    job.cancel()
    ended(job)


def test_cancel_stops_the_work():
    started = threading.Event()
    job = Job(stop_when_told(started))
    assert started.wait(60)
    job.cancel()
    snapshot = ended(job)
    assert snapshot.status is JobStatus.CANCELLED
    assert snapshot.message == "The run was cancelled; nothing of it is kept."
    assert not job.stopping
    assert not job.abandoned


def test_it_goes_on_while_somebody_looks_and_stops_when_nobody_does(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(jobs, "time", SimpleNamespace(monotonic=lambda: now[0]))
    job = Job(stop_when_told(threading.Event()), abandoned_after=10)
    for _ in range(3):
        now[0] += 9
        assert not job._should_stop()
        job.heartbeat()
    now[0] += 11
    assert ended(job).status is JobStatus.CANCELLED
    assert job.abandoned


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            InputError("Column 'a' is missing. Choose another."),
            "Column 'a' is missing. Choose another.",
        ),
        (MemoryError(), OUT_OF_MEMORY),
        (ValueError("could not convert 'Jane Doe'"), UNEXPECTED),
    ],
)
def test_every_error_becomes_a_plain_message(error, message):
    snapshot = ended(Job(fail_with(error)))
    assert (snapshot.status, snapshot.message) == (JobStatus.FAILED, message)


def test_log_names_the_place_and_no_data(caplog):
    with caplog.at_level(logging.ERROR):
        ended(Job(fail_with(ValueError("could not convert 'Jane Doe'"))))
    (record,) = caplog.records
    assert "Unexpected ValueError at test_jobs.py:" in record.getMessage()
    assert "Jane" not in caplog.text
    assert record.exc_info is None
