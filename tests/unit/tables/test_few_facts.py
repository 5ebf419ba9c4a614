import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeRegressor

import alc_core as alc
from alc_core.tables import few_facts
from alc_core.tables.few_facts import copied_numbers, telling_facts
from alc_core.tables.read import table_from_frame


def customers(n=2_000, seed=0):
    """People with a credit limit that hardly anybody shares, and an income that follows it."""
    rng = np.random.default_rng(seed)
    income = np.round(np.exp(rng.normal(10, 0.5, n)), 2)
    limit = np.round(income * rng.uniform(0.1, 1.2, n) * 100) / 100
    day = pd.Timestamp("1950-01-01") + pd.to_timedelta(rng.integers(0, 22_000, n), unit="D")
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n), "region": rng.choice(list("ABCDEF"), n),
            "income": income, "limit": limit,
            "since": day + pd.to_timedelta(rng.integers(0, 86_400, n), unit="s"),
            "default": rng.choice(["no", "yes"], n, p=[0.9, 0.1]),
        }
    )  # fmt: skip


def tree_made(people, seed=0):
    """Income as it is, and limits drawn from people in leaves of few: numbers are copied."""
    rng = np.random.default_rng(seed)
    made = people.apply(lambda column: rng.choice(column, len(column)))
    tree = DecisionTreeRegressor(min_samples_leaf=5, random_state=0)
    leaves = tree.fit(people[["income"]].values, people["limit"]).apply(people[["income"]].values)
    places = tree.apply(made[["income"]].values)
    drawn = [rng.choice(people["limit"][leaves == leaf]) for leaf in places]
    return made.assign(limit=drawn)[people.columns]


def tables(release, people=None):
    people = customers() if people is None else people
    return table_from_frame(people, name="original"), table_from_frame(release, name="release")


def found(release, people=None):
    original, released = tables(release, people)
    return {each.columns[0]: each for each in copied_numbers(original, released)}


def told(release, people=None):
    original, released = tables(release, people)
    columns = original.columns
    return telling_facts(original, released, columns, dict.fromkeys(columns, ()))


def with_noise(people):
    rng = np.random.default_rng(3)
    return people.assign(
        income=people["income"] * rng.normal(1, 0.1, len(people)).round(3),
        limit=people["limit"] * rng.normal(1, 0.1, len(people)).round(3),
        since=people["since"] + pd.to_timedelta(rng.integers(-9, 9, len(people)), unit="min"),
    )


def test_numbers_that_trees_copy_are_found_with_their_share_beside_chance():
    numbers = found(tree_made(customers()))
    assert {"income", "limit", "since"} == numbers.keys(), "ages are shared by many"
    limit = numbers["limit"]
    assert limit.share == pytest.approx(1 - np.exp(-1), abs=0.04)
    assert limit.expected < 0.02
    assert limit.singled_out > 0.95


@pytest.mark.parametrize(
    "made",
    [
        lambda people: customers(seed=1),
        with_noise,
        lambda people: people.assign(
            income=people["income"].round(-3), limit=people["limit"].round(-3)
        )[["age", "income", "limit"]],
        lambda people: people.iloc[:0],
    ],
    ids=["strangers", "noise", "rounded", "nobody"],
)
def test_drawn_blurred_or_rounded_numbers_are_not_copied(made):
    release = made(customers()).assign(since=customers(seed=2)["since"])
    assert found(release) == {}


def test_whole_numbers_of_few_values_are_nobodys_own():
    people = customers()
    assert found(people[["age", "region", "default"]], people[["age", "region", "default"]]) == {}


def test_a_copied_limit_tells_the_income_and_nothing_that_it_has_no_part_in():
    facts = told(tree_made(customers()))
    assert facts["income"] == ("limit",)
    assert not {"region", "default"} & facts.keys()


@pytest.mark.parametrize("own", [False, True])
def test_a_few_copied_rows_tell_a_column_of_two_values(own):
    """Of 80 rows, all are right where the best guess has 60%: eight standard errors."""
    people, others = (
        customers(seed=seed).assign(gender=lambda f: np.where(f["income"] % 1 < 0.6, "f", "m"))
        for seed in (0, 1)
    )
    rows = (people if own else others).head(80)
    facts = told(pd.concat([rows, others.tail(len(people) - 80)]), people)
    assert ("gender" in facts) is own


def test_a_number_and_a_column_of_few_values_lead_to_rows_together():
    """Some share a weight, few also the diagnosis, of fewer values than ten other columns."""
    rng, n = np.random.default_rng(2), 4_000

    def patients():
        drugs = rng.poisson(2, n)
        others = {f"n{k}": rng.integers(0, 60, n) for k in range(10)}
        diagnosis = (drugs + rng.integers(0, 3, n)) % 4
        weight = rng.integers(400, 2_400, n)
        return pd.DataFrame({**others, "weight": weight, "drugs": drugs, "diagnosis": diagnosis})

    people, strangers = patients(), patients()
    half = strangers.index < n // 2
    made = strangers.assign(
        **{c: people[c].where(half, strangers[c]) for c in ("weight", "diagnosis", "drugs")}
    )
    assert told(made, people)["drugs"] == ("weight", "diagnosis")
    assert told(strangers, people) == {}


@pytest.mark.parametrize("how", ["kept", "apart", "strangers"])
def test_whole_numbers_in_a_dense_range_tell_the_income_where_both_are_kept(how):
    """Most limits return by chance, others' too; a row then has its person's income or not."""
    rng = np.random.default_rng(6)
    people, others = (
        customers(4_000, seed).assign(
            limit=lambda f: (f["limit"] / f["limit"].mean() * 3_000).round().astype(int),
            income=lambda f: f["income"].round(-1),
        )[["age", "region", "income", "limit", "default"]]
        for seed in (0, 1)
    )
    release, kept = others.copy(), rng.random(len(people)) < 0.6
    if how != "strangers":
        release.loc[kept, ["income", "limit"]] = people.loc[kept, ["income", "limit"]]
    if how == "apart":
        release.loc[kept, "limit"] = rng.permutation(release.loc[kept, "limit"])
    facts = told(release, people)
    assert "limit" in facts["income"] if how == "kept" else facts == {}
    assert found(release, people) == {}, "few more limits return than by chance"


