"""The people whom a guess does not already know, what is learned of them, and its resamples."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alc_core.scoring.curves import best_measure, measure_at
from alc_core.scoring.formulas import anonymity_loss
from alc_core.scoring.outcomes import LEAST_KNOWN, Outcomes, Rest, bootstrap, counted_again
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import judged, reading_intervals
from alc_core.scoring.verdict import Verdict
from tests.toys.paired import points_of
from tests.toys.plain_readings import Plain, simulated

SCORING = ScoringParameters()
CAP = SCORING.precision_cap


@st.composite
def targets(draw):
    """Outcomes of few or many people, some of whom a guess knows."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.sampled_from([1, 19, 20, 60, 300]))
    levels = draw(st.sampled_from([1, 3, 40]))
    attack, guess = rng.integers(0, levels, (2, n))
    slope = draw(st.sampled_from([0.0, 0.5, 1.0]))
    right = rng.random(n) < draw(st.sampled_from([0.0, 0.6, 1.0]))
    guessed = rng.random(n) < 1 - slope * (1 - guess / levels)
    return Outcomes.from_predictions(
        attack, right, guess, guessed, weights=rng.choice([1.0, 2.5], n)
    )


@given(outcomes=targets(), width=st.sampled_from([0.1, 0.4, 1.0]))
def test_the_rest_is_that_of_the_definition(outcomes, width):
    scoring = ScoringParameters(max_interval_width=width)
    found = Rest.of(outcomes, scoring.precision_cap)
    rows = outcomes.joint.tolist()
    plain = Plain(scoring).rest(rows, outcomes.weights.tolist())
    assert (found.known, found.known_right) == plain.known
    assert found.known == 0 or found.known >= LEAST_KNOWN
    assert found.size == len(rows) - found.known
    assert found.attack.attempts == len(rows)
    assert found.cap == scoring.precision_cap
    # At each threshold with a new prediction; the others count the same as the one above.
    kept = {
        counts: gain for counts, gain in zip(plain.counts, plain.gain, strict=True) if counts[0]
    }
    pairs = zip(
        found.attack.predictions.tolist(), found.attack.true_predictions.tolist(), strict=True
    )
    assert dict(zip(pairs, found.gain.tolist(), strict=True)) == (kept or {(0, 0): 0.0})
    assert found.attack.predictions[-1] == found.size
    places = np.searchsorted(-outcomes.attack.thresholds, -found.attack.thresholds)
    assert [plain.counts[place][0] for place in places] == found.attack.predictions.tolist()


@given(outcomes=targets(), width=st.sampled_from([0.1, 0.4]), seed=st.integers(0, 99))
def test_a_resample_counts_as_a_plain_loop_does(outcomes, width, seed):
    scoring = ScoringParameters(max_interval_width=width)
    times = np.random.default_rng(seed).poisson(1, (3, outcomes.attempts))
    times[0] = 1
    counts = counted_again(
        outcomes, lambda numbers: times[numbers], cap=scoring.precision_cap, resamples=3
    )
    plain = Plain(scoring)
    assert counts.cap == scoring.precision_cap
    for resample, drawn in enumerate(times):
        again = np.repeat(np.arange(outcomes.attempts), drawn)
        rows = outcomes.joint[again].tolist()
        assert counts.attempts[resample] == len(rows)
        if not rows:
            continue
        rest = plain.rest(rows, outcomes.weights[again].tolist())
        assert (counts.known[0][resample], counts.known[1][resample]) == rest.known
        for side, expected in (
            (counts.attack, plain.counts(rows, 0)),
            (counts.baseline, plain.counts(rows, 2)),
            (counts.rest, rest.counts),
        ):
            made, right = (each[resample].tolist() for each in side)
            # Thresholds below the last that is drawn count the same.
            padded = expected + [expected[-1]] * (len(made) - len(expected))
            assert list(zip(made, right, strict=True)) == padded
        gain = rest.gain + [rest.gain[-1]] * (len(outcomes.attack) - len(rest.gain))
        assert counts.gain[resample].tolist() == pytest.approx(gain)


