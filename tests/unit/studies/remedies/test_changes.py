"""Changes of a column: what is written, what it covers, what stays as it was."""

import numpy as np
import pandas as pd
import pytest

from alc_core.errors import InputError
from alc_core.releases.microdata import Microdata
from alc_core.studies.remedies.changes import DropColumn, SwapColumn, changed_release, in_words
from alc_core.studies.remedies.proposing import candidate_columns, coarsenings, coarser
from alc_core.studies.remedies.trying import UtilityScale
from alc_core.tables.codes.encode import encode
from alc_core.tables.labels.find import recognised_sets
from alc_core.tables.read import table_from_frame
from alc_core.tables.value_sets import Interval
from alc_core.tables.values.generalized import tags

N = 600


@pytest.fixture
def original():
    rng = np.random.default_rng(3)
    jobs = ["clerk"] * 300 + ["cook"] * 280 + ["judge"] * 8 + ["diver"] * 7 + ["pilot"] * 5
    frame = pd.DataFrame(
        {
            "age": rng.integers(17, 90, size=N),
            "height": rng.normal(170, 9, size=N).round(1),
            "job": rng.permutation(jobs),
            "since": pd.Timestamp("2001-01-01") + pd.to_timedelta(rng.integers(0, 6000, N), "D"),
        }
    )
    return table_from_frame(frame, name="people")


@pytest.fixture
def release(original):
    return Microdata(tables=(table_from_frame(original.frame, name="out"),), name="out")


def released(original, release, *changes, seed=0):
    (table,) = changed_release(original, release, changes, seed=seed).tables
    return table


def test_codes_among_numbers_stay():
    ages = pd.Series([*range(20, 80)] * 10, dtype=object).mask(np.arange(600) % 6 == 0, "N")
    people = table_from_frame(pd.DataFrame({"age": ages}), name="people")
    own = Microdata(tables=(people,), name="out")
    table = released(people, own, coarser(people, own, "age")[0])
    assert (table.frame["age"] == "N").equals(ages == "N")
    encoded = encode(people, [table])
    assert np.count_nonzero(tags(encoded.released[0].set_columns["age"].single)) == 100


def test_round_intervals_are_written_as_people_write_them(original, release):
    mild, *_, strong = coarser(original, release, "age")
    assert mild.labels == tuple(f"{low}-{low + 9}" for low in range(10, 90, 10))
    assert in_words(mild).words == "Coarsen age into 8 intervals of 10"
    assert "10-19; 20-29" in in_words(mild).instruction
    assert strong.labels == ("0-49", "50-99")


def test_what_is_written_is_read_as_it_is_meant_without_being_told(original, release):
    for column in ("age", "height", "since"):
        for change in coarser(original, release, column):
            table = released(original, release, change)
            bare = table_from_frame(table.frame, name="again")
            found = recognised_sets(original, bare, column)
            assert {label.label: label.covers for label in found.labels} == dict(
                table.value_sets[column]
            ), in_words(change).words


def test_moments_are_cut_into_whole_days():
    seen = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(5000), "h")
    people = table_from_frame(pd.DataFrame({"seen": seen}), name="people")
    own = Microdata(tables=(table_from_frame(people.frame, name="out"),), name="out")
    changes = coarser(people, own, "seen")
    assert changes
    for change in changes:
        table = released(people, own, change)
        assert set(table.frame["seen"]) == set(change.labels), "midnights, too"
        bounds = [label.strip("[])").split(", ") for label in change.labels]
        assert [end for _, end in bounds[:-1]] == [start for start, _ in bounds[1:]]
        bare = table_from_frame(table.frame, name="again")
        found = recognised_sets(people, bare, "seen")
        assert {label.label: label.covers for label in found.labels} == dict(
            table.value_sets["seen"]
        )


def test_every_number_lies_in_its_interval(original, release):
    for change in coarser(original, release, "height"):
        table = released(original, release, change)
        labels = table.frame["height"].astype(str)
        for label, number in zip(labels, original.frame["height"], strict=True):
            assert number in table.value_sets["height"][label]


def test_bounds_of_fractions_are_the_numbers_that_people_write():
    values = np.tile(np.arange(100) / 100, 5)
    widest = coarsenings("share", values, of_dates=False)[0]
    assert widest.labels[2:4] == ("[0.2, 0.3)", "[0.3, 0.4)")
    assert 0.3 in widest.covers[3]


def test_skewed_numbers_are_cut_by_how_many_have_them():
    values = np.concatenate([np.zeros(500), np.arange(1, 101) ** 2.0])
    for change in coarsenings("gain", values, of_dates=False):
        assert change.width is None
        assert change.labels[0] == "0"
        assert change.covers[-1].high == 10_000


def test_rare_values_become_one_that_stands_for_them(original, release):
    (change,) = coarser(original, release, "job")
    assert in_words(change).words == "Merge the 3 values of job rarer than 2% into 'other'"
    table = released(original, release, change)
    assert table.frame["job"].value_counts().to_dict() == {"clerk": 300, "cook": 280, "other": 20}
    encoded = encode(original, [table], columns=["job"]).released[0].set_columns["job"]
    assert encoded.labels == ("other",)
    assert encoded.sets.covered.sum() == 3