def test_mixed_columns_have_the_numbers_and_tell_nothing_by_them():
    people = customers()
    mixed = people.apply(
        lambda c: c.sample(frac=1, random_state=[*people].index(c.name)).to_numpy()
    )
    assert found(mixed).keys() == {"income", "limit", "since"}
    assert told(mixed) == {}


def test_two_facts_are_named_where_one_does_not_do():
    rng = np.random.default_rng(5)
    n = 3_000
    people = pd.DataFrame(
        {
            "town": rng.integers(0, 80, n),
            "born": rng.integers(0, 900, n),
            "ill": rng.integers(0, 5, n).astype(str),
        }
    )
    assert told(people.sample(frac=1, random_state=1), people)["ill"] in (
        ("born", "town"),
        ("town", "born"),
    )


def test_long_tables_are_sampled_by_the_number(monkeypatch):
    people = customers(6_000)
    whole = found(tree_made(people), people)["limit"]
    monkeypatch.setattr(few_facts, "_MOST_ROWS", 2_000)
    some = found(tree_made(people), people)["limit"]
    assert some.share == pytest.approx(whole.share, abs=0.06)
    assert told(tree_made(people), people)["income"] == ("limit",)


def copied(release, people):
    told = alc.check_tables(people, release)
    return {"leading" in f.facts: f for f in told if f.code == "copied-numbers"}


def swapped(people):
    """Give numbers to people who have nearly the same, and other values to anybody."""
    rng = np.random.default_rng(1)
    changed = people.apply(lambda column: rng.permutation(column.to_numpy()))
    for column in ("income", "limit"):
        order = (people[column].rank() + rng.uniform(0, 60, len(people))).argsort()
        ranked = people[column].rank(method="first").astype(int).to_numpy() - 1
        changed[column] = people[column].to_numpy()[order.to_numpy()][ranked]
    return changed


@pytest.mark.parametrize("apart", ["swapped", "shuffled", "borrowed"])
def test_only_numbers_that_lead_to_the_persons_row_are_said_to_lead_there(apart):
    people = customers()
    rng = np.random.default_rng(2)
    release = swapped(people)
    if apart == "shuffled":
        release["limit"] = rng.permutation(people["limit"])
    if apart == "borrowed":  # of somebody with nearly the same, for a made-up row
        release = customers(seed=3)
        own = np.sort(people["income"])
        near = np.searchsorted(own, release["income"]).clip(max=len(own) - 1)
        release["income"] = own[near]
    told = copied(release, people)
    assert [*told] == [False]
    assert "resemble" not in told[False].message


def test_the_check_tells_of_them_unless_the_rows_are_the_originals():
    people = customers()
    leading = copied(tree_made(people), people)
    assert {*leading[True].facts["columns"]} == {"limit"}
    assert {*leading[False].facts["columns"]} == {"income", "since"}
    assert "resemble" in leading[True].message
    assert not any(each.blocking for each in leading.values())
    assert not copied(people.sample(frac=1, random_state=1), people)
    assert not copied(customers(seed=1), people)


def test_a_plan_has_whoever_knows_that_one_number_whatever_its_role():
    people = customers()
    releases = {"trees": tree_made(people), "strangers": customers(seed=1)}
    plan = alc.plan_campaign(
        people, releases, roles=dict.fromkeys(["limit", "income"], "to be protected")
    )
    kind = "one or two facts"
    own = {
        (each.release, each.scenario.unknown, each.scenario.known)
        for each in plan.attacks if each.kind == kind
    }  # fmt: skip
    assert ("trees", "income", ("limit",)) in own
    assert {release for release, *_ in own} == {"trees"}
    assert kind not in {e.kind for e in alc.plan_campaign(people, releases, known_sets=0).attacks}


def places(seed, n=2_000):
    """Where people live, what they have, and an illness that follows from none of it."""
    rng = np.random.default_rng(seed)
    wage = np.exp(rng.normal(10, 0.4, n))
    return pd.DataFrame(
        {
            "north": rng.uniform(0, 150, n), "east": rng.uniform(0, 150, n), "wage": wage,
            "rent": wage * rng.uniform(0.1, 0.4, n), "debt": np.exp(rng.normal(8, 1, n)),
            "illness": rng.choice([*"abcdefgh"], n),
        }
    )  # fmt: skip


def moved(people, others, *, by):
    """Places with noise and the illness, beside other people's other numbers."""
    rng = np.random.default_rng(5)
    own = people[["north", "east"]] + rng.normal(0, by, (len(people), 2))
    return others.assign(illness=people["illness"], **own)[people.columns]


def test_numbers_with_noise_lead_to_rows_that_others_numbers_hide():
    people, others = places(1), places(2)
    assert told(moved(people, others, by=0.5), people) == {"illness": ("north", "east")}
    assert told(moved(people, others, by=20.0), people) == {}
    assert told(others, people) == {}
    assert told(moved(others, others, by=0.5), people) == {}


def test_numbers_with_noise_that_all_lead_to_the_row_need_no_attack_of_their_own():
    people = places(1)
    rng = np.random.default_rng(7)
    noisy = people.assign(
        **{c: people[c] * rng.normal(1, 0.02, len(people)) for c in people if c != "illness"}
    )
    assert "illness" not in told(noisy, people)
