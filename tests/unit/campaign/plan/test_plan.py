import dataclasses

import numpy as np
import pandas as pd
import pytest

from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.planner import plan_campaign
from alc_core.errors import ColumnError, InputError, ParameterError
from alc_core.releases.microdata import Microdata
from alc_core.scenario.scenario import Targets
from alc_core.tables.codes.encode import encode
from alc_core.tables.read import table_from_frame
from tests.toys.survey import make_survey


def people(n=400, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "city": rng.choice(["Ulm", "Bonn", "Köln", None], n),
            "pay": rng.normal(3000, 500, n).round(2),
            "job": rng.choice(["nurse", "smith", "clerk"], n),
        }
    )


KINDS = {"age": "continuous", "city": "categorical", "pay": "continuous", "job": "categorical"}


def table(frame=None, name="people", **kinds):
    frame = people() if frame is None else frame
    known = {column: kind for column, kind in KINDS.items() if column in frame}
    return table_from_frame(frame, name=name).with_kinds({**known, **kinds})


def release(*tables, name="v1"):
    tables = tables or (table(),)
    return Microdata(tables=tables, name=name)


def plan(original=None, releases=None, **options):
    """Plan with every column both known and attacked, whatever its name and values suggest."""
    original = original or table()
    facts = {c: "both" for c in KINDS if original.kinds.get(c) in KINDS.values()}
    for naming in ("person", "household"):
        facts.pop(options.get(naming), None)
    options.setdefault("roles", facts)
    return plan_campaign(original, [release()] if releases is None else releases, **options)


def sets_of(found):
    return {column: [s.columns for s in sets] for column, sets in found.known_sets.items()}


def test_every_column_is_attacked_with_all_others_and_with_small_sets():
    found = plan()
    assert found.unknown == ("age", "city", "pay", "job")
    assert found.known_sets["city"][0].columns == ("age", "pay", "job")
    assert [s.kind for s in found.known_sets["city"]] == [
        KnownSetKind.ALL_OTHERS,
        KnownSetKind.SINGLES_OUT,
    ]
    assert found.known_sets["city"][1].columns == ("pay",)
    assert len(found) == len(found.attacks) == len(found.scenarios)
    assert found.summary == f"{len(found)} attacks on 4 unknown columns in 1 release."


def test_a_coarsened_column_is_attacked_also_in_classes_and_the_summary_says_so():
    frame = people(300)
    bands = frame.assign(age=[f"{age // 10}0-{age // 10}9" for age in frame["age"]])
    found = plan_campaign(frame, {"bands": bands}, unknown=["age", "job"])
    assert {attack.scenario.wanted for attack in found.attacks} == {"age", "age class", "job"}
    assert " on 2 unknown columns (1 also in classes) in 1 release." in found.summary


def test_order_and_numbers():
    releases = [release(), release(name="v2")]
    found = plan(releases=releases, attacks=["best row match", "own"])
    assert [planned.number for planned in found.attacks] == list(range(len(found)))
    keys = [(p.scenario.unknown, p.scenario.known, p.release, p.attack) for p in found.attacks]
    assert len(set(keys)) == len(keys)
    expected = [
        (unknown, known.columns, name, attack)
        for unknown, sets in found.known_sets.items()
        for known in sets
        for name in ("v1", "v2")
        for attack in ("best row match", "own")
    ]
    assert keys == expected
    assert found.releases == ("v1", "v2")
    assert len(found.scenarios) * 4 == len(found)


