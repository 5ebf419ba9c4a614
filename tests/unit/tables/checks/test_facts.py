"""Facts of released files, for five candidates whose secrets were planted."""

import numpy as np
import pandas as pd
import pytest

from alc_core.tables import same_rows
from alc_core.tables.checks import facts as facts_module
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.facts import (
    ORIGINAL_QUESTION,
    Fact,
    FactKind,
    Matching,
    Weight,
    fact_chip,
    fact_meaning,
    file_facts,
    most_by_chance,
)
from alc_core.tables.read import table_from_frame
from tests.conftest import make_people
from tests.toys.five_candidates import VERBATIM, candidates, original

KINDS = FactKind


@pytest.fixture(scope="module")
def people():
    return original(3_000)


@pytest.fixture(scope="module")
def facts(people):
    before = table_from_frame(people, name="original")
    return {
        name: file_facts(before, table_from_frame(frame, name=name))
        for name, frame in candidates(people).items()
    }


def alarms(found):
    return {fact.kind for fact in found.facts if fact.weight is Weight.ALARM}


def test_alarms_are_what_was_planted(facts):
    assert {name: alarms(found) for name, found in facts.items()} == {
        "A": set(), "B": {KINDS.VERBATIM}, "C": set(), "D": {KINDS.VERBATIM_BUT},
        "E": {KINDS.VERBATIM, KINDS.SAME_ORDER},
    }  # fmt: skip


def test_only_of_strangers_and_synthetic_rows_is_asked_whether_the_original_is_right(facts):
    assert {n for n, found in facts.items() if found.fact(KINDS.ORIGINAL)} <= {"A", "C"}
    strangers = facts["C"].fact(KINDS.ORIGINAL)
    assert fact_chip(strangers) == ORIGINAL_QUESTION
    assert strangers.count <= most_by_chance(strangers.expected)
    assert f"{strangers.count}" in fact_meaning(strangers)
    assert strangers.columns == ("PINCP",)  # of people who are none of the original's


@pytest.mark.parametrize(
    "columns", [["AGEP", "SEX"], ["AGEP", "SEX", "HOUSING_TYPE"]], ids=["two", "three"]
)
def test_of_bands_that_everybody_matches_is_not_asked_whether_the_original_is_right(
    people, columns
):
    few = people[columns].assign(AGEP=pd.cut(people.AGEP, [0, 30, 60, 120]).astype(str))
    few = few.sample(frac=1, random_state=1)
    found = file_facts(*(table_from_frame(frame, name="t") for frame in (people, few)))
    assert found.fact(KINDS.ORIGINAL) is None
    assert found.matching in (Matching.UNKNOWN, Matching.VERBATIM)


def test_where_numbers_of_one_person_each_return_it_is_the_right_original(people):
    made = people.apply(lambda c: c.sample(frac=1, random_state=len(c.name)).to_numpy())
    numbers = np.arange(len(people)) * 7.25 + 100
    made = made.assign(pay=np.random.default_rng(0).choice(numbers, len(made)))
    tables = [
        table_from_frame(frame, name="t") for frame in (people.assign(pay=numbers), made[50:])
    ]
    found = file_facts(*tables)
    asked = found.fact(KINDS.ORIGINAL)
    assert asked is None or asked.weight is Weight.CALM
    assert found.fact(KINDS.COPIED_NUMBERS)
    assert found.shows_original


def test_of_the_original_in_another_order_is_not_asked_whether_it_is_right(people):
    swapped = people.apply(lambda c: c.sample(frac=1, random_state=len(c.name)).to_numpy())
    before, after = (table_from_frame(frame, name="t") for frame in (people, swapped))
    assert file_facts(before, after).fact(KINDS.ORIGINAL) is None


def test_a_sample_of_the_rows_counts_for_no_more_than_it_is_worth(monkeypatch):
    for module in (facts_module, same_rows):
        monkeypatch.setattr(module, "ROWS_LOOKED_UP", 200)
    asked = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        before, after = (
            table_from_frame(pd.DataFrame(rng.integers(0, 50, (5_000, 4)), columns=list("abcd")))
            for _ in range(2)
        )
        near = file_facts(before, after).fact(KINDS.ALL_BUT_ONE)
        assert 200 < near.expected < 4_500
        asked += near.weight is Weight.ASK
    assert asked == 0


