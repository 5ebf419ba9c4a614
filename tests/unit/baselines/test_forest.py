"""Forests predict as scikit-learn's do."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from alc_core.baselines.features import Features
from alc_core.baselines.forest import Forest


@pytest.mark.parametrize("leaf", [2, 10])
def test_a_forest_predicts_as_that_of_scikit_learn(leaf):
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(600, 5)).round(1)
    matrix[:, 0] = rng.integers(0, 4, 600)
    matrix[rng.random(600) < 0.1, 3] = np.nan
    features = Features(matrix=matrix, categorical=np.arange(5) == 0)
    classes = np.searchsorted([0, 1], matrix[:, 1] + rng.normal(size=600))
    asked = features.take(slice(100))
    theirs = RandomForestClassifier(8, min_samples_leaf=leaf, random_state=3).fit(matrix, classes)
    ours = Forest("forest", min_samples_leaf=leaf, n_trees=8).fit(features, classes, 3, seed=3)
    assert ours.probabilities(asked).tolist() == theirs.predict_proba(asked.matrix).tolist()


def test_weights_say_how_often_a_forest_draws_rows():
    rng = np.random.default_rng(0)
    classes = np.arange(400) % 2
    features = Features(
        matrix=rng.normal(size=(400, 2)), categorical=np.zeros(2, bool),
        weights=np.where(classes == 1, 1.9, 0.1),
    )  # fmt: skip
    model = Forest("forest", min_samples_leaf=10).fit(features, classes, 2, seed=0)
    assert model.probabilities(features)[:, 1].mean() == pytest.approx(0.95, abs=0.02)
