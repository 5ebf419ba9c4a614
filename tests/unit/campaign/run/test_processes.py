"""Processes that share arrays, and what stays of them where one dies."""

import os
import threading
import time

import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError

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
