"""Nothing of a table stays in the process once its session let it go."""

import gc
import sys
import threading

import numpy as np
import pandas as pd
import pytest

from alc_core.dashboard.state import session
from alc_core.dashboard.state.jobs import JobStatus
from alc_core.dashboard.state.registry import KEPT_WITH_RESULTS
from alc_core.dashboard.work import campaign_runs
from alc_core.dashboard.work.campaign_runs import start_campaign
from alc_core.dashboard.work.uploads import NO_OPTIONS, read_into
from alc_core.tables.table import Table
from tests.app.conftest import csv

ROWS = 1_237
"""An odd number, by which what is left is recognised."""


pytestmark = pytest.mark.usefixtures("nothing_kept")


@pytest.fixture
def own(app, people):
    """An app with tables of its own, every page of which was drawn."""
    frame = people(ROWS)
    release = people(ROWS, 1)
    app.load(("people.csv", csv(frame)), ("release.csv", csv(release)))
    assert read_into(app.state, "holdout", "others.csv", csv(people(ROWS, 2)), NO_OPTIONS)
    del frame, release
    app.state.choose(unknown=["city", "job"], known_sets=0)
    pages = ("data", "attack", "findings", "one_attack", "decision", "trade-offs", "compare",
             "studies", "data")  # fmt: skip
    for page in pages:
        app.go_to(page)
    assert survivors()
    return app


def survivors():
    """What holds values of the tables: frames, columns, arrays and bytes of files."""
    gc.collect()
    found = []
    for each in gc.get_objects():
        if isinstance(each, Table):
            found.append(each if len(each) == ROWS else None)
        elif isinstance(each, (pd.DataFrame, pd.Series, pd.Index)):
            found.append(each if len(each) == ROWS and not is_range(each) else None)
        elif isinstance(each, (dict, list, tuple)) or hasattr(each, "__slots__"):
            found += [
                (type(each), inner.dtype, inner.shape)
                for inner in gc.get_referents(each)
                if isinstance(inner, np.ndarray) and inner.shape[:1] == (ROWS,)
            ]
    return [each for each in found if each is not None]


def is_range(each):
    return isinstance(each, pd.RangeIndex)


def told(found):
    """Say what is left, and what holds it, without its values."""
    lines = []
    for each in found[:5]:
        holders = [
            f"{type(h).__name__} {list(h)[:6] if isinstance(h, dict) else ''}"
            for h in gc.get_referrers(each)
            if h is not found and h is not sys._getframe()
        ]
        lines.append(f"{type(each).__name__} held by {holders[:4]}")
    return "\n".join(lines)


def assert_nothing_left():
    found = survivors()
    assert not found, told(found)


@pytest.fixture
def halted(monkeypatch, quick_run):
    """Lets a campaign stop at its first report until it is cancelled."""
    reached = threading.Event()

    def run(*args, progress, cancel, **kwargs):
        def tell(news):
            progress(news)
            reached.set()
            while not cancel():
                threading.Event().wait(0.01)

        return quick_run(*args, progress=tell, cancel=cancel, **kwargs)

    monkeypatch.setattr(campaign_runs, "run_campaign", run)
    return reached


def test_after_remove_all_data(own):
    own.run_framed()
    own.click("Yes, remove all")
    assert_nothing_left()


def test_once_the_page_is_drawn_after_a_removal_it_is_freed_what_only_it_held(own, monkeypatch):
    collected = []
    monkeypatch.setattr(session.gc, "collect", lambda: collected.append(own))
    own.run_framed()
    own.click("Yes, remove all")
    for _ in range(3):
        own.run_framed()
    monkeypatch.undo()
    assert len(collected) == 2, "at the removal, and once after it"


def test_after_remove_all_data_while_a_campaign_runs(own, halted):
    assert start_campaign(own.state)
    job = own.state.campaign_run.job
    assert halted.wait(60)
    own.go_to("attack")
    own.run_framed()
    own.click("Yes, remove all")
    assert job.wait(60)
    assert_nothing_left()


def test_after_remove_all_data_while_a_task_measures(own):
    go_on = threading.Event()
    table = own.state.original_table()

    def work(reporter, table=table):
        go_on.wait()
        return table.frame.copy()

    own.state.tasks.start("slow", "Measuring", work, take=lambda result: None)
    job = own.state.tasks["slow"].job
    del table, work
    own.run_framed()
    own.click("Yes, remove all")
    go_on.set()
    assert job.wait(60)
    assert job.snapshot.status is JobStatus.CANCELLED
    assert_nothing_left()


def test_after_a_closed_tab(own, halted, monkeypatch):
    assert start_campaign(own.state)
    job = own.state.campaign_run.job
    assert halted.wait(60)
    job.cancel()
    assert job.wait(60)
    registry = session.REGISTRY
    later = registry._clock() + KEPT_WITH_RESULTS + 60
    monkeypatch.setattr(registry, "_clock", lambda: later)
    registry.sweep()
    assert_nothing_left()
