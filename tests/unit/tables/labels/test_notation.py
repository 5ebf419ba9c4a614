"""What released labels cover by their notation."""

import math

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.labels.language import read_set, written_set
from alc_core.tables.labels.notation import read_label
from alc_core.tables.value_sets import ANY, Domain, Interval

AGES = Domain(pd.Series(np.arange(0, 100)), numeric=True)
AMOUNTS = Domain(pd.Series(np.arange(0, 200_000, 500.0)), numeric=True)
RATES = Domain(pd.Series(np.linspace(0, 3, 301)), numeric=True)
TIMES = Domain(
    pd.Series(pd.date_range("2019-01-01", "2021-12-31 23:00", freq="h")),
    numeric=True, of_dates=True,
)  # fmt: skip
DAYS = Domain(pd.Series(pd.date_range("2019-01-01", "2021-12-31")), numeric=True, of_dates=True)


def covered(label, domain):
    """The least and greatest value of the domain that a label covers, and how many."""
    reading = read_label(label, domain)
    assert reading is not None, label
    values = domain.numbers[domain.chosen(reading.value_set)]
    return values.min(), values.max(), len(values)


def days(moment):
    return (pd.Timestamp(moment) - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)


@pytest.mark.parametrize(
    ("label", "low", "high"),
    [
        ("20-39", 20, 39),
        ("20 - 39", 20, 39),
        ("20\u201339", 20, 39),
        ("20 to 29", 20, 29),
        ("20 bis 29", 20, 29),
        ("between 20 and 29", 20, 29),
        ("aged 20-29", 20, 29),
        ("20-29 years", 20, 29),
        ("20..29", 20, 29),
        ("20 to under 30", 20, 29),
        ("20-<30", 20, 29),
        ("30 bis unter 40", 30, 39),
        ("65 plus", 65, 99),
        ("80 & over", 80, 99),
        ("[80-Inf)", 80, 99),
        ("05-09", 5, 9),
        ("[40, 60[", 40, 59),
        ("]40, 60]", 41, 60),
        ("[40, 60)", 40, 59),
        ("(20,30]", 21, 30),
        ("(2e+01,3e+01]", 21, 30),
        ("(19.999, 30.0]", 20, 30),
        ("[20; 30]", 20, 30),
        ("(-inf, 20.0]", 0, 20),
        ("[65, inf)", 65, 99),
        ("[65,[", 65, 99),
        ("65+", 65, 99),
        ("65 +", 65, 99),
        ("65 and over", 65, 99),
        ("65 years and over", 65, 99),
        ("65 und mehr", 65, 99),
        ("under 20", 0, 19),
        ("<20", 0, 19),
        ("<= 5", 0, 5),
        ("\u2264 5", 0, 5),
        (">65", 66, 99),
        (">=65", 65, 99),
        ("over 65", 66, 99),
        ("up to 17", 0, 17),
        ("at least 18", 18, 99),
        ("17 or less", 0, 17),
        ("18 tot en met 24 jaar", 18, 24),
        ("75 jaar en ouder", 75, 99),
        ("jonger dan 18", 0, 17),
        ("75 lat i więcej", 75, 99),
        ("poniżej 18 lat", 0, 17),
        ("25 do 34 lat", 25, 34),
        ("75 yaş ve üzeri", 75, 99),
        ("75 anni e oltre", 75, 99),
        ("39-39", 39, 39),
        ("30s", 30, 39),
        ("3*", 30, 39),
        ("{20, 21, 22}", 20, 22),
    ],
)
def test_ages(label, low, high):
    assert covered(label, AGES) == (low, high, high - low + 1)


@pytest.mark.parametrize(
    ("label", "low", "high"),
    [
        ("10,000-19,999", 10_000, 19_500),
        ("$10,000 - $19,999", 10_000, 19_500),
        ("\u20ac10.000 bis \u20ac19.999", 10_000, 19_500),
        ("10 000 - 19 999", 10_000, 19_500),
        ("10k-20k", 10_000, 20_000),
        ("(1e+04,2e+04]", 10_500, 20_000),
        ("[10,000, 20,000)", 10_000, 19_500),
        ("[10,000,20,000)", 10_000, 19_500),
        ("100,000+", 100_000, 199_500),
        ("less than 5.000", 0, 4_500),
    ],
)
def test_amounts(label, low, high):
    assert covered(label, AMOUNTS)[:2] == (low, high)


def test_fractions_and_decimal_commas():
    assert covered("(1.125,2.25]", RATES)[:2] == (pytest.approx(1.13), pytest.approx(2.25))
    assert covered("[1,5; 2,5]", RATES)[:2] == (pytest.approx(1.5), pytest.approx(2.5))
    # 20-29 said of numbers with fractions goes up to 30.
    ages = Domain(pd.Series([20.0, 29.0, 29.5, 30.0]), numeric=True)
    assert covered("20-29", ages) == (20, 29.5, 3)


