"""Releases with known leaks: what is said to be true of them follows from how they were made."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alc_core.errors import InputError, ParameterError
from benchmarks import leaks
from benchmarks.leaks import LEAKS, best_guess, leak_cases
from benchmarks.people import made_up_people

SIZE = 60
SOME = settings(max_examples=5, deadline=None)
SEEDS = st.integers(0, 999)


def cases(seed, leak, *levels, unknown="condition", size=SIZE):
    table = made_up_people(5 * size, seed=seed)
    leaks = {leak: levels}
    return list(leak_cases(table, unknowns=[unknown], size=size, seed=seed, leaks=leaks))


def rows(frame):
    return sorted(map(tuple, frame.astype(str).to_numpy().tolist()))


@pytest.fixture(autouse=True, scope="module")
def _quick_guess():
    """A guess that needs no model: the most frequent value."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            leaks, "best_guess",
            lambda others, people, _, unknown: np.asarray(
                people[unknown] == others[unknown].mode()[0], dtype=float
            ),
        )  # fmt: skip
        yield


def said_most(case):
    """What most of the records say that agree with each person in the most known columns."""
    for place, person in case.original.iterrows():
        agree = sum((case.release[c] == person[c]).astype(int) for c in case.known)
        said = case.release[case.unknown][agree == agree.max()].value_counts()
        yield place, set(said.index[said == said.max()])


@SOME
@given(seed=SEEDS, leak=st.sampled_from(["verbatim", "rare values", "subgroup", "swapped"]))
def test_a_reader_of_the_closest_records_is_right_as_often_as_is_said(seed, leak):
    for case in cases(seed, leak, LEAKS[leak].levels[1]):
        own, truth = case.original[case.unknown], case.truth
        whole = {tuple(row) for row in case.release.astype(str).to_numpy().tolist()}
        for place, most in said_most(case):
            if not truth.linked[place]:
                continue
            assert truth.right[place] == (own[place] in most) / len(most)
        if leak != "swapped":
            told = case.original.astype(str).agg(tuple, axis=1).isin(whole)
            assert (truth.linked == (told & (not case.harmless))).all()
        gains = [(truth.agreed[p], truth.right[p] - truth.guessed[p])
                 for p in range(SIZE) if truth.linked[p]]  # fmt: skip
        believed = [[g for at, g in gains if at >= least] for least in sorted({*truth.agreed})]
        best = max(believed, key=lambda each: sum(each) - 2 * len(each) ** 0.5)
        assert truth.exposed == max(0, round(sum(best)))
        assert (truth.told == (truth.linked & (truth.right == 1))).all()


@SOME
@given(seed=SEEDS)
def test_a_twin_says_nothing_of_anybody_and_is_made_alike(seed):
    for name, leak in LEAKS.items():
        found, twin = cases(seed, name, leak.levels[0])
        assert (found.harmless, twin.harmless) == (False, True)
        assert twin.truth.exposed == 0
        assert not twin.truth.linked.any()
        assert list(twin.release) == list(found.release) == [*found.known, found.unknown]
        assert twin.original.equals(found.original)
        if name not in ("noisy counts", "coarsened"):
            assert not set(rows(twin.release)) & set(rows(found.original))


@SOME
@given(seed=SEEDS)
def test_each_leak_tells_what_its_level_says(seed):
    for share in (0.5, 0.1):
        case = cases(seed, "verbatim", share)[0]
        assert case.truth.linked.sum() == round(share * SIZE)
    rare = cases(seed, "rare values", 0.1)[0]
    shares = rare.original["condition"].map(rare.original["condition"].value_counts()) / SIZE
    assert (rare.truth.linked == (shares < 0.1)).all()
    group = cases(seed, "subgroup", 0.25)[0]
    told = group.original[group.truth.linked][list(group.known)]
    one = [c for c in told if (told[c] == told[c].iloc[0]).all()]
    assert any((group.original[c] == told[c].iloc[0]).sum() == len(told) for c in one)
    copy, mixed = (cases(seed, "overfit", k)[0] for k in (1, 20))
    assert rows(copy.release) == rows(copy.original)
    for column in mixed.original:
        assert set(mixed.release[column]) <= set(mixed.original[column])
    coarse = cases(seed, "coarsened", 3)[0]
    numbers = [c for c in coarse.known if pd.api.types.is_numeric_dtype(coarse.original[c])]
    assert len(numbers) >= 3
    assert (coarse.release[numbers].nunique() <= 3).all()
    classes = cases(seed, "class of a number", 3)[0]
    assert classes.unknown == "income"
    assert classes.original["income"].nunique() == 3
    assert classes.truth.told.all()


