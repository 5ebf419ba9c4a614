from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from alc_core.errors import ColumnError, InputError
from alc_core.releases.answers import at_release_level, cut_within
from alc_core.tables.codes.encode import encode
from alc_core.tables.read import table_from_frame
from alc_core.tables.value_sets import ANY, Interval


def encoded(original, *releases, sets=None, kind="continuous"):
    table = table_from_frame(pd.DataFrame({"x": original}), name="original")
    released = [table_from_frame(pd.DataFrame({"x": each}), name="release") for each in releases]
    if sets:
        released = [each.with_value_sets("x", sets) for each in released]
    return encode(table.with_kinds({"x": kind}), released, columns=["x"])


def codes(data, table):
    return data.as_unknown(table, "x", 20).tolist()


def within(data, distance, *, relative=False, markers=()):
    return cut_within(data, "x", distance, relative=relative, markers=markers)


@pytest.mark.parametrize(("distance", "relative"), [(7.0, False), (0.1, True)])
def test_a_range_and_those_beside_it_are_near_one_number(distance, relative):
    numbers = np.concatenate([np.random.default_rng(1).lognormal(6, 0.7, 500), [0.0, -3.0, -250.0]])
    data = within(encoded(numbers, numbers), distance, relative=relative)
    found = np.array(codes(data, data.original))
    assert codes(data, data.released[0]) == found.tolist()
    allowed = distance * np.abs(numbers) if relative else np.full_like(numbers, distance)
    for code in range(data.unknown_codes("x", 20).size):
        right = np.abs(found - code) <= 1
        if right.any():
            assert (numbers - allowed)[right].max() <= (numbers + allowed)[right].min() + 1e-9
    # What is within two thirds of the tolerance is always right.
    moved = encoded(numbers, numbers + 0.66 * allowed)
    there = np.array(
        codes(*(lambda d: (d, d.released[0]))(within(moved, distance, relative=relative)))
    )
    assert (np.abs(there - found) <= 1).all()


def test_zero_and_each_sign_are_apart_under_a_relative_tolerance():
    data = within(encoded([-100.0, -10, 0, 10, 100, None], [1.0]), 0.5, relative=True)
    found = np.array(codes(data, data.original))
    assert np.diff(np.sort(found)).min() > 2, "no answer is right for two of them"
    for numbers in ([0.0, 5, 50], [0.0, -5, -50], [0.0, 0, None]):
        data = within(encoded(numbers, [1.0]), 0.5, relative=True)
        found = np.unique(codes(data, data.original))
        assert len(found) == len(set(numbers))
        assert np.diff(found).min() > 2


def test_markers_and_missing_values_stretch_no_range():
    data = within(encoded([1, 2, 4, 99999, None] * 10, [1, 8]), 1.5, markers=["99999"])
    assert data.unknown_codes("x", 20, ["99999"]).size == 3 + 2 + 1
    assert data.as_unknown(data.original, "x", 20, ["99999"])[:5].tolist() == [0, 1, 2, 5, 5]
    assert data.as_unknown(data.released[0], "x", 20, ["99999"]).tolist() == [0, 2]


def test_what_has_no_distance_or_too_many_ranges_is_refused():
    with pytest.raises(ColumnError, match="Column 'x' holds categories, which have no such"):
        within(encoded(["a", "b"], ["a"], kind="categorical"), 1)
    with pytest.raises(ColumnError, match=r"holds dates, .* Give a number of days\."):
        within(
            encoded(["2020-01-01", "2021-01-01"], ["2020-01-01"], kind="datetime"),
            0.1,
            relative=True,
        )
    with pytest.raises(InputError, match="of 1: it cuts 'x' into 15.000 ranges, more than 1.000"):
        within(encoded([0.0, 10_000.0], [1.0]), 1)


def test_numbers_have_the_ranges_of_the_release_whatever_their_ends():
    sets = {"young": Interval(0, 39), "mid": Interval(40, 59), "*": ANY}
    released = ["young"] * 5 + ["mid"] * 3 + ["*"]
    data = at_release_level(
        encoded([17, 39, 40, 59, 60, 90, None], released, sets=sets), "x", bins=20, markers=()
    )
    assert codes(data, data.original) == [0, 0, 1, 1, 2, 2, 3]
    assert codes(data, data.released[0])[:8] == [0] * 5 + [1] * 3
    assert data.spread(data.released[0], "x", 20).weights.round(2).tolist()[:2] == [
        [1, 0, 0, 0], [0, 1, 0, 0],
    ]  # fmt: skip


