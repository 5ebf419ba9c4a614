"""Dates that could be read otherwise: days and months, and numbers that are dates."""

import numpy as np
import pandas as pd
import pytest

from alc_core.errors import InputError
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.scales import COPIED
from alc_core.tables.codes.encode import encode
from alc_core.tables.labels.date_readings import reading_of, with_date_readings, with_read_dates
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import ColumnKind

ISO = "%Y-%m-%d"


def born(n=400, *, seed=0, first="1925-01-01", last="2007-12-31"):
    days = np.arange(np.datetime64(first, "D"), np.datetime64(last, "D"))
    return pd.Series(pd.DatetimeIndex(np.random.default_rng(seed).choice(days, n)))


def months(dates):
    return dates.dt.to_period("M").dt.to_timestamp()


def early(n=400, *, seed=0):
    """Return dates of the first twelve days of a month."""
    return pd.Series([day.replace(day=1 + day.day % 12) for day in born(n, seed=seed)])


def written(form):
    return lambda dates: dates.dt.strftime(form)


def counted(start, per_day=1):
    since = pd.Timestamp(start)
    return lambda dates: (dates - since).dt.days * per_day


def tables(original, release):
    frames = {"original": original, "release": release}
    return [
        table_from_frame(pd.DataFrame({"born": np.asarray(values)}), name=name)
        for name, values in frames.items()
    ]


def days(dates):
    return ((dates - pd.Timestamp("1970-01-01")).dt.days).to_numpy(float)


def findings(original, release):
    found = check_tables(original, [release])
    return [each for each in found if each.code.startswith(("dates-", "unreadable-dates"))]


def ranged(form):
    def of(dates):
        after = (dates.dt.to_period("M") + 1).dt.to_timestamp()
        return months(dates).dt.strftime(form) + "-" + after.dt.strftime(form)

    return of


ORDERS = {
    "firsts, US": (born(), months, written("%m/%d/%Y"), "month-first"),
    "firsts, UK": (born(), months, written("%d/%m/%Y"), "day-first"),
    "firsts, dashes": (born(), months, written("%m-%d-%Y"), "month-first"),
    "firsts, with times": (born(), months, written("%m/%d/%Y %H:%M:%S"), "month-first"),
    "firsts, AM": (born(), months, written("%m/%d/%Y %I:%M:%S %p"), "month-first"),
    "firsts, without zeros": (
        born(), months, lambda d: pd.Series([f"{x.month}/{x.day}/{x.year}" for x in d]),
        "month-first",
    ),
    "own days, US": (early(), None, written("%m/%d/%Y"), "month-first"),
    "own days, UK": (early(), None, written("%d/%m/%Y"), "day-first"),
    "own days, dots": (early(), None, written("%m.%d.%Y"), "month-first"),
    "short years, US": (months(born()), None, written("%m/%d/%y"), "month-first"),
    "short years of old people": (
        born(first="1905-01-01", last="1939-12-31"), None, written("%d.%m.%y"), "day-first"
    ),
    "names and short years": (born(), None, written("%d-%b-%y"), "day-first"),
    "ranges, US": (born(), months, ranged("%m/%d/%Y"), "month-first"),
    "ranges, UK": (born(), months, ranged("%d/%m/%Y"), "day-first"),
}  # fmt: skip


def read_days(original, release):
    """Return the days of a release; of ranges the first ones."""
    (table,) = encode(original, [release], columns=["born"]).released
    if table.has("born") and "born" not in table.columns:
        found = table.set_columns["born"]
        return np.append(found.sets.low, np.nan)[found.codes]
    return table.columns["born"]


@pytest.mark.parametrize("case", ORDERS)
def test_the_order_that_fits_the_original_is_taken_and_told(case):
    dates, change, form, reading = ORDERS[case]
    kept = (change or (lambda same: same))(dates.sample(frac=0.8, random_state=1))
    original, release = tables(dates.dt.strftime(ISO), form(kept))
    assert dict(with_read_dates(original, release).date_readings) == {"born": reading}
    np.testing.assert_array_equal(read_days(original, release), days(kept))
    (told,) = findings(original, release)
    assert (told.code, told.facts["reading"], told.blocking) == ("dates-read", reading, False)


