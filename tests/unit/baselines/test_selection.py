from dataclasses import dataclass, field

import numpy as np
import pytest

from alc_core.baselines.families import Boosting, Logistic, NaiveBayes, default_families
from alc_core.baselines.features import Features
from alc_core.baselines.fitting import LearnedValues, TargetWeights, fit_baseline
from alc_core.baselines.forest import Forest
from alc_core.baselines.grouped import GroupedFrequencies
from alc_core.baselines.selection import Merit, Trial, choose_families, weighted_curve
from alc_core.scoring.curves import precision_recall_curve
from alc_core.scoring.parameters import ScoringParameters

SCORING = ScoringParameters()


@dataclass(frozen=True)
class OnlyFew:
    """A family that suits few rows; the others must take over where there are more."""

    inner: Boosting = field(default_factory=Boosting)
    at_most: int = 2000
    name: str = "only few"
    averaged: bool = False
    learns_rare: bool = False

    def suits(self, features, n_classes):
        return len(features) <= self.at_most

    def fit(self, features, classes, n_classes, seed):
        return self.inner.fit(features, classes, n_classes, seed)


@dataclass(frozen=True)
class TooLarge(OnlyFew):
    name: str = "too large"

    def suits(self, features, n_classes):
        return True

    def fit(self, features, classes, n_classes, seed):
        if len(features) > self.at_most:
            raise MemoryError
        return self.inner.fit(features, classes, n_classes, seed)


