"""Groups whose sensitive values are shuffled, on cases small enough to see through."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.best_row_match import BestRowMatch
from alc_core.errors import InputError
from alc_core.releases.groups import Groups
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import encode

PEOPLE = pd.DataFrame(
    {
        "town": ["Ulm", "Bonn", "Ulm", "Jena", "Jena"],
        "sex": ["f", "m", "f", "m", "m"],
        "job": ["nurse", "smith", "nurse", "clerk", "clerk"],
        "pay": [10.0, 20.0, 30.0, 40.0, 40.0],
    }
)
GROUPS = [7, 7, 3, 3, 9]
"""Of PEOPLE; 9 is one person."""


@pytest.fixture
def original():
    return alc.table_from_frame(PEOPLE, name="people.csv").with_kinds({"pay": "continuous"})


def table(name, **columns):
    return alc.table_from_frame(pd.DataFrame(columns), name=name)


def known_part(**more):
    return table("qi.csv", group_id=GROUPS, town=PEOPLE["town"], sex=PEOPLE["sex"], **more)


def values_part():
    return table(
        "sensitive.csv", group_id=[3, 3, 7, 7, 9],
        job=["nurse", "clerk", "smith", "nurse", "clerk"],
    )  # fmt: skip


def counted_part():
    return table(
        "sensitive.csv", group_id=[7, 7, 3, 3, 9],
        job=["nurse", "smith", "nurse", "clerk", "clerk"],
        count=[1, 1, 1, 1, 1],
    )  # fmt: skip


def view_of(original, tables, known, unknown):
    release = Groups.of_tables(tables, name="release", original=original)
    scenario = alc.Scenario(known, unknown)
    data = encode(original, release.coded_tables(), columns=scenario.columns)
    return release.encoded(data).view(scenario), data


def by_group(view):
    """The labels of each group's values, by the place of its rows."""
    groups, labels = view.groups, view.unknown.labels
    return {
        tuple(np.flatnonzero(groups.group == number)): [
            labels[code]
            for code in groups.values[groups.starts[number] : groups.starts[number + 1]]
        ]
        for number in range(groups.n_groups)
    }


JOBS = {(0, 1): ["nurse", "smith"], (2, 3): ["clerk", "nurse"], (4,): ["clerk"]}


@pytest.mark.parametrize("second", [values_part, counted_part])
@pytest.mark.parametrize("turned", [False, True])
def test_a_pair_gives_rows_and_values_by_group_in_either_order(original, second, turned):
    tables = [known_part(), second()]
    view, _ = view_of(original, tables[::-1] if turned else tables, ["town", "sex"], "job")
    assert by_group(view) == JOBS
    assert set(view.tables[0].known.columns) == {"town", "sex"}
    assert view.absent == view.unmatched == ()


def test_one_table_with_shuffled_values_gives_the_same(original):
    shuffled = known_part(job=["smith", "nurse", "clerk", "nurse", "clerk"])
    view, _ = view_of(original, [shuffled], ["town", "sex"], "job")
    assert by_group(view) == JOBS


def test_counts_above_one_repeat_a_value(original):
    people = table("qi.csv", group_id=[1, 1, 1], town=["Ulm", "Ulm", "Jena"])
    values = table("s.csv", group_id=[1, 1], job=["clerk", "nurse"], n=[1, 2])
    view, _ = view_of(original, [people, values], ["town"], "job")
    assert by_group(view) == {(0, 1, 2): ["clerk", "nurse", "nurse"]}


def test_a_row_stands_for_its_groups_values_as_often_as_they_are_there(original):
    view, _ = view_of(original, [known_part(), values_part()], ["town", "sex"], "job")
    (rows,) = view.tables
    shares = rows.spread.weights[rows.spread.labels]
    nurse, smith = (view.unknown.labels.index(job) for job in ("nurse", "smith"))
    assert shares[0, [nurse, smith]].tolist() == [0.5, 0.5]
    assert rows.spread.labels[0] == rows.spread.labels[1] != rows.spread.labels[2]
    assert rows.spread.labels[4] == -1
    assert view.unknown.labels[rows.unknown[4]] == "clerk"


