"""Households suspected from the data: found where they were planted, and nowhere else."""

import numpy as np
import pandas as pd
import pytest

from alc_core.phrasing import split_names
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.households import likely_households
from alc_core.tables.read import table_from_frame
from tests.toys.household_survey import DWELLING, survey


def found(frame: pd.DataFrame, person: str | None = None):
    return likely_households(table_from_frame(frame, name="survey"), person)


def shuffled_apart(frame: pd.DataFrame) -> pd.DataFrame:
    """Give every column an order of its own: the same values, and nobody lives together."""
    rng = np.random.default_rng(8)
    return frame.apply(lambda column: rng.permutation(column.to_numpy()))


@pytest.mark.parametrize("seed", [1, 2])
def test_columns_of_the_dwelling_are_found_whatever_the_order_of_the_rows(seed):
    people = survey(seed=seed)
    households = found(people)
    assert set(households.columns) == {*DWELLING}
    twins = people.duplicated(list(DWELLING), keep=False).sum()
    assert households.rows == pytest.approx(twins, rel=0.02)
    assert households.rows > 0.9 * len(people)
    assert households.pairs > 10 * households.expected
    assert found(people.iloc[::-1].reset_index(drop=True)).columns == households.columns


def test_exact_incomes_are_no_hindrance():
    people = survey()
    homes = people.groupby(list(DWELLING)).ngroup()
    incomes = np.exp(np.random.default_rng(2).normal(10, 1, homes.max() + 1))
    assert set(found(people.assign(income=incomes[homes])).columns) == {*DWELLING}


def test_half_of_the_people_are_enough():
    assert set(found(survey().sample(frac=0.5, random_state=3)).columns) == {*DWELLING}


def test_people_who_live_alone_are_not_suspected():
    people = survey()
    assert found(shuffled_apart(people)) is None
    assert found(people.drop_duplicates(list(DWELLING))) is None


def test_equal_rows_are_no_households():
    alone = shuffled_apart(survey())
    assert found(pd.concat([alone, alone])) is None


def test_few_values_that_many_share_by_chance_are_no_households():
    rng = np.random.default_rng(4)
    cause = rng.integers(0, 4, 3000)
    many = {f"c{n}": (cause + (rng.random(3000) < 0.2) * n) % 3 for n in range(12)}
    assert found(pd.DataFrame(many)) is None


def test_codes_that_follow_from_each_other_are_no_households():
    rng = np.random.default_rng(5)
    place = rng.integers(0, 400, 3000)
    frame = pd.DataFrame({
        "place": place, "name": [f"n{p}" for p in place], "county": place // 10,
        "state": place // 80, "age": rng.integers(0, 90, 3000), "sex": rng.integers(0, 2, 3000),
    })  # fmt: skip
    assert found(frame) is None


def test_the_records_of_one_person_are_no_household():
    alone = shuffled_apart(survey(households=300)).assign(person=lambda f: np.arange(len(f)))
    visits = pd.concat([alone, alone]).reset_index(drop=True)
    visits["age"] = np.random.default_rng(6).integers(0, 90, len(visits))
    visits["job"] = np.random.default_rng(7).integers(0, 15, len(visits))
    visits["school"] = np.random.default_rng(9).integers(0, 15, len(visits))
    assert found(visits) is not None
    assert found(visits, "person") is None


def test_the_check_counts_them_and_says_what_to_do():
    people = survey()
    table = table_from_frame(people, name="survey")
    release = table_from_frame(people.head(500), name="release")

    def told(**grouping):
        found = check_tables(table, [release], **grouping)
        return [finding for finding in found if finding.code == "maybe-household"]

    (finding,) = told()
    numbers = dict(finding.numbers)
    (offer,) = finding.offers
    assert (offer.option, set(split_names(offer.value))) == ("household", {*DWELLING})
    assert numbers["share"] == numbers["rows"] / len(people)
    assert numbers["pairs"] > numbers["expected"]
    assert finding.message.endswith("others, like households.")
    assert told(household=split_names(offer.value)) == []
    absent = check_tables(table, [release], household=("region", "town"))
    assert [f.column for f in absent if f.code == "grouping-column"] == ["town"]
