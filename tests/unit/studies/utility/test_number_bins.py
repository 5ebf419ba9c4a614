import numpy as np
import pytest

from alc_core.studies.utility.coding import MOST_BINS, number_bins


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
