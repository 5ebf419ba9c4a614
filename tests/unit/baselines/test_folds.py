"""The baseline of a whole run: what the result says of it."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.assessment.loop import RunSettings, scenario_baseline
from alc_core.baselines.families import Boosting, NaiveBayes
from alc_core.baselines.fitting import LearnedValues, TargetWeights, for_targets
from alc_core.baselines.grouped import GroupedFrequencies
from alc_core.scoring.parameters import LoopParameters
from tests.toys.attacked import prepared


@dataclass(frozen=True)
class Limited:
    """The best family on some rows; on more it does not suit, or runs out of memory."""

    at_most: int
    fails: bool
    inner: Boosting = field(default_factory=Boosting)
    name: str = "limited"
    averaged: bool = False
    learns_rare: bool = False

    def suits(self, features, n_classes):
        return self.fails or len(features) <= self.at_most

    def fit(self, features, classes, n_classes, seed):
        if len(features) > self.at_most:
            raise MemoryError
        return self.inner.fit(features, classes, n_classes, seed)


def people(n=3000, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "town": rng.choice(["Ulm", "Bonn", "Köln", "Jena"], n),
            "size": rng.choice(["s", "m", "l"], n),
        }
    )
    job = frame["town"].str[0] + np.where(frame["size"] == "l", "x", "y")
    swapped = rng.random(n) < 0.1
    frame["job"] = np.where(swapped, rng.permutation(job), job)
    return frame


def run(frame, families, loop=LoopParameters(resamples=100)):  # noqa: B008
    table = alc.table_from_frame(frame, name="people")
    scenario = alc.Scenario([c for c in frame if c != "job"], "job")
    release = alc.swap_columns(frame, 1.0, seed=1)
    return alc.assess(table, release, scenario, families=families, loop=loop)


@pytest.mark.parametrize("fails", [False, True])
def test_a_family_that_cannot_take_all_rows_does_not_leave_the_most_frequent_value(fails):
    # 2 400 rows are outside a group of folds and compared in thirds, 2 700 are fitted on.
    result = run(people(), [Limited(at_most=2500, fails=fails), GroupedFrequencies(), NaiveBayes()])
    assert "most frequent value" not in result.models
    assert "limited" not in result.models
    assert result.baseline.precision > 0.85
    said = [note for note in result.notes if "cannot be fitted" in note.text]
    assert bool(said) is fails
    assert not [note for note in result.notes if "loss may be smaller" in note.text]


def test_few_other_values_are_targets_enough_and_their_share_is_said():
    frame = people(6000)
    rare = np.arange(6000) % 50 == 0
    frame["job"] = np.where(rare, frame["job"], "none")
    result = run(frame, [NaiveBayes()])
    assert result.candidates == 360
    assert result.down_sampled_share == pytest.approx(0.98)
    (note,) = [note for note in result.notes if "most frequent value" in note.text]
    assert note.text.startswith("The most frequent value of 'job' makes up 67% of these people")
    assert result.attempts == 360


def test_a_limit_of_the_rows_to_learn_from_is_said_where_it_binds():
    frame = people(3000)
    for limit, said in ((2699, True), (2700, False)):
        loop = LoopParameters(resamples=100, max_training_rows=limit)
        notes = run(frame, [NaiveBayes()], loop=loop).notes
        assert any("learned from" in note.text for note in notes) is said


def survey(n, rng):
    """Income with a code for children, taken as categories: more than 2 000 of them."""
    age = rng.integers(0, 90, n)
    child = age < 15
    education = np.where(child, "N", rng.choice(list("bcdef"), n))
    income = np.exp(rng.normal(9.5, 1, n)).round(-1).astype(int)
    income = np.where(rng.random(n) < np.where(age < 20, 0.7, 0.12), 0, income)
    return pd.DataFrame(
        {
            "AGEP": age,
            "EDU": education,
            "MSP": np.where(child, "N", rng.choice(["married", "single", "widowed"], n)),
            "REGION": rng.choice([f"r{number}" for number in range(20)], n),
            "PINCP": np.where(child, "N", income.astype(str)),
        }
    )


@pytest.mark.parametrize("attack", ["best row match", "model"])
def test_no_release_of_strangers_is_flagged_for_answers_that_anybody_is_sure_of(attack):
    rng = np.random.default_rng(2)
    people, strangers = survey(5000, rng), survey(5000, rng)
    assert people["PINCP"].nunique() > 2000
    everybody = alc.Targets(missing=None)
    result = alc.assess(
        alc.table_from_frame(people, name="people").with_kinds({"PINCP": "categorical"}),
        strangers,
        alc.Scenario(["AGEP", "EDU", "MSP", "REGION"], "PINCP", targets=everybody),
        attack=attack, accept=["recoded-integers:PINCP", "unknown-labels:PINCP"],
    )  # fmt: skip
    assert result.baseline.precision == pytest.approx(0.95, abs=0.01)
    assert result.baseline.recall == pytest.approx(0.167, abs=0.03)
    assert result.verdict not in (alc.Verdict.AT_RISK, alc.Verdict.SERIOUS)
    assert not [note for note in result.notes if "loss may be smaller" in note.text]


UNKNOWN = np.repeat([0, 1, 2], [800, 150, 50]).astype(np.int32)


def weights(targets, *, eligible=None, thinned=1.0, selection_known=True):
    return TargetWeights.of(
        UNKNOWN,
        could=np.isin(np.arange(1000), targets),
        eligible=np.ones(1000, dtype=bool) if eligible is None else eligible,
        stand_for=np.where(UNKNOWN == 0, thinned, 1.0),
        records=np.ones(1000, dtype=np.int64),
        selection_known=selection_known,
    )


def test_random_targets_change_nothing():
    found = weights(np.random.default_rng(0).permutation(1000)[:600])
    assert np.all(found.rows == 1)
    assert found.of_classes(LearnedValues.of(UNKNOWN)) is None
    probabilities = np.array([[0.2, 0.8]])
    assert for_targets(probabilities, None) is probabilities


def test_down_sampling_makes_the_frequent_value_rarer_and_nothing_else():
    found = weights(np.r_[0:200, 800:1000], thinned=4.0)
    assert found.values == pytest.approx([0.25, 1, 1])
    assert found.rows == pytest.approx(np.repeat([0.25, 1, 1], [800, 150, 50]))
    adjusted = for_targets(np.array([[0.8, 0.2, 0.0]]), found.of_classes(LearnedValues.of(UNKNOWN)))
    assert adjusted == pytest.approx(np.array([[0.5, 0.5, 0.0]]), abs=1e-6)


def test_a_value_of_no_target_is_never_predicted():
    found = weights(np.arange(950))
    assert found.values == pytest.approx([1, 1, 0])
    adjusted = for_targets(np.array([[0.1, 0.0, 0.9], [0.0, 0.0, 1.0]]), found.values)
    assert adjusted[0] == pytest.approx([1, 0, 0], abs=1e-6)
    assert adjusted[1] == pytest.approx([0.5, 0.5, 0])


def test_a_selection_that_is_known_is_not_counted_twice():
    eligible = np.zeros(1000, dtype=bool)
    eligible[np.r_[0:100, 800:900]] = True
    known = weights(np.flatnonzero(eligible), eligible=eligible)
    assert known.of_classes(LearnedValues.of(UNKNOWN[:950])) is None
    assert np.array_equal(known.rows > 0, eligible)
    hidden = weights(np.flatnonzero(eligible), eligible=eligible, selection_known=False)
    # 100 of 800 against 100 of 150, each with ten rows of the average share 0.2.
    assert hidden.values[1] / hidden.values[0] == pytest.approx((102 / 160) / (102 / 810))


def guesses(frame, **asked):
    """The baseline, what it guesses of each target, the scores, and the targets' records."""
    made = prepared(frame, frame, ["age"], "ill", person="id", **asked)
    settings = RunSettings(families=[NaiveBayes(), Boosting(), GroupedFrequencies()])
    baseline = scenario_baseline(made.targets, settings)
    parts = [baseline.predict(fold, rows) for fold, rows in enumerate(made.targets.plan.targets)]
    rows, labels = np.concatenate(made.targets.plan.targets), np.array(made.view.unknown.labels)
    values = labels[np.concatenate([part.values for part in parts])]
    return baseline, values, np.concatenate([part.scores for part in parts]), frame.loc[rows]


