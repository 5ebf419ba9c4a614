"""Suppressed cells of published tables, beside the people that they were counted from."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.releases.count_tables import count_tables
from alc_core.releases.counts import Counts
from alc_core.tables.codes.encode import encode

SIZE = 4_000
RNG = np.random.default_rng(5)
REGION = RNG.choice(["North", "South", "West"], SIZE)
PEOPLE = pd.DataFrame(
    {
        "region": REGION,
        "district": [f"{r[0]}{k}" for r, k in zip(REGION, RNG.integers(1, 6, SIZE), strict=True)],
        "sex": RNG.choice(["f", "m"], SIZE),
        "job": RNG.choice(list("ABCD"), SIZE, p=[0.5, 0.3, 0.15, 0.05]),
        "hiv": RNG.choice(["neg", "pos", "unk"], SIZE, p=[0.9, 0.06, 0.04]),
        "age": RNG.choice(["0-17", "18-39", "40-64", "65+"], SIZE),
    }
)
TOTALS = ["Total", "Insgesamt", "Gesamt", "Ensemble", "All", "Sum", "zusammen", "alle", "All ages"]


def original(*columns):
    return alc.table_from_frame(PEOPLE[list(columns)], name="people.csv")


def crossed(*keys, by, total="Total"):
    table = pd.crosstab([PEOPLE[key] for key in keys], PEOPLE[by]).reset_index()
    table = table.rename_axis(columns=None)
    return table.assign(**{total: table[PEOPLE[by].unique()].sum(axis=1)})


def with_row(table, **named):
    sums = table.drop(columns=list(named)).select_dtypes("number").sum()
    return pd.concat([table, pd.DataFrame([{**named, **sums}])], ignore_index=True)


def cube(*keys, total="Total", count="n"):
    """Every combination with people, and every total."""
    parts = []
    for size in range(len(keys) + 1):
        for some in map(list, combinations(keys, size)):
            part = PEOPLE.groupby(some).size().reset_index(name=count) if some else pd.DataFrame(
                {count: [SIZE]}
            )  # fmt: skip
            parts.append(part.assign(**{key: total for key in keys if key not in some}))
    return pd.concat(parts, ignore_index=True)[[*keys, count]]


def hidden(table, columns, below, mark):
    few = {name: table[name].between(1, below - 1) for name in columns}
    return table.assign(**{n: table[n].astype(object).mask(each, mark) for n, each in few.items()})


def counted(table, *columns):
    """The cells that a table is read as, with the true number of people beside."""
    (found,) = count_tables(alc.table_from_frame(table, name="counts.csv"), original(*columns))
    keys = list(found.table.columns)
    true = PEOPLE.groupby(keys).size().reset_index(name="true")
    cells = found.table.frame.assign(read=found.people)
    return found, cells.merge(true, how="outer", on=keys).fillna(0)


def check_recovered(table, *columns, ranged=0):
    """All cells are as they are without suppression, but those known only in a range."""
    found, cells = counted(table, *columns)
    wrong = (cells["read"] - cells["true"]).abs() > 1e-6
    assert (found.recovered > 0, found.ranged) == (True, ranged)
    assert wrong.sum() <= ranged
    assert found.people.sum() == pytest.approx(SIZE, abs=0.5)


@pytest.mark.parametrize(
    "mark", ["<5", "n<5", "1-4", "≤ 4", "..", "x", "c", "*", "•", "(c)", "-", "geheim", "", "<5*"]
)
def test_total_minus_the_rest_in_a_cross_table(mark):
    table = hidden(crossed("district", "sex", "job", by="hiv"), ["pos"], 5, mark)
    check_recovered(table, "district", "sex", "job", "hiv")


@pytest.mark.parametrize("total", [*TOTALS, None])
def test_row_and_column_totals_close_each_other(total):
    table = crossed("district", by="job", total=total or "Total")
    table = hidden(with_row(table, district=total), list("ABCD"), 12, "<12")
    check_recovered(table, "district", "job")


@pytest.mark.parametrize("total", [*TOTALS, None])
@pytest.mark.parametrize(("below", "ranged"), [(4, 0), (10, 46)])
def test_all_totals_of_a_long_table(total, below, ranged):
    table = hidden(cube("district", "job", "hiv", total=total), ["n"], below, f"<{below}")
    check_recovered(table, "district", "job", "hiv", ranged=ranged)


def test_rows_that_were_left_out_are_found_by_their_totals():
    table = cube("district", "hiv")
    found, cells = counted(table[table["n"] >= 16], "district", "hiv")
    assert (found.recovered, found.ranged) == (7, 14)
    assert ((cells["read"] - cells["true"]).abs() > 1e-6).sum() <= 14
    assert found.people.sum() == pytest.approx(SIZE, abs=0.5)


def test_combinations_without_people_may_be_left_out():
    table = PEOPLE.groupby(["district", "sex", "job", "hiv"]).size().reset_index(name="n")
    found, cells = counted(table, "district", "sex", "job", "hiv")
    assert len(found.people) == len(table)
    assert (cells["read"] == cells["true"]).all()


def test_complementary_suppression_is_not_undone():
    table = with_row(crossed("district", by="job"), district="Total").astype(object)
    for row in (0, 1):
        table.loc[row, ["C", "D"]] = "x"
    found, cells = counted(table, "district", "job")
    assert (found.recovered, found.ranged) == (0, 4)
    assert ((cells["read"] - cells["true"]).abs() > 1e-6).sum() == 4
    assert (found.people > 0).all()
    assert found.people.sum() == pytest.approx(SIZE, abs=0.5)


def regional(*, named):
    """Districts of a region below each other, each with its total."""
    rows = []
    for region, part in PEOPLE.groupby("region"):
        districts = pd.crosstab(part["district"], part["hiv"]).reset_index()
        rows.append(with_row(districts, district=named(region)).assign(region=region))
    table = pd.concat(rows, ignore_index=True).rename_axis(columns=None)
    table["Total"] = table[["neg", "pos", "unk"]].sum(axis=1)
    return table


@pytest.mark.parametrize("own", [True, False], ids=["two columns", "a column of its own"])
@pytest.mark.parametrize("total", ["zusammen", None])
def test_totals_of_regions(own, total):
    table = hidden(regional(named=lambda _: total), ["neg", "pos", "unk"], 12, "<12")
    check_recovered(table, *(["region"] if own else []), "district", "hiv")


@pytest.mark.parametrize(
    "named", ["{}", "Region {}", "Total {}", "{} zusammen"], ids=["name", "region", "total", "end"]
)
@pytest.mark.parametrize("first", [True, False])
def test_regions_among_their_districts(named, first):
    table = regional(named=named.format)
    if first:
        table = pd.concat([part.iloc[::-1] for _, part in table.groupby("region")])
    table = hidden(table.drop(columns="region"), ["neg", "pos", "unk"], 12, "<12")
    check_recovered(table, "district", "hiv")


def test_codes_that_begin_as_those_that_they_sum_up():
    table = regional(named=lambda region: region[0]).drop(columns="region")
    table = table.sample(frac=1, random_state=1)
    check_recovered(hidden(table, ["neg", "pos", "unk"], 12, "<12"), "district", "hiv")


def test_ranges_that_other_ranges_split_up():
    table = crossed("age", by="hiv")
    both = table[table["age"].isin(["0-17", "18-39"])]
    table = pd.concat([table, both.sum().to_frame().T.assign(age="0-39")], ignore_index=True)
    table["pos"] = table["pos"].astype(object)
    table.loc[0, ["pos", "neg"]] = "x"
    people = PEOPLE.assign(age=PEOPLE["age"].str.extract(r"(\d+)", expand=False).astype(int))
    given = alc.table_from_frame(people[["age", "hiv"]], name="people.csv").with_kinds(
        {"age": "continuous"}
    )
    (found,) = count_tables(alc.table_from_frame(table, name="counts.csv"), given)
    assert (found.recovered, found.ranged) == (2, 0)
    assert found.people.sum() == SIZE


@pytest.mark.parametrize("beside", ["percent", "rate", "other"])
def test_columns_that_are_no_part_of_the_total(beside):
    table = hidden(crossed("district", "sex", by="hiv"), ["pos"], 12, "<12")
    share = 100 * PEOPLE.groupby(["district", "sex"])["hiv"].apply(lambda h: (h == "pos").mean())
    values = {"percent": share.round(1), "rate": share.round().astype(int), "other": 7}
    named = values[beside]
    table[beside] = named if beside == "other" else named.to_numpy()
    check_recovered(table, "district", "sex", "hiv")


def test_a_value_that_the_original_lacks_is_part_of_the_total():
    table = crossed("district", "sex", by="hiv").rename(columns={"unk": "not tested"})
    found, cells = counted(hidden(table, ["pos"], 12, "<12"), "district", "sex", "hiv")
    cells = cells[cells["hiv"] != "unk"]
    assert (found.recovered, found.ranged) == (27, 0)
    assert (cells["read"] == cells["true"]).all()


def noisy(table, columns):
    rng = np.random.default_rng(1)
    return table.assign(**{c: table[c] + rng.integers(-3, 4, len(table)) for c in columns})


def rounded(table, columns, to=5):
    return table.assign(**{c: (table[c] / to).round().astype(int) * to for c in columns})


@pytest.mark.parametrize("change", [noisy, rounded])
def test_noise_and_rounding_are_not_undone(change):
    table = with_row(crossed("district", by="job"), district="Total")
    changed = change(table, [*"ABCD", "Total"])
    full, _ = counted(changed, "district", "job")
    found, _ = counted(hidden(changed, list("ABCD"), 12, "<12"), "district", "job")
    shown = full.people[full.people >= 12]
    assert (found.recovered, found.ranged > 0) == (0, True)
    np.testing.assert_array_equal(np.sort(found.people)[-len(shown) :], np.sort(shown))
    assert (found.people[full.people.astype(bool)] > 0).all()


def test_a_wrong_total_is_not_used_and_told():
    table = with_row(crossed("district", by="job"), district="Total")
    table.loc[3, "Total"] += 2
    table = hidden(table, list("ABCD"), 12, "<12")
    check_recovered(table, "district", "job")
    release = Counts.of_tables(
        [alc.table_from_frame(table, name="counts.csv")], name="r",
        original=original("district", "job"),
    )  # fmt: skip
    read = next(f for f in release.checker(original("district", "job")).findings()
                if f.code == "counts-read")  # fmt: skip
    assert read.facts["recovered"] == 5
    assert "Not used: 2 sums" in read.message


def test_the_attack_says_how_many_cells_it_knows():
    known, unknown = ["district", "sex"], "hiv"
    table = hidden(cube("district", "sex", "hiv"), ["n"], 10, "<10")
    people = original(*known, unknown)
    release = Counts.of_tables(
        [alc.table_from_frame(table, name="counts.csv")], name="r", original=people
    )
    scenario = alc.Scenario(known, unknown)
    encoded = release.encoded(encode(people, release.coded_tables(), columns=scenario.columns))
    (note,) = encoded.notes(scenario)
    (cells,) = release.cells
    assert note.code == "suppressed-counts"
    assert dict(note.numbers) == {"recovered": cells.recovered, "ranged": cells.ranged}
    assert cells.recovered > 0


def test_what_is_likely_of_suppressed_cells_is_no_noise():
    table = hidden(crossed("district", "sex", by="job"), list("ABCD"), 12, "c")
    people = original("district", "sex", "job")
    release = Counts.of_tables(
        [alc.table_from_frame(table, name="counts.csv")], name="r", original=people
    )
    assert release.cells[0].ranged
    assert "noisy-counts" not in {each.code for each in release.checker(people).findings()}
