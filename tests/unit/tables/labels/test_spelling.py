"""Labels of the original in another spelling, or behind a code."""

import unicodedata

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.tables.labels.spelling import leading_codes, same_labels

TOWNS = ["Köln", "Bonn", "München", "Saint-Étienne", "Málaga", "Århus"]


def latin(text):
    return text.encode().decode("latin-1")


@pytest.mark.parametrize(
    "spell",
    [
        str.upper,
        str.lower,
        latin,
        lambda text: latin(latin(text)),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.encode("ascii", "replace").decode(),
        lambda text: text.encode("latin-1").decode("utf-8", "replace"),
        lambda text: f"'{text}'",
        lambda text: text + ".",
        lambda text: text.replace("-", "_"),
        lambda text: "".join(
            each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each)
        ),
        lambda text: text.replace("ö", "oe").replace("ü", "ue").replace("Å", "Aa"),
    ],
)
def test_a_spelling_is_recognised_and_back(spell):
    spelled = {spell(town): town for town in TOWNS if spell(town) != town}
    assert same_labels(TOWNS, list(spelled)) == spelled


@pytest.mark.parametrize(
    ("known", "new", "same"),
    [
        (["01", "02", "16"], ["1", "2"], {"1": "01", "2": "02"}),
        (["1", "2", "16"], ["01", "002"], {"01": "1", "002": "2"}),
        (["01067", "10115"], ["1067"], {"1067": "01067"}),
        (["<=50K", ">50K"], ["<=50K.", ">50k"], {"<=50K.": "<=50K", ">50k": ">50K"}),
        (["C32.0", "C34.1"], ["C320", "c341"], {"C320": "C32.0", "c341": "C34.1"}),
        (["Adm-clerical"], ["adm clerical"], {"adm clerical": "Adm-clerical"}),
        (["low", "high"], ["b. low", "c. high"], {"b. low": "low", "c. high": "high"}),
        (["2 low", "3 high"], ["low", "high"], {"low": "2 low", "high": "3 high"}),
        (["2 low", "3 high"], ["b) low", "c) high"], {"b) low": "2 low", "c) high": "3 high"}),
        (["1", "2"], ["1. male", "2. female"], {"1. male": "1", "2. female": "2"}),
        (["[1] male", "[2] female"], ["1", "2"], {"1": "[1] male", "2": "[2] female"}),
        (["flu", "gout"], ["J10 - flu", "M10 - gout"], {"J10 - flu": "flu", "M10 - gout": "gout"}),
        (
            ["flu", "gout"],
            ["flu (J10.0)", "gout (M10.9)"],
            {"flu (J10.0)": "flu", "gout (M10.9)": "gout"},
        ),
        (
            ["1. flu", "2. gout"],
            ["flu [1]", "gout [2]"],
            {"flu [1]": "1. flu", "gout [2]": "2. gout"},
        ),
        (["flu", "gout"], ["I. flu", "II. gout"], {"I. flu": "flu", "II. gout": "gout"}),
        (
            ["nurse", "cook"],
            ["2221 nurse", "5120 cook"],
            {"2221 nurse": "nurse", "5120 cook": "cook"},
        ),
        # What can be told from nothing
        (["A+", "A-", "B+", "B-"], ["A", "B"], {}),
        (["1", "01", "2"], ["001"], {}),
        (["a", "A"], ["á"], {}),
        (["1-2", "3-4"], ["12", "34"], {}),
        (["1.5", "2.5"], ["15", "25"], {}),
        (["DE01", "DE11"], ["DE1"], {}),
        (["Möller"], ["Müller"], {}),
        (["1. low", "2. high"], ["1. niedrig", "2. hoch"], {}),
    ],
)
def test_only_the_same_label_is_taken_for_another(known, new, same):
    assert same_labels(known, new) == same


@pytest.mark.parametrize(
    "labels",
    [
        ["18-24", "25-34", "35-44"],
        ["1.0", "1.2", "2.0"],
        ["1 year", "2 years", "3 years"],
        ["6 months", "12 months", "18 months"],
        ["1. 5", "1. 7", "2. 5"],
        ["a lot", "a little", "never"],
        ["1. low", "1. high"],
        ["1. low", "2) high"],
        ["2020-01-31", "2020-02-01"],
    ],
)
def test_what_is_no_code_stays(labels):
    assert leading_codes(labels) == {}


N = 1500
AGES = np.random.default_rng(1).integers(18, 90, N)
BANDS = ["18-24", "25-34", "35-44", "45-64", "65-74", "75+"]
WORDS = ["under 25", "25 to 34", "35 to 44", "45 to 64", "65 to 74", "over 74"]
BRACKETS = ["[18,25)", "[25,35)", "[35,45)", "[45,65)", "[65,75)", "[75,120)"]


def released(bands, form="{code}{band}", codes="123456"):
    names = [form.format(code=code, band=band) for code, band in zip(codes, bands, strict=True)]
    place = np.digitize(AGES, [25, 35, 45, 65, 75])
    return names, np.array(names)[place]


