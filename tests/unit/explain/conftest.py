"""A release of a small table, attacked once."""

from types import SimpleNamespace

import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.releases.microdata import Microdata

FAMILIES = (NaiveBayes(),)
LOOP = alc.LoopParameters(folds=2, resamples=200)


@pytest.fixture(scope="package")
def attacked(people):
    """Original, release, and the result of an attack with cheap baselines."""
    frame = people(1000)
    original = alc.table_from_frame(frame, name="people")
    released = alc.table_from_frame(alc.swap_columns(frame, 0.2, seed=1), name="swapped")
    release = Microdata(tables=(released,), name="swapped")
    scenario = alc.Scenario(["age", "hours", "city"], "job", targets=600)
    run = alc.assess(original, release, scenario, families=FAMILIES, loop=LOOP, seed=3)
    return SimpleNamespace(
        original=original, release=release, run=run, families=FAMILIES, loop=LOOP
    )
