"""What attacks learn of a population and of persons, on real data: trends that theory asks for."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.definetti import PREDICTORS, ShuffledGroups, sample_chain
from alc_core.attacks.naive_bayes import NaiveBayesModel
from alc_core.baselines.families import NaiveBayes
from alc_core.releases.cells import contingency
from alc_core.releases.samples.groups import anatomy_groups, merge_groups
from alc_core.releases.samples.perturbed import with_noise

KNOWN = ("age", "children", "educ", "religious")
UNKNOWN = "yrs_married"
LOOP = alc.LoopParameters(folds=3, resamples=100)


def accuracy(posterior, truth):
    return float(np.mean(posterior.argmax(axis=1) == truth))


@pytest.fixture(scope="module")
def survey():
    frame = alc.load_demo("fair").original.frame
    coded = [pd.Categorical(frame[column]) for column in (*KNOWN, UNKNOWN)]
    codes = [np.asarray(each.codes, dtype=np.int32) for each in coded]
    return codes[:-1], [len(each.categories) for each in coded[:-1]], codes[-1]


def test_the_less_noise_the_more_the_naive_attack_learns(survey):
    columns, sizes, truth = survey
    exact = contingency(columns, truth, sizes, 7)
    noiseless = accuracy(NaiveBayesModel.of_counts(exact).posterior(columns), truth)
    means = []
    for epsilon in (0.003, 0.03, 3.0):
        found = [
            accuracy(
                NaiveBayesModel.of_counts(
                    with_noise(exact, epsilon, np.random.default_rng(seed))
                ).posterior(columns),
                truth,
            )
            for seed in range(10)
        ]
        means.append(np.mean(found))
    assert means[0] < means[1] - 0.05
    assert means[1] < means[2] - 0.05
    assert means[2] == pytest.approx(noiseless, abs=0.01)
    assert noiseless > np.bincount(truth).max() / len(truth) + 0.2


def test_definetti_learns_more_than_the_groups_say_and_less_from_larger_ones(survey):
    columns, sizes, truth = survey
    exact = contingency(columns, truth, sizes, 7)
    noiseless = accuracy(NaiveBayesModel.of_counts(exact).posterior(columns), truth)
    found = {}
    for level, merged in ((2, 1), (3, 1), (3, 2)):
        groups = merge_groups(anatomy_groups(truth, level, np.random.default_rng(1)), merged)
        shuffled = ShuffledGroups.of_truth(columns, sizes, group=groups, truth=truth, n_values=7)
        chain = sample_chain(shuffled, seed=1, rounds=300, truth=truth)
        rows = np.arange(len(truth))
        by = {name: accuracy(chain.beliefs(rows, name), truth) for name in PREDICTORS}
        assert min(by["permutation"], by["group"]) > 1 / level + 0.1
        assert by["open"] < noiseless + 0.01
        found[level, merged] = by["permutation"]
    assert found[2, 1] > found[3, 1] > found[3, 2]


@pytest.mark.slow
def test_private_counts_are_learned_from_and_nobody_loses():
    survey = alc.load_demo("fair").original.with_kinds({UNKNOWN: "categorical"})
    counts = alc.noisy_counts(survey, unknown=UNKNOWN, known=KNOWN, epsilon=0.1, seed=1)
    result = alc.assess(
        survey, counts, alc.Scenario(KNOWN, UNKNOWN), attack="naive bayes", loop=LOOP, seed=1
    )
    guessed = result.outcomes.attack
    assert guessed.true_predictions[-1] / guessed.predictions[-1] > 0.5  # chance: one in seven
    assert result.verdict is alc.Verdict.NO_LOSS


@pytest.mark.slow
def test_definetti_finds_a_person_where_best_row_match_finds_a_group():
    demo = alc.load_demo("fair")
    known = [*demo.scenario.known, "rate_marriage", "affairs"]
    release = alc.anatomize(demo.original, unknown="religious", known=known, level=2, seed=1)
    scenario = alc.Scenario(known, "religious")
    matched, learned = (
        alc.assess(
            demo.original, release, scenario, attack=attack, families=(NaiveBayes(),), loop=LOOP
        )
        for attack in ("best row match", "definetti: chains=2, rounds=300")
    )
    assert learned.alc_rest > matched.alc_rest + 0.1