NUMBERS = {
    "yyyymmdd": lambda d: d.dt.strftime("%Y%m%d").astype(int),
    "yymmdd": lambda d: d.dt.strftime("%y%m%d"),
    "ddmmyyyy": lambda d: d.dt.strftime("%d%m%Y").astype(int),
    "mmddyyyy": lambda d: d.dt.strftime("%m%d%Y"),
    "ddmmyy": lambda d: d.dt.strftime("%d%m%y").astype(int),
    "yyyyddd": lambda d: d.dt.strftime("%Y%j").astype(int),
    "excel": counted("1899-12-30"),
    "excel1904": counted("1904-01-01"),
    "sas": counted("1960-01-01"),
    "unix": counted("1970-01-01"),
    "unix-seconds": counted("1970-01-01", 86_400),
    "unix-ms": counted("1970-01-01", 86_400_000),
    "spss": counted("1582-10-14", 86_400.0),
    "stata-ms": counted("1960-01-01", 86_400_000.0),
    "years": lambda d: d.dt.year + (d.dt.day_of_year - 1) / (365 + d.dt.is_leap_year),
}


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize("system", NUMBERS)
def test_numbers_are_read_as_the_originals_dates_tell(system, as_text):
    dates = born()
    kept = dates.sample(frac=0.8, random_state=1)
    values = NUMBERS[system](kept)
    original, release = tables(dates.dt.strftime(ISO), values.astype(str) if as_text else values)
    assert dict(with_read_dates(original, release).date_readings) == {"born": system}
    np.testing.assert_array_equal(read_days(original, release), days(kept))
    assert [(each.code, each.blocking) for each in findings(original, release)] == [
        ("dates-read", False)
    ]


@pytest.mark.parametrize(("system", "months_of"), [
    ("yyyymm", lambda d: d.dt.strftime("%Y%m").astype(int)),
    ("stata-months", lambda d: (d.dt.year - 1960) * 12 + d.dt.month - 1),
])  # fmt: skip
def test_numbers_of_months_are_read(system, months_of):
    dates = born()
    original, release = tables(dates.dt.strftime(ISO), months_of(dates))
    assert dict(with_read_dates(original, release).date_readings) == {"born": system}
    np.testing.assert_array_equal(read_days(original, release), days(months(dates)))


ASKED = {
    "strangers, either order": (born(), early(seed=9), written(ISO), written("%m/%d/%Y")),
    "the original, US": (months(born()), months(born()), written("%m/%d/%Y"), written(ISO)),
    "the original, as the release shows": (
        months(born()), born(seed=9), written("%m/%d/%Y"), written("%m/%d/%Y")
    ),
    "strangers, Excel or Mac": (born(), born(seed=9), written(ISO), counted("1899-12-30")),
    "the original, Excel": (born(), born(), counted("1899-12-30"), written(ISO)),
    "the original, SAS": (born(), born(), counted("1960-01-01"), written(ISO)),
    "the original, yymmdd": (born(), born(), NUMBERS["yymmdd"], written(ISO)),
    "the original, ddmmyyyy": (born(), born(), NUMBERS["ddmmyyyy"], written(ISO)),
}  # fmt: skip


@pytest.mark.parametrize("case", ASKED)
def test_what_cannot_be_told_is_asked_and_every_answer_lets_the_run_go_on(case):
    before, after, form, released = ASKED[case]
    original, release = tables(form(before), released(after))
    (asked,) = (each for each in findings(original, release) if each.blocking)
    assert asked.offers
    for offer in asked.offers:
        said = {offer.value: offer.option}
        if offer.option == "dates":
            said = dict([reading_of(offer.value)])
        read = with_date_readings(original, said)
        assert read.kind("born") is ColumnKind.DATETIME
        answered = with_date_readings(release, said, original=read)
        blocking = [each for each in check_tables(read, [answered]) if each.blocking]
        # A wrong answer that shifts everybody's dates is asked about
        assert all(each.case == COPIED and each.code == "scale-changed" for each in blocking)
        assert not blocking or offer is not asked.offers[0]


