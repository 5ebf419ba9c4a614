"""Whose pieces of texts return, against chance."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.tables.replayed_texts import (
    clear_replays,
    find_replays,
    mixed_pairs_tail,
    replayed_pieces,
)
from alc_core.tables.text_pieces import Piece
from tests.toys.notes import notes, replaying, table

SIZE = 1500


def original(seed):
    return table(notes(SIZE, [seed, 0]), seed, "original")


def shares(release, of):
    return {each.kind: each for each in find_replays(of, release)}


def kinds(release, of, **told):
    return {each.kind for each in clear_replays(of, release, **told)}


@pytest.mark.parametrize("seed", range(3))
def test_copied_texts_return_whole(seed):
    of = original(seed)
    order = np.random.default_rng(seed).permutation(SIZE)
    release = table(of.frame["notes"].iloc[order].tolist(), seed + 50)
    found = shares(release, of)
    for kind in (Piece.NUMBER, Piece.RUN, Piece.TOGETHER):
        assert found[kind].share == pytest.approx(1, abs=0.01), kind
        assert found[kind].expected < 0.01
        assert found[kind].is_clear


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("share", [0.1, 0.03])
def test_names_and_numbers_inside_other_sentences_are_found(seed, share):
    of = original(seed)
    release = table(replaying(of.frame["notes"], notes(SIZE, [seed, 1]), share, seed), seed + 50)
    found = shares(release, of)
    assert found[Piece.NUMBER].share == pytest.approx(share, abs=0.01)
    assert {Piece.NUMBER, Piece.TOGETHER} <= kinds(release, of)
    assert not found[Piece.NAME].is_clear, "strangers have the same names"
    assert not found[Piece.RUN].is_clear


@pytest.mark.parametrize("size", [200, SIZE, 4000])
@pytest.mark.parametrize("seed", range(5))
def test_other_peoples_texts_and_texts_without_names_are_harmless(seed, size):
    of = original(seed)
    for names in (True, False):
        release = table(notes(size, [seed, 2], names=names), seed + 50)
        assert not kinds(release, of)
    found = shares(table(notes(SIZE, [seed, 3]), seed + 60), of)
    # Names return by chance: the halves, which are shorter, give nearly as many
    assert 0.15 < found[Piece.NAME].expected < found[Piece.NAME].share < 0.35


def _closed_list(rng, size, *, alike):
    """Return texts that mention doctors of one hospital, some far more often unless all alike."""
    doctors = [f"Dr{chr(97 + n % 26)} Be{chr(97 + n // 26)}er" for n in range(300)]
    weights = np.ones(300) if alike else 1 / np.arange(1, 301)
    seen = rng.choice(doctors, size, p=weights / weights.sum())
    return [f"seen by {doctor}, {text}" for doctor, text in
            zip(seen, notes(size, int(rng.integers(1e9)), names=False), strict=True)]  # fmt: skip


def _template(rng, size):
    jobs, towns = rng.integers(0, 30, size), rng.integers(0, 50, size)
    return [
        f"The client is {age} years old and works as a j{job} in Town{town} for {years} years now"
        for age, job, town, years in zip(
            rng.integers(18, 90, size), jobs, towns, rng.integers(1, 30, size), strict=True
        )
    ]


def _postcodes(rng, size):
    return [f"lives in {code} near the old mill by the river" for code in
            rng.integers(10_000, 40_000, size)]  # fmt: skip


def _pressures(rng, size):
    numbers = rng.normal([130, 85], [20, 12], (size, 2)).astype(int)
    return [f"pressure {high}/{low} today, all fine" for high, low in numbers]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (_template, _template),
        (_postcodes, _postcodes),
        (_pressures, _pressures),
        (lambda *of: _closed_list(*of, alike=False), lambda *of: _closed_list(*of, alike=False)),
        (lambda *of: _closed_list(*of, alike=False), lambda *of: _closed_list(*of, alike=True)),
    ],
    ids=["template", "postcodes", "blood pressure", "doctors", "doctors, equally often"],
)
def test_what_many_people_share_is_harmless(seed, before, after):
    rng = np.random.default_rng(seed)
    of = table(before(rng, SIZE), seed, "original").with_kinds({"notes": "text"})
    for size in (300, SIZE):
        release = table(after(rng, size), seed + 50).with_kinds({"notes": "text"})
        assert not kinds(release, of)


def test_a_person_with_several_texts_is_one_person():
    rng = np.random.default_rng(8)
    people = np.repeat(np.arange(500), 3)
    who = [text.partition(":")[0] for text in notes(500, 9)]
    said = notes(SIZE, 10, names=False)
    texts = [f"{who[p]} {text}" for p, text in zip(people, said, strict=True)]
    of = table(texts, 1, "original", pid=people)
    others = notes(SIZE, 11)
    release = table([texts[n] if n < 150 else others[n] for n in rng.permutation(SIZE)], 2)
    assert {Piece.NUMBER, Piece.RUN} <= kinds(release, of, person="pid")
    (found,) = (r for r in find_replays(of, release, person="pid") if r.kind is Piece.NUMBER)
    assert (found.people, found.of_people) == (50, 500)
    assert Piece.NUMBER not in kinds(release, of), "no number is in one row only"


def test_a_column_of_another_name_is_read_too():
    of = original(3)
    release = table(notes(SIZE, 4), 5, remarks=of.frame["notes"].sample(frac=1, random_state=1))
    assert Piece.RUN in kinds(release, of)
    listed = replayed_pieces(of, release)
    assert {*listed["column"]} == {"remarks"}


def test_the_list_names_rows_and_pieces_that_return():
    of = original(6)
    told = replaying(of.frame["notes"], notes(SIZE, 7), 0.1, 6)
    release = table(told, 8)
    listed = replayed_pieces(of, release)
    assert {*listed["kind"]} == {"number", "name and number"}
    for row, piece in listed[["row", "piece"]].itertuples(index=False):
        assert piece.split()[-1] in told[row - 1]
        assert of.frame["notes"].str.contains(piece.split()[-1], regex=False).sum() == 1
    assert replayed_pieces(of, table(notes(SIZE, 9), 9)).empty


def test_tables_without_texts_have_none():
    plain = alc.table_from_frame(pd.DataFrame({"age": range(60), "sex": ["a", "b"] * 30}), name="a")
    assert find_replays(plain, original(1)) == ()
    assert find_replays(original(1), plain) == ()


@pytest.mark.parametrize("population", [1, 3], ids=["the same", "another"])
def test_the_test_of_mixed_pairs_holds_its_level(population):
    """Where partners are drawn at random, at most 1 % of outcomes are at or below 0.01."""
    rng = np.random.default_rng(population)
    tails = []
    for _ in range(2000):
        first, mixed, second = rng.poisson([12, 2 * np.sqrt(12 * 12 * population), 12 * population])
        tails.append(mixed_pairs_tail(int(first), int(mixed), int(second)))
    assert np.mean(np.array(tails) <= 0.01) <= 0.015
