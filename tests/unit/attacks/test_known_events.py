"""The attack by known rows: the cheapest assignment of known rows to a person's rows."""

import itertools

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.known_events_kernel import nearest_people
from alc_core.errors import InputError

RNG = np.random.default_rng(5)
N = 600


def visits(people, rng):
    owner = np.repeat(people["id"].to_numpy(), rng.integers(2, 6, len(people)))
    day = pd.Timestamp("2025-01-01") + pd.to_timedelta(rng.integers(0, 360, len(owner)), "D")
    found = pd.DataFrame({
        "id": owner, "date": day.strftime("%Y-%m-%d"),
        "ward": rng.choice(list("abcdefgh"), len(owner)),
        "disease": rng.choice([f"D{n}" for n in range(12)], len(owner)),
    })  # fmt: skip
    return found[~found.duplicated(["id", "date"])].reset_index(drop=True)


PEOPLE = pd.DataFrame({"id": np.arange(N), "age": RNG.integers(20, 80, N)})
VISITS = visits(PEOPLE, RNG)


def released(people, rows, seed=1):
    names = dict(zip(people["id"], np.random.default_rng(seed).permutation(N) + 9000, strict=True))
    tables = {"people": people, "visits": rows}
    return {
        name: each.assign(pid=each["id"].map(names))
        .drop(columns="id")
        .sample(frac=1, random_state=2)
        for name, each in tables.items()
    }


def review(**options):
    strangers = PEOPLE.assign(age=RNG.integers(20, 80, N))
    others = {"leak": released(PEOPLE, VISITS),
              "strangers": released(strangers, visits(strangers, RNG))}  # fmt: skip
    tables = {"people": PEOPLE, "visits": VISITS}
    events = {"visits": ["date", "ward"]}
    return alc.link_tables(tables, others, **{"events": events, **options})


REVIEW = review()
UNKNOWN = "last disease of visits"


def events(number):
    return [f"visits {n}: {c}" for n in range(1, number + 1) for c in ("date", "ward")]


def loss(release, known):
    found = alc.assess(
        REVIEW.original, REVIEW.releases[f"{release}: known rows of 'visits'"],
        alc.Scenario(known, UNKNOWN, targets=alc.Targets(count=300)), seed=1,
    )  # fmt: skip
    return found.alc


def test_two_known_visits_lead_to_the_disease_only_where_the_rows_are_real():
    assert loss("leak", events(2)) > 0.8
    assert loss("strangers", events(2)) < 0.2


def test_known_columns_of_the_root_are_used():
    assert loss("leak", ["age", *events(1)]) > 0.8


def test_no_known_row_is_refused():
    with pytest.raises(InputError, match="Name known rows"):
        loss("leak", ["age"])


def test_the_rarest_rows_are_those_that_few_share():
    told = review(rarest=True).original.frame
    wards = VISITS.groupby(["date", "ward"]).size()
    times = wards[list(zip(told["visits 1: date"], told["visits 1: ward"], strict=True))]
    drawn = REVIEW.original.frame
    of_drawn = wards[list(zip(drawn["visits 1: date"], drawn["visits 1: ward"], strict=True))]
    assert times.mean() < of_drawn.mean()


def test_known_rows_are_rows_of_the_person():
    told = REVIEW.original.frame
    own = {*VISITS[["id", "date", "ward"]].itertuples(index=False, name=None)}
    for number in (1, 2):
        columns = ["id", *events(number)[-2:]]
        assert {*told[columns].dropna().itertuples(index=False, name=None)} <= own
    both = told[events(2)].dropna()
    assert (both["visits 1: date"] != both["visits 2: date"]).all()


