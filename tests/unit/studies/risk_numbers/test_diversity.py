"""ℓ-diversity and t-closeness by hand, and beside another library."""

import numpy as np
import pandas as pd
import pytest

from alc_core.studies.risk_numbers.classes import measure_diversity
from alc_core.tables.table import ColumnKind


def spread(values, classes, kind=ColumnKind.CATEGORICAL, in_class=None):
    classes = np.asarray(classes)
    inside = np.ones(len(classes), dtype=bool) if in_class is None else np.asarray(in_class)
    return measure_diversity("pay", kind, pd.Series(values), classes, inside)


def test_the_salaries_of_li_and_others():
    # Li, Li and Venkatasubramanian (2007), tables 3 and 5: t = 0.167 in wages.
    classes = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    found = spread([3, 5, 9, 6, 11, 8, 4, 7, 10], classes, ColumnKind.CONTINUOUS)
    assert found.ordered
    assert found.closeness == pytest.approx(0.167, abs=5e-4)
    first = spread([3, 4, 5, 6, 11, 8, 7, 9, 10], classes, ColumnKind.CONTINUOUS)
    assert first.closeness == pytest.approx(0.375)


def test_three_equally_frequent_values_are_three_diverse_by_entropy():
    found = spread(list("abcabc"), [0, 0, 0, 1, 1, 1])
    assert (found.distinct, found.entropy) == (3, pytest.approx(3.0))
    assert (found.closeness, found.one_value) == (pytest.approx(0.0), 0.0)


def test_a_class_with_one_value_counts_all_its_rows():
    found = spread(list("aaabcb"), [0, 0, 0, 1, 1, 1])
    assert (found.distinct, found.entropy, found.one_value) == (1, pytest.approx(1.0), 0.5)
    assert found.closeness == pytest.approx(0.5)  # a is 3 of 6 in all, and all of the class


def test_rows_without_a_value_take_no_part():
    found = spread(["a", None, "a", "b", " ", "c"], [0, 0, 0, 1, 1, 1])
    assert (found.distinct, found.one_value, found.without_value) == (1, 0.5, 2)
    assert spread([None, None], [0, 0]) is None


def test_rows_set_aside_count_in_the_whole_table_only():
    found = spread(list("aabb"), [0, 0, 1, 1], in_class=[True, True, False, False])
    assert (found.distinct, found.closeness) == (1, pytest.approx(0.5))


def test_a_constant_column_tells_nothing_new():
    for kind in (ColumnKind.CATEGORICAL, ColumnKind.CONTINUOUS):
        found = spread([7.0] * 4, [0, 0, 1, 1], kind)
        assert (found.distinct, found.one_value, found.closeness) == (1, 1.0, 0.0)


def test_ranges_among_numbers_are_taken_as_categories():
    found = spread(["20-39", "40", "20-39", "50"], [0, 0, 1, 1], ColumnKind.CONTINUOUS)
    assert not found.ordered


@pytest.mark.parametrize("seed", range(12))
def test_pycanon_agrees(seed):
    anonymity = pytest.importorskip("pycanon.anonymity")
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 120))
    frame = pd.DataFrame(
        {
            "q": rng.integers(0, 6, n).astype(str),
            "r": rng.integers(0, 3, n).astype(str),
            "number": rng.integers(0, 9, n),
            "word": rng.choice(list("abcde"), n),
        }
    )
    classes = frame.groupby(["q", "r"]).ngroup().to_numpy()
    for column, kind in (("number", ColumnKind.CONTINUOUS), ("word", ColumnKind.CATEGORICAL)):
        found = spread(frame[column], classes, kind)
        given = frame, ["q", "r"], [column]
        assert found.distinct == anonymity.l_diversity(*given)
        assert int(found.entropy + 1e-9) in (
            anonymity.entropy_l_diversity(*given), anonymity.entropy_l_diversity(*given) + 1
        )  # fmt: skip
        assert found.closeness == pytest.approx(anonymity.t_closeness(*given))
