"""Both readings of ALC against slow implementations of their definitions."""

import math
from dataclasses import replace

import numpy as np
import pytest

from alc_core.scoring.curves import PrecisionRecallCurve
from alc_core.scoring.outcomes import Outcomes, bootstrap
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import (
    ComparedPoints,
    decisive,
    interval_of_difference,
    nothing_left,
    reading_intervals,
    resampled_losses,
    verdict_of,
)
from alc_core.scoring.verdict import Verdict

SCORING = ScoringParameters()
Z = {0.95: 1.959963984540054, 0.8: 1.2815515655446004}
SCORINGS = (
    SCORING,
    ScoringParameters(alpha=1, r_min=1e-2, confidence=0.8),
    ScoringParameters(max_interval_width=0.3),
    ScoringParameters(loss="absolute", alpha=8),
)


class Plain:
    """The definitions, one number after the other."""

    def __init__(self, scoring):
        self.scoring = scoring
        self.cap = 1 - scoring.max_interval_width / 2

    def bounds(self, t, n):
        z = Z[self.scoring.confidence]
        middle, total = t + z * z / 2, n + z * z
        half = z * math.sqrt(t * (n - t) / n + z * z / 4)
        return max((middle - half) / total, 0.0), min((middle + half) / total, 1.0)

    def prc(self, precision, recall):
        if recall <= self.scoring.r_min:
            return recall
        knee = (math.log10(recall) / math.log10(self.scoring.r_min)) ** self.scoring.alpha
        return (1 - knee) * min(precision, self.cap)

    def middle(self, t, n, attempts):
        return self.prc(sum(self.bounds(t, n)) / 2, n / attempts)

    def best(self, counts, attempts):
        """Predictions and true predictions where the lower bound's PRC is highest."""
        found, highest = None, -1.0
        for n, t in reversed(counts):
            value = self.prc(self.bounds(t, n)[0], n / attempts) if n else 0.0
            if value > highest + 1e-13:
                found, highest = (n, t), value
        return found

    def alike(self, counts, wanted):
        n0 = t0 = 0
        for n, t in counts:
            if n >= wanted:
                return math.floor(t0 + (wanted - n0) / (n - n0) * (t - t0) + 0.5)
            n0, t0 = n, t
        raise AssertionError

    def loss(self, attack, baseline):
        if self.scoring.loss == "absolute":
            return attack - baseline
        return (attack - baseline) / (1 - baseline)

    def readings(self, attack, baseline, attempts):
        n, t = self.best(attack, attempts)
        made, right = self.best(baseline, attempts)
        value = self.middle(t, n, attempts)
        return (
            self.loss(value, self.middle(right, made, attempts)),
            self.loss(value, self.middle(self.alike(baseline, n), n, attempts)),
        )


def counts_of(curve):
    return list(zip(curve.predictions.tolist(), curve.true_predictions.tolist(), strict=True))


def simulated(n=600, seed=0, levels=9):
    rng = np.random.default_rng(seed)
    attack, baseline = rng.random(n), rng.integers(0, levels, n) / levels
    return Outcomes.from_predictions(
        attack, rng.random(n) < 0.2 + 0.7 * attack, baseline, rng.random(n) < 0.2 + 0.5 * baseline
    )


def points_of(outcomes, scoring=SCORING):
    return ComparedPoints.of(outcomes.attack, outcomes.baseline, scoring)


def sure_of_few(n=2000):
    """A baseline that is sure of 2 % of people, and an attack that is right for half of them."""
    rng = np.random.default_rng(0)
    place = np.arange(n) / n
    right = np.where(place < 0.5, rng.random(n) < 0.93, rng.random(n) < 0.2)
    guess = np.where(place < 0.02, True, rng.random(n) < 0.3)
    return Outcomes.from_predictions(
        (place < 0.5).astype(float), right, (place < 0.02).astype(float), guess
    )


def single(right, n=1000, attempts=None):
    """A curve of one threshold."""
    return PrecisionRecallCurve(
        thresholds=np.ones(1),
        predictions=np.array([n]),
        true_predictions=np.array([right]),
        attempts=attempts or n,
    )


def judged(attack, baseline, scoring=SCORING, interval=None):
    """The verdict on two single curves; each reading's interval is itself unless given."""
    points = ComparedPoints.of(attack, baseline, scoring)
    losses = points.losses(scoring.loss)
    intervals = {name: interval or (loss, loss) for name, loss in losses.items()}
    return verdict_of(points, intervals, scoring)


