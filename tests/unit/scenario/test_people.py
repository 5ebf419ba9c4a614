"""Who belongs together: a person's rows, and people of one household."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import Forest
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.errors import ColumnError
from alc_core.plain_values import from_plain, to_plain
from alc_core.scenario.targets import People
from tests.toys.household_survey import DWELLING, survey


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
            families=(Forest("forest", min_samples_leaf=2),),
        )
        for household in (None, DWELLING)
    ]  # fmt: skip
    looked_up, without = (result.baseline_rest.precision for result in results)
    assert looked_up > without + 0.3
    assert results[1].alc > results[0].alc + 0.1
    assert results[1].decisive_alc > results[0].decisive_alc
    told = [" ".join(map(str, result.notes)) for result in results]
    assert "they look like households" in told[0]
    assert "they look like households" not in told[1]
