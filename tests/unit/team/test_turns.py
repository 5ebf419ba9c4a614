"""Whose turn it is."""

import threading
import time

import pytest

from alc_core.errors import CancelledError
from alc_core.runtime.progress import Progress
from alc_core.team.turns import Turns


class Run(threading.Thread):
    """A campaign that runs until it is told to end."""

    def __init__(self, turns):
        super().__init__(daemon=True)
        self.turns, self.said, self.failed = turns, [], None
        self.began, self.end, self.stop = (threading.Event() for _ in range(3))

    def run(self):
        try:
            with self.turns.taken(self.said.append, self.stop.is_set) as report:
                report(Progress(stage="Attacking", seconds_left=240.0))
                self.began.set()
                self.end.wait(60)
        except CancelledError as error:
            self.failed = error


def started(turns):
    run = Run(turns)
    before = turns.running + turns.waiting
    run.start()
    while turns.running + turns.waiting == before:
        time.sleep(0.01)
    return run


def test_at_most_so_many_run_and_the_others_follow_in_order():
    turns = Turns(1)
    first, second, third = (started(turns) for _ in range(3))
    assert first.began.wait(60)
    assert (turns.running, turns.waiting) == (1, 2)
    while not (second.said and second.said[-1].seconds_left and third.said):
        time.sleep(0.01)
    assert (second.said[-1].of, second.said[-1].total) == ("turns", 1)
    assert second.said[-1].seconds_left == 240.0
    assert (third.said[-1].total, third.said[-1].seconds_left) == (2, None)  # of a length unknown
    assert not second.began.is_set()
    assert not third.began.is_set()
    first.end.set()
    assert second.began.wait(60)
    assert not third.began.is_set()
    second.end.set()
    assert third.began.wait(60)
    third.end.set()
    third.join(60)
    assert (turns.running, turns.waiting) == (0, 0)


def test_one_that_waits_can_be_cancelled_and_makes_room():
    turns = Turns(1)
    first, second, third = (started(turns) for _ in range(3))
    second.stop.set()
    second.join(60)
    assert isinstance(second.failed, CancelledError)
    first.end.set()
    assert third.began.wait(60)
    third.end.set()


@pytest.mark.parametrize("at_once", [None, 3])
def test_all_run_where_there_is_room(at_once):
    runs = [started(turns) for turns in [Turns(at_once)] for _ in range(3)]
    for run in runs:
        assert run.began.wait(60)
        assert run.said[0].of == ""
        run.end.set()


def test_the_time_until_a_turn_is_that_of_as_many_ends_as_it_takes():
    turns = Turns(2)
    first, second, *waiting = (started(turns) for _ in range(5))
    for run, left in ((first, 90.0), (second, 30.0)):
        assert run.began.wait(60)
        turns._turns[(first, second).index(run)].progress = Progress(stage="", seconds_left=left)
    expected = [(1, 30.0), (2, 90.0), (3, None)]
    for run, (before, left) in zip(waiting, expected, strict=True):
        run.said.clear()
        while not run.said:
            time.sleep(0.01)
        assert (run.said[-1].total, run.said[-1].seconds_left) == (before, left)
    for run in (first, second, *waiting):
        run.stop.set()
        run.end.set()
