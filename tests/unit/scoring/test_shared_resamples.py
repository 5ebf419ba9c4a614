import numpy as np
import pytest

from alc_core.scoring.outcomes import Rest, bootstrap
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import (
    EXPOSED,
    READINGS,
    person_weights,
    resampled,
    shared_numbers,
)
from tests.toys.plain_readings import Plain, simulated

SCORING = ScoringParameters()


def test_weights_are_poisson_with_mean_1_and_independent():
    weights = person_weights(np.arange(3000), np.arange(200), seed=0)
    assert weights.shape == (200, 3000)
    assert weights.mean() == pytest.approx(1.0, abs=0.005)
    assert weights.var() == pytest.approx(1.0, abs=0.02)
    assert (weights == 0).mean() == pytest.approx(np.exp(-1), abs=0.002)
    assert abs(np.corrcoef(weights)[np.triu_indices(200, 1)]).max() < 0.1


def test_a_person_has_the_same_weight_wherever_it_is_and_another_by_another_seed():
    everyone = person_weights(np.arange(100), np.arange(50), seed=3)
    some = person_weights(np.array([70, 3, 70]), np.arange(20, 30), seed=3)
    assert np.array_equal(some, everyone[20:30][:, [70, 3, 70]])
    assert not np.array_equal(everyone, person_weights(np.arange(100), np.arange(50), seed=4))


def test_a_resample_is_the_table_with_people_repeated(monkeypatch):
    outcomes, units = simulated(200, known=0.4, levels=5), np.arange(200) + 10_000
    found = shared_numbers(outcomes, units, SCORING, seed=5, resamples=7)
    # However the resamples are cut into parts.
    monkeypatch.setattr("alc_core.scoring.outcomes._CELLS", 450)
    again = shared_numbers(outcomes, units, SCORING, seed=5, resamples=7)
    weights = person_weights(units, np.arange(7), seed=5)
    for resample in range(7):
        drawn = np.repeat(np.arange(200), weights[resample])
        *expected, _ = Plain(SCORING).readings(outcomes.joint[drawn].tolist())
        for name, value in zip(READINGS, expected, strict=True):
            assert found[name][resample] == pytest.approx(value, abs=1e-12)
            assert again[name][resample] == found[name][resample]


def test_they_vary_as_much_as_the_usual_bootstrap():
    outcomes = simulated(2000, known=0.4)
    counts = bootstrap(outcomes, cap=SCORING.precision_cap, resamples=400, seed=0)
    shared = shared_numbers(outcomes, np.arange(2000), SCORING, seed=0)
    for name, losses in resampled(counts, SCORING).items():
        assert shared[name].std() == pytest.approx(losses.std(), rel=0.15)
    rest = Rest.of(outcomes, SCORING.precision_cap)
    gain = counts.gain[:, np.searchsorted(-outcomes.attack.thresholds,
                                          -rest.attack.thresholds[rest.exposing])]  # fmt: skip
    assert shared[EXPOSED].std() == pytest.approx(gain.std(), rel=0.15)
    assert shared[EXPOSED].mean() == pytest.approx(rest.gain[rest.exposing], abs=2)
