"""Released tables whose rows are no people are recognised, and ordinary ones are not."""

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.no_people import names_count
from alc_core.tables.read import table_from_frame

N = 3_000
RNG = np.random.default_rng(0)
PEOPLE = pd.DataFrame(
    {
        "age": RNG.integers(17, 91, N),
        "sex": RNG.choice(["m", "f"], N, p=[0.7, 0.3]),
        "city": RNG.choice(["north", "south", "west"], N),
        "job": RNG.choice(["cook", "nurse", "clerk", "smith"], N, p=[0.4, 0.3, 0.2, 0.1]),
        "fnlwgt": RNG.integers(10_000, 900_000, N),
    }
)
KEY = ["sex", "city", "job"]
COUNTS = PEOPLE.groupby(KEY).size().rename("count").reset_index()


def found(*releases, original=PEOPLE, **scenario):
    tables = [table_from_frame(r, name=f"release{k}") for k, r in enumerate(releases, start=1)]
    return check_tables(table_from_frame(original, name="original"), tables, **scenario)


def codes(findings):
    return {finding.code for finding in findings if finding.blocking}


def no_people(*releases, original=PEOPLE):
    kinds = {"table-of-counts", "maybe-counts", "cross-table", "anatomy-pair"}
    return codes(found(*releases, original=original)) & kinds


# --- counts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["count", "n", "Freq", "number_of_people", "Anzahl", "x"])
def test_counts_are_an_error_and_nothing_else_is_said(name):
    findings = found(COUNTS.rename(columns={"count": name}), known=["sex", "city"], unknown="job")
    errors = [finding for finding in findings if finding.blocking]
    assert [finding.code for finding in errors] == ["table-of-counts"]
    assert errors[0].facts["counts"] == name
    assert "copied-rows" not in {finding.code for finding in findings}


def test_counts_with_noise_totals_shares_and_suppressed_cells():
    noisy = COUNTS.assign(count=(COUNTS["count"] + RNG.integers(-3, 4, len(COUNTS))).clip(0))
    assert no_people(noisy) == {"table-of-counts"}
    total = pd.DataFrame({"sex": ["Total"], "count": [N]})
    assert no_people(pd.concat([COUNTS, total])) == {"table-of-counts"}
    shares = COUNTS.assign(percent=COUNTS["count"] / N)
    assert no_people(shares) == {"table-of-counts"}
    few = COUNTS.assign(count=COUNTS["count"].where(COUNTS["count"] > 30).astype("Int64"))
    assert no_people(few) == {"table-of-counts"}


@pytest.mark.parametrize("name", ["count", "x"])
@pytest.mark.parametrize("mark", ["<{}", "1-{}", "..", "c", "*", "n<{}", "•"])
@pytest.mark.parametrize("share", [0.2, 0.6])
def test_counts_with_marks(name, mark, share):
    below = int(COUNTS["count"].quantile(share))
    few = COUNTS["count"] < below
    counts = COUNTS["count"].astype(object).mask(few, mark.format(below)).astype(str)
    marked = COUNTS.assign(count=counts)
    assert no_people(marked.rename(columns={"count": name})) == {"table-of-counts"}


@pytest.mark.parametrize("mark", ["<5", "1.5", "..", "*"])
def test_people_with_marks_among_their_own_numbers_are_people(mark):
    """A laboratory's values below what it can measure count nobody."""
    rows = PEOPLE.sample(1_200, random_state=1).reset_index(drop=True)
    crp = pd.Series(RNG.integers(1, 60, 1_200)).astype(object)
    rows = rows.assign(crp=crp.mask(crp < 5, mark).astype(str))
    assert not no_people(rows)
    assert not no_people(rows.assign(age_group=RNG.choice(["<18", "18-39", "40+"], 1_200)))


def test_counts_of_groups_of_ages():
    grouped = PEOPLE.assign(age=pd.cut(PEOPLE["age"], 5).astype(str))
    counts = grouped.groupby(["age", *KEY], observed=True).size().rename("n").reset_index()
    assert no_people(counts) == {"table-of-counts"}


def test_a_count_of_ones_is_asked_about():
    rows = PEOPLE.drop_duplicates(["age", *KEY])[["age", *KEY]].assign(count=1)
    assert no_people(rows) == {"maybe-counts"}


WEIGHTED = COUNTS.rename(columns={"count": "Personen"})
MANY = pd.MultiIndex.from_product([range(20, 80), ["m", "f"], ["north", "south", "west"]])
MANY = MANY.to_frame(index=False, name=["age", "sex", "city"])


