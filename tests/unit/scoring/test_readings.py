"""Both readings of ALC against slow implementations of their definitions."""

import math
from dataclasses import replace

import numpy as np
import pytest

from alc_core.scoring.outcomes import Outcomes, bootstrap, counted_again
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import (
    EXPOSED,
    interval_of_difference,
    judged,
    nothing_left,
    reading_intervals,
    resampled,
)
from alc_core.scoring.verdict import Verdict, judge
from tests.toys.paired import curve_of, paired, points_of
from tests.toys.plain_readings import Plain, simulated

SCORING = ScoringParameters()
SCORINGS = (
    SCORING,
    ScoringParameters(alpha=1, r_min=1e-2, confidence=0.8),
    ScoringParameters(max_interval_width=0.3),
    ScoringParameters(loss="absolute", alpha=8),
)


def drawn(outcomes, resamples, seed=0, scoring=SCORING):
    return bootstrap(outcomes, cap=scoring.precision_cap, resamples=resamples, seed=seed)


def sure_of_few(n=2000):
    """A baseline that is sure of 2% of people, and an attack that is right for half of them."""
    rng = np.random.default_rng(0)
    place = np.arange(n) / n
    right = np.where(place < 0.5, rng.random(n) < 0.93, rng.random(n) < 0.2)
    guess = np.where(place < 0.02, True, rng.random(n) < 0.3)
    return Outcomes.from_predictions(
        (place < 0.5).astype(float), right, (place < 0.02).astype(float), guess
    )


def single(right, n=1000):
    """A curve of one threshold."""
    return curve_of([n], [right])


def verdict(attack, baseline, scoring=SCORING, interval=None):
    """The verdict on two curves; each reading's interval is itself unless given."""
    points = points_of(paired(attack, baseline), scoring)
    losses = points.losses(scoring.loss)
    intervals = {name: interval or (loss, loss) for name, loss in losses.items()}
    return judged(points, intervals, scoring)[0]


@pytest.mark.parametrize("known", [0.0, 0.6])
@pytest.mark.parametrize("scoring", SCORINGS)
def test_both_readings_are_those_of_the_definition(scoring, known):
    for seed in range(6):
        outcomes = simulated(seed=seed, known=known)
        points = points_of(outcomes, scoring)
        found = points.losses(scoring.loss)
        *expected, gain = Plain(scoring).readings(outcomes.joint.tolist())
        assert tuple(found.values()) == pytest.approx(expected, abs=1e-12)
        assert list(found) == ["alc", "alc_rest"]
        assert points.gain == gain
        assert (points.known > 300) == (known > 0)


def test_among_the_rest_both_predict_for_as_many_people():
    points = points_of(simulated(known=0.5))
    assert points.known > 250
    assert points.baseline_rest.predictions == points.attack_rest.predictions
    assert points.baseline_rest.recall == points.attack_rest.recall
    assert points.attack_rest.attempts == points.attack.attempts == 600
    assert points.attack_rest.recall == points.attack_rest.predictions / 600
    assert points.attack_rest.predictions <= points.rest == 600 - points.known


@pytest.mark.parametrize("scoring", SCORINGS)
def test_the_rest_and_the_points_are_chosen_again_in_every_resample(scoring):
    outcomes = simulated(n=300, known=0.3)
    times = np.random.default_rng(4).poisson(1, (25, 300))
    counts = counted_again(
        outcomes, lambda numbers: times[numbers], cap=scoring.precision_cap, resamples=25
    )
    found = resampled(counts, scoring)
    assert len(np.unique(counts.known[0] - times @ (outcomes.joint[:, 2] <= 2))) > 1
    for resample in range(25):
        again = np.repeat(np.arange(300), times[resample])
        *expected, _ = Plain(scoring).readings(outcomes.joint[again].tolist())
        losses = [found[name][resample] for name in ("alc", "alc_rest")]
        assert losses == pytest.approx(expected, abs=1e-12)


