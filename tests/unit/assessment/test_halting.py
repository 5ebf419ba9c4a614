import numpy as np

from alc_core.assessment.halting import (
    HaltingReason,
    HaltingState,
    _early_reason,
    check_halting,
    halving_thresholds,
)
from alc_core.scoring.curves import best_measure, precision_recall_curve
from alc_core.scoring.outcomes import Rest
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from tests.toys.paired import paired

LOOP, SCORING = LoopParameters(), ScoringParameters()


START = HaltingState(attack=LOOP.start_thresholds, baseline=LOOP.start_thresholds)


def curve(precision, n, seed=0):
    score = np.random.default_rng(seed).random(n)
    return precision_recall_curve(
        score, np.random.default_rng(seed + 1).random(n) < precision(score)
    )


def look(attack, baseline=None):
    outcomes = paired(attack, baseline or curve(lambda s: np.full_like(s, 0.5), 2000, seed=9))
    rest = Rest.of(outcomes, SCORING.precision_cap)
    return check_halting(START, outcomes, rest, scoring=SCORING, loop=LOOP)


def test_measures_lie_at_halved_recalls_lowest_first():
    attack = curve(lambda s: s, 4096)
    assert attack.predictions[halving_thresholds(attack, 4)].tolist() == [512, 1024, 2048, 4096]


def test_flat_precision_settles_once_three_measures_are_significant():
    flat = lambda s: np.full_like(s, 0.6)  # noqa: E731
    assert look(curve(flat, 2000)).reason is HaltingReason.SETTLED


def test_rising_precision_asks_for_more_measures_and_more_targets():
    steep = lambda s: 0.1 + 0.88 * s**6  # noqa: E731
    state = look(curve(steep, 2000))
    assert state.reason is None
    assert state.attack > 3
    assert state.baseline == 3


def test_a_baseline_that_rises_at_low_recall_asks_for_more_targets_too():
    flat, steep = (lambda s: np.full_like(s, 0.9)), (lambda s: 0.1 + 0.88 * s**6)
    state = look(curve(flat, 2000), curve(steep, 2000))
    assert state.reason is None
    assert state.baseline > 3


def test_enough_targets_settle_rising_precision_too():
    linear = lambda s: 0.2 + 0.7 * s  # noqa: E731
    assert look(curve(linear, 60_000)).reason is HaltingReason.SETTLED


def test_one_or_two_scores_halt_once_significant():
    scores = np.repeat([0.0, 1.0], 1000)
    attack = precision_recall_curve(scores, np.arange(2000) % 2 == 0)
    assert look(attack).reason is HaltingReason.FEW_SCORES


def test_clearly_safe_and_clearly_lost_halt_early():
    good = curve(lambda s: np.full_like(s, 0.88), 120, seed=3)
    bad = curve(lambda s: np.full_like(s, 0.1), 120, seed=5)
    assert look(bad, good).reason is HaltingReason.CLEARLY_BELOW
    assert look(curve(lambda s: np.ones_like(s), 100), bad).reason is HaltingReason.CLEARLY_LOST


def test_where_a_guess_knows_everybody_so_far_nothing_is_clear_early():
    known = curve(lambda s: np.full_like(s, 0.995), 120, seed=3)
    assert look(curve(lambda s: np.full_like(s, 0.1), 120, seed=5), known).reason is None


def test_an_attack_that_is_right_about_the_rest_alone_is_clearly_lost_early():
    # Both are right about all of the 60% whom a guess knows: at its best it seems no better.
    known = np.arange(150) < 90
    guess = precision_recall_curve(known * 1.0, known)
    assert look(curve(np.ones_like, 150), guess).reason is HaltingReason.CLEARLY_LOST
    assert best_measure(guess, SCORING).prc > 0.94


def test_a_baseline_that_is_sure_of_few_does_not_make_an_attack_clearly_safe():
    # At its own best, on 60 people, the baseline is as right as the attack; on as many it is not.
    place = np.arange(2000) / 2000
    attack = precision_recall_curve(np.zeros(2000), place < 0.95)
    sure = precision_recall_curve((place < 0.03) * 1.0, (place < 0.03) | (np.arange(2000) % 10 < 3))
    found = look(attack, sure)
    assert found.reason is not HaltingReason.CLEARLY_BELOW


def test_too_few_targets_go_on():
    attack = curve(lambda s: np.full_like(s, 0.75), 200, seed=3)
    assert look(attack, curve(lambda s: np.full_like(s, 0.5), 200, seed=5)).reason is None


def test_every_reason_is_explained_in_its_own_words():
    assert len({reason.explanation for reason in HaltingReason}) == len(HaltingReason)
    assert "requested number" in HaltingReason.REQUESTED.explanation
    assert "Everyone selected" in HaltingReason.EXHAUSTED.explanation
    assert "serious" in HaltingReason.CLEARLY_LOST.explanation


def test_nothing_ends_early_on_the_safe_side_of_a_limit_that_the_user_has_lowered():
    attack, baseline = curve(lambda s: 0.55 + 0.05 * s, 3000), curve(lambda s: 0.5 + 0 * s, 3000, 9)
    ends = {}
    for at_risk in (0.5, 0.1):
        scoring = ScoringParameters(at_risk=at_risk, serious=0.95)
        outcomes = paired(attack, baseline)
        ends[at_risk] = _early_reason(
            outcomes, Rest.of(outcomes, scoring.precision_cap), (3, 3), scoring=scoring,
            loop=LOOP,
        )  # fmt: skip
    assert ends == {0.5: HaltingReason.CLEARLY_BELOW, 0.1: None}