@pytest.mark.parametrize("scoring", SCORINGS)
def test_both_readings_are_those_of_the_definition(scoring):
    for seed in range(6):
        outcomes = simulated(seed=seed)
        found = points_of(outcomes, scoring).losses(scoring.loss)
        expected = Plain(scoring).readings(
            counts_of(outcomes.attack), counts_of(outcomes.baseline), 600
        )
        assert tuple(found.values()) == pytest.approx(expected, abs=1e-12)
        assert list(found) == ["alc", "alc_equal_recall"]


def test_at_equal_recall_both_predict_for_as_many_people():
    points = points_of(simulated())
    assert points.baseline_alike.predictions == points.attack.predictions
    assert points.baseline_alike.recall == points.attack.recall
    assert points.baseline.predictions != points.attack.predictions


@pytest.mark.parametrize("scoring", SCORINGS)
def test_points_are_chosen_again_in_every_resample(scoring):
    outcomes = simulated(n=300)
    counts = bootstrap(outcomes, resamples=40, seed=4)
    found = resampled_losses(counts, scoring)
    for resample in range(40):
        attack, baseline = (
            list(zip(made[resample].tolist(), right[resample].tolist(), strict=True))
            for made, right in (counts.attack, counts.baseline)
        )
        expected = Plain(scoring).readings(attack, baseline, 300)
        assert (found["alc"][resample], found["alc_equal_recall"][resample]) == pytest.approx(
            expected, abs=1e-12
        )


def test_intervals_are_percentiles_of_the_resamples_where_precision_is_known_well():
    outcomes = simulated(n=3000)
    points, counts = points_of(outcomes), bootstrap(outcomes, resamples=300, seed=1)
    sides = (points.attack, points.baseline, points.baseline_alike)
    assert all(np.diff(side.precision_interval)[0] <= 0.1 for side in sides)
    found, resampled = reading_intervals(points, counts, SCORING), resampled_losses(counts, SCORING)
    for name, loss in points.losses(SCORING.loss).items():
        low, high = np.quantile(resampled[name], [0.025, 0.975])
        assert found[name] == pytest.approx((min(low, loss), max(high, loss)))
        assert low < loss < high
    lenient = replace(SCORING, confidence=0.8)
    narrower = reading_intervals(points_of(outcomes, lenient), counts, lenient)
    assert np.diff(narrower["alc"]) < np.diff(found["alc"])


@pytest.mark.parametrize("n", [12, 40, 150, 900])
def test_an_interval_holds_its_reading_however_few_the_targets(n):
    for seed in range(15):
        outcomes = simulated(n=n, seed=seed, levels=3)
        points = points_of(outcomes)
        found = reading_intervals(points, bootstrap(outcomes, resamples=100, seed=0), SCORING)
        for name, loss in points.losses(SCORING.loss).items():
            low, high = found[name]
            assert low <= loss <= high <= 1


def test_ten_of_ten_right_is_no_certainty():
    # Resamples of ten right predictions never vary: the interval comes from those of precision.
    ten = np.ones(10)
    outcomes = Outcomes.from_predictions(ten, ten == 1, ten, np.arange(10) < 1)
    points = points_of(outcomes)
    counts = bootstrap(outcomes, resamples=200, seed=0)
    assert len({float(x) for x in counts.attack[1][:, -1]}) == 1
    found = reading_intervals(points, counts, SCORING)
    attack_low, attack_high = Plain(SCORING).bounds(10, 10)
    assert points.attack.prc_interval == pytest.approx((attack_low, 0.95))
    assert attack_high == 1
    loss = points.losses("relative")["alc"]
    assert loss > 0.75
    low, high = found["alc"]
    assert low < 0.7 < 0.93 < high
    assert verdict_of(points, found, SCORING) in (Verdict.UNDECIDED, Verdict.AT_RISK)