def test_merged_values_get_a_name_that_neither_table_has(original):
    frame = original.frame.assign(job=original.frame["job"].astype(object))
    people = frame.assign(job=frame["job"].where(frame["job"] != "judge", "other"))
    hidden = frame.assign(job=frame["job"].where(frame["job"] != "judge", "*"))
    tables = [table_from_frame(each, name="t") for each in (people, hidden)]
    change, *_ = coarser(tables[0], Microdata(tables=(tables[1],), name="out"), "job")
    assert (change.rare, change.label) == (("diver", "pilot"), "other (merged)")


def test_a_given_hierarchy_is_climbed_level_by_level(original, release):
    levels = {
        "office": frozenset(["clerk", "judge"]),
        "outside": frozenset(["diver", "pilot", "cook"]),
        "air": frozenset(["pilot"]),
    }
    (table,) = release.tables
    given = Microdata(tables=(table.with_value_sets("job", levels),), name="out")
    first, second = coarser(original, given, "job")
    assert dict(first.labels)["air"] == ("pilot",)
    assert dict(second.labels) == {"office": ("clerk", "judge"), "outside": tuple(
        sorted(["cook", "diver", "pilot"]))}  # fmt: skip
    coarse = released(original, given, second)
    assert set(coarse.frame["job"]) == {"office", "outside"}
    assert set(coarse.value_sets["job"]) == {"office", "outside"}


def test_intervals_that_are_released_already_join_wider_ones(original):
    frame = original.frame.assign(age=[f"{a // 5 * 5}-{a // 5 * 5 + 4}" for a in
                                       original.frame["age"]])  # fmt: skip
    frame.loc[0, "age"] = None
    release = Microdata(tables=(table_from_frame(frame, name="out"),), name="out")
    plain = Microdata(tables=(table_from_frame(original.frame, name="out"),), name="out")
    change = coarser(original, plain, "age")[0]
    table = released(original, release, change)
    assert set(table.frame["age"].dropna()) <= set(change.labels)
    assert table.frame["age"].isna().sum() == 1


def test_a_swap_keeps_values_and_moves_about_the_share(original, release):
    swapped = released(original, release, SwapColumn(column="height", share=0.5), seed=4)
    before, after = original.frame["height"], swapped.frame["height"]
    assert sorted(before) == sorted(after)
    assert 0.4 < (before != after).mean() <= 0.5
    again = released(
        original, release, DropColumn(column="job"), SwapColumn(column="height", share=0.5), seed=4
    )
    assert again.frame["height"].equals(after)
    assert "job" not in again.columns


@pytest.mark.parametrize("column", ["age", "height", "job", "since"])
def test_coarsening_loses_more_the_stronger_it_is_and_less_than_dropping(original, release, column):
    scale = UtilityScale.of(original, release, seed=1)
    steps = coarser(original, release, column)
    losses = [
        scale.loss(changed_release(original, release, (change,)))
        for change in (*steps, DropColumn(column=column))
    ]
    assert scale.loss(release) == 0
    assert 0 < losses[0] < 0.25
    assert losses == pytest.approx(sorted(losses), abs=0.02)
    assert losses[-1] >= 0.25  # A column of four is gone


def test_codes_among_numbers_are_not_lost_with_coarser_numbers():
    ages = pd.Series([*range(20, 80)] * 10, dtype=object)
    frame = pd.DataFrame({"age": ages, "job": np.where(ages < 50, "clerk", "judge")})
    frame["age"] = ages.mask(np.arange(600) % 5 < 2, "N")
    people = table_from_frame(frame, name="people")
    own = Microdata(tables=(people,), name="out")
    mild, *_ = coarser(people, own, "age")
    scale = UtilityScale.of(people, own, seed=1)
    assert scale.loss(changed_release(people, own, (mild,))) < 0.1


def test_nothing_left_is_refused(original, release):
    drops = [DropColumn(column=column) for column in original.columns]
    with pytest.raises(InputError, match="Nothing of 'out' is left without"):
        released(original, release, *drops)


def test_a_constant_column_cannot_be_coarsened_and_is_no_candidate(original):
    frame = original.frame.assign(job="clerk", age=40)
    release = Microdata(tables=(table_from_frame(frame, name="out"),), name="out")
    assert coarser(original, release, "age") == ()
    assert coarser(original, release, "job") == ()
    columns = candidate_columns(release, [("job", ("age", "height"), 0.8)], {})
    assert columns == ("height",)


def test_what_drives_an_attack_comes_first(release):
    attacks = [("job", ("age", "height"), 0.8), ("job", ("height",), 0.6)]
    assert candidate_columns(release, attacks, {}) == ("job", "height", "age")
    assert candidate_columns(release, attacks, {"age": 0.3}) == ("age", "job", "height")


def test_intervals_of_whole_numbers_do_not_overlap(original, release):
    for change in coarser(original, release, "age"):
        assert all(isinstance(each, Interval) for each in change.covers)
        for age in original.frame["age"]:
            assert sum(age in each for each in change.covers) == 1
