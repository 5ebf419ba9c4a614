"""Rows traced against releases whose rows' owners are known."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData, prepare_scenario
from alc_core.attacks.record_linkage import RecordLinkage
from alc_core.note import KEPT
from alc_core.releases.registry import as_release
from benchmarks.people import made_up_people

PEOPLE = made_up_people(2_500, seed=3)
SCENARIO = alc.Scenario([c for c in PEOPLE if c != "condition"], "condition", targets="all")


def assessed(release):
    return alc.assess(PEOPLE, release, SCENARIO, attack="record linkage")


def own_rows_found(release):
    """The true share, by an attack on the number of the row that each row was made of."""
    original, numbered = (
        alc.table_from_frame(
            frame.assign(condition=[f"n{row}" for row in range(len(frame))]), name="t"
        )
        for frame in (PEOPLE, release)
    )
    data = ScenarioData.of(original, as_release(numbered, original), SCENARIO)
    prepared = prepare_scenario(data, SCENARIO, folds=10, seed=0)
    found = RecordLinkage().prepare(prepared.view, np.random.default_rng(0))
    return np.mean(found(prepared.targets.known).values == prepared.targets.unknown)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3])
def test_the_share_of_own_rows_is_near_the_truth(share):
    release = alc.swap_columns(PEOPLE, share, seed=1)
    found = assessed(release)
    (measured,) = found.measured["rows traced"].values()
    assert measured.low <= measured.value <= measured.high
    assert measured.value == pytest.approx(own_rows_found(release), abs=0.04)
    (told,) = (dict(note.numbers) for note in found.notes if note.code == KEPT)
    same = (release[[*SCENARIO.known]] == PEOPLE[[*SCENARIO.known]]).mean()
    assert told == pytest.approx(same.to_dict(), abs=0.05)


def test_where_few_rows_are_traced_nothing_is_told_of_their_values():
    found = assessed(alc.swap_columns(PEOPLE, 0.5, seed=1))
    assert not any(note.code == KEPT for note in found.notes)


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_of_copies_among_strangers_no_more_are_found_than_there_are(share):
    """The attack is sure of strangers' rows, too, where it knows few facts."""
    n = round(share * len(PEOPLE))
    release = pd.concat([PEOPLE.iloc[:n], made_up_people(len(PEOPLE) - n, seed=4)])
    known = ["age", "sex", "district", "education", "hours", "marital_status"]
    scenario = alc.Scenario(known, "job", targets="all")
    found = alc.assess(
        PEOPLE, release, scenario, attack="record linkage", accept=("copied-rows",)
    )  # fmt: skip
    for measured in found.measured.get("rows traced", {}).values():
        assert measured.value <= share + 0.02


@pytest.mark.parametrize("harmless", ["strangers", "independent columns"])
def test_of_rows_of_nobody_nothing_is_told(harmless):
    rng = np.random.default_rng(0)
    release = made_up_people(2_500, seed=4)
    if harmless == "independent columns":
        release = PEOPLE.apply(lambda column: rng.permutation(column.to_numpy()))
    found = assessed(release)
    assert "rows traced" not in found.measured
