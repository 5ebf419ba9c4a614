"""Which files are recognised as groups or counts."""

import numpy as np
import pytest

import alc_core as alc
from alc_core.releases.registry import read_release, recognise

N = 120


@pytest.fixture
def frame(people):
    return people(N)


@pytest.fixture
def original(frame):
    return alc.table_from_frame(frame, name="people")


def table(frame, name):
    return alc.table_from_frame(frame, name=name)


def anatomy(frame, size, name):
    group = np.arange(N) // size
    return (
        table(frame[["age", "city"]].assign(group_id=group), f"{name}-qi"),
        table(frame[["job"]].assign(group_id=group).sort_values(["group_id", "job"]), f"{name}-s"),
    )


def counts(frame, columns, name):
    return table(frame.value_counts(columns).rename("count").reset_index(), name)


def found(original, *tables):
    return [(each.kind, each.tables) for each in recognise(original, tables)]


def test_rows_are_not_recognised_as_anything_else(original, frame):
    assert found(original, table(frame, "a"), table(frame[["age", "job"]], "b")) == []


def test_pairs_and_counts_are_told_from_rows(original, frame):
    tables = (counts(frame, ["city", "job"], "counts"), *anatomy(frame, 4, "four"),
              table(frame, "rows"))  # fmt: skip
    assert found(original, *tables) == [("groups", (1, 2)), ("counts", (0,))]
    pair, cells = recognise(original, tables)
    assert pair.reason.startswith("'four-qi' and 'four-s' look like two parts of one Anatomy")
    assert cells.reason == "'counts' looks like a table of counts, not of people."


def test_parts_of_two_releases_are_paired_by_the_sizes_of_their_groups(original, frame):
    four, six = anatomy(frame, 4, "four"), anatomy(frame, 6, "six")
    tables = (four[0], six[0], six[1], four[1])
    assert found(original, *tables) == [("groups", (0, 3)), ("groups", (1, 2))]


@pytest.mark.parametrize("noise", [0, -0.25, -8])
def test_noisy_counts_are_recognised(original, frame, noise):
    noisy = counts(frame, ["city", "job"], "noisy").frame.astype({"count": float})
    noisy.loc[::3, "count"] += noise
    assert found(original, table(noisy, "noisy")) == [("counts", (0,))]
    crossed = noisy.pivot_table(index="city", columns="job", values="count").reset_index()
    assert found(original, table(crossed, "crossed")) == [("counts", (0,))]


def test_descriptions_say_what_is_there(original, frame):
    release = read_release(anatomy(frame, 4, "four"), name="r", original=original, kind="groups")
    assert release.described() == (
        "120 people in 30 groups of 4, numbered by 'group_id'. Known only by group: 'job'.",
    )
    assert read_release([table(frame, "rows")], name="r", original=original).described() == ()


def test_counts_are_described_and_shown(original, frame):
    cells = counts(frame, ["city", "job"], "cells.csv")
    release = read_release([cells], name="r", original=original, kind="counts")
    sentence, shown = release.described()
    assert sentence == f"'cells.csv' counts 120 people by city and job: {len(cells)} cells."
    assert list(shown.columns) == ["city", "job", "people"]
    assert len(shown) == 5
