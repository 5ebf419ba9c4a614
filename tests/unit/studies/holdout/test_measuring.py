"""Members and others where the truth is known by construction."""

import json
import math

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.nearest_rows import GowerTable, nearest_rows
from alc_core.attacks.protocol import AttackType, Predictions
from alc_core.attacks.registry import _TYPES, register_attack
from alc_core.errors import CancelledError, InputError
from alc_core.measures.measure import Measured
from alc_core.releases.microdata import Microdata, ReleasedRows
from alc_core.releases.registry import read_release
from alc_core.scenario.targets import KnownValues
from alc_core.studies.holdout import data
from alc_core.studies.holdout.data import resemblance
from alc_core.studies.holdout.measuring import (
    AskedAttack,
    _nearest,
    gower_distances,
    measure_holdout,
    nearest_to_sets,
)
from alc_core.studies.members import Guesses, residual_risk, share_of, shown_risk
from alc_core.tables.apart.read import as_table
from alc_core.tables.codes.encode import encode

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


def test_an_attack_that_nobody_of_the_holdout_is_left_for_is_left_out_with_a_word(groups):
    members, others, _ = groups
    others = others[others["city"] != "Ulm"]
    alone = alc.Scenario(("age", "hours"), "job", targets=alc.Targets(where={"city": ["Ulm"]}))
    found = measure_holdout(members, members, others, [alone, SCENARIO])
    assert [attack.known for attack in found.attacks] == [SCENARIO.known]
    assert any("left out: Nobody in 'holdout' is selected" in note for note in found.notes)
    with pytest.raises(InputError, match="Nobody in 'holdout'"):
        measure_holdout(members, members, others, [alone])


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
    asked = AskedAttack(scenario=asked.scenario, attack="model")
    with pytest.raises(InputError, match="model"):
        measure_holdout(members, release, others, [asked])


def test_the_holdout_is_checked_once_for_several_releases(groups, monkeypatch):
    members, others, strangers = (as_table(each, name="t") for each in groups)
    # A label and numbers that neither of the others has change the codes, not what is found.
    strange = groups[2].assign(city="Aachen", hours=3 * groups[2]["hours"])
    releases = (strange, members)
    alone = [measure_holdout(groups[0], each, groups[1], seed=3) for each in releases]
    times = []
    monkeypatch.setattr(
        data, "resemblance", lambda *a, **k: times.append(1) or resemblance(*a, **k)
    )
    together = [measure_holdout(members, each, others, seed=3) for each in releases]
    assert len(times) == 1
    assert [found.closest for found in together] == [found.closest for found in alone]
    assert [found.resemblance for found in together] == [found.resemblance for found in alone]
    measure_holdout(members, members, strangers, seed=3)
    assert len(times) == 2, "another holdout"


Z = 1.959964


def wilson(right, number):
    """Midpoint and half width, written out."""
    square = Z**2
    middle = (right + square / 2) / (number + square)
    half = Z / (number + square) * math.sqrt(right * (number - right) / number + square / 4)
    return middle, half


@pytest.mark.parametrize(("right", "others"), [(850, 300), (300, 700), (500, 400), (1000, 0)])
def test_risk_and_propagated_interval_by_hand(right, others):
    (m, dm), (c, dc) = wilson(right, 1000), wilson(others, 800)
    found = residual_risk(share_of(right, 1000), share_of(others, 800))
    value = (m - c) / (1 - c)
    # dR/dm = 1/(1-c), dR/dc = (m-1)/(1-c)^2
    spread = math.sqrt((dm / (1 - c)) ** 2 + ((m - 1) / (1 - c) ** 2 * dc) ** 2)
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.high - found.value == pytest.approx(spread, abs=1e-6)
    assert found.value - found.low == pytest.approx(spread, abs=1e-6)


def test_where_all_control_people_are_guessed_nothing_is_known():
    found = residual_risk(share_of(100, 100), share_of(100, 100))
    assert found.value == pytest.approx(0)
    assert found.high > 0.5
    assert found.low < -0.5
    worse = residual_risk(share_of(80, 100), share_of(100, 100))
    assert math.isfinite(worse.value)
    assert worse.value < -5
    assert shown_risk(worse).value == 0


def test_a_negative_risk_is_shown_as_none_as_the_paper_does_but_kept():
    found = residual_risk(share_of(200, 1000), share_of(300, 1000))
    assert found.value < 0
    assert found.high < 0
    shown = shown_risk(found)
    assert (shown.value, shown.low, shown.high) == (0, 0, 0)
    assert shown_risk(Measured(0.9, 0.7, 1.1)) == Measured(0.9, 0.7, 1.0)