def test_best_row_match_adds_up_the_groups_of_the_matching_rows(original):
    view, data = view_of(original, [known_part(), values_part()], ["town", "sex"], "job")
    targets = KnownValues.of(data.original, data.specs, ["town", "sex"])
    found = BestRowMatch(threads=1).prepare(view, np.random.default_rng(0))(targets)
    assert [view.unknown.labels[code] for code in found.values] == [
        # Ulm, f: rows 0 and 2, of the groups {nurse, smith} and {clerk, nurse}; Bonn, m: row 1;
        # Jena, m: rows 3 and 4, of {clerk, nurse} and of the one clerk.
        "nurse", "nurse", "nurse", "clerk", "clerk",
    ]  # fmt: skip
    assert found.scores.tolist() == [0.5, 0.5, 0.5, 0.75, 0.75]


def test_what_the_rows_tell_themselves_needs_no_group(original):
    view, _ = view_of(original, [known_part(), values_part()], ["town"], "sex")
    assert by_group(view) == {(0,): ["f"], (1,): ["m"], (2,): ["f"], (3,): ["m"], (4,): ["m"]}
    assert view.tables[0].spread is None


def test_several_sensitive_columns_are_each_of_the_group(original):
    values = table(
        "s.csv", group_id=GROUPS, job=["smith", "nurse", "clerk", "nurse", "clerk"],
        pay=[10.0, 20.0, 40.0, 30.0, 40.0],
    )  # fmt: skip
    jobs, _ = view_of(original, [known_part(), values], ["town", "pay"], "job")
    assert by_group(jobs) == JOBS
    assert jobs.absent == ("pay",)
    pay, _ = view_of(original, [known_part(), values], ["town"], "pay")
    assert [len(values) for values in by_group(pay).values()] == [2, 2, 1]


WIDE = table(
    "s.csv", group_id=GROUPS, job=["smith", "nurse", "clerk", "nurse", "clerk"],
    sex=["m", "f", "m", "f", "m"], pay=[20.0, 10.0, 40.0, 30.0, 40.0],
)  # fmt: skip


@pytest.mark.parametrize("known", [["town"], ["town", "pay"]])
def test_known_columns_in_the_narrower_table_are_attacked_by_group(original, known):
    narrow = table("qi.csv", group_id=GROUPS, town=PEOPLE["town"])
    view, _ = view_of(original, [narrow, WIDE], known, "job")
    assert view.tables[0].name == "qi.csv"
    assert by_group(view) == JOBS
    direct, _ = view_of(original, [narrow, WIDE], ["pay", "sex"], "job")
    assert direct.tables[0].name == "s.csv"
    assert set(by_group(direct)) == {(0,), (1,), (2,), (3,), (4,)}


def test_columns_beside_are_those_of_all_rows(original):
    release = Groups.of_tables([known_part(), values_part()], name="r", original=original)
    assert release.columns_beside("job") == ("town", "sex")
    assert release.columns_beside("sex") == ("town", "job")
    assert release.columns_beside("group_id") == release.columns_beside("pay") == ()
    counted = Groups.of_tables([known_part(), counted_part()], name="r", original=original)
    assert counted.columns_beside("sex") == ("town",)


def test_notes_say_how_large_the_groups_are_and_what_is_not_used(original):
    release = Groups.of_tables([known_part(), values_part()], name="r", original=original)
    scenario = alc.Scenario(["town", "pay"], "job")
    data = encode(original, release.coded_tables(), columns=scenario.columns)
    groups, missing = release.encoded(data).notes(scenario)
    assert "'job' only for 3 groups of 1 to 2 people each" in groups
    assert "'qi.csv' lacks pay" in missing


