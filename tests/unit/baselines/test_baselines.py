import numpy as np
import pandas as pd
import pytest

from alc_core.baselines.families import Boosting, Logistic, NaiveBayes, default_families
from alc_core.baselines.features import MAX_CATEGORIES, Features
from alc_core.baselines.fitting import LearnedValues, TargetWeights, fit_baseline
from alc_core.baselines.folds import BaselinePredictions, baseline_notes
from alc_core.baselines.forest import Forest
from alc_core.baselines.grouped import GroupedFrequencies
from alc_core.baselines.selection import choose_families
from alc_core.note import WEAK_GUESS
from alc_core.scoring.curves import best_measure, precision_recall_curve
from alc_core.scoring.parameters import ScoringParameters
from tests.toys.attacked import prepared

SCORING = ScoringParameters()


def simulated(n=1200, seed=0, classes=3, *, additive=False):
    rng = np.random.default_rng(seed)
    matrix = np.column_stack([rng.integers(0, 6, n), rng.normal(size=n), rng.integers(0, 3, n)])
    matrix[rng.random(n) < 0.1, 1] = np.nan
    signal = matrix[:, 0] // 2 if additive else matrix[:, 0] + matrix[:, 2]
    unknown = (signal % classes).astype(np.int32)
    noise = rng.random(n) < 0.2
    unknown[noise] = rng.integers(0, classes, noise.sum())
    return Features(matrix=matrix.astype(float), categorical=np.array([True, False, True])), unknown


def candidates(choices):
    return [choice.candidate for choice in choices]


FAMILIES = [*default_families()]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_family_learns_and_gives_probabilities(family):
    features, unknown = simulated(additive=True)
    model = family.fit(features, unknown.astype(np.int64), 3, 0)
    probabilities = model.probabilities(features)
    assert probabilities.shape == (1200, 3)
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(1200))
    assert (probabilities.argmax(axis=1) == unknown).mean() > 0.8


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_family_survives_awkward_data(family):
    rng = np.random.default_rng(1)
    matrix = np.column_stack([np.zeros(40), np.full(40, np.nan), rng.integers(0, 2, 40)])
    features = Features(matrix=matrix, categorical=np.array([True, False, False]))
    classes = np.arange(40) % 2
    model = family.fit(features, classes, 2, 0)
    strange = Features(
        matrix=np.array([[7.0, 1e9, np.nan], [np.nan_to_num(0.0), np.nan, -5.0]]),
        categorical=features.categorical,
    )
    assert np.isfinite(model.probabilities(strange)).all()


def test_structure_is_found_and_scores_rank():
    features, unknown = simulated(4000)
    learn, test = np.arange(3000), np.arange(3000, 4000)
    units = np.arange(3000)
    choices = choose_families(
        features.take(learn), unknown[learn], units, families=FAMILIES, scoring=SCORING, seed=0
    )
    baseline = fit_baseline(
        features.take(learn), unknown[learn], ranking=candidates(choices), seed=0
    )
    values, scores, _ = baseline.predict(features.take(test))
    right = values == unknown[test]
    assert right.mean() > 0.83
    assert scores.min() > 0
    assert scores.max() <= 1
    assert "boosting" in baseline.model or "forest" in baseline.model


def test_noise_is_no_better_than_the_most_frequent_value():
    rng = np.random.default_rng(0)
    features, _ = simulated(3000)
    unknown = (rng.random(3000) < 0.05).astype(np.int32)
    choices = choose_families(
        features, unknown, np.arange(3000), families=FAMILIES, scoring=SCORING, seed=0
    )
    baseline = fit_baseline(features, unknown, ranking=candidates(choices), seed=0)
    assert set(baseline.predict(features)[0]) == {0}


def test_one_class_and_rare_values():
    features, _ = simulated(200)
    alone = fit_baseline(features, np.full(200, 7, np.int32), ranking=[(FAMILIES[0],)], seed=0)
    assert set(alone.predict(features)[0]) == {7}
    assert alone.model == "most frequent value"
    assert choose_families(
        features, np.full(200, 7, np.int32), np.arange(200), families=FAMILIES,
        scoring=SCORING, seed=0,
    ) == ()  # fmt: skip
    distinct = np.arange(200, dtype=np.int32)
    assert len(
        fit_baseline(features, distinct, ranking=[(FAMILIES[0],)], seed=0).predict(features)[0]
    )
    skewed = np.append(np.zeros(197), [1, 2, 3]).astype(np.int32)
    assert set(
        fit_baseline(features, skewed, ranking=[(FAMILIES[0],)], seed=0).predict(features)[0]
    ) == {0}


def test_very_many_classes_leave_out_boosting():
    features, _ = simulated(1500)
    unknown = np.random.default_rng(0).integers(0, 100, 1500).astype(np.int32)
    assert not Boosting().suits(features, 400)
    assert NaiveBayes().suits(features, 400)
    assert Forest("f", min_samples_leaf=10).suits(features, 400)
    assert Logistic().suits(features, 400)
    choices = choose_families(
        features, unknown, np.arange(1500), families=FAMILIES, scoring=SCORING, seed=0
    )
    assert not {"gradient boosting"} & {family.name for family in choices[0].candidate}
    baseline = fit_baseline(features, unknown, ranking=candidates(choices), seed=0)
    assert len(baseline.predict(features)[0]) == 1500


