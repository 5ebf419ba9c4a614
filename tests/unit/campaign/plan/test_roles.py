"""What a plan makes of the roles of columns."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import alc_core as alc
from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.planner import plan_campaign
from alc_core.errors import ColumnError
from alc_core.tables.roles import ColumnRole

GENERATED = {KnownSetKind.SINGLES_OUT, KnownSetKind.BUDGET}


def people(n=300):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "city": rng.choice(["Ulm", "Bonn", "Jena"], n),
            "hours": rng.integers(10, 60, n),
            "job": rng.choice(["nurse", "smith", "clerk"], n),
            "sex": rng.choice(["f", "m"], n),
        }
    )


PEOPLE = alc.table_from_frame(people(), name="people")
ROLES = st.fixed_dictionaries(
    {column: st.sampled_from(list(ColumnRole)) for column in PEOPLE.columns}
)


def planned(roles, **options):
    """Return a plan and no message, or no plan and why."""
    try:
        return plan_campaign(PEOPLE, PEOPLE, roles=roles, **options), ""
    except ColumnError as error:
        return None, str(error)


@given(
    roles=ROLES,
    all_others=st.booleans(),
    max_known=st.sampled_from([None, 1, 2]),
    known_sets=st.integers(0, 3),
)
def test_no_role_is_overstepped(roles, all_others, max_known, known_sets):
    asked = {"all_others": all_others, "max_known": max_known, "known_sets": known_sets}
    if not (all_others or max_known or known_sets):
        return
    plan, message = planned(roles, **asked)
    if plan is None:
        assert "Nothing to attack" in message
        return
    for attack in plan.attacks:
        assert roles[attack.scenario.unknown].is_protected
        known = [roles[column] for column in attack.scenario.known]
        assert all(role.takes_part for role in known)
        if attack.kind in (*GENERATED, KnownSetKind.KNOWABLE):
            assert all(role.may_be_known for role in known)
        elif attack.kind is not KnownSetKind.FEW_FACTS:  # which are tried whatever their role
            facts = {column for column, role in roles.items() if role.takes_part}
            assert set(attack.scenario.known) == facts - {attack.scenario.unknown}
    assert {column: plan.roles.role(column) for column in roles} == roles


def survey(n=600):
    rng = np.random.default_rng(1)
    weights = {f"PWGTP{k}": rng.integers(-20, 400, n) for k in range(1, 11)}
    return people(n).assign(
        SERIALNO=[f"2018HU{number // 2:07d}" for number in range(n)],
        WGTP=np.repeat(rng.integers(1, 400, n // 2), 2),
        PWGTP=rng.integers(1, 400, n),
        **weights,
    )


def test_no_set_of_survey_data_rests_on_weights_or_numbers_of_households():
    frame = survey()
    plan = plan_campaign(frame, frame, max_known=2)
    used = {column for attack in plan.attacks for column in attack.scenario.columns}
    assert used == set(people(2).columns)
    (note,) = (note for note in plan.notes if "survey weight" in note)
    assert note.startswith("Excluded: 'WGTP', 'PWGTP', 'PWGTP1'")
    assert any("Excluded: 'SERIALNO' (number of a record or household" in n for n in plan.notes)


def test_a_weight_that_is_named_or_attacked_on_purpose_stays():
    frame = survey().drop(columns=[f"PWGTP{k}" for k in range(1, 11)])
    plan = plan_campaign(frame, frame, unknown=["PWGTP", "job"], named=[["WGTP", "age"]])
    assert plan.unknown == ("PWGTP", "job")
    assert [k.columns for k in plan.known_sets["job"] if k.kind is KnownSetKind.NAMED] == [
        ("age", "WGTP")
    ]
    assert (
        "Set 1 that you named has 'WGTP', like a survey weight, which may overstate the risk."
    ) in plan.notes
    others = [k.columns for k in plan.known_sets["job"] if k.kind is KnownSetKind.ALL_OTHERS]
    assert others == [("age", "city", "hours", "sex")]


def test_reasons_speak_of_the_columns_that_may_be_known():
    plan = plan_campaign(PEOPLE, PEOPLE, unknown=["job"], roles={"sex": "to be protected"})
    everything, knowable, few = plan.known_sets["job"]
    assert everything.columns == ("age", "city", "hours", "sex")
    assert knowable.columns == ("age", "city", "hours")
    assert few.columns == ("age", "hours")
    assert few.reason.endswith("no single column that may be known singles out most.")


def test_what_may_be_known_alone_is_not_attacked():
    plan = plan_campaign(PEOPLE, PEOPLE, roles={"age": "may be known", "sex": "may be known"})
    assert plan.unknown == ("city", "hours", "job")
    note = "Not attacked: 'age' and 'sex' (not to be protected)."
    assert note in plan.notes


def test_where_nothing_may_be_known_only_somebody_who_knows_everything_else_attacks():
    protected = dict.fromkeys(PEOPLE.columns, ColumnRole.PROTECTED)
    mixed = alc.swap_columns(PEOPLE.frame, 1.0, seed=1)  # in which no fact leads to a person's row
    plan = plan_campaign(PEOPLE, mixed, roles=protected)
    assert {attack.kind for attack in plan.attacks} == {KnownSetKind.ALL_OTHERS}
    assert plan.notes[0].startswith("No small set for 'age', 'city'")
    with pytest.raises(ColumnError, match="Mark one column"):
        plan_campaign(PEOPLE, mixed, roles=protected, all_others=False)


def test_where_nothing_is_to_be_protected_the_message_says_so():
    known = dict.fromkeys(PEOPLE.columns, ColumnRole.KNOWN)
    with pytest.raises(ColumnError, match="no column of 'people' is to be protected"):
        plan_campaign(PEOPLE, PEOPLE, roles=known)


def test_who_knows_what_others_can_know_stands_beside_who_knows_everything_else():
    roles = {"sex": "to be protected"}
    plan = plan_campaign(PEOPLE, PEOPLE, roles=roles, unknown=["job"])
    assert {KnownSetKind.ALL_OTHERS, KnownSetKind.KNOWABLE} <= {a.kind for a in plan.attacks}
    (known,) = {a.scenario.known for a in plan.attacks if a.kind is KnownSetKind.KNOWABLE}
    assert known
    assert not {"sex", "job"} & set(known)
    for options in ({"knowable": False}, {"all_others": False}, {"roles": {}}):
        again = plan_campaign(PEOPLE, PEOPLE, **{"roles": roles, "unknown": ["job"], **options})
        assert KnownSetKind.KNOWABLE not in {a.kind for a in again.attacks}
    alone = plan_campaign(
        PEOPLE, PEOPLE, roles=roles, unknown=["job"], all_others=False, knowable=True, known_sets=0
    )
    assert {a.kind for a in alone.attacks} == {KnownSetKind.KNOWABLE}


def weighted(n=1_000):
    return people(n).assign(fnlwgt=np.random.default_rng(1).integers(20_000, 900_000, n))


def kinds(plan, release):
    return {
        (attack.scenario.unknown, attack.scenario.known)
        for attack in plan.attacks
        if attack.kind is KnownSetKind.SAME_SURVEY and attack.release == release
    }


def test_a_weight_that_leads_to_rows_is_known_from_another_file():
    frame = weighted()
    releases = {
        "kept": frame.sample(frac=1, random_state=2),
        "rounded": frame.assign(fnlwgt=frame["fnlwgt"].round(-5)),
        "without": frame.drop(columns="fnlwgt"),
    }
    plan = plan_campaign(frame, releases, unknown=["job", "city"])
    assert {unknown for unknown, _ in kinds(plan, "kept")} == {"job", "city"}
    assert {known for _, known in kinds(plan, "kept")} == {
        ("age", "city", "hours", "sex", "fnlwgt"),
        ("age", "hours", "job", "sex", "fnlwgt"),
    }
    assert not kinds(plan, "rounded")
    assert not kinds(plan, "without")
    assert any("another survey file" in note for note in plan.notes)
    named = plan_campaign(frame, releases, unknown=["job"], named=[["fnlwgt", "age"]])
    assert not any("Nobody knows it" in note for note in named.notes)


@pytest.mark.parametrize(
    "options", [{"all_others": False}, {"knowable": False}, {"max_known": 2}], ids=str
)
def test_who_asks_for_no_such_attacker_gets_none(options):
    plan = plan_campaign(weighted(), {"kept": weighted()}, unknown=["job"], **options)
    assert not kinds(plan, "kept")


def test_a_weight_that_many_share_is_left_out():
    frame = weighted().assign(fnlwgt=np.random.default_rng(1).integers(1, 60, 1_000) * 1_000)
    plan = plan_campaign(frame, {"kept": frame}, unknown=["job"])
    assert not kinds(plan, "kept")
    assert any(note.startswith("Excluded: 'fnlwgt' (survey weight") for note in plan.notes)