def test_an_attack_can_be_confined_to_some_releases():
    releases = [release(), release(name="v2"), release(name="v3")]
    names = ["best row match", "model: family=random forest", "own"]
    only_on = {"model": ["v2", "v3"], "own": ["v1"]}
    found = plan(releases=releases, attacks=names, only_on=only_on)
    ran = {(planned.release, planned.attack) for planned in found.attacks}
    assert ran == {
        ("v1", names[0]), ("v2", names[0]), ("v3", names[0]),
        ("v2", names[1]), ("v3", names[1]), ("v1", "own"),
    }  # fmt: skip
    assert len(found) == 6 * len(found.scenarios)
    assert "Run only on 'v2' and 'v3': model." in found.notes
    assert "Run only on 'v1': own." in found.notes
    everywhere = plan(releases=releases, attacks=names, only_on={"model": ["v1", "v2", "v3"]})
    assert not [note for note in everywhere.notes if note.startswith("Run on")]


@pytest.mark.parametrize(
    ("only_on", "message"),
    [
        ({"model": ["v9"]}, "Unknown release 'v9' in --only-on. Choose one of v1"),
        ({"naive bayes": ["v1"]}, "'naive bayes' is limited to v1, but not run"),
    ],
)
def test_an_attack_confined_to_what_is_not_there(only_on, message):
    with pytest.raises(InputError, match=message):
        plan(attacks=["best row match", "model"], only_on=only_on)


