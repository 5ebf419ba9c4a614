"""Codes that a release cut to how they begin."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.tables.values.texts import canonical_labels

N = 2000
RNG = np.random.default_rng(5)
ICD = RNG.choice([f"{a}{n}.{d}" for a in "CEFIJ" for n in (10, 11, 32, 34) for d in "01489"], N)
NUTS = RNG.choice([f"DE{a}{b}{c}" for a in "1247" for b in "123" for c in "1234"], N)
ISCO = RNG.choice([f"{a}{b}{c}{d}" for a in "12359" for b in "12" for c in "123" for d in "124"], N)
PLZ = RNG.choice([f"{n:05d}" for n in RNG.integers(1000, 99_999, 120)], N)
NACE = RNG.choice([f"{n:02d}.{b}{c}" for n in (1, 10, 47, 62) for b in "123" for c in "0129"], N)
FIPS = RNG.choice([f"{n:02d}{c:03d}" for n in (1, 6, 12, 36, 48) for c in (1, 3, 5, 37, 59)], N)
SPOUSE = RNG.choice(["Married-civ-spouse", "Married-AF-spouse", "Never-married", "Widowed"], N)
DAY = RNG.choice(["Monday", "Tuesday", "Friday"], N)
SEX = RNG.choice(["male", "female"], N)


def each(function, values):
    return np.array([function(value) for value in values])


def first(number, tail=""):
    return lambda code: code[:number] + tail


def found(before, after, name="code"):
    """What the labels of a cut column cover, its rows in another order, and what is asked."""
    mixed = np.random.default_rng(1).permutation(N)[: N * 4 // 5]
    original = alc.table_from_frame(pd.DataFrame({name: before}), name="people")
    release = alc.table_from_frame(pd.DataFrame({name: after[mixed]}), name="release")
    sets = alc.column_sets(original, release).get(name)
    asked = [each.code for each in alc.check_tables(original, [release]) if each.blocking]
    return sets.sets if sets else {}, asked


@pytest.mark.parametrize(
    ("before", "cut"),
    [
        *((ICD, first(3, tail)) for tail in ("", ".-", ".x", "*", ".*", "-", "x", "X", ".", "_")),
        (ICD, first(1)),
        (ICD, first(2)),
        (ICD, lambda code: code[:3].lower()),
        (each(lambda code: code.replace(".", ""), ICD), first(3)),
        (each(lambda code: code.replace(".", ""), ICD), first(3, "0")),
        *((NUTS, first(3, tail)) for tail in ("", "00", "xx", "XX", "__", "..", "##")),
        (NUTS, first(4)),
        *((ISCO, first(2, tail)) for tail in ("", "00", "xx", "??", "..")),
        (ISCO, first(3)),
        (ISCO, first(1, "000")),
        (each(int, ISCO), lambda code: code // 100 * 100),
        (each(int, ISCO), lambda code: code // 100),
        *((PLZ, first(2, tail)) for tail in ("", "000", "xxx", "...", "___", "***")),
        (PLZ, lambda code: int(code[:2])),
        (each(int, PLZ), lambda code: code // 10),
        (each(int, PLZ), lambda code: code // 1000 * 1000),
        (each(int, PLZ), lambda code: f"{code:05d}"[:3] + "xx"),
        (NACE, first(2)),
        (NACE, first(2, ".xx")),
        (NACE, first(4)),
        (FIPS, first(2)),
        (FIPS, lambda code: int(code[:2])),
        (each(int, FIPS), lambda code: code // 1000),
        (DAY, first(3)),
        (SEX, first(1)),
        (SEX, lambda word: word[0].upper()),
    ],
)
def test_a_label_that_begins_others_covers_exactly_these(before, cut):
    after = each(cut, before)
    expected = {}
    for label, value in zip(map(str, after), canonical_labels(pd.Series(before)), strict=True):
        expected.setdefault(label, set()).add(value)
    assert found(before, after) == (expected, [])


def test_words_cut_to_the_first():
    sets, asked = found(SPOUSE, each(lambda word: word.split("-")[0], SPOUSE))
    assert sets["Married"] == {"Married-civ-spouse", "Married-AF-spouse"}
    assert not asked


def test_a_code_that_the_original_has_covers_itself_and_what_it_begins():
    mixed = np.where(RNG.random(N) < 0.2, each(first(3), ICD), ICD)
    sets, asked = found(mixed, each(first(3), mixed))
    assert sets["C32"] == {"C32", *(code for code in set(ICD) if code.startswith("C32"))}
    assert not asked
    assert found(mixed, mixed) == ({}, [])


YEARS = RNG.integers(1960, 1978, N)
HOURS = RNG.choice([20, 24, 25, 28, 30, 32, 35, 38, 39, 40, 42, 45, 48], N)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (HOURS, (np.round(HOURS / 10) * 10).astype(int)),
        (HOURS, (np.round(HOURS / 5) * 5).astype(int)),
        (HOURS, np.where(np.isin(HOURS, [24, 28]), 20, HOURS)),
        (RNG.integers(0, 13, N), np.minimum(RNG.integers(0, 13, N), 5)),
        (YEARS, RNG.permutation(np.round(YEARS / 10) * 10).astype(int)),
        (RNG.integers(18, 38, N), RNG.integers(1, 4, N)),
        (each("Q{}".format, RNG.integers(1, 13, N)), each("Q{}".format, RNG.integers(1, 10, N))),
        (RNG.choice(["no", "not yet", "yes"], N), RNG.choice(["n", "y"], N)),
        (RNG.choice(["1", "2", "10", "11", "A"], N), RNG.choice(["1", "2", "A"], N)),
        (RNG.choice(["A+", "A-", "B+", "B-"], N), RNG.choice(["A+", "B+"], N)),
    ],
)
def test_what_is_no_prefix_is_not_read_as_one(before, after):
    assert "cut code" not in {
        label.found
        for sets in alc.column_sets(
            alc.table_from_frame(pd.DataFrame({"x": before}), name="people").with_kinds(
                {"x": "categorical"}
            ),
            alc.table_from_frame(pd.DataFrame({"x": after}), name="release"),
        ).values()
        for label in sets.labels
    }


def test_a_letter_that_labels_have_is_no_mask():
    codes = RNG.choice(["H2X 1Y4", "H2Y 1A1", "H2Z 2B2", "K1A 0B1"], N)
    sets, asked = found(codes, each(first(3), codes))
    assert sets["H2X"] == {"H2X 1Y4"}
    assert not asked
