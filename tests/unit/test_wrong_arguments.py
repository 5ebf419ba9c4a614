"""Wrong arguments in Python: one sentence that names them and says what to do."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.measures.measure import measured_by
from alc_core.studies.rapid.result import RapidSettings
from alc_core.studies.registry import register_study
from alc_core.studies.utility.measuring import measure_utility
from tests.conftest import make_people

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
    asked = {(each.scenario.known, each.scenario.unknown) for each in plan.attacks}
    assert asked == {(("0",), "1")}


@pytest.mark.parametrize("unknown", [None, ["job"]])
def test_no_unknown_column_and_a_list_are_refused_by_the_scenario(unknown):
    with pytest.raises(alc.errors.ColumnError, match="The unknown column is .*Name one"):
        alc.Scenario(["age"], unknown)
    with pytest.raises(alc.errors.ColumnError, match="Choose a known column"):
        alc.Scenario(None, "job")


class Guess:
    """An attack that works unless a test changes what it prepares."""

    name = "guess"
    accepts = (alc.Microdata,)

    def __init__(self, prepared):
        self.prepared = prepared

    def prepare(self, view, rng):
        return self.prepared


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        (["model"], "The attack is a 'list' without 'name', .* Pass one attack, as an object or"),
        (Guess, r"The attack is the class 'Guess' in 'test_wrong_.*py'. Pass Guess\(\)"),
        (Guess(None), "'guess', a 'Guess' in 'test_wrong_.*py', prepared a 'NoneType'. Return"),
        (Guess(lambda targets: None), "'guess', .*, predicted a 'NoneType'. Return alc.Pred"),
        (
            Guess(lambda targets: alc.Predictions.of([0.7] * len(targets), [1] * len(targets))),
            "'guess', .* predicted values that are not codes from 0 to 4",
        ),
    ],
)
def test_an_attack_that_cannot_work_is_refused_by_name_and_file(attack, said):
    people, accept = make_people(400), ["identical", "same-order", "same-rows"]
    with pytest.raises(alc.errors.InputError, match=said):
        alc.assess(people, people, alc.Scenario(["age"], "job"), attack=attack, accept=accept)


class Gain:
    name, title, method, reference = "toy gain", "Gain", "A toy.", "Nobody (2026)"
    numbers = (alc.MeasureNumber(name="gain", title="Gain", help="A toy.", has_interval=False),)
    applies = staticmethod(lambda predicted: True)
    sentence = staticmethod(lambda measured, scenario: "A toy.")

    def __init__(self, found):
        self.found = found

    def measure(self, predicted):
        return self.found


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"other": alc.Measured(1.0)}, "returned 'other', but declares 'gain'"),
        (None, "returned a 'NoneType', but declares 'gain'"),
        ({"gain": 1.0}, "for 'gain' something else than a number. Return alc.Measured"),
        ({"gain": alc.Measured(None)}, "for 'gain' something else than a number"),
    ],
)
def test_a_measure_returns_what_it_declares(found, said):
    with pytest.raises(alc.errors.InputError, match=f"'toy gain', a 'Gain' in 'test_.*{said}"):
        measured_by(Gain(found), None)
    assert measured_by(Gain({"gain": alc.Measured(1)}), None) == {"gain": alc.Measured(1)}


@pytest.mark.parametrize(
    ("register", "given", "said"),
    [
        (alc.register_measure, Gain, "The measure is the class 'Gain' in 'test_.*Pass Gain"),
        (alc.register_measure, Guess(None), "The measure is a 'Guess' in .* without 'title'"),
        (alc.register_attack, Guess, "takes an alc.AttackType, not the class 'Guess' in 'test_"),
        (alc.register_attack, Guess(None), "takes an alc.AttackType, not a 'Guess' in 'test_"),
        (alc.register_release, Guess, "takes a class with 'kind'.* not the class 'Guess' in"),
        (register_study, Guess, "The study is the class 'Guess' in .* Pass Guess"),
        (register_study, Gain(None), "The study is a 'Gain' in .* without .*'blocks'"),
    ],
)
def test_what_cannot_be_registered_is_refused_at_once(register, given, said):
    with pytest.raises(alc.errors.InputError, match=said):
        register(given)


def test_a_plug_in_that_registers_a_class_is_refused_with_its_file_and_line(tmp_path):
    plugin = tmp_path / "mine.py"
    plugin.write_text("import alc_core as alc\nclass Mine: ...\nalc.register_measure(Mine)\n")
    with pytest.raises(alc.errors.InputError) as refused:
        alc.load_plugins([str(plugin)])
    assert str(refused.value) == (
        f"The plug-in '{plugin}' cannot be loaded (line 3): The measure is the class 'Mine' in "
        "'mine.py'. Pass Mine()."
    )
