import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.tables.own_together import (
    once_and_strangers,
    own_together,
    parts_return,
    returns_alone,
)
from benchmarks.people import made_up_people

N = 3_000
RNG = np.random.default_rng(11)
PEOPLE = made_up_people(N, seed=3).assign(
    weight=RNG.integers(20_000, 900_000, N),
    postcode=RNG.choice(np.arange(1000, 1300), N),
    born=lambda people: (
        pd.Timestamp("2020-06-01")
        - pd.to_timedelta(people["age"] * 365 + RNG.integers(0, 365, N), unit="D")
    ),
)
ORIGINAL = alc.table_from_frame(PEOPLE, name="people")


def found(release, original=ORIGINAL):
    return own_together(
        original, alc.table_from_frame(release, name="release"), original.own_compared
    )


def apart(*kept, frame=PEOPLE, rows=1.0):
    """Return shuffled rows in which only some columns are kept together."""
    rng = np.random.default_rng(5)
    release = frame.copy()
    for name in frame.columns.difference(kept):
        release[name] = rng.permutation(frame[name].to_numpy())
    return release.sample(frac=rows, random_state=6).reset_index(drop=True)


def changed(share, frame=PEOPLE, columns=tuple(PEOPLE)):
    """Return rows of which a share of the cells is drawn anew."""
    rng, release = np.random.default_rng(7), frame.copy()
    for name in columns:
        cells = rng.random(len(frame)) < share
        release.loc[cells, name] = rng.permutation(frame[name].to_numpy())[cells]
    return release


SETS = [
    {"weight", "sex"},
    {"born", "district"},
    {"age", "income", "job"},
    {"district", "income", "condition"},
    {"age", "district", "hours", "job"},
    {"born", "education", "income", "marital_status"},
    {"sex", "education", "weight", "children", "condition"},
    {"age", "sex", "district", "education", "hours"},
    {"age", "district", "job", "hours", "children", "condition"},
]


@pytest.mark.parametrize("kept", SETS, ids=lambda kept: "-".join(sorted(kept)))
def test_the_set_is_named_exactly(kept):
    (own,) = found(apart(*kept))
    assert {*own.together.columns} == kept
    assert {*own.others} <= {*PEOPLE} - kept
    assert own.together.share == 1
    assert own.together.expected < 0.5
    assert {each.columns for each in own.alone} == {(c,) for c in kept & {"weight", "born"}}


@pytest.mark.parametrize("kept", [SETS[1], SETS[2]], ids=lambda kept: "-".join(sorted(kept)))
def test_half_of_the_people_are_enough_and_what_others_share_is_not(kept):
    (own,) = found(apart(*kept, rows=0.5))
    assert {*own.together.columns} == kept
    assert own.together.share == pytest.approx(0.5, abs=0.1)


def test_two_sets_of_other_people_are_two():
    rng = np.random.default_rng(8)
    release = apart("born", "district", "sex")
    other = PEOPLE[["age", "income", "job"]].iloc[rng.permutation(N)].reset_index(drop=True)
    sets = {frozenset(own.together.columns) for own in found(release.assign(**other))}
    assert sets == {frozenset({"born", "district", "sex"}), frozenset({"age", "income", "job"})}


def test_a_column_that_the_set_only_predicts_is_not_in_it():
    release = apart("born", "district", "age")
    by_age = PEOPLE.groupby("age")
    rng = np.random.default_rng(9)
    for name in ("marital_status", "children"):
        values = by_age[name].agg(list)
        release[name] = [rng.choice(values[age]) for age in release["age"]]
    (own,) = found(release)
    assert {*own.together.columns} == {"born", "district", "age"}
    assert not {"marital_status", "children"} & {*own.together.columns}


def test_a_column_that_follows_from_the_set_is_in_it():
    original = PEOPLE.assign(schooling=PEOPLE["education"].str[:2])
    (own,) = found(
        apart("born", "district", "education", "schooling", frame=original),
        alc.table_from_frame(original, name="people"),
    )
    assert {*own.together.columns} == {"born", "district", "education", "schooling"}


def noisy(release):
    rng = np.random.default_rng(10)
    for name in ("age", "income", "hours", "weight"):
        values = release[name]
        release[name] = (values + rng.normal(0, 0.1 * values.std(), len(values))).round(1)
    return release


def ranks_moved(release):
    rng = np.random.default_rng(12)
    for name in ("age", "income", "hours", "weight", "postcode"):
        ordered = np.sort(release[name].to_numpy())
        places = release[name].rank(method="first") - 1 + rng.normal(0, 0.1 * N, N)
        release[name] = ordered[np.clip(places, 0, N - 1).astype(int)]
    return release


def by_trees(release):
    """Return rows whose values are of people who are alike in the column before."""
    rng = np.random.default_rng(13)
    made = {"age": rng.choice(release["age"], N)}
    before = "age"
    for name in release.columns.drop(["age", "born"]):
        groups = release[name].groupby(release[before].rank(pct=True).mul(20).astype(int))
        ranks = pd.Series(made[before]).map(
            release.groupby(before)[before].first().rank(pct=True).mul(20).astype(int)
        )
        values = groups.agg(list)
        made[name] = np.array([rng.choice(values.iloc[min(k, len(values) - 1)]) for k in ranks])
        before = name
    return pd.DataFrame(made).assign(born=rng.choice(release["born"], N))


