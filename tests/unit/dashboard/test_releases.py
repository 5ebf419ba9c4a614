import pytest

from alc_core.dashboard.state.files import MadeReleases, assumed_mode, recognised_in
from alc_core.tables.read import table_from_frame


def whole(tables, mode, original=None, kinds=None):
    return MadeReleases.of(original, tables, recognised_in(original, tables), mode, kinds or {})


def made(*args):
    return whole(*args).releases


@pytest.fixture
def tables(people):
    frame = people(60)
    return (
        table_from_frame(frame, name="a"),
        table_from_frame(frame, name="b"),
        table_from_frame(frame[["age", "job"]], name="c"),
    )


def test_alike_columns_make_several_releases(tables):
    assert assumed_mode(tables) == ("several", "'a' and 'b' have nearly the same columns.")


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


def numbered(people, *names):
    return tuple(table_from_frame(people(30, place), name=name) for place, name in enumerate(names))


def test_files_that_are_numbered_to_the_last_are_one_release_beside_candidates(people):
    tables = numbered(people, "syn_2_of_3.csv", "weak.csv", "syn_1_of_3.csv", "syn_3_of_3.csv")
    mode, reason = assumed_mode(tables)
    assert (mode, reason.rpartition(". ")[2]) == (
        "several", "The files of “syn (1 to 3)” have similar names."
    )  # fmt: skip
    found = made(tables, None)
    assert {name: len(release.tables) for name, release in found.items()} == {
        "syn (1 to 3)": 3, "weak.csv": 1,
    }  # fmt: skip
    assert [table.name for table in found["syn (1 to 3)"].tables] == [
        "syn_1_of_3.csv", "syn_2_of_3.csv", "syn_3_of_3.csv",
    ]  # fmt: skip


def test_where_there_are_no_others_the_user_can_say_that_numbered_files_are_candidates(people):
    tables = numbered(people, "1 of 2", "2 of 2")
    assert assumed_mode(tables) == (
        "one", "The files of “parts (1 to 2)” have similar names."
    )  # fmt: skip
    assert len(made(tables, "several")) == 2


@pytest.mark.parametrize("names", [("syn_1_of_3", "syn_2_of_3"), ("a_1", "a_2"), ("1 of 1", "b")])
def test_what_is_not_numbered_to_the_last_are_candidates(people, names):
    tables = numbered(people, *names)
    assert assumed_mode(tables)[0] == "several"
    assert set(made(tables, None)) == set(names)


@pytest.fixture
def mixed(people):
    """An original; a table of rows, an Anatomy pair and two tables of counts made from it."""
    frame = people(120)
    frame["sex"] = ["m" if age % 2 else "f" for age in frame["age"]]
    group = [number // 4 for number in range(120)]
    cells = {
        name: frame.value_counts([name, "job"]).rename("count").reset_index()
        for name in ("city", "sex")
    }
    frames = {
        "rows": frame,
        "qi": frame[["age", "city"]].assign(group_id=group),
        "by city": cells["city"],
        "s": frame[["job"]].assign(group_id=group).sort_values(["group_id", "job"]),
        "by sex": cells["sex"],
    }
    tables = tuple(table_from_frame(each, name=name) for name, each in frames.items())
    return table_from_frame(frame, name="people"), tables


def test_a_table_a_pair_and_counts_are_three_releases(mixed):
    original, tables = mixed
    releases = made(tables, None, original)
    assert {name: release.kind for name, release in releases.items()} == {
        "rows": "rows", "qi + s": "groups", "by city + by sex": "counts",
    }  # fmt: skip
    assert made(tables[1:4:2], None, original)["qi + s"].kind == "groups"


def test_without_an_original_everything_is_rows(mixed):
    _, tables = mixed
    assert {release.kind for release in made(tables, "several").values()} == {"rows"}


def test_the_user_has_the_last_word(mixed):
    original, tables = mixed
    pair = (tables[1], tables[3])
    assert made(pair, None, original, {"qi + s": "rows"})["qi + s"].kind == "rows"
    found = whole(tables[:1], None, original, {"rows": "groups"})
    (part,) = found.parts
    assert found.releases["rows"].kind == part.kind == "rows"
    assert "no column that numbers the groups" in part.problem
