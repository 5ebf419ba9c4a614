import numpy as np
import pytest

from alc_core.errors import ParameterError
from alc_core.scoring.intervals import wilson_interval


def test_wilson_interval_in_closed_form():
    z, k, n = 1.959963984540054, 30, 40
    centre = (k + z**2 / 2) / (n + z**2)
    half = z * np.sqrt(k * (n - k) / n + z**2 / 4) / (n + z**2)
    assert wilson_interval(k, n) == pytest.approx((centre - half, centre + half))


def test_no_trials_tell_nothing():
    lower, upper = wilson_interval([0, 5], [0, 5])
    assert lower[0] == 0
    assert upper[0] == 1
    assert upper[1] == pytest.approx(1)


def test_without_a_success_or_a_failure_a_bound_is_exact():
    # Rounding would leave some 1e-19 for some numbers of trials, and rank them by it.
    trials = np.arange(1, 3000)
    lower, _ = wilson_interval(np.zeros_like(trials), trials, confidence=0.5)
    _, upper = wilson_interval(trials, trials, confidence=0.5)
    assert np.all(lower == 0)
    assert np.all(upper == 1)


def test_381_trials_suffice_for_any_precision_and_34_for_none():
    for trials, suffices in ((381, True), (380, False)):
        lower, upper = wilson_interval(np.arange(trials + 1), np.full(trials + 1, trials))
        assert bool(np.all(upper - lower <= 0.1)) is suffices
    lower, upper = wilson_interval(34, 34)
    assert upper - lower > 0.1
    lower, upper = wilson_interval(35, 35)
    assert upper - lower <= 0.1


def test_confidence_out_of_bounds():
    with pytest.raises(ParameterError, match="confidence must be between 0 and 1"):
        wilson_interval(1, 2, confidence=1.0)
