import numpy as np
import pytest

from alc_core.baselines.fitting import LearnedValues
from alc_core.baselines.target_weights import TargetWeights, for_targets

UNKNOWN = np.repeat([0, 1, 2], [800, 150, 50]).astype(np.int32)


def weights(targets, *, eligible=None, down_sampled=False, selection_known=True):
    return TargetWeights.of(
        UNKNOWN,
        targets=targets,
        eligible=np.ones(1000, dtype=bool) if eligible is None else eligible,
        down_sampled=down_sampled,
        selection_known=selection_known,
    )


def test_random_targets_change_nothing():
    found = weights(np.random.default_rng(0).permutation(1000)[:600])
    assert np.all(found.rows == 1)
    assert found.of_classes(LearnedValues.of(UNKNOWN)) is None
    probabilities = np.array([[0.2, 0.8]])
    assert for_targets(probabilities, None) is probabilities


def test_down_sampling_makes_the_frequent_value_rarer_and_nothing_else():
    found = weights(np.r_[0:200, 800:1000], down_sampled=True)
    assert found.values == pytest.approx([0.25, 1, 1])
    assert found.rows == pytest.approx(np.repeat([0.25, 1, 1], [800, 150, 50]))
    adjusted = for_targets(np.array([[0.8, 0.2, 0.0]]), found.of_classes(LearnedValues.of(UNKNOWN)))
    assert adjusted == pytest.approx(np.array([[0.5, 0.5, 0.0]]), abs=1e-6)


def test_a_value_of_no_target_is_never_predicted():
    found = weights(np.arange(950))
    assert found.values == pytest.approx([1, 1, 0])
    adjusted = for_targets(np.array([[0.1, 0.0, 0.9], [0.0, 0.0, 1.0]]), found.values)
    assert adjusted[0] == pytest.approx([1, 0, 0], abs=1e-6)
    assert adjusted[1] == pytest.approx([0.5, 0.5, 0])


def test_a_selection_that_is_known_is_not_counted_twice():
    eligible = np.zeros(1000, dtype=bool)
    eligible[np.r_[0:100, 800:900]] = True
    known = weights(np.flatnonzero(eligible), eligible=eligible)
    assert known.of_classes(LearnedValues.of(UNKNOWN[:950])) is None
    assert np.array_equal(known.rows > 0, eligible)
    hidden = weights(np.flatnonzero(eligible), eligible=eligible, selection_known=False)
    # 100 of 800 against 100 of 150, each with ten rows of the average share 0.2.
    assert hidden.values[1] / hidden.values[0] == pytest.approx((102 / 160) / (102 / 810))


def test_one_targets_value_hardly_moves_the_weights():
    chosen = np.r_[0:200, 800:1000]
    before = weights(chosen, down_sampled=True).values
    after = weights(chosen[:-1], down_sampled=True).values
    assert after == pytest.approx(before, rel=0.01)
