"""Properties of the precision-recall curve."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from alc_core.scoring.curves import best_measure, measure_at, measure_curve, precision_recall_curve
from alc_core.scoring.outcomes import Outcomes
from alc_core.scoring.parameters import ScoringParameters

# Few distinct scores, so that ties are common, some of them differing by one bit only.
score = st.sampled_from([0.0, 0.25, 0.5, np.nextafter(0.5, 1), 0.75, 1.0]) | st.floats(-5, 5)
predictions = st.lists(st.tuples(score, st.booleans()), min_size=1, max_size=120)


@given(predictions, st.integers(0, 50))
def test_counts_are_those_of_the_definition(pairs, abstained):
    scores, correct = np.array([s for s, _ in pairs]), np.array([c for _, c in pairs])
    curve = precision_recall_curve(scores, correct, attempts=len(pairs) + abstained)
    assert curve.thresholds.tolist() == sorted(set(scores.tolist()), reverse=True)
    for number, threshold in enumerate(curve.thresholds):
        kept = scores >= threshold
        assert curve.predictions[number] == kept.sum()
        assert curve.true_predictions[number] == correct[kept].sum()
    assert curve.recall[-1] == len(pairs) / (len(pairs) + abstained)


@given(predictions)
def test_counts_grow_and_measures_are_bounded(pairs):
    curve = precision_recall_curve([s for s, _ in pairs], [c for _, c in pairs])
    assert np.all(np.diff(curve.predictions) > 0)
    assert np.all(np.diff(curve.true_predictions) >= 0)
    assert np.all(curve.true_predictions <= curve.predictions)
    measured = measure_curve(curve, ScoringParameters())
    prcs = (measured.prc_low, measured.prc, measured.prc_high)
    for values in (measured.precision_low, measured.precision, measured.precision_high, *prcs):
        assert np.all((values >= 0) & (values <= 1))
    assert np.all(measured.precision_low <= measured.precision_high)
    assert np.all(np.diff(prcs, axis=0) >= -1e-12)
    assert np.all(measured.precision <= ScoringParameters().precision_cap)
    inside = (measured.precision_low <= measured.measured_precision + 1e-12) & (
        measured.measured_precision <= measured.precision_high + 1e-12
    )
    assert np.all(inside)


@given(predictions)
def test_there_is_always_a_best_point_and_none_is_better_by_its_lower_bound(pairs):
    curve = precision_recall_curve([s for s, _ in pairs], [c for _, c in pairs])
    best = best_measure(curve, ScoringParameters())
    measured = measure_curve(curve, ScoringParameters())
    assert best.prc_interval[0] == measured.prc_low.max()
    ties = curve.predictions[measured.prc_low == measured.prc_low.max()]
    assert best.predictions == ties.max()


@given(predictions)
def test_between_thresholds_true_predictions_rise_by_at_most_the_predictions(pairs):
    curve = precision_recall_curve([s for s, _ in pairs], [c for _, c in pairs])
    made = range(1, len(pairs) + 1)
    right = [measure_at(curve, n, ScoringParameters()).true_predictions for n in made]
    assert set(np.diff(right, prepend=0)) <= {0, 1}
    exact = dict(zip(curve.predictions.tolist(), curve.true_predictions.tolist(), strict=True))
    assert {n: right[n - 1] for n in exact} == exact


@given(predictions, st.randoms(use_true_random=False))
def test_order_of_predictions_is_irrelevant(pairs, random):
    shuffled = random.sample(pairs, len(pairs))
    one, two = (
        precision_recall_curve([s for s, _ in order], [c for _, c in order])
        for order in (pairs, shuffled)
    )
    assert one == two


@given(predictions, st.integers(10, 40))
def test_thinned_thresholds_are_a_subset_with_the_same_counts(pairs, at_most):
    scores, correct = [s for s, _ in pairs], [c for _, c in pairs]
    full = precision_recall_curve(scores, correct)
    thin = precision_recall_curve(scores, correct, max_thresholds=at_most)
    position = np.searchsorted(-full.thresholds, -thin.thresholds)
    assert np.array_equal(full.predictions[position], thin.predictions)
    assert np.array_equal(full.true_predictions[position], thin.true_predictions)
    assert len(thin) <= max(at_most + 1, 1)
    assert thin.predictions[-1] == len(pairs)


@given(predictions, st.randoms(use_true_random=False))
def test_outcomes_survive_any_order_and_a_dictionary(pairs, random):
    base = [(s / 2, not c) for s, c in pairs]
    order = random.sample(range(len(pairs)), len(pairs))

    def outcomes(indices):
        return Outcomes.from_predictions(
            [pairs[i][0] for i in indices],
            [pairs[i][1] for i in indices],
            [base[i][0] for i in indices],
            [base[i][1] for i in indices],
        )

    one = outcomes(range(len(pairs)))
    assert outcomes(order) == one
    assert Outcomes.from_dict(one.to_dict()) == one
