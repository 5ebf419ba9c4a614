"""Classes, unique people and the majority guess, counted by hand and by pandas."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData, prepare_scenario
from alc_core.campaign.plan.uniqueness import HashedRows
from alc_core.explain.familiar import FamiliarNumbers, class_sizes, familiar_numbers
from alc_core.plain_values import from_plain, to_plain
from alc_core.releases.registry import as_release
from alc_core.tables.codes.encode import encode


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