def test_counts_with_hardly_any_noise_are_the_people():
    case = cases(0, "noisy counts", 60)[0]
    assert rows(case.release) == rows(case.original)
    assert case.truth.linked.all()
    noisy = cases(0, "noisy counts", 1)[0]
    assert len(noisy.release) > 2 * len(case.release)
    assert noisy.truth.right.mean() < case.truth.right.mean()


def test_columns_are_the_person_s_as_far_as_is_said():
    everything, half = (cases(1, "columns", share, size=200)[0] for share in (1, 0.5))
    assert rows(everything.release) == rows(everything.original)
    assert everything.truth.told.all()
    assert half.truth.linked.all()
    assert not set(rows(half.release)) & set(rows(half.original))


def test_the_guess_is_what_holds_among_others():
    people = made_up_people(500, seed=2)[["age", "sex"]].assign(old="no")
    people.loc[(people["age"] > 50) & (people["sex"] == "male"), "old"] = "yes"
    assert best_guess(people[200:], people[:200], ("age", "sex"), "old").mean() > 0.97


def test_a_guess_can_be_made_of_any_values():
    people = made_up_people(400, seed=2)[["age", "sex"]].assign(mixed=["x", 1] * 200, paid=1.5)
    people.loc[0, "paid"] = 2.5
    assert best_guess(people[100:], people[:100], ("age", "mixed"), "paid").mean() == 0.99
    assert 0 < best_guess(people[100:], people[:100], ("age", "mixed"), "sex").mean() < 1


def test_the_guess_has_learned_from_as_many_others_as_there_are_people():
    people = made_up_people(3000, seed=2)
    known = [c for c in people if c != "condition"]
    few, many = (
        best_guess(people[600:], people[:size], known, "condition").mean() for size in (40, 600)
    )
    assert few < many - 0.02


def test_more_leaks_at_higher_levels():
    for name in ("verbatim", "overfit", "swapped", "coarsened"):
        some = LEAKS[name].levels[::2]
        exposed = [c.truth.exposed for c in cases(3, name, *some, size=300) if not c.harmless]
        assert exposed == sorted(exposed, reverse=True)
        assert exposed[0] > 100


def test_same_seed_same_cases():
    first, again, other = (cases(seed, "overfit", 5)[0] for seed in (7, 7, 8))
    assert first.release.equals(again.release)
    assert np.array_equal(first.truth.right, again.truth.right)
    assert not first.release.equals(other.release)
    assert made_up_people(9, seed=1).equals(made_up_people(9, seed=1))


def test_what_cannot_be_made_is_refused():
    people = made_up_people(300)
    with pytest.raises(InputError, match="has 300 rows, but 400 are needed"):
        next(leak_cases(people, size=100))
    with pytest.raises(InputError, match="Column 'job' of the table has empty cells"):
        next(leak_cases(people.assign(job=None), size=50))
    with pytest.raises(InputError, match="Column 'wage' is missing"):
        next(leak_cases(people, size=50, number="wage"))
    with pytest.raises(ParameterError, match="no leak 'gossip'"):
        next(leak_cases(people, size=50, leaks={"gossip": (1,)}))
    with pytest.raises(ParameterError, match="size must be at least 35, but is 3"):
        next(leak_cases(people, size=3))
    with pytest.raises(ParameterError, match="count must be at least 1"):
        made_up_people(0)
