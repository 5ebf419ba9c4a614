from __future__ import annotations

import pytest

from alc_core.dashboard.state.releases import ReleasesInForce, assumed_mode
from alc_core.tables.read import table_from_frame


def made(tables, mode, original=None, kinds=None):
    found = ReleasesInForce()
    found.make(original, tables, mode, kinds or {})
    return found.releases


@pytest.fixture
def tables(people):
    frame = people(60)
    return (
        table_from_frame(frame, name="a"),
        table_from_frame(frame, name="b"),
        table_from_frame(frame[["age", "job"]], name="c"),
    )


def test_alike_columns_make_several_releases(tables):
    assert assumed_mode(tables) == ("several", "'a' and 'b' have about the same columns.")


def test_different_columns_make_one_release(tables):
    assert assumed_mode(tables[1:]) == ("one", "The files have different columns.")


@pytest.mark.parametrize("number", [0, 1])
def test_nothing_to_choose(tables, number):
    assert assumed_mode(tables[:number]) == ("one", "")


def test_releases_by_name(tables):
    several = made(tables, "several")
    assert {name: len(release.tables) for name, release in several.items()} == dict.fromkeys(
        "abc", 1
    )
    ((name, release),) = made(tables, "one").items()
    assert name == release.name == "a + b + c"
    assert release.tables == tables
    assert made((), "one") == {}
