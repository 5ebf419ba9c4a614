"""Relative threat: how many people an attacker guesses right, and how many a learner does.

References
----------
Boreale, Corradi and Viscardi (2020), section IV.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.errors import InputError
from alc_core.group_posterior.chances import (
    Victims,
    attacker,
    ideal,
    learner,
    random_worlds,
    shares,
)
from alc_core.group_posterior.diagnostics import Diagnostics
from alc_core.group_posterior.sampler import Posterior
from alc_core.group_posterior.tables import CodeArray, FloatArray
from alc_core.measures.relative_threat.faithfulness import distances_from_ideal


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its Monte Carlo standard error."""

    value: float  # From all draws
    # By leaving out each batch of draws in turn (jackknife); 0 where nothing was drawn
    mcse: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """What is said of each person's true value; kept in memory only."""

    # Probability of the true value; not a number for people whom no released row fits
    attacker: FloatArray
    learner: FloatArray
    # Whether the true value is the likeliest: the person is threatened
    by_attacker: NDArray[np.bool_]
    by_learner: NDArray[np.bool_]

    @property
    def ratios(self) -> FloatArray:
        """The relative threat level Ti of the people threatened by the attacker (16)."""
        some = self.by_attacker
        return np.asarray(self.attacker[some] / self.learner[some])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RelativeThreat:
    """The threat of a whole table."""

    gt_attacker: Estimate  # Shares of the people whose true value is the likeliest for each (17)
    gt_learner: Estimate
    gt_random_worlds: Estimate
    rgt_attacker: Estimate  # How much the attacker's share is above the learner's (18)
    rf: Estimate  # Faithfulness: one minus the empirical total variation from the ideal (21)
    abs_attacker: Estimate  # Absolute errors, summed over people
    abs_random_worlds: Estimate
    baseline_accuracy: float  # Share of the commonest released value among the people
    # Share of the people whose true value is the likeliest by the original's own frequencies
    ideal_accuracy: float
    n_people: int  # People that the shares are of
    n_absent: int  # People of the original whom no released row fits; they are not among them
    diagnostics: Diagnostics  # Whether the chains have converged
    people: People  # Each person of the original


def relative_threat(
    posterior: Posterior,
    known: CodeArray,
    unknown: CodeArray,
    *,
    counted: NDArray[np.bool_] | None = None,
    seed: int = 0,
) -> RelativeThreat:
    """Measure the relative threat of a release to the people of its original."""
    victims = Victims.of(posterior.table.domain, known)
    attacked, learned = attacker(posterior, victims), learner(posterior, victims)
    worlds = shares(random_worlds(posterior.table, victims))[victims.of_row]
    counted = np.ones(len(unknown), dtype=bool) if counted is None else counted
    fits = (attacked.sum(axis=(0, 2))[victims.of_row] > 0) & counted
    if not fits.any():
        raise InputError(
            "No row of the release can be anybody's in the original, so nothing can be compared. "
            "Choose the original that the release was made from, or other known columns."
        )
    truth, rows, truth_of = unknown[fits], victims.of_row[fits], unknown[counted]

    def accuracies(by_victim: FloatArray) -> FloatArray:
        return np.array([right_guesses(each[rows], truth).mean() for each in _left_out(by_victim)])

    def errors(by_victim: FloatArray) -> FloatArray:
        return np.array([_absolute(each[rows], truth) for each in _left_out(by_victim)])

    gt_attacker, gt_learner = accuracies(attacked), accuracies(learned)
    commonest = int(np.bincount(posterior.table.values).argmax())
    distances = distances_from_ideal(posterior, known, unknown, seed=seed)
    perfect = ideal(known, unknown, posterior.prior, victims)[victims.of_row]
    return RelativeThreat(
        gt_attacker=_estimate(gt_attacker),
        gt_learner=_estimate(gt_learner),
        gt_random_worlds=Estimate(float(right_guesses(worlds[fits], truth).mean())),
        rgt_attacker=_estimate(np.maximum(0.0, gt_attacker - gt_learner)),
        rf=_estimate(1.0 - distances),
        abs_attacker=_estimate(errors(attacked)),
        abs_random_worlds=Estimate(_absolute(worlds[fits], truth)),
        baseline_accuracy=float((truth == commonest).mean()),
        ideal_accuracy=float(right_guesses(perfect[fits], truth).mean()),
        n_people=int(fits.sum()),
        n_absent=int((counted & ~fits).sum()),
        diagnostics=posterior.diagnostics,
        people=_people(
            shares(attacked.mean(axis=0)), learned.mean(axis=0), victims.of_row[counted], truth_of
        ),
    )


def _people(
    attacked: FloatArray, learned: FloatArray, rows: NDArray[np.int64], unknown: CodeArray
) -> People:
    every = np.arange(len(unknown))
    by_attacker, by_learner = attacked[rows], learned[rows]
    return People(
        attacker=by_attacker[every, unknown],
        learner=by_learner[every, unknown],
        by_attacker=right_guesses(by_attacker, unknown) > 0,
        by_learner=right_guesses(by_learner, unknown) > 0,
    )


def _left_out(batches: FloatArray) -> list[FloatArray]:
    """Return shares by all batches but one, for each, and by all of them last."""
    total = batches.sum(axis=0)
    return [shares(part) for part in (*(total - batch for batch in batches), total)]


def right_guesses(probabilities: FloatArray, truth: CodeArray) -> FloatArray:
    """Return for each person the chance that the likeliest value, drawn among equals, is true."""
    with np.errstate(invalid="ignore"):
        highest = probabilities.max(axis=1, keepdims=True)
        equals = probabilities >= highest * (1 - 1e-12)
    own = equals[np.arange(len(truth)), truth]
    return np.asarray(own / np.maximum(equals.sum(axis=1), 1))


def _absolute(probabilities: FloatArray, truth: CodeArray) -> float:
    """Return the sum over people and values of the distance from the truth."""
    own = probabilities[np.arange(len(truth)), truth]
    return float((1.0 - own + (probabilities.sum(axis=1) - own)).sum())


def _estimate(values: FloatArray) -> Estimate:
    """Return the last value, with the jackknife error of those before it."""
    parts = values[:-1]
    spread = (len(parts) - 1) / len(parts) * ((parts - parts.mean()) ** 2).sum()
    return Estimate(float(values[-1]), float(np.sqrt(spread)))
