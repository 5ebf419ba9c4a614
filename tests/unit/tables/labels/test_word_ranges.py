"""Words that stand for ranges of numbers, as rows show that are in both tables."""

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.checks.checker import check_tables
from alc_core.tables.labels.find import column_sets
from alc_core.tables.names import with_same_columns
from alc_core.tables.read import table_from_frame

N = 1_500
RNG = np.random.default_rng(7)
PEOPLE = pd.DataFrame(
    {
        "age": RNG.integers(18, 90, N),
        "region": RNG.choice(list("ABCDEFGH"), N),
        "job": RNG.choice([f"job {letter}" for letter in "ABCDEFGHIJ"], N),
        "size": RNG.integers(1, 7, N),
        "income": RNG.lognormal(10, 0.6, N).round(2),
    }
)
ORIGINAL = table_from_frame(PEOPLE, name="o")
WORDS = {
    "quintiles": ["Q1", "Q2", "Q3", "Q4", "Q5"],
    "quartiles": ["4th quartile", "3rd quartile", "2nd quartile", "1st quartile"],
    "three words": ["low", "mid", "high"],
    "tertiles": ["bottom tertile", "middle tertile", "top tertile"],
    "letters": ["d", "b", "a", "c"],
    "two": ["poor", "rich"],
    "deciles": [f"D{n}" for n in range(1, 11)],
}


def banded(words, *, of="income"):
    return pd.qcut(PEOPLE[of], len(words), labels=words).astype(str)


def released(values, *, gone="income", name="class", changed=0.0, mixed=False):
    rng = np.random.default_rng(1)
    frame = PEOPLE.drop(columns=gone).assign(**{name: np.asarray(values)})
    for column in frame if mixed else frame.columns[:0]:
        frame[column] = rng.permutation(frame[column])
    some = rng.random(N) < changed
    frame.loc[some, name] = rng.permutation(frame.loc[some, name])
    return table_from_frame(frame.sample(frac=1, random_state=1), name="r")


def asked(release, **scenario):
    found = check_tables(ORIGINAL, [release], **scenario)
    return [each for each in found if each.blocking]


@pytest.mark.parametrize("changed", [0.0, 0.1])
@pytest.mark.parametrize("kind", WORDS)
def test_the_answer_that_is_offered_is_all_it_takes(kind, changed):
    words = WORDS[kind]
    release = released(banded(words), changed=changed)
    (question,) = asked(release)
    (offer,) = question.offers
    assert offer.value == "class=income"
    taken = with_same_columns(ORIGINAL, release, {"class": "income"})
    assert not asked(taken, known=["age", "job"], unknown="income")
    found = {each.label: each for each in column_sets(ORIGINAL, taken, ["income"])["income"].labels}
    assert {*found} == {*words}
    edges = PEOPLE["income"].quantile(np.linspace(0, 1, len(words) + 1)).to_numpy()
    spread = PEOPLE["income"].std()
    for word, low, high in zip(words, edges, edges[1:], strict=False):
        covers = found[word].covers
        assert found[word].found == "linked rows"
        assert abs(covers.low - low) < 0.1 * spread, word
        assert abs(covers.high - high) < 0.1 * spread, word


def test_ages_that_repeat_are_read_likewise():
    release = released(banded(["young", "old"], of="age"), gone="age", name="life stage")
    (question,) = asked(release)
    assert question.offers[0].value == "life stage=age"
    assert not asked(with_same_columns(ORIGINAL, release, {"life stage": "age"}))


HARMLESS = {
    "words of chance": RNG.choice(["low", "mid", "high"], N),
    "nearly all alike": np.where(RNG.random(N) < 0.97, "yes", "no"),
    "words of another column": np.where(PEOPLE["size"] > 3, "large", "small"),
    "both ends together": np.where(
        (PEOPLE["income"].rank(pct=True) - 0.5).abs() > 0.25, "unusual", "usual"
    ),
}


@pytest.mark.parametrize("kind", HARMLESS)
def test_words_that_are_no_ranges_are_not_offered(kind):
    release = released(HARMLESS[kind])
    assert not [offer for each in asked(release) for offer in each.offers]
    taken = with_same_columns(ORIGINAL, release, {"class": "income"})
    assert "income" not in column_sets(ORIGINAL, taken, ["income"])


def test_without_rows_that_are_the_same_nothing_is_concluded():
    release = released(banded(WORDS["quintiles"]), mixed=True)
    assert [each.code for each in asked(release)] == ["extra-column"]
    taken = with_same_columns(ORIGINAL, release, {"class": "income"})
    assert [each.code for each in asked(taken)] == ["text-numbers"]


def test_a_word_for_no_value_is_no_range():
    values = banded(WORDS["three words"]).mask(RNG.random(N) < 0.1, "refused")
    release = with_same_columns(ORIGINAL, released(values), {"class": "income"})
    found = {
        each.label: each for each in column_sets(ORIGINAL, release, ["income"])["income"].labels
    }
    ranges = {label for label, each in found.items() if each.found == "linked rows"}
    assert ranges == {"low", "mid", "high"}
