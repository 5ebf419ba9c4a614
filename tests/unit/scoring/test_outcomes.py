import numpy as np
import pytest

from alc_core.errors import InputError
from alc_core.scoring.curves import best_measure
from alc_core.scoring.formulas import anonymity_loss
from alc_core.scoring.outcomes import Outcomes, bootstrap, loss_interval
from alc_core.scoring.parameters import ScoringParameters

SCORING = ScoringParameters()


def simulated(n=1500, seed=0, **options):
    rng = np.random.default_rng(seed)
    attack, baseline = rng.random(n), rng.integers(0, 9, n) / 9
    return Outcomes.from_predictions(
        attack, rng.random(n) < attack, baseline, rng.random(n) < 0.4, **options
    )


def test_joint_outcomes_agree_with_the_curves():
    outcomes = simulated(max_thresholds=60)
    for side, curve in ((0, outcomes.attack), (1, outcomes.baseline)):
        first, right = outcomes.joint[:, 2 * side], outcomes.joint[:, 2 * side + 1]
        per_threshold = np.bincount(first, minlength=len(curve))
        assert np.array_equal(per_threshold.cumsum(), curve.predictions)
        hits = np.bincount(first, right, minlength=len(curve)).cumsum()
        assert np.array_equal(hits, curve.true_predictions)


def test_order_of_targets_makes_no_difference():
    rng = np.random.default_rng(3)
    scores, correct = rng.integers(0, 30, 400) / 30, rng.random(400) < 0.5
    other, right = rng.integers(0, 5, 400) / 5, rng.random(400) < 0.5
    order = rng.permutation(400)
    one = Outcomes.from_predictions(scores, correct, other, right)
    two = Outcomes.from_predictions(scores[order], correct[order], other[order], right[order])
    assert one == two


def test_dictionary_is_lossless():
    for units in (None, np.arange(1500) // 3):
        outcomes = simulated(units=units, recall_scale=0.25)
        assert Outcomes.from_dict(outcomes.to_dict()) == outcomes


def test_bootstrap_is_the_percentile_interval_of_the_whole_procedure():
    outcomes = simulated()
    counts = bootstrap(outcomes, resamples=200, seed=4)
    losses = []
    for resample in range(200):
        best = []
        for predictions, true_predictions in (counts.attack, counts.baseline):
            recall = predictions[resample] / 1500
            from alc_core.scoring.curves import measure_counts

            measured = measure_counts(
                predictions[resample], true_predictions[resample], recall, SCORING
            )
            best.append(measured.prc[measured.significant].max())
        losses.append(anonymity_loss(*best))
    assert loss_interval(counts, SCORING) == pytest.approx(
        tuple(np.quantile(losses, [0.025, 0.975]))
    )
    assert np.all(counts.attack[0][:, -1] == 1500)


def test_same_seed_same_interval_other_seed_another():
    outcomes = simulated()
    one, two, three = (
        loss_interval(bootstrap(outcomes, resamples=100, seed=seed), SCORING) for seed in (1, 1, 2)
    )
    assert one == two != three


def test_interval_holds_the_estimate():
    outcomes = simulated()
    loss = anonymity_loss(
        best_measure(outcomes.attack, SCORING).prc, best_measure(outcomes.baseline, SCORING).prc
    )
    low, high = loss_interval(bootstrap(outcomes, resamples=300, seed=0), SCORING)
    assert low < loss < high


def test_dependents_are_drawn_together_and_widen_the_interval():
    rng = np.random.default_rng(8)
    right = np.repeat(rng.random(150) < 0.5, 10)
    flat, other = np.full(1500, 0.5), rng.random(1500) < 0.5
    units = np.repeat(np.arange(150), 10)
    together = Outcomes.from_predictions(flat, right, flat, other, units=units)
    alone = Outcomes.from_predictions(flat, right, flat, other)
    wide, narrow = (
        np.diff(loss_interval(bootstrap(o, resamples=300, seed=0), SCORING))[0]
        for o in (together, alone)
    )
    assert wide > 1.8 * narrow


def test_different_numbers_of_targets():
    with pytest.raises(InputError, match="same targets"):
        Outcomes.from_predictions([0.1], [True], [0.1, 0.2], [True, True])