def sets_of(labels, ages=AGES, **others):
    original = alc.table_from_frame(pd.DataFrame({"age": ages, **others}), name="people")
    release = alc.table_from_frame(pd.DataFrame({"age": labels, **others}), name="release")
    return alc.column_sets(original, release)["age"], alc.check_tables(original, [release])


@pytest.mark.parametrize("bands", [BANDS, WORDS, BRACKETS])
@pytest.mark.parametrize("codes", ["123456", "ABCDEF", "abcdef"])
@pytest.mark.parametrize(
    "form",
    ["{code}. {band}", "{code} {band}", "({code}) {band}", "{code}) {band}", "{code}: {band}",
     "{code} - {band}", "[{code}] {band}", "{code} = {band}", "{code}_{band}", "{code}.{band}"],
)  # fmt: skip
def test_a_code_before_an_interval_is_taken_off(form, codes, bands):
    names, labels = released(bands, form, codes)
    found, findings = sets_of(labels)
    words = {each.label: each.words for each in found.labels}
    assert [words[name] for name in names] == [
        "18 to 24", "25 to 34", "35 to 44", "45 to 64", "65 to 74", "75 and over",
    ] or words[names[0]] == "24 and under" or bands is BRACKETS  # fmt: skip
    assert words[names[1]] == "25 to 34"
    assert not any(finding.blocking for finding in findings)


@pytest.mark.parametrize(
    ("form", "codes"),
    [
        ("{code} {band}", ["AG01", "AG02", "AG03", "AG04", "AG05", "AG06"]),
        ("{code}. {band}", ["I", "II", "III", "IV", "V", "VI"]),
        ("Group {code}: {band}", "123456"),
        ("{code}; {band}", "123456"),
        ("{band} ({code})", "123456"),
        ("{band} [{code}]", "123456"),
    ],
)
@pytest.mark.parametrize("bands", [BANDS, WORDS])
def test_other_codes_are_taken_off(form, codes, bands):
    names, labels = released(bands, form, codes)
    found, findings = sets_of(labels)
    assert found.sets[names[1]].closed_bounds == (25, 34)
    assert not any(finding.blocking for finding in findings)


def test_two_digits_with_zeros():
    names, labels = released(BANDS, "{code}: {band}", ["01", "02", "03", "04", "05", "06"])
    found, _ = sets_of(labels)
    assert found.sets[names[1]].closed_bounds == (25, 34)


@pytest.mark.parametrize(
    ("bands", "second"),
    [
        (["0-999", "1 000-1 999", "2 000-4 999"], (1000, 1999)),
        (["0-999", "1.000-1.999", "2.000-4.999"], (1000, 1999)),
        (["1 - 999", "1000 - 1999", "2000 - 4999"], (1000, 1999)),
    ],
)
def test_numbers_that_look_like_codes_are_numbers(bands, second):
    pay = np.random.default_rng(1).integers(0, 5000, N)
    labels = np.array(bands)[np.digitize(pay, [1000, 2000])]
    found, _ = sets_of(labels, pay)
    assert found.sets[bands[1]].closed_bounds == second


class TestLinkedRows:
    OTHERS = {  # noqa: RUF012
        "pay": np.random.default_rng(2).integers(1000, 9000, N),
        "sex": np.random.default_rng(3).choice(["m", "f"], N),
    }
    RIGHT = np.array([f"{10 * d}-{10 * d + 9}" for d in AGES // 10])
    WRONG = np.array([f"{10 * d + 10}-{10 * d + 19}" for d in AGES // 10])

    def test_they_overrule_a_notation_that_they_contradict(self):
        found, _ = sets_of(self.WRONG, **self.OTHERS)
        words = {each.label: each.words for each in found.labels}
        assert words["40-49"] == "30 to 39"
        assert all("contradict" in each.doubt for each in found.labels)

    def test_they_agree_with_one_that_holds(self):
        found, _ = sets_of(self.RIGHT, **self.OTHERS)
        assert {each.found for each in found.labels} == {"notation"}

    def test_rows_of_others_contradict_nothing(self):
        others = {k: np.random.default_rng(9).permutation(v) for k, v in self.OTHERS.items()}
        original = alc.table_from_frame(pd.DataFrame({"age": AGES, **self.OTHERS}), name="people")
        made = pd.DataFrame({"age": self.WRONG, **others})
        found = alc.column_sets(original, alc.table_from_frame(made, name="release"))["age"]
        assert {each.found for each in found.labels} == {"notation"}


def test_respelled_values_are_told_and_not_asked():
    land = np.random.default_rng(1).integers(1, 17, N)
    original = alc.table_from_frame(pd.DataFrame({"land": [f"{n:02d}" for n in land]}), name="a")
    release = alc.table_from_frame(pd.DataFrame({"land": land}), name="b")
    findings = {each.code: each for each in alc.check_tables(original, [release])}
    assert not any(each.blocking for each in findings.values())
    assert "text-numbers" not in findings
    ((column, share),) = findings["respelled-values"].facts["shares"]
    assert (column, share) == ("land", pytest.approx(float((land < 10).mean())))
