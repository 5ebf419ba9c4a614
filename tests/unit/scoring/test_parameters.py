import pytest

from alc_core.errors import ColumnError, ParameterError
from alc_core.plain_values import from_plain
from alc_core.scenario.scenario import Scenario, Targets
from alc_core.scoring.parameters import LoopParameters, ScoringParameters


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"alpha": -1}, "alpha must be greater than 0, not -1"),
        ({"r_min": 0}, "r_min must be between"),
        ({"confidence": 95}, "confidence must be between 0 and 1"),
        (
            {"max_interval_width": 0},
            r"must be between 0 and 1 \(0 excluded\), not 0",
        ),
        ({"at_risk": 0.8}, "at_risk must be less than serious, not 0.8 and 0.75"),
        ({"loss": "both"}, "'relative' or 'absolute'"),
    ],
)
def test_scoring_bounds(changes, message):
    with pytest.raises(ParameterError, match=message):
        ScoringParameters(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"batch": 0}, "batch must be a whole number of at least 1, not 0"),
        ({"folds": 1}, "folds must be a whole number of at least 2"),
        ({"resamples": 10}, "resamples must be a whole number of at least 100"),
        ({"improvement": 0}, "improvement must be between"),
    ],
)
def test_loop_bounds(changes, message):
    with pytest.raises(ParameterError, match=message):
        LoopParameters(**changes)


def test_dictionaries_are_lossless_and_unknown_names_are_refused():
    scoring = ScoringParameters(alpha=2.5)
    assert ScoringParameters.from_dict(scoring.to_dict()) == scoring
    with pytest.raises(ParameterError, match="Unknown parameter 'alhpa'"):
        ScoringParameters.from_dict({"alhpa": 2})


def test_scenario_dictionary_is_lossless():
    scenario = Scenario(
        ["a", "b"], "c", targets=Targets(where={"a": ("x",)}, recall="group"), person="id", bins=7
    )
    assert from_plain(scenario.to_dict(), Scenario) == scenario
    assert Scenario(["a"], "b", targets="all").selection == Targets(count="all")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], "c"), "Choose a known column"),
        ((["a", "a"], "c"), "'a' is named twice"),
        ((["a", "c"], "c"), "'c' is both known and unknown"),
    ],
)
def test_impossible_scenarios(arguments, message):
    with pytest.raises(ColumnError, match=message):
        Scenario(*arguments)


def test_roles_do_not_overlap():
    with pytest.raises(ColumnError, match="both the person column and part of the attack"):
        Scenario(["a"], "b", person="a")
    with pytest.raises(ColumnError, match="both the household column and part of the attack"):
        Scenario(["a"], "b", household="b")
    assert Scenario(["address"], "b", household="address").known == ("address",)


@pytest.mark.parametrize("count", [0, 34, 2.5, True, "some"])
def test_impossible_numbers_of_targets(count):
    with pytest.raises(ParameterError, match="whole number of at least 35"):
        Targets(count=count)