def test_a_note_says_where_a_table_has_the_unknown_column_beside_known_ones(original):
    narrow = table("qi.csv", group_id=GROUPS, town=PEOPLE["town"])
    release = Groups.of_tables([narrow, WIDE], name="r", original=original)
    scenario = alc.Scenario(["town", "pay"], "job")
    data = encode(original, release.coded_tables(), columns=scenario.columns)
    taken, _ = release.encoded(data).notes(scenario)
    assert "not of single people" not in taken
    assert "'s.csv' has it beside pay: also assess that as rows." in taken


def test_of_a_single_table_it_is_said_what_is_taken_for_granted(original):
    shuffled = known_part(job=["smith", "nurse", "clerk", "nurse", "clerk"])
    release = Groups.of_tables([shuffled], name="r", original=original)
    scenario = alc.Scenario(["town"], "job")
    data = encode(original, release.coded_tables(), columns=scenario.columns)
    _, taken = release.encoded(data).notes(scenario)
    assert taken.startswith("'job' is treated as shuffled in the groups.")


def test_shuffling_deals_the_values_out_anew(original):
    view, _ = view_of(original, [known_part(), values_part()], ["town"], "job")
    shuffled = [view.shuffled(np.random.default_rng(seed)) for seed in range(20)]
    for each in shuffled:
        assert sorted(each.groups.values) == sorted(view.groups.values)
        assert each.groups.starts is view.groups.starts
    assert len({tuple(each.groups.values) for each in shuffled}) > 5
    assert {tuple(each.tables[0].unknown) for each in shuffled} != {tuple(view.tables[0].unknown)}


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([table("a.csv", town=["Ulm"] * 4, job=["clerk"] * 4)], ("'a.csv' has no column that "
                                                                "numbers the groups")),
        (
            [table("a.csv", one=[1, 1, 2, 2], two=[1, 1, 2, 2], town=["Ulm"] * 4)],
            "may number groups by 'one' and",
        ),
        (
            [table("a.csv", count=[2, 2, 3, 3], town=["Ulm"] * 4)],
            "'a.csv' has no column that numbers the groups",
        ),
        (
            [table("a.csv", town=["Ulm"] * 4), table("b.csv", town=["Ulm"] * 4)],
            r"'a.csv' and 'b.csv' share no column .* \(they share 'town', which the original has\)",
        ),
        (
            [table("a.csv", u=[1, 1], v=[1, 1], town=["Ulm"] * 2),
             table("b.csv", u=[1, 1], v=[1, 1], job=["clerk"] * 2)],
            "may number groups by",
        ),
    ],
)  # fmt: skip
def test_tables_that_are_no_groups_are_refused(original, tables, message):
    with pytest.raises(InputError, match=message):
        Groups.of_tables(tables, name="r", original=original)


def test_a_group_column_is_known_by_its_name(original):
    more = known_part(flag=["x", "x", "y", "y", "y"])
    assert Groups.of_tables([more], name="r", original=original).layout.group == "group_id"


def test_views_refuse_what_cannot_be_attacked(original):
    tables = [known_part(), values_part()]
    with pytest.raises(InputError, match="No released table has 'pay'"):
        view_of(original, tables, ["town"], "pay")
    with pytest.raises(InputError, match="'qi.csv' has no known column"):
        view_of(original, tables, ["pay"], "job")
    short = table("sensitive.csv", group_id=[7, 7, 3, 9], job=["nurse", "smith", "nurse", "clerk"])
    with pytest.raises(InputError, match="Group '3' has 2 rows in 'qi.csv' and 1 values in 'sensi"):
        view_of(original, [known_part(), short], ["town"], "job")
    other = table("s.csv", group_id=GROUPS, job=["J1", "J2", "J3", "J4", "J5"])
    with pytest.raises(InputError, match="No released value of 'job' is in the original"):
        view_of(original, [known_part(), other], ["town"], "job")
