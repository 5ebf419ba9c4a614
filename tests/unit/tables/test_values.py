import datetime as dt
import decimal
import re
import time

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.kinds import infer_kind, infer_kinds, looks_like_identifier
from alc_core.tables.labels.notation import read_label
from alc_core.tables.table import ColumnKind
from alc_core.tables.value_sets import Domain
from alc_core.tables.values.dates import date_format, datetime_values, iso_day
from alc_core.tables.values.generalized import generalized_mask, is_generalized, may_be_generalized
from alc_core.tables.values.texts import (
    canonical_labels,
    is_text,
    label_codes,
    label_counts,
    numeric_values,
    parse_numbers,
)


def labels(values, **options):
    return canonical_labels(pd.Series(values, **options)).tolist()


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        [1.0, 2.0],
        ["1", "2"],
        ["1.0", "2.00"],
        [" 1", "+2"],
        np.array([1, 2], dtype=np.int8),
        np.array([1, 2], dtype=np.float32),
        pd.array([1, 2], dtype="Int64"),
        [decimal.Decimal("1.0"), decimal.Decimal(2)],
        pd.Categorical([1, 2]),
        pd.Categorical(["1", "2.0"]),
    ],
)
def test_the_same_number_gets_the_same_label(values):
    assert labels(values) == ["1", "2"]


def test_labels_of_text_codes_booleans_and_missing_values():
    given = ["007", "01234", " x y ", "", "  ", None, "NA", "?", "-0", "1e3", "1.", ".5"]
    expected = ["007", "01234", "x y", None, None, None, "NA", "?", "0", "1e3", "1.", "0.5"]
    assert labels(given) == expected
    assert labels([True, False]) == ["True", "False"]
    assert labels([np.nan, 0.1, 1e300, np.inf]) == [None, "0.1", "1e+300", "inf"]
    assert labels(pd.array([1, None], dtype="Int64")) == ["1", None]


def test_true_and_one_stay_apart_in_a_mixed_column():
    assert labels([True, 1, 1.0, "1", None, b"x"], dtype=object) == [
        "True",
        "1",
        "1",
        "1",
        None,
        "x",
    ]


def test_long_numbers_keep_their_digits():
    assert labels([12345678901234567]) == ["12345678901234567"]
    assert labels(["123456789012345678901"]) == ["123456789012345678901"]


def test_single_precision_prints_as_written():
    single = pd.Series(np.array([0.1, 2.5], dtype=np.float32))
    assert canonical_labels(single).tolist() == ["0.1", "2.5"]
    assert numeric_values(single).tolist() == [0.1, 2.5]


def test_labels_of_dates_are_iso():
    assert labels(pd.to_datetime(["2020-01-02", None])) == ["2020-01-02", None]
    assert labels(pd.to_datetime(["2020-01-02 10:30"])) == ["2020-01-02T10:30:00"]
    assert labels([dt.date(2020, 1, 2)]) == ["2020-01-02"]
    zoned = pd.Series(pd.to_datetime(["2020-01-02 01:00"]).tz_localize("Europe/Berlin"))
    assert canonical_labels(zoned).tolist() == ["2020-01-02"]


def test_labels_keep_index_and_name():
    series = pd.Series(["a"], index=[7], name="job")
    assert canonical_labels(series).index.tolist() == [7]
    assert canonical_labels(series).name == "job"


def test_label_counts_merge_spellings_and_leave_out_missing():
    counts = label_counts(pd.Series(["1", "1.0", "b", None, ""]))
    assert counts.to_dict() == {"1": 2, "b": 1}


def test_label_counts_leave_out_unused_categories():
    assert label_counts(pd.Series(pd.Categorical(["a"], categories=["a", "b"]))).to_dict() == {
        "a": 1
    }


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "2.5", "3,5", "x", "", None], [1, 2.5, 3.5, np.nan, np.nan, np.nan]),
        ([True, False], [1, 0]),
        ([1.0, np.inf, -np.inf, np.nan], [1, np.nan, np.nan, np.nan]),
        (["inf", "1_000", "0x10", "\uff11"], [np.nan] * 4),
        (pd.array([1, None], dtype="Int64"), [1, np.nan]),
        (pd.array([True, None], dtype="boolean"), [1, np.nan]),
        (
            pd.Series([1, "2", None, decimal.Decimal(3), b"4"], dtype=object),
            [1, 2, np.nan, 3, np.nan],
        ),
        (pd.to_datetime(["2020-01-01"]), [np.nan]),
        (pd.to_timedelta(["36h"]), [1.5]),
        (pd.Categorical(["2", "3"]), [2, 3]),
    ],
)
def test_numeric_values(values, expected):
    np.testing.assert_array_equal(numeric_values(pd.Series(values)), np.array(expected, float))


