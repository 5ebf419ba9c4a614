import pandas as pd
import pytest

import alc_core as alc
from alc_core.assessment.result import plain_of_any_version
from alc_core.errors import InputError, ParameterError
from alc_core.plain_values import from_plain
from alc_core.releases.registry import as_release
from alc_core.scenario.scenario import Scenario, Tolerance, read_tolerances
from alc_core.studies.rapid.measuring import measure_rapid


def test_texts_become_tolerances_and_texts_again():
    found = read_tolerances(["income=2000", " a=b = 10 %"])
    assert found == {"income": Tolerance(2000), "a=b": Tolerance(0.1, relative=True)}
    assert read_tolerances(f"{c}={t}" for c, t in found.items()) == found


@pytest.mark.parametrize("text", ["income", "=3", "income=much", "income=%"])
def test_what_is_no_tolerance_is_refused_with_an_example(text):
    with pytest.raises(InputError, match=f"such as income=2000 or income=10%, not '{text}'"):
        read_tolerances([text])


@pytest.mark.parametrize("text", ["income=0", "income=-2", "income=100%", "income=nan"])
def test_a_tolerance_has_bounds(text):
    with pytest.raises(ParameterError, match="A tolerance must be above 0"):
        read_tolerances([text])


def test_scenarios_of_earlier_versions_are_exact_and_keep_their_identity():
    plain = Scenario(["age"], "income").to_dict()
    assert not {"tolerance", "level"} & plain.keys()
    back = from_plain(plain_of_any_version(plain), Scenario)
    assert (back.tolerance, back.level) == (None, "exact")


def test_tolerance_and_level_are_kept():
    scenario = Scenario(["age"], "income", tolerance=Tolerance(5), level="release")
    assert from_plain(plain_of_any_version(scenario.to_dict()), Scenario) == scenario
    assert scenario.wanted == "income class"
    with pytest.raises(ParameterError, match="level must be 'exact' or 'release', not 'near'"):
        Scenario(["age"], "income", level="near")


@pytest.mark.parametrize("how", [{"tolerance": Tolerance(1)}, {"level": "release"}])
def test_what_knows_neither_refuses_them(how):
    frame = pd.DataFrame({"age": [20, 30, 40] * 20, "job": ["a", "b", "c"] * 20})
    people, scenario = alc.table_from_frame(frame), Scenario(["job"], "age", **how)
    for measure in (measure_rapid, alc.measure_threat):
        with pytest.raises(ParameterError, match="knows no tolerance and no level of a release"):
            measure(people, as_release(people), scenario)
