"""Residual risk by hand."""

import math

import pytest

from alc_core.measures.measure import Measured
from alc_core.studies.holdout.result import Guesses, residual_risk, share_of, shown_risk

Z = 1.959964


def wilson(right, number):
    """Midpoint and half width, written out."""
    square = Z**2
    middle = (right + square / 2) / (number + square)
    half = Z / (number + square) * math.sqrt(right * (number - right) / number + square / 4)
    return middle, half


@pytest.mark.parametrize(
    ("right", "middle", "half"), [(850, 0.849, 0.022), (0, 0.002, 0.002), (1000, 0.998, 0.002)]
)
def test_a_rate_is_wilsons(right, middle, half):
    found = share_of(right, 1000)
    assert (found.low + found.high) / 2 == pytest.approx(middle, abs=6e-4)
    assert (found.high - found.low) / 2 == pytest.approx(half, abs=6e-4)
    assert found.value == right / 1000


@pytest.mark.parametrize(("right", "others"), [(850, 300), (300, 700), (500, 400), (1000, 0)])
def test_risk_and_propagated_interval_by_hand(right, others):
    (m, dm), (c, dc) = wilson(right, 1000), wilson(others, 800)
    found = residual_risk(share_of(right, 1000), share_of(others, 800))
    value = (m - c) / (1 - c)
    # dR/dm = 1/(1-c), dR/dc = (m-1)/(1-c)^2
    spread = math.sqrt((dm / (1 - c)) ** 2 + ((m - 1) / (1 - c) ** 2 * dc) ** 2)
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.high - found.value == pytest.approx(spread, abs=1e-6)
    assert found.value - found.low == pytest.approx(spread, abs=1e-6)


def test_where_all_control_people_are_guessed_nothing_is_known():
    found = residual_risk(share_of(100, 100), share_of(100, 100))
    assert found.value == pytest.approx(0)
    assert found.high > 0.5
    assert found.low < -0.5
    worse = residual_risk(share_of(80, 100), share_of(100, 100))
    assert math.isfinite(worse.value)
    assert worse.value < -5
    assert shown_risk(worse).value == 0


def test_a_negative_risk_is_shown_as_none_as_the_paper_does_but_kept():
    found = residual_risk(share_of(200, 1000), share_of(300, 1000))
    assert found.value < 0
    assert found.high < 0
    shown = shown_risk(found)
    assert (shown.value, shown.low, shown.high) == (0, 0, 0)
    assert shown_risk(Measured(0.9, 0.7, 1.1)) == Measured(0.9, 0.7, 1.0)


def test_abstentions_count_as_not_right_in_the_rate_but_not_in_the_precision():
    found = Guesses(people=100, predicted=20, right=15)
    assert found.success.value == 0.15
    assert found.precision.value == 0.75
    assert found.recall == 0.2
    nobody = Guesses(people=100, predicted=0, right=0)
    assert math.isnan(nobody.precision.value)
    assert (nobody.precision.low, nobody.precision.high) == (0, 1)
