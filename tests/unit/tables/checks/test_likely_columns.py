"""Which columns of a release are likely to be the original's under other names."""

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.columns import likely_columns
from alc_core.tables.checks.finding import Offer
from alc_core.tables.read import table_from_frame

N = 1_500
RNG = np.random.default_rng(4)
PEOPLE = pd.DataFrame(
    {
        "age": RNG.integers(17, 91, N),
        "pay": RNG.lognormal(10, 1, N),
        "gain": np.where(RNG.random(N) < 0.8, 0.0, RNG.lognormal(8, 1, N)),
        "children": RNG.choice([0, 1, 2, 3, 4], N, p=[0.5, 0.2, 0.2, 0.05, 0.05]),
        "rooms": RNG.choice([0, 1, 2, 3, 4], N, p=[0.05, 0.1, 0.3, 0.4, 0.15]),
        "smokes": RNG.choice(["no", "yes"], N, p=[0.7, 0.3]),
        "job": RNG.choice(["nurse", "teacher", "baker", "cook"], N, p=[0.4, 0.3, 0.2, 0.1]),
        "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(RNG.integers(0, 900, N), unit="D"),
    }
)
KINDS = {"children": "categorical", "rooms": "categorical"}


def likely(names, frame=None, original=PEOPLE):
    released = (PEOPLE if frame is None else frame).rename(columns=names)
    found = likely_columns(
        table_from_frame(original, name="o").with_kinds(
            {column: kind for column, kind in KINDS.items() if column in original.columns}
        ),
        table_from_frame(released, name="r"),
    )
    return {each.column: each.of for each in found}


def noised(share=1.0):
    """Values swapped within each column, numbers with noise besides."""
    frame = PEOPLE.apply(lambda column: RNG.permutation(column.to_numpy()))
    return frame.assign(
        age=frame["age"] + RNG.normal(0, 4, N),
        pay=frame["pay"].astype(float) * RNG.normal(1, 0.1, N),
        day=pd.to_datetime(frame["day"]) + pd.to_timedelta(RNG.integers(-9, 9, N), unit="D"),
    )


ALL = {column: f"v{number}" for number, column in enumerate(PEOPLE.columns)}


@pytest.mark.parametrize("frame", [PEOPLE, noised()], ids=["as it was", "swapped and noised"])
def test_all_columns_are_found_by_their_values(frame):
    assert likely(ALL, frame) == {name: column for column, name in ALL.items()}


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("age", RNG.integers(1, 60, N)),
        ("pay", RNG.lognormal(10.5, 1, N)),
        ("gain", np.where(RNG.random(N) < 0.78, 0.0, RNG.lognormal(6, 1, N))),
        ("children", PEOPLE["rooms"]),
        ("smokes", RNG.choice(["no", "yes"], N, p=[0.4, 0.6])),
        ("job", RNG.choice(["north", "south", "east"], N)),
        ("job", "nurse"),
        ("age", None),
    ],
)
def test_another_column_is_not_taken_for_the_one_that_is_gone(column, values):
    assert likely({column: "other"}, PEOPLE.assign(**{column: values})) == {}


def test_near_names_count_first():
    names = {"pay": "Pay_", "job": "jobs", "age": "pays"}
    assert likely(names) == {"Pay_": "pay", "jobs": "job", "pays": "age"}
    years = PEOPLE.rename(columns={"age": "income 2019"})
    assert likely({"income 2019": "income 2020"}, years.assign(**{"income 2019": "x"}), years) == {}


def test_one_released_column_is_suggested_once():
    original = PEOPLE.assign(job2=np.where(RNG.random(N) < 0.1, "baker", PEOPLE["job"]))
    assert likely({"job": "work"}, original.drop(columns="job2"), original) == {"work": "job"}
    found = check_tables(
        table_from_frame(original, name="o"),
        [table_from_frame(PEOPLE.rename(columns={"job": "work"}), name="r")],
    )
    missing = {f.column: f.offers for f in found if f.code == "missing-column"}
    assert missing == {"job": (Offer("same", "work=job"),), "job2": ()}
    assert {f.severity for f in found if f.code == "missing-column"} == {"question", "info"}


def test_of_two_that_are_alike_nothing_is_said():
    original = PEOPLE.assign(job2=RNG.permutation(PEOPLE["job"]))
    released = original.apply(lambda column: RNG.permutation(column.to_numpy()))
    assert likely({"job": "work"}, released.drop(columns="job2"), original) == {}
    assert likely({"job": "a", "job2": "b"}, released, original) == {}


def test_rows_that_are_the_same_say_which_one_it_is():
    original = PEOPLE.assign(job2=RNG.permutation(PEOPLE["job"]))
    assert likely({"job": "a", "job2": "b"}, original, original) == {"a": "job", "b": "job2"}


def test_identifiers_are_not_suggested_by_their_values():
    original = PEOPLE.assign(pid=np.arange(N))
    released = PEOPLE.assign(row=np.arange(N))
    table = table_from_frame(original, name="o").with_kinds({"pid": "identifier"})
    assert likely_columns(table, table_from_frame(released, name="r")) == ()


def test_a_release_without_one_name_in_common_is_told_which_they_are():
    released = table_from_frame(PEOPLE.rename(columns=ALL), name="r")
    (error,) = (
        f
        for f in check_tables(table_from_frame(PEOPLE, name="o"), [released])
        if f.code == "no-common-columns"
    )
    assert Offer("same", "v6=job") in error.offers
    assert {"option": "same", "value": "v6=job"} in error.to_dict()["offers"]
