import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import ColumnError, InputError
from alc_core.studies.utility.coding import MOST_BINS, number_bins
from alc_core.studies.utility.distributions import MOST_VALUES, column_distribution
from alc_core.tables.read import table_from_frame


def shares(shown, part=None):
    return {
        bar.label: (bar.original, bar.released)
        for bar in shown.bars
        if part is None or bar.part == part
    }


def frame(**columns):
    """With a second column, as a table of one column is not taken for a table."""
    length = len(next(iter(columns.values())))
    return pd.DataFrame({**columns, "b": (["u", "v"] * length)[:length]})


def totals(shown):
    return sum(bar.original for bar in shown.bars), sum(bar.released for bar in shown.bars)


def test_values_are_counted_in_both_and_missing_is_a_bar_of_its_own():
    original = frame(job=["clerk"] * 50 + ["nurse"] * 30 + [None] * 20)
    release = frame(job=["clerk"] * 40 + ["pilot"] * 10)
    shown = column_distribution(original, release, "job")
    assert shares(shown) == {
        "clerk": (0.5, 0.8), "nurse": (0.3, 0.0), "pilot": (0.0, 0.2), "Missing": (0.2, 0.0),
    }  # fmt: skip
    only = {bar.label: bar.only_in for bar in shown.bars}
    assert (only["clerk"], only["nurse"], only["pilot"]) == ("", "original", "release")
    assert not shown.numeric
    assert shown.distance == pytest.approx(0.5)


def test_categories_that_are_numbers_are_in_order():
    original = table_from_frame(frame(years=["10"] * 50 + ["2.5"] * 30 + ["6"] * 20), name="o")
    shown = column_distribution(original.with_kinds({"years": "categorical"}), original, "years")
    assert [bar.label for bar in shown.bars] == ["2.5", "6", "10"]


def test_rare_values_are_not_named_but_counted():
    original = frame(job=["clerk"] * 85 + ["abbot"] * 9 + ["beggar"] * 6)
    release = frame(job=["clerk"] * 80 + ["abbot"] * 9 + ["dervish"] * 9 + ["elf"] * 2)
    shown = column_distribution(original, release, "job")
    words = " ".join(shares(shown))
    for rare in ("abbot", "beggar", "dervish", "elf"):
        assert rare not in words
    rest = shares(shown, "rest")
    assert rest["Other values (2)"] == pytest.approx((0.15, 0.09))
    assert rest["Other values, only in the release (2)"] == pytest.approx((0.0, 0.11))
    named = column_distribution(original, release, "job", fewest=6)
    assert "abbot" in shares(named, "value")
    assert "beggar" in shares(named, "value")


def test_of_many_values_the_commonest_of_either_table_are_named():
    original = frame(job=[f"job {number}" for number in range(40) for _ in range(40 - number + 10)])
    release = frame(job=["job 39"] * 500 + ["new"] * 500)
    shown = column_distribution(original, release, "job")
    named = shares(shown, "value")
    assert len(named) == MOST_VALUES
    assert {"job 0", "job 39", "new"} <= set(named)
    assert totals(shown) == pytest.approx((1, 1))


def test_identifiers_and_columns_without_values_do_not_name_anything():
    n = 3_000
    original = frame(key=[f"p{number}" for number in range(n)], none=[None] * n)
    release = frame(key=[f"q{number}" for number in range(n)], none=[None] * n)
    shown = column_distribution(original, release, "key")
    assert shares(shown) == {
        "Other values (3,000)": (1.0, 0.0),
        "Other values, only in the release (3,000)": (0.0, 1.0),
    }
    assert shares(column_distribution(original, release, "none")) == {"Missing": (1.0, 1.0)}


def test_numbers_are_counted_in_ranges_and_what_is_outside_or_no_number_beside_them():
    ages = np.repeat(np.arange(20.0, 70.0), 20)
    original = frame(age=[*ages, *[None] * 250])
    release = frame(
        age=[*np.repeat(np.arange(20, 40), 20).astype(str), *["5"] * 20, *["200"] * 40,
             *["old"] * 30, *[None] * 10]
    )  # fmt: skip
    release_n = len(release)
    shown = column_distribution(original, release, "age")
    assert shown.numeric
    ranges = shares(shown, "range")
    assert ranges["20–24"] == pytest.approx((0.08, 100 / release_n))  # noqa: RUF001
    assert ranges["60–64"] == pytest.approx((0.08, 0.0))  # noqa: RUF001
    outside = shares(shown, "outside")
    assert outside["Below the original's lowest"] == pytest.approx((0, 20 / release_n))
    assert outside["Above the original's highest"] == pytest.approx((0, 40 / release_n))
    assert shares(shown, "unreadable") == {"Not a number": (0, pytest.approx(30 / release_n))}
    assert shares(shown, "missing") == {"Missing": pytest.approx((0.2, 10 / release_n))}
    assert totals(shown) == pytest.approx((1, 1))


