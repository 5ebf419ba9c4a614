import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import ColumnError, InputError
from alc_core.tables.names import fitting, with_same_columns
from alc_core.tables.recode import read_source

PEOPLE = pd.DataFrame(
    {
        "age": [30, 41, 52, 63],
        "income": [1000.0, 2000.5, 3000.0, 40000.0],
        "sex": [1, 2, 2, 1],
        "job": ["a, b", "c: d", "a, b", 'e "f"'],
        "born": pd.to_datetime(["1990-01-31", "1980-02-29", "1970-12-01", "1960-06-15"]),
    }
)
ORIGINAL = alc.table_from_frame(PEOPLE, name="people").with_kinds(
    {"age": "continuous", "income": "continuous", "born": "datetime"}
)


def read(same, **columns):
    release = alc.table_from_frame(PEOPLE.assign(**columns), name="release")
    return with_same_columns(ORIGINAL, release, same)


CODED = [
    ("income / 1.08", {"income": PEOPLE["income"] * 1.08}),
    ("income * 100", {"income": PEOPLE["income"] / 100}),
    ("age - 5", {"age": PEOPLE["age"] + 5}),
    ("age * -1 + 99", {"age": 99 - PEOPLE["age"]}),
    ("age - 32 / 1.8", {"age": PEOPLE["age"] * 1.8 + 32}),
    ("log income", {"income": np.log(PEOPLE["income"])}),
    ("log income / 2", {"income": np.log(2 * PEOPLE["income"])}),
    ('sex {"1": "2", "2": "1"}', {"sex": 3 - PEOPLE["sex"]}),
    ('sex {"f": "2", "m": "1"}', {"sex": PEOPLE["sex"].map({1: "m", 2: "f"})}),
    (
        'job {"a, b": "c: d", "c: d": "e \\"f\\"", "e \\"f\\"": "a, b"}',
        {"job": PEOPLE["job"].map({"c: d": "a, b", 'e "f"': "c: d", "a, b": 'e "f"'})},
    ),
    ("age codes", {"age": [1, 2, 3, 4]}),
    ("age codes from 0", {"age": [0, 1, 2, 3]}),
    ("income ranks", {"income": [0.1, 0.2, 0.3, 0.4]}),
    ("income ranks down", {"income": [9, 8, 7, 6]}),
    ("born - 47", {"born": PEOPLE["born"] + pd.Timedelta(days=47)}),
    ("born codes", {"born": [4, 3, 2, 1]}),
]


@pytest.mark.parametrize(("text", "columns"), CODED, ids=[text for text, _ in CODED])
def test_values_are_those_of_the_original_again(text, columns):
    (column,) = columns
    found = read({text: column}, **columns)
    assert found.columns == ORIGINAL.columns
    assert found.frame[column].tolist() == PEOPLE[column].tolist()
    assert dict(found.same_columns) == {text: column}
    assert read_source(text, ORIGINAL.columns).text == text


def test_one_of_several_columns():
    flags = {"sex_1": [1, 0, 0, 1], "sex_2": [False, True, True, False]}
    release = alc.table_from_frame(PEOPLE.drop(columns="sex").assign(**flags), name="r")
    text = 'one of {"sex_1": "1", "sex_2": "2"}'
    found = with_same_columns(ORIGINAL, release, {text: "sex"})
    assert found.frame["sex"].tolist() == ["1", "2", "2", "1"]
    assert found.columns == ("age", "income", "job", "born", "sex")
    fewer = with_same_columns(ORIGINAL, release, {'one of {"sex_2": "2", "": "1"}': "sex"})
    assert fewer.frame["sex"].tolist() == ["1", "2", "2", "1"]
    both = release.frame.assign(sex_2=[1, None, 1, 0], sex_1=[1, 0, 0, 0])
    unclear = with_same_columns(ORIGINAL, alc.table_from_frame(both, name="r"), {text: "sex"})
    assert unclear.frame["sex"].fillna("").tolist() == ["", "", "2", ""]


def test_what_does_not_fit_is_refused():
    for text in ("income / 0", "income /", "income {1}", "wage / 2", 'one of {"x": "y"}'):
        with pytest.raises(ColumnError, match="is not in 'release'"):
            read({text: "income"})
    with pytest.raises(InputError, match="has no numbers or dates"):
        read({"job / 2": "age", "age": "job"})
    with pytest.raises(InputError, match="both use the column 'age'"):
        read({"age / 2": "age", "age": "income"})
    with pytest.raises(InputError, match="which the release has"):
        read({"age / 2": "income"})
    once = read({"income / 2": "income"})
    with pytest.raises(InputError, match="Give both at once"):
        with_same_columns(ORIGINAL, once, {"income / 2": "income"})
    assert fitting(ORIGINAL, once, {"income / 2": "income", "wage": "age"}) == {
        "income / 2": "income"
    }


def test_a_name_that_looks_like_a_coding_is_a_name():
    frame = PEOPLE.rename(columns={"income": "pay / 2"})
    release = alc.table_from_frame(frame, name="r")
    found = with_same_columns(ORIGINAL, release, {"pay / 2": "income"})
    assert found.frame["income"].tolist() == PEOPLE["income"].tolist()


@pytest.mark.parametrize(
    ("released", "first"),
    [
        (["30", "40", "49", "60"], "[1989-07-01; 1990-06-30]"),
        (["30-39", "40-49", "40-49", "60+"], "[1980-07-01; 1990-06-30]"),
        (["under 40", "40 to 49", "[45,50)", "60 and over"], "[1980-07-01; ]"),
    ],
)
def test_ages_stand_for_the_dates_of_birth_that_they_allow(released, first):
    frame = PEOPLE.drop(columns=["born", "age"]).assign(years=released)
    release = alc.table_from_frame(frame, name="r")
    found = with_same_columns(ORIGINAL, release, {"years as age on 2020-06-30": "born"})
    assert found.frame["born"][0] == first
    covers = alc.column_sets(ORIGINAL, found)["born"].sets
    days = PEOPLE["born"].to_numpy().astype("M8[D]").astype(int)
    assert all(day in covers[label] for day, label in zip(days, found.frame["born"], strict=True))


def test_dates_of_birth_are_ages_on_a_day():
    frame = PEOPLE.drop(columns="age").rename(columns={"born": "day"})
    release = alc.table_from_frame(frame, name="r")
    found = with_same_columns(ORIGINAL, release, {"day as age on 2020-06-30": "age"})
    assert found.frame["age"].tolist() == [30, 40, 49, 60]
    with pytest.raises(InputError, match="has no dates"):
        with_same_columns(ORIGINAL, release, {"job as age on 2020-06-30": "age"})
    assert read_source("day as age on 2020-13-01", ["day"]) is None


def test_one_column_may_be_several_of_the_original():
    original = alc.table_from_frame(pd.DataFrame({"m": [1, 0], "f": [0, 1]}), name="o")
    release = alc.table_from_frame(pd.DataFrame({"sex": ["f", "m"]}), name="r")
    same = {'sex {"f": "0", "m": "1"}': "m", 'sex {"f": "1", "m": "0"}': "f"}
    found = with_same_columns(original, release, same)
    assert found.frame[["m", "f"]].to_numpy().tolist() == [[0, 1], [1, 0]]