def test_resamples_do_not_depend_on_the_parts_in_which_they_are_counted(monkeypatch):
    outcomes = simulated(150, known=0.5, units=np.arange(150) // 2)
    whole = bootstrap(outcomes, cap=CAP, resamples=25, seed=1)
    monkeypatch.setattr("alc_core.scoring.outcomes._CELLS", 400)
    parts = bootstrap(outcomes, cap=CAP, resamples=25, seed=1)
    for name in ("attack", "baseline", "rest", "known"):
        for one, other in zip(getattr(whole, name), getattr(parts, name), strict=True):
            assert np.array_equal(one, other)
    assert np.array_equal(whole.gain, parts.gain)
    assert np.array_equal(whole.attempts, parts.attempts)


def hidden_copies(n=4000):
    """A guess knows 65% of people at 97%; the attack, too, and 200 others, of whom 60% guess."""
    place = np.arange(n)
    easy = place < 0.65 * n
    copied = ~easy & (place % 7 == 0)
    spread = place % 100
    return Outcomes.from_predictions(
        np.where(easy | copied, 1.0, 0.1),
        np.where(easy | copied, spread < 97, spread < 40),
        np.where(easy, 1.0, 0.1),
        np.where(easy, (spread + 50) % 100 < 97, (spread * 37) % 100 < 60),
    )


def test_copies_that_both_at_their_best_hide_are_found_among_the_rest():
    outcomes = hidden_copies()
    points = points_of(outcomes)
    assert (points.known, points.known_right) == (2600, 2522)
    assert points.attack_rest.predictions == 200
    assert points.attack_rest.measured_precision == pytest.approx(0.97, abs=0.01)
    assert points.baseline_rest.measured_precision == pytest.approx(0.6, abs=0.01)
    assert points.baseline_rest.recall == points.attack_rest.recall == 200 / 4000
    losses = points.losses(SCORING.loss)
    assert abs(losses["alc"]) < 0.1
    assert losses["alc_rest"] > 0.75
    counts = bootstrap(outcomes, cap=CAP, resamples=300, seed=0)
    intervals = reading_intervals(points, counts, SCORING)
    assert judged(points, intervals, SCORING) == (Verdict.SERIOUS, "alc_rest")


def test_where_everybody_is_known_the_rest_is_empty_and_shows_no_loss():
    everybody = np.ones(500)
    outcomes = Outcomes.from_predictions(
        np.arange(500), everybody == 1, everybody, np.arange(500) >= 10
    )
    rest = Rest.of(outcomes, CAP)
    assert (rest.known, rest.known_right, rest.size) == (500, 490, 0)
    assert rest.attack.predictions.tolist() == rest.attack.true_predictions.tolist() == [0]
    assert rest.gain.tolist() == [0]
    points = points_of(outcomes)
    assert points.attack_rest.prc == points.baseline_rest.prc == 0
    assert points.losses("relative")["alc_rest"] == points.gain == 0
    counts = bootstrap(outcomes, cap=CAP, resamples=100, seed=0)
    intervals = reading_intervals(points, counts, SCORING)
    assert np.isfinite(list(intervals.values())).all()
    assert judged(points, intervals, SCORING)[0] is Verdict.NOT_TESTABLE


@pytest.mark.parametrize("seed", range(4))
def test_where_nobody_is_known_the_baseline_is_plainly_at_the_attacks_recall(seed):
    outcomes = simulated(800, seed=seed)
    points = points_of(outcomes)
    assert points.known == 0
    attack = best_measure(outcomes.attack, SCORING)
    alike = measure_at(outcomes.baseline, attack.predictions, SCORING)
    assert points.attack_rest == points.attack == attack
    assert points.baseline_rest == alike
    assert points.losses("relative")["alc_rest"] == anonymity_loss(attack.prc, alike.prc)


def test_nineteen_right_guesses_show_no_knowledge_and_twenty_do():
    for right, known in ((19, 0), (20, 20)):
        guess = np.arange(200) < right
        outcomes = Outcomes.from_predictions(np.zeros(200), guess, guess, guess)
        assert Rest.of(outcomes, CAP).known == known


def test_people_are_known_down_to_the_lowest_threshold_at_which_enough_are_right():
    # Right in 30 of 30, 57 of 60 (just enough), and 115 of 120; below the cap with the others.
    shares = np.repeat([4, 3, 2, 1], [30, 30, 60, 100])
    right = np.concatenate([np.arange(n) < t for n, t in ((30, 30), (30, 27), (60, 57), (100, 80))])
    outcomes = Outcomes.from_predictions(np.zeros(220), right, shares, right)
    assert Rest.of(outcomes, CAP).known == 120
    # A dip in between does not end it.
    right[30:60] = np.arange(30) < 25
    right[60:120] = True
    outcomes = Outcomes.from_predictions(np.zeros(220), right, shares, right)
    assert outcomes.baseline.true_predictions[1] < 0.95 * 60
    assert Rest.of(outcomes, CAP).known == 120
    # A laxer cap takes everybody.
    assert Rest.of(outcomes, 0.85).size == 0


def test_the_choice_looks_at_the_baseline_alone():
    outcomes = simulated(400, known=0.5)
    wrong = outcomes.joint.copy()
    wrong[:, 1] = 0
    curve = replace(outcomes.attack, true_predictions=np.zeros(len(outcomes.attack), dtype=int))
    found = Rest.of(replace(outcomes, attack=curve, joint=wrong), CAP)
    assert found.known == Rest.of(outcomes, CAP).known > 150


def test_the_gain_is_a_plain_count_of_those_whom_the_attack_answers_for():
    outcomes = simulated(600, known=0.4, weights=np.where(np.arange(600) % 3, 1.0, 4.0))
    rest, points = Rest.of(outcomes, CAP), points_of(outcomes)
    lowest_known = outcomes.joint[:, 2][
        np.argsort(outcomes.joint[:, 2], kind="stable")[rest.known - 1]
    ]
    expected = 0.0
    for (first, told, guess, guessed), weight in zip(
        outcomes.joint.tolist(), outcomes.weights.tolist(), strict=True
    ):
        if guess > lowest_known and first <= points.exposing:
            expected += weight * (told and not guessed) - weight * (guessed and not told)
    assert points.gain == expected
    plain = points_of(replace(outcomes, weights=np.ones(600)))
    assert plain.gain != expected


def test_weights_survive_the_json_and_are_left_out_where_all_are_one():
    outcomes = simulated(100, weights=np.where(np.arange(100) % 2, 1.0, 3.7))
    data = json.loads(json.dumps(outcomes.to_dict()))
    assert Outcomes.from_dict(data) == outcomes
    assert sorted(set(data["weights"])) == [1.0, 3.7]
    plain = simulated(100)
    assert "weights" not in plain.to_dict()
    assert Outcomes.from_dict(plain.to_dict()) == plain
    assert plain != outcomes