def test_a_range_that_begins_at_the_greatest_number_keeps_its_rows():
    labels = ["10-19", "20-29", "90-99"]
    data = encoded([12, 15, 23, 27, 90], labels, sets={
        label: Interval(*map(float, label.split("-"))) for label in labels
    })  # fmt: skip
    changed = at_release_level(data, "x", bins=20, markers=())
    found = changed.spread(changed.released[0], "x", 20)
    assert found.weights.sum(axis=1) == pytest.approx(1)
    assert found.weights.argmax(axis=1).tolist() == [0, 1, 2]


def test_single_numbers_of_the_release_keep_their_bins():
    sets = {"under 40": Interval(0, 39.5)}
    released = ["under 40"] * 9 + [45, 99]
    data = at_release_level(
        encoded([0, 39, 40, 49, 60, 95, 100], released, sets=sets), "x", bins=20, markers=()
    )
    assert codes(data, data.original) == [0, 0, 1, 2, 2, 3, 3]
    assert codes(data, data.released[0])[-2:] == [2, 3]


def test_of_overlapping_labels_those_with_most_rows_are_the_classes():
    sets = {"low": Interval(0, 10), "high": Interval(11, 20), "between": Interval(5, 15)}
    released = ["low"] * 5 + ["high"] * 4 + ["between"] * 3
    data = at_release_level(encoded([*range(21)], released, sets=sets), "x", bins=20, markers=())
    assert codes(data, data.original) == [0] * 11 + [1] * 10
    between = data.spread(data.released[0], "x", 20).weights[-1]
    assert between[:2].min() > 0.3


def test_labels_are_the_classes_of_categories_and_the_rest_stays():
    original = ["private", "self", "federal", "state", "none", "?"] * 5
    sets = {"free": {"private", "self"}, "public": {"federal", "state"}, "wide": {"self", "state"}}
    released = ["free"] * 6 + ["public"] * 5 + ["wide"] * 2 + ["none", "?"]
    data = encoded(original, released, sets=sets, kind="categorical")
    found = at_release_level(data, "x", bins=20, markers=["?"])
    assert found.specs["x"].labels == ("public", "none", "free")
    assert codes(found, found.original)[:6] == [2, 2, 0, 0, 1, 3]
    assert found.lacks_value("x", ["?"]).sum() == 5
    assert codes(found, found.released[0])[:11] == [2] * 6 + [0] * 5
    assert codes(found, found.released[0])[-2:] == [1, 3]
    spread = found.spread(found.released[0], "x", 20)
    assert (spread.labels >= 0).sum() == 2
    assert spread.weights.tolist() == [pytest.approx([5 / 11, 0, 6 / 11, 0])]


def test_labels_of_another_release_are_no_classes_of_this_one():
    original = ["private", "self", "federal", "state"] * 5
    sets = {"free": {"private", "self"}, "public": {"federal", "state"}}
    coarse = table_from_frame(pd.DataFrame({"x": ["free", "public"] * 6}), name="release")
    coarse = coarse.with_value_sets("x", sets)
    strange = table_from_frame(pd.DataFrame({"x": ["elsewhere", "unheard of"] * 3}), name="other")
    table = table_from_frame(pd.DataFrame({"x": original}), name="original")
    data = encode(table.with_kinds({"x": "categorical"}), [coarse, strange], columns=["x"])
    alone = replace(data, released=data.released[:1])
    assert at_release_level(alone, "x", bins=20, markers=()).specs["x"].labels == ("public", "free")


@pytest.mark.parametrize(
    ("released", "sets"),
    [
        (["a", "b", "c"] * 4, {}),
        (["ab"] * 2 + ["a", "b", "c"], {"ab": {"a", "b"}}),
        (["any"] * 9 + ["c"], {"any": {"a", "b", "c"}}),
        (["A", "B", "C"] * 4, {"A": {"a"}, "B": {"b"}, "C": {"c"}}),
    ],
    ids=["plain", "mostly plain", "one class", "renamed"],
)
def test_a_column_that_is_not_coarsened_has_no_level_of_its_own(released, sets):
    data = encoded(["a", "b", "c"] * 4, released, sets=sets, kind="categorical")
    assert at_release_level(data, "x", bins=20, markers=()) is None
