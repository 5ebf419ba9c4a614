"""What the check finds in the rows of linked tables: order, numbers and texts of visits."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from tests.toys.notes import notes

N = 300


def visits(seed):
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(N), rng.integers(1, 4, N))
    return pd.DataFrame({
        "visit": rng.permutation(len(owner)) + 40_000,
        "id": owner,
        "ward": rng.choice(list("abcdef"), len(owner)),
        "disease": rng.choice([f"D{n}" for n in range(9)], len(owner)),
    })  # fmt: skip


PEOPLE = pd.DataFrame({"id": np.arange(N), "age": np.random.default_rng(1).integers(20, 80, N)})
VISITS = visits(2)
NEW = np.random.default_rng(3).permutation(2 * len(VISITS)) + 90_000  # A pseudonym a visit
WITH_NOTES = VISITS.assign(notes=notes(len(VISITS), 4))


def codes(released, original=VISITS):
    """Return the codes found that stop a release of this table of visits alone."""
    reviewed = alc.link_tables(
        {"people": PEOPLE, "visits": original},
        {"v1": {"visits": released.assign(pid=NEW[: len(released)])}},
        keys=["visits.pid=visits.pid"],
    )
    found = [
        each.code
        for release in reviewed.releases.values()
        for each in release.checker(reviewed.original).findings()
    ]
    return {*found} & {"row-order", "row-number", "pseudonym", "replayed-texts"}


def mixed(table):
    return table.sample(frac=1, random_state=1)


def numbered(table):
    return table.assign(row=np.arange(len(table)))


@pytest.mark.parametrize(
    ("released", "expected"),
    [
        (VISITS.drop(columns=["id", "visit"]), {"row-order"}),
        (mixed(numbered(VISITS)).drop(columns=["id", "visit"]), {"row-number", "pseudonym"}),
        (mixed(VISITS).drop(columns="id"), {"pseudonym"}),
        (mixed(VISITS).drop(columns=["id", "visit"]), set()),
        (visits(5).drop(columns=["id", "visit"]), set()),  # other people's
    ],
)
def test_rows_that_can_be_traced_are_found_without_a_key_to_the_person(released, expected):
    assert codes(released) == expected


@pytest.mark.parametrize("seed", [4, 6])
def test_texts_of_rows_are_checked_by_person(seed):
    told = visits(5).drop(columns=["id", "visit"])
    told = told.assign(notes=np.resize(mixed(pd.Series(notes(len(VISITS), seed))), len(told)))
    assert codes(told, WITH_NOTES) == ({"replayed-texts"} if seed == 4 else set())


def test_texts_are_neither_known_nor_attacked():
    reviewed = alc.link_tables({"people": PEOPLE, "visits": WITH_NOTES}, {})
    assert reviewed.original.kind("all notes of visits") == "text"
    first = WITH_NOTES.loc[WITH_NOTES["id"] == 0, "notes"]
    assert reviewed.original.frame["all notes of visits"].iloc[0] == " | ".join(first)