def test_numbers_in_text_are_parsed_exactly():
    texts = [repr(x) for x in np.random.default_rng(0).normal(size=1000).tolist()]
    assert parse_numbers(texts).tolist() == [float(text) for text in texts]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["2020-01-31"], "%Y-%m-%d"),
        (["2020-01-31T10:00:00Z"], "%Y-%m-%dT%H:%M:%S%z"),
        (["2020-01-31 10:00:00.5"], "%Y-%m-%d %H:%M:%S.%f"),
        (["31.01.2020", "1.2.2020"], "%d.%m.%Y"),
        (["31/01/2020"], "%d/%m/%Y"),
        (["01/31/2020", "01/02/2020"], "%m/%d/%Y"),
        (["01/02/2020"], "%d/%m/%Y"),
        (["31JAN2020"], "%d%b%Y"),
        (["January 31, 2020"], "%B %d, %Y"),
        (["2020-01"], "%Y-%m"),
        (["31JAN2020:08:30:00", "01FEB2020:23:59:59"], "%d%b%Y:%H:%M:%S"),
        (["2020.01.31", "2020.2.1"], "%Y.%m.%d"),
        (["20200131T083000"], "%Y%m%dT%H%M%S"),
        (["1.0.1", "2.3.4"], None),
        (["2020-01-31", "31.01.2020"], None),
        (["2020-01-31", "unknown"], None),
        (["12", "13"], None),
        (["20200131"], None),
        ([], None),
    ],
)
def test_date_format(texts, expected):
    assert date_format(texts) == expected


@pytest.mark.parametrize(
    "values",
    [
        ["1970-01-02", None],
        ["02.01.1970", None],
        [dt.date(1970, 1, 2), None],
        pd.to_datetime(["1970-01-02", None]),
        pd.to_datetime(["1970-01-02", None]).tz_localize("UTC"),
        pd.Categorical(["1970-01-02", None]),
        pd.PeriodIndex(["1970-01-02", None], freq="D"),
    ],
)
def test_datetime_values_are_days_since_1970(values):
    np.testing.assert_array_equal(datetime_values(pd.Series(values)), [1.0, np.nan])


def test_datetime_values_need_one_format_or_the_given_one():
    mixed = pd.Series(["02.01.1970", "1970-01-03"])
    assert np.isnan(datetime_values(mixed)).all()
    np.testing.assert_array_equal(datetime_values(mixed, format="%d.%m.%Y"), [1.0, np.nan])
    assert np.isnan(datetime_values(pd.Series([1, 2]))).all()
    assert np.isnan(datetime_values(pd.Series([True]))).all()


def test_labels_of_moments_are_read_whether_they_are_midnight_or_not():
    written = ["1970-01-02 00:00", "1970-01-03 12:00", "1970-01-04 00:00"]
    moments = pd.Series(pd.to_datetime(written))
    labels = pd.Series([*canonical_labels(moments), "1970-01-05T00:00:00.500000", "?"])
    days = datetime_values(labels)
    np.testing.assert_allclose(days, [1.0, 2.5, 3.0, 4.0 + 0.5 / 86_400, np.nan])
    half = canonical_labels(pd.Series(pd.date_range("2020-01-01", periods=40, freq="12h")))
    assert not np.isnan(datetime_values(half)).any()
    assert np.isnan(datetime_values(pd.Series(["1970-01-02", "a", "b", "c"]))).all()


def test_years_of_two_digits_are_those_of_births():
    written = pd.Series(["12.03.30", "29.02.40", "29.02.68", None, "01.01.69", "12.03.05"])
    days = datetime_values(written)
    years = [None if np.isnan(day) else iso_day(day) for day in days]
    assert years == ["2030-03-12", "1940-02-29", "1968-02-29", None, "1969-01-01", "2005-03-12"]


def test_dates_far_from_today():
    days = datetime_values(pd.Series(["1066-10-14", "2999-12-31"]))
    assert days[0] < 0 < days[1]


@pytest.mark.parametrize(
    "label",
    ["20-29", "[20, 30)", "(20;30]", "20 to 29", "20 bis 29", ">=65", "65+", "481**", "*", "<20",
     "≤ 5", "under 18", "65 and over", "[65, inf)", "20\u201329", "$20,000 - $29,999", "20k-30k",
     "1000-1999", "500-1499", "05-12", "-10 to -5", "{nurse, clerk}", "Hus**", "4*", "2019-2020",
     "0-17 years", "65 years and over", "*****", "20 to under 30", "20-<30", "30 bis unter 40",
     "65 plus", "80 & over", "[80-Inf)", "1980-1984", "older than 65", "hasta 30", "from 65",
     "20 and below", "20 ou moins"],
)  # fmt: skip
def test_generalized_values(label):
    assert is_generalized(label)


