from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alc_core.campaign.plan.known_sets import HashedRows, Uniqueness
from alc_core.tables.codes.encode import EncodedTable
from alc_core.tables.values.generalized import tagged


def hashed(person=None, **columns):
    arrays = {
        name: np.array(values, np.float64 if any(isinstance(v, float) for v in values) else "i4")
        for name, values in columns.items()
    }
    n_rows = len(next(iter(arrays.values())))
    table = EncodedTable(name="people", n_rows=n_rows, columns=arrays)
    return HashedRows.of(table, list(arrays), person=None if person is None else np.array(person))


def counted(rows, person):
    """Count in the plainest way: the mean over people of the share of their records alone."""
    owners = defaultdict(set)
    for row, owner in zip(rows, person, strict=True):
        owners[row].add(owner)
    alone, records = Counter(), Counter(person)
    for row, owner in zip(rows, person, strict=True):
        alone[owner] += len(owners[row]) == 1
    return sum(alone[owner] / records[owner] for owner in records) / len(records), len(owners)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.sampled_from([0.0, 0.5, 1.0]),
            st.integers(-1, 2),
            st.integers(0, 4),
        ),
        min_size=1,
        max_size=30,
    ),
    st.sets(st.sampled_from("abc"), min_size=1),
    st.booleans(),
)
def test_agrees_with_counting_one_by_one(people, asked, have_persons):
    a, b, c, person = map(list, zip(*people, strict=True))
    person = person if have_persons else list(range(len(people)))
    columns = {"a": a, "b": b, "c": c}
    rows = list(zip(*(columns[name] for name in sorted(asked)), strict=True))
    found = hashed(person if have_persons else None, **columns).uniqueness(asked)
    share, combinations = counted(rows, person)
    assert found.singled_out == pytest.approx(share, abs=1e-12)
    assert found.combinations == combinations


def test_texts_among_numbers_are_values_of_their_own():
    rows = hashed(a=[*tagged(np.array([0, 1, 2, 1])), float("nan"), 1.0])
    assert rows.uniqueness({"a"}) == Uniqueness(singled_out=2 / 6, combinations=4)


def test_missing_is_a_value_and_numbers_count_exactly():
    nan = float("nan")
    rows = hashed(a=[nan, nan, 0.0, -0.0, 1.0, 1.0 + 1e-15])
    assert rows.uniqueness(["a"]) == Uniqueness(singled_out=2 / 6, combinations=4)
    assert hashed(a=[nan, 0.0]).uniqueness(["a"]).singled_out == 1


def test_negative_nan_is_missing_too():
    assert hashed(a=[float("nan"), -float("nan"), 2.0]).uniqueness(["a"]).combinations == 2


def test_equal_codes_of_different_columns_do_not_cancel_out():
    """With one and the same numbering (0, 1) and (1, 0) would have the same sum."""
    rows = hashed(a=[0, 1, 2, 3], b=[1, 0, 3, 2])
    assert rows.uniqueness(["a", "b"]) == Uniqueness(singled_out=1.0, combinations=4)


def test_a_persons_records_do_not_hide_each_other():
    values = [0, 0, 1, 1, 2]
    assert hashed(a=values).uniqueness(["a"]).singled_out == 1 / 5
    rows = hashed([7, 7, 8, 9, 9], a=values)
    # 7 is alone with both records, 8 with none, 9 with one of two.
    assert rows.uniqueness(["a"]).singled_out == pytest.approx((1 + 0 + 0.5) / 3)
    assert hashed([7, 7, 8, 8, 9], a=values).uniqueness(["a"]).singled_out == 1


def test_wide_tables_are_counted_without_overflow():
    rng = np.random.default_rng(0)
    columns = {f"c{n}": rng.integers(0, 1000, 500).tolist() for n in range(60)}
    assert hashed(**columns).uniqueness(columns) == Uniqueness(singled_out=1.0, combinations=500)
    twice = {name: values * 2 for name, values in columns.items()}
    assert hashed(**twice).uniqueness(twice) == Uniqueness(singled_out=0.0, combinations=500)


def test_no_collision_among_many_rows():
    """300 000 different pairs of codes are 300 000 different sums."""
    n = 300_000
    rows = hashed(a=np.arange(n) % 1000, b=np.arange(n) // 1000)
    assert rows.uniqueness(["a", "b"]).combinations == n


def test_an_empty_table_singles_out_nobody():
    table = EncodedTable(name="empty", n_rows=0, columns={"a": np.empty(0, np.int32)})
    assert HashedRows.of(table, ["a"]).uniqueness(["a"]).singled_out == 0


def test_answers_are_remembered_whatever_the_order():
    rows = hashed(a=[0, 1], b=[0, 0])
    assert rows.uniqueness(["a", "b"]) is rows.uniqueness(("b", "a"))


def test_more_that_is_singled_out_comes_first_then_more_combinations():
    few, many = (Uniqueness(singled_out=0.1, combinations=n) for n in (3, 4))
    assert few < many < Uniqueness(singled_out=0.2, combinations=1)
