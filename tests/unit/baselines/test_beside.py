"""A best guess of two models: one sure of few people, one right about most of the others."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.scoring.parameters import LoopParameters


@dataclass(frozen=True)
class Fitted:
    """Sure of everybody with the mark; of all others it says what hardly anybody has."""

    marked: int
    rare: int
    n_classes: int

    def probabilities(self, features):
        found = np.full((len(features), self.n_classes), 0.1)
        marked = features.matrix[:, 0] == features.matrix[:, 0].max()
        found[marked, self.marked] = 9.0
        found[~marked, self.rare] = 0.4
        return found / found.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class Sure:
    """The family of it."""

    name: str = "sure"
    averaged: bool = False
    learns_rare: bool = False

    def suits(self, features, n_classes):
        return True

    def fit(self, features, classes, n_classes, seed):
        marked = features.matrix[:, 0] == features.matrix[:, 0].max()
        counts = np.bincount(classes, minlength=n_classes)
        own = np.bincount(classes[marked], minlength=n_classes)
        return Fitted(int(own.argmax()), int(counts.argmin()), n_classes)


def people(n=4000):
    """A twentieth are marked and all alike; of the others age tells something."""
    rng = np.random.default_rng(3)
    age = rng.integers(0, 6, n)
    marked = rng.random(n) < 0.05
    job = np.where(rng.random(n) < 0.6, age % 3, rng.integers(0, 4, n))
    return pd.DataFrame(
        {
            "mark": np.where(marked, "z", rng.choice(["a", "b"], n)),
            "age": age.astype(str),
            "job": np.where(marked, "judge", np.array(["cook", "nurse", "clerk", "guide"])[job]),
        }
    )


def run(families):
    frame = people()
    return alc.assess(
        frame, frame.sample(frac=1, random_state=1), alc.Scenario(["mark", "age"], "job"),
        families=families, loop=LoopParameters(folds=2, resamples=100),
    )  # fmt: skip


def right(result):
    """How often the guess is right, of its surest twentieth and of everybody."""
    curve = result.outcomes.baseline
    surest = int(np.searchsorted(curve.predictions, 0.03 * result.attempts))
    return (
        curve.true_predictions[surest] / curve.predictions[surest],
        curve.true_predictions[-1] / curve.predictions[-1],
    )


@pytest.mark.parametrize("families", [[Sure()], [Sure(), NaiveBayes()], [NaiveBayes()]])
def test_the_guess_is_as_good_as_the_best_family_of_the_surest_and_of_everybody(families):
    surest, everybody = right(run(families))
    most = people()["job"].value_counts(normalize=True).iloc[0]
    assert surest > 0.95
    assert everybody >= most - 0.02, "naming the most frequent value is always possible"
    if NaiveBayes() in families:
        assert everybody > most + 0.1


def test_who_is_exposed_is_compared_with_the_guess_that_is_right_about_most():
    guessed = run([Sure(), NaiveBayes()]).outcomes
    assert np.array_equal(guessed.guessed, guessed.joint[:, 3])
    assert guessed.guessed.mean() > 0.5
