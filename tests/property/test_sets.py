"""Random tables and hierarchies: what labels cover holds what the original has."""

import itertools

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData
from alc_core.attacks.nearest_rows import GowerTable, nearest_rows
from alc_core.releases.registry import as_release
from alc_core.scenario.scenario import Scenario
from alc_core.tables.codes.encode import encode
from alc_core.tables.value_sets import AnyValue, Interval

TOWNS = tuple(f"town {letter}" for letter in "abcdefghij")
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=25, deadline=None)


def people(rng, n):
    return pd.DataFrame(
        {
            "age": rng.integers(0, 90, n),
            "town": rng.choice(TOWNS, n),
            "pay": rng.integers(10, 99, n) * 100,
            "job": rng.choice(["nurse", "smith", "clerk"], n),
        }
    )


def hierarchy(rng):
    """Cuts of ages and groups of towns."""
    inner = np.sort(rng.choice(np.arange(1, 90), rng.integers(1, 6), replace=False))
    groups = dict(zip(TOWNS, rng.integers(0, 4, len(TOWNS)), strict=True))
    return np.concatenate([[0], inner, [90]]), groups


def generalized(frame, rng):
    """Ages as intervals, towns as groups of names, some cells and rows suppressed."""
    cuts, groups = hierarchy(rng)
    place = np.searchsorted(cuts, frame["age"], side="right") - 1
    style = rng.integers(3)
    texts = {
        0: [f"{low}-{high - 1}" for low, high in itertools.pairwise(cuts)],
        1: [f"[{low}, {high}[" for low, high in itertools.pairwise(cuts)],
        2: [f"({low - 1},{high - 1}]" for low, high in itertools.pairwise(cuts)],
    }[int(style)]
    texts = [
        text if low < high - 1 else str(low)
        for text, low, high in zip(texts, cuts, cuts[1:], strict=False)
    ]
    members = {g: sorted(t for t in TOWNS if groups[t] == g) for g in set(groups.values())}
    named = {
        town: "{" + ", ".join(members[g]) + "}" if len(members[g]) > 1 else town
        for town, g in groups.items()
    }
    released = frame.assign(age=[texts[p] for p in place], town=frame["town"].map(named))
    for column in ("age", "town"):
        released[column] = released[column].mask(rng.random(len(frame)) < 0.1, "*")
    return released


def covers(value, label, sets, numeric):
    covered = sets.get(label)
    if covered is None:
        return str(value) == label
    if isinstance(covered, AnyValue):
        return True
    return (value in covered) if numeric == isinstance(covered, Interval) else False


@given(seed=seeds, shuffle=st.booleans())
@few
def test_what_labels_cover_contains_the_true_value(seed, shuffle):
    rng = np.random.default_rng(seed)
    frame = people(rng, 200)
    released = generalized(frame, rng)
    order = rng.permutation(200) if shuffle else np.arange(200)
    original = alc.table_from_frame(frame, name="people").with_kinds({"age": "continuous"})
    release = alc.table_from_frame(released.iloc[order].reset_index(drop=True), name="release")
    found = alc.column_sets(original, release, ["age", "town"])
    for column, numeric in (("age", True), ("town", False)):
        sets = found[column].sets if column in found else {}
        assert all(
            covers(value, str(label), sets, numeric)
            for value, label in zip(frame[column], released[column], strict=True)
        )


@given(seed=seeds)
@few
def test_the_row_of_a_person_is_among_the_nearest(seed):
    rng = np.random.default_rng(seed)
    frame = people(rng, 150)
    released = generalized(frame, rng)
    released.loc[:19, ["age", "town"]] = "*"
    original = alc.table_from_frame(frame, name="people").with_kinds({"age": "continuous"})
    release = as_release(alc.table_from_frame(released, name="release"))
    scenario = Scenario(["age", "town"], "job")
    data = ScenarioData.of(original, release, scenario).encoded
    view = data.view(scenario)
    known = alc.KnownValues.of(data.data.original, data.data.specs, scenario.known)
    rows = np.arange(len(view.tables[0]), dtype=np.int32)
    table = GowerTable.of(view.tables[0], known, rows, np.ones(len(rows)))
    distance, counts = nearest_rows([table], len(view.tables[0]))
    kept = np.flatnonzero(~((released["age"] == "*") & (released["town"] == "*")))
    assert len(view.tables[0]) == len(kept)
    assert (distance[kept] == 0).all()
    assert (counts[kept, rows] == 1).all()


@given(seed=seeds, missing=st.floats(0, 0.3))
@few
def test_a_release_without_sets_is_encoded_as_it_is_written(seed, missing):
    rng = np.random.default_rng(seed)
    frames = []
    for n in (200, 150):
        frame = people(rng, n)
        frame["pay"] = frame["pay"].mask(rng.random(n) < missing)
        frame["town"] = frame["town"].mask(rng.random(n) < missing)
        frames.append(frame)
    frames[0].loc[0, ["pay", "town"]] = None
    original, release = (
        alc.table_from_frame(frame, name=name)
        for frame, name in zip(frames, ("people", "release"), strict=True)
    )
    if alc.column_sets(original, release):
        return
    plain, read = (encode(original, [release], as_written=flag) for flag in (True, False))
    assert plain.specs == read.specs
    for before, after in zip(
        (plain.original, *plain.released), (read.original, *read.released), strict=True
    ):
        assert not after.set_columns
        assert list(before.columns) == list(after.columns)
        for column, values in before.columns.items():
            assert np.array_equal(values, after.columns[column], equal_nan=values.dtype.kind == "f")
