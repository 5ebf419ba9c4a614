"""Wrong arguments in Python: one sentence that names them and says what to do."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.studies.rapid.result import RapidSettings
from alc_core.studies.utility.measuring import measure_utility

ROWS = pd.DataFrame({"age": [31, 45, 60] * 20, "job": ["nurse", "cook", "clerk", "smith"] * 15})
SCENARIO = alc.Scenario(["age"], "job")
COLUMNS = {"known": ["age"], "unknown": "job"}

SEEDED = {
    "assess": lambda seed: alc.assess(ROWS, ROWS, SCENARIO, seed=seed),
    "RowLoop": lambda seed: alc.RowLoop(ROWS, ROWS, SCENARIO, seed=seed),
    "plan_campaign": lambda seed: alc.plan_campaign(ROWS, ROWS, seed=seed),
    "run_campaign": lambda seed: alc.run_campaign(ROWS, ROWS, "never.alc", seed=seed),
    "swap_columns": lambda seed: alc.swap_columns(ROWS, 0.2, seed=seed),
    "noisy_counts": lambda seed: alc.noisy_counts(ROWS, **COLUMNS, epsilon=1, seed=seed),
    "anatomize": lambda seed: alc.anatomize(ROWS, **COLUMNS, level=2, seed=seed),
    "mondrian": lambda seed: alc.mondrian(ROWS, **COLUMNS, k=2, seed=seed),
    "link_tables": lambda seed: alc.link_tables({"a": ROWS}, {}, seed=seed),
    "measure_holdout": lambda seed: alc.measure_holdout(ROWS, ROWS, ROWS, seed=seed),
    "measure_utility": lambda seed: measure_utility(ROWS, ROWS, seed=seed),
    "StudySettings": lambda seed: alc.StudySettings(**COLUMNS, seed=seed),
    "SamplerSettings": lambda seed: alc.SamplerSettings(seed=seed),
    "RapidSettings": lambda seed: RapidSettings(seed=seed),
}


@pytest.mark.parametrize("name", SEEDED)
@pytest.mark.parametrize("seed", [-1, 1.5, "1"])
def test_a_seed_is_a_whole_number(name, seed):
    with pytest.raises(alc.errors.ParameterError) as refused:
        SEEDED[name](seed)
    assert str(refused.value) == f"seed must be a whole number of at least 0, not {seed!r}."


def test_no_seed_is_refused_and_one_of_numpy_is_not():
    with pytest.raises(alc.errors.ParameterError, match="not None"):
        SEEDED["assess"](None)
    assert len(alc.swap_columns(ROWS, 0.2, seed=np.int64(3))) == 60


def test_columns_may_have_numbers_and_tuples_as_names():
    scenario = alc.Scenario(
        [0, ("age", 2020)], 2, targets=alc.Targets(where={4: 5}), person=3, household=[6, 7]
    )
    assert (scenario.known, scenario.unknown) == (("0", "('age', 2020)"), "2")
    assert (scenario.person, scenario.household) == ("3", ("6", "7"))
    assert scenario.selection.where == {"4": ("5",)}
    numbered = ROWS.set_axis([0, 1], axis="columns")
    assert alc.table_from_frame(numbered).with_kinds({0: "categorical"}).kind("0") == "categorical"
    plan = alc.plan_campaign(numbered, numbered, unknown=[1], named=[[0]], roles={0: "both"})
    assert {(each.scenario.known, each.scenario.unknown) for each in plan.attacks} == {(("0",), "1")}


@pytest.mark.parametrize("unknown", [None, ["job"]])
def test_no_unknown_column_and_a_list_are_refused_by_the_scenario(unknown):
    with pytest.raises(alc.errors.ColumnError, match="The unknown column is .*Name one"):
        alc.Scenario(["age"], unknown)
    with pytest.raises(alc.errors.ColumnError, match="No known column"):
        alc.Scenario(None, "job")
