import numpy as np
import pytest

from alc_core.baselines.families import Boosting, NaiveBayes
from alc_core.baselines.features import Features
from alc_core.baselines.selection import choose_families
from alc_core.scoring.parameters import ScoringParameters


def data(n, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 6, (n, 3)).astype(float)
    classes = (matrix[:, 0] + matrix[:, 1]).astype(np.int64) % n_classes
    noise = rng.random(n) < 0.2
    classes[noise] = rng.integers(0, n_classes, noise.sum())
    return Features(matrix=matrix, categorical=np.ones(3, bool)), classes


def test_rounds_are_settled_by_models_that_were_stopped():
    features, classes = data(2000, 5)
    models = [Boosting().fit(features, classes, 5, seed) for seed in (0, 1)]
    rounds = np.mean([each.model.n_iter_ - each.model.n_iter_no_change for each in models])
    settled = Boosting().settled(models, 2000)
    assert settled == Boosting(rounds=rounds, learned_rows=2000)
    again = settled.fit(features, classes, 5, 0).model
    assert again.n_iter_ == round(rounds)
    assert not again.do_early_stopping_
    larger = settled.fit(*data(20_000, 5), 5, 0).model
    assert larger.n_iter_ == round(rounds * 10**0.2)


@pytest.mark.parametrize(("n_rows", "n_classes"), [(2000, 3), (90, 5)])
def test_nothing_is_settled_with_few_classes_or_without_a_check(n_rows, n_classes):
    models = [Boosting().fit(*data(n_rows, n_classes), n_classes, 0)]
    assert Boosting().settled(models, n_rows) == Boosting()
    assert Boosting().settled([], n_rows) == Boosting()


def test_the_comparison_settles_rounds_and_takes_a_large_half_only():
    for n_rows, tested in ((10_000, 5000), (6000, 6000)):
        features, classes = data(n_rows, 5)
        (first, *_) = choose_families(
            features, classes.astype(np.int32), np.arange(n_rows),
            families=[Boosting(), NaiveBayes()], scoring=ScoringParameters(), seed=0,
        )  # fmt: skip
        (boosting,) = first.candidate
        assert boosting.name == "gradient boosting"
        assert boosting.learned_rows == n_rows // 2
        assert first.merit.measure.attempts == tested
