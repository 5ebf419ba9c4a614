"""Shared by all tests."""

import importlib
import os
import sys
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings

from alc_core.assessment import loop, run
from alc_core.attacks import registry
from alc_core.baselines.families import NaiveBayes, default_families
from alc_core.campaign.findings import open_foreign
from alc_core.campaign.plan import estimate
from alc_core.campaign.run import start
from alc_core.errors import AlcError, TableReadError
from alc_core.scoring.parameters import LoopParameters
from alc_core.tables.apart import read as apart

# The first example pays for imports, and machines differ: no deadline. The same examples each time:
# a check fails for what was changed, not by luck. HYPOTHESIS_PROFILE=search looks for new and more.
settings.register_profile("same", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

READ_APART = apart.read_apart

# Tests count attacks, time and people of one attack a scenario, the paper's; what is run by default
# where rows are released, that one and record linkage, is tested by those that ask for it.
BOTH_ATTACKS = registry.ROW_ATTACKS
registry.ROW_ATTACKS = BOTH_ATTACKS[:1]

# Plans reckon with all processors: to measure which are free takes a quarter of a second each time.
estimate.free_processors = float


@pytest.fixture(autouse=True)
def same_main_module():
    """A page that was run is the main module, and new processes would run it."""
    kept = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = kept


@pytest.fixture
def both_attacks(monkeypatch):
    monkeypatch.setattr(registry, "ROW_ATTACKS", BOTH_ATTACKS)


def make_people(n: int = 1500, seed: int = 0) -> pd.DataFrame:
    """A made-up table of people: older ones are mostly clerks."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "city": rng.choice(["Ulm", "Bonn", "Köln", "Jena"], n),
            "hours": rng.normal(38, 8, n).round(1),
            "job": rng.choice(["nurse", "teacher", "smith", "clerk"], n),
        }
    )
    frame.loc[(frame["age"] > 60) & (rng.random(n) < 0.7), "job"] = "clerk"
    return frame


@pytest.fixture(scope="session")
def people():
    """Makes a table of people: ``people(n, seed)``."""
    return make_people


def baselines_of_room(families=lambda: (NaiveBayes(),)):
    """Make a fixture by which the tests of a room have other usual baselines: naive Bayes alone.

    And fewer resamples. Which baseline is best is tested in unit/baselines and statistical/; worker
    processes keep the usual ones, and so do tests that ask for `usual_baselines`.
    """

    @pytest.fixture(scope="module", autouse=True)
    def _baselines():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loop, "default_families", families)
            for place in (run, start):
                patch.setattr(place, "LoopParameters", partial(LoopParameters, resamples=200))
            yield

    return _baselines


@pytest.fixture
def usual_baselines(monkeypatch):
    """Gives a test the baselines and resamples that users get."""
    monkeypatch.setattr(loop, "default_families", default_families)
    for place in (run, start):
        monkeypatch.setattr(place, "LoopParameters", LoopParameters)


@lru_cache(maxsize=50)
def read_once(read, source, content, options):
    """Read a table; files of one path and content are read once."""
    return read(source if isinstance(source, bytes) else [*source], **dict(options))


def read_here(job, source, gives, *, options=None, **limits):
    """Read a file as a process of its own would, in this one."""
    module, _, name = job.partition(":")
    read = getattr(importlib.import_module(module), name)
    try:
        if name == "read_table":
            paths = () if isinstance(source, bytes) else map(Path, source)
            content = tuple(path.read_bytes() for path in paths if path.is_file())
            source = source if isinstance(source, bytes) else tuple(source)
            return read_once(read, source, content, tuple(options.items()))
        return read(source, **(options or {}))
    except AlcError as error:
        together = getattr(error, "together", False)
        raise TableReadError(str(error), getattr(error, "tables", ()), together=together) from None


@pytest.fixture
def nothing_kept(monkeypatch):
    """Tables are read each time: what is kept for other tests would be found."""
    monkeypatch.setattr(sys.modules[__name__], "read_once", read_once.__wrapped__)


def reading_of_room():
    """Make a fixture by which the tests of a room read files in their own process.

    That of its own is tested in unit/tables/apart, and by tests that ask for `read_apart`.
    """

    @pytest.fixture(scope="module", autouse=True)
    def _reading():
        with pytest.MonkeyPatch.context() as patch:
            for place in (apart, open_foreign):
                patch.setattr(place, "read_apart", read_here)
            yield

    return _reading


@pytest.fixture
def read_apart(monkeypatch):
    """The jobs that the test gives to a process of its own, as users do: they are done there."""
    jobs = []

    def noted(job, *given, **options):
        jobs.append(job.partition(":")[2])
        return READ_APART(job, *given, **options)

    for place in (apart, open_foreign):
        monkeypatch.setattr(place, "read_apart", noted)
    return jobs
