"""Properties of PRC, ALC and their inverses."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from alc_core.scoring.formulas import (
    anonymity_loss,
    attack_prc_for_loss,
    prc,
    precision_for_prc,
    recall_for_prc,
)

unit = st.floats(0, 1)
alphas = st.floats(0.2, 10)
r_mins = st.floats(1e-8, 0.1)
kinds = st.sampled_from(["relative", "absolute"])


@given(unit, unit, alphas, r_mins)
def test_prc_is_bounded_by_its_inputs(precision, recall, alpha, r_min):
    value = prc(precision, recall, alpha=alpha, r_min=r_min)
    assert 0 <= value <= 1
    if recall > r_min:
        assert value <= precision


@given(unit, unit, unit, alphas, r_mins)
def test_prc_never_falls_with_precision(one, other, recall, alpha, r_min):
    low, high = sorted([one, other])
    at = {"alpha": alpha, "r_min": r_min}
    assert prc(low, recall, **at) <= prc(high, recall, **at)


@given(unit, unit, unit, alphas, r_mins)
def test_prc_never_falls_with_recall_on_either_side_of_r_min(precision, one, other, alpha, r_min):
    low, high = sorted([one, other])
    assume((low > r_min) == (high > r_min))
    at = {"alpha": alpha, "r_min": r_min}
    assert prc(precision, low, **at) <= prc(precision, high, **at) + 1e-12


@given(unit, alphas, r_mins)
def test_prc_at_full_recall_is_the_precision(precision, alpha, r_min):
    assert prc(precision, 1.0, alpha=alpha, r_min=r_min) == precision


@given(st.floats(0.001, 1), st.floats(0.01, 1), alphas, r_mins)
def test_precision_is_the_inverse_of_prc(precision, share, alpha, r_min):
    recall = r_min ** (1 - share)
    at = {"alpha": alpha, "r_min": r_min}
    value = prc(precision, recall, **at)
    assert precision_for_prc(value, recall, **at) == pytest.approx(precision, rel=1e-6)


@given(st.floats(0.01, 1), st.floats(0.0, 1), alphas, r_mins)
def test_recall_is_the_inverse_of_prc(precision, share, alpha, r_min):
    at = {"alpha": alpha, "r_min": r_min}
    recall = recall_for_prc(share * precision, precision, **at)
    assert r_min * (1 - 1e-9) <= recall <= 1 + 1e-9
    assume(recall > r_min * (1 + 1e-9))
    # Near recall 1 neighbouring floats are this far apart in PRC where alpha is small.
    steps = (4e-16 / -math.log(r_min)) ** alpha
    expected = pytest.approx(share * precision, abs=max(1e-6, steps))
    assert prc(precision, min(recall, 1.0), **at) == expected


@given(unit, st.floats(0, 0.999), kinds)
def test_loss_is_bounded_above_and_its_inverse_returns(attack, baseline, kind):
    loss = anonymity_loss(attack, baseline, kind=kind)
    assert loss <= 1
    assert (loss > 0) == (attack > baseline)
    assert attack_prc_for_loss(loss, baseline, kind=kind) == pytest.approx(attack, abs=1e-9)


@given(unit, unit, st.floats(0, 0.999), kinds)
def test_loss_rises_with_the_attack_and_falls_with_the_baseline(one, other, baseline, kind):
    low, high = sorted([one, other])
    assert anonymity_loss(low, baseline, kind=kind) <= anonymity_loss(high, baseline, kind=kind)
    assume(high < 1)
    weaker, stronger = (anonymity_loss(baseline, x, kind=kind) for x in (high, low))
    assert weaker <= stronger + 1e-12


@given(st.lists(st.tuples(unit, unit), min_size=1, max_size=20))
def test_arrays_equal_scalars(points):
    precision, recall = np.array(points).T
    # The processor takes several logarithms at once by other steps: the last bit may differ.
    assert prc(precision, recall) == pytest.approx([prc(p, r) for p, r in points], rel=1e-12)