def records(people):
    """The records of people, of whom `n` says how many they have."""
    frame = people.loc[people.index.repeat(people["n"])].reset_index(names="id")
    return frame[["id", "age", "ill"]].astype(str)


def test_people_count_alike_however_many_records_they_have():
    ill = np.repeat(["no", "yes"], [550, 450])
    age = np.random.default_rng(0).integers(0, 4, 1000)
    people = pd.DataFrame({"age": age, "ill": ill, "n": np.where(ill == "yes", 10, 1)})
    _, values, scores, targets = guesses(records(people), down_sample=False)
    assert np.mean(values == targets["ill"]) == pytest.approx(0.55, abs=0.03)
    assert scores.mean() == pytest.approx(0.55, abs=0.04)


def test_a_number_of_records_that_is_known_makes_no_value_rarer():
    rng = np.random.default_rng(0)
    old = rng.random(1500) < 0.5
    ill = np.where(rng.random(1500) < np.where(old, 0.7, 0.1), "yes", "no")
    people = pd.DataFrame({"age": np.where(old, 70, 20), "ill": ill, "n": np.where(old, 10, 1)})
    _, values, scores, targets = guesses(records(people), down_sample=False)
    assert np.array_equal(values, np.where(targets["age"] == "70", "yes", "no"))
    assert scores[targets["age"] == "70"].mean() == pytest.approx(0.7, abs=0.04)


