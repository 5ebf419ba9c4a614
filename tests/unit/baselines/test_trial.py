import numpy as np

from alc_core.baselines.families import Forest, Logistic, NaiveBayes, default_families
from alc_core.baselines.features import Features
from alc_core.baselines.fitting import LearnedValues
from alc_core.baselines.selection import Trial

FORESTS = {"random forest", "deep random forest"}


def additive(n, n_classes, seed=0):
    """Every known column says a little about each value, whatever the others say."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 8, (n, 12))
    effects = rng.normal(0, 0.6, (12, 8, n_classes))
    scores = sum(effects[column, matrix[:, column]] for column in range(12))
    classes = (scores + rng.gumbel(size=(n, n_classes))).argmax(axis=1)
    return Features(matrix=matrix.astype(float), categorical=np.ones(12, bool)), classes


def together(n, n_classes, seed=0):
    """Two known columns say it, but only both of them."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, n_classes, (n, 4))
    noise = rng.random(n) < 0.1
    classes = matrix[:, :2].sum(axis=1) % n_classes
    classes[noise] = rng.integers(0, n_classes, noise.sum())
    return Features(matrix=matrix.astype(float), categorical=np.ones(4, bool)), classes


def kept(features, classes, families=None, *, weights=None):
    n = len(classes)
    trial = Trial(
        features=features, classes=classes, learned=LearnedValues.of(classes.astype(np.int32)),
        row_weights=np.ones(n) if weights is None else weights, value_weights=None, seed=0,
    )  # fmt: skip
    part = np.arange(n // 2), np.arange(n // 2, n)
    families = default_families() if families is None else families
    found = trial.worth_comparing(families, part, np.random.default_rng(0))
    assert [family for family in families if family in found] == found
    return {family.name for family in found}


def test_forests_far_behind_logistic_regression_go_no_further():
    features, classes = additive(8000, 10)
    everybody = {family.name for family in default_families()}
    assert kept(features, classes) == everybody - FORESTS


def test_forests_go_on_where_what_columns_say_together_counts():
    assert kept(*together(8000, 10)) >= FORESTS


def test_forests_go_on_where_they_are_not_far_behind():
    features, classes = additive(8000, 2)
    few = Features(matrix=features.matrix[:, :3], categorical=features.categorical[:3])
    assert kept(few, classes) >= FORESTS


def test_only_forests_are_tried_and_only_against_logistic_regression():
    features, classes = additive(8000, 10)
    forest = Forest("forest", min_samples_leaf=10)
    assert kept(features, classes, (forest, NaiveBayes())) == {"forest", "naive Bayes"}
    assert kept(features, classes, (forest, Logistic())) == {"logistic regression"}


def test_rows_that_stand_for_no_target_do_not_count():
    features, classes = additive(8000, 10)
    assert kept(features, classes, weights=np.zeros(8000)) >= FORESTS
    matrix = features.matrix.copy()
    only = np.arange(8000) % 4 == 0
    # Among the people who can be targets the columns say it together.
    other, told = together(8000, 8)
    matrix[only, :4] = other.matrix[only]
    classes = np.where(only, told, classes)
    mixed = Features(matrix=matrix, categorical=features.categorical)
    assert kept(mixed, classes, weights=only.astype(float)) >= FORESTS