def test_ranges_of_few_people_are_not_named_wherever_they_lie():
    ages = np.concatenate([np.repeat(np.arange(20.0, 40.0), 50), [55.0, 56.0],
                           np.repeat(np.arange(60.0, 80.0), 50), [99.0]])  # fmt: skip
    shown = column_distribution(frame(age=ages), frame(age=ages), "age")
    assert all(bar.original == 0 or bar.original * len(ages) >= 10 for bar in shown.bars
               if bar.part == "range")  # fmt: skip
    assert shares(shown, "rest") == {"Rare ranges (1)": pytest.approx((2 / 2003, 2 / 2003))}
    assert "99" not in " ".join(shares(shown))
    assert totals(shown) == pytest.approx((1, 1))


def test_ranges_in_place_of_numbers_are_spread_and_suppressed_cells_stand_apart():
    ages = np.repeat(np.arange(20, 60), 20)
    original = frame(age=ages)
    labels = [f"{20 * (age // 20)}-{20 * (age // 20) + 19}" for age in ages]
    release = frame(age=["*" if row % 4 == 0 else label for row, label in enumerate(labels)])
    shown = column_distribution(original, release, "age")
    assert shares(shown, "suppressed") == {"Suppressed": pytest.approx((0, 0.25))}
    released = [bar.released for bar in shown.bars if bar.part == "range"]
    assert released == pytest.approx([0.75 / len(released)] * len(released))
    assert shown.spread == pytest.approx(0.75)
    assert shown.distance == pytest.approx(0.25)


def test_groups_in_place_of_values_are_spread_over_what_they_cover():
    original = table_from_frame(
        frame(job=["clerk"] * 40 + ["nurse"] * 40 + ["pilot"] * 20), name="original"
    )
    release = table_from_frame(frame(job=["care"] * 60 + ["pilot"] * 40), name="release")
    release = release.with_value_sets("job", {"care": frozenset({"nurse", "clerk"})})
    shown = column_distribution(original, release, "job")
    assert shares(shown) == {"clerk": (0.4, 0.3), "nurse": (0.4, 0.3), "pilot": (0.2, 0.4)}
    assert shown.spread == pytest.approx(0.6)


def test_numbers_where_the_original_has_none_and_none_where_it_has():
    numbers, nothing = np.arange(200.0), np.full(200, np.nan)
    kinds = {"n": "continuous"}
    original = table_from_frame(frame(n=nothing), name="original").with_kinds(kinds)
    shown = column_distribution(original, frame(n=numbers), "n")
    assert shares(shown) == {"Any number": (0, 1), "Missing": (1, 0)}
    shown = column_distribution(frame(n=numbers), frame(n=nothing), "n")
    assert shares(shown, "missing") == {"Missing": (0, 1)}
    assert totals(shown) == pytest.approx((1, 1))


def test_of_several_tables_the_widest_one_with_the_column_is_shown():
    original = pd.DataFrame({"a": ["x", "y"] * 50, "b": ["u", "v"] * 50, "c": ["k", "l"] * 50})
    narrow = table_from_frame(original[["a", "b"]].assign(a="x"), name="narrow")
    wide = table_from_frame(original.assign(a="y"), name="wide")
    shown = column_distribution(original, [narrow, wide], "a")
    assert shares(shown) == {"x": (0.5, 0), "y": (0.5, 1)}
    assert shown.several_tables == "wide"
    assert column_distribution(original, wide, "a").several_tables == ""


def test_a_column_that_a_table_lacks_and_a_table_without_rows_are_refused():
    original = frame(job=["a"] * 20)
    with pytest.raises(ColumnError, match="Column 'age' is not in 'original'"):
        column_distribution(original, original, "age")
    with pytest.raises(ColumnError, match="Column 'job' is not in"):
        column_distribution(original, original[["b"]], "job")
    with pytest.raises(InputError, match="has no rows"):
        column_distribution(original, original.iloc[:0], "job")


def test_swapping_leaves_every_distribution_as_it_was(people):
    original = people(600)
    release = alc.swap_columns(original, 1.0, seed=1)
    for column in original.columns:
        assert column_distribution(original, release, column).distance == pytest.approx(0)


def numbers(*values):
    return np.array(values, dtype=np.float64)


def day(text):
    return (np.datetime64(text, "D") - np.datetime64("1970-01-01")).astype(np.float64)


