"""What the check asks of columns that are people's own together, and says of values alone."""

import pytest

import alc_core as alc
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.facts import FactKind, Weight, fact_chip, fact_meaning, file_facts
from alc_core.tables.checks.own import OWN_TOGETHER, OWN_VALUE, own_in_plan, planned
from tests.unit.tables.test_own_together import ORIGINAL, PEOPLE, apart, changed

SET = ("age", "district", "hours", "job")
OTHERS = [c for c in ORIGINAL.own_compared if c not in SET]
DROWNED = alc.table_from_frame(apart(*SET), name="release")


def own(release, code=OWN_TOGETHER, **scenario):
    return [each for each in check_tables(ORIGINAL, release, **scenario) if each.code == code]


def test_it_asks_and_offers_the_attack():
    (asked,) = own(DROWNED)
    assert asked.severity == "question"
    assert asked.blocking
    assert asked.answers == ("own-together", "own-together:release")
    assert [(o.option, set(o.value.split(","))) for o in asked.offers] == [("known", set(SET))]
    assert {*asked.facts["columns"]} == {*SET}
    assert dict(asked.numbers)["share"] == 1
    assert "'age'" in asked.message


@pytest.mark.parametrize(
    ("known", "unknown", "severity"),
    [
        (("age", "district", "hours", *OTHERS), "job", "question"),
        (("sex", "education"), "job", "question"),
        (("age", "district", "hours"), "job", "warning"),
        (("age", "district", "hours", "job"), "income", None),
        ((*SET, *OTHERS[1:]), OTHERS[0], None),
        (None, "job", "question"),
        (("age", "district", "hours", "job"), None, "warning"),
    ],
    ids=["all", "few others", "its facts", "another", "all but another", "unknown", "known"],
)
def test_an_attack_by_its_facts_answers_it(known, unknown, severity):
    found = own(DROWNED, known=known, unknown=unknown)
    assert [each.severity for each in found] == ([] if severity is None else [severity])
    for each in found if severity == "question" else ():
        assert {*each.offers[0].value.split(",")} == {*SET} - {unknown}


def test_whatever_is_attacked_the_file_says_that_they_go_together():
    """Also where none of them is to be protected, so that no attack learns one."""
    (fact,) = (f for f in file_facts(ORIGINAL, DROWNED).facts if f.kind is FactKind.OWN_TOGETHER)
    assert {*fact.columns} == {*SET}
    assert fact.count == fact.of > 0.5 * len(ORIGINAL) > 20 * fact.expected
    assert fact.weight is Weight.ASK
    assert fact_chip(fact).startswith("4 columns kept together of ")
    assert "still belong to one person" in fact_meaning(fact)
    assert file_facts(ORIGINAL, DROWNED).fact(FactKind.ORIGINAL) is None, "it is the original"
    for harmless in (apart(), PEOPLE):
        released = alc.table_from_frame(harmless, name="release")
        assert file_facts(ORIGINAL, released).fact(FactKind.OWN_TOGETHER) is None


def test_a_set_that_others_do_not_hide_is_no_question():
    release = PEOPLE.assign(condition=apart()["condition"])
    (told,) = own(alc.table_from_frame(release, name="release"))
    assert told.severity == "warning"
    assert told.facts["others"] == ("condition",)


def test_an_attack_of_the_plan_answers_for_the_others():
    asked = own(DROWNED, known=("age", *OTHERS), unknown="job")
    answered = own(DROWNED, known=("age", "district", "hours"), unknown="job")
    (left,) = own_in_plan(asked, {*asked, *answered})
    assert left.severity == "warning"
    assert not left.offers
    (open_,) = own_in_plan(asked, set(asked))
    assert open_.severity == "question"
    assert {*open_.offers[0].value.split(",")} == {*SET}


def test_what_is_planned_is_no_question():
    asked = own(DROWNED)
    assert [f.severity for f in planned(asked, [["age"], SET[::-1]])] == ["warning"]
    assert [f.severity for f in planned(asked, [["age"]])] == ["question"]


def test_a_number_that_most_have_alone_is_told_once():
    release = alc.table_from_frame(changed(0.2, columns=PEOPLE.columns.drop("weight")), name="r")
    (told,) = [each for each in own(release, OWN_VALUE) if each.column == "weight"]
    assert told.severity == "warning"
    assert dict(told.numbers)["singled"] > 0.99
    assert "Round or group" in told.action
    assert not own(release)
    drowned = alc.table_from_frame(apart("weight", "age", "job"), name="r")
    assert not own(drowned, OWN_VALUE)
    assert len(own(drowned)) == 1


def test_a_weight_is_told_whatever_is_known():
    people = alc.table_from_frame(PEOPLE.rename(columns={"weight": "fnlwgt"}), name="people")
    found = {
        known: {(each.code, each.column) for each in check_tables(people, people, known=known,
                                                                  unknown="job")}
        for known in (("age", "sex"), ("age", "fnlwgt"))
    }  # fmt: skip
    for each in found.values():
        assert (OWN_VALUE, "fnlwgt") in each
        assert ("known-weight", "fnlwgt") not in each
    assert (OWN_VALUE, "born") not in found["age", "sex"]


def test_kept_identifiers_are_not_told_twice():
    people = PEOPLE.assign(person_id=[f"P{n:05d}" for n in range(len(PEOPLE))])
    table = alc.table_from_frame(people, name="people")
    assert not [
        f for f in check_tables(table, table) if (f.code, f.column) == (OWN_VALUE, "person_id")
    ]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_cells_drawn_anew_ask_nothing(share):
    assert not own(alc.table_from_frame(changed(share), name="release"))
