"""People whom classes fit, against a search through all of them."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.studies.risk_numbers.classes import ClassedRows
from alc_core.studies.risk_numbers.population import people_who_fit
from alc_core.tables.codes.encode import encode
from alc_core.tables.value_sets import ANY

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
