"""An ALC far below 0 is said as such; files keep the number."""

import json

import numpy as np
import pytest

import alc_core as alc
from alc_core.assessment.words import verdict_explanation
from alc_core.baselines.families import NaiveBayes
from alc_core.phrasing import alc_number
from alc_core.report.text import summary_text

BELOW = "below \N{MINUS SIGN}1"


@pytest.fixture(scope="module")
def hopeless(people):
    """An attack on nobody's rows, where the guess is nearly sure of a group."""
    original = people(2_000)
    original["job"] = np.where(original["age"] > 40, "clerk", original["job"])
    rng = np.random.default_rng(0)
    release = original.apply(lambda column: rng.permutation(column.to_numpy()))
    scenario = alc.Scenario(["age", "city"], "job", targets=alc.Targets(count=800))
    return alc.assess(original, release, scenario, families=(NaiveBayes(),))


def test_far_below_0_is_no_number(hopeless):
    assert hopeless.alc < -1
    text = " ".join(summary_text(hopeless).split())
    assert f"ALC among all: no loss ({BELOW}; 95 % interval {BELOW} to" in text
    assert f"{hopeless.alc:.3f}" not in text
    assert f"{hopeless.alc:.2f}" not in text + verdict_explanation(hopeless)
    assert json.loads(hopeless.to_json())["alc"] == hopeless.alc


def test_numbers_above_are_shown():
    assert alc_number(-0.123) == "\N{MINUS SIGN}0.12"
    assert alc_number(-1.0) == "\N{MINUS SIGN}1.00"
    assert alc_number(-1.001) == alc_number(float("-inf")) == BELOW
