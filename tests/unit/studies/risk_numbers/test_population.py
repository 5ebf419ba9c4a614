"""Uniqueness in a population, estimated from samples of known ones."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.studies.risk_numbers.classes import ClassedRows, ClassSizes
from alc_core.studies.risk_numbers.population import people_who_fit, population_estimate
from alc_core.tables.codes.encode import encode
from alc_core.tables.value_sets import ANY


def estimated(sizes, population):
    return population_estimate(ClassSizes.of(np.asarray(sizes)), population)


def test_right_matches_are_those_of_skinner_and_elliot():
    # 3 unique rows, 2 pairs, 10 rows of 100 people: 0.1 * 3 / (0.1 * 3 + 0.9 * 2 * 2).
    found = estimated([1, 1, 1, 2, 2, 3], 100)
    assert found.right_match == pytest.approx(0.3 / 3.9)


def test_a_whole_population_is_as_unique_as_it_is():
    found = estimated([1, 1, 2, 3, 3], 10)
    assert found.unique == pytest.approx(0.2)
    assert found.right_match == 1.0


def test_what_cannot_be_estimated_is_not():
    assert estimated([1] * 10, 1_000).unique is None
    assert estimated([1] * 10, 1_000).right_match is None
    assert estimated([5, 5], 1_000).unique == 0.0
    assert estimated([5, 5], 1_000).right_match is None
    empty = population_estimate(ClassSizes(sizes=(), rows=()), 10)
    assert (empty.unique, empty.right_match) == (None, None)


def test_more_people_make_fewer_unique():
    sizes = [1] * 50 + [2] * 20 + [7] * 30
    found = [estimated(sizes, n).unique for n in (300, 3_000, 10**6, 10**9)]
    assert found == sorted(found, reverse=True)
    assert 0 <= found[-1] < found[0] <= 50 / 300


@pytest.mark.parametrize("fraction", [0.05, 0.1, 0.3])
def test_samples_of_a_known_population_come_near_it(fraction):
    rng = np.random.default_rng(0)
    n = 40_000
    # Columns of different skew that depend on each other, as those of a census do.
    age = (rng.beta(2, 3, n) * 80).astype(int)
    place = np.minimum(rng.zipf(1.6, n), 300)
    job = np.where(rng.random(n) < 0.6, age // 8, np.minimum(rng.zipf(1.9, n), 60))
    _, classes = np.unique(np.column_stack([age, place, job]), axis=0, return_inverse=True)
    people = np.bincount(classes)
    found = []
    for _ in range(5):
        rows = np.bincount(
            classes[rng.choice(n, int(fraction * n), replace=False)], minlength=len(people)
        )
        estimate = estimated(rows[rows > 0], n)
        alone = rows == 1
        truth = (alone & (people == 1)).sum() / rows.sum(), alone.sum() / people[alone].sum()
        found.append([estimate.unique / truth[0], estimate.right_match / truth[1]])
    unique, right = np.mean(found, axis=0)
    assert 0.75 < unique < 1.33
    assert 0.9 < right < 1.1


RANGES = {"10-29": (10, 29), "20-39": (20, 39), "30-49": (30, 49), "*": (-np.inf, np.inf)}
SETS = {"north": {"a", "b"}, "coast": {"b", "c"}, "?": None}


@pytest.mark.parametrize("seed", range(8))
def test_overlapping_labels_fit_as_a_plain_search_says(seed):
    rng = np.random.default_rng(seed)
    original = pd.DataFrame({"age": rng.integers(10, 50, 80), "town": rng.choice(list("abcd"), 80)})
    release = original.astype(object).sample(60, random_state=seed).reset_index(drop=True)
    for row in range(60):
        if rng.random() < 0.7:
            release.loc[row, "age"] = rng.choice(list(RANGES))
        if rng.random() < 0.6:
            release.loc[row, "town"] = rng.choice(["north", "coast", "any"])
    table = alc.table_from_frame(original, name="o").with_kinds({"age": "continuous"})
    ages = {label: alc.Interval(*ends) for label, ends in RANGES.items() if label != "*"}
    released = (
        alc.table_from_frame(release, name="r")
        .with_value_sets("age", {**ages, "*": ANY})
        .with_value_sets("town", {"north": SETS["north"], "coast": SETS["coast"], "any": ANY})
    )
    data = encode(table, [released], columns=["age", "town"])
    classes = ClassedRows.of(released, ["age", "town"])
    found = people_who_fit(data.original, data.released[0], ["age", "town"], classes)

    def fits(row):
        age, town = release.loc[row, "age"], release.loc[row, "town"]
        low, high = RANGES.get(age, (age, age))
        towns = {"any": set("abcd")}.get(town) or SETS.get(town) or {town}
        return (original["age"].between(low, high) & original["town"].isin(towns)).sum()

    assert found.tolist() == [fits(row) for row in classes.first]


def test_codes_among_numbers_are_values_of_their_own():
    pay = ["N"] * 60 + ["X"] * 5 + [None] * 3 + [str(1000 + n % 50) for n in range(200)]
    table = alc.table_from_frame(pd.DataFrame({"pay": pay}), name="o")
    table = table.with_kinds({"pay": "continuous"})
    released = alc.table_from_frame(pd.DataFrame({"pay": pay[::2]}), name="r")
    data = encode(table, [released], columns=["pay"])
    classes = ClassedRows.of(released, ["pay"])
    found = people_who_fit(data.original, data.released[0], ["pay"], classes)
    expected = {"N": 60, "X": 5, None: 3}
    assert found.tolist() == [expected.get(pay[::2][row], 4) for row in classes.first]