def precisions_interval(attack, baseline, highest, kind="relative"):
    sides = ((side.prc, *side.prc_interval) for side in (attack, baseline))
    return interval_of_difference(*sides, highest, kind=kind)


def test_intervals_are_percentiles_of_the_resamples_widened_to_those_of_both_precisions():
    outcomes = simulated(n=3000)
    points, counts = points_of(outcomes), drawn(outcomes, 300, seed=1)
    found, again = reading_intervals(points, counts, SCORING), resampled(counts, SCORING)
    sides = {
        "alc": (points.attack, points.baseline, points.highest),
        "alc_rest": (points.attack_rest, points.baseline_rest, points.highest_rest),
    }
    readings = {**points.losses(SCORING.loss), EXPOSED: points.gain}
    for name, value in readings.items():
        gains = 3000 * counts.gain[:, points.exposing] / counts.attempts
        resamples = gains if name == EXPOSED else again[name]
        low, high = np.quantile(resamples, [0.025, 0.975])
        assert low < value < high
        if name == EXPOSED:  # up to the most at any threshold
            high = found[name][1]
            assert high >= np.quantile(resamples, 0.975)
        else:
            least, most = precisions_interval(*sides[name])
            low, high = min(low, least), max(high, most)
        assert found[name] == pytest.approx((low, high))
    lenient = replace(SCORING, confidence=0.8)
    narrower = reading_intervals(points_of(outcomes, lenient), counts, lenient)
    assert np.diff(narrower["alc"]) < np.diff(found["alc"])


@pytest.mark.parametrize("n", [12, 40, 150, 900])
def test_an_interval_holds_its_reading_however_few_the_targets(n):
    for seed in range(15):
        outcomes = simulated(n=n, seed=seed, levels=3, known=seed % 3 / 3)
        points = points_of(outcomes)
        found = reading_intervals(points, drawn(outcomes, 100), SCORING)
        for name, loss in points.losses(SCORING.loss).items():
            low, high = found[name]
            assert low <= loss <= high <= 1
        low, high = found[EXPOSED]
        assert -n <= low <= points.gain <= high <= n


def test_ten_of_ten_right_is_no_certainty():
    # Resamples of ten right predictions never vary: the interval comes from those of precision.
    ten = np.ones(10)
    outcomes = Outcomes.from_predictions(ten, ten == 1, ten, np.arange(10) < 1)
    points = points_of(outcomes)
    counts = drawn(outcomes, 200)
    assert len({float(x) for x in counts.attack[1][:, -1]}) == 1
    found = reading_intervals(points, counts, SCORING)
    attack_low, attack_high = Plain(SCORING).bounds(10, 10)
    assert points.attack.prc_interval == pytest.approx((attack_low, 0.95))
    assert attack_high == 1
    loss = points.losses("relative")["alc"]
    assert loss > 0.75
    low, high = found["alc"]
    assert low < 0.7 < 0.93 < high
    assert judged(points, found, SCORING)[0] in (Verdict.INCONCLUSIVE, Verdict.AT_RISK)


@pytest.mark.parametrize("kind", ["relative", "absolute"])
def test_the_interval_of_a_difference_is_worked_out_from_both_precisions(kind):
    attack, baseline = single(14, 20), single(5, 20)
    points = points_of(paired(attack, baseline))
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
    alone = (points.attack.prc_interval[1],) * 2
    found = precisions_interval(points.attack, points.baseline, alone, kind)
    assert found == pytest.approx((low, high), abs=1e-12)
    assert low < points.losses(kind)["alc"] < high


def test_the_interval_of_a_difference_covers_in_simulation():
    rng = np.random.default_rng(6)
    truth = (0.8 - 0.3) / 0.7
    covered = 0
    for t, right in zip(rng.binomial(30, 0.8, 400), rng.binomial(30, 0.3, 400), strict=True):
        points = points_of(paired(single(int(t), 30), single(int(right), 30)))
        low, high = precisions_interval(points.attack, points.baseline, points.highest)
        covered += low <= truth <= high
    # With a true coverage of 0.95, fewer than 368 of 400 happen in less than 1% of runs.
    assert covered >= 368