@pytest.mark.parametrize(
    ("label", "first", "last"),
    [
        ("2020-03", "2020-03-01", "2020-03-31"),
        ("03/2020", "2020-03-01", "2020-03-31"),
        ("Mar 2020", "2020-03-01", "2020-03-31"),
        ("March 2020", "2020-03-01", "2020-03-31"),
        ("2020", "2020-01-01", "2020-12-31"),
        ("2020-Q2", "2020-04-01", "2020-06-30"),
        ("2010s", "2019-01-01", "2019-12-31"),
        ("[2020-02-01, 2020-03-01[", "2020-02-01", "2020-02-29"),
        ("2020-02 to 2020-03", "2020-02-01", "2020-03-31"),
        ("<=2020", "2019-01-01", "2020-12-31"),
        ("<2020", "2019-01-01", "2019-12-31"),
        (">2020", "2021-01-01", "2021-12-31"),
        (">=2020", "2020-01-01", "2021-12-31"),
        (">2020-03-31", "2020-04-01", "2021-12-31"),
        ("2020 and under", "2019-01-01", "2020-12-31"),
        ("[2019-12, 2020-03]", "2019-12-01", "2020-03-31"),
        ("2019-2020", "2019-01-01", "2020-12-31"),
        ("2020\u20132021", "2020-01-01", "2021-12-31"),
        ("(2019, 2020]", "2020-01-01", "2020-12-31"),
        ("{2020-02; 2020-03}", "2020-02-01", "2020-03-31"),
        ("before 2020", None, None),
    ],
)
def test_dates(label, first, last):
    if first is None:
        assert read_label(label, DAYS) is None
        return
    low, high, _ = covered(label, DAYS)
    assert [str(np.datetime64(int(day), "D")) for day in (low, high)] == [first, last]


def test_a_day_lasts_until_the_next_where_dates_have_times():
    hours = pd.date_range("2019-01-01", "2021-12-31 23:00", freq="h")
    times = Domain(pd.Series(hours), numeric=True, of_dates=True)
    for label, first, last in (
        ("2020-03-01 to 2020-03-31", "2020-03-01 00", "2020-03-31 23"),
        ("<=2020-03-31", "2019-01-01 00", "2020-03-31 23"),
        (">2020-03-31", "2020-04-01 00", "2021-12-31 23"),
        ("(2019, 2020]", "2020-01-01 00", "2020-12-31 23"),
        ("(2020-03-01 06:00:00, 2020-03-31 00:00:00]", "2020-03-01 07", "2020-03-31 00"),
    ):
        low, high, _ = covered(label, times)
        assert [low, high] == pytest.approx([days(first), days(last)], abs=1e-3)


def test_a_half_open_interval_is_closed_at_its_other_end():
    assert read_label("(20, 30]", AGES).other == Interval(20, 30, high_open=True)
    assert read_label("[20, 30)", AGES).other == Interval(20, 30, low_open=True)
    assert read_label("[20, 30]", AGES).other is None
    assert read_label("(-inf, 20]", AGES).other is None
    found = DAYS.numbers[DAYS.chosen(read_label("(2019, 2020]", DAYS).other)]
    assert [found.min(), found.max()] == [days("2019-01-01"), days("2019-12-31")]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2020", "2020-01-01", "2020-12-31"),
        ("..2019", "2019-01-01", "2019-12-31"),
        ("2020-03..2020-04", "2020-03-01", "2020-04-30"),
        ("2020-03<..", "2020-04-01", "2021-12-31"),
    ],
)
def test_what_a_person_writes_of_dates_lasts_as_long_and_is_read_again(text, first, last):
    covers = read_set(text, DAYS, column="born")
    found = DAYS.numbers[DAYS.chosen(covers)]
    assert [found.min(), found.max()] == [days(first), days(last)]
    assert read_set(written_set(covers, DAYS), DAYS, column="born") == covers


@pytest.mark.parametrize(
    ("label", "domain"),
    [
        ("(2020-03-01 06:00:00, 2020-03-31 00:00:00]", TIMES),
        ("[2020-03-01, 2020-03-31]", TIMES),
        ("2020-03", TIMES),
        ("[0.30000000000000004, 0.7000000000000001]", Domain(pd.Series([0.5, 0.9]), numeric=True)),
    ],
)
def test_a_set_is_written_to_the_last_digit_and_moment(label, domain):
    covers = read_label(label, domain).value_set
    assert read_set(written_set(covers, domain), domain, column="x") == covers


MOMENTS = Domain(pd.Series(pd.date_range("2020-01-01", periods=99, freq="7h")), numeric=True,
                 of_dates=True)  # fmt: skip
FRACTIONS = Domain(pd.Series(np.linspace(0, 2000, 7)), numeric=True)