def test_people_are_thinned_out_and_not_their_records():
    ill = np.repeat(["no", "yes", "other"], [700, 200, 100])
    people = pd.DataFrame({"age": 20, "ill": ill, "n": np.where(ill == "yes", 10, 1)})
    baseline, _, scores, targets = guesses(records(people))
    assert targets["ill"].value_counts().to_dict() == {"no": 300, "yes": 200, "other": 100}
    assert baseline.weights.people == pytest.approx([7 / 3, 1, 1])
    assert baseline.weights.values == pytest.approx([3 / 7, 1, 1])
    assert scores.mean() == pytest.approx(0.5, abs=0.03)


def test_a_value_that_only_other_records_of_people_have_stays_possible():
    """Which record of a person is drawn tells nothing of what others may have."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "id": np.repeat(np.arange(300), 8),
            "age": rng.integers(0, 4, 2400),
            "ill": rng.permutation(np.arange(2400) % 400),
        }
    ).astype(str)
    made = prepared(frame, frame, ["age"], "ill", person="id")
    drawn = np.unique(made.targets.unknown[np.concatenate(made.targets.plan.targets)])
    weights = scenario_baseline(made.targets, RunSettings()).weights
    assert len(drawn) < 400
    assert (weights.values[:400] > 0).all()


@pytest.mark.parametrize(
    ("known", "counts"), [(["age", "ill"], True), (["age", "ill >= 2"], True), (["age"], False)]
)
def test_a_selection_is_known_by_its_columns_or_by_its_own_name(known, counts):
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({c: rng.integers(0, 5, 400) for c in ("age", "ill", "job")})
    targets = alc.Targets(where={"ill >= 2": ("yes",)})
    made = prepared(frame, frame, known, "job", targets=targets, kinds={"ill": "continuous"})
    assert made.targets.selection_known is counts