def test_counts_are_those_of_a_plain_comparison(people, facts):
    before = set(people.astype(str).itertuples(index=False, name=None))
    for name, frame in candidates(people).items():
        rows = list(frame.astype(str).itertuples(index=False, name=None))
        same = sum(row in before for row in rows)
        if name != "D":
            assert facts[name].fact(KINDS.VERBATIM).count == same
        assert facts[name].fact(KINDS.ROWS).count == len(rows)
    coarse = facts["D"].fact(KINDS.VERBATIM_BUT)
    assert (coarse.count, coarse.columns) == (len(people), ("AGEP", "PINCP"))
    new = set(candidates(people)["C"]["PINCP"]) - set(people["PINCP"])
    assert facts["C"].fact(KINDS.NEW_VALUES).count == len(new)


def test_rows_that_are_the_same_but_for_one_column_are_counted_one_by_one(people):
    few = people.head(150)
    frame = candidates(few)["E"].astype(str)
    few = few.astype(str)
    found = file_facts(table_from_frame(few, name="o"), table_from_frame(frame, name="r"))
    alike = (frame.to_numpy()[:, None, :] == few.to_numpy()[None]).sum(axis=2)
    wide = few.shape[1]
    same, near = (alike == wide).any(axis=1), (alike >= wide - 1).any(axis=1)
    assert found.fact(KINDS.VERBATIM).count == same.sum()
    assert found.fact(KINDS.ALL_BUT_ONE).count == (near & ~same).sum()
    assert found.fact(KINDS.UNMATCHED).count == (~(alike >= wide - 1).any(axis=0)).sum()


@pytest.mark.parametrize(
    ("kind", "number", "said"),
    [
        (KINDS.VERBATIM, 0, "no original rows (by chance: hardly any)"),
        (KINDS.VERBATIM_BUT, 0, "no originals, 'age' aside (by chance: hardly any)"),
        (KINDS.VERBATIM_BUT, 7, "7 originals, 'age' aside (by chance: hardly any)"),
        (KINDS.ALL_BUT_ONE, 0, "no rows with one more value changed (by chance: hardly any)"),
        (KINDS.UNMATCHED, 0, "a similar row for all 900 people"),
        (KINDS.UNMATCHED, 5, "5 of 900 people without a similar row"),
    ],
)
def test_no_chip_counts_to_0_or_denies_twice(kind, number, said):
    fact = Fact(kind=kind, count=number, of=900, expected=0.0, columns=("age",))
    assert fact_chip(fact) == said


def test_what_chance_gives_is_what_strangers_have(facts):
    for kind in (KINDS.VERBATIM, KINDS.ALL_BUT_ONE):
        fact = facts["C"].fact(kind)
        assert fact.count == pytest.approx(fact.expected, rel=0.15)


@pytest.mark.parametrize("wide", [2, 3, 5, 9])
def test_verbatim_rows_are_found_with_any_number_of_columns(people, wide):
    columns = ["PINCP", "AGEP", *people.columns.drop(["PINCP", "AGEP"])][:wide]
    before = table_from_frame(people[columns], name="original")
    for name, found in (("B", True), ("C", False)):
        release = table_from_frame(candidates(people)[name][columns], name=name)
        codes = {finding.code for finding in check_tables(before, [release])}
        assert ("copied-rows" in codes) is found, (name, columns)


@pytest.mark.parametrize(
    ("rows", "copied", "found"),
    [(3_000, 100, True), (3_000, 45, False), (100, 3, False), (100, 6, True)],
)
def test_few_copies_count_where_chance_hardly_gives_as_many(rows, copied, found):
    frame = make_people(2 * rows)
    before, strangers = frame.head(rows), frame.tail(rows)
    release = pd.concat([before.head(copied), strangers.tail(rows - copied)])
    release = release.sample(frac=1, random_state=1)
    tables = [table_from_frame(each, name=n) for n, each in {"o": before, "r": release}.items()]
    findings = {finding.code for finding in check_tables(tables[0], [tables[1]])}
    assert ("copied-rows" in findings) is found


