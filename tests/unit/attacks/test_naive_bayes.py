"""The naive attack on rows, groups and counts: what it learns, and what says nothing."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.naive_bayes import NaiveBayesModel
from alc_core.errors import ParameterError
from alc_core.releases.cells import contingency
from alc_core.releases.samples.groups import anatomize
from alc_core.releases.samples.perturbed import noisy_counts
from tests.toys.attacked import predicted, prepared

KNOWN = ("town", "sex")
JOBS = ["clerk", "nurse", "smith"]


def people(n=600, seed=0):
    rng = np.random.default_rng(seed)
    town = rng.integers(0, 4, n)
    job = np.where(rng.random(n) < 0.3, rng.integers(0, 3, n), town % 3)
    return pd.DataFrame(
        {
            "town": np.array(["Bonn", "Jena", "Kiel", "Ulm"], dtype=object)[town],
            "sex": rng.choice(["f", "m"], n),
            "age": rng.integers(18, 80, n).astype(float),
            "job": np.array(JOBS, dtype=object)[job],
        }
    )


def attacked(original, release, *, known=KNOWN, attack="naive bayes"):
    made = prepared(original, release, known)
    return predicted(made, attack), made


def rows(frame, name="released"):
    return [alc.table_from_frame(frame, name=name)]


def codes_of(series, labels):
    return np.asarray(pd.Categorical(series, labels).codes, np.int32)


def posterior(frame, columns, targets):
    """What the classifier gives the three jobs, counted by hand."""
    labels = {name: sorted(frame[name].unique()) for name in columns}
    coded = [codes_of(frame[name], labels[name]) for name in columns]
    sizes = [len(each) for each in labels.values()]
    counts = contingency(coded, codes_of(frame["job"], JOBS), sizes, 3)
    codes = [codes_of(targets[name], labels[name]) for name in columns]
    return NaiveBayesModel.of_counts(counts).posterior(codes)


def test_rows_give_the_classifier_of_their_counts():
    original, released = people(), people(seed=1)
    found, _ = attacked(original, rows(released))
    expected = posterior(released, KNOWN, original)
    assert np.allclose(found.probabilities[:, :3], expected)
    assert np.allclose(found.scores, expected.max(axis=1))
    assert (found.probabilities[:, 3] == 0).all()  # nobody has no job


def test_exact_counts_give_what_the_rows_give():
    original = people()
    by_rows, _ = attacked(original, rows(original))
    counts = lambda table: noisy_counts(table, unknown="job", known=KNOWN, epsilon=1e6)  # noqa: E731
    by_counts, _ = attacked(original, counts)
    assert np.allclose(by_rows.probabilities, by_counts.probabilities)


def test_rows_of_groups_count_as_a_part_of_each_value():
    original = people()
    release = lambda table: anatomize(table, unknown="job", known=KNOWN, level=2)  # noqa: E731
    found, made = attacked(original, release)
    shares = made.view.groups.shares(made.view.unknown.size)[made.view.groups.group]
    town = made.view.tables[0].known.columns["town"]
    sex = made.view.tables[0].known.columns["sex"]
    counts = [
        np.stack([shares[codes == code].sum(axis=0)[:3] for code in np.unique(codes)])
        for codes in (town, sex)
    ]
    known = made.targets.known.columns
    expected = NaiveBayesModel.of_counts(counts).posterior([known["town"], known["sex"]])
    assert np.allclose(found.probabilities[:, :3], expected)


def test_values_that_the_release_lacks_are_not_predicted_and_say_nothing():
    original, released = people(), people(seed=1)
    released = released[(released["job"] != "smith") & (released["town"] != "Ulm")]
    found, made = attacked(original, rows(released))
    assert set(found.values.tolist()) <= {0, 1}
    from_ulm = made.targets.known.columns["town"] == 3
    coded = [codes_of(released[c], sorted(released[c].unique())) for c in KNOWN]
    counts = contingency(coded, codes_of(released["job"], JOBS[:2]), [3, 2], 2)
    model = NaiveBayesModel.of_counts(counts)
    by_sex = [model.posterior([np.array([-1]), np.array([sex])])[0] for sex in (0, 1)]
    sex = made.targets.known.columns["sex"][from_ulm]
    assert np.allclose(found.probabilities[from_ulm][:, :2], np.array(by_sex)[sex])


def test_suppressed_cells_say_nothing():
    original = people()
    hidden = people()
    hidden.loc[np.arange(0, 600, 3), "town"] = "*"
    found, made = attacked(original, rows(hidden))
    known = made.targets.known.columns
    told = hidden["town"].where(hidden["town"] != "*")
    towns = codes_of(told, sorted(original["town"].unique()))
    counts = contingency([towns, known["sex"]], codes_of(hidden["job"], JOBS), [4, 2], 3)
    expected = NaiveBayesModel.of_counts(counts).posterior([known["town"], known["sex"]])
    assert np.allclose(found.probabilities[:, :3], expected)


def test_suppressed_numbers_say_nothing_but_missing_ones_do():
    original = people()
    original.loc[original["job"] == "smith", "age"] = np.nan
    found, _ = attacked(original, rows(original), known=("age",))
    assert (found.values[original["job"] == "smith"] == 2).mean() > 0.95
    hidden = original.assign(age=original["age"].map("{:g}".format))
    hidden.loc[hidden["job"] == "smith", "age"] = "*"
    found, _ = attacked(original, rows(hidden), known=("age",))
    assert (found.values[original["job"] == "smith"] == 2).mean() < 0.5


def test_continuous_columns_are_cut_into_ranges_of_as_many_rows():
    original = people()
    original["job"] = np.array(JOBS, dtype=object)[
        (original["age"] // 21 - 1).astype(int).clip(0, 2)
    ]
    fine, _ = attacked(original, rows(original), known=("age",), attack="naive bayes: ranges=50")
    coarse, _ = attacked(original, rows(original), known=("age",), attack="naive bayes: ranges=2")
    truth = pd.Categorical(original["job"], JOBS).codes
    assert (fine.values == truth).mean() > 0.95
    assert (coarse.values == truth).mean() < 0.8


def test_of_tables_with_other_columns_the_surest_predicts():
    original = people()
    parts = [
        alc.table_from_frame(original[["town", "job"]], name="towns"),
        alc.table_from_frame(original[["sex", "job"]], name="sexes"),
    ]
    found, _ = attacked(original, parts)
    by_town = posterior(original, ["town"], original)
    by_sex = posterior(original, ["sex"], original)
    surer = (by_town.max(axis=1) >= by_sex.max(axis=1))[:, None]
    assert np.allclose(found.probabilities[:, :3], np.where(surer, by_town, by_sex))


def test_ranges_out_of_bounds():
    with pytest.raises(ParameterError, match="ranges must be between 2 and 1000, not 1"):
        alc.make_attack("naive bayes: ranges=1")


def test_many_values_are_predicted_in_portions_without_all_probabilities(monkeypatch):
    from alc_core.attacks import naive_bayes

    original, released = people(), people(seed=1)
    usual, _ = attacked(original, rows(released))
    monkeypatch.setattr(naive_bayes, "MOST_CODES", 3)
    monkeypatch.setattr(naive_bayes, "_CELLS", 700)
    found, _ = attacked(original, rows(released))
    assert found.probabilities is None
    assert np.array_equal(found.values, usual.values)
    assert np.array_equal(found.scores, usual.scores)


def test_released_values_that_may_be_several_count_as_a_part_of_each():
    original, parts = people(), [people(seed=1), people(seed=2)]
    for part in parts:
        part.loc[np.arange(0, 600, 4), "job"] = "{clerk; nurse}"
    found, _ = attacked(original, [*rows(parts[0], "one"), *rows(parts[1], "two")])
    counts = [np.zeros((4, 3)), np.zeros((2, 3))]
    towns, sexes = ["Bonn", "Jena", "Kiel", "Ulm"], ["f", "m"]
    for part in parts:
        single = part["job"].isin(JOBS)
        weight = part.loc[single, "job"].value_counts()[JOBS[:2]]
        either = [*(weight / weight.sum()), 0.0]
        for town, sex, job in part[["town", "sex", "job"]].itertuples(index=False, name=None):
            shares = np.array(either) if job not in JOBS else np.eye(3)[JOBS.index(job)]
            counts[0][towns.index(town)] += shares
            counts[1][sexes.index(sex)] += shares
    codes = [codes_of(original["town"], towns), codes_of(original["sex"], sexes)]
    expected = NaiveBayesModel.of_counts(counts).posterior(codes)
    assert np.allclose(found.probabilities[:, :3], expected)
