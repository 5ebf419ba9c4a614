"""Processes that share arrays, and what stays of them where one dies."""

import os
import sys
import threading
import time

import numpy as np
import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError

from alc_core.runtime import plugins
from alc_core.runtime.processes import in_processes


def die(data, number):
    time.sleep(0.2)
    os._exit(len(data) > number)


def test_no_thread_waits_for_a_process_that_died_to_take_its_data():
    before = set(threading.enumerate())
    more_than_a_pipe_holds = list(range(200_000))
    with (
        pytest.raises(TerminatedWorkerError),
        in_processes(die, more_than_a_pipe_holds, [(n,) for n in range(8)], jobs=2) as results,
    ):
        list(results)
    end = time.monotonic() + 20
    while (left := set(threading.enumerate()) - before) and time.monotonic() < end:
        time.sleep(0.1)
    assert not left


PLUGIN = """
class Own:
    def __init__(self, rows): self.rows = rows
    def total(self): return float(self.rows.sum())
"""


def total_of(data, factor):
    return factor * data["own"].total(), type(data["own"].rows).__name__


def test_data_of_a_class_that_a_plug_in_file_defines_reach_the_processes(tmp_path, monkeypatch):
    monkeypatch.setattr(plugins, "_loaded", {})
    (tmp_path / "own_rows.py").write_text(PLUGIN)
    plugins.load_plugins([str(tmp_path / "own_rows.py")])
    own = sys.modules["alc_plugin_own_rows"].Own(np.ones(50_000))
    with in_processes(total_of, {"own": own}, [(1,), (2,)], jobs=2) as results:
        assert sorted(results) == [(50_000.0, "memmap"), (100_000.0, "memmap")]
