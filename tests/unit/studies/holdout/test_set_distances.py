"""The distances that are added up here are those of the scan."""

import numpy as np
import pandas as pd
import pytest

from alc_core.attacks.gower.layout import GowerTable
from alc_core.attacks.gower.nearest import nearest_rows
from alc_core.releases.microdata import ReleasedRows
from alc_core.releases.registry import as_table
from alc_core.scenario.known_values import KnownValues
from alc_core.studies.holdout.closest import _nearest, gower_distances, nearest_to_sets
from alc_core.studies.holdout.measuring import measure_holdout
from alc_core.tables.codes.encode import encode

COLUMNS = ("age", "city", "hours")


@pytest.fixture(scope="module")
def coded(people):
    frame, other = people(300, 1), people(200, 2)
    other = other.astype({"age": object, "city": object})
    rng = np.random.default_rng(0)
    other.loc[rng.random(200) < 0.5, "age"] = "20-39"
    other.loc[rng.random(200) < 0.1, "age"] = np.nan
    other["city"] = np.where(rng.random(200) < 0.5, "{Ulm, Bonn}", other["city"])
    frame.loc[:20, "hours"] = np.nan
    data = encode(as_table(frame, name="original"), [as_table(other, name="release")])
    assert set(data.released[0].set_columns) == {"age", "city"}
    return [KnownValues.of(t, data.specs, COLUMNS) for t in (data.original, data.released[0])]


def test_they_are_the_distances_of_the_scan(coded):
    people, rows = coded
    matrix = gower_distances(rows, people)
    table = ReleasedRows(name="release", known=rows, unknown=np.arange(200, dtype=np.int32))
    found = nearest_rows([GowerTable.of(table, people, table.unknown, np.ones(200))], 200)
    assert matrix.min(axis=0) == pytest.approx(found.distance)
    near = matrix <= matrix.min(axis=0) + 1e-9
    assert ((found.counts > 0) == near.T).all()


def test_of_each_row_it_finds_whose_it_is(coded, monkeypatch):
    people, rows = coded
    matrix = gower_distances(rows, people)
    monkeypatch.setattr("alc_core.studies.holdout.closest._CELLS", 300 * 7)  # several portions
    first, nearer = nearest_to_sets(rows, people, 150)
    member, other = matrix[:, :150].min(axis=1), matrix[:, 150:].min(axis=1)
    expected = np.where(np.abs(member - other) < 1e-9, 0.5, (member < other) * 1.0)
    assert (nearer == expected).all()
    assert matrix[np.arange(200), first] == pytest.approx(matrix.min(axis=1))


def test_a_scan_without_labels_finds_the_same(people):
    frame, other = people(400, 1), people(250, 2)
    data = encode(as_table(frame, name="original"), [as_table(other, name="release")])
    inside, rows = [
        KnownValues.of(t, data.specs, COLUMNS) for t in (data.original, data.released[0])
    ]
    assert not rows.set_columns
    by_scan, added = _nearest(rows, inside, 200), nearest_to_sets(rows, inside, 200)
    assert (by_scan[1] == added[1]).all()
    matrix = gower_distances(rows, inside)
    assert matrix[np.arange(250), by_scan[0]] == pytest.approx(matrix.min(axis=1))


def test_one_release_of_one_city_is_compared(people):
    frame = people(200, 1)
    release = pd.DataFrame({"city": ["Ulm"] * 5})
    found = measure_holdout(frame, release, people(200, 2))
    assert found.closest.columns == ("city",)
    assert found.closest.share.value == 0.5  # many of both are as near
