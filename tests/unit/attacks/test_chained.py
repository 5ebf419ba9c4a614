"""The chained attack against what it does by hand."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData
from alc_core.assessment.run import assess_attacks
from alc_core.attacks.registry import make_attack
from alc_core.baselines.families import NaiveBayes
from alc_core.releases.answers import asked_tables
from alc_core.releases.registry import as_release
from alc_core.scenario.targets import KnownValues

ROWS = [("k", "a1", "b1")] * 3 + [("k", "a2", "b2")] * 2 + [("k", "a3", "b2")] * 2 + [
    ("l", "a1", "b2"), ("m", "a2", "b1"),
]  # fmt: skip


def predicted(attack, unknown="a & b"):
    frame = pd.DataFrame(ROWS, columns=["known", "a", "b"])
    table, (release,) = asked_tables(alc.table_from_frame(frame), [as_release(frame)], [unknown])
    data = ScenarioData.of(table, release, alc.Scenario(["known"], unknown)).encoded
    view = data.view(alc.Scenario(["known"], unknown))
    targets = KnownValues.of(data.data.original, data.data.specs, ["known"]).take(np.array([0, 7]))
    made = make_attack(attack).prepare(view, np.random.default_rng(0))(targets)
    labels = [*view.unknown.labels, None]
    return [labels[code] for code in made.values], made.scores.tolist()


def test_the_surest_is_predicted_first_and_known_for_the_next():
    # b2 (4 of 7) goes before a1 (3 of 7); of the rows with k and b2 half have a2.
    values, scores = predicted("chained")
    assert values == ["a2 & b2", "a1 & b2"]
    assert scores == pytest.approx([4 / 7 * 1 / 2, 1.0])


def test_each_alone_may_name_what_nobody_has():
    values, scores = predicted("chained: alone=yes")
    assert values == ["a1 & b2", "a1 & b2"]
    assert scores == pytest.approx([3 / 7 * 4 / 7, 1.0])
    assert predicted("best row match")[0] == ["a1 & b1", "a1 & b2"]


def test_of_one_column_it_is_the_attack_itself():
    for found, alike in zip(
        predicted("chained", "a"), predicted("best row match", "a"), strict=True
    ):
        assert found == alike


def test_over_a_model_the_score_is_the_chance_of_all(people):
    frame = people(400).assign(both=lambda f: f["job"] + f["city"])
    scenario = alc.Scenario(["both"], "job & city", targets=alc.Targets(count=200))
    loop = alc.LoopParameters(folds=2, resamples=100)
    chained = alc.assess(frame, frame, scenario, attack="chained: over=model", loop=loop, seed=1)
    assert chained.attack_name == "chained: over=model"
    assert chained.outcomes.attack.true_predictions[-1] == 200
    assert chained.outcomes.attack.thresholds.max() <= 1


def test_where_the_likeliest_values_do_not_go_together_chaining_is_right_more_often():
    # Of each seven people alike three have a1 & b1, two a2 & b2, two a3 & b2: alone, a1 and b2 are
    # the likeliest, which nobody has both of. What the letters stand for differs between sevens.
    rng, pairs = np.random.default_rng(4), np.array([(0, 0)] * 3 + [(1, 1)] * 2 + [(2, 1)] * 2)
    sevens = [
        np.column_stack([rng.permutation(3)[pairs[:, 0]], rng.permutation(2)[pairs[:, 1]]])
        for _ in range(60)
    ]
    frame = pd.DataFrame(np.concatenate(sevens), columns=["a", "b"]).astype(str)
    frame["known"] = np.repeat(np.arange(60), 7).astype(str)
    scenario = alc.Scenario(["known"], "a & b", targets=alc.Targets(count="all"))
    chained, alone, together = (
        result.outcomes.attack.true_predictions[-1] / len(frame)
        for result in assess_attacks(
            frame, frame, scenario, ["chained", "chained: alone=yes", "best row match"],
            families=[NaiveBayes()], loop=alc.LoopParameters(folds=2, resamples=100), seed=1,
        )
    )  # fmt: skip
    assert (chained, alone, together) == pytest.approx((2 / 7, 0, 3 / 7))
