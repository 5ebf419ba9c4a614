import datetime as dt
import re

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.kinds import infer_kind, infer_kinds, looks_like_identifier
from alc_core.tables.table import ColumnKind

RNG = np.random.default_rng(0)
SHUFFLED = RNG.permutation(100)
LARGE = RNG.choice(10**6, 100, replace=False)


@pytest.mark.parametrize(
    ("values", "name", "kind", "reason"),
    [
        ([True, False], "x", "categorical", "true or false"),
        (pd.Series([True, None], dtype=object), "x", "categorical", "true or false"),
        ([1, 2, 2], "x", "categorical", "2 distinct whole numbers"),
        (np.arange(74) % 37, "x", "continuous", "37 distinct whole numbers"),
        (np.arange(40) / 8, "x", "continuous", "40 distinct numbers"),
        (RNG.normal(size=6000), "x", "continuous", "more than 20 distinct numbers"),
        (np.tile([1.5, 2.5], 3000), "x", "categorical", "2 distinct numbers"),
        (["1", "2", "1"], "x", "categorical", "2 distinct whole numbers, stored as text"),
        ([f"{k}.5" for k in range(30)], "x", "continuous", "30 distinct numbers, stored as text"),
        (["01234", "01235"] * 9, "zip", "categorical", "2 distinct labels"),
        (SHUFFLED, "x", "identifier", "100 whole numbers in sequence, each once"),
        (SHUFFLED[:40], "x", "continuous", "40 distinct whole numbers"),
        (LARGE, "x", "continuous", "100 distinct whole numbers"),
        (LARGE, "person_id", "identifier", "named like an identifier, 100 whole"),
        (np.repeat(LARGE, 3), "patientId", "identifier", "named like an identifier, 100 distinct"),
        (np.repeat(np.arange(50), 30), "state_id", "continuous", "50 distinct whole numbers"),
        ([f"u{k}" for k in range(60)], "x", "identifier", "60 distinct labels in 60 rows"),
        ([f"u{k}" for k in range(40)], "x", "categorical", "40 distinct labels"),
        ([f"u{k % 70}" for k in range(140)], "e-mail", "identifier", "named like an identifier"),
        (["2020-01-31", "2021-01-01"], "x", "datetime", r"text with dates \(year-month-day\)"),
        (["31.1.2020 10:00", "1.2.2021 11:30"], "x", "datetime", r"\(day.month.year time\)"),
        (pd.to_datetime(["2020-01-31", "2021-01-01"]), "x", "datetime", "dates or times"),
        ([dt.date(2020, 1, 1), dt.date(2020, 1, 2)], "x", "datetime", "dates or times"),
        (pd.PeriodIndex(["2020", "2021"], freq="Y"), "x", "datetime", "dates or times"),
        ([None, None], "x", "ignore", "all values are missing"),
        (["", " "], "x", "ignore", "all values are missing or blank"),
        ([np.inf, np.nan], "x", "ignore", "no finite number"),
        ([7, 7, 7], "x", "categorical", "constant: a single number"),
        (["7", "7"], "x", "categorical", "constant: a single number, stored as text"),
        (["a", "a", None], "x", "categorical", "constant: a single label"),
        (pd.to_datetime(["2020-01-31"] * 2), "x", "categorical", "constant: a single value"),
        (pd.Categorical(["a", "b"]), "x", "categorical", "2 distinct labels"),
        (pd.Series([1, 2.5, None], dtype=object), "x", "categorical", "2 distinct numbers"),
        (pd.Series([1, "a", None], dtype=object), "x", "categorical", "2 distinct labels"),
    ],
)  # fmt: skip
def test_infer_kind(values, name, kind, reason):
    guess = infer_kind(pd.Series(values, name=name))
    assert guess.kind == ColumnKind(kind)
    assert re.search(reason, guess.reason)


def test_empty_frame():
    assert infer_kind(pd.Series([], dtype=float)).kind is ColumnKind.IGNORE


def test_infer_kinds_keeps_the_order():
    assert list(infer_kinds(pd.DataFrame({"b": [1], "a": [2]}))) == ["b", "a"]


@pytest.mark.parametrize(
    "name", ["id", "ID", "customer_id", "CustomerID", "uuid", "SSN", "passport_no", "e-mail",
             "phone", "IBAN", "full name", "Nachname", "record_key"],
)  # fmt: skip
def test_identifier_names(name):
    assert looks_like_identifier(name)


@pytest.mark.parametrize("name", ["age", "paid", "idle", "hybrid", "country", "income", "notes"])
def test_other_names(name):
    assert not looks_like_identifier(name)


def test_a_million_rows_are_fast():
    import time

    frame = pd.DataFrame({f"x{k}": RNG.normal(size=1_000_000) for k in range(5)})
    start = time.perf_counter()
    infer_kinds(frame)
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize("name", ["zip", "ZipCode", "postal_code", "PLZ", "icd10", "job code"])
def test_numbers_named_like_codes_have_no_distance(name):
    guess = infer_kind(pd.Series(np.arange(400) % 90 + 10_000, name=name))
    assert guess.kind is ColumnKind.CATEGORICAL
    assert "named like a code" in guess.reason


def test_other_names_do_not_look_like_codes():
    guess = infer_kind(pd.Series(np.arange(400) % 90, name="encoded_age"))
    assert guess.kind is ColumnKind.CONTINUOUS