def test_result_does_not_depend_on_threads():
    from threadpoolctl import threadpool_limits

    features, unknown = simulated(1500, classes=5)
    results = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            baseline = fit_baseline(
                features, unknown, ranking=[(Boosting(), Forest("f", min_samples_leaf=5))], seed=3
            )
            results.append(baseline.predict(features))
    assert np.array_equal(results[0][0], results[1][0])
    assert np.array_equal(results[0][1], results[1][1])


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


def survey(n=3000, seed=0):
    """Everybody of group 0 has value 0; of the others half have value 1, and half one of many."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 4, n)
    many = rng.integers(2, 4000, n)
    unknown = np.where(group == 0, 0, np.where(rng.random(n) < 0.5, 1, many)).astype(np.int32)
    matrix = np.column_stack([group, rng.integers(0, 3, n)]).astype(float)
    return Features(matrix=matrix, categorical=np.ones(2, dtype=bool)), unknown


SUITED = [family for family in default_families() if family.suits(survey()[0], 2)]


@pytest.mark.parametrize("family", SUITED, ids=lambda family: family.name)
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


def curve(rng, n, *, better=0.0):
    """Scores from 0.3 to 1, precision equal to the score plus a gain."""
    scores = 0.3 + 0.7 * rng.random(n)
    return precision_recall_curve(scores, rng.random(n) < scores + better, max_thresholds=400)


def notes(rng, *, better, n=2000, **said):
    expected = best_measure(curve(rng, 8000), ScoringParameters())
    measured = curve(rng, n, better=better)
    part = BaselinePredictions(
        values=np.zeros(n, dtype=np.int64),
        scores=np.zeros(n),
        everybody=np.zeros(n, dtype=np.int64),
        model="a model",
        expected=expected,
        **said,
    )
    return baseline_notes([part], measured)


def test_as_good_as_expected_or_better_says_nothing():
    rng = np.random.default_rng(0)
    assert sum(bool(notes(rng, better=0.0)) for _ in range(200)) <= 2
    assert not notes(rng, better=0.1)


def test_clearly_worse_is_said():
    rng = np.random.default_rng(1)
    found = [notes(rng, better=-0.2) for _ in range(20)]
    assert all(found)
    assert found[0][0].code == WEAK_GUESS
    assert found[0][0].text.startswith("The loss may be smaller: of the best ")


def test_fewer_who_are_easy_to_guess_by_chance_are_no_shortfall():
    """The facts tell one value: 17.3% have it here, 19% of other people had."""

    def easy(share, n=2000):
        scores = np.where(np.arange(n) < share * n, 1.0, 0.2)
        return precision_recall_curve(scores, scores == 1.0, max_thresholds=400)

    part = BaselinePredictions(
        values=np.zeros(2000, dtype=np.int64), scores=np.zeros(2000),
        everybody=np.zeros(2000, dtype=np.int64), model="a model",
        expected=best_measure(easy(0.19, 8000), ScoringParameters()),
    )  # fmt: skip
    assert not baseline_notes([part], easy(0.173))
    assert baseline_notes([part], easy(0.1))


def test_few_targets_tell_nothing():
    rng = np.random.default_rng(2)
    assert sum(bool(notes(rng, better=-0.05, n=100)) for _ in range(50)) <= 1


def test_another_model_than_the_best_is_said_once():
    (note,) = notes(np.random.default_rng(3), better=0.0, instead_of="a large model")
    assert note == ("The best baseline (a large model) cannot be fitted: the next is used.")


def test_rows_that_were_not_learned_from_are_said():
    (note,) = notes(np.random.default_rng(3), better=0.0, learned_rows=1000, rows=2700)
    assert note.startswith("The baseline learned from 1,000 of 2,700 rows. ")
    assert "--baseline-rows" in note
    assert not notes(np.random.default_rng(3), better=0.0, learned_rows=2700, rows=2700)


def test_nothing_expected_nothing_compared():
    part = BaselinePredictions(
        values=np.zeros(50, dtype=np.int64),
        scores=np.ones(50),
        everybody=np.zeros(50, dtype=np.int64),
        model="most frequent value",
    )
    none = precision_recall_curve(np.ones(50), np.zeros(50, dtype=bool))
    assert baseline_notes([part], none) == ()


@pytest.mark.parametrize("share", [0.02, 0.5, 1.0])
def test_a_constant_in_place_of_a_good_model_is_said(share):
    rng = np.random.default_rng(4)
    n, right = 4000, np.zeros(4000, dtype=bool)
    right[: int(share * n)] = True
    sure = precision_recall_curve(np.where(right, 1.0, 0.1), right | (rng.random(n) < 0.1))
    part = BaselinePredictions(
        values=np.zeros(n, dtype=np.int64), scores=np.ones(n),
        everybody=np.zeros(n, dtype=np.int64), model="most frequent value",
        expected=best_measure(sure, ScoringParameters()),
    )  # fmt: skip
    constant = precision_recall_curve(np.ones(n), rng.random(n) < 0.1)
    assert baseline_notes([part], constant)


def test_every_known_category_is_told_apart_by_families_that_can():
    towns = np.repeat(np.arange(400), 5)
    frame = pd.DataFrame({"town": np.char.add("town ", towns.astype(str)), "job": towns % 7})
    known = prepared(frame.astype(str), frame.astype(str), ["town"]).targets.known
    features = Features.of(known)
    assert len(np.unique(features.matrix)) == 400
    assert len(np.unique(features.capped)) == MAX_CATEGORIES
    jobs = (towns % 7).astype(np.int64)
    for family in (GroupedFrequencies(), NaiveBayes()):
        model = family.fit(features, jobs, 7, 0)
        assert np.array_equal(model.probabilities(features).argmax(axis=1), jobs)
