import numpy as np
import pytest

from alc_core.errors import InputError, TooFewTargetsError
from alc_core.scoring.curves import best_measure, measure_curve, precision_recall_curve
from alc_core.scoring.formulas import prc
from alc_core.scoring.intervals import wilson_interval
from alc_core.scoring.parameters import ScoringParameters

SCORING = ScoringParameters()


def plain_best(scores, correct, scoring=SCORING):
    """The definition, threshold by threshold."""
    best = None
    for threshold in np.unique(scores):
        kept = scores >= threshold
        n, t = int(kept.sum()), int(correct[kept].sum())
        low, high = (float(x) for x in wilson_interval(t, n, confidence=scoring.confidence))
        if high - low > scoring.max_interval_width:
            continue
        value = prc((low + high) / 2, n / len(scores), alpha=scoring.alpha, r_min=scoring.r_min)
        if best is None or value > best[0]:
            best = (value, threshold, n, t)
    return best


def test_best_measure_equals_the_definition_with_many_ties():
    rng = np.random.default_rng(5)
    for seed in range(5):
        scores = rng.integers(0, 60, 900) / 60
        correct = rng.random(900) < 0.3 + 0.6 * scores
        found = best_measure(precision_recall_curve(scores, correct), SCORING)
        value, threshold, predictions, true_predictions = plain_best(scores, correct)
        assert found.prc == pytest.approx(value), seed
        assert (found.threshold, found.predictions) == (threshold, predictions)
        assert found.true_predictions == true_predictions
        assert found.recall == predictions / 900
        assert found.precision == pytest.approx(sum(found.precision_interval) / 2)


def test_equal_scores_stay_together():
    curve = precision_recall_curve([1, 0.5, 0.5, 0.5], [True, True, False, False])
    assert curve.predictions.tolist() == [1, 4]
    assert curve.true_predictions.tolist() == [1, 2]
    assert curve.thresholds.tolist() == [1.0, 0.5]


def test_abstentions_lower_recall():
    curve = precision_recall_curve([1.0, 0.5], [True, False], attempts=10)
    assert curve.recall.tolist() == [0.1, 0.2]


def test_recall_of_pretargeted_people_by_equation_4():
    # N = 50 attempts, 30 of them abstentions, N' = 80 pre-targeted people of D = 1000 records.
    curve = precision_recall_curve(
        np.linspace(0, 1, 20), np.ones(20, bool), attempts=50, recall_scale=80 / 1000
    )
    assert curve.recall[-1] == pytest.approx((50 - 30) * 80 / (50 * 1000))


def test_thinning_keeps_the_ends_large_ties_and_every_count_exact():
    rng = np.random.default_rng(0)
    scores = np.concatenate([rng.random(20_000), np.full(5_000, 0.7)])
    correct = rng.random(25_000) < scores
    full = precision_recall_curve(scores, correct)
    thin = precision_recall_curve(scores, correct, max_thresholds=100)
    assert len(thin) <= 101
    assert thin.predictions[-1] == 25_000
    position = np.searchsorted(-full.thresholds, -thin.thresholds)
    assert np.array_equal(full.thresholds[position], thin.thresholds)
    assert np.array_equal(full.predictions[position], thin.predictions)
    assert np.array_equal(full.true_predictions[position], thin.true_predictions)
    assert np.any(thin.thresholds == 0.7)
    assert best_measure(thin, SCORING).prc == pytest.approx(
        best_measure(full, SCORING).prc, abs=0.01
    )


def test_few_thresholds_are_not_thinned():
    scores = np.repeat(np.arange(50) / 50, 20)
    curve = precision_recall_curve(scores, scores > 0.3, max_thresholds=50)
    assert len(curve) == 50


def test_midpoint_lies_below_a_perfect_measured_precision():
    curve = precision_recall_curve(np.ones(100), np.ones(100, bool))
    measured = measure_curve(curve, SCORING)
    assert measured.measured_precision[0] == 1
    assert measured.precision[0] == pytest.approx(1 - 1.959964**2 / (100 + 1.959964**2) / 2)


def test_no_significant_threshold_says_what_is_needed():
    curve = precision_recall_curve(np.linspace(0, 1, 40), np.arange(40) % 2 == 0)
    with pytest.raises(TooFewTargetsError, match="with 40 targets the narrowest is .*381 always"):
        best_measure(curve, SCORING)


@pytest.mark.parametrize(
    ("scores", "correct", "message"),
    [
        ([], [], "at least one prediction"),
        ([0.5, np.nan], [True, False], "1 of 2 rank scores are not finite"),
        ([0.5], [True, False], "equally long"),
    ],
)
def test_unusable_scores(scores, correct, message):
    with pytest.raises(InputError, match=message):
        precision_recall_curve(scores, correct)


def test_fewer_attempts_than_predictions():
    with pytest.raises(InputError, match="attempts is 1, fewer than the 2"):
        precision_recall_curve([0.1, 0.2], [True, True], attempts=1)