@pytest.mark.parametrize(
    ("covers", "domain", "text"),
    [
        (Interval(high=1.125), FRACTIONS, "..1.1250"),
        (Interval(0.125, 400.5, high_open=True), FRACTIONS, "0.125..<400.5"),
        (Interval(FRACTIONS.numbers[1], FRACTIONS.numbers[2]), FRACTIONS, None),
        (Interval(low=days("2020-01-02 11:00")), MOMENTS, "2020-01-02T11:00:00.."),
        (Interval(*[days("2020-01-02 11:00")] * 2), MOMENTS, "2020-01-02T11:00:00"),
        (Interval(days("2020-01-02"), days("2020-02-01"), high_open=True), MOMENTS,
         "2020-01-02..<2020-02-01"),
    ],
)  # fmt: skip
def test_a_bound_is_written_as_it_is_read(covers, domain, text):
    written = written_set(covers, domain)
    assert text in (None, written)
    assert read_set(written, domain, column="x") == covers


def test_what_begins_with_zero_has_no_thousands():
    assert read_label("< 0.125", FRACTIONS).value_set == Interval(high=0.125, high_open=True)
    assert read_label("< 0,125", FRACTIONS).value_set == Interval(high=0.125, high_open=True)
    assert read_label("< 1,125", FRACTIONS).value_set == Interval(high=1125, high_open=True)


def test_labels():
    codes = Domain(pd.Series(["48-02501", "48-02502", "48-11111", "47-02501"]), numeric=False)
    assert read_label("48-025**", codes).value_set == {"48-02501", "48-02502"}
    jobs = Domain(
        pd.Series(["Self-emp-inc", "Self-emp-not-inc", "Private", "9", "12", "13"]), numeric=False
    )
    assert read_label("Self-emp-*6", jobs).value_set == {"Self-emp-inc", "Self-emp-not-inc"}
    assert read_label("{Private, Self-emp-inc}", jobs).value_set == {"Private", "Self-emp-inc"}
    assert read_label("9-12", jobs).value_set == {"9", "12"}
    assert read_label("13+", jobs).value_set == {"13"}
    grouped = Domain(pd.Series(["20-29", "30-39", "40-49"]), numeric=False)
    assert read_label("20-39", grouped).value_set == {"20-29", "30-39"}


@pytest.mark.parametrize(
    "label", ["*", "**", "*2", "suppressed", "Confidential", "not released", ":", "{*}", "(all)"]
)
@pytest.mark.parametrize("domain", [AGES, Domain(pd.Series(["a", "b"]), numeric=False)])
def test_suppressed(label, domain):
    assert read_label(label, domain).value_set is ANY


@pytest.mark.parametrize("label", ["Private", "A+", "Self-emp", "39-20", "[a, b)", "{x, y}", "Z*"])
def test_what_covers_nothing_is_not_read(label):
    jobs = Domain(pd.Series(["nurse", "smith"]), numeric=False)
    assert read_label(label, jobs) is None


def test_either_end_of_a_half_open_interval_is_kept():
    reading = read_label("[20, 40)", AGES)
    assert 20 in reading.value_set
    assert 40 in reading.other
    assert 20 not in reading.other
    assert read_label("[20, 40]", AGES).other is None
    assert math.isinf(read_label("[20, inf)", AGES).value_set.high)


def test_dates_of_intervals_are_read_as_the_original_writes_them():
    own = pd.Series(["01/31/1990", "02/28/1990", "12/31/1990", "06/11/1990", "11/06/1990"])
    born = Domain(own, numeric=True, of_dates=True)
    found = read_label("03/06/1990 to 06/10/1990", born).value_set
    assert (found.low, found.high) == (days("1990-03-06"), days("1990-06-10"))
    usual = Domain(pd.Series(["31/01/1990", "28/02/1990"]), numeric=True, of_dates=True)
    found = read_label("03/06/1990 to 06/10/1990", usual).value_set
    assert (found.low, found.high) == (days("1990-06-03"), days("1990-10-06"))


@pytest.mark.parametrize(
    ("label", "first", "last"),
    [
        ("Apr-20", "2020-04-01", "2020-04-30"),
        ("Apr '20", "2020-04-01", "2020-04-30"),
        ("mars 2020", "2020-03-01", "2020-03-31"),
        ("M\u00e4rz 2020", "2020-03-01", "2020-03-31"),
        ("d\u00e9c. 2019", "2019-12-01", "2019-12-31"),
        ("2020-W14", "2020-03-30", "2020-04-05"),
        ("2020W01", "2019-12-30", "2020-01-05"),
    ],
)
def test_months_and_weeks_are_read(label, first, last):
    assert covered(label, DAYS)[:2] == (days(first), days(last))


@pytest.mark.parametrize("label", ["2020-W54", "job-20", "Apr-2"])
def test_what_is_no_month_or_week_is_not_read(label):
    assert read_label(label, DAYS) is None
