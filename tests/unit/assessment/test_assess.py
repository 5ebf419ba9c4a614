import json
import pickle

import numpy as np
import pytest
from msgspec.structs import replace

import alc_core as alc
from alc_core.assessment import loop as assessment_loop
from alc_core.assessment.halting import HaltingReason
from alc_core.attacks.protocol import Predictions
from alc_core.baselines.families import NaiveBayes, default_families
from alc_core.baselines.folds import BaselinePredictions
from alc_core.errors import CancelledError, InputError, ParameterError, PreflightError
from alc_core.scoring.verdict import straddled

LOOP = alc.LoopParameters(resamples=100, min_targets=600, folds=3)


SCENARIO = alc.Scenario(["age", "city", "hours"], "job")


def assess(original, release, scenario, **options):
    """Assess with a baseline that costs little: what is tested here depends on no better one."""
    cheap = {"families": (NaiveBayes(),), "loop": LOOP}
    return alc.assess(original, release, scenario, **{**cheap, **options})


@pytest.fixture(scope="module")
def copied(people):
    return assess(people(), people(), SCENARIO, seed=3)


def test_a_copy_of_the_original_is_a_serious_loss(copied):
    assert copied.verdict is alc.Verdict.SERIOUS
    # No precision counts as more than 0.95.
    assert copied.decisive_alc > 0.85
    assert copied.attack.measured_precision > 0.99
    assert copied.decisive_interval[0] > 0.75


def test_within_a_tolerance_the_learner_names_what_is_likeliest_right_as_the_attacker_does():
    scenario = alc.Scenario(["age"], "pay", tolerance=alc.Tolerance(10))
    # Code 0 is the likeliest by itself; 3 or 5, which 4 is right about, are likelier together.
    learned = np.array([[0.4, 0.0, 0.0, 0.3, 0.0, 0.3]])
    attack = Predictions.of([4], [0.6], learned=learned)
    four = np.array([4])
    guess = BaselinePredictions(values=four, scores=np.ones(1), everybody=four, model="none")
    tally = assessment_loop.Tally()
    tally.add(np.array([0]), np.array([5]), attack, guess, scenario)
    assert tally["learned_right"].tolist() == [True]


def test_independent_columns_are_no_loss(people):
    release = alc.swap_columns(people(), 1, seed=1)
    result = assess(people(), release, SCENARIO)
    assert result.alc <= 0.1
    assert result.verdict in (alc.Verdict.NO_LOSS, alc.Verdict.BELOW_LIMIT)


def test_same_seed_same_result_other_seed_another(copied, people):
    again = assess(people(), people(), SCENARIO, seed=3)
    assert again.to_json() == copied.to_json()
    other = assess(people(), people(), SCENARIO, seed=4)
    assert other.outcomes != copied.outcomes


def test_the_order_in_which_facts_are_named_changes_nothing(copied, people):
    """As in a campaign, whose sets are in the original's order."""
    backwards = alc.Scenario(["hours", "city", "age"], "job")
    assert assess(people(), people(), backwards, seed=3).to_json() == copied.to_json()


@pytest.mark.slow
def test_the_usual_families_give_the_same_for_the_same_seed(people, usual_baselines):
    few = alc.LoopParameters(folds=2, resamples=100)
    one, two = (alc.assess(people(500), people(500), SCENARIO, loop=few, seed=3) for _ in range(2))
    assert one.to_json() == two.to_json()
    usual = {family.name for family in default_families()} | {"most frequent value"}
    assert {name for model in one.models for name in model.split(" + ")} <= usual
    assert set(one.models) != {NaiveBayes().name}


def test_row_order_matters_no_more_than_chance(people):
    release = alc.swap_columns(people(), 0.2, seed=1)
    one = assess(people(), release, SCENARIO)
    shuffled = people().sample(frac=1, random_state=5)
    two = assess(shuffled, release.sample(frac=1, random_state=6), SCENARIO)
    assert one.alc_interval[0] <= two.alc <= one.alc_interval[1]


def test_json_is_lossless_and_complete(copied):
    text = copied.to_json(indent=1)
    back = alc.Assessment.from_json(text)
    assert back == copied
    assert back.to_json(indent=1) == text
    data = copied.to_dict()
    assert {"alc", "alc_interval", "verdict", "scoring", "scenario", "model"} <= set(data)
    wanted = {
        "precision", "measured_interval", "measured_precision", "recall", "prc", "predictions",
        "attempts",
    }  # fmt: skip
    assert wanted <= set(data["attack"])
    assert wanted <= set(data["baseline"])


def test_result_holds_no_value_of_a_person(copied):
    text = copied.to_json()
    for value in ("Köln", "Jena", "nurse", "teacher"):
        assert value not in text


