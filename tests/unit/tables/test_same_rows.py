from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alc_core import arrays
from alc_core.tables.same_rows import chances, compare_rows
from alc_core.tables.values.texts import canonical_labels

CELLS = st.lists(
    st.tuples(
        st.sampled_from(["x", " x", "y", None]),
        st.sampled_from([1.0, 2.0, np.nan]),
        st.sampled_from([0, 1]),
    ),
    min_size=1,
    max_size=12,
)


def frame(rows):
    return pd.DataFrame(rows, columns=["text", "float", "int"]).astype({"text": "str"})


def labelled(table):
    return list(zip(*(canonical_labels(table[name]) for name in table.columns), strict=True))


@given(CELLS, CELLS, st.booleans())
def test_rows_are_counted_as_by_their_labels(first, second, as_category):
    original, release = frame(first), frame(second)
    if as_category:
        release = release.astype({"text": "category", "int": "float64"})
    own, other = Counter(labelled(original)), labelled(release)
    result = compare_rows(original, release, least=0.0)
    assert result.share == pytest.approx(np.mean([row in own for row in other]))
    assert result.identical == (own == Counter(other))


@given(CELLS)
def test_repeated_rows_are_counted(cells):
    complete = frame(cells).fillna({"text": "", "float": 0.0})
    counts = Counter(complete.itertuples(index=False, name=None)).values()
    expected = sum(count for count in counts if count > 1) / len(complete)
    assert chances(complete)[0].share == pytest.approx(expected)
    twice = sum(count for count in counts if count == 2) / len(complete)
    assert chances(complete)[1].share == pytest.approx(twice)


def test_the_error_of_chance_is_that_of_tables_drawn_anew():
    rng = np.random.default_rng(0)
    found = np.array(
        [
            [(chance.share, chance.error) for chance in chances(drawn)]
            for drawn in (pd.DataFrame(rng.geometric(0.03, (600, 2))) for _ in range(200))
        ]
    )
    assert found[..., 1].mean(axis=0) == pytest.approx(found[..., 0].std(axis=0), rel=0.35)


def test_search_in_many_values_finds_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    original = pd.DataFrame({"a": rng.integers(0, 50, 400), "b": rng.integers(0, 50, 400)})
    release = pd.DataFrame({"a": rng.integers(0, 60, 900), "b": rng.integers(-9, 50, 900)})
    dense = compare_rows(original, release, least=0.0)
    monkeypatch.setattr(arrays, "_DENSE", 0)
    assert compare_rows(original, release, least=0.0) == dense
    assert 0 < dense.share < 1


def test_shares_below_the_least_are_not_worked_out():
    original = pd.DataFrame({"a": [1, 2, 3, 4]})
    release = pd.DataFrame({"a": [1, 8, 8, 8]})
    assert compare_rows(original, release, least=0.5).share == 0
    assert compare_rows(original, release, least=0.25).share == 0.25


def test_the_same_days_are_the_same_whatever_they_are_stored_as():
    days = pd.Series(pd.to_datetime(["2020-01-01", None, "2020-01-03"]))
    for stored in (days.astype("datetime64[s]"), days.dt.tz_localize("UTC"), days.dt.date):
        assert compare_rows(days.to_frame("d"), stored.to_frame("d"), least=0.5).identical
