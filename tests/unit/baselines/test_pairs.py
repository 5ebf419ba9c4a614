"""A best guess that knows a benefit and a wage knows their ratio."""

import numpy as np
import pytest

from alc_core.baselines.families import Boosting
from alc_core.baselines.features import Features
from alc_core.baselines.fitting import LearnedValues
from alc_core.baselines.forest import Forest
from alc_core.baselines.pairs import NumberPairs

N = 2_000


def wages(seed):
    """Wage, benefit, an unrelated number, a group, and whether there are children."""
    rng = np.random.default_rng(seed)
    wage, children = rng.lognormal(7, 0.4, N), rng.integers(2, size=N)
    benefit = wage * (0.6 + 0.07 * children) * rng.normal(1, 0.03, N)
    matrix = np.column_stack([wage, benefit, rng.normal(50, 9, N), rng.integers(5, size=N)])
    return Features(matrix=matrix, categorical=np.array([False] * 3 + [True])), children


@pytest.mark.parametrize("family", [Boosting(), Forest("forest", min_samples_leaf=10)])
def test_families_learn_what_a_ratio_says(family):
    (learn, truth), (asked, answers) = wages(1), wages(2)
    learned = LearnedValues.of(truth.astype(np.int32))
    model = learned.fit(family, learn, truth, seed=0)
    plain = family.fit(learn, truth, 2, 0)
    with_ratio, without = (
        (each.probabilities(asked).argmax(axis=1) == answers).mean() for each in (model, plain)
    )
    assert with_ratio > 0.94
    assert without < with_ratio - 0.03


def test_a_difference_counts_too():
    rng = np.random.default_rng(0)
    came = rng.uniform(0, 3_000, N)
    long = rng.integers(2, size=N)
    left = came + np.where(long, 30, 5) + rng.normal(0, 3, N)
    features = Features(matrix=np.column_stack([came, left]), categorical=np.zeros(2, dtype=bool))
    assert NumberPairs.of(features, long).places[0] == (0, 1, False)


@pytest.mark.parametrize("seed", range(20))
def test_unrelated_numbers_have_no_pairs_and_one_that_says_all_needs_none(seed):
    features, _ = wages(seed)
    rng = np.random.default_rng(seed)
    assert NumberPairs.of(features, rng.integers(4, size=N)).places == ()
    assert NumberPairs.of(features, (features.matrix[:, 2] > 50).astype(np.int64)).places == ()


def test_empty_and_equal_numbers_are_no_trouble():
    matrix = np.column_stack([np.full(N, np.nan), np.zeros(N), np.arange(N) % 7])
    features = Features(matrix=matrix, categorical=np.zeros(3, dtype=bool))
    found = NumberPairs.of(features, np.arange(N) % 3)
    assert found.beside(features).matrix.shape == (N, 3 + len(found.places))
