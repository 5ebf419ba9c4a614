"""Published counts, on tables small enough to count by hand."""

import itertools

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import InputError
from alc_core.releases.counts import Counts, whole_people
from alc_core.scenario.targets import KnownValues
from alc_core.scoring.verdict import FLAGGED
from alc_core.tables.codes.encode import encode
from benchmarks.people import made_up_people

PEOPLE = pd.DataFrame(
    {
        "sex": ["f", "f", "m", "m", "m", "f"],
        "hours": [10, 40, 45, 60, 26, 25],
        "town": ["Ulm", "Ulm", "Bonn", "Bonn", "Jena", "Jena"],
        "job": ["nurse", "smith", "nurse", "smith", "smith", "nurse"],
    }
)


@pytest.fixture
def original():
    return alc.table_from_frame(PEOPLE, name="people.csv").with_kinds({"hours": "continuous"})


def table(name="counts.csv", **columns):
    return alc.table_from_frame(pd.DataFrame(columns), name=name)


def view_of(original, tables, known, unknown="job"):
    release = Counts.of_tables(tables, name="release", original=original)
    scenario = alc.Scenario(known, unknown)
    data = encode(original, release.coded_tables(), columns=scenario.columns)
    view = release.encoded(data).view(scenario)
    return view, view.codes(KnownValues.of(data.original, data.specs, known))


def counts_of(view, rows, column):
    """Each person's counts of nurses and smiths in a known column."""
    place = [view.unknown.labels.index(job) for job in ("nurse", "smith")]
    return [None if row < 0 else view.counts[column][row, place].tolist() for row in rows[column]]


F, M = [2.0, 1.0], [1.5, -2.0]
BY_SEX = {"sex": ["f", "f", "m", "m"], "job": ["nurse", "smith"] * 2, "count": [2, 1, 1.5, -2]}


def test_a_long_table(original):
    view, rows = view_of(original, [table(**BY_SEX)], ["sex"])
    assert counts_of(view, rows, "sex") == [F, F, M, M, M, F]


def test_a_cross_table_with_totals(original):
    crossed = table(
        sex=["f", "m", "Total"], nurse=[2, 1.5, 3.5], smith=[1, -2, -1], Total=[3, -0.5, 2.5]
    )
    view, rows = view_of(original, [crossed], ["sex"])
    assert counts_of(view, rows, "sex") == [F, F, M, M, M, F]
    assert view.counts["sex"].sum() == 2.5


AGES = pd.DataFrame(
    {"hours": [10, 40, 59, 30], "income": [0, 20, 70, 90], "age": [9, 30, 70, 80], "sex": [*"fmfm"]}
)


def by_age(**headers):
    original = alc.table_from_frame(AGES, name="people.csv").with_kinds(
        dict.fromkeys(["hours", "income", "age"], "continuous")
    )
    cells = Counts.of_tables([table(sex=["f", "m"], **headers)], name="r", original=original).cells
    return cells[0].table.columns


@pytest.mark.parametrize("start", ["age=", "age ", "age_"])
def test_headers_that_fit_several_columns_need_the_columns_name(start):
    counts = {"0-17": [1, 0], "18-64": [0, 1], "65+": [1, 1]}
    with pytest.raises(
        InputError,
        match=r"'18-64' and '65\+' of 'counts.csv' may be values of 'income' and 'age'. "
        "Name one, as in 'income=0-17'.",
    ):
        by_age(**counts)
    assert by_age(**{start + label: each for label, each in counts.items()}) == ("sex", "age")


def test_headers_are_of_the_column_with_people_in_most_of_them():
    assert by_age(**{"0-15": [1, 0], "60-75": [1, 0], "76-85": [0, 1]}) == ("sex", "age")


def test_rows_that_name_the_attribute(original):
    cells = table(
        attribute=["sex", "sex", "sex", "sex", "town", "town"],
        value=["f", "f", "m", "m", "Ulm", "Jena"],
        job=["nurse", "smith", "nurse", "smith", "nurse", "nurse"],
        count=[2, 1, 1.5, -2, 4, 5],
    )
    view, rows = view_of(original, [cells], ["sex", "town"])
    assert counts_of(view, rows, "sex") == [F, F, M, M, M, F]
    assert counts_of(view, rows, "town") == [
        [4.0, 0.0], [4.0, 0.0], None, None, [5.0, 0.0], [5.0, 0.0]
    ]  # fmt: skip


