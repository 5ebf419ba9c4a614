import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks import model, naive_bayes
from alc_core.attacks.protocol import Predictions, check_predictions
from alc_core.errors import InputError
from alc_core.releases.samples.groups import anatomize
from alc_core.scenario.scenario import Tolerance
from alc_core.tables.codes.columns import likeliest_right
from tests.toys.attacked import predicted, prepared


def test_predictions_are_checked():
    good = Predictions.of([0, 2], [0.5, np.nan], [False, True])
    check_predictions(good, 2, 3, "'mine'")
    with pytest.raises(InputError, match="'mine' returned shapes .* for 3 targets"):
        check_predictions(good, 3, 3, "'mine'")
    with pytest.raises(InputError, match="missing scores for 1 of 2 targets. Abstain"):
        check_predictions(Predictions.of([0, 1], [0.5, np.inf]), 2, 3, "'mine'")
    with pytest.raises(InputError, match="a code outside 0 to 2"):
        check_predictions(Predictions.of([0, 3], [0.5, 0.5]), 2, 3, "'mine'")
    with pytest.raises(InputError, match="a code outside 0 to 2"):
        check_predictions(Predictions.of([0, -1], [0.5, 0.5]), 2, 3, "'mine'")
    for values in ([0.5, 1], [np.nan, 1], ["a", "b"]):
        with pytest.raises(InputError, match="values that are not codes from 0 to 2"):
            check_predictions(Predictions.of(values, [0.5, 0.5]), 2, 3, "'mine'")
    whole = Predictions.of([np.nan, 2.0], [0.5, 0.5], [True, False])
    check_predictions(whole, 2, 3, "'mine'")
    assert whole.values.tolist() == [0, 2]


def test_the_likeliest_right_code_counts_its_neighbours_where_these_are_right_too():
    rng = np.random.default_rng(3)
    codes = np.array([0, 1, 2, 5, 6, 9])
    weights = rng.integers(0, 4, (200, 6)).astype(float)
    beside = np.abs(codes[:, None] - codes) <= 1
    for near, right in ((False, weights), (True, weights @ beside)):
        best, found = likeliest_right(weights, codes, near=near)
        assert np.array_equal(found, right.max(axis=1))
        assert np.array_equal(right[np.arange(200), best], found)


@pytest.mark.parametrize(
    "attack",
    ["naive bayes", "definetti: predictor=open, rounds=20, chains=1", "definetti: rounds=20",
     "bayesian: iterations=400, chains=2", "model: family=naive Bayes"],
)  # fmt: skip
def test_every_attack_names_the_code_that_is_likeliest_right_within_a_tolerance(
    attack, monkeypatch
):
    rng = np.random.default_rng(1)
    town = rng.integers(0, 3, 400)
    income = np.where(rng.random(400) < 0.34, 30.0, rng.choice([62.0, 65.4, 68.8], 400))
    frame = pd.DataFrame({"town": town.astype(str), "income": income})
    original = alc.table_from_frame(frame, name="o").with_kinds({"income": "continuous"})

    def groups(table):
        return anatomize(table, unknown="income", known=["town"], level=2)

    made = prepared(
        original, frame if attack.startswith("model") else groups, ["town"], "income",
        tolerance=Tolerance(5.0),
    )  # fmt: skip
    assert made.view.unknown.near
    found = predicted(made, attack)
    best, _ = likeliest_right(found.probabilities, np.arange(made.view.unknown.size), near=True)
    assert np.array_equal(found.values, best)
    assert not np.array_equal(best, found.probabilities.argmax(axis=1)), "nothing is asked"
    for module in (naive_bayes, model):
        monkeypatch.setattr(module, "MOST_CODES", 1)
    assert np.array_equal(predicted(made, attack).values, best)
