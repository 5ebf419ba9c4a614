"""The Bayesian attacker as an attack among others."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.bayesian import BayesianAttacker
from alc_core.errors import ParameterError
from alc_core.releases.samples.groups import anatomize
from alc_core.scenario.scenario import Scenario
from alc_core.tables.read import table_from_frame
from tests.toys.attacked import prepared


@pytest.fixture(scope="module")
def original():
    """Two traits that go with a job, and a third that does not."""
    rng = np.random.default_rng(2)
    job = rng.integers(0, 4, 800)
    frame = pd.DataFrame(
        {
            "tool": np.where(rng.random(800) < 0.7, job, rng.integers(0, 4, 800)),
            "site": np.where(rng.random(800) < 0.6, job, rng.integers(0, 4, 800)),
            "hand": rng.integers(0, 12, 800),
            "job": job,
        }
    ).astype(str)
    return table_from_frame(frame.map("v{}".format), name="people")


KNOWN = ("tool", "site", "hand")
SCENARIO = Scenario(KNOWN, "job")


def predictions(original, release, attack):
    made = prepared(original, release, KNOWN)
    predict = attack.prepare(made.view, np.random.default_rng(0))
    return predict, predict(made.targets.known), made.targets.unknown


def test_on_anatomy_it_is_right_more_often_than_who_only_learns(original):
    release = anatomize(original, unknown="job", known=KNOWN, level=3, seed=1)
    attack = BayesianAttacker(iterations=4_000, chains=2)
    predict, found, truth = predictions(original, release, attack)
    assert not found.abstained.any()
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1.0)
    np.testing.assert_allclose(found.learned.sum(axis=1), 1.0)
    np.testing.assert_allclose(found.probabilities.max(axis=1), found.scores)
    hits = (found.values == truth).mean()
    learned = (found.learned.argmax(axis=1) == truth).mean()
    assert hits > learned + 0.05
    assert abs(found.scores.mean() - hits) < 0.06, "its probabilities mean what they say"
    assert predict.notes == ()


def test_on_plain_rows_it_is_the_share_among_equal_rows(original):
    frame = original.frame
    released = frame.iloc[:400].reset_index(drop=True)
    _, found, _ = predictions(original, released, BayesianAttacker())
    keys = frame[list(KNOWN)].agg("|".join, axis=1)
    shares = pd.crosstab(keys[:400], released["job"], normalize="index")[["v0", "v1", "v2", "v3"]]
    for row in range(0, 800, 7):
        if keys[row] in shares.index:
            np.testing.assert_allclose(
                found.probabilities[row, :4], shares.loc[keys[row]], atol=1e-6
            )
            assert not found.abstained[row]
        else:
            assert found.abstained[row]


def test_chains_that_have_not_converged_say_so_where_the_numbers_stand(original):
    release = anatomize(original, unknown="job", known=KNOWN, level=3, merged=3, seed=1)
    result = alc.assess(
        original, release, SCENARIO, attack="bayesian: iterations=100, chains=2, kept=50", seed=1
    )
    assert result.notes[0].text.startswith("Do not rely on these numbers. The chains have not")
    assert result.attack_name == "bayesian: iterations=100, chains=2, kept=50"


def test_relative_threat_is_measured_beside_the_anonymity_loss(original):
    release = anatomize(original, unknown="job", known=KNOWN, level=2, seed=1)
    result = alc.assess(
        original, release, SCENARIO, attack="bayesian: iterations=2000, chains=2", seed=1
    )
    found = result.measured["relative threat"]
    more = found["gt_attacker"].value - found["gt_learner"].value
    assert found["rgt_attacker"].value == pytest.approx(more)
    assert 0 < found["rgt_attacker"].low < more < found["rgt_attacker"].high
    assert found["gt_attacker"].low < found["gt_attacker"].value < found["gt_attacker"].high
    assert result.converged
    plain = alc.assess(original, release, SCENARIO, seed=1)
    assert "relative threat" not in plain.measured


def test_the_same_seed_gives_the_same_and_bad_parameters_are_refused(original):
    release = anatomize(original, unknown="job", known=KNOWN, level=3, seed=1)
    attack = BayesianAttacker(iterations=400, chains=2)
    one, two = (predictions(original, release, attack)[1] for _ in range(2))
    np.testing.assert_array_equal(one.probabilities, two.probabilities)
    with pytest.raises(ParameterError, match="chains must be between 2 and 32"):
        alc.make_attack("bayesian: chains=1")
