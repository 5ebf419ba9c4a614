import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.known_sets import (
    LARGEST_SEARCHED,
    MOST,
    HashedRows,
    budget_set,
    choose_known_sets,
    levels,
    smallest_sets,
)
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.tables.codes.encode import EncodedTable


def choose(columns, candidates=None, *, unknown="secret", **settings):
    arrays = {name: np.asarray(values, np.int32) for name, values in columns.items()}
    n_rows = len(next(iter(arrays.values())))
    rows = HashedRows.of(EncodedTable(name="t", n_rows=n_rows, columns=arrays), list(arrays))
    names = [name for name in arrays if name != unknown] if candidates is None else candidates
    return choose_known_sets(rows, names, PlanSettings(**settings), unknown=unknown)


def grid(n=900):
    """Columns x and y together single out everybody, each alone nobody; z tells little."""
    numbers = np.arange(n)
    return {"z": numbers == 0, "x": numbers % 30, "y": numbers // 30, "secret": numbers % 2}


def texts(sets):
    return {known.kind: known.reason for known in sets}


def test_by_default_all_others_and_the_smallest_sets():
    sets = choose(grid())
    assert [(known.kind, known.columns) for known in sets] == [
        (KnownSetKind.ALL_OTHERS, ("z", "x", "y")),
        (KnownSetKind.SINGLES_OUT, ("x", "y")),
    ]
    assert [known.singled_out for known in sets] == [1.0, 1.0]
    assert texts(sets) == {
        KnownSetKind.ALL_OTHERS: "All 3 other columns. They single out everybody.",
        KnownSetKind.SINGLES_OUT: "These 2 columns single out everybody; no single column singles "
        "out most.",
    }


def test_one_other_column_is_said_to_be_the_only_one():
    (known,) = choose({"a": [0, 1, 2, 2, 2], "secret": [0, 1, 0, 1, 0]})
    assert known.kind is KnownSetKind.ALL_OTHERS
    assert known.reason == ("The only other column. It singles out 40% of the people.")


def test_named_sets_come_first_in_the_tables_order_without_the_unknown_one():
    sets = choose(grid(), named=[["y", "secret", "x"], ["secret"]], max_known=1)
    assert sets[0].columns == ("x", "y")
    assert sets[0].kind is KnownSetKind.NAMED
    assert sets[0].reason == (
        "Named by you. These 2 columns single out everybody. It leaves out "
        "'secret', which is attacked."
    )
    assert all(known.columns for known in sets)


def test_equal_sets_are_merged_under_the_first_rule():
    sets = choose(grid(), named=[["x", "y"], ["y", "x"]], max_known=3)
    assert [known.kind for known in sets] == [KnownSetKind.NAMED, KnownSetKind.ALL_OTHERS]
    assert choose(grid(), all_others=False, max_known=2)[0].kind is KnownSetKind.SINGLES_OUT


def test_a_budget_cuts_generated_sets_but_not_named_ones():
    sets = choose(grid(), named=[["x", "y", "z"]], max_known=1)
    assert [(known.kind, len(known.columns)) for known in sets] == [
        (KnownSetKind.NAMED, 3),
        (KnownSetKind.SINGLES_OUT, 1),
    ]
    assert sets[1].columns == ("z",)
    assert sets[1].reason == (
        "This column singles out 0.1% of the people, the most of all columns. No more may be known."
    )


def test_a_budget_alone():
    (known,) = choose(grid(), known_sets=0, all_others=False, max_known=2)
    assert known.kind is KnownSetKind.BUDGET
    assert known.columns == ("x", "y")
    assert known.reason == (
        "At most 2 columns may be known. These 2 columns single out everybody, the most of all "
        "sets of 2."
    )
    (known,) = choose(grid(), known_sets=0, all_others=False, max_known=1)
    assert known.reason.startswith("At most 1 column may be known. This column singles out")
    (known,) = choose(grid(), known_sets=0, all_others=False, max_known=7)
    assert known.columns == ("z", "x", "y")
    assert known.reason.endswith("single out everybody, the only ones.")


def test_a_budget_that_was_not_searched_to_the_end_says_so():
    rng = np.random.default_rng(0)
    columns = {f"c{n}": rng.integers(0, 2, 300) for n in range(70)}
    (known,) = choose(columns, known_sets=0, all_others=False, max_known=7, unknown="c0")
    assert len(known.columns) == 7
    assert known.reason.endswith("the most of all sets of 7 tried.")


def test_reasons_tell_how_well_smaller_sets_were_searched():
    rng = np.random.default_rng(0)
    columns = {f"c{n}": rng.integers(0, 2, 300) for n in range(70)}
    (known,) = choose(columns, all_others=False, unknown="c0")
    assert known.singled_out > 0.5
    assert "; no smaller set tried singles out most." in known.reason
    numbers = np.arange(1000)
    digits = {
        "a": numbers % 10,
        "b": numbers // 10 % 10,
        "c": numbers // 100,
        "secret": numbers % 3,
    }
    (known,) = choose(digits, all_others=False)
    assert known.reason == ("These 3 columns single out everybody; no 2 columns single out most.")


def test_people_who_cannot_be_singled_out():
    values = np.where(np.arange(100) < 90, 0, np.arange(100))
    columns = {"a": values, "b": values % 2, "secret": np.arange(100) % 2}
    (known,) = choose(columns, all_others=False)
    assert known.columns == ("a",)
    assert known.singled_out == 0.1
    assert known.reason == (
        "This column singles out 10% of the people. Most people cannot be singled out: both "
        "other columns together single out 10% of the people."
    )
    (known,) = choose({"a": [0, 0, 1, 1], "secret": [0, 1, 0, 1]}, all_others=False)
    assert "singles out nobody" in known.reason


def test_as_many_different_sets_as_asked_for():
    numbers = np.arange(60)
    columns = {f"c{n}": numbers for n in range(6)}
    for wanted in (1, 3, 5):
        sets = choose(columns, unknown="c0", all_others=False, known_sets=wanted)
        assert len({known.columns for known in sets}) == wanted
    assert len(choose(columns, unknown="c0", all_others=False, known_sets=9)) == 5
    assert choose(columns, unknown="c0", known_sets=0) == choose(columns, unknown="c0")[:1]


def test_the_choice_depends_on_seed_and_unknown_column_only():
    numbers = np.arange(60)
    columns = {f"c{n}": numbers for n in range(12)}

    def chosen(seed, unknown="c0", extra=()):
        given = {**columns, **dict.fromkeys(extra, numbers)}
        sets = choose(
            given,
            [name for name in columns if name != "c0"],
            unknown=unknown,
            all_others=False,
            seed=seed,
        )
        return [known.columns for known in sets]

    assert chosen(1) == chosen(1) == chosen(1, extra=["more"])
    assert len({tuple(chosen(seed)) for seed in range(6)}) > 1
    assert len({tuple(chosen(0, unknown=name)) for name in ("u", "v", "w", "secret")}) > 1


@pytest.mark.parametrize("max_known", [1, 2, 5, 11])
def test_no_generated_set_exceeds_the_budget(max_known):
    rng = np.random.default_rng(0)
    columns = {f"c{n}": rng.integers(0, 4, 400) for n in range(12)}
    sets = choose(columns, unknown="c0", max_known=max_known, known_sets=4)
    assert sets
    assert max(len(known.columns) for known in sets) <= max_known
    best = max(sets, key=lambda known: known.singled_out)
    assert len(best.columns) == max_known


def hashed(columns):
    arrays = {name: np.asarray(values, np.int32) for name, values in columns.items()}
    n_rows = len(next(iter(arrays.values())))
    return HashedRows.of(EncodedTable(name="t", n_rows=n_rows, columns=arrays), list(arrays))


def coins(n_columns, n_rows=400, sides=2, seed=0):
    rng = np.random.default_rng(seed)
    return {f"c{n}": rng.integers(0, sides, n_rows) for n in range(n_columns)}


def search(columns, wanted=2, at_most=None, seed=0):
    rows, names = hashed(columns), list(columns)
    rng = np.random.default_rng(seed)
    found = smallest_sets(
        rows, names, wanted=wanted, at_most=at_most or len(names), rng=rng, seed=seed
    )
    return found, [rows.uniqueness(s).singled_out for s in found.sets]


small_tables = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=2, max_size=12).map(
    lambda rows: dict(zip("abcd", zip(*rows, strict=True), strict=True))
)


