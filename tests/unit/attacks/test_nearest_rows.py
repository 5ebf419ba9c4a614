"""The released rows that are found, against the distances to all rows."""

import numpy as np
import pandas as pd
import pytest

from alc_core.attacks import nearest_rows as nearest
from alc_core.attacks.nearest_rows import GowerTable, alike_in_order, nearest_rows
from alc_core.attacks.nearest_rows_kernels import TIE
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


def apart(column, released, own):
    """Return the distance of every person to every released row in a column, texts included."""
    rows, targets = (pd.Series(each, dtype=object) for each in (released, own))
    numbers = [pd.to_numeric(each, errors="coerce").to_numpy(float) for each in (rows, targets)]
    texts = [each.fillna("").astype(str).to_numpy() for each in (rows, targets)]
    other = (texts[0][None, :] != texts[1][:, None]).astype(float)
    if KINDS[column] == "categorical":
        return other
    both = np.concatenate(numbers)
    width = np.nanmax(both) - np.nanmin(both)
    gaps = np.abs(numbers[0][None, :] - numbers[1][:, None])
    gaps = gaps / width if width else gaps
    return np.where(np.isnan(gaps), other, gaps)


def check(original, releases, known=tuple(KINDS)):
    """Compare with brute force; return the distances."""
    kinds = {column: kind for column, kind in KINDS.items() if column in original}
    made = prepared(original, releases, known, "health", kinds=kinds)
    parts = [each.take(alike_in_order(each.known)) for each in made.view.tables]
    counted = CountedValues.of([(t.unknown, t.spread) for t in parts], made.view.unknown.size)
    tables = [
        GowerTable.of(each, made.targets.known, numbers, np.ones(len(numbers)))
        for each, numbers in zip(parts, counted.numbers, strict=True)
    ]
    distance, counts = nearest_rows(tables, counted.size)
    every = np.concatenate(
        [
            sum(apart(c, each[c], original[c]) if c in each else np.ones(len(each)) for c in known)
            + np.zeros((len(original), len(each)))
            for each in releases
        ],
        axis=1,
    )
    health = pd.concat(releases)["health"].to_numpy()
    assert distance == pytest.approx(every.min(axis=1), abs=1e-12)
    near = every <= every.min(axis=1)[:, None] + TIE
    expected = np.column_stack([near[:, health == value].sum(axis=1) for value in "uvw"])
    assert np.array_equal(counts[:, :3], expected)
    return distance


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("missing", [0, 0.3])
def test_they_are_those_of_all_rows(seed, missing, monkeypatch):
    monkeypatch.setattr(nearest, "_CHUNK", 512)
    original = people(200, seed, missing=missing)
    distance = check(original, [people(800, seed + 10, missing=missing)])
    assert (distance == 0).any()
    assert (distance > 0).any()


def test_codes_among_numbers_are_values_of_their_own():
    original, release = people(200, 30), people(3000, 31)
    for frame in (original, release):
        frame["age"] = frame["age"].astype(object).mask(frame.index % 5 == 0, "N")
        frame["age"] = frame["age"].mask(frame.index % 5 == 1, "X")
    check(original, [release])


def test_rows_of_several_tables_are_counted_together():
    tables = [people(2500, 5), people(900, 6)[["health", "one", "height", "job", "age"]]]
    check(people(150, 4), tables)
    check(people(150, 4), [*tables, people(500, 7).drop(columns="age")])


def test_numbers_that_differ_by_rounding_are_equal():
    original, release = people(300, 8, missing=0), people(4000, 9, missing=0)
    rng = np.random.default_rng(1)
    # The range of age is 21: up to 1e-9 of it counts as equal.
    release["age"] += rng.choice([0, 1e-9, -1e-9, 1.5e-8, 4e-8, -4e-8], len(release))
    release.loc[:1, "age"] = [18.0, 39.0]
    check(original, [release])


def test_blocks_that_lie_farther_off_are_not_scanned(monkeypatch):
    scanned = []
    scan = nearest.scan_blocks

    def counted(*arguments):
        before = arguments[9].copy()
        scan(*arguments)
        scanned.append((arguments[9] != before).mean())

    monkeypatch.setattr(nearest, "scan_blocks", counted)
    check(people(100, 2, missing=0), [people(20_000, 3, missing=0)])
    assert sum(scanned) < 0.2


def test_rows_without_any_value_have_an_order_too():
    frame = people(50, 1)
    frame[["age", "height"]] = np.nan
    original = people(60, 2)
    check(original, [frame])
