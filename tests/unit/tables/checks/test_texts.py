"""Columns of texts: which are, who uses them, and what the check asks of a release's."""

import json

import numpy as np
import pandas as pd
import pytest

from alc_core.errors import ColumnError
from alc_core.note import REPLAYED, stops
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.facts import FactKind, Weight, fact_chip, fact_meaning, file_facts
from alc_core.tables.checks.finding import Severity
from alc_core.tables.kinds import infer_kind
from alc_core.tables.roles import ColumnRole, Roles, suggest_roles
from tests.toys.notes import notes, replaying, table

ORIGINAL = table(notes(600, 1), 1, "original")
LEAK = table(replaying(ORIGINAL.frame["notes"], notes(600, 2), 0.2, 3), 4)
TWIN = table(notes(600, 5), 6)


def kind(values, name="notes"):
    return str(infer_kind(pd.Series(values, name=name)).kind)


@pytest.mark.parametrize(
    "values",
    [
        notes(200, 1),
        notes(200, 1, names=False),
        ["no complaints today, all fine"] * 120 + notes(80, 2),
        [f"<p>Ort {n}<br>kam heute zu uns</p>" for n in range(100)],
        [
            f"患者{'一二三四五六七八九十'[n % 10]}{'春夏秋冬東西南北'[n // 10 % 8]}は痛い"
            for n in range(80)
        ],
        [f"{n} Long Lane Street, London" for n in range(200)],
    ],
    ids=["notes", "without names", "most alike", "markup", "no spaces", "addresses"],
)
def test_sentences_that_rows_have_of_their_own_are_texts(values):
    assert kind(values) == "text"


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (["never married", "married", "divorced or separated"] * 80, "categorical"),
        (["No answer was given here", "Yes, I do so every day"] * 100, "categorical"),
        ([f"Elementary occupation in trade number {n}" for n in range(120)] * 4, "categorical"),
        ([f"Anna Maria Be{n}er Ho{n}f" for n in range(200)], "identifier"),
        ([f"P{n:05}" for n in range(200)], "identifier"),
        (notes(20, 1), "categorical"),
    ],
    ids=["status", "answers", "occupations", "full names", "codes", "few rows"],
)
def test_categories_names_and_codes_are_not(values, found):
    assert kind(values, "full_name" if found == "identifier" else "answer") == found


def test_no_attack_uses_texts():
    assert "notes" not in ORIGINAL.compared
    suggested = {each.column: each for each in suggest_roles(ORIGINAL, ORIGINAL.columns)}
    assert suggested["notes"].role is ColumnRole.LEFT_OUT
    assert suggested["notes"].reason.startswith("not attacked: texts of about ")
    with pytest.raises(ColumnError, match="kind 'text' is not compared"):
        Roles.of(ORIGINAL, ORIGINAL.columns, chosen={"notes": "to be protected"})


def replayed(release, **told):
    return [each for each in check_tables(ORIGINAL, release, **told) if each.code == REPLAYED]


def test_it_asks_about_texts_that_return_and_quotes_none():
    (asked,) = replayed(LEAK)
    assert asked.severity == "question"
    assert stops(asked)
    assert asked.answers == ("replayed-texts", "replayed-texts:release")
    assert dict(asked.numbers)["share"] == pytest.approx(0.18, abs=0.03)
    assert "a number of 18% of the people (under 0.1% by chance)" in asked.message
    assert not any(word in asked.message for word in ORIGINAL.frame["notes"][0].split()[:2])


@pytest.mark.parametrize("scenario", [{"known": ["age"], "unknown": "rent"}, {"person": "pid"}])
def test_it_asks_whatever_is_attacked(scenario):
    assert replayed(LEAK, **scenario)


def test_harmless_texts_are_not_asked_about():
    assert not replayed(TWIN)
    assert file_facts(ORIGINAL, TWIN).fact(FactKind.TEXTS) is None


def test_the_file_says_so_without_any_attack():
    fact = file_facts(ORIGINAL, LEAK).fact(FactKind.TEXTS)
    assert fact.weight is Weight.ALARM
    assert fact.of == 600
    assert fact_chip(fact) == f"texts of {fact.count} people (by chance: hardly any)"
    assert fact_meaning(fact).startswith(f"{fact.count} of 600 people with a unique piece of text")


def test_texts_that_were_set_as_labels_are_not_read():
    labels = {"notes": "categorical"}
    assert not [
        each
        for each in check_tables(ORIGINAL.with_kinds(labels), LEAK.with_kinds(labels))
        if each.code == REPLAYED
    ]


def people_with_dates(seed: int) -> pd.DataFrame:
    rng, n = np.random.default_rng(seed), 1_500
    return pd.DataFrame(
        {
            "sex": rng.choice(["female", "male"], n),
            "city": rng.choice(["Ulm", "Bonn", "Jena", "Hof", "Trier"], n),
            "job": rng.choice(["nurse", "teacher", "smith", "clerk", "judge"], n),
            "born": pd.to_datetime("1940-01-01") + pd.to_timedelta(rng.integers(0, 23_000, n), "D"),
            "income": rng.lognormal(10.5, 0.5, n).round(),
        }
    ).assign(born=lambda frame: frame["born"].dt.strftime("%Y-%m-%d"))


def in_texts(frame: pd.DataFrame, how: str) -> pd.DataFrame:
    rows = frame.to_dict("records")
    written = {
        "json": lambda row: json.dumps(row),
        "words": lambda row: (
            f"a {row['job']} who lives in {row['city']} and earns {row['income']:.0f}"
        ),
    }
    return frame[["sex"]].assign(record=[written[how](row) for row in rows])


@pytest.mark.parametrize("how", ["json", "words"])
def test_rows_written_into_texts_are_asked_about_and_people_told(how):
    people, others = people_with_dates(1), people_with_dates(2)
    for frame, replays in ((people.sample(frac=1, random_state=0), True), (others, False)):
        found = check_tables(people, in_texts(frame, how))
        asked = {f.code: f for f in found if f.severity is Severity.QUESTION}
        assert asked["values-in-texts"].column == "record"
        assert asked["values-in-texts"].facts["of"] == ("city", "job")
        assert ("replayed-texts" in asked) is replays


def test_notes_beside_the_columns_are_not_asked_about():
    people, others = people_with_dates(1), people_with_dates(2)
    rng = np.random.default_rng(3)
    words = ["seen", "by", "the", "nurse", "today", "after", "a", "visit", "in", "Ulm"]
    texts = [
        " ".join(rng.choice(words, 6)) + f" {rng.integers(10_000, 99_999)}" for _ in others.sex
    ]
    found = check_tables(people, others.drop(columns="city").assign(note=texts))
    assert [f.code for f in found if f.severity is Severity.QUESTION] == ["extra-column"]