def test_attacks_carry_reason_kind_and_the_scenarios_options():
    targets = Targets(count=100)
    frame = people().assign(who=np.arange(400) // 2, home=np.arange(400) // 4)
    original = table(frame)
    found = plan(
        original,
        [release(original)],
        targets=targets,
        down_sample=False,
        person="who",
        household="home",
    )
    for planned in found.attacks:
        scenario = planned.scenario
        lacking = original.frame[scenario.unknown].isna().any()
        missing = {scenario.unknown: ()} if lacking else None
        assert scenario.selection == dataclasses.replace(targets, missing=missing)
        assert (scenario.down_sample, scenario.person, scenario.household) == (False, "who", "home")
        known = next(s for s in found.known_sets[scenario.unknown] if s.columns == scenario.known)
        assert (planned.kind, planned.reason) == (known.kind, known.reason)
    assert "Excluded: 'who' (person column)." in found.notes
    assert "Excluded: 'home' (household column)." in found.notes


def test_columns_left_out_are_told():
    frame = people().assign(
        id=[f"p{n}" for n in range(400)], note="x", empty=None, flag="yes", own=np.arange(400) % 7
    )
    original = table(frame, id="identifier", note="ignore", empty="categorical", flag="categorical")
    found = plan(original, [release(table(frame.drop(columns=["own"])))])
    assert found.unknown == ("age", "city", "pay", "job")
    assert found.notes == (
        "Excluded: 'id' (identifier).",
        "Excluded: 'note' (to be ignored).",
        "Excluded: 'own' (in no release).",
        "Excluded: 'empty' and 'flag' (only one value).",
        "Not attacked (missing value): people with 'city': empty cells (100), 25% of the rows.",
        "No small set for 'pay': none singles people out.",
        found.too_few,
    )
    used = {column for planned in found.attacks for column in planned.scenario.columns}
    assert used == {"age", "city", "pay", "job"}


def test_too_few_people_to_decide_are_told_of_the_columns_and_how_many_it_takes():
    # Half have one value: by the formula 788 people tell an ALC of 0.4 from the limit.
    frame = pd.DataFrame({"known": np.arange(1000) % 7, "half": np.arange(1000) % 2})
    ask = {"unknown": ["half"], "all_others": True}
    assert plan_campaign(frame, frame, **ask).too_few == ""
    few = plan_campaign(frame, frame, targets=Targets(count=700), **ask)
    assert few.too_few in few.notes
    assert {"700", "788"} <= set(few.too_few.split())
    # Without the people who have no value there are too few of them.
    gaps = frame.assign(half=np.where(np.arange(1000) < 400, None, frame["half"]))
    assert "600" in plan_campaign(gaps, gaps, **ask).too_few.split()
    # People count, not their records
    records = frame[:600].loc[np.repeat(np.arange(600), 3)].assign(id=np.repeat(np.arange(600), 3))
    released = records.drop(columns="id")
    assert "600" in plan_campaign(records, released, person="id", **ask).too_few.split()
    first = ~records["id"].duplicated()
    records["half"] = np.where(first, None, records["half"])
    assert "600" in plan_campaign(records, released, person="id", **ask).too_few.split()


def test_a_value_beside_missing_ones_is_attacked_if_having_one_is_the_secret():
    frame = people().assign(flag=["yes", None] * 200)
    original = table(frame, flag="categorical")
    found = plan(original, [release(original)])
    assert "flag" not in found.unknown
    assert "Not attacked: 'flag' (only one value)." in found.notes
    everybody = Targets(missing=None)
    assert "flag" in plan(original, [release(original)], targets=everybody).unknown
    with pytest.raises(ColumnError, match="'flag' of 'people' has one value or none"):
        plan(original, [release(original)], unknown=["flag"])


def test_scenarios_name_the_values_that_leave_people_out():
    frame = people()
    frame.loc[:20, "job"] = "n/a"
    original = table(frame)
    found = plan(original, [release(original)], unknown=["job", "city", "age"], all_others=True)
    missing = {each.unknown: each.selection.missing for each in found.scenarios}
    assert missing == {"job": {"job": ("n/a",)}, "city": {"city": ()}, "age": None}
    declared = Targets(missing={"job": ["clerk", "n/a"], "age": []})
    (first, *_) = plan(original, [release(original)], unknown=["job"], targets=declared).scenarios
    assert first.markers == ("clerk", "n/a")
    with pytest.raises(ColumnError, match="Column 'jobs' is not in 'people'"):
        plan(original, [release(original)], targets=Targets(missing={"jobs": ["?"]}))


def test_columns_named_to_be_attacked():
    assert plan(unknown=["job", "city"]).unknown == ("job", "city")
    frame = people().assign(id=range(400), flag=1, other=np.arange(400) % 3)
    original = table(frame, id="identifier", flag="continuous")
    releases = [release(table(frame.drop(columns=["other"])))]
    for column, message in {
        "jobs": "Column 'jobs' is not in 'people'.*Did you mean 'job'",
        "id": "Column 'id' of 'people' is an identifier; if wrong, change its kind",
        "flag": "Column 'flag' of 'people' has only one value in the original",
        "other": "Column 'other' of 'people' is in no release; add one that has it",
    }.items():
        with pytest.raises(ColumnError, match=message):
            plan(original, releases, unknown=["city", column])
    with pytest.raises(ColumnError, match="Column 'age' of 'people' is the person column"):
        plan(unknown=["age"], person="age")


def test_people_selected_by_a_column_are_not_attacked_in_it():
    targets = Targets(where={"city": ("Ulm",)})
    found = plan(targets=targets)
    assert found.unknown == ("age", "pay", "job")
    assert "Not attacked: 'city' (people are selected by it)." in found.notes
    assert ("age", "city", "pay") in sets_of(found)["job"]
    with pytest.raises(ColumnError, match="'city' of 'people' selects the people.*another column"):
        plan(targets=targets, unknown=["city"])
    with pytest.raises(InputError, match="no row has city = Rom"):
        plan(targets=Targets(where={"city": ("Rom",)}))


def test_what_is_known_stands_beside_the_unknown_column_in_a_released_table():
    frame = people()
    split = release(table(frame[["age", "city"]]), table(frame[["city", "job"]]), name="split")
    found = plan(releases=[split])
    assert found.unknown == ("age", "city", "job")
    assert sets_of(found)["age"] == [("city",)]
    assert sets_of(found)["city"][0] == ("age", "job")
    alone = release(table(frame[["age", "city"]]), table(frame[["job"]]), name="alone")
    found = plan(releases=[alone])
    assert found.unknown == ("age", "city")
    assert any(
        note.startswith("Not attacked: 'job' (released without a known column")
        for note in found.notes
    )


def test_a_release_without_the_column_is_not_attacked_there():
    frame = people()
    releases = [release(), release(table(frame[["age", "city", "job"]]), name="narrow")]
    found = plan(releases=releases)
    attacked = {(p.scenario.unknown, p.release) for p in found.attacks}
    assert ("pay", "v1") in attacked
    assert ("pay", "narrow") not in attacked
    assert ("age", "narrow") in attacked
    # The set {pay} singles out most people but helps nobody in the narrow release.
    assert not [p for p in found.attacks if p.release == "narrow" and p.scenario.known == ("pay",)]
    assert (
        "Some sets are not used on 'age', 'city', 'pay' and 'job' in 'narrow': no table has both."
    ) in found.notes


def test_named_sets():
    found = plan(known_sets=0, all_others=False, named=[["job", "city"], ["city"]])
    assert sets_of(found) == {
        "age": [("city", "job"), ("city",)],
        "city": [("job",)],
        "pay": [("city", "job"), ("city",)],
        "job": [("city",)],
    }
    assert {p.kind for p in found.attacks} == {KnownSetKind.NAMED}
    assert ("Set 2 that you named is not used to attack 'city'.") in found.notes


def test_named_sets_may_have_columns_that_no_release_has():
    narrow = release(table(people()[["age", "city", "job"]]))
    found = plan(releases=[narrow], named=[["pay", "city"]], all_others=False, known_sets=0)
    assert sets_of(found)["age"] == [("city", "pay")]
    assert ("Set 1 that you named has 'pay', which no release has.") in found.notes
    with pytest.raises(ColumnError, match="Your 1 set of known columns cannot be"):
        plan(releases=[narrow], named=[["pay"]], all_others=False, known_sets=0)


def test_named_sets_that_cannot_be():
    original = table(people().assign(no=range(400)), no="ignore")
    for named, message in (
        ([["city"], ["ctiy"]], "Set 2 that you named.*'ctiy' is not in 'people'.*mean 'city'"),
        ([[]], "Set 1 that you named is empty. Pass a list of columns"),
        (["city"], "Set 1 that you named is the text 'city'. Pass a list"),
        ([["city", "city"]], "has 'city' twice. Name it once"),
        ([["no"]], "has 'no', which is of the kind 'ignore'. Remove it"),
        ([["age"]], "has 'age', which is the person or household column"),
    ):
        with pytest.raises(ColumnError, match=message):
            plan(original, named=named, person="age")


def test_an_identifier_is_known_where_it_is_named():
    original = table(people().assign(id=range(400)), id="identifier")
    found = plan(
        original, [release(original)], named=[["id"], ["city", "id"]], known_sets=0,
        all_others=False,
    )  # fmt: skip
    assert {p.scenario.known for p in found.attacks} == {
        ("id",),
        ("city", "id"),
    }
    assert "id" not in {p.scenario.unknown for p in found.attacks}


def test_a_budget():
    found = plan(max_known=1)
    assert all(len(p.scenario.known) == 1 for p in found.attacks)
    assert ("Columns of any column are not tried together: at most 1 may be known.") in found.notes
    found = plan(max_known=3)
    assert found.known_sets["job"][0].kind is KnownSetKind.ALL_OTHERS
    assert not any("Not taken as known" in note for note in found.notes)


def test_people_are_singled_out_and_not_records():
    """Every person has two records of the same age, which nobody else has."""
    n = 400
    frame = pd.DataFrame(
        {"who": np.arange(n) // 2, "age": np.arange(n) // 2, "job": ["a", "b", "c", "d"] * (n // 4)}
    )
    original = table(frame, age="categorical", who="identifier")
    (records,) = plan(original, [release(original)], unknown=["job"]).known_sets["job"]
    (persons,) = plan(original, [release(original)], unknown=["job"], person="who").known_sets[
        "job"
    ]
    assert (records.singled_out, persons.singled_out) == (0.0, 1.0)


def test_only_one_column_can_be_used():
    frame = people()[["age"]].assign(id=range(400))
    original = table(frame, id="identifier")
    message = "Nothing to attack.*only 'age' of 'people' fit.*Check roles"
    with pytest.raises(ColumnError, match=message):
        plan(original, [release(original)])
    original = table(frame, id="identifier", age="ignore")
    with pytest.raises(ColumnError, match="(no column of 'people' fit)"):
        plan(original, [release(original)])
    original = table(frame, id="identifier")
    with pytest.raises(ColumnError, match="'age' of 'people' is released without a known column"):
        plan(original, [release(original)], unknown=["age"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"known_sets": -1}, "known_sets must be a whole number of at least 0, not -1"),
        ({"known_sets": 1.5}, "known_sets must be a whole number"),
        ({"max_known": 0}, "max_known must be a whole number of at least 1, not 0"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        (
            {"known_sets": 0, "all_others": False},
            "No known columns. Set known_sets",
        ),
        ({"attacks": "best row match"}, "The attack is the text 'best row match'. Pass a list"),
        ({"attacks": []}, "No attack. Choose at least one"),
        ({"attacks": ["a", "a"]}, "The attack 'a' is named twice"),
        ({"unknown": []}, "No column to attack"),
        ({"unknown": ["age", "age"]}, "The column to attack 'age' is named twice"),
        ({"releases": []}, "No release to attack"),
        ({"releases": [release(), release()]}, "Two releases have the name 'v1'"),
        ({"person": "whom"}, "Column 'whom' is not in 'people'"),
    ],
)
def test_requests_that_cannot_be(options, message):
    with pytest.raises(InputError, match=message):
        plan(**options)
    assert issubclass(ParameterError, InputError)


def test_same_seed_same_plan_and_other_columns_do_not_matter():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"c{n}": rng.integers(0, 12, 500) for n in range(10)})
    original = table(frame, **dict.fromkeys(frame, "categorical"))
    releases = [release(original)]
    one, same, other = (plan(original, releases, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert sets_of(one) != sets_of(other)
    alone = plan(original, releases, seed=1, unknown=["c4"])
    assert alone.known_sets["c4"] == one.known_sets["c4"]
    backwards = plan(original, releases, seed=1, unknown=[*frame][::-1])
    assert dict(backwards.known_sets) == dict(one.known_sets)


def test_an_encoded_original_gives_the_same_plan():
    original = table()
    assert plan(original, data=encode(original, []).original) == plan(original)


def test_sixty_columns_are_planned_fast():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"c{n}": rng.integers(0, 3, 1000) for n in range(60)})
    original = table(frame, **dict.fromkeys(frame, "categorical"))
    found = plan(original, [release(original)])
    assert len(found.unknown) == 60
    small = [s for sets in found.known_sets.values() for s in sets[1:]]
    assert {s.kind for s in small} == {KnownSetKind.SINGLES_OUT}
    assert all(s.singled_out > 0.5 and 6 <= len(s.columns) < 12 for s in small)


def test_a_plan_is_frozen():
    found = plan()
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.notes = ()
    with pytest.raises(TypeError):
        found.known_sets["age"] = ()


def test_people_without_a_value_are_told_with_the_reason():
    survey = table_from_frame(make_survey(2000, 1), name="survey")
    found = plan_campaign(survey, [release(survey)], unknown=["PINCP", "DVET"])
    rows = int((survey.frame["PINCP"] == "N").sum())
    assert any(
        note.startswith(
            "Not attacked (missing value): people with 'PINCP': "
            f"'N' ({rows}, a text among numbers), 16% of the rows; 'DVET': 'N'"
        )
        for note in found.notes
    )
    few = "Few people have a value of 'DVET'."
    assert few in found.notes


def test_a_number_of_targets_is_taken_as_it_is_of_a_scenario(people):
    frame = people(200)
    plan = plan_campaign(frame, frame, unknown=["job"], targets=50)
    assert {attack.scenario.selection.count for attack in plan.attacks} == {50}
