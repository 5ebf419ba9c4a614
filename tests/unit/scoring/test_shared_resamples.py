from __future__ import annotations

import numpy as np
import pytest

from alc_core.scoring.curves import precision_recall_curve
from alc_core.scoring.outcomes import Outcomes
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import resampled_losses
from alc_core.scoring.resamples import bootstrap
from alc_core.scoring.shared_resamples import person_weights, shared_losses

SCORING = ScoringParameters()


def predictions(n: int, seed: int, precision: float):
    rng = np.random.default_rng(seed)
    scores = rng.random(n).round(2)
    return scores, rng.random(n) < precision


def sides(n: int = 600):
    found = []
    for seed, precision in ((1, 0.8), (2, 0.5)):
        scores, correct = predictions(n, seed, precision)
        found.append((precision_recall_curve(scores, correct), scores, correct))
    return found


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
    both, units = sides(), np.arange(600) + 10_000
    found = shared_losses(both, units, SCORING, seed=5, resamples=7)
    # However the resamples are cut into parts.
    monkeypatch.setattr("alc_core.scoring.shared_resamples._CELLS", 1300)
    again = shared_losses(both, units, SCORING, seed=5, resamples=7)
    weights = person_weights(units, np.arange(7), seed=5)
    for resample in range(7):
        drawn = np.repeat(np.arange(600), weights[resample])
        (_, scores, right), (_, base_scores, base_right) = both
        outcomes = Outcomes.from_predictions(
            scores[drawn], right[drawn], base_scores[drawn], base_right[drawn]
        )
        # No threshold is lost here: scores of two digits come up in every resample.
        from alc_core.scoring.readings import ComparedPoints

        expected = ComparedPoints.of(outcomes.attack, outcomes.baseline, SCORING).losses("relative")
        for name, value in expected.items():
            assert found[name][resample] == pytest.approx(value, abs=1e-12)
            assert again[name][resample] == found[name][resample]


def test_they_vary_as_much_as_the_usual_bootstrap():
    both = sides(2000)
    outcomes = Outcomes.from_predictions(*(part for _, *side in both for part in side))
    usual = resampled_losses(bootstrap(outcomes, resamples=400, seed=0), SCORING)
    shared = shared_losses(both, np.arange(2000), SCORING, seed=0)
    for name, losses in usual.items():
        assert shared[name].std() == pytest.approx(losses.std(), rel=0.15)
