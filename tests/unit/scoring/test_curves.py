import math
from statistics import NormalDist

import numpy as np
import pytest

from alc_core.errors import InputError
from alc_core.scoring.curves import (
    best_measure,
    counts_at,
    highest_prc,
    measure_at,
    measure_curve,
    precision_recall_curve,
)
from alc_core.scoring.formulas import prc
from alc_core.scoring.parameters import ScoringParameters
from tests.toys.paired import curve_of

SCORING = ScoringParameters()
Z = 1.959963984540054


def plain_wilson(t, n, z=Z):
    middle = (t + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(t * (n - t) / n + z * z / 4)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def plain_prc(precision, recall, scoring):
    """Equation 6, with the cap on the precision."""
    if recall <= scoring.r_min:
        return recall
    knee = (math.log10(recall) / math.log10(scoring.r_min)) ** scoring.alpha
    return (1 - knee) * min(precision, 1 - scoring.max_interval_width / 2)


def plain_best(scores, correct, scoring=SCORING):
    """The definition, threshold by threshold: PRC, threshold, predictions, true predictions."""
    best = (-1.0,)
    for threshold in np.unique(scores):
        kept = scores >= threshold
        n, t = int(kept.sum()), int(correct[kept].sum())
        low, high = plain_wilson(t, n)
        recall = n / len(scores)
        certain = plain_prc(low, recall, scoring)
        if certain > best[0] + 1e-12:
            best = (certain, plain_prc((low + high) / 2, recall, scoring), threshold, n, t)
    return best[1:]


@pytest.mark.parametrize("scoring", [SCORING, ScoringParameters(alpha=8, max_interval_width=0.3)])
def test_best_measure_equals_the_definition_with_many_ties(scoring):
    rng = np.random.default_rng(5)
    for seed in range(5):
        scores = rng.integers(0, 60, 900) / 60
        correct = rng.random(900) < 0.3 + 0.6 * scores
        found = best_measure(precision_recall_curve(scores, correct), scoring)
        value, threshold, predictions, true_predictions = plain_best(scores, correct, scoring)
        assert found.prc == pytest.approx(value), seed
        assert (found.threshold, found.predictions) == (threshold, predictions)
        assert found.true_predictions == true_predictions
        assert found.recall == predictions / 900
        low, high = plain_wilson(true_predictions, predictions)
        assert found.measured_interval == pytest.approx((low, high))
        assert found.precision == pytest.approx(min((low + high) / 2, scoring.precision_cap))
        assert found.prc_interval == pytest.approx(
            [plain_prc(bound, found.recall, scoring) for bound in (low, high)]
        )


@pytest.mark.parametrize(("sure", "chosen"), [(4, 400), (50, 50)])
def test_the_lower_bound_chooses_not_the_middle(sure, chosen):
    # So sharp a knee sees no recall. Of 4, 4 are right: middle 0.76, lower bound 0.51; of all 400,
    # some 60%: middle 0.60, lower bound 0.56. Of 50, 50 are right: lower bound 0.93.
    lenient = ScoringParameters(alpha=40, r_min=1e-6)
    place = np.arange(400)
    curve = precision_recall_curve(place < sure, (place < sure) | (place % 5 < 3))
    measured = measure_curve(curve, lenient)
    assert measured.prc[0] > measured.prc[1]
    assert best_measure(curve, lenient).predictions == chosen


def test_of_equally_good_thresholds_the_one_with_the_highest_recall_is_best():
    # None is right: the lower bound is 0 everywhere.
    curve = precision_recall_curve([3.0, 2.0, 1.0], [False, False, False])
    assert best_measure(curve, SCORING).predictions == 3


@pytest.mark.parametrize(("width", "cap"), [(0.1, 0.95), (0.2, 0.9), (0.01, 0.995)])
def test_no_precision_counts_as_more_than_the_middle_of_the_widest_narrow_interval(width, cap):
    scoring = ScoringParameters(max_interval_width=width)
    assert scoring.precision_cap == pytest.approx(cap)
    sure = precision_recall_curve(np.ones(20_000), np.ones(20_000, bool))
    found = best_measure(sure, scoring)
    assert found.precision == found.prc == scoring.precision_cap
    assert found.prc_interval == (scoring.precision_cap, scoring.precision_cap)
    assert found.measured_precision == 1
    # The interval of precision itself is not capped.
    assert found.measured_interval == pytest.approx(plain_wilson(20_000, 20_000))
    middle = 0.5 * (1 + 100 / (100 + Z * Z))
    few = best_measure(precision_recall_curve(np.ones(100), np.ones(100, bool)), scoring)
    assert few.precision == pytest.approx(min(middle, cap))


def test_few_targets_have_a_measure_with_a_wide_interval():
    curve = precision_recall_curve(np.linspace(0, 1, 40), np.arange(40) % 2 == 0)
    found = best_measure(curve, SCORING)
    low, high = found.measured_interval
    assert high - low > SCORING.max_interval_width
    assert not measure_curve(curve, SCORING).narrow.any()
    assert found.prc_interval[0] < found.prc < found.prc_interval[1]


def test_measured_where_a_threshold_makes_just_so_many_predictions():
    curve = precision_recall_curve([4, 3, 3, 2, 1], [True, True, False, False, True])
    assert curve.predictions.tolist() == [1, 3, 4, 5]
    for place, made in enumerate(curve.predictions.tolist()):
        found = measure_at(curve, made, SCORING)
        assert (found.predictions, found.true_predictions) == (
            made, curve.true_predictions[place],
        )  # fmt: skip
        assert found.threshold == curve.thresholds[place]
        measured = measure_curve(curve, SCORING)
        for name in ("prc", "precision", "recall", "measured_precision"):
            assert getattr(found, name) == getattr(measured, name)[place]


@pytest.mark.parametrize(
    ("wanted", "right", "threshold"),
    [
        # Of the first tie of 10, 4 are right; of the second of 20, 15; of the last of 10, none is.
        (1, 0, 3.0),
        (2, 1, 3.0),
        (5, 2, 3.0),
        (9, 4, 3.0),
        (10, 4, 3.0),
        (11, 5, 2.0),
        (20, 12, 2.0),
        (29, 18, 2.0),
        (31, 19, 1.0),
        (40, 19, 1.0),
    ],
)
def test_within_a_tie_true_predictions_are_those_expected_rounded(wanted, right, threshold):
    scores = np.repeat([3.0, 2.0, 1.0], [10, 20, 10])
    correct = np.concatenate([np.arange(10) < 4, np.arange(20) < 15, np.zeros(10, bool)])
    curve = precision_recall_curve(scores, correct, attempts=50, recall_scale=0.5)
    found = measure_at(curve, wanted, SCORING)
    assert (found.predictions, found.true_predictions, found.threshold) == (
        wanted, right, threshold,
    )  # fmt: skip
    assert found.recall == wanted / 50 * 0.5
    assert found.measured_interval == pytest.approx(plain_wilson(right, wanted))
    assert found.attempts == 50


def test_the_expected_true_predictions_are_the_mean_over_draws_within_the_tie():
    rng = np.random.default_rng(2)
    right_of_tie, tie, before, right_before = 37, 90, 60, 41
    drawn = [
        right_before + int((rng.permutation(tie)[:33] < right_of_tie).sum()) for _ in range(4000)
    ]
    made, right = np.array([before, before + tie]), np.array([41, 41 + right_of_tie])
    _, expected = counts_at(made, right, np.array(before + 33))
    assert expected == round(np.mean(drawn))


def test_counts_of_many_curves_at_once_are_those_of_each():
    rng = np.random.default_rng(4)
    made = np.sort(rng.integers(0, 300, (50, 12)), axis=1)
    made[:, -1] = 300
    right = np.minimum(np.sort(rng.integers(0, 200, (50, 12)), axis=1), made)
    wanted = rng.integers(1, 301, 50)
    places, expected = counts_at(made, right, wanted)
    for row in range(50):
        place = next(i for i, n in enumerate(made[row]) if n >= wanted[row])
        n0, t0 = (made[row, place - 1], right[row, place - 1]) if place else (0, 0)
        n1, t1 = made[row, place], right[row, place]
        assert places[row] == place
        assert expected[row] == math.floor(t0 + (wanted[row] - n0) / (n1 - n0) * (t1 - t0) + 0.5)


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
    measured = measure_curve(curve, ScoringParameters(max_interval_width=0.01))
    assert measured.measured_precision[0] == 1
    assert measured.precision[0] == pytest.approx(1 - 1.959964**2 / (100 + 1.959964**2) / 2)


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


def plain_bound(right, made, attempts, z=Z):
    (low, high), (_, share) = (plain_wilson(*each, z) for each in ((right, made), (made, attempts)))
    weight, wider = prc(1.0, made / attempts), prc(1.0, share)
    middle = (low + high) / 2
    error = math.hypot(weight * (high - middle), (wider - weight) * middle)
    return weight * middle + error, min(weight * middle + error, 0.95 * wider)


def test_the_highest_prc_is_that_of_any_threshold():
    # Twenty of twenty, then half of a thousand: which threshold is the best is not known.
    found = highest_prc(curve_of([20, 1000], [20, 505]), SCORING)
    assert found == pytest.approx(plain_bound(20, 20, 1000))
    # Chance leads among many thresholds of few predictions.
    found = highest_prc(curve_of([12, 500, 1000], [8, 200, 505]), SCORING)
    z = NormalDist().inv_cdf((1 + 0.95**2) / 2)
    assert found == pytest.approx(plain_bound(8, 12, 1000, z))
    assert highest_prc(curve_of([19], [19]), SCORING)[1] == pytest.approx(0.95)


def test_who_tells_few_apart_may_tell_one_more():
    one_more = 0.95 * prc(1.0, 1 / 1001)
    for few in ([19, 1000], [1000]):
        assert highest_prc(curve_of(few, [0] * len(few)), SCORING) == pytest.approx(
            (one_more, one_more)
        )
    assert highest_prc(curve_of([20, 1000], [0, 0]), SCORING)[0] < one_more
