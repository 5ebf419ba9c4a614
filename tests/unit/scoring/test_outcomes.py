import numpy as np

from alc_core.scoring.outcomes import Outcomes, bootstrap


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


def test_a_resample_counts_as_a_table_of_the_drawn_targets_would():
    outcomes = simulated(n=300, max_thresholds=30)
    counts = bootstrap(outcomes, cap=0.95, resamples=20, seed=4)
    rng = np.random.default_rng(4)
    for resample in range(20):
        drawn = outcomes.joint[rng.integers(300, size=300)]
        for side, (made, right) in enumerate((counts.attack, counts.baseline)):
            first, correct = drawn[:, 2 * side], drawn[:, 2 * side + 1]
            for place in range(made.shape[1]):
                assert made[resample, place] == (first <= place).sum()
                assert right[resample, place] == correct[first <= place].sum()
    assert np.all(counts.attack[0][:, -1] == counts.attempts)


def test_same_seed_same_counts_other_seed_others():
    outcomes = simulated()
    one, two, three = (bootstrap(outcomes, cap=0.95, resamples=50, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.attack[1], two.attack[1])
    assert np.array_equal(one.baseline[0], two.baseline[0])
    assert not np.array_equal(one.attack[1], three.attack[1])


def test_dependents_are_drawn_together():
    rng = np.random.default_rng(8)
    right = np.repeat(rng.random(150) < 0.5, 10)
    flat, other = np.full(1500, 0.5), rng.random(1500) < 0.5
    units = np.repeat(np.arange(150), 10)
    together = Outcomes.from_predictions(flat, right, flat, other, units=units)
    alone = Outcomes.from_predictions(flat, right, flat, other)
    wide, narrow = (
        np.std(bootstrap(o, cap=0.95, resamples=300, seed=0).attack[1][:, -1])
        for o in (together, alone)
    )
    assert wide > 2.5 * narrow
    assert np.all(bootstrap(together, cap=0.95, resamples=300, seed=0).attack[1] % 10 == 0)