def test_abstentions_count_as_not_right_in_the_rate_but_not_in_the_precision():
    found = Guesses(people=100, predicted=20, right=15)
    assert found.success.value == 0.15
    assert found.precision.value == 0.75
    assert found.recall == 0.2
    nobody = Guesses(people=100, predicted=0, right=0)
    assert math.isnan(nobody.precision.value)
    assert (nobody.precision.low, nobody.precision.high) == (0, 1)


COLUMNS = ("age", "city", "hours")


@pytest.fixture(scope="module")
def coded(people):
    frame, other = people(300, 1), people(200, 2)
    other = other.astype({"age": object, "city": object})
    rng = np.random.default_rng(0)
    other.loc[rng.random(200) < 0.5, "age"] = "20-39"
    other.loc[rng.random(200) < 0.1, "age"] = np.nan
    other["city"] = np.where(rng.random(200) < 0.5, "{Ulm, Bonn}", other["city"])
    frame.loc[:20, "hours"] = np.nan
    data = encode(as_table(frame, name="original"), [as_table(other, name="release")])
    assert set(data.released[0].set_columns) == {"age", "city"}
    return [KnownValues.of(t, data.specs, COLUMNS) for t in (data.original, data.released[0])]


def test_they_are_the_distances_of_the_scan(coded):
    people, rows = coded
    matrix = gower_distances(rows, people)
    table = ReleasedRows(name="release", known=rows, unknown=np.arange(200, dtype=np.int32))
    of_rows = GowerTable.of(table, people, table.unknown, np.ones(200))
    distance, counts = nearest_rows([of_rows], 200)
    assert matrix.min(axis=0) == pytest.approx(distance)
    near = matrix <= matrix.min(axis=0) + 1e-9
    assert ((counts > 0) == near.T).all()


def test_of_each_row_it_finds_whose_it_is(coded, monkeypatch):
    people, rows = coded
    matrix = gower_distances(rows, people)
    monkeypatch.setattr("alc_core.studies.holdout.measuring._CELLS", 300 * 7)  # several portions
    first, nearer = nearest_to_sets(rows, people, 150)
    member, other = matrix[:, :150].min(axis=1), matrix[:, 150:].min(axis=1)
    expected = np.where(np.abs(member - other) < 1e-9, 0.5, (member < other) * 1.0)
    assert (nearer == expected).all()
    assert matrix[np.arange(200), first] == pytest.approx(matrix.min(axis=1))


def test_a_scan_without_labels_finds_the_same(people):
    frame, other = people(400, 1), people(250, 2)
    data = encode(as_table(frame, name="original"), [as_table(other, name="release")])
    inside, rows = [
        KnownValues.of(t, data.specs, COLUMNS) for t in (data.original, data.released[0])
    ]
    assert not rows.set_columns
    by_scan, added = _nearest(rows, inside, 200), nearest_to_sets(rows, inside, 200)
    assert (by_scan[1] == added[1]).all()
    matrix = gower_distances(rows, inside)
    assert matrix[np.arange(250), by_scan[0]] == pytest.approx(matrix.min(axis=1))


def test_one_release_of_one_city_is_compared(people):
    frame = people(200, 1)
    release = pd.DataFrame({"city": ["Ulm"] * 5})
    found = measure_holdout(frame, release, people(200, 2))
    assert found.closest.columns == ("city",)
    assert found.closest.share.value == 0.5  # many of both are as near


def test_a_text_among_numbers_is_as_far_from_every_number_as_can_be():
    own = pd.DataFrame({"pay": ["10", "20", "N", None, "30"] * 40}).astype(object)
    other = own.copy()
    other.loc[::3, "pay"] = "*"
    other.loc[1::7, "pay"] = "10-20"
    data = encode(as_table(own, name="original"), [as_table(other, name="release")])
    people, rows = (
        KnownValues.of(t, data.specs, ["pay"]) for t in (data.original, data.released[0])
    )
    matrix = gower_distances(rows, people)
    assert matrix.min() == 0
    assert matrix.max() == 1
    texts = own["pay"].eq("N").to_numpy()
    ranges = other["pay"].eq("10-20").to_numpy()
    assert (matrix[np.ix_(ranges, texts)] == 1).all()
    same = other["pay"].eq("N").to_numpy()
    assert (matrix[np.ix_(same, texts)] == 0).all()
    assert (matrix[np.ix_(same, ~texts)] == 1).all()
