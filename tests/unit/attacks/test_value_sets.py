"""Released labels that stand for several values, against a plain implementation."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData
from alc_core.attacks.best_row_match import BestRowMatch
from alc_core.baselines.families import NaiveBayes
from alc_core.errors import InputError, ParameterError
from alc_core.releases.registry import as_release
from alc_core.scenario.scenario import Scenario

KINDS = {"age": "continuous", "town": "categorical", "sex": "categorical", "job": "categorical"}
AGES = {"18-29": alc.Interval(18, 29), "30s": alc.Interval(30, 40, high_open=True),
        "40+": alc.Interval(40), "*": alc.Interval()}  # fmt: skip
TOWNS = {"north": {"Ulm", "Bonn"}, "*": {"Ulm", "Bonn", "Jena"}}


def people(n, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 60, n).astype(float),
            "town": rng.choice(["Ulm", "Bonn", "Jena"], n),
            "sex": rng.choice(["m", "f"], n),
            "job": rng.choice(["nurse", "smith", "clerk"], n),
        }
    )
    frame.loc[rng.random(n) < 0.1, "age"] = None
    frame.loc[rng.random(n) < 0.1, "town"] = None
    return frame


def recoded(frame, seed):
    """Most ages and towns as labels, some as they were, some suppressed."""
    rng = np.random.default_rng(seed)

    def age(value):
        if value != value:
            return None
        label = next(label for label, interval in AGES.items() if value in interval)
        return rng.choice([label, "*", f"{value:g}"], p=[0.7, 0.1, 0.2])

    def town(value):
        if not isinstance(value, str):
            return None
        return rng.choice(["north" if value != "Jena" else "Jena", "*", value], p=[0.6, 0.1, 0.3])

    return frame.assign(age=frame["age"].map(age), town=frame["town"].map(town))


def tables(frame, seed):
    original = alc.table_from_frame(frame, name="people").with_kinds(KINDS)
    release = alc.table_from_frame(recoded(frame, seed), name="release")
    return original, release.with_value_sets("age", AGES).with_value_sets("town", TOWNS)


def missing(value):
    return value is None or value != value


def distance(value, label, column, width):
    if missing(value) or missing(label):
        return float(missing(value) != missing(label))
    if column == "town":
        return 0.0 if value in TOWNS.get(label, {label}) else 1.0
    low, high = AGES[label].closed_bounds if label in AGES else (float(label), float(label))
    return min(max(low - value, value - high, 0.0) / width, 1.0)


def expected(original, release, row):
    """Nearest rows by the definition: value, score, and the least distance."""
    width = original["age"].max() - original["age"].min()
    target = original.iloc[row].to_dict()
    sums = [
        sum(distance(target[c], other[c], c, width) for c in ("age", "town"))
        + (target["sex"] != other["sex"])
        for other in release.to_dict("records")
    ]
    least = min(sums)
    jobs = sorted(release["job"][np.isclose(sums, least, rtol=0, atol=1e-9)])
    modal = max(sorted(set(jobs)), key=jobs.count)
    return modal, (1 - least / 3) * jobs.count(modal) / len(jobs), least


@pytest.mark.parametrize("seed", range(3))
def test_matches_are_those_of_the_definition(seed):
    frame = people(150, seed)
    original, release = tables(frame, seed)
    scenario = Scenario(["age", "town", "sex"], "job", targets="all")
    encoded = ScenarioData.of(original, as_release(release), scenario).encoded
    view = encoded.view(scenario)
    predict = BestRowMatch().prepare(view, np.random.default_rng(0))
    known = alc.KnownValues.of(encoded.data.original, encoded.data.specs, scenario.known)
    found = predict(known)
    for row in range(len(frame)):
        value, score, least = expected(frame, release.frame, row)
        assert view.unknown.labels[found.values[row]] == value
        assert found.scores[row] == pytest.approx(score, abs=1e-9)
        assert least == 0  # the released row of the person covers what is known


def test_a_recoded_release_is_attacked_like_the_original_cut_alike(people):
    frame = people(1500)
    cut = frame["age"].map(lambda age: f"{age // 10 * 10:.0f}s")
    sets = {f"{d}s": alc.Interval(d, d + 10, high_open=True) for d in range(10, 100, 10)}
    original = alc.table_from_frame(frame, name="people")
    release = alc.table_from_frame(frame.assign(age=cut), name="recoded")
    scenario = Scenario(["age", "city", "hours"], "job", targets=600)
    result = alc.assess(
        original, release.with_value_sets("age", sets), scenario, families=(NaiveBayes(),)
    )
    assert result.alc > 0.5  # hours single people out, and the ages agree
    assert not [note for note in result.notes if "age" in note]


def test_what_labels_stand_for_is_checked():
    frame = people(50, 0)
    original, release = tables(frame, 0)
    scenario = Scenario(["age", "sex"], "job")
    wrong = release.with_value_sets("age", {**AGES, "18-29": {"20", "21"}})
    with pytest.raises(InputError, match="of column 'age' stands for labels, but the column is"):
        ScenarioData.of(original, as_release(wrong), scenario)
    with pytest.raises(InputError, match="of column 'age' is not a number, and nothing says"):
        ScenarioData.of(original, as_release(release.with_value_sets("age", {})), scenario)
    wrong = release.with_value_sets("town", {"north": {"Rome"}})
    with pytest.raises(InputError, match="'north' of column 'town' covers no value"):
        ScenarioData.of(original, as_release(wrong), Scenario(["town"], "job"))
    with pytest.raises(ParameterError, match="from 3 to 2 covers nothing"):
        alc.Interval(3, 2)


def test_an_unknown_column_of_sets_is_said_to_be_unused():
    original, release = tables(people(50, 0), 0)
    scenario = Scenario(["sex", "job"], "town")
    other = alc.table_from_frame(people(50, 1), name="plain")
    encoded = ScenarioData.of(original, as_release([release, other]), scenario).encoded
    assert encoded.notes(scenario) == (
        "Released table 'release' has the unknown column only as labels that stand for several "
        "values, and was not used.",
    )