def test_rows_that_name_both_attributes(original):
    cells = table(
        first=["sex", "sex"], is_=["f", "m"], second=["job", "job"], has=["nurse", "smith"],
        n=[2, 3],
    )  # fmt: skip
    view, rows = view_of(original, [cells], ["sex"])
    assert counts_of(view, rows, "sex")[1:3] == [[2.0, 0.0], [0.0, 3.0]]


def test_several_tables_of_one_release(original):
    by_town = table("town.csv", town=["Ulm", "Bonn"], nurse=[4, 5], smith=[6, 7])
    view, rows = view_of(original, [table(**BY_SEX), by_town], ["sex", "town", "hours"])
    assert counts_of(view, rows, "sex") == [F, F, M, M, M, F]
    assert counts_of(view, rows, "town")[3] == [5.0, 7.0]
    assert view.absent == ("hours",)


def test_a_table_of_more_columns_is_summed_over_the_others(original):
    cells = table(
        sex=["f", "f", "m"], town=["Ulm", "Jena", "Ulm"], job=["nurse"] * 3, freq=[1, 2, 4]
    )
    view, rows = view_of(original, [cells], ["sex", "town"])
    assert counts_of(view, rows, "sex")[0] == [3.0, 0.0]
    assert counts_of(view, rows, "town")[0] == [5.0, 0.0]


def test_of_two_tables_the_one_with_fewer_cells_counts(original):
    fine = table("fine.csv", sex=["f", "f", "m"], town=["Ulm", "Jena", "Ulm"],
                 job=["nurse"] * 3, count=[1, 2, 4])  # fmt: skip
    coarse = table("coarse.csv", sex=["f", "m"], job=["nurse"] * 2, count=[30, 40])
    view, rows = view_of(original, [fine, coarse], ["sex"])
    assert counts_of(view, rows, "sex")[0] == [30.0, 0.0]


@pytest.mark.parametrize("column", ["hours", "hours_group"])
def test_ranges_count_those_in_them(original, column):
    cells = table(
        **{column: ["0-25", "26-40", "60+"] * 2}, job=["nurse"] * 3 + ["smith"] * 3,
        count=[1, 2, 3, 4, 5, 6],
    )  # fmt: skip
    view, rows = view_of(original, [cells], ["hours"])
    first, middle, last = [1.0, 4.0], [2.0, 5.0], [3.0, 6.0]
    assert counts_of(view, rows, "hours") == [first, middle, None, last, middle, first]


def test_the_narrowest_of_overlapping_ranges_counts(original):
    cells = table(hours=["0-60", "20-40"], job=["nurse"] * 2, count=[1, 2])
    view, rows = view_of(original, [cells], ["hours"])
    assert [found[0] for found in counts_of(view, rows, "hours")] == [1, 2, 1, 1, 2, 2]


def test_a_continuous_unknown_column_is_counted_by_its_ranges(original):
    cells = table(sex=["f", "f", "m"], hours=["0-25", "26-60", "26-60"], count=[4, 5, 6])
    view, _ = view_of(original, [cells], ["sex"], "hours")
    assert view.counts["sex"].sum(axis=1).tolist() == pytest.approx([9.0, 6.0])
    assert view.counts["sex"].shape == (2, view.unknown.size)


def test_columns_beside_are_those_counted_together(original):
    by_town = table("town.csv", town=["Ulm", "Bonn"], nurse=[4, 5], smith=[6, 7])
    release = Counts.of_tables([table(**BY_SEX), by_town], name="r", original=original)
    assert release.columns_beside("job") == ("sex", "town")
    assert release.columns_beside("sex") == ("job",)
    assert release.columns_beside("hours") == ()


def test_shuffling_keeps_the_margins(original):
    cells = table(sex=["f", "f", "m", "m"], job=["nurse", "smith"] * 2, count=[30, 10, 20.4, -5])
    view, _ = view_of(original, [cells], ["sex"])
    shuffled = view.shuffled(np.random.default_rng(1)).counts["sex"]
    assert shuffled.sum(axis=1).tolist() == [40.0, 20.0]
    assert sorted(shuffled.sum(axis=0).tolist()) == [0.0, 10.0, 50.0]
    assert shuffled.tolist() != view.counts["sex"].tolist()


def test_notes_name_what_is_not_counted(original):
    release = Counts.of_tables([table(**BY_SEX)], name="r", original=original)
    scenario = alc.Scenario(["sex", "town"], "job")
    data = encode(original, release.coded_tables(), columns=scenario.columns)
    (note,) = release.encoded(data).notes(scenario)
    assert note == "Only the baseline uses it: no table of counts crosses 'town' with 'job'."


