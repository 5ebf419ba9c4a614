"""Releases whose loss is known by construction."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.scoring.outcomes import Outcomes, bootstrap, loss_interval

SCORING = alc.ScoringParameters()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fair", "randhie"])
def test_shuffled_columns_and_strong_swapping_are_no_loss_on_real_data(name):
    demo = alc.load_demo(name)
    shuffled = alc.swap_columns(demo.original.frame, 1, seed=3)
    assert alc.assess(demo.original, shuffled, demo.scenario).alc <= 0.1
    strong = alc.assess(demo.original, demo.releases["80% swapped"], demo.scenario)
    assert strong.alc <= 0.1


@pytest.mark.slow
def test_the_original_itself_is_a_serious_loss_on_real_data():
    demo = alc.load_demo("fair")
    releases = (demo.original.frame, demo.releases["20% swapped"], demo.releases["80% swapped"])
    result, weak, strong = (
        alc.assess(demo.original, release, demo.scenario, families=(NaiveBayes(),))
        for release in releases
    )
    assert result.verdict is alc.Verdict.SERIOUS
    assert strong.alc < weak.alc < result.alc


def simulated_loss(precision, n_targets, seed):
    rng = np.random.default_rng(seed)
    score, flat = rng.random(n_targets), rng.random(n_targets)
    outcomes = Outcomes.from_predictions(
        score, rng.random(n_targets) < precision(score), flat, rng.random(n_targets) < 0.5
    )
    best = [alc.best_measure(c, SCORING).prc for c in (outcomes.attack, outcomes.baseline)]
    return alc.anonymity_loss(*best), outcomes


def test_few_targets_hide_a_low_recall_attack():
    def linear(score):
        return 0.2 + 0.7 * score

    many, few = (
        np.mean([simulated_loss(linear, n, seed)[0] for seed in range(40)]) for n in (2000, 500)
    )
    assert many == pytest.approx(0.71, abs=0.03)
    assert few == pytest.approx(0.32, abs=0.05)


@pytest.mark.slow
def test_the_interval_covers_zero_where_attack_and_baseline_are_equal():
    def equal(score):
        return 0.2 + 0.7 * score

    covered = 0
    for seed in range(100):
        rng = np.random.default_rng(1000 + seed)
        scores = rng.random((2, 2000))
        right = rng.random((2, 2000)) < equal(scores)
        outcomes = Outcomes.from_predictions(
            scores[0], right[0], scores[1], right[1], max_thresholds=400
        )
        low, high = loss_interval(bootstrap(outcomes, resamples=300, seed=seed), SCORING)
        covered += low <= 0 <= high
    # With a true coverage of 0.93, fewer than 86 of 100 happen in less than 1 % of runs.
    assert covered >= 86


def test_negative_numbers_are_no_better_predicted_than_positive_ones():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"k": rng.integers(0, 40, 2000), "u": rng.normal(0, 10, 2000).round(2)})
    for sign in (1, -1):
        signed = frame.assign(u=sign * frame["u"] - 50)
        release = alc.swap_columns(signed, 1, seed=1)
        scenario = alc.Scenario(["k"], "u")
        assert alc.assess(signed, release, scenario, families=(NaiveBayes(),)).alc <= 0.1
