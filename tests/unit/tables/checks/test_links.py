"""Row numbers and kept order are found, whatever else was done to the rows."""

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.finding import patterns
from alc_core.tables.read import table_from_frame

N = 2_000
RNG = np.random.default_rng(1)
PEOPLE = pd.DataFrame(
    {
        "age": RNG.integers(17, 91, N),
        "sex": RNG.choice(["m", "f"], N),
        "job": RNG.choice(["cook", "nurse", "clerk", "smith"], N, p=[0.4, 0.3, 0.2, 0.1]),
        "income": RNG.lognormal(10, 1, N).round(),
    }
)


def links(release, original=PEOPLE, kinds=None):
    table = table_from_frame(original, name="original").with_kinds(kinds or {})
    released = table_from_frame(release, name="release")
    found = check_tables(table, [released])
    return [(f.code, f.column) for f in found if f.code in ("row-number", "row-order")]


def generalized(frame):
    age = (frame["age"] // 20 * 20).map(lambda low: f"{low}-{low + 19}")
    return frame.assign(age=age, income="*")


def shuffled(frame, seed=3):
    return frame.sample(frac=1, random_state=seed)


def swapped(share):
    frame = PEOPLE.copy()
    for name in frame.columns:
        rows = RNG.choice(N, int(share * N), replace=False)
        frame.loc[rows, name] = RNG.permutation(frame.loc[rows, name].to_numpy())
    return frame


def strangers():
    return PEOPLE.apply(lambda column: RNG.permutation(column.to_numpy()))


@pytest.mark.parametrize("release", [generalized(PEOPLE), swapped(0.3), swapped(0.8)])
def test_kept_order_is_found(release):
    assert links(release) == [("row-order", None)]


@pytest.mark.parametrize("first", [0, 1])
def test_row_numbers_are_found_in_shuffled_rows_with_gaps(first):
    numbered = generalized(PEOPLE).assign(index=np.arange(first, N + first))
    kept = shuffled(numbered).iloc[: N - 300].reset_index(drop=True)
    assert links(kept) == [("row-number", "index")]
    assert links(kept.assign(index=kept["index"].astype(str))) == [("row-number", "index")]


def test_row_names_beside_kept_order_are_both_found():
    named = generalized(PEOPLE).assign(column_1=np.arange(1, N + 1))
    assert links(named) == [("row-order", None), ("row-number", "column_1")]


def test_numbers_of_a_releases_own_rows_link_nobody():
    release = shuffled(PEOPLE).reset_index(drop=True).assign(index=np.arange(N))
    assert links(release) == []
    assert links(strangers().assign(index=RNG.permutation(N))) == []


def test_sorting_both_tables_is_no_link():
    by = ["sex", "age", "job"]
    original = PEOPLE.sort_values(by).reset_index(drop=True)
    release = strangers().sort_values(by).reset_index(drop=True)
    assert links(release, original) == []
    days = pd.date_range("2020-01-01", periods=N // 4).repeat(4)
    dated, other = original.assign(day=days), release.assign(day=days)
    assert links(other.assign(id=np.arange(N)), dated.assign(id=np.arange(N))) == []


def test_an_identical_release_is_said_once():
    found = check_tables(
        table_from_frame(PEOPLE, name="original"), [table_from_frame(PEOPLE, name="release")]
    )
    assert "identical-release" in {finding.code for finding in found}
    assert "row-order" not in {finding.code for finding in found}


def test_the_columns_that_agree_are_told():
    table = table_from_frame(PEOPLE, name="original")
    release = table_from_frame(generalized(PEOPLE), name="release")
    (order,) = [f for f in check_tables(table, [release]) if f.code == "row-order"]
    assert order.facts == {"columns": ("sex", "job"), "several": True, "share": 1.0}


def test_kept_order_in_several_releases_is_told_once():
    tables = [
        table_from_frame(frame, name=name)
        for name, frame in (("a", swapped(0.3)), ("b", swapped(0.6)), ("c", shuffled(PEOPLE)))
    ]
    found = check_tables(table_from_frame(PEOPLE, name="original"), tables)
    assert len([f for f in found if f.code == "row-order"]) == 2
    (told,) = [f for f in patterns(found) if f.code == "row-order"]
    assert told.table == "a and b"
    assert told.message == told.sentence.together
    assert [part.table for part in told.parts] == ["a", "b"]


def in_blocks(values, length=40):
    """Return a value for each block of rows, in no sorted order."""
    return np.repeat(np.random.default_rng(5).choice(values, N // length), length)


def test_one_column_and_those_that_say_the_same_are_no_link():
    place = in_blocks(np.arange(30))
    blocks = PEOPLE.assign(place=place, county=place // 3, name=[f"p{p}" for p in place])
    others = strangers().assign(**{name: blocks[name] for name in ("place", "county", "name")})
    assert links(others, blocks) == []
    assert links(others.assign(index=np.arange(N)), blocks) == []
    one = others.drop(columns=["county", "name"])
    assert links(one, blocks) == []
    assert links(others.assign(sex=PEOPLE["sex"]), blocks) == [("row-order", None)]


def test_one_column_links_where_no_other_could():
    alone = PEOPLE.assign(age="*", sex="*", income=-1.0)
    assert links(alone) == [("row-order", None)]


@pytest.mark.parametrize(
    ("columns", "times", "asked"),
    [
        ((["age", "sex"], ["job"]), 1, True),
        ((["age", "sex"], ["job"]), 2, True),  # Two rows of a person there
        ((["age", "sex"], ["age", "sex"]), 1, False),  # A join would say nothing more
    ],
)
def test_tables_that_a_column_joins_are_asked_about(columns, times, asked):
    pseudonyms = RNG.permutation(N) + 50_000
    one, other = (PEOPLE[names].assign(pid=pseudonyms) for names in columns)
    other = pd.concat([other.sample(frac=1, random_state=1)] * times)
    original = table_from_frame(PEOPLE, name="original")
    tables = [table_from_frame(each, name=n) for n, each in {"a": one, "b": other}.items()]
    found = [f for f in check_tables(original, tables) if f.code == "joined-tables"]
    assert [(f.table, f.column, f.facts["other"]) for f in found] == [("a", "pid", "b")] * asked
    strangers = [tables[0], table_from_frame(other.assign(pid=other["pid"] + N), name="b")]
    codes = {finding.code for finding in check_tables(original, strangers)}
    assert "joined-tables" not in codes


def test_a_key_of_the_originals_name_is_asked_about():
    """Each table alone is harmless, and a person's rows are joined all the same."""
    key = RNG.permutation(N) + 50_000
    one, other = (PEOPLE[names].assign(pid=key) for names in (["age", "sex"], ["job", "income"]))
    for original in (PEOPLE.assign(pid=key), PEOPLE.assign(pid=key.astype(float) + 0.5)):
        tables = [one.assign(pid=original["pid"]), other.assign(pid=original["pid"])]
        assert joined(original, *tables) == [("a", "pid")]


def test_a_key_that_is_unique_in_no_table_is_asked_about():
    key = RNG.permutation(N) + 50_000
    visits, drugs = (
        PEOPLE[names].assign(pid=key).sample(frac=2, replace=True, random_state=seed)
        for seed, names in enumerate((["age", "sex"], ["job"]))
    )
    assert joined(PEOPLE, visits, drugs) == [("a", "pid")]
    of_groups = (each.assign(pid=RNG.integers(0, 36, len(each))) for each in (visits, drugs))
    assert joined(PEOPLE, *of_groups) == []


def test_the_person_column_joins():
    person = np.arange(N) // 2
    original = PEOPLE.assign(who=person)
    tables = [original[["who", "age", "sex"]], original[["who", "job"]]]
    assert joined(original, *tables, person="who") == [("a", "who")]


def joined(original, *frames, person=None):
    tables = [table_from_frame(each, name=n) for n, each in zip("ab", frames, strict=True)]
    found = check_tables(table_from_frame(original, name="original"), tables, person=person)
    return [(f.table, f.column) for f in found if f.code == "joined-tables"]
