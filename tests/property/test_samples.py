"""Test releases keep their promises whatever the table."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import alc_core as alc
from alc_core.errors import InputError
from alc_core.releases.samples.groups import (
    anatomize,
    anatomy_groups,
    merge_groups,
    mondrian,
    mondrian_groups,
)

CODES = st.integers(10, 80).flatmap(
    lambda n: arrays.arrays(np.int32, n, elements=st.integers(0, 6))
)


@st.composite
def diverse(draw):
    """Values of which at most one in some level of rows is the same."""
    level = draw(st.integers(2, 5))
    rounds = draw(st.lists(st.integers(level, 7), min_size=2, max_size=12))
    values = np.concatenate([np.arange(size) for size in rounds]).astype(np.int32)
    return np.random.default_rng(draw(st.integers(0, 99))).permutation(values), level


def most_frequent(values):
    return np.bincount(values).max()


@settings(deadline=None)
@given(values=CODES, level=st.integers(2, 6), seed=st.integers(0, 99))
def test_anatomy_groups_have_every_value_at_most_once(values, level, seed):
    rng = np.random.default_rng(seed)
    if most_frequent(values) * level > len(values):
        with pytest.raises(InputError, match=f"groups cannot be {level}-diverse"):
            anatomy_groups(values, level, rng)
        return
    groups = anatomy_groups(values, level, rng)
    sizes = np.bincount(groups)
    assert sizes.min() >= level
    assert np.unique(np.stack([groups, values]), axis=1).shape[1] == len(values)


@given(made=diverse(), merged=st.integers(1, 4))
def test_merged_groups_stay_diverse(made, merged):
    values, level = made
    groups = merge_groups(anatomy_groups(values, level, np.random.default_rng(0)), merged)
    for number in np.unique(groups):
        members = values[groups == number]
        assert most_frequent(members) * level <= len(members)
    assert np.array_equal(np.unique(groups), np.arange(groups.max() + 1))


@given(made=diverse(), k=st.integers(2, 4), seed=st.integers(0, 99))
def test_mondrian_groups_are_large_and_diverse(made, k, seed):
    values, level = made
    positions = np.random.default_rng(seed).integers(0, 4, (len(values), 3)) / 3
    groups = mondrian_groups(positions, values, k=k, level=level)
    for number in range(groups.max() + 1):
        members = values[groups == number]
        assert len(members) >= k
        assert most_frequent(members) * level <= len(members)


def people(n, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "town": rng.choice(["Bonn", "Jena", "Kiel", "Ulm"], n),
            "age": rng.integers(18, 80, n),
            "job": rng.choice(["clerk", "nurse", "smith", "tailor"], n),
        }
    )


SLOW = settings(max_examples=15, deadline=None)


@SLOW
@given(n=st.integers(40, 120), seed=st.integers(0, 999), k=st.integers(2, 9))
def test_released_rows_look_like_those_of_enough_others(n, seed, k):
    original = alc.table_from_frame(people(n, seed), name="people")
    frame = mondrian(original, unknown="job", known=["town", "age"], k=k, level=2).tables[0].frame
    groups = frame.astype(str).groupby(["town", "age"])["job"]
    assert groups.size().min() >= k
    assert groups.agg(lambda jobs: jobs.value_counts(normalize=True).max()).max() <= 0.5


@SLOW
@given(n=st.integers(40, 120), seed=st.integers(0, 999), k=st.integers(2, 9))
def test_pycanon_agrees(n, seed, k):
    anonymity = pytest.importorskip("pycanon.anonymity")
    original = alc.table_from_frame(people(n, seed), name="people")
    known, unknown = ["town", "age"], ["job"]
    frame = mondrian(original, unknown="job", known=known, k=k, level=2).tables[0].frame.astype(str)
    assert anonymity.k_anonymity(frame, known) >= k
    assert anonymity.alpha_k_anonymity(frame, known, unknown)[0] <= 0.5
    assert anonymity.l_diversity(frame, known, unknown) >= 2
    rows, jobs = (
        table.frame.astype(str)
        for table in anatomize(original, unknown="job", known=known, level=2).tables
    )
    together = rows.assign(job=jobs["job"])
    assert anonymity.l_diversity(together, ["group_id"] * 2, unknown) >= 2