@pytest.mark.parametrize("known", [1, 2, 3, 4])
def test_the_assignment_is_the_cheapest_of_all(known):
    rng = np.random.default_rng(known)
    targets, people, combinations, alone = 6, 40, 9, 2.0
    sizes = rng.integers(0, 6, people)
    starts = np.append(0, np.cumsum(sizes))
    rows = rng.integers(0, combinations, starts[-1])
    costs = rng.random((targets, known, combinations)) * alone
    has = rng.random((targets, known)) < 0.8
    root = rng.random((targets, 3))
    combination = rng.integers(0, 3, people)
    counts = np.zeros((targets, people))
    found = nearest_people(
        root, combination, costs, has, rows, starts, np.full(known, alone), -1, np.arange(people),
        np.ones(people), counts,
    )  # fmt: skip
    for target in range(targets):
        asked = np.flatnonzero(has[target])
        every = []
        for person in range(people):
            own = [*rows[starts[person] : starts[person + 1]], *[None] * len(asked)]
            ways = itertools.permutations(own, len(asked))
            prices = (
                sum(alone if row is None else costs[target, a, row]
                    for a, row in zip(asked, way, strict=True))
                for way in ways
            )  # fmt: skip
            every.append(root[target, combination[person]] + min(prices))
        assert found[target] == pytest.approx(min(every))
        assert [*np.flatnonzero(counts[target])] == [*np.flatnonzero(np.isclose(every, min(every)))]


@pytest.mark.parametrize("known", [1, 2, 3])
def test_the_row_asked_about_is_one_of_a_cheapest_assignment(known):
    rng = np.random.default_rng(known)
    targets, people, combinations = 5, 30, 6
    sizes = rng.integers(0, 5, people)
    starts = np.append(0, np.cumsum(sizes))
    rows = rng.integers(0, combinations, starts[-1])
    costs = rng.integers(0, 3, (targets, known, combinations)).astype(float)  # With ties
    alone = np.array([np.inf, *[2.0] * (known - 1)])
    counts = np.zeros((targets, len(rows)))
    found = nearest_people(
        np.zeros((targets, 1)), np.zeros(people, np.int64), costs, np.ones((targets, known), bool),
        rows, starts, alone, 0, np.arange(len(rows)), np.ones(people), counts,
    )  # fmt: skip
    for target in range(targets):
        best: dict[int, float] = {}  # By row that may be the first known one
        for person in range(people):
            own = [*range(starts[person], starts[person + 1]), *[None] * (known - 1)]
            for first, *others in itertools.permutations(own, known):
                if first is not None:
                    price = costs[target, 0, rows[first]] + sum(
                        2.0 if row is None else costs[target, n + 1, rows[row]]
                        for n, row in enumerate(others)
                    )
                    best[first] = min(price, best.get(first, np.inf))
        nearest = min(best.values())
        assert found[target] == nearest
        rows_found = [row for row, price in sorted(best.items()) if price == nearest]
        assert [*np.flatnonzero(counts[target])] == rows_found
        people_found = {int(np.searchsorted(starts, row, "right")) for row in rows_found}
        assert counts[target].sum() == pytest.approx(len(people_found))


def test_a_pseudonym_a_visit_reveals_what_the_attacker_knows_the_rest_of():
    single = {
        name: released(PEOPLE, rows)["visits"].assign(pid=np.arange(len(rows)))
        for name, rows in (("leak", VISITS), ("strangers", visits(PEOPLE, RNG)))
    }
    reviewed = alc.link_tables(
        {"people": PEOPLE, "visits": VISITS}, {name: {"visits": v} for name, v in single.items()},
        keys=["visits.pid=visits.pid"], events={"visits": ["date", "ward"]},
    )  # fmt: skip
    losses = {}
    for name in single:
        release = reviewed.releases[f"{name}: known rows of 'visits'"]
        for row in (1, 2):
            scenario = alc.Scenario(
                [f"visits {row}: date", f"visits {row}: ward"], "visits 1: disease",
                targets=alc.Targets(count=300),
            )  # fmt: skip
            found = alc.assess(
                reviewed.original, release, scenario, seed=1, accept=["own-together"]
            )
            losses[name, row] = found.alc
    assert losses.pop(("leak", 1)) > 0.8
    assert max(losses.values()) < 0.2  # Of another visit, nothing; of strangers' neither


def test_the_plan_asks_for_the_rest_of_a_row_that_is_known_in_part():
    plan = alc.plan_campaign(REVIEW.original, REVIEW.releases)
    of_rows = [each for each in plan.attacks if each.scenario.unknown == "visits 1: disease"]
    assert {each.release for each in of_rows} == {
        "leak: known rows of 'visits'", "strangers: known rows of 'visits'"
    }  # fmt: skip
    assert {each.scenario.known for each in of_rows} == {
        tuple(events(1)), tuple(events(2)), ("age", *events(1)), ("age", *events(2))
    }  # fmt: skip
