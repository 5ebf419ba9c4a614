"""Mondrian's releases: groups, labels, and that these are read back as what they stand for."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import InputError, ParameterError
from alc_core.releases.samples.groups import mondrian, mondrian_groups
from alc_core.tables.codes.encode import encode
from alc_core.tables.codes.sets import IntervalSets

KNOWN = ["town", "age", "born", "pay"]


def people(n=300, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "town": rng.choice(["Bonn", "Jena, upper", "Kiel", "Ulm", None], n),
            "age": rng.integers(18, 80, n),
            "born": pd.Timestamp("1950-01-01") + pd.to_timedelta(rng.integers(0, 15000, n), "D"),
            "pay": np.where(rng.random(n) < 0.1, np.nan, rng.normal(0, 1e4, n).round(2)),
            "other": rng.random(n),
            "job": rng.choice(["clerk", "nurse", "smith"], n),
        }
    )


def released(frame, **options):
    original = alc.table_from_frame(frame, name="people")
    return original, mondrian(original, unknown="job", known=KNOWN, **options)


def test_groups_look_the_same_and_other_columns_are_left_out():
    _, release = released(people(), k=7, level=2)
    frame = release.tables[0].frame
    assert list(frame.columns) == [*KNOWN, "job"]
    groups = frame.groupby(KNOWN, dropna=False)["job"]
    assert groups.size().min() >= 7
    assert (groups.agg(lambda jobs: jobs.value_counts(normalize=True).max()) <= 0.5).all()
    assert frame["job"].value_counts().equals(people()["job"].value_counts())
    assert release.name == "people 7-anonymous 2-diverse"


def test_every_person_is_covered_by_the_labels_of_some_group():
    frame = people()
    original, release = released(frame, k=5)
    data = encode(original, release.tables, columns=KNOWN)
    near = np.zeros((len(frame), len(release.tables[0])))
    for column in KNOWN:
        table, values = data.released[0], data.original.columns[column]
        sets = table.set_columns[column]
        found = sets.corrections(values)[:, sets.codes]
        single = np.asarray(sets.single)
        equal = values[:, None] == single
        if isinstance(sets.sets, IntervalSets):
            equal |= np.isnan(values)[:, None] & np.isnan(single)
        near += found + (~equal if sets.has_single else 0.0)
    # A row that covers a person in all columns is within the weight of its labels' width.
    assert (near.min(axis=1) <= 0.01 * len(KNOWN) + 1e-9).all()


def test_labels_are_read_back():
    original, release = released(people(), k=20)
    data = encode(original, release.tables, columns=KNOWN)
    assert set(data.released[0].set_columns) == set(KNOWN)
    assert release.tables[0].frame["age"].str.fullmatch(r"\[\d+, \d+\]|\d+|\*").all()
    assert release.tables[0].frame["born"].str.startswith("[19").all()


def test_labels_that_would_not_be_read_back_are_suppressed():
    frame = people().assign(town=np.resize(["a; b", "c", "d; e", "f"], 300))
    _, release = released(frame, k=100)
    towns = set(release.tables[0].frame["town"])
    assert towns <= {"a; b", "c", "d; e", "f", "*", "{c; f}"}
    assert "*" in towns


def test_order_comes_from_the_seed():
    frames = [released(people(), k=5, seed=seed)[1].tables[0].frame for seed in (1, 1, 2)]
    assert frames[0].equals(frames[1])
    assert not frames[0].equals(frames[2])


def test_cuts_where_the_rows_are_widest():
    positions = np.array([[0.0, 0.1], [0.1, 0.2], [0.9, 0.1], [1.0, 0.2]])
    groups = mondrian_groups(positions, np.array([0, 1, 0, 1]), k=2, level=1)
    assert groups[0] == groups[1] != groups[2] == groups[3]
    # By the first column both parts would have one value.
    groups = mondrian_groups(positions, np.array([0, 0, 1, 1]), k=2, level=2)
    assert groups[0] == groups[2] != groups[1] == groups[3]


def test_what_cannot_be_done_is_said():
    with pytest.raises(ParameterError, match="k must be a whole number of at least 2, not 1"):
        released(people(), k=1)
    with pytest.raises(ParameterError, match="level must be a whole number of at least 1, not 0"):
        released(people(), k=2, level=0)
    with pytest.raises(InputError, match="300 rows are fewer than k = 301"):
        released(people(), k=301)
    frame = people().assign(job="clerk")
    with pytest.raises(InputError, match="'clerk' of column 'job' has 300 of 300 rows: groups"):
        released(frame, k=5, level=2)
