"""Members and others where the truth is known by construction."""

import json

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.protocol import AttackType, Predictions
from alc_core.attacks.registry import _TYPES, register_attack
from alc_core.errors import CancelledError, InputError
from alc_core.releases.microdata import Microdata
from alc_core.releases.registry import as_table, read_release
from alc_core.studies.holdout import data
from alc_core.studies.holdout.data import resemblance
from alc_core.studies.holdout.measuring import AskedAttack, measure_holdout

SCENARIO = alc.Scenario(("age", "city", "hours"), "job")


@pytest.fixture(scope="module")
def groups(people):
    """1 500 members, as many others, as many strangers."""
    return tuple(people(1500, seed) for seed in (1, 2, 3))


def test_a_copy_costs_members_and_remembers_them(groups):
    members, others, _ = groups
    found = measure_holdout(members, members.sample(frac=1, random_state=0), others, [SCENARIO])
    (attack,) = found.attacks
    assert attack.members.success.value > 0.95
    assert attack.others.success.value < 0.6
    assert attack.risk.low > 0.85
    assert found.closest.share.value > 0.99
    assert found.closest.members.equal == 1500
    assert found.closest.members.median == 0
    assert found.closest.others.median > 0
    assert not found.notes


def test_a_fresh_sample_costs_nobody_and_remembers_nobody(groups):
    members, others, strangers = groups
    found = measure_holdout(members, strangers, others, [SCENARIO])
    (attack,) = found.attacks
    assert attack.risk.low < 0 < attack.risk.high
    share = found.closest.share
    assert share.low < 0.5 < share.high
    assert found.closest.effective_rows < found.closest.rows


def test_half_a_copy_lies_between(groups):
    members, others, strangers = groups
    release = pd.concat([members[:750], strangers[:750]])
    found = measure_holdout(members, release, others, [SCENARIO])
    assert found.attacks[0].risk.value == pytest.approx(0.45, abs=0.1)
    assert found.closest.share.value == pytest.approx(0.75, abs=0.05)


def test_a_smaller_holdout_says_what_a_copy_would_give(groups):
    members, others, _ = groups
    found = measure_holdout(members, members, others[:300])
    assert found.closest.members.people == found.closest.others.people == 300
    assert found.closest.share_of_copy == pytest.approx(0.6)
    assert found.closest.share.value == pytest.approx(0.6, abs=0.05)


def test_swapping_members_and_others_swaps_the_sign(groups):
    """What is measured is who was released, not which table is called the original."""
    members, others, _ = groups
    found = measure_holdout(
        others, members, members.iloc[::-1].assign(hours=members["hours"] + 0.05)
    )
    assert found.closest.share.value < 0.1


class Peeping:
    """Remembers which columns it is told of targets."""

    name = "peeping"
    accepts = (Microdata,)

    def __init__(self):
        self.seen = []

    def prepare(self, view, rng):
        def predict(targets):
            self.seen.append((tuple(targets.columns), len(targets)))
            n = len(targets)
            return Predictions.of(np.zeros(n), np.ones(n), np.arange(n) % 2 == 0)

        return predict


def test_the_attack_never_sees_the_unknown_column_and_abstentions_are_not_right(groups):
    peeping = Peeping()
    register_attack(
        AttackType(
            name="peeping", method="", reference="", accepts=(Microdata,), make=lambda: peeping
        )
    )
    try:
        asked = AskedAttack(scenario=SCENARIO, attack="peeping")
        found = measure_holdout(groups[0], groups[0], groups[1], [asked], people=200)
    finally:
        _TYPES.pop("peeping")
    assert peeping.seen == [(("age", "city", "hours"), 200)] * 2
    (attack,) = found.attacks
    assert attack.members.people == 200
    assert attack.members.predicted == attack.others.predicted == 100
    assert attack.members.right <= 100
    assert attack.surest == ()  # all equally sure


def test_the_surest_predictions_are_at_the_same_score(groups):
    members, others, _ = groups
    (attack,) = measure_holdout(members, members, others, [SCENARIO]).attacks
    shares = [part.share for part in attack.surest]
    assert shares == sorted(shares, reverse=True)
    assert attack.surest
    first = attack.surest[0]
    assert first.members.predicted + first.others.predicted == round(first.share * 3000)
    assert first.members.precision.value > first.others.precision.value


def test_people_without_a_value_are_no_targets(groups):
    members, others, _ = (frame.copy() for frame in groups)
    members.loc[:99, "job"] = "?"
    others.loc[:199, "job"] = "?"
    (attack,) = measure_holdout(members, members, others, [SCENARIO]).attacks
    assert attack.members.people == attack.others.people == 1300


def test_one_record_of_each_person_takes_part(groups):
    members, others, _ = (frame.assign(id=np.arange(len(frame)) // 3) for frame in groups)
    scenario = alc.Scenario(("age", "city"), "job", person="id")
    (attack,) = measure_holdout(members, members, others, [scenario]).attacks
    assert attack.members.people == attack.others.people == 500


def test_it_is_the_same_again_and_can_be_cancelled(groups):
    members, others, strangers = groups
    first, second = (
        measure_holdout(members, strangers, others, [SCENARIO], people=300, seed=seed)
        for seed in (5, 5)
    )
    assert first == second
    json.dumps(first.to_dict(), allow_nan=False)
    with pytest.raises(CancelledError):
        measure_holdout(members, strangers, others, cancel=lambda: True)


def test_labels_for_several_values_are_near_to_those_whom_they_cover(groups):
    members, others, _ = groups
    released = members.copy()
    released["age"] = [f"{age // 10 * 10}-{age // 10 * 10 + 9}" for age in members["age"]]
    found = measure_holdout(members, released, others, [SCENARIO])
    assert found.closest.members.median < found.closest.others.median
    assert found.closest.share.value > 0.9
    assert found.attacks[0].risk.low > 0.5


def test_a_release_that_is_no_rows_has_no_distances(groups):
    members, others, _ = groups
    counts = members.groupby(["city", "job"]).size().rename("count").reset_index()
    release = read_release(
        [as_table(counts, name="counts")],
        name="counts",
        original=as_table(members, name="original"),
        kind="counts",
    )
    asked = AskedAttack(scenario=alc.Scenario(("city",), "job"), attack="naive bayes")
    found = measure_holdout(members, release, others, [asked])
    assert found.closest is None
    assert "Distances need rows" in found.notes[-1]
    assert found.attacks[0].risk.low < 0.1
    with pytest.raises(InputError, match="best row match"):
        measure_holdout(members, release, others, [alc.Scenario(("city",), "job")])


def test_the_holdout_is_checked_once_for_several_releases(groups, monkeypatch):
    members, others, strangers = groups
    # A label and numbers that neither of the others has change the codes, not what is found.
    strange = strangers.assign(city="Aachen", hours=3 * strangers["hours"])
    releases = (strange, members)
    alone = [measure_holdout(members, each, others, seed=3) for each in releases]
    times = []
    monkeypatch.setattr(
        data, "resemblance", lambda *a, **k: times.append(1) or resemblance(*a, **k)
    )
    checked = {}
    together = [
        measure_holdout(members, each, others, seed=3, checked=checked) for each in releases
    ]
    assert len(times) == 1
    assert [found.to_dict() for found in together] == [found.to_dict() for found in alone]
    measure_holdout(members, members, strangers, seed=3, checked=checked)
    assert len(times) == 2, "another holdout"
