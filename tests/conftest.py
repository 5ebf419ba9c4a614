"""Shared by all tests."""

import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings

from alc_core.baselines.families import NaiveBayes

# The first example pays for imports, and machines differ: no deadline. The same examples each time:
# a check fails for what was changed, not by luck. HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


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


@pytest.fixture
def cheap_baselines(monkeypatch):
    """Lets naive Bayes alone be the usual baseline: for tests in which a good one plays no part.

    It is for what cannot name families itself, such as the command line; worker processes keep
    the usual ones.
    """
    monkeypatch.setattr("alc_core.assessment.loop.default_families", lambda: (NaiveBayes(),))
