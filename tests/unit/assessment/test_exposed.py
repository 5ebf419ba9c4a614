"""How many people a release exposes, and what is said of it."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from msgspec import structs

import alc_core as alc
from alc_core.assessment.people import PeopleSplit
from alc_core.assessment.result import worst_of
from alc_core.baselines.families import NaiveBayes
from alc_core.phrasing import count, percent
from alc_core.review.attack_words import (
    _TEXTS,
    CERTAINTY,
    beside_sentence,
    counted_sentence,
    exposed_sentence,
    exposed_text,
    short_sentence,
    verdict_explanation,
)
from alc_core.scoring.outcomes import Outcomes
from alc_core.scoring.verdict import FLAGGED, HARMLESS, Verdict
from tests.toys.judged import assessment_of
from tests.toys.plain_readings import simulated


def told(*groups, **more):
    """People in groups: how many, whether the guess knows them, attack right, guess right."""
    sizes, known, right, guessed = zip(*groups, strict=True)
    known, right, guessed = (np.repeat(each, sizes) for each in (known, right, guessed))
    return assessment_of(
        Outcomes.from_predictions(np.ones(len(known)), right, known * 1.0, guessed), **more
    )


PARTS = _TEXTS["parts"]

LEAK = (
    (600, True, True, True),
    (200, False, True, False),
    (30, False, False, True),
    (70, False, True, True),
    (100, False, False, False),
)


def test_exposed_are_those_told_by_the_release_alone_less_the_reverse():
    result = told(*LEAK)
    assert result.rest_share == 0.4
    assert result.attack_rest.predictions == 400
    assert result.exposed == 170
    low, high = result.exposed_interval
    assert 120 < low < 170 < high < 220


def test_the_interval_reaches_to_the_most_that_any_threshold_may_expose():
    # 60 are surely told; 400 more are answered, of whom 20 may be exposed or not.
    sizes = (60, 110, 90, 200)
    scores, right, guessed = (
        np.repeat(each, sizes) for each in ([1.0, 0.5, 0.5, 0.5], [1, 1, 0, 0], [0, 0, 1, 0])
    )
    result = assessment_of(Outcomes.from_predictions(scores, right, np.zeros(460), guessed))
    assert result.exposed == pytest.approx(60 * result.people_a_gain)
    low, high = (bound / result.people_a_gain for bound in result.exposed_interval)
    assert 40 < low < 60
    assert 95 < high < 80 + 3 * np.sqrt(260)


def test_many_exposed_ask_for_a_look_where_the_loss_is_low():
    groups = (400, False, True, True), (40, False, False, True), (460, False, False, False)
    many = told(*groups, (100, False, True, False))
    few = told(*groups, (55, False, True, False))
    assert {many.verdict, few.verdict} <= {Verdict.BELOW_LIMIT, Verdict.NO_LOSS}
    assert (many.exposes_many, few.exposes_many) == (True, False)
    assert "can infer 'job' for some people: " in short_sentence(many)
    assert "for some people" not in short_sentence(few)
    asks = PARTS["exposing"].format(share=percent(many.scoring.material))
    assert asks in verdict_explanation(many)
    assert asks not in verdict_explanation(few)
    assert not told((1000, False, True, True)).exposes_many
    # A share of all people, as it is said: those without a value count, too.
    of_more = told(
        *groups, (100, False, True, False), people=1000, candidates=1000, population=9000
    )
    assert of_more.exposed == many.exposed
    assert not of_more.exposes_many


def test_they_are_scaled_to_all_people():
    result = told(*LEAK, people=25_000, candidates=3000, population=30_000)
    assert result.exposed == 170 * 25
    low, high = result.exposed_interval
    assert (low, high) == tuple(25 * bound for bound in told(*LEAK).exposed_interval)


def test_nobody_is_exposed_where_the_guess_is_right_about_more():
    result = told((300, False, True, True), (60, False, False, True), (10, False, True, False),
                  (100, False, False, False))  # fmt: skip
    assert result.exposed == -50
    assert result.exposed_interval[1] < 0
    assert exposed_text(result.exposed, *result.exposed_interval) == "0 (0 to 0)"


@pytest.mark.parametrize("seed", range(6))
def test_the_people_in_four_parts_are_all_people_and_give_the_exposed(seed):
    weights = np.random.default_rng(seed).choice([1.0, 3.5], 500)
    outcomes = simulated(500, seed=seed, known=seed % 3 / 3, weights=weights)
    result = assessment_of(outcomes, people=20_000)
    split = PeopleSplit.of(result)
    assert split.everybody == pytest.approx(20_000)
    assert split.learned >= result.exposed
    assert split.known == 0 if result.rest_share == 1 else split.known > 0
    assert min(split.learned, split.guessed, split.neither) > 0
    low, high = result.exposed_interval
    assert low <= result.exposed <= high


def test_the_parts_of_a_plain_leak():
    split = PeopleSplit.of(told(*LEAK))
    assert (split.known, split.learned, split.guessed, split.neither) == (600, 200, 100, 100)
    assert split.rest == 400


def test_where_everybody_is_known_they_are_the_only_part():
    result = told((500, True, True, True))
    assert PeopleSplit.of(result) == PeopleSplit(known=500, learned=0, guessed=0, neither=0)
    assert result.exposed == 0
    assert result.exposed_interval == (0, 0)


def test_a_result_with_weights_survives_the_json():
    outcomes = simulated(300, known=0.3, weights=np.where(np.arange(300) % 2, 1.0, 2.25))
    result = assessment_of(outcomes, people=9000)
    back = alc.Assessment.from_json(result.to_json())
    assert back == result
    assert (back.exposed, back.exposed_interval) == (result.exposed, result.exposed_interval)
    assert json.loads(result.to_json())["exposed"] == result.exposed
    flat = structs.replace(result, outcomes=replace(outcomes, weights=np.ones(300)))
    assert flat.exposed != result.exposed


def test_a_narrower_level_gives_a_narrower_interval_around_the_same_people():
    result = told(*LEAK)
    narrow = result.rescore(confidence=0.5)
    assert narrow.exposed == result.exposed
    assert np.diff(narrow.exposed_interval) < np.diff(result.exposed_interval)


def copied(clerks_in_ulm, clerks_in_bonn, **scenario):
    """Everybody is released; four of five live in Ulm, and the number tells nothing by itself."""
    n = 3000
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {"number": np.arange(n), "city": rng.choice(["Ulm", "Bonn"], n, p=[0.8, 0.2])}
    )
    share = np.where(frame["city"] == "Ulm", clerks_in_ulm, clerks_in_bonn)
    frame["job"] = np.where(rng.random(n) < share, "clerk", "smith")
    result = alc.assess(
        frame, frame.sample(frac=1, random_state=0),
        alc.Scenario(["number", "city"], "job", **scenario),
        families=(NaiveBayes(),), loop=alc.LoopParameters(folds=2, resamples=200),
    )  # fmt: skip
    assert result.people == n
    assert result.attack_rest.measured_precision == 1
    return frame, result


def test_weights_undo_the_down_sampling_of_a_dominating_value():
    # Everybody guesses clerks in Ulm and smiths in Bonn, among all as among the down-sampled.
    frame, result = copied(0.85, 0.2)
    assert result.down_sampled_share == pytest.approx(0.72, abs=0.02)
    assert result.attempts < 2000
    missed = ((frame["city"] == "Ulm") != (frame["job"] == "clerk")).sum()
    low, high = result.exposed_interval
    assert low < missed < high
    assert result.exposed == pytest.approx(missed, rel=0.1)
    alike = replace(result.outcomes, weights=np.ones(result.attempts))
    assert structs.replace(result, outcomes=alike).exposed > 1.2 * missed


def test_what_each_of_the_people_attacked_stands_for_is_said():
    _, result = copied(0.85, 0.2)
    frequent, other = sorted({*result.outcomes.weights * result.people_a_gain}, reverse=True)
    assert counted_sentence(result) == (
        f"{count(result.attempts)} people were attacked; {count(result.points.rest)} are "
        f"hard to guess. They represent all {count(result.people)}: each with the most "
        f"frequent value about {frequent:.1f}, each other about {other:g}."
    )
    assert counted_sentence(told(*LEAK)) == (
        f"{count(1000)} people were attacked; 400 are hard to guess."
    )
    assert counted_sentence(told(*LEAK, people=25_000, population=26_000)).endswith(
        f"They represent {count(25_000)} of {count(26_000)} people."
    )


def test_a_guess_of_the_frequent_value_exposes_no_more_than_the_others():
    # Nine of ten are clerks, whatever is known: to name a clerk misses the smiths alone.
    frame, result = copied(0.9, 0.9)
    assert result.down_sampled_share == pytest.approx(0.9, abs=0.02)
    smiths = (frame["job"] == "smith").sum()
    _, whole = copied(0.9, 0.9, down_sample=False)
    assert whole.exposed == pytest.approx(smiths, rel=0.05)
    assert result.exposed == pytest.approx(smiths, rel=0.3)


def test_the_sentence_counts_who_is_exposed():
    result = told(*LEAK, people=25_000, population=26_000)
    low, high = result.exposed_interval
    said = exposed_sentence(result)
    assert said == (
        f"About {count(4250)} of {count(26_000)} people are exposed (95% interval "
        f"{count(round(low))} to {count(round(high))})."
    )
    assert low > 0


def test_people_exposed_by_less_certain_answers_are_not_said_of_the_certain_ones():
    sure = np.repeat([1.0, 0.5], [100, 400])
    right = np.append(np.ones(100, bool), np.arange(400) % 2 == 0)
    nobody = np.zeros(500, bool)
    result = assessment_of(Outcomes.from_predictions(sure, right, sure * 0, nobody))
    assert (result.attack_rest.predictions, result.exposed) == (100, 300)
    assert "About 300 of 500 people are exposed once it answers for more (" in exposed_sentence(
        result
    )
    assert "answers for more" not in exposed_sentence(told(*LEAK))


def test_the_sentence_says_that_nobody_is_exposed_beyond_chance():
    result = told((250, False, True, True), (20, False, True, False), (18, False, False, True),
                  (200, False, False, False))  # fmt: skip
    low, high = result.exposed_interval
    assert result.exposed == 2
    assert low < 0 < high
    assert result.verdict not in FLAGGED
    assert exposed_sentence(result) == (
        f"This attack exposes none of 488 people beyond chance (95% interval up to {round(high)})."
    )
    nobody = told((100, False, True, True), (100, False, False, False))
    assert nobody.exposed_interval == (0, 0)
    assert exposed_sentence(nobody) == ("This attack exposes none of 200 people beyond chance.")


@pytest.mark.parametrize("size", [2, 3, 5])
def test_too_few_to_test_that_can_expose_nobody_has_no_number(size):
    few = told((size, True, True, True), population=10_000)
    assert (few.verdict, round(few.exposed_interval[1])) == (Verdict.TOO_FEW, 0)
    assert short_sentence(few).endswith("nothing shows about 'job': too few people.")
    assert verdict_explanation(few).startswith("Too few people to test (95% interval")


def test_an_inconclusive_attack_says_how_many_it_may_expose_as_its_release_does():
    groups = (12, False, True, False), (3, False, False, True), (30, False, False, False)
    few = told(*groups, population=700)
    low, high = few.exposed_interval
    assert (few.verdict, few.exposed, few.exposes_many) == (Verdict.INCONCLUSIVE, 9, False)
    assert exposed_sentence(few).startswith(
        f"About 9, perhaps up to {round(high)}, of {count(700)} people"
    )
    of_more = told(*groups, population=1000)
    assert of_more.verdict is Verdict.TOO_FEW, "at most 1.6%, less than what matters"
    assert "people: too few to test" in short_sentence(of_more)
    assert f"might infer 'job' for up to {round(high)} of 1,000 people" in short_sentence(of_more)
    assert of_more.rescore(material=0.01).verdict is Verdict.INCONCLUSIVE
    nobody = told((3, False, True, False), (2, False, False, True), (6, False, False, False))
    low, high = nobody.exposed_interval
    assert (nobody.verdict, low < 0) == (Verdict.INCONCLUSIVE, True)
    assert exposed_sentence(nobody) == (
        f"Up to {round(high)} of 11 people might be exposed (95% interval 0 to {round(high)})."
    )


def test_certainty_without_new_answers_is_said_where_a_flag_exposes_nobody():
    # Both are right about the same people, but only the attack knows about whom.
    place = np.arange(2000)
    right = place < 800
    outcomes = Outcomes.from_predictions(right * 1.0, right, np.ones(2000), right)
    result = assessment_of(outcomes)
    assert result.verdict is Verdict.SERIOUS
    assert result.exposed == 0
    assert exposed_sentence(result) == (
        f"But this attack exposes none of {count(2000)} people beyond chance. {CERTAINTY}"
    )


@pytest.mark.parametrize(
    ("exposed", "low", "high", "text"),
    [
        (257.2, 220.4, 1301.0, f"257 (220 to {count(1301)})"),
        (1.2, 0.4, 2.6, "1 (0 to 3)"),
        (12.0, -5.0, 30.0, "0 (0 to 30)"),
        (-4.0, -9.0, -2.0, "0 (0 to 0)"),
    ],
)
def test_short_texts(exposed, low, high, text):
    assert exposed_text(exposed, low, high) == text


def test_of_two_harmless_attacks_the_one_that_exposes_many_is_the_answer():
    """As record linkage of half-swapped rows: its loss is lower, and it tells hundreds."""
    surer = told((40, False, True, True), (960, False, False, False), population=1000)
    wider = told((330, False, True, False), (230, False, False, True), (440, False, False, False),
                 population=1000)  # fmt: skip
    assert wider.exposes_many
    assert not surer.exposes_many
    assert {surer.verdict, wider.verdict} <= {*HARMLESS, Verdict.TOO_FEW}
    assert worst_of([surer, wider]).outcomes is wider.outcomes
    assert worst_of([wider, surer]).outcomes is wider.outcomes


def test_of_two_clear_attacks_the_one_that_surely_exposes_someone_is_the_answer():
    """As record linkage of half-swapped rows with two known facts: few, but real people."""
    someone = told((9, False, True, False), (3, False, True, True), (988, False, False, False),
                   population=1000)  # fmt: skip
    nobody = told((500, False, True, True), (300, False, False, True), (200, False, False, False),
                  population=1000)  # fmt: skip
    assert (nobody.verdict, someone.verdict) == (Verdict.NO_LOSS, Verdict.TOO_FEW)
    assert nobody.exposed_interval[1] < 0 < someone.exposed_interval[0]
    assert worst_of([nobody, someone]).outcomes is someone.outcomes


def test_an_attack_beside_that_surely_exposes_more_is_named():
    """As record linkage of averaged numbers: it is less sure of many more people."""
    known = (850, True, True, True)
    worse = told((120, False, True, False), (30, False, False, False), known, population=1000)
    wider = told((300, False, True, False), (700, False, False, False), population=1000)
    assert (worse.verdict, wider.verdict) == (Verdict.AT_RISK, Verdict.INCONCLUSIVE)
    found = worst_of([wider, worse])
    assert found.outcomes is worse.outcomes
    assert beside_sentence(found) == (
        f"The attack '{wider.attack_name}' is 'inconclusive', but exposes more people: 300 (271 "
        "to 328)."
    )
    assert not beside_sentence(worse)
    assert not beside_sentence(structs.replace(wider, beside=(worse,)))
    assert not beside_sentence(structs.replace(worse, beside=(worse,))), "as many"
