import numpy as np
import pytest

from alc_core.errors import ParameterError
from alc_core.scoring.formulas import (
    anonymity_loss,
    attack_prc_for_loss,
    prc,
    precision_for_prc,
    recall_for_prc,
)


@pytest.mark.parametrize(
    ("precision", "recall", "alpha", "expected"),
    [
        (1.0, 0.00148, 2, 0.4995),
        (0.6, 0.02328, 2, 0.5000),
        (0.5, 1.0, 2, 0.5000),
        (0.5, 1.0, 7, 0.5000),
        (1.0, 0.00148, 3, 0.6460),
        (0.9, 0.01, 3, 0.7875),
        (0.2, 0.001, 3, 0.1156),
        (0.92, 0.001, 3, 0.5319),
    ],
)
def test_prc_check_numbers(precision, recall, alpha, expected):
    assert prc(precision, recall, alpha=alpha) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("baseline", "attack", "expected"),
    [
        (0.1, 0.3, 0.2222),
        (0.75, 0.95, 0.8000),
        (0.99, 0.999, 0.9000),
        (0.05, 0.525, 0.5000),
        (0.05, 0.9, 0.8947),
        (0.1156, 0.5550, 0.4968),
        (0.0578, 0.5319, 0.5032),
    ],
)
def test_loss_check_numbers(baseline, attack, expected):
    assert anonymity_loss(attack, baseline) == pytest.approx(expected, abs=5e-5)


def test_absolute_loss_is_the_difference():
    assert anonymity_loss(0.95, 0.75, kind="absolute") == pytest.approx(0.2)
    assert anonymity_loss([0.3, 0.95], [0.1, 0.75], kind="absolute") == pytest.approx([0.2, 0.2])


def test_recall_at_and_below_r_min_is_the_prc_whatever_the_precision():
    assert prc([0.0, 0.5, 1.0], 1e-4).tolist() == [1e-4] * 3
    assert prc(1.0, 5e-5) == 5e-5
    assert prc(1.0, 0.0) == 0.0


def test_scalars_give_floats_and_arrays_broadcast():
    assert isinstance(prc(0.5, 0.5), float)
    assert isinstance(anonymity_loss(0.5, 0.4), float)
    assert prc(np.array([[0.1], [0.2]]), np.array([0.5, 0.6, 0.7])).shape == (2, 3)


def test_perfect_baseline_leaves_nothing_to_lose():
    assert anonymity_loss(1.0, 1.0) == 0.0
    assert anonymity_loss(0.9, 1.0) == -np.inf
    assert anonymity_loss([1.0, 0.5], [1.0, 1.0]).tolist() == [0.0, -np.inf]


def test_unreachable_points_of_equal_curves_are_nan():
    assert np.isnan(precision_for_prc(0.9, 0.001))
    assert np.isnan(precision_for_prc(0.5, 1e-4))
    assert np.isnan(recall_for_prc(0.9, 0.5))
    assert np.isnan(recall_for_prc(0.0, 0.0))
    assert np.isnan(attack_prc_for_loss(0.9, 0.5, kind="absolute"))
    assert attack_prc_for_loss(0.5, 0.05) == pytest.approx(0.525)
    assert attack_prc_for_loss(0.2, [0.1, 0.75], kind="absolute") == pytest.approx([0.3, 0.95])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: prc(1.2, 0.5), r"precision must lie in \[0, 1\], but a value is 1\.2"),
        (lambda: prc(0.5, [0.1, -1]), r"recall must lie in \[0, 1\], but a value is -1"),
        (lambda: prc(0.5, 0.5, alpha=0), "alpha must be greater than 0, not 0"),
        (lambda: prc(0.5, 0.5, alpha=np.nan), "alpha must be greater than 0"),
        (lambda: prc(0.5, 0.5, r_min=1), "r_min must be between 0 and 1"),
        (lambda: anonymity_loss(0.5, 1.5), "prc_baseline must lie in"),
        (lambda: anonymity_loss(0.5, 0.5, kind="other"), "'relative' or 'absolute'"),
        (lambda: attack_prc_for_loss(1.5, 0.5), "loss is at most 1"),
    ],
)
def test_bounds_are_named(call, message):
    with pytest.raises(ParameterError, match=message):
        call()