def test_other_json_is_refused():
    with pytest.raises(InputError, match="not JSON"):
        alc.Assessment.from_json("{")
    with pytest.raises(InputError, match="is not an assessment"):
        alc.Assessment.from_json("[]")
    with pytest.raises(InputError, match="not an assessment of format"):
        alc.Assessment.from_json("{}")


def test_rescoring_follows_every_parameter_and_needs_no_prediction(copied):
    strict = copied.rescore(alpha=1.0, r_min=0.01)
    assert strict.attack.prc == pytest.approx(
        alc.prc(strict.attack.precision, strict.attack.recall, alpha=1.0, r_min=0.01)
    )
    assert strict.to_dict()["run_scoring"]["alpha"] == 3.0
    assert copied.to_dict()["run_scoring"] is None
    assert strict.rescore(alpha=3.0, r_min=1e-4).to_json() == copied.to_json()
    assert alc.Assessment.from_json(strict.to_json()) == strict
    assert copied.rescore(at_risk=0.98, serious=0.995).verdict is not copied.verdict
    absolute = copied.rescore(loss="absolute")
    assert absolute.alc == pytest.approx(absolute.attack.prc - absolute.baseline.prc)
    wide = np.diff(copied.rescore(confidence=0.99).alc_interval)
    assert wide[0] > np.diff(copied.rescore(confidence=0.8).alc_interval)[0]
    with pytest.raises(ParameterError, match="Unknown parameter 'beta'"):
        copied.rescore(beta=1)
    uncapped = copied.rescore(max_interval_width=0.001)
    assert uncapped.attack.precision > copied.attack.precision == 0.95
    assert uncapped.alc > copied.alc


def test_both_readings_are_in_the_json_and_come_back(copied):
    data = json.loads(copied.to_json())
    assert data["alc"] == copied.alc
    assert data["alc_rest"] == copied.alc_rest
    assert data["alc_interval"] == list(copied.alc_interval)
    assert data["alc_rest_interval"] == list(copied.alc_rest_interval)
    assert data["decisive"] == copied.decisive
    assert data["verdict"] == copied.verdict
    assert data["rest_share"] == copied.rest_share
    sides = data["attack_rest"], data["baseline_rest"]
    assert sides[0]["predictions"] == sides[1]["predictions"]
    attack, baseline = (side["prc"] for side in sides)
    assert data["alc_rest"] == pytest.approx((attack - baseline) / (1 - baseline))
    assert data["exposed"] == copied.exposed
    assert data["exposed_interval"] == list(copied.exposed_interval)
    back = alc.Assessment.from_json(copied.to_json())
    assert back.exposed_interval == copied.exposed_interval
    assert back.alc_rest_interval == copied.alc_rest_interval
    assert back.to_json() == copied.to_json()
    assert copied.loss_of(copied.decisive) == copied.decisive_alc
    assert copied.interval_of(copied.decisive) == copied.decisive_interval
    assert copied.decisive_alc == max(copied.alc, copied.alc_rest)


def test_release_in_several_tables(people):
    frame = people()
    parts = [
        frame[["age", "hours", "job"]],
        frame[["city", "hours", "job"]],
        frame[["age", "city"]],
    ]
    result = assess(people(), parts, SCENARIO)
    assert result.alc > 0.5
    assert any("without the unknown column, was not used" in note.text for note in result.notes)
    fewer = "lacks city: the attack uses only age and hours (it counts as a mismatch)."
    assert any(note.text.endswith(fewer) for note in result.notes)
    assert len(result.release) == 3


def test_missing_values_take_part(people):
    frame = people()
    frame.loc[::3, "hours"] = np.nan
    frame.loc[::4, "job"] = None
    result = assess(frame, frame, SCENARIO)
    assert result.attempts >= 600
    assert result.alc > 0.5


def test_number_of_targets(people):
    for count, reason in ((700, "requested"), ("all", "exhausted"), (9999, "exhausted")):
        scenario = alc.Scenario(SCENARIO.known, "job", targets=count)
        result = assess(people(), people(), scenario)
        assert result.attempts == (700 if count == 700 else 1500)
        assert result.halting == reason


def test_default_attacks_at_least_2000_where_there_are(people):
    result = assess(people(), people(), SCENARIO, loop=None)
    assert result.attempts == 1500
    assert result.halting is HaltingReason.EXHAUSTED
    result = assess(people(5000), people(5000), SCENARIO, loop=None)
    assert result.attempts >= 2000


def test_pretargeted_recall_relative_to_the_population_and_to_the_group(people):
    base = {"where": {"city": ("Ulm", "Jena")}}
    population, group = (
        assess(
            people(),
            people(),
            alc.Scenario(["age", "hours"], "job", targets=alc.Targets(**base, recall=recall)),
        )
        for recall in ("population", "group")
    )
    share = people()["city"].isin(["Ulm", "Jena"]).mean()
    assert population.outcomes.attack.recall[-1] == pytest.approx(share)
    assert group.outcomes.attack.recall[-1] == 1
    assert population.attack.prc < group.attack.prc


