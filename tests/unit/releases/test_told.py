import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import InputError
from alc_core.releases.microdata import Microdata
from alc_core.releases.registry import (
    sets_by_column,
    told_of_releases,
    with_sets_by_column,
    with_told_sets,
)
from alc_core.tables.value_sets import Interval

AGES = ["18-37", "38-57", "58+"] * 20
TOWNS = ["Ulm", "Bonn", "Jena"] * 20


@pytest.fixture
def original():
    frame = pd.DataFrame({"age": [*range(18, 78)] * 2, "town": TOWNS * 2})
    return alc.table_from_frame(frame, name="people")


def table(name, **columns):
    return alc.table_from_frame(pd.DataFrame(columns), name=name)


@pytest.fixture
def release():
    tables = (table("a", age=AGES), table("b", age=AGES, town=TOWNS))
    return Microdata(tables=tables, name="r")


def test_what_is_recognised_is_not_told(original, release):
    assert told_of_releases(original, [release]) == {}
    same = with_sets_by_column(original, release, {"age": {"18-37": "18..37"}})
    assert told_of_releases(original, [same]) == {}


def test_what_was_said_is_told_and_put_back(original, release):
    said = {"age": {"18-37": "18..40", "58+": None}, "town": {"Ulm": ["Ulm", "Jena"]}}
    told = told_of_releases(original, [with_sets_by_column(original, release, said)])
    ages = {"age": {"18-37": "18..40", "58+": None}}
    assert told == {"r": (ages, {**ages, "town": {"Ulm": ["Jena", "Ulm"]}})}
    back = with_told_sets(original, release, told["r"])
    assert back.tables[1].value_sets == {
        "age": {"18-37": Interval(18, 40), "38-57": Interval(38, 57)},
        "town": {"Ulm": frozenset({"Ulm", "Jena"})},
    }
    assert told_of_releases(original, [back]) == told


def test_labels_that_the_release_lacks_are_not_told(original, release):
    said = {"age": {"1-17": "18..20", "18-37": "18..40"}}
    told = told_of_releases(original, [with_sets_by_column(original, release, said)])
    assert told["r"][0] == {"age": {"18-37": "18..40"}}


def test_what_does_not_fit_is_refused(original, release):
    with pytest.raises(InputError, match="'900..' is not a value of the original's column 'age'"):
        with_told_sets(original, release, [{"age": {"58+": "900.."}}, {}])


def test_the_first_table_of_a_release_counts(original, release):
    first = with_told_sets(original, release, [{"age": {"58+": "59.."}}, {}])
    assert sets_by_column(original, first.tables)["age"] == {
        "18-37": "18..37", "38-57": "38..57", "58+": "59..",
    }  # fmt: skip


def test_what_is_said_of_labels_of_groups_and_counts_is_kept(people):
    frame = people(120)
    original = alc.table_from_frame(frame, name="people")
    ages = frame.assign(age=["young" if age < 50 else "old" for age in frame["age"]])
    group = [number // 4 for number in range(120)]
    parts = [ages[["age", "city"]].assign(group_id=group), ages[["job"]].assign(group_id=group)]
    cells = ages.value_counts(["age", "job"]).rename("count").reset_index()
    releases = [
        alc.Groups.of_tables(
            [alc.table_from_frame(part, name=f"part {n}") for n, part in enumerate(parts)],
            name="groups", original=original,
        ),
        alc.Counts.of_tables(
            [alc.table_from_frame(cells, name="cells")], name="counts", original=original
        ),
    ]  # fmt: skip
    said = {"age": {"young": "..49", "old": "50.."}}
    labelled = [with_sets_by_column(original, release, said) for release in releases]
    assert [type(each) for each in labelled] == [alc.Groups, alc.Counts]
    told = told_of_releases(original, labelled)
    for release, again in zip(releases, labelled, strict=True):
        assert told[release.name][0] == said
        back = with_told_sets(original, release, told[release.name])
        assert back.coded_tables()[0].value_sets == again.coded_tables()[0].value_sets != {}
