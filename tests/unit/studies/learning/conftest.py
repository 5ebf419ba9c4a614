"""A made-up town in which what is known tells something of the job."""

import numpy as np
import pandas as pd
import pytest

from alc_core.studies.learning.result import StudySettings

JOBS = ("nurse", "smith", "clerk", "baker")


@pytest.fixture(scope="session")
def town():
    """Four jobs, as many people of each; the district is that of the job for four in five."""
    rng = np.random.default_rng(7)
    job = np.arange(1600) % 4
    stays = rng.random(1600) < 0.8
    district = np.where(stays, job, rng.integers(0, 4, 1600))
    return pd.DataFrame(
        {
            "district": [f"d{number}" for number in district],
            "age": rng.integers(18, 80, 1600).astype(float) + job * 5,
            "job": [JOBS[number] for number in job],
        }
    )


@pytest.fixture
def quick():
    """Settings that run in a moment."""
    return StudySettings(
        unknown="job", known=("district", "age"), epsilons=(0.05, 5.0), repetitions=3,
        levels=(2, 3), merged=(1, 2), rounds=20,
    )  # fmt: skip
