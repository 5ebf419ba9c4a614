"""Anatomy's groups and the release made of them."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import InputError, ParameterError
from alc_core.releases.samples.groups import anatomize, anatomy_groups, merge_groups


def values(n=101, codes=5, seed=0):
    return np.random.default_rng(seed).integers(0, codes, n).astype(np.int32)


def people():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "town": rng.choice(["Bonn", "Kiel"], 90),
            "age": rng.permutation(90),
            "job": np.tile(["clerk", "nurse", "smith"], 30),
        }
    )


def test_groups_have_the_level_of_rows_and_the_rest_one_more():
    groups = anatomy_groups(values(), 4, np.random.default_rng(0))
    sizes = np.bincount(groups)
    assert set(sizes) <= {4, 5}
    assert sizes.sum() == 101


def test_groups_come_from_the_seed():
    made = [anatomy_groups(values(), 3, np.random.default_rng(seed)) for seed in (0, 0, 1)]
    assert np.array_equal(made[0], made[1])
    assert not np.array_equal(made[0], made[2])


def test_merging_joins_neighbours_and_leaves_none_smaller():
    groups = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4], dtype=np.int32)
    assert merge_groups(groups, 2).tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert merge_groups(groups, 1).tolist() == groups.tolist()
    assert merge_groups(groups, 9).tolist() == [0] * 10
    with pytest.raises(ParameterError, match="at least 1 group, not 0"):
        merge_groups(groups, 0)


def test_release_has_everybody_and_keeps_who_has_what_secret():
    original = alc.table_from_frame(people(), name="people")
    release = anatomize(original, unknown="job", known=["town", "age"], level=3, seed=1)
    rows, jobs = (table.frame for table in release.tables)
    assert list(rows.columns) == ["group_id", "town", "age"]
    assert list(jobs.columns) == ["group_id", "job"]
    columns = ["town", "age"]
    by_value = [frame[columns].astype(str).sort_values(columns) for frame in (rows, people())]
    assert by_value[0].to_numpy().tolist() == by_value[1].to_numpy().tolist()
    assert (jobs.groupby("group_id")["job"].nunique() == 3).all()
    assert rows["group_id"].value_counts().equals(jobs["group_id"].value_counts())
    # Line by line the two tables agree no more often than any dealing inside the groups would.
    true = people().groupby(columns)["job"].agg(set)
    facts = rows[columns].itertuples(index=False, name=None)
    hits = [job in true[row] for row, job in zip(facts, jobs["job"], strict=True)]
    assert 0.15 < np.mean(hits) < 0.5


def test_an_own_column_called_like_the_group_is_left_alone():
    original = alc.table_from_frame(people().rename(columns={"age": "group_id"}), name="people")
    release = anatomize(original, unknown="job", known=["town", "group_id"], level=2)
    assert release.tables[0].columns == ("group_id_", "town", "group_id")


def test_merged_groups_say_so():
    original = alc.table_from_frame(people(), name="people")
    release = anatomize(original, unknown="job", known=["town"], level=3, merged=2)
    assert release.name == "people Anatomy 3, 2 merged"
    assert set(release.tables[0].frame["group_id"].value_counts()) == {6}


def test_value_that_is_too_frequent_is_named():
    frame = people()
    frame.loc[:59, "job"] = "clerk"
    original = alc.table_from_frame(frame, name="people")
    with pytest.raises(
        InputError,
        match=r"'clerk' of column 'job' has 70 of 90 rows: groups cannot "
        r"be 2-diverse. Choose another unknown column.",
    ):
        anatomize(original, unknown="job", known=["town"], level=2)
    original = alc.table_from_frame(people(), name="people")
    with pytest.raises(InputError, match=r"'clerk'.*30 of 90.*4-diverse.*a level of at most 3"):
        anatomize(original, unknown="job", known=["town"], level=4)


def test_missing_value_that_is_too_frequent_is_named():
    frame = people()
    frame.loc[:59, "job"] = None
    original = alc.table_from_frame(frame, name="people")
    with pytest.raises(InputError, match="A missing value of column 'job' has 60 of 90 rows"):
        anatomize(original, unknown="job", known=["town"], level=2)


def test_levels_that_protect_nothing():
    with pytest.raises(ParameterError, match="level must be a whole number of at least 2, not 1"):
        anatomy_groups(values(), 1, np.random.default_rng(0))
    with pytest.raises(InputError, match="No rows"):
        anatomy_groups(np.array([], dtype=np.int32), 2, np.random.default_rng(0))
