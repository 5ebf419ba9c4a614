"""People of whom the release holds an equal row, against the scan of all rows."""

import numpy as np
import pandas as pd
import pytest

from alc_core.attacks import nearest_rows as nearest
from alc_core.attacks.nearest_rows import CELLS, SHIFT, GowerTable, equal_rows
from alc_core.tables.codes.columns import CountedValues
from tests.toys.attacked import prepared

KINDS = {"job": "categorical", "age": "continuous", "height": "continuous", "one": "continuous"}


def people(n, seed, *, missing=0.1):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "job": rng.choice(list("abc"), n),
            "age": rng.integers(18, 40, n).astype(float),
            "height": rng.choice(np.linspace(-1.0, 1.0, 9), n),
            "one": 1.0,
            "health": rng.choice(list("uvw"), n),
        }
    )
    for column in ("job", "age", "height"):
        frame.loc[rng.random(n) < missing, column] = None
    return frame


def scanned(original, releases, known=tuple(KINDS)):
    """The released tables laid out for all people, and how many values are counted."""
    kinds = {column: kind for column, kind in KINDS.items() if column in original}
    made = prepared(original, releases, known, "health", kinds=kinds)
    view = made.view
    counted = CountedValues.of([(t.unknown, t.spread) for t in view.tables], view.unknown.size)
    tables = [
        GowerTable.of(each, made.targets.known, numbers, np.ones(len(numbers)))
        for each, numbers in zip(view.tables, counted.numbers, strict=True)
    ]
    return tables, counted.size


def share_found(original, releases, known=tuple(KINDS)):
    """Compare with the scan; return the share of people who needed none."""
    tables, size = scanned(original, releases, known)
    found = equal_rows(tables, size).found
    matches, expected = nearest.nearest_rows(tables, size), nearest._scanned(tables, size)
    assert np.array_equal(matches.distance, expected.distance)
    assert np.array_equal(matches.counts, expected.counts)
    assert not np.any(found & (expected.distance > 0))
    return found.mean() / np.mean(expected.distance == 0) if found.any() else 0.0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("missing", [0, 0.3])
def test_nobody_with_an_equal_row_needs_a_scan(seed, missing):
    original = people(200, seed, missing=missing)
    assert share_found(original, [people(3000, seed + 10, missing=missing)]) > 0.95


def test_codes_among_numbers_are_compared_as_the_scan_does():
    original, release = people(200, 30), people(3000, 31)
    for frame in (original, release):
        frame["age"] = frame["age"].astype(object).mask(frame.index % 5 == 0, "N")
        frame["age"] = frame["age"].mask(frame.index % 5 == 1, "X")
    assert share_found(original, [release]) > 0.95


def test_rows_of_several_tables_are_counted_together():
    tables = [people(2500, 5), people(900, 6)[["health", "one", "height", "job", "age"]]]
    assert share_found(people(150, 4), tables) > 0.95
    assert share_found(people(150, 4), [*tables, people(500, 7).drop(columns="age")]) > 0.95
    assert share_found(people(150, 4), [people(500, 7).drop(columns="age")]) == 0


def test_numbers_that_differ_by_rounding_are_equal():
    original, release = people(300, 8, missing=0), people(4000, 9, missing=0)
    rng = np.random.default_rng(1)
    # The range of age is 21: up to 1e-9 of it counts as equal.
    release["age"] += rng.choice([0, 1e-9, -1e-9, 1.5e-8, 4e-8, -4e-8], len(release))
    release.loc[:1, "age"] = [18.0, 39.0]
    assert share_found(original, [release]) > 0.5


def test_a_number_at_the_end_of_an_interval_is_left_to_the_scan():
    end = (4000 - SHIFT) / CELLS
    original = pd.DataFrame({"age": np.tile([0.0, 0.5, 1.0, end], 40), "health": "u"})
    released = [0.0, 0.5, end - 5e-10, end, end + 5e-10, 1.0]
    release = pd.DataFrame({"age": np.tile(released, 20), "health": list("uvwuvw") * 20})
    assert share_found(original, [release], ("age",)) == 0.75


def test_few_people_are_scanned():
    assert share_found(people(120, 2), [people(2000, 3)]) == 0
