"""Measures of all targets say so: a balanced sample is not all people."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

import alc_core as alc
from alc_core.measures.full_recall import by_rarity
from alc_core.measures.measure import Measured
from alc_core.measures.registry import measures
from alc_core.scenario.scenario import Scenario

NUMBERS = dict.fromkeys(("alc", "attack", "other", "only", "share", "rows_traced"), Measured(0.95))


@pytest.mark.parametrize("name", ["no recall", "rapid"])
def test_shares_are_said_to_be_of_those_attacked(name):
    said = measures()[name].sentence(NUMBERS, Scenario(["age"], "job"))
    assert "95% of people attacked" in said


@pytest.mark.parametrize("name", ["no recall", "rapid", "rows traced", "anonymity loss"])
def test_what_is_learned_of_a_class_is_not_said_of_the_column(name):
    said = measures()[name].sentence(NUMBERS, Scenario(["sex"], "age", level="release"))
    assert "age class" in said


def test_it_counts_whom_only_the_attack_gets_right(people):
    frame = people(600)
    found = alc.assess(frame, frame, alc.Scenario(["age", "city", "hours"], "job"))
    joint, said = found.outcomes.joint, found.measured["no recall"]
    assert said["only"].value == pytest.approx((joint[:, 1] > joint[:, 3]).mean(), abs=0.01)
    assert said["only"].value >= said["attack"].value - said["other"].value - 0.01


def test_weighted_by_rarity_each_value_counts_alike():
    rng = np.random.default_rng(0)
    truth, guessed = rng.choice(4, 300, p=[0.6, 0.2, 0.15, 0.05]), rng.integers(0, 4, 300)
    targets = SimpleNamespace(
        truth=truth,
        prevalence=np.bincount(truth) / len(truth),
        scoring=alc.ScoringParameters(),
    )
    said = by_rarity(targets, guessed == truth)
    assert said.value == pytest.approx(balanced_accuracy_score(truth, guessed))
    assert said.low < said.value < said.high
    assert by_rarity(targets, truth == 0).value == pytest.approx(0.25)


def test_numbers_of_numpy_are_numbers():
    made = Measured(np.float64(0.5), np.float32(0.25))
    assert [type(each) for each in (made.value, made.low, made.high)] == [float, float, type(None)]
