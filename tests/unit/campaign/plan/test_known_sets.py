import numpy as np
import pytest

from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.known_sets import choose_known_sets
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.campaign.plan.uniqueness import HashedRows
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
        KnownSetKind.ALL_OTHERS: "All 3 other columns: an attacker who knows everything else. "
        "Together they single out everybody.",
        KnownSetKind.SINGLES_OUT: "These 2 columns together single out everybody; no column alone "
        "singles out most.",
    }


def test_one_other_column_is_said_to_be_the_only_one():
    (known,) = choose({"a": [0, 1, 2, 2, 2], "secret": [0, 1, 0, 1, 0]})
    assert known.kind is KnownSetKind.ALL_OTHERS
    assert known.reason == (
        "The only other column: an attacker who knows everything else. "
        "It singles out 40 % of the people."
    )


def test_named_sets_come_first_in_the_tables_order_without_the_unknown_one():
    sets = choose(grid(), named=[["y", "secret", "x"], ["secret"]], max_known=1)
    assert sets[0].columns == ("x", "y")
    assert sets[0].kind is KnownSetKind.NAMED
    assert sets[0].reason == (
        "Named by you. These 2 columns together single out everybody. "
        "'secret' is not among them here: it is attacked."
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
        "This column alone singles out 0.1 % of the people, the most of all columns. "
        "No more may be known."
    )


def test_a_budget_alone():
    (known,) = choose(grid(), known_sets=0, all_others=False, max_known=2)
    assert known.kind is KnownSetKind.BUDGET
    assert known.columns == ("x", "y")
    assert known.reason == (
        "At most 2 columns may be known. These 2 columns together single out everybody, the most "
        "of all sets of 2."
    )
    (known,) = choose(grid(), known_sets=0, all_others=False, max_known=1)
    assert known.reason.startswith("At most 1 column may be known. This column alone singles out")
    (known,) = choose(grid(), known_sets=0, all_others=False, max_known=7)
    assert known.columns == ("z", "x", "y")
    assert known.reason.endswith("single out everybody, and there are no others.")


def test_a_budget_that_was_not_searched_to_the_end_says_so():
    rng = np.random.default_rng(0)
    columns = {f"c{n}": rng.integers(0, 2, 300) for n in range(70)}
    (known,) = choose(columns, known_sets=0, all_others=False, max_known=7, unknown="c0")
    assert len(known.columns) == 7
    assert known.reason.endswith("the most of all sets of 7 that were tried.")


def test_reasons_tell_how_well_smaller_sets_were_searched():
    rng = np.random.default_rng(0)
    columns = {f"c{n}": rng.integers(0, 2, 300) for n in range(70)}
    (known,) = choose(columns, all_others=False, unknown="c0")
    assert known.singled_out > 0.5
    assert "; no smaller set that was tried singles out most." in known.reason
    numbers = np.arange(1000)
    digits = {
        "a": numbers % 10,
        "b": numbers // 10 % 10,
        "c": numbers // 100,
        "secret": numbers % 3,
    }
    (known,) = choose(digits, all_others=False)
    assert known.reason == (
        "These 3 columns together single out everybody; no 2 columns single out most."
    )


def test_people_who_cannot_be_singled_out():
    values = np.where(np.arange(100) < 90, 0, np.arange(100))
    columns = {"a": values, "b": values % 2, "secret": np.arange(100) % 2}
    (known,) = choose(columns, all_others=False)
    assert known.columns == ("a",)
    assert known.singled_out == 0.1
    assert known.reason == (
        "This column alone singles out 10 % of the people. Most people cannot be singled out: "
        "both other columns together single out 10 % of the people."
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
