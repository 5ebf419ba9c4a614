"""Releases whose loss is known by construction."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.scoring.outcomes import Outcomes, bootstrap
from alc_core.scoring.readings import EXPOSED, READINGS, judged, reading_intervals
from alc_core.scoring.verdict import FLAGGED
from tests.toys.paired import points_of
from tests.toys.survey import make_survey

SCORING = alc.ScoringParameters()
LOOP = alc.LoopParameters(folds=3, resamples=100)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fair", "randhie"])
def test_shuffled_columns_and_strong_swapping_are_no_loss_on_real_data(name):
    demo = alc.load_demo(name)
    shuffled = alc.swap_columns(demo.original.frame, 1, seed=3)
    assert alc.assess(demo.original, shuffled, demo.scenario, loop=LOOP).alc <= 0.1
    strong = alc.assess(demo.original, demo.releases["80% swapped"], demo.scenario, loop=LOOP)
    assert strong.alc <= 0.1


@pytest.mark.slow
def test_the_original_itself_is_a_serious_loss_on_real_data():
    demo = alc.load_demo("fair")
    releases = (demo.original.frame, demo.releases["20% swapped"], demo.releases["80% swapped"])
    result, weak, strong = (
        alc.assess(demo.original, release, demo.scenario, families=(NaiveBayes(),), loop=LOOP)
        for release in releases
    )
    assert result.verdict is alc.Verdict.SERIOUS
    assert strong.alc < weak.alc < result.alc


def simulated_loss(precision, n_targets, seed):
    rng = np.random.default_rng(seed)
    score, flat = rng.random(n_targets), rng.random(n_targets)
    outcomes = Outcomes.from_predictions(
        score, rng.random(n_targets) < precision(score), flat, rng.random(n_targets) < 0.5
    )
    return points_of(outcomes).losses(SCORING.loss)["alc"], outcomes


def test_few_targets_do_not_hide_a_low_recall_attack():
    def linear(score):
        return 0.2 + 0.7 * score

    # Of those above a score s, the mean precision is that at the middle of s and 1.
    recall = np.geomspace(1e-3, 1, 2000)
    precision = np.minimum(linear(1 - recall / 2), 0.95)
    best = np.max((1 - (np.log10(recall) / -4) ** 3) * precision)
    truth = (best - 0.5) / 0.5
    many, few = (
        np.mean([simulated_loss(linear, n, seed)[0] for seed in range(40)]) for n in (2000, 500)
    )
    assert many == pytest.approx(truth, abs=0.03)
    assert few == pytest.approx(truth, abs=0.08)


def test_an_attack_with_an_answer_for_few_is_not_cleared():
    # Of 2 000 it answers for eight, all rightly, whom the guess knows by half.
    rng = np.random.default_rng(0)
    first, guessed = np.arange(2000) < 8, rng.random(2000) < 0.3
    outcomes = Outcomes.from_predictions(
        np.where(first, 1.0, 0.0), np.where(first, True, guessed), rng.random(2000), guessed
    )
    counts = bootstrap(outcomes, cap=SCORING.precision_cap, resamples=200, seed=0)
    found = reading_intervals(points_of(outcomes), counts, SCORING)
    assert judged(points_of(outcomes), found, SCORING)[0] is alc.Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("people", "cleared"), [(100, False), (2000, True)])
def test_that_nobody_is_told_clears_an_attack_only_among_many(people, cleared):
    # It would be sure of one in two hundred, of whom none was among these.
    rng = np.random.default_rng(0)
    guessed = rng.random(people) < 0.3
    outcomes = Outcomes.from_predictions(np.zeros(people), guessed, rng.random(people), guessed)
    counts = bootstrap(outcomes, cap=SCORING.precision_cap, resamples=200, seed=0)
    found = reading_intervals(points_of(outcomes), counts, SCORING)
    verdict = judged(points_of(outcomes), found, SCORING)[0]
    assert verdict is (alc.Verdict.NO_LOSS if cleared else alc.Verdict.INCONCLUSIVE)


@pytest.mark.slow
def test_the_interval_covers_zero_where_attack_and_baseline_are_equal():
    def equal(score):
        return 0.2 + 0.7 * score

    covered = 0
    for seed in range(100):
        rng = np.random.default_rng(1000 + seed)
        scores = rng.random((2, 2000))
        right = rng.random((2, 2000)) < equal(scores)
        outcomes = Outcomes.from_predictions(
            scores[0], right[0], scores[1], right[1], max_thresholds=400
        )
        counts = bootstrap(outcomes, cap=SCORING.precision_cap, resamples=300, seed=seed)
        found = reading_intervals(points_of(outcomes), counts, SCORING)
        for name in READINGS:
            low, high = found[name]
            covered += low <= 0 <= high
    # With a true coverage of 0.93 of both readings, fewer than 172 of 200 are a rare accident.
    assert covered >= 172


def test_the_interval_of_people_exposed_covers_the_truth():
    # Among 400 whom nobody knows the attack is right for 70%, the guess in 50% of the same.
    truth, covered = 400 * (0.7 - 0.5), 0
    known = np.arange(1000) < 600
    for seed in range(100):
        rng = np.random.default_rng(seed)
        outcomes = Outcomes.from_predictions(
            np.ones(1000), rng.random(1000) < np.where(known, 0.99, 0.7),
            known, rng.random(1000) < np.where(known, 0.99, 0.5),
        )  # fmt: skip
        counts = bootstrap(outcomes, cap=SCORING.precision_cap, resamples=200, seed=seed)
        low, high = reading_intervals(points_of(outcomes), counts, SCORING)[EXPOSED]
        covered += low <= truth <= high
    # With a true coverage of 0.95, fewer than 89 of 100 happen in about 1% of runs.
    assert 89 <= covered < 100


def test_an_attack_as_good_as_the_guess_is_rarely_flagged_whatever_a_guess_knows():
    flagged = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        easy = np.arange(2000) < 1000
        scores = rng.random((2, 2000)) + easy
        right = rng.random((2, 2000)) < np.where(easy, 0.98, 0.2 + 0.6 * scores)
        outcomes = Outcomes.from_predictions(
            scores[0], right[0], scores[1], right[1], max_thresholds=400
        )
        counts = bootstrap(outcomes, cap=SCORING.precision_cap, resamples=200, seed=seed)
        points = points_of(outcomes)
        intervals = reading_intervals(points, counts, SCORING)
        flagged += judged(points, intervals, SCORING)[0] in FLAGGED
    assert flagged <= 1


def survey(n, rng):
    """People whose occupation hardly follows from anything, but is certain for one in forty."""
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "hours": rng.normal(38, 8, n).round(1),
            "income": rng.lognormal(8, 0.5, n).round(0),
            "city": rng.choice(["Ulm", "Bonn", "Köln", "Jena"], n),
            "job": rng.choice(["nurse", "teacher", "smith", "clerk", "cook"], n),
        }
    )
    frame.loc[rng.random(n) < 0.025, ["city", "job"]] = ["Sylt", "fisher"]
    return frame


@pytest.mark.slow
def test_three_quarters_of_the_people_released_as_they_are_is_a_serious_loss():
    rng = np.random.default_rng(4)
    people, strangers = survey(4000, rng), survey(4000, rng)
    known = ["age", "hours", "income", "city"]
    losses = {}
    for share in (0.0, 0.75):
        kept = int(share * 4000)
        release = pd.concat([people.iloc[:kept], strangers.iloc[kept:]], ignore_index=True)
        release = release.sample(frac=1, random_state=1).reset_index(drop=True)
        result = alc.assess(
            people, release, alc.Scenario(known, "job"), families=(NaiveBayes(),), seed=1
        )
        losses[share] = result
    none, most = losses.values()
    assert most.verdict is alc.Verdict.SERIOUS
    assert min(most.alc, most.alc_rest) > 0.8
    assert none.verdict in (alc.Verdict.NO_LOSS, alc.Verdict.BELOW_LIMIT, alc.Verdict.INCONCLUSIVE)
    assert none.decisive_alc < 0.2


def test_negative_numbers_are_no_better_predicted_than_positive_ones():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"k": rng.integers(0, 40, 2000), "u": rng.normal(0, 10, 2000).round(2)})
    for sign in (1, -1):
        signed = frame.assign(u=sign * frame["u"] - 50)
        release = alc.swap_columns(signed, 1, seed=1)
        scenario = alc.Scenario(["k"], "u")
        assert alc.assess(signed, release, scenario, families=(NaiveBayes(),)).alc <= 0.1


@pytest.mark.slow
def test_an_income_with_codes_is_attacked_as_the_numbers_that_it_is():
    """Of 40% of the people the release has the row; children have no income, but N."""
    people, strangers = make_survey(5000, 1), make_survey(5000, 2)
    copied = np.random.default_rng(3).random(5000) < 0.4
    release = pd.concat([people[copied], strangers[~copied]]).sample(frac=1, random_state=4)
    scenario = alc.Scenario(["AGEP", "SEX", "EDU", "MSP", "INDP_CAT", "PUMA"], "PINCP")
    without = [frame[frame["PINCP"] != "N"].astype({"PINCP": int}) for frame in (people, release)]
    found, plain = (
        alc.assess(*tables, scenario, families=(NaiveBayes(),), seed=1)
        for tables in ((people, release), without)
    )
    assert (found.without_value, plain.without_value) == ((people["PINCP"] == "N").sum(), 0)
    assert found.population - found.without_value == plain.population
    assert found.alc_rest == pytest.approx(plain.alc_rest, abs=0.05)
    assert found.alc_rest > 0.6


@pytest.mark.parametrize("attack", ["best row match", "model", "naive bayes"])
def test_no_attack_fails_on_numbers_with_codes(attack):
    people = make_survey(1200, 5)
    people["PINCP"] = people["PINCP"].mask(people["PINCP"] == "0", "X")
    loop = alc.LoopParameters(resamples=100, folds=3)
    targets = alc.Targets(count=300, missing=None)
    for known, unknown in ((["AGEP", "PINCP", "EDU"], "MSP"), (["AGEP", "MSP", "EDU"], "PINCP")):
        scenario = alc.Scenario(known, unknown, targets=targets)
        result = alc.assess(
            people, people, scenario, attack=attack, families=(NaiveBayes(),), loop=loop, seed=1
        )
        assert result.attack.precision > 0.5