HARMLESS = {
    "synthetic": (written(ISO), written(ISO)),
    "day first": (written(ISO), written("%d/%m/%Y")),
    "month first": (written(ISO), written("%m/%d/%Y")),
    "both month first": (written("%m/%d/%Y"), written("%m/%d/%Y")),
    "dots": (written(ISO), written("%d.%m.%Y")),
    "moments": (written(ISO), written("%Y-%m-%dT%H:%M:%S")),
    "years": (written(ISO), lambda d: d.dt.year),
    "names": (written(ISO), written("%d %B %Y")),
    "digits in both": (NUMBERS["yyyymmdd"], NUMBERS["yyyymmdd"]),
    "digits in the original": (NUMBERS["yyyymmdd"], written(ISO)),
    "days since 1960 in both": (counted("1960-01-01"), counted("1960-01-01")),
}


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("case", HARMLESS)
def test_dates_of_strangers_that_say_how_they_are_read_raise_no_question(case, seed):
    form, released = HARMLESS[case]
    original, release = tables(form(born()), released(born(300, seed=seed)))
    assert not findings(original, release)
    assert not any(each.blocking for each in check_tables(original, [release]))


def test_numbers_that_are_no_dates_name_what_was_tried():
    ages = np.random.default_rng(0).integers(17, 99, 300)
    original, release = tables(born().dt.strftime(ISO), ages)
    (error,) = findings(original, release)
    assert (error.case, error.offers) == ("numbers-no-date", ())
    assert "excel" in error.message or "excel" in error.facts["tried"]


@pytest.mark.parametrize("numbers", [
    range(20_240_000, 20_240_400), range(10_000_000, 10_000_400),
    np.random.default_rng(0).integers(19_000_000, 20_300_000, 400),
])  # fmt: skip
def test_numbers_of_eight_digits_are_dates_only_where_all_are(numbers):
    table = table_from_frame(pd.DataFrame({"amount": np.asarray(numbers)}), name="a")
    assert table.kind("amount") is not ColumnKind.DATETIME


def test_linked_rows_decide_where_the_values_do_not():
    dates = early(600)
    frame = pd.DataFrame({"income": np.arange(600) * 7.5, "born": dates.dt.strftime(ISO)})
    moved = pd.Series([day + pd.Timedelta(days=1) for day in dates])  # never the original's day
    release = frame.assign(born=moved.dt.strftime("%m/%d/%Y"))[moved.dt.day <= 12].head(200)
    original, released = (table_from_frame(each, name="t") for each in (frame, release))
    read = with_read_dates(original, released)
    assert dict(read.date_readings) == {"born": "month-first"}


def test_a_system_that_is_none_is_refused_by_what_there_is():
    with pytest.raises(InputError, match=r"not 'born=lotus'.*excel1904"):
        reading_of("born=lotus")
    assert reading_of("born=stata") == ("born", "sas")


@pytest.mark.parametrize("mark", ["/", "-", "."])
def test_orders_that_both_fit_in_both_tables_are_told_by_the_days_that_return(mark):
    dates = early(900)
    dates = dates[dates.dt.day <= 12]
    own, other = f"%d{mark}%m{mark}%Y", f"%m{mark}%d{mark}%Y"
    mine, theirs = dates.iloc[::2], dates.iloc[1::2]
    for kept, form, expected in (
        (mine, other, {"born": "month-first"}), (mine, own, {}), (theirs, own, {}),
    ):  # fmt: skip
        original, release = tables(mine.dt.strftime(own), kept.dt.strftime(form))
        assert dict(with_read_dates(original, release).date_readings) == expected
