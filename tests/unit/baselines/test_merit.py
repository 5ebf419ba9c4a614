import numpy as np
import pytest

from alc_core.baselines.selection import Merit, weighted_curve
from alc_core.scoring.curves import precision_recall_curve
from alc_core.scoring.parameters import ScoringParameters


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
    merit = Merit.of(probabilities, truth, np.ones(500), ScoringParameters(), values=2)
    assert merit.prc == pytest.approx(0.9, abs=0.01)
    assert merit.log_loss == pytest.approx(-0.9 * np.log(0.9) - 0.1 * np.log(0.1))
    assert merit.standard_error == pytest.approx(np.sqrt(0.09 / 500), rel=0.05)


def test_who_has_another_value_counts_in_the_log_loss_and_is_never_predicted_right():
    probabilities = np.tile([0.3, 0.7], (500, 1))
    truth = (np.arange(500) % 4 > 0).astype(np.int64)
    merit = Merit.of(probabilities, truth, np.ones(500), ScoringParameters(), values=1)
    assert merit.measure.precision == pytest.approx(0.25, abs=0.01)
    assert merit.log_loss == pytest.approx(-0.25 * np.log(0.3) - 0.75 * np.log(0.7))
