"""Keys between tables: guessed or told, with orphans and grandchildren."""

import numpy as np
import pandas as pd
import pytest

from alc_core.errors import InputError
from alc_core.linked.keys import Link, LinkedTables, possible_keys
from alc_core.tables.read import table_from_frame

PEOPLE = pd.DataFrame({"person": [3, 1, 2], "age": [30, 40, 50]})
VISITS = pd.DataFrame({"visit": [1, 2, 3, 4], "person": [1, 1, 2, 3], "ward": list("abab")})
DRUGS = pd.DataFrame({"visit": [4, 4, 1], "drug": list("xyx")})


def tables(**frames):
    return {name: table_from_frame(frame, name=name) for name, frame in frames.items()}


def linked(*keys, like=None, **frames):
    links = [Link.read(key) for key in keys]
    return LinkedTables.of(tables(**frames), name="original", keys=links, like=like)


def test_a_key_of_one_name_is_found_though_row_numbers_would_fit():
    found = linked(people=PEOPLE, visits=VISITS)
    assert found.described() == "visits.person=people.person"
    assert found.root == "people"


def test_all_keys_that_join_some_rows_are_offered_the_likeliest_first():
    found = [str(key) for key in possible_keys(tables(people=PEOPLE, visits=VISITS), "visits")]
    assert found == ["visits.person=people.person", "visits.visit=people.person"]


def test_grandchildren_lead_to_their_person():
    found = linked(people=PEOPLE, visits=VISITS, drugs=DRUGS)
    number, people = found.people()
    assert {link.child: link.parent for link in found.links} == {
        "visits": "people",
        "drugs": "visits",
    }
    assert people == 3
    np.testing.assert_array_equal(number["visits"], [1, 1, 2, 0])
    np.testing.assert_array_equal(number["drugs"], [0, 0, 1])


def test_a_release_may_have_other_keys():
    original = linked(people=PEOPLE, visits=VISITS)
    released = {
        "people": PEOPLE.assign(pid=PEOPLE["person"] + 70).drop(columns="person"),
        "visits": VISITS.assign(pid=VISITS["person"] + 70)[["pid", "ward"]],
    }
    found = linked(like=original, **released)
    assert found.described() == "visits.pid=people.pid"
    np.testing.assert_array_equal(found.people()[0]["visits"], original.people()[0]["visits"])


def test_orphans_are_people_of_their_own():
    visits = pd.DataFrame({"person": [1, 9, 9, None, None], "ward": list("abcde")})
    number, people = linked("visits.person=people.person", people=PEOPLE, visits=visits).people()
    np.testing.assert_array_equal(number["visits"], [1, 3, 3, 4, 5])
    assert people == 6


def test_tables_may_share_a_key_that_is_unique_in_none():
    drugs = pd.DataFrame({"person": [1, 2, 2, 3], "drug": list("wxyz")})
    found = linked(visits=VISITS.drop(columns="visit"), drugs=drugs)
    assert found.root is None
    number, people = found.people()
    assert people == 3
    np.testing.assert_array_equal(number["visits"], [0, 0, 1, 2])
    np.testing.assert_array_equal(number["drugs"], [0, 1, 1, 2])


def test_a_key_of_two_columns_is_refused_but_not_a_column_that_only_looks_like_one():
    both = {"hospital": [1, 1, 2, 2], "number": [1, 2, 1, 2]}
    people = pd.DataFrame({**both, "age": [30, 40, 50, 60]})
    visits = pd.DataFrame({name: [*v, *v] for name, v in both.items()}).assign(
        ward=list("abcdabcd")
    )
    with pytest.raises(InputError, match="'hospital' and 'number' together may name a row"):
        linked(people=people, visits=visits)
    assert (
        linked("visits.number=visits.number", people=people, visits=visits).joined_by == "'number'"
    )
    key = [10 * h + n for h, n in zip(*both.values(), strict=True)]
    joined = {"people": people.assign(key=key), "visits": visits.assign(key=[*key, *key])}
    assert linked(**joined).root == "people"


def test_a_table_alone_keeps_its_people():
    whole = linked(people=PEOPLE, visits=VISITS)
    number, people = whole.only("visits").people()
    assert people == 3
    np.testing.assert_array_equal(number["visits"], [0, 0, 1, 2])
    assert whole.only("people").root == "people"
    assert whole.only("people").tables["people"].kind("person") == "identifier"


@pytest.mark.parametrize(
    ("keys", "frames", "match"),
    [
        ((), {"people": PEOPLE}, "has one table"),
        ((), {"a": PEOPLE[["age"]], "b": VISITS[["ward"]]}, "No column joins 'a' and 'b'"),
        (
            ("people.age=visits.person",),
            {"people": PEOPLE, "visits": VISITS},
            "several rows with one 'person'",
        ),
    ],
)
def test_tables_that_cannot_be_joined_are_refused(keys, frames, match):
    with pytest.raises(InputError, match=match):
        linked(*keys, **frames)


def test_a_release_has_tables_of_the_originals_names():
    original = linked(people=PEOPLE, visits=VISITS)
    with pytest.raises(InputError, match="Use the same names"):
        linked(like=original, people=PEOPLE, stays=VISITS)


@pytest.mark.parametrize("text", ["visits", "visits=people", "visits.a=people"])
def test_a_key_names_two_columns(text):
    with pytest.raises(InputError, match=r"is not a key"):
        Link.read(text)
