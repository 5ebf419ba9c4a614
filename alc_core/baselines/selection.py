"""Choosing the baseline: the families that best predict people who are not in the data."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.baselines.classes import LearnedValues, innermost
from alc_core.baselines.families import Boosting, Family
from alc_core.baselines.features import Features
from alc_core.baselines.fitting import Candidate, few_threads, mean_probabilities
from alc_core.baselines.merit import Merit
from alc_core.baselines.target_weights import TargetWeights, for_targets
from alc_core.baselines.trial import Part, Trial
from alc_core.scoring.parameters import ScoringParameters

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Tell = Callable[[str], None]

SELECTION_ROWS = 10_000
"""Families are compared on at most this many rows, drawn at random from the training rows."""

_ROWS_FOR_HALVES = 4_000
"""From this many rows on, half of them are enough to learn from for a comparison."""

_ENOUGH_TESTED = 4_000
"""Rows of a first half that stand for targets, with which the second half is spared."""

_COMPARED_CELLS = 5_000_000
"""Rows to test on times classes: with very many classes fewer rows are tested on."""

_EQUAL_PRC = 0.01
"""PRCs that differ by less, relatively, are taken as equal."""

_ENOUGH_ELIGIBLE = 200
"""With fewer rows of selected people in the comparison it is made on all rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A candidate and how well it predicted rows that it did not learn from."""

    candidate: Candidate  # One, two to be averaged, or none: the most frequent value
    merit: Merit  # Cross-validated, as targets would be predicted


def choose_families(
    features: Features,
    unknown: NDArray[np.int32],
    units: IntArray,
    *,
    families: Sequence[Family],
    scoring: ScoringParameters,
    seed: int,
    weights: TargetWeights | None = None,
    fitted_on: Features | None = None,
    tell: Tell | None = None,
) -> tuple[Choice, ...]:
    """Rank by cross-validated PRC what a baseline is fitted with.

    The PRC is that of the best of many thresholds, which is noisy where rows are few: of the
    candidates whose PRC is within one standard error of the highest (or within 1 % of it) the one
    with the lowest log loss is the first; the others follow likewise, then the rest by PRC.

    References
    ----------
    Francis and Wagner (2025), section 3.4: any predictive technique may be the baseline.
    """
    learned = LearnedValues.of(unknown)
    if len(learned) < 2:
        return ()
    weights = weights or TargetWeights.alike(unknown)
    rng = np.random.default_rng(seed)
    picked = np.arange(len(learned.rows))
    if len(picked) > SELECTION_ROWS:
        picked = np.sort(rng.choice(picked, size=SELECTION_ROWS, replace=False))
    rows, classes = learned.rows[picked], learned.classes[picked]
    parts = _split(units[rows], rng, at_most=_COMPARED_CELLS // len(learned))
    if any(len(learn) == 0 or len(test) == 0 for learn, test in parts):
        return ()
    row_weights = _row_weights(weights.take(rows), unknown[rows])
    if np.count_nonzero(row_weights[parts[0][1]]) >= _ENOUGH_TESTED:
        parts = parts[:1]
    tested = np.concatenate([test for _, test in parts])
    compared = features.take(rows)
    suitable = [
        family
        for family in families
        if learned.suits(family, compared) and learned.suits(family, fitted_on or features)
    ]
    compare = _Comparison(
        learned=learned,
        truth=classes[tested],
        row_weights=row_weights[tested],
        value_weights=weights.of_classes(learned),
        scoring=scoring,
    )
    with few_threads(len(rows)):
        if len(rows) >= _ROWS_FOR_HALVES:
            trial = Trial(
                features=compared, classes=classes, learned=learned, row_weights=row_weights,
                value_weights=compare.value_weights,
            )  # fmt: skip
            suitable = trial.worth_comparing(suitable, parts[0], rng, seed=seed)
        found = [
            _cross_predict(family, compared, classes, parts, learned, seed, tell)
            for family in suitable
        ]
    return compare.ranked([family for family, _ in found], [each for _, each in found])


def selection_parts(n_rows: int) -> int:
    """Return in how many parts rows are cross-validated to compare families on them."""
    return 2 if n_rows >= _ROWS_FOR_HALVES else 3


def tested_parts(n_rows: int) -> int:
    """Return how many of these parts are tested on where all rows stand for targets."""
    parts = selection_parts(n_rows)
    return 1 if n_rows // parts >= _ENOUGH_TESTED else parts


def _split(units: IntArray, rng: np.random.Generator, *, at_most: int) -> list[Part]:
    """Return (learn, test) rows of a cross-validation: 2 parts, or 3 where rows are few."""
    n_parts = selection_parts(len(units))
    numbers = np.unique(units, return_inverse=True)[1]
    part = rng.permutation(np.arange(numbers.max() + 1) % n_parts)[numbers]
    tests = [np.flatnonzero(part == number) for number in range(n_parts)]
    if len(units) > at_most:
        share = at_most / len(units)
        tests = [
            np.sort(rng.choice(test, size=math.ceil(share * len(test)), replace=False))
            for test in tests
        ]
    return [(np.flatnonzero(part != number), test) for number, test in enumerate(tests)]


def _row_weights(weights: TargetWeights, unknown: NDArray[np.int32]) -> FloatArray:
    """Return how much rows count; by their value alone where hardly one may be a target's."""
    if np.count_nonzero(weights.rows) >= min(_ENOUGH_ELIGIBLE, len(weights.rows)):
        return weights.rows
    by_value = weights.values[unknown]
    return by_value if by_value.any() else np.ones(len(unknown))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Comparison:
    """What candidates are compared on."""

    learned: LearnedValues
    truth: IntArray
    row_weights: FloatArray
    value_weights: FloatArray | None
    scoring: ScoringParameters

    def ranked(
        self, families: Sequence[Family], predictions: Sequence[FloatArray]
    ) -> tuple[Choice, ...]:
        """Return all candidates, best first."""
        predicted = {f.name: each for f, each in zip(families, predictions, strict=True)}
        candidates: list[Candidate] = [(), *((family,) for family in families)]
        candidates += itertools.combinations([f for f in families if f.averaged], 2)
        shares = np.bincount(self.truth, minlength=len(self.learned)) / len(self.truth)
        constant = np.tile(shares, (len(self.truth), 1))
        choices = []
        for candidate in candidates:
            parts = [predicted[family.name] for family in candidate] or [constant]
            found = for_targets(mean_probabilities(parts), self.value_weights)
            merit = Merit.of(
                found, self.truth, self.row_weights, self.scoring, values=len(self.learned.codes)
            )
            choices.append(Choice(candidate=candidate, merit=merit))
        highest = max((choice.merit for choice in choices), key=lambda merit: merit.prc)
        enough = highest.prc - max(highest.standard_error, _EQUAL_PRC * highest.prc)
        equals = [choice for choice in choices if choice.merit.prc >= enough]
        others = [choice for choice in choices if choice.merit.prc < enough]
        return (
            *sorted(equals, key=lambda choice: choice.merit.log_loss),
            *sorted(others, key=lambda choice: -choice.merit.prc),
        )


def _cross_predict(
    family: Family,
    features: Features,
    classes: IntArray,
    parts: Sequence[Part],
    learned: LearnedValues,
    seed: int,
    tell: Tell | None,
) -> tuple[Family, FloatArray]:
    """Fit on each part's rows to learn from; return class probabilities of its test rows.

    The family is returned with what the fits have settled.
    """
    models, predicted = [], []
    for learn, test in parts:
        if tell is not None:
            tell(family.name)
        model = learned.fit(family, features.take(learn), classes[learn], seed=seed)
        models.append(innermost(model))
        predicted.append(model.probabilities(features.take(test)))
    if isinstance(family, Boosting):
        family = family.settled(models, len(parts[0][0]))
    return family, np.concatenate(predicted)
