"""Values that other columns decide, such as the marital status of children."""

import numpy as np
import pandas as pd

import alc_core as alc
from alc_core.scenario.no_value import columns_without_values, likely_no_values
from tests.toys.survey import make_survey


def looked_at(frame, **kinds):
    table = alc.table_from_frame(frame, name="people").with_kinds(kinds)
    found = columns_without_values(table, {}, table.columns)
    return found, [f"{each.column} {each.words}" for each in likely_no_values(table, found)]


def test_codes_of_a_survey_are_taken_and_told_why():
    found, likely = looked_at(make_survey(3000, 1))
    taken = {column: each.markers for column, each in found.items() if each.rows}
    assert taken == dict.fromkeys(["MSP", "EDU", "INDP_CAT", "PINCP", "DVET"], ("N",))
    assert found["MSP"].words == "'N' (491, a text among numbers), 16 % of the rows"
    assert likely == []


def test_what_a_number_or_categories_decide_is_asked():
    survey = make_survey(3000, 2)
    child = survey["AGEP"] < 15
    status = survey["MSP"].replace({"1": "wed", "2": "apart", "3": "alone"}).mask(child, "child")
    kind = pd.Series(np.where(child, "young", np.where(survey["AGEP"] > 64, "old", "adult")))
    _, likely = looked_at(survey[["AGEP", "SEX"]].assign(status=status))
    rows = int(child.sum())
    assert likely == [
        f"status 'child' ({rows}): all people with AGEP below 15, and nobody else",
    ]
    _, likely = looked_at(survey[["SEX"]].assign(status=status, kind=kind))
    assert f"status 'child' ({rows}): all people with the kind 'young', and nobody else" in likely


def test_columns_that_say_the_same_decide_nothing():
    survey = make_survey(3000, 3)
    ages = pd.cut(survey["AGEP"], [-1, 14, 39, 64, 99], labels=["child", "young", "mid", "old"])
    state = survey["PUMA"].str[:2].replace({"01": "AL", "08": "CO"})
    town = np.where(state == "AL", "Mobile", state + survey["SEX"].map({1: "a", 2: "b"}))
    assert looked_at(survey[["AGEP"]].assign(ages=ages.astype(str)))[1] == []
    assert looked_at(pd.DataFrame({"state": state, "town": town}))[1] == []
    # Nobody below 15 is married, but others are not, either.
    married = survey["MSP"].isin(["1", "2"]).map({True: "married", False: "single"})
    assert looked_at(survey[["AGEP", "SEX"]].assign(married=married))[1] == []


def test_words_among_numbers_are_asked():
    pay = make_survey(3000, 4)["PINCP"].replace("N", "none")
    found, likely = looked_at(pd.DataFrame({"pay": pay}))
    assert not found["pay"].rows
    assert likely == [f"pay 'none' ({int((pay == 'none').sum())}): a text among numbers"]
