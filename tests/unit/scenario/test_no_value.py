"""Values that other columns decide, such as the marital status of children."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.scenario.no_value import (
    check_no_values,
    columns_without_values,
    likely_no_values,
    recognised_markers,
)
from alc_core.tables.codes.encode import encode
from alc_core.tables.read import read_table, table_from_frame
from alc_core.tables.values.no_value import number_markers, says_no_value
from tests.toys.survey import make_survey


def recognised(values, **kinds):
    table = table_from_frame(pd.DataFrame({"x": values}), name="people").with_kinds(kinds)
    return tuple(recognised_markers(table, "x"))


def codes(ordinary, *, few=False, **extra):
    """Markers among ordinary numbers, five of each, and numbers with counts of their own."""
    numbers = [*map(float, ordinary), *(float(text) for text in extra.get("more", {}))]
    counts = [5] * len(ordinary) + list(extra.get("more", {}).values())
    return number_markers(np.array(numbers), np.array(counts), few=few).tolist()


@pytest.mark.parametrize(
    "text",
    ["?", " NA ", "n/a", "-", "Unknown", "not  applicable", "(Refused)", "Don't know", "<NA>",
     "keine Angabe", "."],
)  # fmt: skip
def test_texts_without_a_value(text):
    assert says_no_value(text)


@pytest.mark.parametrize("text", ["none", "other", "no", "0", "unknown soldier", "Nan Goldin"])
def test_texts_that_are_values(text):
    assert not says_no_value(text)


def test_texts_are_recognised_as_they_are_spelled():
    assert recognised(["clerk", " N/A", "N/A", "unknown", None, "nurse"]) == ("N/A", "unknown")


@pytest.mark.parametrize("text", ["Not in universe", " not in universe or children"])
def test_who_is_not_in_the_universe_has_no_value(text):
    assert recognised(["clerk", text, "nurse"]) == (text.strip(),)


def test_a_short_text_among_numbers_is_a_code():
    assert recognised(["1", "2", "3", "N"]) == ("N",)
    assert recognised([*map(str, range(40)), "N", "low"]) == ("N",)
    assert recognised(["1", "2", "N"]) == ()
    assert recognised(["1", "2", "3", "a", "b", "c"]) == ()
    assert recognised(["1", "2", "3", "4+"]) == ()


def test_a_country_or_continent_may_be_called_na():
    assert recognised(["DE", "FR", "NA", "ZA"]) == ()
    assert recognised(["yes", "no", "NA"]) == ("NA",)


def test_an_age_of_99_and_nine_children_are_values():
    assert codes(range(18, 98), more={"98": 4, "99": 6}) == []
    assert codes(range(18, 91), more={"99": 6}) == []
    assert codes([0, 1, 2, 3, 4], more={"9": 30}, few=True) == []


def test_numbers_that_stand_apart_are_codes():
    assert codes(range(18, 91), more={"99": 6, "999": 6}) == [999]
    assert codes(range(18, 91), more={"998": 1, "999": 2}) == [998, 999]
    assert codes(range(21), more={"99": 6}) == [99]
    assert codes(np.linspace(-20, 40, 90), more={"-9999": 6}) == [-9999]


def test_a_code_that_few_share_is_a_value():
    assert codes(range(18, 91), more={"999": 2}) == []
    assert codes(range(18, 91), more={"-9": 2}) == []


def test_large_numbers_near_the_others_are_values():
    assert codes([0, 1000, 5000, 40_000], more={"9999": 30, "99999": 30}) == []


def test_negative_codes_where_nothing_else_is_negative():
    assert codes(range(60), more={"-1": 9}) == [-1]
    assert codes(range(60), more={"-9": 5, "-8": 2, "-1": 9}) == [-9, -8, -1]
    assert codes(range(17, 90), more={"-1": 9, "-2": 9}) == [-2, -1]


def test_scales_that_reach_below_zero_are_left_alone():
    assert codes(range(-5, 60)) == []
    assert codes([*range(60), -1, -2, -3]) == []
    assert codes([-1.5, 0, 3, 8, 9.5], more={"-9": 9}) == []
    for few in (True, False):
        assert codes([-2, -1, 0, 1, 2], few=few) == []
        assert codes([-2, -1, 1, 2], few=few) == []
    assert codes([-1, 0, 1], few=True) == []


def test_categories_are_judged_with_more_caution():
    assert codes([1, 2, 3, 4], more={"-1": 9}, few=True) == [-1]
    assert codes([0, 1], more={"-9": 9}, few=True) == [-9]
    assert codes([0, 1, 2, 3], more={"-1": 9}, few=True) == []
    assert codes([1, 2, 3], more={"99": 9}, few=True) == []
    assert codes([1, 2, 3], more={"999": 9}, few=True) == [999]
    assert codes([1, 2, 3], more={"99": 9}) == [99]


def test_a_column_with_hardly_anything_else_has_no_codes():
    assert codes([5], more={"999": 9}) == []
    assert codes([], more={"-9": 9, "999": 9}) == []


def test_dates_far_from_the_others_are_placeholders():
    days = pd.date_range("2020-01-01", periods=300).strftime("%Y-%m-%d").tolist()
    assert recognised([*days, *["9999-12-31"] * 3]) == ("9999-12-31",)
    assert recognised([*days, *["1900-01-01"] * 3, "NA"]) == ("NA", "1900-01-01")
    assert recognised([*days, "9999-12-31"]) == ()
    births = pd.date_range("1930-01-01", periods=900, freq="ME").strftime("%Y-%m-%d").tolist()
    assert recognised([*births, *["1900-01-01"] * 3]) == ()
    stamps = pd.Series(pd.to_datetime([*days, *["1900-01-01"] * 3]))
    assert recognised(stamps) == ("1900-01-01",)


def test_identifiers_empty_and_ignored_columns_have_none():
    assert recognised(["?", "a", "b"], x="identifier") == ()
    assert recognised(["?", "a", "b"], x="ignore") == ()
    assert recognised([None, None]) == ()
    assert recognised([True, False, True]) == ()


def test_numbers_and_dates_among_texts_keep_their_kind():
    data = "age,day\n" + "".join(f"{n % 60 + 18},{n % 28 + 1}.01.2020\n" for n in range(90))
    table = read_table((data + "?,NA\n?,unknown\n").encode(), name="people.csv")
    assert {name: str(kind) for name, kind in table.kinds.items()} == {
        "age": "continuous",
        "day": "datetime",
    }
    assert tuple(recognised_markers(table, "age")) == ("?",)
    data = encode(table, [])
    assert np.isnan(data.original.columns["day"]).sum() == 2
    assert data.lacks_value("age", ("?",)).sum() == 2


class TestCodes:
    def table(self, **columns):
        return table_from_frame(pd.DataFrame(columns), name="people")

    def test_markers_do_not_stretch_the_ranges(self):
        table = self.table(age=[*range(101), 999, 999, 999, None])
        release = self.table(age=[0, 100, 999, 500, None])
        data = encode(table, [release], columns=["age"])
        codes = data.unknown_codes("age", 20, ("999",))
        assert (codes.labels[0], codes.labels[-1], codes.size) == ("[0, 5)", "[95, 100]", 21)
        before = data.as_unknown(data.original, "age", 20, ("999",))
        assert before[:101].max() == 19
        assert before[101:].tolist() == [20] * 4
        after = data.as_unknown(data.released[0], "age", 20, ("999.0",))
        assert after.tolist() == [0, 19, 20, 19, 20]
        assert data.specs["age"].range == 999  # what is known is compared as it is

    def test_categories_keep_their_codes(self):
        table = self.table(job=["clerk", " ? ", None, "nurse"])
        data = encode(table, [], columns=["job"])
        assert data.unknown_codes("job", 20, ("?",)).labels == ("?", "clerk", "nurse")
        assert data.as_unknown(data.original, "job", 20, ("?",)).tolist() == [1, 0, 3, 2]
        assert data.lacks_value("job", ("?",)).tolist() == [False, True, True, False]
        assert data.lacks_value("job", ()).tolist() == [False, False, True, False]

    def test_dates_are_left_out_however_they_are_written(self):
        days = pd.date_range("2020-01-01", periods=50).strftime("%d.%m.%Y").tolist()
        table = self.table(day=[*days, "31.12.9999"])
        data = encode(table, [], columns=["day"])
        for marker in ("31.12.9999", "9999-12-31"):
            assert np.flatnonzero(data.lacks_value("day", (marker,))).tolist() == [50]
        low, high = (
            data.specs["day"].of_values(data.original.columns["day"], [marker], 20).bin_range
        )
        assert high - low == 49

    def test_a_column_of_markers_alone_is_coded(self):
        data = encode(
            self.table(age=[999.0, 998.5, None]).with_kinds({"age": "continuous"}),
            [],
            columns=["age"],
        )
        assert data.as_unknown(data.original, "age", 20, ("999", "998.5")).tolist() == [20] * 3


def looked_at(frame, **kinds):
    table = alc.table_from_frame(frame, name="people").with_kinds(kinds)
    found = columns_without_values(table, {}, table.columns)
    return found, [f"{each.column} {each.words}" for each in likely_no_values(table, found)]


def test_codes_of_a_survey_are_taken_and_told_why():
    found, likely = looked_at(make_survey(3000, 1))
    taken = {column: each.markers for column, each in found.items() if each.rows}
    assert taken == dict.fromkeys(["MSP", "EDU", "INDP_CAT", "PINCP", "DVET"], ("N",))
    assert found["MSP"].words == "'N' (491, a text among numbers), 16% of the rows"
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


AMOUNTS = list(map(str, range(1000, 1300)))


def of(*labels, rows=3000):
    return np.random.default_rng(0).choice(np.array([*labels], dtype=object), rows)


def asked(values, missing=None, **columns):
    table = table_from_frame(pd.DataFrame({"x": values, **columns}), name="people")
    return [f for f in check_no_values(table, "x", missing or {}) if f.code == "no-value"]


@pytest.mark.parametrize(
    "labels",
    [
        [*(f"{n:02d}" for n in range(1, 20)), "2A", "2B"],
        [*map(str, range(1, 96)), "2A", "2B"],
        ["1", "2", "3", "A", "B"],
        ["1", "2", "X"],
        ["0", "1", "2", "X"],
        [*map(str, range(1, 10)), "10+"],
        [*map(str, range(101, 140)), "101a"],
        ["0", "1", "2", "3", "4", "5A", "5B", "6"],
        ["0", "A", "B", "AB"],
        [*map(str, range(1, 13)), "K", "PK"],
        ["1", "2", "3", "45", "A", "C"],
        [*AMOUNTS, *["<1000"] * 20],
    ],
)
def test_values_like_the_others_are_values(labels):
    assert recognised(of(*labels)) == ()
    assert asked(of(*labels)) == []


@pytest.mark.parametrize(
    ("labels", "value"),
    [
        ([*map(str, range(1, 13)), "K"], "K"),
        ([*map(str, range(11)), "Z"], "Z"),
        ([*map(str, range(35, 47)), "m"], "m"),
        ([*AMOUNTS, *["x"] * 60], "x"),
        ([*AMOUNTS, *["none"] * 60], "none"),
        (["granted", "pending", "refused"], "refused"),
    ],
)
def test_what_the_data_do_not_say_is_asked(labels, value):
    values = of(*labels)
    assert recognised(values) == ()
    (question,) = asked(values)
    assert (question.severity, question.code) == ("question", "no-value")
    (offer,) = question.offers
    assert (offer.option, offer.value) == ("missing", f"x={value}")
    assert asked(values, {"x": (value,)}) == []
    assert [*check_no_values(table_from_frame(pd.DataFrame({"x": values})), "x", None)] == []


@pytest.mark.parametrize("code", ["98. DK", "refused", "n/a"])
@pytest.mark.parametrize(("share", "told"), [(0.5, True), (0.06, True), (0.03, False)])
def test_that_frequent_codes_are_not_attacked_is_said(code, share, told):
    values = of("asthma", "diabetes", "none")
    values[: int(share * len(values))] = code
    table = table_from_frame(pd.DataFrame({"x": values}), name="people")
    found = [*check_no_values(table, "x", {})]
    assert [(f.severity, f.code) for f in found] == [("info", "no-value-kept")] * told
    for finding in found:
        assert finding.facts["rows"] == int(share * len(values))
        assert f"--unknown 'x in {code}'" in finding.action
    assert not [
        *check_no_values(table, "x", {"x": ()}),
        *check_no_values(table, "x", {"x": [code]}),
    ]


def test_an_offer_keeps_what_is_recognised():
    (question,) = asked(of(*map(str, range(1, 13)), "K", "9. DK"), {"x": ("9. DK",)})
    assert question.offers[0].value == "x=9. DK,K"


CODED = [
    (range(1, 10), [99]),
    (range(1, 8), [77, 88, 99]),
    (range(1, 20), [97]),
    (range(1, 6), [8, 9]),
    (range(2), [9]),
    (range(61), [99]),
    (range(4), [-1]),
    (range(11), [-1, 99]),
]


@pytest.mark.parametrize("typed", [str, int])
@pytest.mark.parametrize(("answers", "marks"), CODED)
def test_numbers_that_surveys_take_for_none_are_asked(answers, marks, typed):
    values = of(*map(typed, answers), *[*map(typed, marks)] * max(1, len(answers) // 4))
    assert recognised(values) == ()
    (question,) = asked(values)
    assert question.offers[0].value == f"x={','.join(map(str, marks))}"
    assert asked(values, {"x": tuple(map(str, marks))}) == []


def test_rare_codes_right_behind_the_answers_are_asked():
    values = of(*[1, 2, 3, 4, 5] * 10, 7, 8, 9)
    assert asked(values)[0].offers[0].value == "x=7,8,9"


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3, 4, 5, 7, 8, 9],  # occupations, without those of farmers
        [0, 1, 2, 3, 4, 6],
        [10, 20, 30, 90],
        range(1, 10),
        range(1, 100),
        [-1, 0, 1],
        [-3, -2, -1, 0, 1, 2],
        [*range(18, 91), 99],
        [*range(1, 96), 99],
        [1, 2, 3, 4, 5, 6, 98.5],
    ],
)
def test_numbers_like_the_others_are_values(values):
    assert asked(of(*values)) == []
    assert recognised(of(*values)) == ()


@pytest.mark.parametrize("mark", ["-99", "-99.0", "099", "8888", "98", "-1"])
def test_a_code_among_words_is_asked(mark):
    values = of("asthma", "cancer", "none", mark)
    (question,) = asked(values)
    assert question.offers[0].value == f"x={mark.removesuffix('.0')}"
    assert asked(of("asthma", "cancer", "none", "7")) == []
    assert asked(of("A1", "B2", "C3", mark)) == []


@pytest.mark.parametrize("mark", [999, 9999])
def test_an_amount_that_far_more_people_have_is_asked_if_it_is_a_code(mark):
    pay = np.random.default_rng(2).lognormal(8, 1, 3000).round().astype(int)
    for value, expected in ((mark, [f"x={mark}"]), (mark + 1, [])):
        values = np.where(np.arange(3000) % 10 == 0, value, pay)
        assert [each.offers[0].value for each in asked(values)] == expected
    assert asked(np.where(np.arange(3000) % 50 == 0, mark, pay)) == []


@pytest.mark.parametrize("values", [["?"] * 40, ["clerk"] * 40, [1] * 40, [-1] * 40])
def test_columns_of_one_value_are_asked_nothing(values):
    assert asked(values) == []


@pytest.mark.parametrize("word", [".a", ".z", "._", "\\N", "tidak tahu", "nezadáno"])
def test_more_marks_of_programs_are_no_value(word):
    assert recognised(of("asthma", "cancer", word)) == (word,)


def test_a_number_that_another_column_decides_is_taken():
    age = np.random.default_rng(1).integers(0, 90, 3000)
    for code in (9, 99):
        values = np.where(age < 15, code, of(*range(1, 5)))
        table = table_from_frame(pd.DataFrame({"x": values, "age": age}), name="people")
        assert tuple(recognised_markers(table, "x")) == (str(code),)
        assert asked(values, age=age) == []


@pytest.mark.parametrize("labels", [["1", "2", "3", "4", "N"], [*AMOUNTS, "c", "c"]])
def test_a_known_code_and_a_rare_one_among_amounts_are_taken(labels):
    assert recognised(of(*labels)) == (labels[-1],)
    assert asked(of(*labels)) == []


@pytest.mark.parametrize("others", [["1", "2", "3", "4"], AMOUNTS])
def test_a_code_that_another_column_decides_is_taken(others):
    age = np.random.default_rng(1).integers(0, 90, 3000)
    values = np.where(age < 15, "Z", of(*others))
    table = table_from_frame(pd.DataFrame({"x": values, "age": age}), name="people")
    assert tuple(recognised_markers(table, "x")) == ("Z",)
    assert asked(values, age=age) == []


def test_the_lowest_school_grade_is_not_taken_for_what_age_decides():
    rng = np.random.default_rng(1)
    age = rng.integers(5, 20, 3000)
    grade = np.clip(age - 5 + rng.integers(-1, 2, 3000), 1, 12).astype(str)
    assert len(asked(np.where(age < 6, "K", grade), age=age)) == 1


def test_few_people_are_not_asked_about():
    assert asked([*map(str, range(1, 13))] * 100 + ["K"] * 5) == []


@pytest.mark.parametrize(
    ("own", "released", "meant"),
    [
        (["98. DK"], "Don't know", "98. DK"),
        (["-9 Don't know", "-8 Refused"], "refused", "-8 Refused"),
        (["keine Angabe"], "k. A.", "keine Angabe"),
        (["?"], "Unknown", "?"),
    ],
)
def test_a_release_may_have_another_word_for_no_value(own, released, meant):
    labels = np.array(["nurse", "smith", *own], dtype=object)[np.arange(400) % (2 + len(own))]
    original = table_from_frame(pd.DataFrame({"job": labels}), name="people")
    respelled = pd.DataFrame({"job": np.where(labels == meant, released, labels)})
    release = table_from_frame(respelled, name="release")
    data = encode(original, [release])
    np.testing.assert_array_equal(data.released[0].columns["job"], data.original.columns["job"])
    assert [f.code for f in alc.check_tables(original, [release]) if f.column == "job"] == []


def test_a_new_label_beside_words_for_no_value_is_new():
    original = table_from_frame(pd.DataFrame({"job": ["nurse", "?"] * 200}), name="people")
    release = table_from_frame(pd.DataFrame({"job": ["none", "?"] * 200}), name="release")
    assert "none" in encode(original, [release]).specs["job"].labels