def test_a_baseline_that_is_sure_of_few_does_not_hide_a_good_attack():
    outcomes = sure_of_few()
    points = points_of(outcomes)
    losses = points.losses(SCORING.loss)
    assert points.baseline.predictions == 40
    assert points.attack.predictions == 1000
    assert losses["alc"] < losses["alc_rest"]
    intervals = reading_intervals(points, drawn(outcomes, 300), SCORING)
    assert judged(points, intervals, SCORING) == (Verdict.SERIOUS, "alc_rest")


def test_the_more_severe_verdict_decides_before_the_higher_value():
    inconclusive, at_risk = (0.7, 0.4, 0.8), (0.6, 0.55, 0.65)
    rest = [
        judge(readings, SCORING)[1]
        for readings in (
            (inconclusive, at_risk),
            ((0.7, 0.6, 0.74), at_risk),
            ((0.5, 0.6, 0.74), (0.5, 0.55, 0.65)),
            ((-1.5, -2.0, -1.0), (-0.1, -0.3, 0.2)),
        )
    ]
    assert rest == [True, False, False, True]


def test_nothing_is_left_where_all_or_nearly_all_are_known_anyway():
    assert verdict(single(999), single(950)) is Verdict.NOT_TESTABLE
    assert verdict(single(999), single(949)) is not Verdict.NOT_TESTABLE
    wider = ScoringParameters(max_interval_width=0.2)
    assert verdict(single(999), single(920), wider) is Verdict.NOT_TESTABLE
    assert verdict(single(999), single(920)) is not Verdict.NOT_TESTABLE
    # The other 30 people of 1000 are too few to measure anything of them.
    guess = curve_of([970, 1000], [923, 945])
    points = points_of(paired(curve_of([970, 1000], [970, 985]), guess))
    assert (points.known, points.rest, points.narrow) == (970, 30, False)
    assert nothing_left(points, SCORING)
    assert verdict(curve_of([970, 1000], [970, 985]), guess) is Verdict.NOT_TESTABLE


def test_few_others_are_enough_where_a_precision_is_known_well():
    # All of 40 right: the interval is 0.088 wide.
    guess = curve_of([960, 1000], [914, 940])
    points = points_of(paired(curve_of([960, 1000], [960, 1000]), guess))
    assert (points.rest, points.narrow) == (40, True)
    assert not nothing_left(points, SCORING)
    # Of 60 others in 1000 something can be learned, however little is known of them.
    many = points_of(paired(single(970), curve_of([940, 1000], [895, 935])))
    assert (many.rest, many.narrow) == (60, False)
    assert not nothing_left(many, SCORING)


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        ((0.8, 0.9), Verdict.SERIOUS),
        ((0.6, 0.9), Verdict.AT_RISK),
        ((0.3, 0.9), Verdict.NOT_TESTABLE),
        ((-0.2, 0.1), Verdict.NOT_TESTABLE),
    ],
)
def test_what_is_flagged_stays_flagged_however_few_are_left(interval, expected):
    assert verdict(single(999), single(980), interval=interval) is expected


def test_a_baseline_that_is_right_about_a_few_others_leaves_something():
    # It is sure of 2% of people, but not of as many as the attack answers for.
    points = points_of(sure_of_few())
    assert points.baseline.measured_precision == 1
    assert not nothing_left(points, SCORING)
    assert not nothing_left(points, SCORING)


def test_few_right_guesses_are_not_enough_to_say_that_nothing_is_left():
    # All of 19 right: the middle of the interval is 0.92, below the cap.
    points = points_of(paired(single(19, 19), single(19, 19)))
    assert not nothing_left(points, SCORING)
    assert not nothing_left(points, SCORING)
    assert nothing_left(points_of(paired(single(20, 20), single(20, 20))), SCORING)
