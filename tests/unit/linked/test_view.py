"""What a person's rows come to."""

import numpy as np
import pandas as pd
import pytest

from alc_core.errors import ColumnError
from alc_core.linked.keys import LinkedTables
from alc_core.linked.view import entity_view
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import ColumnKind

PEOPLE = pd.DataFrame({"person": range(1, 61), "age": [20, 30, 40] * 20})
DAYS = pd.date_range("2025-01-05", periods=120, freq="3D").strftime("%Y-%m-%d")
VISITS = pd.DataFrame({
    "person": [*np.repeat(np.arange(1, 60), 2).tolist(), 1, 1],  # person 60 has none
    "date": DAYS,
    "ward": ["a", "b", "b", "c"] * 30,
    "cost": [1.0, 3.0] * 59 + [5.0, 7.0],
})  # fmt: skip


def linked(people=PEOPLE, visits=VISITS, **options):
    tables = {"people": people, "visits": visits}
    made = {name: table_from_frame(frame, name=name) for name, frame in tables.items()}
    made["visits"] = made["visits"].with_kinds({"cost": "continuous"})
    return LinkedTables.of(made, name="tables", **options)


def first(view, person=0):
    return {c.removesuffix(" of visits"): v for c, v in view.frame.iloc[person].items()}


def test_rows_come_to_one_row_a_person():
    asked = ["sum cost", "least cost", "greatest cost", "most frequent ward", "ever ward = c"]
    view = entity_view(linked(), asked=[f"{each} of visits" for each in asked])
    assert len(view) == 60
    assert view.kind("person") is ColumnKind.IDENTIFIER
    assert view.kind("last date of visits") is ColumnKind.DATETIME
    # Rows of person 1: a 2025-01-05, b 2025-01-08, b and c at the end
    assert first(view) == {
        "person": 1, "age": 20, "number": 4, "first date": DAYS[0], "last date": DAYS[-1],
        "last ward": "c", "mean cost": 4.0, "sum cost": 16.0, "least cost": 1.0,
        "greatest cost": 7.0, "most frequent ward": "b", "ever ward = c": "yes",
    }  # fmt: skip


def test_a_person_without_rows_has_no_value_and_a_count_of_0():
    told = first(entity_view(linked(), asked=["ever ward = c of visits"]), 59)
    assert told.pop("number") == 0
    assert pd.isna([told[each] for each in told if each not in ("person", "age")]).all()


def test_a_tie_is_a_set_in_a_release_and_no_value_in_the_original():
    original = linked()
    months = VISITS.assign(date=VISITS["date"].str[:7])
    view = entity_view(linked(visits=months, like=original), original=original)
    label = view.frame["last ward of visits"].iloc[1]  # two visits of January: b, c
    assert label == "{b, c}"
    assert view.value_sets["last ward of visits"][label] == {"b", "c"}
    assert first(view)["last ward"] == "{b, c}"  # The last two, not the first two
    same_day = VISITS.assign(date=np.repeat(DAYS[:60], 2))
    assert entity_view(linked(visits=same_day)).frame["last ward of visits"].isna().iloc[1]


def test_sets_of_values_are_spelled_alike_on_both_sides():
    asked = ["all ward of visits"]
    turned = linked(visits=VISITS.iloc[::-1].reset_index(drop=True))
    one, other = (entity_view(each, asked=asked) for each in (linked(), turned))
    pd.testing.assert_series_equal(one.frame[asked[0]], other.frame[asked[0]])
    assert one.frame[asked[0]].iloc[0] == "{a, b, c}"


def test_labels_are_read_like_the_originals_values():
    original = linked()
    coarse = VISITS.assign(cost=np.where(VISITS["cost"] < 4, "0-4", "4-8"))
    view = entity_view(linked(visits=coarse, like=original), original=original)
    assert view.frame["mean cost of visits"].iloc[0] == pytest.approx((2 + 2 + 6 + 6) / 4)


@pytest.mark.parametrize(
    ("asked", "match"),
    [
        ("mean ward of visits", "needs numbers"),
        ("ever ward of visits", "names no value"),
        ("middle cost of visits", "does not summarize rows"),
        ("last wards of visits", "Did you mean 'ward'"),
        ("last ward of visits", "cannot be ordered by 'ward'"),
    ],
)
def test_what_rows_cannot_come_to_is_refused(asked, match):
    with pytest.raises(ColumnError, match=match):
        entity_view(linked(), asked=[asked], orders={"visits": "ward"} if "by" in match else None)


def test_order_of_rows_does_not_matter():
    mixed = VISITS.sample(frac=1, random_state=3).reset_index(drop=True)
    one, other = entity_view(linked()), entity_view(linked(visits=mixed))
    pd.testing.assert_frame_equal(one.frame, other.frame)
