import numpy as np
import pytest

from alc_core.errors import ParameterError
from alc_core.scoring.formulas import attack_prc_for_loss, prc
from alc_core.scoring.intervals import targets_to_tell, wilson_interval
from alc_core.scoring.outcomes import Outcomes, bootstrap
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import judged, reading_intervals
from alc_core.scoring.verdict import HARMLESS
from tests.toys.paired import points_of


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_wilson_interval_is_that_of_statsmodels_to_the_last_bit(confidence):
    from statsmodels.stats.proportion import proportion_confint

    trials, successes = np.tril_indices(2000)
    plain = proportion_confint(
        successes[1:].astype(float), trials[1:].astype(float), 1.0 - confidence, method="wilson"
    )
    lower, upper = wilson_interval(successes[1:], trials[1:], confidence=confidence)
    some = successes[1:] > 0
    assert np.array_equal(lower[some], plain[0][some])
    assert not lower[~some].any()
    some = successes[1:] < trials[1:]
    assert np.array_equal(upper[some], plain[1][some])
    assert np.all(upper[~some] == 1)


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


SCORING = ScoringParameters()


def share_cleared(guess, recall, targets, runs=60):
    """How often an attack with a true ALC of 0.4 among the rest is cleared."""
    loss = attack_prc_for_loss(0.4, prc(guess, recall))
    precision, cleared = loss / prc(1.0, recall), 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        attacked = rng.random(targets) < recall
        right = rng.random((2, targets)) < np.array([[precision], [guess]])
        outcomes = Outcomes.from_predictions(
            attacked.astype(float),
            np.where(attacked, *right),
            rng.random(targets),
            right[1],
            max_thresholds=60,
        )
        points = points_of(outcomes)
        counts = bootstrap(outcomes, cap=SCORING.precision_cap, resamples=200, seed=seed)
        verdict, _ = judged(points, reading_intervals(points, counts, SCORING), SCORING)
        cleared += verdict in HARMLESS
    return cleared / runs


@pytest.mark.parametrize(("guess", "recall"), [(0.5, 1.0), (0.2, 0.3)])
def test_so_many_targets_tell_a_loss_from_the_limit_in_four_of_five_runs(guess, recall):
    needed = targets_to_tell(guess, recall=recall)
    # 48 of 60 are expected; fewer than 38 or more than 56 happen in less than 1% of tests.
    assert 38 / 60 <= share_cleared(guess, recall, needed) <= 56 / 60
    assert share_cleared(guess, recall, needed // 4) < 0.5


def test_it_takes_more_the_nearer_the_limit_the_rarer_the_answers_and_the_surer_the_guess():
    usual = targets_to_tell(0.5)
    for more in (
        targets_to_tell(0.5, loss=0.45),
        targets_to_tell(0.5, recall=0.1),
        targets_to_tell(0.8),
        targets_to_tell(0.5, power=0.95),
        targets_to_tell(0.5, scoring=ScoringParameters(confidence=0.99)),
    ):
        assert more > usual
    assert targets_to_tell(0.5, loss=0.6) < 3 * usual


@pytest.mark.parametrize(
    "wrong",
    [
        {"guess": 0.0},
        {"guess": 0.5, "recall": 1.1},
        {"guess": 0.5, "power": 1.0},
        {"guess": 0.5, "loss": 0.5},
        {"guess": 0.93},
    ],
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(ParameterError):
        targets_to_tell(**wrong)
