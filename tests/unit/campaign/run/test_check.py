"""Large tables are looked at by other processes, and found to be the same."""

from concurrent.futures import BrokenExecutor

import pytest

import alc_core as alc
from alc_core.campaign.run import check
from alc_core.campaign.run.check import TablesCheck
from alc_core.releases.registry import as_releases, release_facts
from alc_core.runtime.machine import limit_threads
from alc_core.tables.checks import checker


@pytest.fixture(scope="module")
def tables(people):
    original = alc.table_from_frame(people(400), name="people")
    mixed = alc.swap_columns(people(400), 0.5, seed=1)
    return original, as_releases({"copy": people(400), "mixed": mixed})


def found(tables):
    original, releases = tables
    looked = TablesCheck(original, releases)
    findings = looked.tables(person=None, household=None)
    return findings, [looked.facts(release) for release in releases]


def test_what_other_processes_see_is_what_is_seen_here(tables, monkeypatch):
    here = found(tables)
    monkeypatch.setattr(check, "LARGE", 0)
    with limit_threads(1):
        assert found(tables) == here
    with limit_threads(2):
        with monkeypatch.context() as elsewhere:
            for place, name in ((check, "release_facts"), (checker, "check_copies")):
                elsewhere.setattr(place, name, lambda *_: pytest.fail("it was looked at here"))
            assert found(tables) == here
        monkeypatch.setattr(check, "in_processes", _broken)
        assert found(tables) == here
    assert here[1] == [release_facts(tables[0], release) for release in tables[1]]


def _broken(*_, **__):
    raise BrokenExecutor
