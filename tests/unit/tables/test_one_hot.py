"""Columns of yes and no that are put together as the original's column."""

import re

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.names import fitting, with_same_columns
from alc_core.tables.one_hot import one_hot_sets
from alc_core.tables.read import table_from_frame
from alc_core.tables.values.texts import canonical_labels

N = 800
RNG = np.random.default_rng(3)
PEOPLE = pd.DataFrame(
    {
        "age": RNG.integers(18, 90, N),
        "marital": RNG.choice(["Never-married", "Married", "Widowed"], N, p=[0.4, 0.5, 0.1]),
        "sex": RNG.choice(["female", "male"], N),
        "income": RNG.choice(["<=50K", ">50K"], N, p=[0.7, 0.3]),
        "educ": RNG.choice([1, 2, 3], N),
        "city": RNG.choice(["Köln", "Bonn", "Ulm"], N),
    }
)
ORIGINAL = table_from_frame(PEOPLE, name="o").with_kinds({"educ": "categorical"})


def flags(column, name, *, drop=0, yes=1, no=0, frame=PEOPLE):
    labels = sorted(frame[column].unique())[drop:]
    return {name(label): np.where(frame[column] == label, yes, no) for label in labels}


def read(columns, *gone, same=None):
    release = table_from_frame(PEOPLE.drop(columns=list(gone)).assign(**columns), name="r")
    return with_same_columns(ORIGINAL, release, same or {})


def r_name(text):
    return re.sub(r"[^\w.]", ".", text)


def clean(text):
    return re.sub(r"\W+", "_", text.replace("ö", "o")).strip("_").lower()


NAMES = {
    "pandas": "{}_{}".format,
    "dummies of R": "{}{}".format,
    "dot": "{}.{}".format,
    "minus": "{}-{}".format,
    "colon": "{}: {}".format,
    "space": "{} {}".format,
    "equals": "{}={}".format,
    "brackets": "{}[{}]".format,
    "formula": "C({})[T.{}]".format,
    "pipeline": "cat__{}_{}".format,
    "names of R": lambda c, v: r_name(f"{c}.{v}"),
    "clean names": lambda c, v: clean(f"{c}_{v}"),
    "upper case": lambda c, v: f"{c}_{v}".upper(),
}


@pytest.mark.parametrize("drop", [0, 1])
@pytest.mark.parametrize("column", ["marital", "sex", "educ", "city"])
@pytest.mark.parametrize("style", NAMES)
def test_they_are_put_together(style, column, drop):
    columns = flags(column, lambda label: NAMES[style](column, label), drop=drop)
    found = read(columns, column)
    assert set(found.columns) == set(PEOPLE)
    assert found.frame[column].astype(str).tolist() == PEOPLE[column].astype(str).tolist()
    assert list(found.same_columns.values()) == [column]


@pytest.mark.parametrize(
    ("yes", "no"), [(True, False), (1.0, 0.0), ("True", "False"), ("yes", "no"), (0.93, 0.02)]
)
def test_yes_is_written_in_several_ways(yes, no):
    found = read(flags("city", "city_{}".format, yes=yes, no=no), "city")
    assert found.frame["city"].tolist() == PEOPLE["city"].tolist()


@pytest.mark.parametrize("style", ["pandas", "equals", "dummies of R"])
def test_labels_that_differ_in_signs_only(style):
    columns = flags("income", lambda label: NAMES[style]("income", label))
    assert read(columns, "income").frame["income"].tolist() == PEOPLE["income"].tolist()


@pytest.mark.parametrize("prefix", ["mar_", "m.", ""])
def test_a_short_name_does_where_the_labels_say_it(prefix):
    found = read(flags("marital", lambda label: f"{prefix}{label}"), "marital")
    assert found.frame["marital"].tolist() == PEOPLE["marital"].tolist()


def test_a_column_for_no_value():
    missing = RNG.random(N) < 0.1
    people = PEOPLE.assign(city=PEOPLE["city"].mask(missing))
    release = pd.get_dummies(people, columns=["city"], dummy_na=True)
    original = table_from_frame(people, name="o")
    found = with_same_columns(original, table_from_frame(release, name="r"), {})
    assert found.frame["city"].isna().tolist() == missing.tolist()


def test_a_few_unclear_rows_have_no_value():
    columns = flags("city", "city_{}".format)
    columns["city_Bonn"][:10] = 1
    columns["city_Ulm"][:10] = 1
    found = read(columns, "city")
    assert found.frame["city"][:10].isna().all()
    assert found.frame["city"][10:].tolist() == PEOPLE["city"][10:].tolist()


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_many_unclear_rows_are_asked_about(share):
    columns = flags("city", "city_{}".format)
    for name, values in columns.items():
        rows = RNG.random(N) < share
        columns[name] = np.where(rows, RNG.permutation(values), values)
    release = table_from_frame(PEOPLE.drop(columns="city").assign(**columns), name="r")
    assert with_same_columns(ORIGINAL, release, {}) is release
    (found,) = one_hot_sets(ORIGINAL, release)
    assert (found.certain, found.unclear > 0.05) == (False, True)
    text = found.sources["city"].text
    taken = with_same_columns(ORIGINAL, release, {text: "city"})
    assert (taken.frame["city"] == PEOPLE["city"]).mean() > 0.5


@pytest.mark.parametrize(
    "columns",
    [
        {f"city_{name}": RNG.integers(0, 2, N) for name in ("Köln", "Bonn", "Ulm")},
        {f"risk_{name}": RNG.integers(0, 2, N) for name in ("low", "high")},
        {f"symptom_{n}": RNG.integers(0, 2, N) for n in range(3)},
        {"city_Köln": RNG.integers(0, 90, N), "city_Bonn": RNG.integers(0, 90, N)},
        flags("sex", lambda label: f"parent_{label}", frame=PEOPLE.sample(frac=1)),
    ],
    ids=["several answers", "other labels", "numbered", "amounts", "another's"],
)
def test_other_columns_stay(columns):
    gone = ("city", "sex")
    found = read(columns, *gone)
    assert not {*gone} & {*found.columns}


def test_columns_said_to_be_their_own_stay_and_may_be_put_together_again():
    columns = flags("sex", "sex_{}".format)
    release = table_from_frame(PEOPLE.drop(columns="sex").assign(**columns), name="r")
    said = {"sex_male": "sex_male"}
    assert fitting(ORIGINAL, release, said) == said
    apart = with_same_columns(ORIGINAL, release, said)
    assert apart.same_columns == said
    assert with_same_columns(ORIGINAL, apart, {}) is apart
    assert "sex" in with_same_columns(ORIGINAL, release, {}).columns


@pytest.mark.parametrize(("yes", "no"), [(1, 0), (True, False), ("yes", "no")])
@pytest.mark.parametrize("drop", [0, 1])
def test_an_original_has_them_of_a_released_column(yes, no, drop):
    columns = flags("city", "city_{}".format, yes=yes, no=no, drop=drop)
    people = PEOPLE.drop(columns="city").assign(**columns)
    original = table_from_frame(people, name="o")
    found = with_same_columns(original, table_from_frame(PEOPLE, name="r"), {})
    assert set(found.columns) == set(people)
    for name in columns:
        assert (
            canonical_labels(found.frame[name]).tolist() == canonical_labels(people[name]).tolist()
        )
    again = with_same_columns(original, table_from_frame(PEOPLE, name="r"), found.same_columns)
    assert again.same_columns == found.same_columns