def recoded(name):
    """Return rows in which a column has the labels of others, or new ones, or runs backwards."""

    def make():
        labels = np.sort(PEOPLE["job"].unique())
        ways = {
            "ring": {"job": PEOPLE["job"].map(dict(zip(labels, np.roll(labels, 1), strict=True)))},
            "renamed": {"job": PEOPLE["job"].map({job: f"J{n}" for n, job in enumerate(labels)})},
            "exchanged": {"sex": PEOPLE["sex"].map({"female": "male", "male": "female"})},
            "backwards": {"age": 110 - PEOPLE["age"]},
            "scaled": {"income": PEOPLE["income"] * 1.1},
        }
        return PEOPLE.assign(**ways[name])

    return make


HARMLESS = {
    **{name: recoded(name) for name in ("ring", "renamed", "exchanged", "backwards", "scaled")},
    "strangers": lambda: made_up_people(N, seed=4).assign(
        weight=np.random.default_rng(14).integers(20_000, 900_000, N),
        born=PEOPLE["born"],
        postcode=np.random.default_rng(15).choice(np.arange(1000, 1300), N),
    ),
    "independent": apart,
    "as they are": lambda: PEOPLE.drop(columns="weight").sample(frac=0.5, random_state=1),
    **{f"{share} drawn anew": lambda share=share: changed(share) for share in (0.1, 0.3, 0.5, 0.8)},
    "noise": lambda: noisy(changed(0.1)),
    "ranks": lambda: ranks_moved(changed(0.2)),
    "trees": lambda: by_trees(PEOPLE),
}


@pytest.mark.parametrize("make", HARMLESS.values(), ids=HARMLESS)
def test_nothing_is_found_in_vain(make):
    release = make()
    columns = [c for c in ORIGINAL.own_compared if c in release]
    own = own_together(ORIGINAL, alc.table_from_frame(release, name="release"), columns)
    assert not [each for each in own if each.others]


@pytest.mark.parametrize("share", [0.0, 0.3], ids=["as they are", "others drawn anew"])
def test_a_number_that_most_have_alone_leads_to_rows(share):
    (own,) = found(changed(share, columns=PEOPLE.columns.drop("weight")))
    ((alone),) = (each for each in own.alone if each.columns == ("weight",))
    assert alone.singled_out > 0.99
    assert alone.share == 1
    assert alone.expected < 0.02
    assert not own.others


@pytest.mark.parametrize(
    "weight",
    [
        lambda: np.random.default_rng(1).permutation(PEOPLE["weight"]),
        lambda: np.random.default_rng(1).integers(20_000, 900_000, N),
        lambda: PEOPLE["weight"].round(-5),
    ],
    ids=["permuted", "drawn", "rounded"],
)
def test_a_number_on_other_rows_does_not(weight):
    own = found(PEOPLE.assign(weight=weight()))
    assert not [each for one in own for each in one.alone if each.columns == ("weight",)]


def test_a_number_returns_alone():
    release = alc.table_from_frame(PEOPLE.assign(weight=PEOPLE["weight"] + 1), name="release")
    assert returns_alone(ORIGINAL, ORIGINAL, "weight")
    assert not returns_alone(ORIGINAL, ORIGINAL, "age")
    assert not returns_alone(ORIGINAL, release, "weight")


def test_few_rows_or_columns_say_nothing():
    small = alc.table_from_frame(PEOPLE.head(50), name="small")
    assert own_together(small, small, small.own_compared) == ()
    assert own_together(ORIGINAL, ORIGINAL, ["weight"]) == ()


WEAK = [{"age", "income", "job"}, {"born", "district"}, {"postcode", "job", "age", "district"}]


@pytest.mark.parametrize("kept", WEAK, ids=lambda kept: "-".join(sorted(kept)))
def test_parts_kept_of_few_people_return_beyond_chance(kept):
    rows, mixed = apart(*kept), apart()
    mixed.iloc[: N // 4] = rows.iloc[: N // 4]
    release = alc.table_from_frame(mixed, name="release")
    assert not own_together(ORIGINAL, release, ORIGINAL.own_compared), "too few to name the set"
    assert parts_return(ORIGINAL, release, ORIGINAL.own_compared)


@pytest.mark.parametrize("seed", range(3))
def test_parts_of_strangers_and_of_columns_drawn_one_by_one_return_by_chance(seed):
    people = made_up_people(N, seed=20 + seed)
    rng = np.random.default_rng(seed)
    drawn = people.apply(lambda column: rng.permutation(column.to_numpy()))
    others = made_up_people(N, seed=40 + seed)
    tables = [alc.table_from_frame(each, name="t") for each in (others, drawn)]
    original = alc.table_from_frame(people, name="people")
    assert not any(parts_return(original, each, original.own_compared) for each in tables)


@pytest.mark.parametrize("rows", [2_000, 5_000, 10_000])
@pytest.mark.parametrize("spread", [0.0, 0.5, 1.0])
def test_chance_is_that_of_other_people_however_much_values_differ(spread, rows):
    rng = np.random.default_rng(4)
    shares = rng.lognormal(sigma=spread, size=8_000)
    own, others = (rng.choice(8_000, n, p=shares / shares.sum()) for n in (5_000, rows))
    once, chance = once_and_strangers(own.astype(np.uint32), rows)
    values, times = np.unique(own, return_counts=True)
    assert np.array_equal(once, values[times == 1])
    assert chance == pytest.approx(np.isin(once, others).mean(), abs=0.03)


def test_chance_is_0_if_no_value_occurs_twice():
    once, chance = once_and_strangers(
        np.repeat(np.arange(30, dtype=np.uint32), [1] * 15 + [3] * 15), 9
    )
    assert len(once) == 15
    assert chance == 0
