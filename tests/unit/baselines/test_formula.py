"""A relation between columns is known to the baseline, and is nobody's loss."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.baselines.features import FeatureCoding, Features
from alc_core.baselines.formula import Formula
from alc_core.scenario.targets import KnownValues
from alc_core.scoring.verdict import FLAGGED, Verdict
from alc_core.tables.codes.encode import encode

LOOP = alc.LoopParameters(folds=3, resamples=100)


def people(n, seed):
    """People whose columns are independent but for some that are worked out from others."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"region": rng.choice([*"ABCDE"], n), "sex": rng.choice(["f", "m"], n)})
    frame["limit"] = np.exp(rng.normal(8.5, 0.8, n)).round(-1)
    frame["balance"] = (frame["limit"] * rng.beta(1.2, 1.5, n)).round(2)
    frame["utilisation"] = (frame["balance"] / frame["limit"]).round(3)
    frame["height"], frame["weight"] = rng.normal(171, 9, n).round(), rng.gamma(30, 2.5, n).round(1)
    frame["bmi"] = (frame["weight"] / (frame["height"] / 100) ** 2).round(1)
    for column, mean in zip("abc", (600, 400, 300), strict=True):
        frame[column] = rng.gamma(2, mean / 2, n).round()
    frame["total"] = frame["a"] + frame["b"] + frame["c"]
    frame["gross"] = np.exp(rng.normal(10.3, 0.5, n)).round()
    frame["tax"] = (frame["gross"] * rng.uniform(0.1, 0.45, n)).round()
    frame["net"] = frame["gross"] - frame["tax"]
    frame["born"] = rng.integers(1935, 2005, n)
    frame["seen"] = rng.integers(1990, 2025, n) + 15
    frame["age"] = frame["seen"] - frame["born"]
    frame["price"], frame["quantity"] = (
        np.exp(rng.normal(3, 0.7, n)).round(2),
        rng.poisson(8, n) + 1,
    )
    frame["cost"] = (frame["price"] * frame["quantity"]).round(2)
    digits = rng.integers(1000, 9999, n)
    frame["postcode"] = [f"P{each}" for each in digits]
    frame["district"] = [f"D{(each // 500 * 7) % 19}" for each in digits]
    frame["isco"] = rng.integers(1000, 9999, n).astype(str)
    frame["group"] = frame["isco"].str[:2]
    frame["rounded"] = frame["total"].round(-2)
    frame["retyped"] = frame["net"].where(rng.random(n) < 0.97, rng.permutation(frame["net"]))
    return frame


MEMBERS = {
    "utilisation": ("limit", "balance", "region"),
    "bmi": ("height", "weight", "sex"),
    "total": ("a", "b", "c", "region"),
    "net": ("gross", "tax", "sex"),
    "age": ("born", "seen", "region"),
    "cost": ("price", "quantity", "region"),
    "district": ("postcode", "sex"),
    "group": ("isco", "sex", "region"),
    "rounded": ("a", "b", "c", "region"),
    "retyped": ("gross", "tax", "sex"),
}


def learnable(frame, unknown, known):
    data = encode(alc.table_from_frame(frame, name="o"), (), columns=[*known, unknown])
    classes = np.unique(data.as_unknown(data.original, unknown, 20), return_inverse=True)[1]
    return KnownValues.of(data.original, data.specs, known), classes


@pytest.mark.parametrize(("unknown", "known"), MEMBERS.items())
def test_what_is_worked_out_from_known_columns_is_told_of_other_people(unknown, known):
    values, classes = learnable(people(4000, 1), unknown, known)
    features = Features.of(values)
    model = Formula().fit(features.take(slice(0, 2000)), classes[:2000], classes.max() + 1, 0)
    found = model.probabilities(features.take(slice(2000, 4000)))
    assert found.sum(axis=1) == pytest.approx(np.ones(2000))
    assert (found.argmax(axis=1) == classes[2000:]).mean() > 0.94


@pytest.mark.parametrize(("unknown", "known"), MEMBERS.items())
def test_strangers_of_whom_the_same_relation_holds_expose_nobody(unknown, known):
    original, strangers = (people(2000, seed)[[*known, unknown]] for seed in (1, 2))
    result = alc.assess(
        original, strangers, alc.Scenario(known, unknown), families=(NaiveBayes(), Formula()),
        accept=[f"unknown-labels:{column}" for column in original], loop=LOOP, seed=1,
    )  # fmt: skip
    assert result.verdict not in FLAGGED
    assert result.verdict is Verdict.NOT_TESTABLE or result.decisive_alc < 0.3


@pytest.mark.parametrize("known", [("limit", "region", "height"), ("limit", "balance", "height")])
def test_what_no_relation_tells_is_still_a_serious_loss(known):
    original = people(2000, 1)
    half = np.random.default_rng(3).random(2000) < 0.6
    # Of six in ten people the relation does not hold
    original["utilisation"] = original["utilisation"].where(
        ~half, np.random.default_rng(4).random(2000).round(3)
    )
    result = alc.assess(
        original[[*known, "utilisation"]], original[[*known, "utilisation"]],
        alc.Scenario(known, "utilisation"), families=(NaiveBayes(), Formula()), loop=LOOP, seed=1,
    )  # fmt: skip
    assert result.verdict is Verdict.SERIOUS


def test_where_nothing_can_be_learned_frequencies_are_predicted():
    rng = np.random.default_rng(2)
    classes = rng.choice(3, 4000, p=[0.6, 0.3, 0.1])
    features = Features(matrix=rng.normal(size=(4000, 3)), categorical=np.zeros(3, dtype=bool))
    found = Formula().fit(features.take(slice(0, 2000)), classes[:2000], 3, 0)
    told = found.probabilities(features.take(slice(2000, 4000)))
    assert told.mean(axis=0) == pytest.approx([0.6, 0.3, 0.1], abs=0.05)
    assert -np.log(told[np.arange(2000), classes[2000:]]).mean() < 0.95  # 0.90 at best


def test_without_the_numbers_frequencies_are_predicted():
    frame = people(1000, 1)
    frame.loc[:99, "balance"] = np.nan
    values, classes = learnable(frame, "utilisation", MEMBERS["utilisation"])
    size = classes.max() + 1
    features = Features.of(values)
    found = Formula().fit(features, classes, size, 0).probabilities(features)
    shares = (np.bincount(classes, minlength=size) + 0.5) / (len(classes) + size / 2)
    assert found[:100] == pytest.approx(np.tile(shares, (100, 1)))
    assert (found[100:].argmax(axis=1) == classes[100:]).mean() > 0.9


def test_it_takes_rows_that_count_less_and_columns_of_few_rows():
    features = Features(
        matrix=np.array([[1.0, 3.0], [2.0, 3.0], [np.nan, 3.0], [4.0, 3.0]]),
        categorical=np.zeros(2, dtype=bool), weights=np.array([1.0, 0.5, 1.0, 1.5]),
    )  # fmt: skip
    found = Formula().fit(features, np.array([0, 1, 0, 1]), 2, 0).probabilities(features)
    assert found.sum(axis=1) == pytest.approx(np.ones(4))
    assert not Formula().suits(Features.of(learnable(people(99, 1), "sex", ["region"])[0]), 2)


def test_the_order_of_many_codes_is_that_of_their_texts():
    values, _ = learnable(people(2000, 1), "district", ["postcode"])
    ordered = FeatureCoding.of(values).features(values).ordered[0]
    texts = people(2000, 1)["postcode"].to_numpy()
    assert np.all(np.diff(ordered[np.argsort(texts, kind="stable")]) >= 0)