@given(small_tables)
def test_smallest_sets_are_those_of_trying_everything(columns):
    rows = hashed(columns)
    sizes = {
        size: [
            s for s in itertools.combinations("abcd", size) if rows.uniqueness(s).singled_out > MOST
        ]
        for size in range(1, 5)
    }
    smallest = next((size for size, sets in sizes.items() if sets), None)
    found, shares = search(columns, wanted=3)
    assert found.exhaustive
    assert found.most == (smallest is not None)
    if smallest is not None:
        assert set(found.sets) <= set(sizes[smallest])
        assert len(found.sets) == len(set(found.sets)) == min(3, len(sizes[smallest]))
    else:
        assert len(found.sets) == 1
        assert shares[0] >= 0.95 * rows.uniqueness("abcd").singled_out


@given(small_tables, st.integers(1, 4))
def test_the_budgets_set_is_that_of_trying_everything(columns, size):
    rows = hashed(columns)
    found, proven = budget_set(rows, "abcd", size=size)
    best = max(rows.uniqueness(s).singled_out for s in itertools.combinations("abcd", size))
    assert len(found) == size
    assert rows.uniqueness(found).singled_out == pytest.approx(best, abs=0.001)
    assert not proven or rows.uniqueness(found).singled_out == best


def planted(n_columns, n_rows=900):
    """Only columns x and y together single out; the others are nearly constant."""
    columns = {f"c{n}": np.arange(n_rows) == n for n in range(n_columns)}
    return {**columns, "x": np.arange(n_rows) % 30, "y": np.arange(n_rows) // 30}


def test_a_planted_pair_is_found():
    found, shares = search(planted(10))
    assert found.sets == (("x", "y"),)
    assert (found.most, found.exhaustive, shares) == (True, True, [1.0])


def test_a_planted_pair_is_found_among_200_columns_without_trying_all():
    rows = hashed(planted(200))
    found = smallest_sets(
        rows, list(rows.keys), wanted=2, at_most=202, rng=np.random.default_rng(0)
    )
    assert found.sets == (("x", "y"),)
    tried = list(levels(rows, list(rows.keys), at_most=2))
    assert not tried[1].exhaustive or len(tried[1].sets) == 202 * 201 / 2


def test_wide_tables_take_more_columns_than_are_searched_one_by_one():
    """20 fair coins for 400 people: no 6 of them tell 200 people apart."""
    found, shares = search(coins(20))
    assert len(found.sets) == 1
    assert LARGEST_SEARCHED < len(found.sets[0]) < 20
    assert (found.most, found.exhaustive) == (True, False)
    assert shares[0] > MOST
    rows = hashed(coins(20))
    for column in found.sets[0]:
        fewer = [other for other in found.sets[0] if other != column]
        assert rows.uniqueness(fewer).singled_out <= MOST


def test_sixty_columns_are_searched_with_few_counts():
    rows = hashed(coins(60, n_rows=2000, sides=4))
    names = list(rows.keys)
    for left_out in names[:10]:
        others = [name for name in names if name != left_out]
        found = smallest_sets(rows, others, wanted=2, at_most=59, rng=np.random.default_rng(0))
        assert found.most
        assert all(left_out not in columns for columns in found.sets)
    assert len(rows._known) < 60_000


def test_several_sets_share_as_few_columns_as_can_be():
    columns = {
        name: np.arange(100) // 2 if n % 2 else np.arange(100) % 2
        for n, name in enumerate("abcdef")
    }
    found, _ = search(columns, wanted=3)
    assert all(len(s) == 2 for s in found.sets)
    assert len({column for s in found.sets for column in s}) == 6


def test_where_most_cannot_be_singled_out_one_small_set_comes_near():
    """Half of the rows and one are the same; column a tells nearly all the others apart."""
    n = 100
    a = np.where(np.arange(n) < 51, 0, np.arange(n))
    b = np.where(np.arange(n) < 51, 0, np.arange(n) % 7)
    found, shares = search({"a": a, "b": b, "c": np.zeros(n)})
    assert found.sets == (("a",),)
    assert not found.most
    assert shares == [0.49]


def test_nobody_can_be_singled_out():
    found, shares = search({"a": [0, 0, 1, 1], "b": [0, 0, 1, 1]})
    assert (len(found.sets), found.most, shares) == (1, False, [0.0])


def test_exactly_half_is_not_most():
    found, shares = search({"a": [0, 1, 2, 2]})
    assert (found.most, shares) == (False, [0.5])


def test_no_set_is_larger_than_allowed():
    found, _ = search(planted(3), at_most=1)
    assert [len(s) for s in found.sets] == [1]
    assert not found.most
    found, _ = search(coins(20), at_most=8)
    assert [len(s) for s in found.sets] == [8]
    assert not found.most


def test_the_seed_decides_which_and_nothing_else_does():
    columns = {f"c{n}": np.arange(200) // 2 if n % 2 else np.arange(200) % 2 for n in range(12)}
    results = {search(columns, seed=seed)[0].sets for seed in range(8)}
    assert len(results) > 1
    assert search(columns, seed=3)[0] == search(columns, seed=3)[0]


def test_levels_are_of_all_sets_while_there_are_few():
    rows = hashed(coins(5, n_rows=20))
    found = list(levels(rows, list(rows.keys), at_most=3))
    assert [len(level.sets) for level in found] == [5, 10, 10]
    assert all(level.exhaustive for level in found)


def test_levels_beyond_are_of_promising_and_of_random_sets():
    rows = hashed(coins(60, n_rows=50))
    first, second, third = levels(rows, list(rows.keys), at_most=3)
    assert (first.exhaustive, second.exhaustive, third.exhaustive) == (True, True, False)
    assert 200 < len(third.sets) < 8 * 60
    assert all(len(set(s)) == 3 for s in third.sets)
    assert [list(s) for s in third.sets] == [
        sorted(s, key=list(rows.keys).index) for s in third.sets
    ]


def test_a_budget_of_many_facts_is_filled_up():
    columns = planted(12)
    rows = hashed(columns)
    found, proven = budget_set(rows, list(columns), size=9)
    assert len(found) == 9
    assert {"x", "y"} <= set(found)
    assert proven
    assert budget_set(rows, ["x", "y"], size=5) == (("x", "y"), True)