@pytest.mark.parametrize(
    "label",
    ["2020-01-02", "31-12-2020", "01/02/2020", "-5", "-5.5", "555-1234", "0171-2345678",
     "123-45-6789", "01234-5678", "Self-emp-not-inc", "7th-8th", "A+", "0+", "well-known", "29-20",
     "2020-12", "1-2020", "5 a", "", "[]", "C++", "a*", "12", "1e5", "B-52", "(none)", "10"],
)  # fmt: skip
def test_single_values_are_not_generalized(label):
    assert not is_generalized(label)


def test_generalized_mask_ignores_what_is_no_text():
    assert generalized_mask(pd.Index(["1-2", "x"])).tolist() == [True, False]
    assert generalized_mask(pd.Series([1, None], dtype=object)).tolist() == [False, False]


def test_is_text():
    assert is_text(pd.Series(["a", None]))
    assert is_text(pd.Series(pd.Categorical(["a"])))
    assert not is_text(pd.Series([1]))
    assert not is_text(pd.Series([1, "a"], dtype=object))


@pytest.mark.parametrize(
    "series",
    [
        pd.Series([" x", "x", "1.0", None, " ", "1"]),
        pd.Series([" x", "x", "1.0", None, " ", "1"], dtype="category"),
        pd.Series(pd.Categorical(["b", None, "a"], categories=["unused", "a", "b"])),
        pd.Series([3, 1, 3]),
        pd.Series([0.5, np.nan, 1.0]),
        pd.Series([True, None, 1, "x"], dtype=object),
    ],
)
def test_label_codes_stand_for_the_labels_of_the_rows(series):
    codes, found = label_codes(series)
    assert codes.dtype == np.int32
    assert [None if code < 0 else found[code] for code in codes] == canonical_labels(
        series
    ).tolist()
    assert sorted(found) == sorted(set(canonical_labels(series).dropna()))
    assert label_counts(series).to_dict() == canonical_labels(series).value_counts().to_dict()


GENERALIZED = [
    "20-29", "20 \N{EN DASH} 29", "[20, 30)", "(1..5]", "]1;2[", ">=65", "\u226565", " <5", "65+",
    "65 +", "481**", "*", "20 to 29", "20..30", "1...5", "$10k-$20k", "+5 - +9", "-5 - -1",
    "{a,b}", "{1|2}", "under 18", "\N{NO-BREAK SPACE}Under 18", "\u00fcber 65", "bis 5", "ab 5",
    "at least 3", "m\u00e1s de 5", "plus de 5 ans", "5 years or older", "65 ans et plus",
    "1.000-2.000 \u20ac", "** x", "x\n**",
]  # fmt: skip


@pytest.mark.parametrize("label", GENERALIZED)
def test_candidates_for_generalised_values_are_not_missed(label):
    series = pd.Series([label, f" {label} ", None, "P000123", "123456", "12.5", "clerk"])
    found = may_be_generalized(series).tolist()
    assert found[:2] == [True, True] or not is_generalized(label)
    assert found[2:] == [False] * 5


@pytest.mark.parametrize(
    ("label", "of_dates"),
    [("fewer than 20", False), ("jusqu'\u00e0 20", False), ("between 20 and 30", False),
     ("Ages 20-30", False), ("von 20 bis 30", False), ("Jan 2020", True), ("january 2020", True),
     ("Q1 2020", True), (" q1-2020 ", True)],
)  # fmt: skip
def test_candidates_are_all_that_a_notation_reads(label, of_dates):
    values = pd.date_range("2020-01-01", periods=99) if of_dates else range(99)
    domain = Domain(pd.Series(values), numeric=True, of_dates=of_dates)
    assert read_label(label, domain) is not None
    assert may_be_generalized(pd.Series([label])).all()


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
    frame = pd.DataFrame({f"x{k}": RNG.normal(size=1_000_000) for k in range(5)})
    start = time.process_time()  # other work on the machine does not count
    infer_kinds(frame)
    assert time.process_time() - start < 2


@pytest.mark.parametrize("name", ["zip", "ZipCode", "postal_code", "PLZ", "icd10", "job code"])
def test_numbers_named_like_codes_have_no_distance(name):
    guess = infer_kind(pd.Series(np.arange(400) % 90 + 10_000, name=name))
    assert guess.kind is ColumnKind.CATEGORICAL
    assert "named like a code" in guess.reason


def test_other_names_do_not_look_like_codes():
    guess = infer_kind(pd.Series(np.arange(400) % 90, name="encoded_age"))
    assert guess.kind is ColumnKind.CONTINUOUS