def learnable(n, seed=0):
    """The unknown follows from two known columns together, which naive Bayes learns less well."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 4, (n, 3)).astype(float)
    unknown = ((matrix[:, 0] + (matrix[:, 1] > 1)) % 4).astype(np.int32)
    noise = rng.random(n) < 0.1
    unknown[noise] = rng.integers(0, 4, noise.sum())
    return Features(matrix=matrix, categorical=np.ones(3, dtype=bool)), unknown


def choose(features, unknown, families, **options):
    return choose_families(
        features, unknown, np.arange(len(unknown)), families=families, scoring=SCORING, seed=0,
        **options,
    )  # fmt: skip


@pytest.mark.parametrize("family", [OnlyFew(), TooLarge()], ids=lambda family: family.name)
def test_where_the_best_cannot_be_fitted_on_all_rows_the_next_best_is(family):
    features, unknown = learnable(5000)
    few = np.arange(2000)
    choices = choose(features.take(few), unknown[few], [family, GroupedFrequencies(), NaiveBayes()])
    best = [choice.candidate for choice in choices]
    assert best[0] == (family,)
    baseline = fit_baseline(features, unknown, ranking=best, seed=0)
    assert baseline.model == "grouped frequencies"
    assert baseline.place == best.index((GroupedFrequencies(),))
    assert (baseline.predict(features)[0] == unknown).mean() > 0.85


def test_families_that_do_not_suit_the_rows_to_fit_on_are_not_compared():
    features, unknown = learnable(5000)
    few = np.arange(2000)
    choices = choose(
        features.take(few), unknown[few], [OnlyFew(), NaiveBayes()], fitted_on=features
    )
    assert all(OnlyFew() not in choice.candidate for choice in choices)


def test_the_constant_is_not_taken_while_another_can_learn():
    features, unknown = learnable(5000)
    ranking = [(OnlyFew(),), (), (GroupedFrequencies(),)]
    assert fit_baseline(features, unknown, ranking=ranking, seed=0).model == "grouped frequencies"
    nothing = fit_baseline(features, unknown, ranking=[(OnlyFew(),), ()], seed=0)
    assert nothing.model == "most frequent value"
    assert nothing.place == 1
    first = fit_baseline(features, unknown, ranking=[(), (GroupedFrequencies(),)], seed=0)
    assert first.place == 0
    assert first.model == "most frequent value"


def test_a_value_in_one_part_of_the_cross_validation_only_does_not_end_the_comparison():
    features, _ = learnable(300)
    unknown = np.zeros(300, dtype=np.int32)
    unknown[:6] = 1
    units = np.arange(300)
    units[:6] = 0
    choices = choose_families(
        features, unknown, units, families=[NaiveBayes()], scoring=SCORING, seed=0
    )
    assert {choice.candidate for choice in choices} == {(), (NaiveBayes(),)}


def dominated(n, share, seed=0):
    """A value of `share` of the rows hides two others, that one known column tells apart."""
    rng = np.random.default_rng(seed)
    unknown = np.where(rng.random(n) < share, 0, rng.integers(1, 3, n)).astype(np.int32)
    kinds = np.where(unknown == 0, rng.integers(0, 10, n), rng.integers(5, 7, n))
    told = np.where(rng.random(n) < 0.9, unknown, rng.integers(1, 3, n))
    matrix = np.column_stack([kinds, np.where(unknown == 0, rng.integers(1, 3, n), told)])
    return Features(matrix=matrix.astype(float), categorical=np.ones(2, dtype=bool)), unknown


def balanced(unknown, rng):
    rare, common = np.flatnonzero(unknown != 0), np.flatnonzero(unknown == 0)
    return np.concatenate([rare, rng.choice(common, len(rare), replace=False)])


def test_a_baseline_weighted_for_balanced_targets_names_the_rare_values():
    features, unknown = dominated(9000, 0.9)
    learn = np.arange(6000)
    tested = 6000 + balanced(unknown[6000:], np.random.default_rng(1))
    weights = TargetWeights.of(
        unknown,
        could=np.ones(9000, dtype=bool),
        eligible=np.ones(9000, dtype=bool),
        stand_for=np.where(unknown == 0, (unknown == 0).sum() / (unknown != 0).sum(), 1.0),
        records=np.ones(9000, dtype=np.int64),
        selection_known=True,
    )
    right, choices = {}, {}
    for name, chosen in {"weighted": weights, "plain": None}.items():
        taken = None if chosen is None else chosen.take(learn)
        choices[name] = choose(
            features.take(learn), unknown[learn], [Boosting(), Logistic()], weights=taken
        )
        baseline = fit_baseline(
            features.take(learn),
            unknown[learn],
            ranking=[choice.candidate for choice in choices[name]],
            weights=chosen,
            seed=0,
        )
        right[name] = (baseline.predict(features.take(tested))[0] == unknown[tested]).mean()
    assert right["plain"] < 0.6
    assert right["weighted"] > 0.7
    # What cross-validation promises is what balanced targets get.
    expected = choices["weighted"][0].merit.measure
    assert choices["weighted"][0].candidate
    assert expected.precision * expected.recall < choices["plain"][0].merit.measure.precision


def test_very_many_values_are_learned_in_bounded_memory():
    rng = np.random.default_rng(0)
    place = rng.integers(0, 1500, 12_000)
    unknown = np.where(rng.random(12_000) < 0.8, place, rng.integers(0, 1500, 12_000))
    features = Features(
        matrix=np.column_stack([place, rng.integers(0, 2, 12_000)]).astype(float),
        categorical=np.ones(2, dtype=bool),
    )
    learn, test = np.arange(10_000), np.arange(10_000, 12_000)
    codes = unknown.astype(np.int32)
    choices = choose(features.take(learn), codes[learn], default_families())
    tried = {family.name for choice in choices for family in choice.candidate}
    assert not {"gradient boosting", "deep random forest", "logistic regression"} & tried
    baseline = fit_baseline(
        features.take(learn), codes[learn], ranking=[c.candidate for c in choices], seed=0
    )
    assert (baseline.predict(features.take(test))[0] == codes[test]).mean() > 0.7


def scored(n=4000, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.random(n).round(2)
    return rng, scores, rng.random(n) < scores


def test_equal_weights_count_rows():
    _, scores, correct = scored()
    assert weighted_curve(scores, correct, np.full(4000, 0.3)) == precision_recall_curve(
        scores, correct, max_thresholds=400
    )


def test_rows_of_no_weight_do_not_count():
    _, scores, correct = scored()
    weights = (np.arange(4000) < 1000).astype(float)
    expected = precision_recall_curve(scores[:1000], correct[:1000], max_thresholds=400)
    assert weighted_curve(scores, correct, weights) == expected


def test_weights_measure_what_a_sample_drawn_by_them_does():
    rng, scores, correct = scored(40_000)
    weights = np.where(correct, 0.2, 1.0)
    drawn = rng.random(40_000) < weights
    sample = precision_recall_curve(scores[drawn], correct[drawn])
    curve = weighted_curve(scores, correct, weights)
    assert curve.attempts == round(weights.sum() ** 2 / np.square(weights).sum())
    assert np.all(np.diff(curve.predictions) > 0)
    assert np.all(curve.true_predictions <= curve.predictions)
    for recall in (0.1, 0.5, 1.0):
        at = np.searchsorted(curve.recall, recall - 1e-9)
        there = np.searchsorted(sample.recall, recall - 1e-9)
        precision = curve.true_predictions[at] / curve.predictions[at]
        drawn_precision = sample.true_predictions[there] / sample.predictions[there]
        assert precision == pytest.approx(drawn_precision, abs=0.03)


def test_log_loss_and_prc():
    probabilities = np.tile([0.9, 0.1], (500, 1))
    truth = (np.arange(500) % 10 == 0).astype(np.int64)
    merit = Merit.of(probabilities, truth, np.ones(500), ScoringParameters(), codes=np.arange(2))
    assert merit.prc == pytest.approx(0.9, abs=0.01)
    assert merit.log_loss == pytest.approx(-0.9 * np.log(0.9) - 0.1 * np.log(0.1))
    assert merit.standard_error == pytest.approx(np.sqrt(0.09 / 500), rel=0.05)


def test_who_has_another_value_counts_in_the_log_loss_and_is_never_predicted_right():
    probabilities = np.tile([0.3, 0.7], (500, 1))
    truth = (np.arange(500) % 4 > 0).astype(np.int64)
    merit = Merit.of(probabilities, truth, np.ones(500), ScoringParameters(), codes=np.arange(1))
    assert merit.measure.precision == pytest.approx(0.25, abs=0.01)
    assert merit.log_loss == pytest.approx(-0.25 * np.log(0.3) - 0.75 * np.log(0.7))


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
        row_weights=np.ones(n) if weights is None else weights, value_weights=None,
        near=False, seed=0,
    )  # fmt: skip
    part = np.arange(n // 2), np.arange(n // 2, n)
    families = default_families() if families is None else families
    found = trial.worth_comparing(families, part, np.random.default_rng(0))
    assert [family for family in families if family in found] == found
    return {family.name for family in found}


class GrownError(Exception):
    pass


class ToGrow(Forest):
    def fit(self, features, classes, n_classes, seed):
        raise GrownError


@pytest.mark.parametrize(("wrong", "grows"), [(0.0, False), (0.005, False), (0.04, True)])
def test_forests_are_grown_only_where_the_others_leave_something(wrong, grows):
    rng = np.random.default_rng(0)
    matrix = rng.integers(0, 4, (3000, 2)).astype(float)
    features = Features(matrix=matrix, categorical=np.ones(2, dtype=bool))
    unknown = np.where(rng.random(3000) < wrong, 3 - matrix[:, 0], matrix[:, 0]).astype(np.int32)
    families = ToGrow("forest", min_samples_leaf=2), GroupedFrequencies()
    if grows:
        with pytest.raises(GrownError):
            choose(features, unknown, families)
    else:
        assert choose(features, unknown, families)[0].candidate == families[1:]


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


def test_families_are_compared_by_what_is_right_within_a_tolerance():
    probabilities = np.tile([0.3, 0.0, 0.25, 0.2, 0.25], (400, 1))
    truth = np.repeat([0, 2, 3, 4], [120, 100, 80, 100])
    weights, codes = np.ones(400), np.arange(5)
    exactly, near = (
        Merit.of(probabilities, truth, weights, ScoringParameters(), codes=codes, near=near)
        for near in (False, True)
    )
    assert exactly.measure.measured_precision == pytest.approx(0.3)
    assert near.measure.measured_precision == pytest.approx(0.7)