@pytest.mark.parametrize("kind", ["relative", "absolute"])
def test_the_interval_of_a_difference_is_worked_out_from_both_precisions(kind):
    attack, baseline = single(14, 20), single(5, 20)
    points = ComparedPoints.of(attack, baseline, SCORING)
    (a_low, a_high), (b_low, b_high) = (Plain(SCORING).bounds(t, 20) for t in (14, 5))
    a, b = (a_low + a_high) / 2, (b_low + b_high) / 2
    if kind == "absolute":
        low = a - b - math.hypot(a - a_low, b_high - b)
        high = a - b + math.hypot(a_high - a, b - b_low)
    else:
        # What is left to learn, attack over baseline: its logarithm is a difference.
        left = math.log(1 - a) - math.log(1 - b)
        up = math.hypot(math.log((1 - a_low) / (1 - a)), math.log((1 - b) / (1 - b_high)))
        down = math.hypot(math.log((1 - a) / (1 - a_high)), math.log((1 - b_low) / (1 - b)))
        low, high = 1 - math.exp(left + up), 1 - math.exp(left - down)
    found = interval_of_difference(points.attack, points.baseline, kind=kind)
    assert found == pytest.approx((low, high), abs=1e-12)
    assert low < points.losses(kind)["alc"] < high


def test_the_interval_of_a_difference_covers_in_simulation():
    rng = np.random.default_rng(6)
    truth = (0.8 - 0.3) / 0.7
    covered = 0
    for t, right in zip(rng.binomial(30, 0.8, 400), rng.binomial(30, 0.3, 400), strict=True):
        points = ComparedPoints.of(single(int(t), 30), single(int(right), 30), SCORING)
        low, high = interval_of_difference(points.attack, points.baseline, kind="relative")
        covered += low <= truth <= high
    # With a true coverage of 0.95, fewer than 368 of 400 happen in less than 1 % of runs.
    assert covered >= 368


def test_a_baseline_that_is_sure_of_few_does_not_hide_a_good_attack():
    outcomes = sure_of_few()
    points = points_of(outcomes)
    losses = points.losses(SCORING.loss)
    assert points.baseline.predictions == 40
    assert points.attack.predictions == 1000
    assert losses["alc"] < losses["alc_equal_recall"]
    intervals = reading_intervals(points, bootstrap(outcomes, resamples=300, seed=0), SCORING)
    assert decisive(losses, intervals, SCORING) == "alc_equal_recall"
    assert verdict_of(points, intervals, SCORING) is Verdict.SERIOUS


def test_the_more_severe_verdict_decides_before_the_higher_value():
    losses = {"alc": 0.7, "alc_equal_recall": 0.6}
    undecided, at_risk = (0.4, 0.8), (0.55, 0.65)
    found = decisive(losses, {"alc": undecided, "alc_equal_recall": at_risk}, SCORING)
    assert found == "alc_equal_recall"
    same = {"alc": (0.6, 0.74), "alc_equal_recall": at_risk}
    assert decisive(losses, same, SCORING) == "alc"
    assert decisive({"alc": 0.5, "alc_equal_recall": 0.5}, same, SCORING) == "alc"
    harmless = {"alc": (-2.0, -1.0), "alc_equal_recall": (-0.3, 0.2)}
    negative = {"alc": -1.5, "alc_equal_recall": -0.1}
    assert decisive(negative, harmless, SCORING) == "alc_equal_recall"


def test_nothing_is_left_where_the_baseline_is_as_right_as_counts_at_the_attacks_recall():
    # 947 of 1000 has its middle below 0.95, 952 above it.
    attack = single(999)
    assert not nothing_left(ComparedPoints.of(attack, single(947), SCORING), SCORING)
    assert nothing_left(ComparedPoints.of(attack, single(952), SCORING), SCORING)
    assert judged(attack, single(952)) is Verdict.NOTHING_LEFT
    wider = ScoringParameters(max_interval_width=0.2)
    assert judged(attack, single(920), wider) is Verdict.NOTHING_LEFT
    assert judged(attack, single(920)) is not Verdict.NOTHING_LEFT


@pytest.mark.parametrize("interval", [(0.8, 0.9), (0.3, 0.9), (-0.2, 0.1)])
def test_nothing_left_comes_before_any_verdict(interval):
    assert judged(single(999), single(980), interval=interval) is Verdict.NOTHING_LEFT
    assert judged(single(999), single(500), interval=interval) is not Verdict.NOTHING_LEFT


def test_a_baseline_that_is_right_about_a_few_others_leaves_something():
    # It is sure of 2 % of people, but not of as many as the attack answers for.
    points = points_of(sure_of_few())
    assert points.baseline.measured_precision == 1
    assert not nothing_left(points, SCORING)


def test_few_right_guesses_are_not_enough_to_say_that_nothing_is_left():
    # All of 20 right: the middle of the interval is 0.92, below the cap.
    assert not nothing_left(ComparedPoints.of(single(20, 20), single(20, 20), SCORING), SCORING)
