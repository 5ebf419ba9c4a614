"""Releases with a planted leak, and the attacks that find it."""

import numpy as np
import pandas as pd
import pytest

from alc_core import Scenario, assess
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.releases.microdata import Microdata
from alc_core.scoring.parameters import LoopParameters
from alc_core.studies.remedies.trying import FlaggedAttack
from alc_core.tables.read import table_from_frame

N = 1200
FAMILIES = (NaiveBayes(),)
LOOP = LoopParameters(resamples=100, folds=5)


def secret_people(seed=0):
    """People whose code singles most of them out, and whose secrets nothing tells."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "code": rng.integers(0, 5000, N),
            "age": rng.integers(20, 80, N),
            "region": rng.choice(list("abcdefgh"), N),
            "secret": rng.choice([f"s{number}" for number in range(8)], N),
            "other": rng.choice([f"t{number}" for number in range(8)], N),
        }
    )


def shuffled(frame, columns, seed=1):
    """The same with some columns in random order, each on its own."""
    rng = np.random.default_rng(seed)
    mixed = {column: rng.permutation(frame[column].to_numpy()) for column in columns}
    return frame.assign(**mixed)


def as_release(frame, name="out"):
    return Microdata(tables=(table_from_frame(frame, name=name),), name=name)


@pytest.fixture
def attacked():
    """Attacks a release: ``attacked(original, release, {unknown: known, ...})``."""

    def run(original, release, scenarios):
        found = []
        for number, (unknown, known) in enumerate(scenarios.items()):
            scenario = Scenario(list(known), unknown)
            result = assess(
                original, release, scenario, families=FAMILIES, loop=LOOP, seed=3,
                accept=["own-together"],
            )  # fmt: skip
            planned = PlannedAttack(
                number=number, scenario=result.scenario, release=release.name,
                attack=result.attack_name, kind=KnownSetKind.NAMED, reason="",
            )  # fmt: skip
            found.append(FlaggedAttack(planned=planned, run=result))
        return tuple(found)

    return run