def crowd(rows, values, columns, rng):
    """People of whom some are alike by chance: frequent and rare values, in a column or two."""
    shares = 1 / np.arange(1, values + 1)
    drawn = rng.choice(values, (rows, columns), p=shares / shares.sum())
    return pd.DataFrame(drawn, columns=[f"q{number}" for number in range(columns)])


def returned(before, release):
    tables = (table_from_frame(each, name=n) for each, n in ((before, "o"), (release, "r")))
    return facts_module.verbatim(*tables)


@pytest.mark.parametrize(
    ("rows", "copied", "values", "columns"),
    [(4_000, 200, 11, 6), (4_000, 200, 30, 4), (4_000, 400, 9, 6), (8_000, 600, 16, 5)],
)
def test_small_copies_are_told_where_chance_gives_as_many(rows, copied, values, columns):
    rng = np.random.default_rng(1)
    before, strangers = (crowd(rows, values, columns, rng) for _ in range(2))
    release = pd.concat([before.head(copied), strangers.tail(rows - copied)]).sample(
        frac=1, random_state=1
    )
    found = returned(before, release)
    assert found.share < 2 * found.expected
    assert found.beyond_chance
    assert not returned(before, strangers).beyond_chance


def test_no_harmless_pair_has_copies():
    rng = np.random.default_rng(3)
    told = []
    for number in range(210):
        values, columns = rng.integers(3, 40), rng.integers(2, 6)
        rows, others = rng.choice([1_000, 2_000], 2)
        before, release = (crowd(each, values, columns, rng) for each in (rows, others))
        if number % 3 == 1:  # Another mix of the same people
            likelier = np.where(release["q0"] < 2, 2.0, 1.0)
            drawn = rng.choice(others, others // 2, replace=False, p=likelier / likelier.sum())
            release = release.iloc[drawn]
        if number % 3 == 2:  # Independent columns
            release = before.apply(lambda column: rng.permutation(column))
        told.append(returned(before, release).beyond_chance)
    assert not any(told)


def test_many_equal_people_do_not_hide_copies(people):
    """Children and idle people are all alike: whom a row is of is told by the others."""
    child = people[people["AGEP"] == 2].head(1)
    alike = pd.concat([people, *[child] * 1_500], ignore_index=True)
    before = table_from_frame(alike, name="original")
    copied = candidates(alike)["B"]
    fact = file_facts(before, table_from_frame(copied, name="B")).fact(KINDS.VERBATIM)
    assert fact.weight is Weight.ALARM
    assert fact.count >= VERBATIM * len(copied)


def test_a_column_of_row_numbers_is_a_fact():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({name: rng.integers(0, 50, 400) for name in "abc"})
    numbered = frame.assign(row=range(400)).sample(frac=1, random_state=1)
    found = file_facts(table_from_frame(frame, name="o"), table_from_frame(numbered, name="r"))
    assert found.fact(KINDS.ROW_NUMBER).columns == ("row",)
    assert "'row'" in fact_chip(found.fact(KINDS.ROW_NUMBER))


def test_files_without_two_shared_columns_have_their_rows_alone():
    table, other = (table_from_frame(pd.DataFrame({c: range(50)}), name=c) for c in "ab")
    assert [fact.kind for fact in file_facts(table, other).facts] == [KINDS.ROWS]


def test_rows_whose_dates_are_written_otherwise_are_copies():
    rng = np.random.default_rng(1)
    born = pd.Timestamp("1950-01-01") + pd.to_timedelta(rng.integers(0, 20_000, 500), unit="D")
    people = pd.DataFrame({"born": born.strftime("%Y-%m-%d"), "job": rng.choice(list("abc"), 500)})
    written = people.assign(born=born.strftime("%Y%m%d").astype(int))
    tables = (table_from_frame(each, name="t") for each in (people, written))
    (copies,) = (f for f in file_facts(*tables).facts if f.kind is FactKind.VERBATIM)
    assert copies.count == 500