def test_dominating_value_is_down_sampled_and_told(people):
    frame = people()
    frame.loc[np.random.default_rng(0).random(1500) < 0.7, "job"] = "clerk"
    result = assess(frame, frame, SCENARIO)
    assert result.down_sampled_share > 0.7
    whole = alc.Scenario(SCENARIO.known, "job", down_sample=False)
    assert assess(frame, frame, whole).down_sampled_share is None


class Oracle:
    """Knows the truth by age and hours, and abstains on the young."""

    name = "oracle"
    accepts = (alc.Release,)

    def __init__(self, frame, score=1.0):
        self.score = score
        self.truth = dict(
            zip(zip(frame["age"], frame["hours"], strict=True), frame["job"], strict=True)
        )

    def prepare(self, view, rng):
        codes = {label: code for code, label in enumerate(view.unknown.labels)}

        def predict(targets):
            ages = targets.columns["age"]
            hours = targets.columns["hours"]
            values = [codes[self.truth[pair]] for pair in zip(ages, hours, strict=True)]
            return alc.Predictions.of(values, np.full(len(targets), self.score), ages < 40)

        return predict


def test_abstentions_are_the_least_sure_also_beside_scores_below_0(people):
    frame = people().drop_duplicates(["age", "hours"], ignore_index=True)
    scenario = alc.Scenario(["age", "hours"], "job", targets="all", down_sample=False)
    usual, logarithms = (
        assess(frame, people(), scenario, attack=Oracle(frame, score)) for score in (1.0, -3.0)
    )
    assert logarithms.outcomes.attack.thresholds.tolist() == [-3.0, -4.0]
    assert (logarithms.alc, logarithms.exposed) == (usual.alc, usual.exposed)


def test_abstentions_are_filled_with_the_baseline_at_score_0(people):
    frame = people().drop_duplicates(["age", "hours"], ignore_index=True)
    scenario = alc.Scenario(["age", "hours"], "job", targets="all", down_sample=False)
    result = assess(frame, people(), scenario, attack=Oracle(frame))
    curve = result.outcomes.attack
    assert result.abstentions == (frame["age"] < 40).sum()
    assert curve.thresholds.tolist() == [1.0, 0.0]
    assert curve.predictions.tolist() == [(frame["age"] >= 40).sum(), len(frame)]
    assert curve.true_predictions[0] == curve.predictions[0]
    joint = result.outcomes.joint
    filled = joint[:, 0] == 1
    assert np.array_equal(joint[filled, 1], joint[filled, 3])


def test_renamed_labels_stop_with_a_question_that_cannot_make_them_safe(people):
    release = people().assign(job=people()["job"].map(lambda job: f"X{job[:2]}"))
    with pytest.raises(PreflightError, match="accept unknown-labels:job") as caught:
        assess(people(), release, SCENARIO)
    assert caught.value.findings[0].code == "unknown-labels"
    codes = {finding.code for finding in caught.value.findings}
    with pytest.raises(InputError, match="No released value of 'job' is in the original"):
        assess(people(), release, SCENARIO, accept=codes)
    cities = people().assign(city=people()["city"].map(lambda city: f"X{city}"))
    result = assess(people(), cities, SCENARIO, accept=["unknown-labels"])
    (note,) = [note for note in result.notes if note.code == "unknown-labels"]
    assert (str(note).split(":")[0], note.table, note.column) == ("Accepted", "release 1", "city")


def test_errors_cannot_be_accepted(people):
    with pytest.raises(PreflightError, match="'salary'"):
        assess(people(), people(), alc.Scenario(["age"], "salary"), accept=["missing-column"])


def test_too_few_rows(people):
    with pytest.raises(InputError, match="rows"):
        assess(people(20), people(20), SCENARIO)


def test_few_people_have_a_result_with_a_wide_interval(people):
    swapped = alc.swap_columns(people(60), 0.3, seed=2)
    few = assess(people(60), swapped, SCENARIO, attack="best row match")
    assert few.attempts == 60
    low, high = few.decisive_interval
    assert high - low > 0.3
    assert few.verdict is alc.Verdict.INCONCLUSIVE
    assert few.inconclusive_between is not None


def test_progress_and_cancel(people):
    seen = []
    assess(people(), people(), SCENARIO, progress=seen.append)
    assert [p.stage for p in seen][:2] == ["Checking the tables", "Encoding the tables"]
    assert seen[-1].stage == "Computing the interval"
    assert all(0 <= p.fraction <= 1 for p in seen)
    with pytest.raises(CancelledError):
        assess(people(), people(), SCENARIO, cancel=lambda: True)


