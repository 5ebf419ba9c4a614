"""Released labels that stand for several values, against a plain implementation."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData
from alc_core.attacks.best_row_match import row_weights
from alc_core.baselines.families import NaiveBayes
from alc_core.errors import InputError, ParameterError
from alc_core.releases.registry import as_release
from alc_core.scenario.scenario import Scenario
from alc_core.tables.value_sets import ANY
from tests.toys.attacked import predicted, prepared

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
        covered = TOWNS.get(label, {label})
        return float(value not in covered)
    low, high = AGES[label].closed_bounds if label in AGES else (float(label), float(label))
    low, high = max(low, width[0]), min(high, width[1])
    return min(max(low - value, value - high, 0.0) / (width[1] - width[0]), 1.0)


def shares_of_people(labels, fits):
    """Of each released label the share of people whom it fits: those with a label for several are
    spread over what it covers as the single values are."""
    single = [label for label in labels if not fits(label)]
    people = pd.Series(single, dtype=object).value_counts(dropna=False).astype(float)
    before = people.copy()
    for label in labels:
        if inside := fits(label):
            covered = [value for value in before.index if not missing(value) and inside(value)]
            people[covered] += before[covered] / before[covered].sum()
    of_single = {str(value): share for value, share in (people / people.sum()).items()}
    return [
        sum(s for value, s in of_single.items() if value not in ("None", "nan") and inside(value))
        if (inside := fits(label))
        else of_single[str(label)]
        for label in labels
    ]


def weights(released):
    ages = shares_of_people(
        released["age"].tolist(),
        lambda label: (lambda value: float(value) in AGES[label]) if label in AGES else None,
    )
    towns = shares_of_people(
        released["town"].tolist(),
        lambda label: (lambda value: value in TOWNS[label]) if label in TOWNS else None,
    )
    return 1 / (np.array(ages) * np.array(towns))


def expected(original, release, row, counting):
    """Nearest rows by the definition: the score if a value is predicted, and the distance."""
    width = original["age"].min(), original["age"].max()
    target = original.iloc[row].to_dict()
    sums = [
        sum(distance(target[c], other[c], c, width) for c in ("age", "town"))
        + (target["sex"] != other["sex"])
        for other in release.to_dict("records")
    ]
    least = min(sums)
    near = np.isclose(sums, least, rtol=0, atol=1e-7)
    counted = release.assign(weight=counting)[near].groupby("job")["weight"].sum()
    return (1 - least / 3) * counted / counted.sum(), least


@pytest.mark.parametrize("seed", range(3))
def test_matches_are_those_of_the_definition(seed):
    frame = people(150, seed)
    original, release = tables(frame, seed)
    made = prepared(original, release, ["age", "town", "sex"])
    found, view = predicted(made, "best row match"), made.view
    counting = weights(release.frame)
    for row in range(len(frame)):
        scores, least = expected(frame, release.frame, row, counting)
        value = view.unknown.labels[found.values[row]]
        assert found.scores[row] == pytest.approx(scores[value], abs=1e-3)
        assert found.scores[row] == pytest.approx(scores.max(), abs=1e-3)
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
    assert [note.text for note in result.notes if "Generalized" in note.text] == [
        "Generalized values of 'recoded' match all they cover: in age."
    ]


def test_what_labels_stand_for_is_checked():
    frame = people(50, 0)
    original, release = tables(frame, 0)
    scenario = Scenario(["age", "sex"], "job")
    wrong = release.with_value_sets("age", {**AGES, "18-29": {"20", "21"}})
    with pytest.raises(InputError, match="covers labels, but column 'age' is"):
        ScenarioData.of(original, as_release(wrong), scenario)
    with pytest.raises(InputError, match="of column 'age' is not a number. Declare an interval"):
        ScenarioData.of(original, as_release(release.with_value_sets("age", {})), scenario)
    wrong = release.with_value_sets("town", {"north": {"Rome"}})
    with pytest.raises(
        InputError, match="'north' of column 'town' covers no value of the original"
    ):
        ScenarioData.of(original, as_release(wrong), Scenario(["town"], "job"))
    with pytest.raises(ParameterError, match="from 3 to 2 covers nothing"):
        alc.Interval(3, 2)


def test_an_unknown_column_of_sets_spreads_over_what_they_cover():
    frame = pd.DataFrame({"sex": ["m", "f"] * 20, "town": ["Ulm", "Jena"] * 20})
    original = alc.table_from_frame(frame, name="people")
    towns = ["north"] * 20 + ["Ulm"] * 6 + ["Bonn"] * 2 + ["*"] * 12
    release = alc.table_from_frame(frame.assign(town=towns), name="release")
    release = release.with_value_sets("town", {"north": {"Ulm", "Jena"}, "*": ANY})
    made = prepared(original, release, ["sex"], "town")
    view = made.view
    assert view.unknown.labels == ("Bonn", "Jena", "Ulm")
    # Of the single values Ulm is three times as frequent as Bonn, and Jena has none.
    assert view.tables[0].spread.weights.tolist() == [[0, 0, 1, 0], [0.25, 0, 0.75, 0]]
    found = predicted(made, "best row match")
    assert set(found.values) == {2}
    # Of 20 rows of a sex 10 are north, 3 Ulm, 1 Bonn and 6 anything.
    assert found.scores[0] == pytest.approx((10 + 3 + 6 * 0.75) / 20)


def test_rows_with_every_known_column_suppressed_take_no_part():
    frame = pd.DataFrame({"sex": ["m", "f"] * 20, "town": ["Ulm", "Jena"] * 20, "job": "a"})
    frame["job"] = np.where(frame.index < 20, "a", "b")
    original = alc.table_from_frame(frame, name="people")
    hidden = frame.assign(sex=frame["sex"].mask(frame.index < 8, "*"))
    hidden["town"] = hidden["town"].mask(frame.index < 8, "*")
    scenario = Scenario(["sex", "town"], "job")
    release = as_release(alc.table_from_frame(hidden, name="release"))
    encoded = ScenarioData.of(original, release, scenario).encoded
    assert len(encoded.view(scenario).tables[0]) == 32
    assert "8 of 40 rows" in " ".join(encoded.notes(scenario))
    every = alc.table_from_frame(frame.assign(sex="*", town="*"), name="release")
    encoded = ScenarioData.of(original, as_release(every), scenario).encoded
    with pytest.raises(InputError, match="suppresses sex and town"):
        encoded.view(scenario)


def test_a_row_counts_by_how_few_people_it_fits():
    frame = pd.DataFrame({"town": ["Ulm"] * 30 + ["Bonn"] * 10 + ["Jena"] * 60, "job": "clerk"})
    released = frame.assign(town=frame["town"].mask(frame.index % 2 == 0, "south"))
    released.loc[released["town"] == "Jena", "job"] = "smith"
    released.loc[40:, "town"] = "Jena"
    released.loc[[0, 30], "job"] = "nurse"
    original = alc.table_from_frame(frame, name="people")
    release = alc.table_from_frame(released, name="release")
    release = release.with_value_sets("town", {"south": {"Ulm", "Bonn"}})
    found = predicted(prepared(original, release, ["town"]), "best row match")
    # Of Ulm there are 15 rows, and 20 of the south, which is 40 people, 30 of them of Ulm.
    clerks, nurses = 15 / 0.3 + 18 / 0.4, 2 / 0.4
    assert found.scores[0] == pytest.approx(clerks / (clerks + nurses), abs=1e-5)


def test_a_row_of_very_many_suppressed_columns_counts_a_finite_number():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((300, 150)).round(6)).add_prefix("x")
    frame["job"] = rng.choice(["nurse", "smith"], 300)
    released = frame.astype(dict.fromkeys(frame.columns[:-1], object))
    for number in range(150):
        released.iloc[number, number] = "*"
    made = prepared(frame, released, [*frame.columns[:-1]], kinds={"job": "categorical"})
    for weights in row_weights([table.known for table in made.view.tables]):
        assert np.isfinite(weights).all()
        assert weights.max() / weights.min() > 100  # those with a cell suppressed fit more people
    found = predicted(made, "best row match")
    assert np.array_equal(found.values, made.targets.unknown)


def test_a_label_never_hides_the_row_of_a_person():
    """Somebody else's row that names all values is no nearer than one's own with a wide label."""
    frame = pd.DataFrame({"town": ["Ulm", "Ulm", *["Bonn"] * 8], "job": ["a", "b", *["c"] * 8]})
    released = frame.assign(town=["{Ulm, Bonn}", *frame["town"][1:]])
    found = predicted(prepared(frame, released, ["town"]), "best row match")
    assert 0.5 < found.scores[0] < 1  # 1 if only the other one of Ulm matched
