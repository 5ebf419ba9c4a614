"""Marks in place of counts are read as what they allow."""

import math

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.labels.count_marks import count_marks, mark_bounds

ANY = (0, math.inf)


@pytest.mark.parametrize(
    ("mark", "bounds"),
    [
        ("<10", (0, 9)), ("< 5", (0, 4)), ("n<5", (0, 4)), ("N < 5", (0, 4)), ("(<5)", (0, 4)),
        ("<5*", (0, 4)), ("≤ 3", (0, 3)), ("<=3", (0, 3)), ("n ≤ 5", (0, 5)), ("<1", (0, 0)),
        ("fewer than 5", (0, 4)), ("Weniger als 5", (0, 4)), ("unter 10", (0, 9)),
        ("moins de 5", (0, 4)), ("5 or fewer", (0, 5)), ("up to 4", (0, 4)),
        ("1-4", (1, 4)), ("1 \u2013 4", (1, 4)), ("1 to 4", (1, 4)), ("1 bis 4", (1, 4)),
        ("(1-4)", (1, 4)), ("[1, 4]", (1, 4)), ("0..3", (0, 3)),
        (">100", (101, math.inf)), ("100+", (100, math.inf)),
        ("(5)", (5, 5)), ("12*", (12, 12)), ("-", (0, 0)), ("\u2013", (0, 0)),
        ("..", ANY), (".", ANY), ("x", ANY), ("c", ANY), ("C", ANY), ("(c)", ANY), ("*", ANY),
        ("**", ANY), ("•", ANY), ("/", ANY), (":", ANY), ("(D)", ANY), ("np", ANY), ("s", ANY),
        ("minder dan 5", (0, 4)), ("mniej niż 5", (0, 4)), ("meno di 3", (0, 2)),
        (":c", ANY), ("c;", ANY), ("G", ANY), ("|", ANY), ("too small", ANY), ("gizli", ANY),
        ("suppressed", ANY), ("geheim", ANY), ("n.a.", ANY), ("NA", ANY), ("#", ANY),
    ],
)  # fmt: skip
def test_what_marks_allow(mark, bounds):
    assert mark_bounds(mark) == bounds


@pytest.mark.parametrize("text", ["few", "about 7", "12a", "2056 p", "Ulm", "1,234", "-5", "10%"])
def test_other_texts_are_no_marks(text):
    assert mark_bounds(text) is None


def test_marks_are_read_beside_numbers_and_empty_cells():
    low, high = count_marks(pd.Series(["12", "<5", None, "few", "0", "c"], dtype=object))
    np.testing.assert_array_equal(low, [np.nan, 0, 0, np.nan, np.nan, 0])
    np.testing.assert_array_equal(high, [np.nan, 4, 0, np.nan, np.nan, np.inf])
