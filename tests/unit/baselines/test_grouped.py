import numpy as np
import pytest

from alc_core.baselines.features import Features
from alc_core.baselines.grouped import GroupedFrequencies


def planted(n=9000, places=500, seed=0):
    """An unknown of 1 500 values: three codes in each of 500 places, one far more frequent."""
    rng = np.random.default_rng(seed)
    place = rng.integers(0, places, n)
    code = 3 * place + rng.choice(3, n, p=[0.7, 0.2, 0.1])
    noise = rng.random(n) < 0.1
    code[noise] = rng.integers(0, 3 * places, noise.sum())
    return rng, place, np.unique(code, return_inverse=True)[1]


@pytest.mark.parametrize("as_number", [False, True])
def test_thousands_of_values_are_learned_from_the_column_they_depend_on(as_number):
    rng, place, code = planted()
    matrix = np.column_stack([rng.integers(0, 12, 9000), place, rng.normal(size=9000)])
    features = Features(
        matrix=matrix.astype(float), categorical=np.array([True, not as_number, False])
    )
    learn, test = np.arange(7000), np.arange(7000, 9000)
    size = int(code.max()) + 1
    model = GroupedFrequencies().fit(features.take(learn), code[learn], size, 0)
    found = model.probabilities(features.take(test))
    assert found.sum(axis=1) == pytest.approx(np.ones(2000))
    best = found.argmax(axis=1)
    # Nobody can do better than 0.9 * 0.7.
    assert (best == code[test]).mean() > 0.58
    sure = found.max(axis=1) > np.median(found.max(axis=1))
    assert (best == code[test])[sure].mean() > (best == code[test])[~sure].mean()


def test_two_columns_are_needed_together():
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 20, 6000), rng.integers(0, 20, 6000)
    code = first * 20 + second
    features = Features(
        matrix=np.column_stack([first, rng.normal(size=6000), second]).astype(float),
        categorical=np.array([True, False, True]),
    )
    model = GroupedFrequencies().fit(features.take(slice(0, 5000)), code[:5000], 400, 0)
    found = model.probabilities(features.take(slice(5000, 6000)))
    assert (found.argmax(axis=1) == code[5000:]).mean() > 0.95


def test_where_nothing_can_be_learned_frequencies_are_predicted():
    rng = np.random.default_rng(2)
    code = rng.choice(3, 4000, p=[0.6, 0.3, 0.1])
    features = Features(matrix=rng.normal(size=(4000, 2)), categorical=np.zeros(2, dtype=bool))
    found = GroupedFrequencies().fit(features, code, 3, 0).probabilities(features)
    assert found == pytest.approx(np.tile([0.6, 0.3, 0.1], (4000, 1)), abs=0.06)


def test_values_not_seen_lean_on_the_larger_group():
    features = Features(
        matrix=np.repeat([[0.0, 1.0], [1.0, 2.0]], 50, axis=0), categorical=np.array([True, False])
    )
    classes = np.repeat([0, 1], 50)
    model = GroupedFrequencies().fit(features, classes, 2, 0)
    strange = Features(
        matrix=np.array([[7.0, 9.5], [0.0, np.nan], [1.0, 1.5]]), categorical=features.categorical
    )
    found = model.probabilities(strange)
    assert found[0] == pytest.approx([0.5, 0.5])
    assert found[1, 0] > 0.9
    assert found[2, 1] > 0.9


def test_a_group_that_holds_one_value_is_told_from_one_of_very_many():
    rng = np.random.default_rng(3)
    group = rng.integers(0, 5, 4000)
    code = np.where(group == 0, 0, rng.integers(1, 1500, 4000))
    code = np.unique(code, return_inverse=True)[1]
    features = Features(matrix=group[:, None].astype(float), categorical=np.array([True]))
    model = GroupedFrequencies().fit(features, code, int(code.max()) + 1, 0)
    found = model.probabilities(features)
    assert found.sum(axis=1) == pytest.approx(np.ones(4000))
    assert found[group == 0, 0].min() > 0.95
    assert found[group > 0, 0].max() < 0.15