def test_views_refuse_what_cannot_be_attacked(original):
    with pytest.raises(InputError, match="crosses 'job' with a known column"):
        view_of(original, [table(**BY_SEX)], ["town"])
    codes = table(sex=["f", "m"], job=["J1", "J2"], count=[1, 2])
    with pytest.raises(InputError, match="No released value of 'job' is in the original"):
        view_of(original, [codes], ["sex"])


def test_people_without_a_value_do_not_make_a_column_unmatched():
    people = PEOPLE.assign(town=["Ulm", "Bonn", None, None, None, None])
    original = alc.table_from_frame(people, name="people.csv")
    counts = table(town=["Ulm", "Bonn"], job=["nurse", "smith"], count=[1, 1])
    assert view_of(original, [counts], ["town"])[0].unmatched == ()
    elsewhere = table(town=["Kiel", "Mainz"], job=["nurse", "smith"], count=[1, 1])
    assert view_of(original, [elsewhere], ["town"])[0].unmatched == ("town",)


def test_codes_among_numbers_and_missing_ones_count_those_who_have_them():
    people = pd.DataFrame(
        {"hours": ["10", "40", "N", None] * 5, "job": ["nurse", "smith"] * 10}
    )  # fmt: skip
    original = alc.table_from_frame(people, name="people.csv").with_kinds({"hours": "continuous"})
    cells = table(
        hours=["10", "40", "N", None] * 2, job=["nurse"] * 4 + ["smith"] * 4, count=range(1, 9)
    )
    view, rows = view_of(original, [cells], ["hours"])
    each = [[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]]
    assert counts_of(view, rows, "hours") == each * 5


@pytest.mark.parametrize("code", ["N", "refused"])
def test_ranges_with_a_total_and_a_code_among_numbers_are_counted(code):
    people = pd.DataFrame({"hours": ["10", "40", "50", code] * 5, "job": ["nurse", "smith"] * 10})
    original = alc.table_from_frame(people, name="people.csv").with_kinds({"hours": "continuous"})
    labels = ["0-25", "26-60", "0-60", code]
    cells = table(
        hours=labels * 2, job=["nurse"] * 4 + ["smith"] * 4, count=[5, 7, 12, 1, 4, 3, 7, 2]
    )
    view, rows = view_of(original, [cells], ["hours"])
    each = [[5.0, 4.0], [7.0, 3.0], [7.0, 3.0], [1.0, 2.0]]
    assert counts_of(view, rows, "hours") == each * 5, "the sum of two ranges counts nobody again"


@pytest.mark.parametrize("attack", ["best row match", "record linkage"])
def test_cells_of_one_person_reveal_the_person_as_rows_do(attack):
    columns, found = ["region", "job", "age", "condition"], {}
    for name, seed in {"own": 1, "strangers": 2}.items():
        people = made_up_people(1_500, seed=seed)
        people["region"] = people["district"]
        cells = people.groupby(columns, as_index=False).size().rename(columns={"size": "n"})
        if name == "own":
            original = alc.table_from_frame(people[columns], name="people")
        counts = Counts.of_tables(
            [alc.table_from_frame(cells, name="cells")], name=name, original=original
        )
        found[name] = alc.assess(
            original, counts, alc.Scenario(columns[:3], "condition"), attack=attack, seed=1
        )
    assert found["own"].verdict == "serious"
    assert found["own"].attack_rest.measured_precision > 0.9
    assert found["strangers"].verdict not in FLAGGED


def test_numbers_beside_counts_are_asked_about(original):
    sex, town, job = zip(
        *itertools.product("fm", ["Ulm", "Bonn", "Jena"], ["nurse", "smith"]), strict=True
    )
    pay = [1_000.5 + 37 * place for place in range(12)]
    cells = table(sex=sex, town=town, job=job, n=range(1, 13), mean_pay=pay)
    counts = Counts.of_tables([cells], name="r", original=original)
    found = {each.code: each for each in counts.checker(original).findings()}
    assert found["extra-column"].severity == "question"
    assert found["extra-column"].facts["names"] == ("mean_pay",)


def test_whole_people_of_noisy_and_of_very_many_counts():
    assert whole_people(np.array([0.4, -3.0, 0.6, 2.0]), most=100).tolist() == [0, 0, 1, 2]
    many = whole_people(np.array([10.0, 30.0, 0.0, 60.0]), most=10)
    assert many.tolist() == [1, 3, 0, 6]
