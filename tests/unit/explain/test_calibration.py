"""Marks at both ends of the scale, and the context that holds them."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from msgspec import structs

import alc_core as alc
from alc_core.assessment.loop import RunSettings
from alc_core.assessment.prepare import ScenarioData, prepare_scenario
from alc_core.assessment.run import Run
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.plan.known_sets import HashedRows
from alc_core.errors import CancelledError, InputError
from alc_core.explain.context import (
    AttackContext,
    CalibrationMark,
    FamiliarNumbers,
    attack_context,
    attack_contexts,
    calibrate_campaign,
    class_sizes,
    context_facts,
    familiar_numbers,
    keep_context,
    marks_seconds,
)
from alc_core.plain_values import from_plain, to_plain
from alc_core.releases.registry import as_release
from alc_core.runtime.progress import Reporter
from alc_core.scoring.curves import best_measure
from alc_core.scoring.formulas import anonymity_loss
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import ComparedPoints
from alc_core.tables.codes.encode import encode
from tests.toys.campaigns import run_quickly

SCORING = ScoringParameters()


@pytest.fixture(scope="module")
def context(attacked):
    return attack_context(attacked.original, attacked.run, families=attacked.families)


def test_the_original_is_near_one_and_the_shuffled_column_no_loss(context, attacked):
    assert context.has_marks
    top, bottom = context.original.loss(SCORING), context.shuffled.loss(SCORING)
    assert top > 0.85
    assert bottom < 0.1
    assert bottom < attacked.run.alc < top
    low, high = context.original.bounds(SCORING)
    assert low <= top <= high


def test_both_marks_stand_against_the_baseline_of_the_run(context, attacked):
    assert context.original.targets == 600
    assert context.original.baseline == attacked.run.outcomes.baseline
    assert context.shuffled.baseline == attacked.run.outcomes.baseline


def test_where_people_share_all_known_values_the_mark_is_below_one(attacked, people):
    frame = people(1000)
    original = alc.table_from_frame(frame, name="people")
    run = alc.assess(
        original, alc.swap_columns(frame, 0.2, seed=1), alc.Scenario(["city"], "job", targets=600),
        families=attacked.families, loop=attacked.loop,
    )  # fmt: skip
    found = attack_context(original, run, families=attacked.families)
    assert found.original.loss(SCORING) < 0.5
    meaning = context_facts(found, SCORING, loss=found.original.loss(SCORING) - 0.01)[3].meaning
    assert "Below 1: precision is capped at 95%, and" in meaning
    assert "100% of people share" in meaning
    assert "Compare the release's ALC." in meaning
    higher = context_facts(found, SCORING, loss=0.9)[3].meaning
    assert "Compare the" not in higher
    assert "The release's ALC is higher." in higher


def test_the_original_has_no_marks_in_the_classes_of_a_release(people):
    frame = people(600)
    low = (frame["hours"] // 20 * 20).astype(int)
    ranges = frame.assign(hours=low.astype(str) + "-" + (low + 19).astype(str))
    scenario = alc.Scenario(["age", "city"], "hours", targets=200, level="release")
    run = alc.assess(frame, ranges, scenario, loop=alc.LoopParameters(resamples=100))
    original = alc.table_from_frame(frame, name="people")
    with pytest.raises(InputError, match="lacks the release's classes of 'hours'"):
        attack_context(original, run)
    assert not attack_context(original, run, marks=False).has_marks


def test_only_the_unknown_column_is_shuffled(attacked):
    run = attacked.run
    again = Run.of(attacked.original, attacked.release, run.scenario, RunSettings(seed=3))
    mixed = again.shuffled(np.random.default_rng(1))
    (before,), (after,) = again.prepared.view.tables, mixed.prepared.view.tables
    assert sorted(before.unknown) == sorted(after.unknown)
    assert not np.array_equal(before.unknown, after.unknown)
    assert before.known is after.known
    assert mixed.prepared.targets is again.prepared.targets
    same = again.shuffled(np.random.default_rng(1))
    assert np.array_equal(after.unknown, same.prepared.view.tables[0].unknown)


def test_a_context_is_plain_numbers_and_comes_back(context):
    text = json.dumps(to_plain(context))
    for value in ("Ulm", "Bonn", "nurse", "clerk"):
        assert value not in text
    back = from_plain(json.loads(text), AttackContext)
    assert to_plain(back) == to_plain(context)
    assert back.original.loss(SCORING) == context.original.loss(SCORING)


def test_marks_follow_other_parameters_without_an_interval_that_is_not_theirs(context):
    other = ScoringParameters(alpha=1.0)
    assert context.original.bounds(other) is None
    assert context.original.bounds(ScoringParameters(at_risk=0.3)) is not None
    value = context_facts(context, other, loss=0.1)[3].value
    assert value.startswith("ALC ")
    assert "interval" not in value
    uncapped = ScoringParameters(max_interval_width=1e-4)
    assert context.original.loss(uncapped) > context.original.loss(SCORING)


def test_a_mark_of_an_earlier_version_has_no_interval_that_lies_elsewhere(context):
    moved = replace(context.original, interval=(0.1, 0.2))
    assert moved.bounds(SCORING) is None
    assert (
        "interval"
        not in context_facts(replace(context, original=moved), SCORING, loss=0.1)[3].value
    )


def test_a_mark_is_the_higher_of_both_readings(context, attacked):
    mark = context.original
    assert mark.baseline == attacked.run.outcomes.baseline
    points = ComparedPoints.of(mark.attack, mark.baseline, mark.rest, SCORING)
    assert mark.loss(SCORING) == max(points.losses("relative").values())


def test_a_mark_is_the_papers_reading_where_its_rest_is_not_known(context):
    mark = context.original
    own = {
        scoring: anonymity_loss(
            best_measure(mark.attack, scoring).prc, best_measure(mark.baseline, scoring).prc
        )
        for scoring in (SCORING, ScoringParameters(max_interval_width=0.2))
    }
    *_, other = own
    assert mark.loss(other) == own[other]
    earlier = replace(mark, rest=None)
    assert earlier.loss(SCORING) == own[SCORING]
    plain = to_plain(mark)
    del plain["rest"]
    assert from_plain(plain, CalibrationMark).rest is None


def test_every_fact_says_how_it_differs(context):
    facts = context_facts(context, SCORING, loss=0.1)
    assert [fact.term for fact in facts] == [
        "k-anonymity of the known columns", "Uniqueness", "Majority guess",
        "The original unchanged", "The unknown column shuffled",
    ]  # fmt: skip
    assert facts[0].meaning == "About the original, not the release."
    assert "Only ALC" in facts[1].meaning
    assert "ALC's baseline also uses the known columns" in facts[2].meaning
    assert facts[0].value.startswith("k = 1; ")
    assert facts[3].value.startswith(f"ALC {context.original.loss(SCORING):.2f}")
    assert "the attack works" in facts[3].meaning
    without = replace(context, original=None, shuffled=None)
    assert len(context_facts(without, SCORING, loss=0.1)) == 3


def test_an_attack_that_is_not_built_in_has_no_marks_and_says_so(attacked):
    own = structs.replace(attacked.run, attack_name="my own")
    with pytest.raises(InputError, match="'my own' is not registered"):
        attack_context(attacked.original, own)
    assert not attack_context(attacked.original, own, marks=False).has_marks


def test_marks_can_be_cancelled_and_tell_how_far_they_are(attacked):
    told = []
    with pytest.raises(CancelledError):
        attack_context(
            attacked.original, attacked.run, families=attacked.families,
            reporter=Reporter(progress=told.append, cancel=lambda: len(told) > 2),
        )  # fmt: skip
    assert any(progress.stage.startswith("The original unchanged: ") for progress in told)


@pytest.fixture
def campaign(attacked, people, tmp_path):
    frame = people(500)
    releases = {"weak": alc.swap_columns(frame, 0.1, seed=1), "strong": alc.swap_columns(frame, 1)}
    original = alc.table_from_frame(frame, name="people")
    with run_quickly(
        original,
        releases,
        tmp_path / "c.alc",
        targets=400,
        families=attacked.families,
        loop=attacked.loop,
    ) as store:
        yield original, store


def test_contexts_of_a_campaign_are_kept_in_its_file_and_computed_once_per_scenario(
    campaign, attacked, monkeypatch
):
    original, store = campaign
    calls = []
    compute = attack_context

    def counted(*given, **options):
        calls.append(given)
        return compute(*given, **options)

    monkeypatch.setattr("alc_core.explain.context.attack_context", counted)
    assert not calibrate_campaign(original, store, [0, 1], families=attacked.families)
    assert len(calls) == 1  # two releases, one scenario: the same marks
    with CampaignStore.open(store.path) as again:
        found = attack_contexts(again)
    assert sorted(found) == [0, 1]
    assert found[0].has_marks
    assert not calibrate_campaign(original, store, [0, 1], families=attacked.families)
    assert len(calls) == 1  # nothing is missing
    assert marks_seconds(store, 1) >= store.seconds()[1]


def test_attacks_without_marks_say_why_and_the_others_get_theirs(campaign, attacked):
    original, store = campaign
    keep_context(store, 0, attack_context(original, store.assessment(0), marks=False))
    assert not attack_contexts(store)[0].has_marks
    lacking = alc.table_from_frame(original.frame.drop(columns="hours"), name="people")
    failed = calibrate_campaign(lacking, store, [0], families=attacked.families)
    assert "'hours'" in failed[0]
    assert not attack_contexts(store)[0].has_marks


def numbers_of(frame, scenario, seed=0):
    table = alc.table_from_frame(frame, name="people")
    data = ScenarioData.of(table, as_release(frame), scenario)
    return familiar_numbers(data, prepare_scenario(data, scenario, seed=seed).targets)


def test_classes_are_those_of_a_group_by(people):
    frame = people(700)
    frame.loc[::50, "city"] = None
    sizes = frame.groupby(["age", "city"], dropna=False)["job"].transform("size")
    found = numbers_of(frame, alc.Scenario(["age", "city"], "job"))
    assert found.people == 700
    assert found.k == sizes.min()
    assert found.unique == pytest.approx((sizes == 1).mean())
    assert found.in_small_classes == pytest.approx((sizes < 5).mean())
    assert 0 < found.unique < found.in_small_classes < 1


def test_k_is_what_the_table_guarantees():
    frame = pd.DataFrame(
        {"sex": ["f", "m"] * 60, "town": ["a"] * 60 + ["b"] * 60, "ill": ["yes", "no", "no"] * 40}
    )
    found = numbers_of(frame, alc.Scenario(["sex", "town"], "ill", down_sample=False))
    assert (found.k, found.unique, found.in_small_classes) == (30, 0.0, 0.0)
    assert found.majority == pytest.approx(2 / 3)


def test_a_person_counts_once_in_a_class_however_many_records_there():
    rows = pd.DataFrame({"city": ["a", "a", "a", "b", "b"]})
    person = np.array([0, 0, 1, 1, 1])
    data = encode(alc.table_from_frame(rows, name="t"), [])
    hashed = HashedRows.of(data.original, ["city"], person=person)
    assert class_sizes(hashed, ["city"]).tolist() == [2, 2, 2, 1, 1]


def test_people_with_several_records_count_by_the_share_of_them(people):
    frame = people(600)
    frame["who"] = np.arange(600) // 2
    found = numbers_of(frame, alc.Scenario(["age", "city"], "job", person="who"))
    assert found.people == 300
    sizes = frame.groupby(["age", "city"])["who"].transform("nunique")
    # Everybody has two records, so that shares of people are shares of records.
    assert found.in_small_classes == pytest.approx((sizes < 5).mean())
    assert found.unique == pytest.approx((sizes == 1).mean())


def test_the_majority_is_that_of_the_people_attacked(people):
    frame = people(800)
    frame["job"] = np.where(np.arange(800) % 4 == 0, frame["job"], "clerk")
    share = (frame["job"] == "clerk").mean()
    assert share > 0.7
    sampled = numbers_of(frame, alc.Scenario(["age"], "job"))
    assert sampled.majority == pytest.approx(2 / 3, abs=0.01)
    assert sampled.majority_before == pytest.approx(share)
    plain = numbers_of(frame, alc.Scenario(["age"], "job", down_sample=False))
    assert plain.majority == plain.majority_before == pytest.approx(share)
    chosen = alc.Targets(where={"city": ("Ulm",)})
    some = numbers_of(frame, alc.Scenario(["age"], "job", targets=chosen, down_sample=False))
    assert some.majority == pytest.approx((frame[frame["city"] == "Ulm"]["job"] == "clerk").mean())


def test_numbers_are_cut_into_the_ranges_of_the_scenario(people):
    frame = people(800)
    found = numbers_of(frame, alc.Scenario(["age"], "hours", bins=2, down_sample=False))
    middle = (frame["hours"].min() + frame["hours"].max()) / 2
    low = (frame["hours"] < middle).mean()
    assert found.majority == pytest.approx(max(low, 1 - low))


def test_they_come_back_from_plain_values():
    numbers = FamiliarNumbers(
        people=9, k=2, in_small_classes=0.5, unique=0.0, majority=0.4, majority_before=0.4
    )
    assert from_plain(to_plain(numbers), FamiliarNumbers) == numbers