def test_an_attack_that_cannot_read_the_release_says_so(people):
    class Counts(alc.Microdata):
        title = "published counts"

    class Strange(alc.BestRowMatch):
        accepts = (Counts,)

    with pytest.raises(
        InputError,
        match="'best row match' needs published counts; this release is rows of people",
    ):
        assess(people(), people(), SCENARIO, attack=Strange())


def test_the_secret_cannot_select_the_targets():
    with pytest.raises(InputError, match="cannot be selected by the unknown column 'job'"):
        alc.Scenario(["age"], "job", targets=alc.Targets(where={"job": ("clerk",)}))


def test_an_inconclusive_verdict_asks_for_more_targets(people):
    release = alc.swap_columns(people(4000), 0.1, seed=1)
    bounded = alc.LoopParameters(**{**LOOP.to_dict(), "decide_within": LOOP.min_targets})
    settled = assess(people(4000), release, SCENARIO, loop=bounded)
    limits = alc.ScoringParameters(at_risk=settled.decisive_alc, serious=0.999)
    more = assess(people(4000), release, SCENARIO, scoring=limits)
    assert more.attempts > settled.attempts
    same = assess(people(4000), release, SCENARIO, loop=bounded, scoring=limits)
    assert same.attempts == settled.attempts


def test_nobody_is_attacked_for_a_decision_that_is_unlikely_if_many_are_exposed(people):
    release = alc.swap_columns(people(4000), 0.1, seed=1)
    nearly_all = alc.LoopParameters(**{**LOOP.to_dict(), "decide_within": 1600})

    def run(**limits):
        scoring = alc.ScoringParameters(max_interval_width=0.3, **limits)
        given = {"loop": nearly_all, "scoring": scoring, "attack": "best row match"}
        return assess(people(4000), release, SCENARIO, **given)

    settled = run()
    limits = {"at_risk": settled.decisive_alc, "serious": 0.999}
    assert settled.exposes_many
    hopeless = run(**limits)
    assert hopeless.attempts == settled.attempts < 1600
    assert hopeless.halting == "many people"
    assert run(**limits, material=0.99).attempts == 1600


def test_what_a_first_look_takes_for_decided_must_be_so_in_the_result(people, monkeypatch):
    release = alc.swap_columns(people(4000), 0.1, seed=1)
    two_folds = alc.LoopParameters(**{**LOOP.to_dict(), "decide_within": 2667})
    settled = assess(people(4000), release, SCENARIO, loop=two_folds, attack="best row match")
    _, high = settled.decisive_interval
    # As if a look with few resamples saw an interval that ends below the limit.
    looks = []

    def straddled_by_many(interval, scoring):
        looks.append(interval)
        return None if len(looks) % 2 else straddled(interval, scoring)

    monkeypatch.setattr(assessment_loop, "straddled", straddled_by_many)
    limits = alc.ScoringParameters(at_risk=high - 1e-6, serious=0.999)
    more = assess(people(4000), release, SCENARIO, scoring=limits, attack="best row match")
    assert looks[1] == settled.rescore(at_risk=high - 1e-6, serious=0.999).decisive_interval
    assert more.attempts > settled.attempts


def test_draws_of_the_last_look_are_those_of_the_result(people):
    release = alc.swap_columns(people(4000), 0.1, seed=1)
    result = assess(people(4000), release, SCENARIO, attack="best row match")
    assert result.resamples is not None
    drawn = pickle.loads(pickle.dumps(result))  # their intervals only
    anew = replace(drawn, kept_intervals=None)
    assert drawn.resamples is None
    for reading in ("alc", "alc_rest"):
        assert anew.interval_of(reading) == result.interval_of(reading)


def test_baseline_is_shown_where_it_predicts_for_as_many_of_the_rest(copied):
    attack, alike = copied.attack_rest, copied.baseline_rest
    assert alike.recall == attack.recall
    assert alike.predictions == attack.predictions
    assert copied.to_dict()["baseline_rest"]["predictions"] == alike.predictions


def test_more_people_than_the_most_are_attacked_only_where_asked_for(people):
    unsettled = {"decide_within": 700, "safe_below": -9.0, "lost_above": 2.0}
    loop = alc.LoopParameters(**{**LOOP.to_dict(), **unsettled})
    scoring = alc.ScoringParameters(max_interval_width=0.01)
    release = alc.swap_columns(people(), 0.3, seed=1)
    for count, attempts, reason in (
        (None, 700, "many people"), (900, 900, "requested"), ("all", 1500, "exhausted")
    ):  # fmt: skip
        scenario = alc.Scenario(SCENARIO.known, "job", targets=count)
        result = assess(people(), release, scenario, loop=loop, scoring=scoring)
        assert (result.attempts, result.halting) == (attempts, reason)