@pytest.mark.parametrize(
    "release",
    [
        WEIGHTED.assign(Personen=WEIGHTED.Personen * 13),
        WEIGHTED.assign(Personen=WEIGHTED.Personen // 50),
        WEIGHTED.assign(Personen=RNG.integers(0, 9_000, len(COUNTS)), Anteil=0.5),
        WEIGHTED.assign(Personen=WEIGHTED.Personen * 13).iloc[1:],
        WEIGHTED.assign(job=WEIGHTED.job.map(lambda job: f"job {job}"), Personen=7),
        MANY.assign(p=RNG.permutation(90_000)[: len(MANY)]),
    ],
    ids=["weighted", "few", "other", "a cell less", "groups", "many"],
)
def test_all_combinations_with_a_number_are_asked_about(release):
    assert no_people(release) == {"maybe-counts"}


@pytest.mark.parametrize("mark", [".", ",", " "])
def test_they_are_read_with_marks_of_thousands(mark, tmp_path):
    written = [f"{n * 97:,}".replace(",", mark) for n in COUNTS["count"]]
    WEIGHTED.assign(Personen=written).to_csv(tmp_path / "release.csv", index=False, sep=";")
    original = table_from_frame(PEOPLE, name="original")
    assert "maybe-counts" in codes(check_tables(original, tmp_path / "release.csv"))


@pytest.mark.parametrize("rows", [12, 20, 30])
def test_few_people_with_a_weight_of_their_own_are_people(rows):
    some = PEOPLE.drop(columns="fnlwgt").sample(rows, random_state=1)
    assert not no_people(some.assign(w=RNG.integers(10, 900, rows)))
    distinct = PEOPLE[KEY].drop_duplicates().sample(rows // 2, random_state=1)
    assert not no_people(distinct.assign(w=RNG.integers(10, 900, rows // 2)))
    assert not no_people(COUNTS[KEY].assign(row=RNG.permutation(len(COUNTS))))


@pytest.mark.parametrize("released", [True, False])
def test_people_with_numbers_of_their_own_are_people(released):
    """Children, a household's size, a survey weight, a row number: none of them counts people."""
    synthetic = PEOPLE.sample(1_200, random_state=1).reset_index(drop=True)
    synthetic["age"] = RNG.integers(17, 91, len(synthetic))
    own = {
        "n_children": RNG.integers(0, 6, 1_200),
        "hhsize": RNG.integers(1, 6, 1_200),
        "weight": RNG.integers(1, 9, 1_200),
        "PWGTP": RNG.integers(20, 400, 1_200),
        "id": RNG.permutation(1_200),
        "number": np.arange(1_200) * 7 + 100_000,
    }
    if released:
        own = {name: [values] for name, values in own.items()}
        for name, (values,) in own.items():
            assert not no_people(synthetic.assign(**{name: values})), name
    else:
        assert not no_people(synthetic.assign(**own))


def test_a_weight_that_the_original_has_is_no_count():
    original = PEOPLE.assign(n=RNG.integers(1, 9, N))
    assert not no_people(original.drop_duplicates(["age", *KEY]), original=original)


def test_names_of_counts():
    assert names_count("N")
    assert names_count("Nombre de personnes")
    assert not names_count("person")
    assert not names_count("capital_total")


# --- cross tables ----------------------------------------------------------------------------


def cross(*, totals):
    aged = PEOPLE.assign(group=pd.cut(PEOPLE["age"], 4).astype(str))
    table = pd.crosstab([aged["sex"], aged["group"]], aged["job"], margins=totals)
    return table.reset_index().rename_axis(columns=None)


@pytest.mark.parametrize("totals", [True, False])
def test_cross_tables_are_an_error(totals):
    assert no_people(cross(totals=totals)) == {"cross-table"}
    assert no_people(cross(totals=totals).drop(columns="sex")) == {"cross-table"}


@pytest.mark.parametrize("mark", ["<10", "1-9", "x", "n<10", "-", ""])
@pytest.mark.parametrize("marked", [["smith"], ["cook", "nurse", "clerk", "smith"]])
def test_cross_tables_with_marks(mark, marked):
    table = cross(totals=True).astype(dict.fromkeys(marked, object))
    for job in marked:
        table[job] = table[job].mask(table[job].rank() < 5, mark).astype(str)
    assert no_people(table) == {"cross-table"}
    assert no_people(table.drop(columns="All")) == {"cross-table"}


def test_marks_below_published_totals_are_counts_of_groups():
    table = cross(totals=True).rename(columns=lambda name: name.replace("smith", "others"))
    table = table.rename(columns={"cook": "a", "nurse": "b", "clerk": "c"}).astype({"a": object})
    table.loc[0, "a"] = "<10"
    assert no_people(table) == {"cross-table"}


def test_a_cross_table_of_groups_is_known_by_its_totals():
    aged = PEOPLE.assign(group=pd.cut(PEOPLE["age"], 4, labels=["a", "b", "c", "d"]).astype(str))
    table = pd.crosstab(aged["job"], aged["group"], margins=True, margins_name="Total")
    assert no_people(table.reset_index().rename_axis(columns=None)) == {"cross-table"}


def test_people_with_one_column_per_category_are_people():
    hot = pd.get_dummies(PEOPLE["job"], dtype=int)
    assert not no_people(pd.concat([PEOPLE.drop(columns="job"), hot], axis=1))


# --- Anatomy ---------------------------------------------------------------------------------


def anatomy():
    group = np.repeat(np.arange(N // 5), 5)
    known = PEOPLE[["age", "sex", "city"]].assign(group_id=group).sample(frac=1, random_state=1)
    secret = PEOPLE[["job"]].assign(group_id=group).groupby(["group_id", "job"]).size()
    return known.reset_index(drop=True), secret.rename("count").reset_index()


def test_an_anatomy_pair_is_an_error_for_both():
    findings = found(*anatomy(), known=["age", "sex"], unknown="job")
    errors = [finding for finding in findings if finding.blocking]
    assert [finding.code for finding in errors] == ["anatomy-pair", "anatomy-pair"]
    assert [finding.table for finding in errors] == ["release1", "release2"]
    assert (errors[0].facts["group"], errors[0].facts["groups"]) == ("group_id", 600)
    assert "identical-release" not in {finding.code for finding in findings}


def test_two_ordinary_tables_are_no_pair():
    first, second = PEOPLE[["age", "sex", "job"]], PEOPLE[["city", "sex", "job"]]
    assert not no_people(first, second)
    by_id = [part.assign(key=RNG.permutation(N)) for part in (PEOPLE[["age"]], PEOPLE[["job"]])]
    assert not no_people(*by_id)


def test_other_tables_are_checked_all_the_same():
    renamed = PEOPLE.assign(job="X" + PEOPLE["job"])
    assert codes(found(COUNTS, renamed)) == {"table-of-counts", "unknown-labels"}
