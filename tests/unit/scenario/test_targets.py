"""Who belongs together: a person's rows, and people in one household."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.forest import Forest
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.errors import ColumnError, InputError, ParameterError
from alc_core.plain_values import from_plain, to_plain
from alc_core.releases.registry import as_release
from alc_core.scenario.scenario import Scenario, Targets, Tolerance, read_tolerances
from alc_core.scenario.targets import People, down_sampled_size, plan_targets, training_rows
from alc_core.studies.rapid.measuring import measure_rapid
from alc_core.tables.read import table_from_frame
from tests.toys.household_survey import DWELLING, survey


def people(n=600, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "person": [f"p{number}" for number in rng.integers(0, n // 3, n)],
            "home": [f"h{number}" for number in rng.integers(0, n // 6, n)],
            "age": rng.integers(18, 90, n),
            "city": rng.choice(["Ulm", "Bonn", "Köln"], n, p=[0.7, 0.2, 0.1]),
        }
    )


def plan(frame, scenario, *, folds=5, seed=0, unknown=None):
    codes = pd.factorize(frame["city"])[0].astype(np.int32) if unknown is None else unknown
    return plan_targets(
        People.of(table_from_frame(frame, name="people"), scenario),
        scenario,
        codes,
        folds=folds,
        rng=np.random.default_rng(seed),
    )


def scenario(**options):
    return Scenario(["age"], "job", **{"down_sample": False, **options})


def test_every_row_is_held_out_once_and_targets_lie_in_their_fold():
    found = plan(people(), scenario())
    assert sorted(np.concatenate(found.folds)) == list(range(600))
    assert sorted(np.concatenate(found.targets)) == list(range(600))
    for fold, targets in zip(found.folds, found.targets, strict=True):
        assert set(targets) <= set(fold)
        assert abs(len(fold) - 120) <= 1


@pytest.mark.parametrize("of", ["row", "person"])
def test_every_fold_leaves_out_as_many_of_each_value(of):
    """Else the most frequent of two values is, without a fold, often the rarer one in it."""
    frame = people()
    frame["city"] = frame.groupby("person")["city"].transform("first")
    asked = scenario() if of == "row" else scenario(person="person")
    units = frame if of == "row" else frame.drop_duplicates("person")
    for _, has in units.groupby("city"):
        held_out = [has.index.isin(fold).sum() for fold in plan(frame, asked).folds]
        assert max(held_out) - min(held_out) <= 1


def test_targets_are_shuffled_even_where_the_file_is_sorted():
    frame = people().sort_values("age", ignore_index=True)
    first = plan(frame, scenario()).targets[0]
    assert not np.array_equal(first, np.sort(first))
    assert abs(frame["age"].iloc[first[:60]].mean() - frame["age"].mean()) < 10


def test_a_person_is_on_one_side_and_a_target_once():
    frame = people()
    found = plan(frame, scenario(person="person"))
    for fold in range(5):
        held_out = set(frame["person"].iloc[found.folds[fold]])
        rows = training_rows(found, fold, at_most=10_000, rng=np.random.default_rng(0))
        assert not held_out & set(frame["person"].iloc[rows])
    attacked = frame["person"].iloc[np.concatenate(found.targets)]
    assert attacked.is_unique
    assert found.population == frame["person"].nunique() == found.n_targets


def test_dependents_are_on_one_side_through_any_chain():
    frame = people(60).assign(
        person=[f"p{i}" for i in range(60)], home=[f"h{i // 2}" for i in range(60)]
    )
    # Person 0 has a second record in the home of persons 2 and 3, who so depend on person 1, too.
    frame.loc[60] = ["p0", "h1", 30, "Ulm"]
    found = plan(frame, scenario(person="person", household="home"))
    assert len({found.units[row] for row in (0, 1, 2, 3, 60)}) == 1
    assert found.units[4] != found.units[0]
    together = next(fold for fold in found.folds if 0 in fold)
    assert {0, 1, 2, 3, 60} <= set(together)


def test_nobody_is_attacked_without_anybody_to_learn_from_where_one_has_most_rows():
    frame = people(200).assign(person=["one"] * 190 + [f"p{i}" for i in range(10)])
    for seed in range(20):
        found = plan(frame, scenario(person="person"), seed=seed)
        assert len(found.folds) >= 2
        assert min(map(len, found.folds)) > 0


def test_missing_person_is_a_person_of_its_own():
    frame = people()
    frame.loc[:9, "person"] = None
    found = plan(frame, scenario(person="person"))
    assert len(set(found.units[:10])) == 10


def test_dominating_value_is_down_sampled_to_half():
    frame = people(2000)
    found = plan(frame, scenario(down_sample=True))
    attacked = frame["city"].iloc[np.concatenate(found.targets)]
    assert (attacked == "Ulm").mean() == 0.5
    assert found.down_sampled_share == pytest.approx((frame["city"] == "Ulm").mean())
    untouched = plan(frame, scenario())
    assert untouched.n_targets == 2000
    assert untouched.down_sampled_share is None


def test_down_sampling_leaves_enough_targets_where_the_table_has_them():
    frame = people(9000)
    # 6% have another value: twice as many would be 360 of 3 000, and 1 080 of 9 000.
    for rows, wanted in ((400, 72), (3000, 400), (9000, 1080)):
        unknown = (np.arange(rows) % 50 < 3).astype(np.int32)
        found = plan(frame.iloc[:rows], scenario(down_sample=True), unknown=unknown)
        attacked = unknown[np.concatenate(found.targets)]
        assert found.n_targets == wanted
        assert attacked.sum() == unknown.sum()
        assert found.down_sampled_share == pytest.approx(0.94)


@pytest.mark.parametrize(
    ("most", "total", "left"),
    [
        (500, 1000, 1000),
        (501, 1000, 998),
        (900, 1000, 300),
        (9000, 9177, 400),
        (450, 460, 30),
        (230, 390, 390),
        (1000, 1000, 1000),
    ],
)
def test_sizes_after_down_sampling(most, total, left):
    assert down_sampled_size(most, total) == left


def test_pretargeted_people_and_the_scale_of_their_recall():
    frame = people()
    where = Targets(where={"city": ("Köln", "Bonn")})
    found = plan(frame, scenario(targets=where))
    attacked = frame["city"].iloc[np.concatenate(found.targets)]
    assert set(attacked) == {"Köln", "Bonn"}
    assert found.recall_scale == pytest.approx(len(attacked) / 600)
    group = Targets(where={"city": ("Köln",)}, recall="group")
    assert plan(frame, scenario(targets=group)).recall_scale == 1


def test_pretargeting_matches_numbers_however_spelled():
    frame = people()
    found = plan(frame, scenario(targets=Targets(where={"age": ("30.0", "31")})))
    assert set(frame["age"].iloc[np.concatenate(found.targets)]) == {30, 31}


def test_same_seed_same_plan():
    one, two, three = (plan(people(), scenario(), seed=seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one.targets, two.targets, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(one.targets, three.targets, strict=True))


def test_training_rows_are_limited_at_random():
    found = plan(people(), scenario())
    rows = training_rows(found, 0, at_most=100, rng=np.random.default_rng(0))
    assert len(rows) == 100
    assert not set(rows) & set(found.folds[0])


def test_nobody_pretargeted_and_missing_columns():
    with pytest.raises(InputError, match="no row has city = Rom. Check"):
        plan(people(), scenario(targets=Targets(where={"city": ("Rom",)})))
    with pytest.raises(ColumnError, match="Column 'town' is not in 'people'"):
        plan(people(), scenario(targets=Targets(where={"town": ("Rom",)})))
    with pytest.raises(ColumnError, match="Did you mean 'person'"):
        plan(people(), scenario(person="persons"))
    with pytest.raises(InputError, match="All rows belong to one person"):
        plan(people().assign(person="x"), scenario(person="person"))


def test_texts_become_tolerances_and_texts_again():
    found = read_tolerances(["income=2000", " a=b = 10%"])
    assert found == {"income": Tolerance(2000), "a=b": Tolerance(0.1, relative=True)}
    assert read_tolerances(f"{c}={t}" for c, t in found.items()) == found
    with pytest.raises(InputError, match=r"'a' has two tolerances, 5 and 10%"):
        read_tolerances(["a=5", "a=10%"])


@pytest.mark.parametrize("text", ["income", "=3", "income=much", "income=%"])
def test_what_is_no_tolerance_is_refused_with_an_example(text):
    with pytest.raises(InputError, match=f"such as income=10%, not '{text}'"):
        read_tolerances([text])


@pytest.mark.parametrize("text", ["income=0", "income=-2", "income=100%", "income=nan"])
def test_a_tolerance_has_bounds(text):
    with pytest.raises(ParameterError, match="A tolerance must be above 0"):
        read_tolerances([text])


def test_exact_scenarios_say_neither_tolerance_nor_level():
    plain = Scenario(["age"], "income").to_dict()
    assert not {"tolerance", "level"} & plain.keys()
    back = from_plain(plain, Scenario)
    assert (back.tolerance, back.level) == (None, "exact")


def test_tolerance_and_level_are_kept():
    scenario = Scenario(["age"], "income", tolerance=Tolerance(5), level="release")
    assert from_plain(scenario.to_dict(), Scenario) == scenario
    assert scenario.wanted == "income class"
    with pytest.raises(ParameterError, match="Unknown level 'near'. Choose one of exact, r"):
        Scenario(["age"], "income", level="near")


@pytest.mark.parametrize("how", [{"tolerance": Tolerance(1)}, {"level": "release"}])
def test_what_knows_neither_refuses_them(how):
    frame = pd.DataFrame({"age": [20, 30, 40] * 20, "job": ["a", "b", "c"] * 20})
    people, scenario = alc.table_from_frame(frame), Scenario(["job"], "age", **how)
    for measure in (measure_rapid, alc.measure_threat):
        with pytest.raises(ParameterError, match="takes no tolerance and no level"):
            measure(people, as_release(people), scenario)


def units(frame, household):
    table = alc.table_from_frame(frame, name="original")
    return People.of(table, alc.Scenario(["age"], "job", household=household)).units


def test_a_household_told_by_several_columns():
    people = survey()
    homes = people.groupby(list(DWELLING)).ngroup().to_numpy()
    found = units(people, DWELLING)
    assert len(np.unique(found)) == len(np.unique(homes))
    assert len(set(zip(found.tolist(), homes.tolist(), strict=True))) == len(np.unique(homes))


def test_a_missing_value_is_a_value_of_the_dwelling():
    frame = pd.DataFrame(
        {"rooms": [2, 2, None, None, 3], "place": list("aabba"), "age": 1, "job": 1}
    )
    assert units(frame, ["rooms", "place"]).tolist() == [0, 0, 1, 1, 2]
    assert len(set(units(frame, "rooms").tolist())) == 4, "who has none in one column is alone"


def test_the_columns_may_be_known_and_survive_a_file():
    scenario = alc.Scenario(["rooms", "age"], "job", household=["rooms", "place"])
    assert scenario.household == ("rooms", "place")
    assert alc.Scenario(["age"], "job", household=["home"]).household == "home"
    planned = PlannedAttack(
        number=0, scenario=scenario, release="r", attack="a", kind=KnownSetKind.NAMED, reason=""
    )
    assert from_plain(to_plain(planned), PlannedAttack).scenario == scenario
    with pytest.raises(ColumnError, match="Column 'place' is not in 'original'"):
        units(survey(), ["rooms", "place"])


def test_a_guess_without_the_household_cannot_look_the_answer_up():
    people = survey(households=300)
    faith = np.random.default_rng(3).integers(0, 6, len(people))
    homes = people.groupby(list(DWELLING)).ngroup()
    people["faith"] = faith[homes.to_numpy()]  # of the whole household
    known = [*DWELLING, "age"]
    results = [
        alc.assess(
            people, people, alc.Scenario(known, "faith", targets=200, household=household),
            families=(Forest("forest", min_samples_leaf=2, n_trees=10),),
            accept=["maybe-household"],
        )
        for household in (None, DWELLING)
    ]  # fmt: skip
    looked_up, without = (result.baseline_rest.precision for result in results)
    assert looked_up > without + 0.3
    assert results[1].alc > results[0].alc + 0.1
    assert results[1].decisive_alc > results[0].decisive_alc
    told = [" ".join(map(str, result.notes)) for result in results]
    assert ", like households." in told[0]
    assert ", like households." not in told[1]