def test_few_whole_numbers_have_a_bin_each():
    bins = number_bins(np.repeat(np.arange(1.0, 6.0), 20), fewest=10)
    assert bins.labels == ("1", "2", "3", "4", "5")
    assert bins.counts(numbers(1, 1, 3, 5)).tolist() == [2, 0, 1, 0, 1]


def test_bins_have_a_round_width_and_every_number_is_in_one():
    values = np.repeat(np.arange(17.0, 91.0), 50)
    bins = number_bins(values, fewest=10)
    assert bins.labels[:3] == ("15–19", "20–24", "25–29")  # noqa: RUF001
    assert len(bins) <= MOST_BINS
    assert bins.counts(values).sum() == len(values)
    assert bins.counts(values)[0] == 3 * 50


def test_bounds_of_fractions_begin_the_bins_that_are_called_so():
    bins = number_bins(np.tile(np.arange(0, 240) / 100, 5), fewest=1)
    assert 0.3 in bins.cuts
    assert 0.7 in bins.cuts


def test_fractions_have_bins_that_touch():
    bins = number_bins(np.linspace(0, 1, 1001), fewest=1)
    assert bins.labels[1] == "0.05–0.1"  # noqa: RUF001
    below_zero = number_bins(np.linspace(-1, 0.1, 1001), fewest=1)
    assert "−0.95 to −0.9" in below_zero.labels  # noqa: RUF001


def test_the_ends_are_taken_together_until_enough_are_in_them():
    values = np.concatenate([np.repeat(np.arange(20.0, 60.0), 100), numbers(3, 97, 98, 99)])
    bins = number_bins(values, fewest=10)
    counts = bins.counts(values)
    assert counts[0] >= 10
    assert counts[-1] >= 10
    words = " ".join(bins.labels)
    for lonely in ("3", "97", "98", "99"):
        assert lonely not in words.replace("–", " ").split()  # noqa: RUF001
    assert bins.labels[0].startswith("under ")
    assert bins.labels[-1].startswith("from ")


def test_an_outlier_leaves_the_others_their_bins():
    bins = number_bins(np.append(np.arange(1000.0), 1e30), fewest=10)
    assert len(bins) > 10


@pytest.mark.parametrize("values", [[7.0] * 30, [0.0] * 995 + [9.0] * 5, [1e-9, 2e-9] * 20])
def test_columns_of_hardly_any_values_have_bins(values):
    bins = number_bins(numbers(*values), fewest=10)
    assert bins.counts(numbers(*values)).sum() == len(values)
    assert len(set(bins.labels)) == len(bins)


def test_too_few_numbers_are_one_bin_without_bounds():
    assert number_bins(numbers(1, 2, 300), fewest=10).labels == ("All numbers",)
    assert number_bins(numbers(5, 5), fewest=10).labels == ("5",)


def test_intervals_are_spread_evenly_over_the_whole_numbers_that_they_cover():
    bins = number_bins(np.repeat(np.arange(0.0, 100.0), 10), fewest=1)
    assert bins.labels[:2] == ("0–4", "5–9")  # noqa: RUF001
    (share,) = bins.shares(numbers(0), numbers(9))
    assert share[:3].tolist() == [0.5, 0.5, 0.0]
    (point,) = bins.shares(numbers(7), numbers(7))
    assert point[1] == 1
    assert bins.shares(numbers(60, -50), numbers(500, 700)).sum(axis=1) == pytest.approx(1)


def test_intervals_of_fractions_are_spread_by_their_width():
    bins = number_bins(np.linspace(0, 1, 1001), fewest=1)
    (share,) = bins.shares(numbers(0.05), numbers(0.2))
    assert share.max() == pytest.approx(1 / 3)
    (point,) = bins.shares(numbers(0.07), numbers(0.07))
    assert point[1] == 1


@pytest.mark.parametrize(
    ("first", "last", "label"),
    [
        ("2020-03-01", "2020-03-11", "2020-03-04"),
        ("2020-03-02", "2020-06-30", "2020-03-09 to 2020-03-15"),
        ("2020-01-01", "2021-06-30", "2020-05"),
        ("2018-01-01", "2021-12-31", "2018-04 to 2018-06"),
        ("2005-01-01", "2021-12-31", "2010"),
        ("1930-01-01", "2005-12-31", "1950–1954"),  # noqa: RUF001
        ("1850-01-01", "2019-12-31", "1950–1959"),  # noqa: RUF001
    ],
)
def test_dates_are_cut_where_calendars_are(first, last, label):
    days = np.repeat(np.arange(day(first), day(last) + 1), 10)
    bins = number_bins(days, fewest=1, of_dates=True)
    assert label in bins.labels
    assert bins.counts(days).sum() == len(days)
    assert len(bins) <= MOST_BINS + 2
