import numpy as np
import pytest

from alc_core.baselines.families import default_families
from alc_core.baselines.features import Features
from alc_core.baselines.fitting import LearnedValues, fit_baseline
from alc_core.baselines.target_weights import TargetWeights


def survey(n=3000, seed=0):
    """Everybody of group 0 has value 0; of the others half have value 1, and half one of many."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 4, n)
    many = rng.integers(2, 4000, n)
    unknown = np.where(group == 0, 0, np.where(rng.random(n) < 0.5, 1, many)).astype(np.int32)
    matrix = np.column_stack([group, rng.integers(0, 3, n)]).astype(float)
    return Features(matrix=matrix, categorical=np.ones(2, dtype=bool)), unknown


@pytest.mark.parametrize("family", default_families(), ids=lambda family: family.name)
def test_a_model_is_surer_of_a_value_for_people_who_always_have_it(family):
    features, unknown = survey()
    baseline = fit_baseline(features, unknown, ranking=[(family,)], seed=0)
    values, scores, _ = baseline.predict(features)
    always = features.matrix[:, 0] == 0
    assert set(values[always]) == {0}
    assert scores[always].min() > 0.9
    assert scores[~always] == pytest.approx(np.full((~always).sum(), 0.5), abs=0.2)
    probabilities = baseline.probabilities(features, 4000)
    assert np.all(probabilities.sum(axis=1) <= 1 + 1e-9)


def test_values_seen_once_are_one_class_more_where_they_are_many():
    unknown = np.repeat([0, 1, 2, 3, 4], [80, 15, 3, 1, 1]).astype(np.int32)
    learned = LearnedValues.of(unknown)
    assert learned.codes.tolist() == [0, 1, 2]
    assert learned.others.tolist() == [3, 4]
    assert learned.frequent.tolist() == [True, True, False, False]
    assert learned.classes[-2:].tolist() == [3, 3]
    few = LearnedValues.of(np.append(np.repeat([0, 1], 150), 2).astype(np.int32))
    assert len(few) == 2
    assert len(few.others) == 0
    assert len(few.rows) == 300


def test_all_other_values_have_the_mean_of_their_odds():
    unknown = np.repeat([0, 1, 2], [98, 1, 1]).astype(np.int32)
    weights = TargetWeights(rows=np.ones(100), values=np.array([0.2, 1.0, 0.6]), people=np.ones(3))
    assert weights.of_classes(LearnedValues.of(unknown)) == pytest.approx([0.2, 0.8])
