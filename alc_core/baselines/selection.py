"""Choosing the baseline: the families that best predict people who are not in the data."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import BoolArray, FloatArray, IntArray, some_rows
from alc_core.baselines.families import Boosting, Classifier, Family, Forest, Logistic
from alc_core.baselines.features import Features
from alc_core.baselines.fitting import (
    Candidate,
    Frequencies,
    LearnedValues,
    TargetWeights,
    few_threads,
    for_targets,
    innermost,
    mean_probabilities,
)
from alc_core.baselines.grouped import GroupedFrequencies
from alc_core.scoring.curves import (
    MeasuredPoint,
    PrecisionRecallCurve,
    best_measure,
    precision_recall_curve,
)
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.codes.columns import likeliest_right

Tell = Callable[[str], None]
# Families are compared on at most this many rows, drawn at random from the training rows
SELECTION_ROWS = 10_000
# From this many rows on, half of them are enough to learn from for a comparison
_ROWS_FOR_HALVES = 4_000
# Rows of a first half that stand for targets, with which the second half is spared
_ENOUGH_TESTED = 4_000
# Rows to test on times classes: with very many classes fewer rows are tested on
_COMPARED_CELLS = 5_000_000
_EQUAL_PRC = 0.01  # PRCs that differ by less, relatively, are taken as equal
# With fewer rows of selected people in the comparison it is made on all rows
_ENOUGH_ELIGIBLE = 200


Part = tuple[NDArray[np.intp], NDArray[np.intp]]  # Rows to learn from, and rows to test on
_TRIAL_ROWS = 2_000  # Families learn from at most so many rows, and are tested on as many
_MAX_VALUES = 100  # With more values, so few rows say too little of each
_TREES = 15
_SMALL_LEAF = 5
# By so much, in log loss, a forest may be behind, and one of small leaves, which gain more from
# more rows
_BEHIND, _BEHIND_DEEP = 0.06, 0.1
_ERRORS = 2.0  # Standard errors in its favour, since few rows are tested on
# Share of the values' frequencies in what is compared; few trees give many values no chance
_COMMON = 0.1
_MAX_THRESHOLDS = 400
_BESIDE_ERRORS = 2.0  # By so many standard errors more people must another candidate be right about
_DEARER = 1.1  # By so much more people one must be that costs more
_LEAST_PROBABILITY = 1e-4  # A probability of 0 for what happened would make the log loss infinite


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenCandidate:
    """A candidate and how well it predicted rows that it did not learn from."""

    candidate: Candidate  # One, two to be averaged, or none: the most frequent value
    merit: Merit  # Cross-validated, as targets would be predicted
    # What answers for those of whom it is less sure than `cut`; None where it is right about most
    beside: Candidate | None = None
    cut: float = 0.0


def choose_families(
    features: Features,
    unknown: NDArray[np.int32],
    units: IntArray,
    *,
    families: Sequence[Family],
    scoring: ScoringParameters,
    seed: int,
    weights: TargetWeights | None = None,
    near: bool = False,
    fitted_on: Features | None = None,
    tell: Tell | None = None,
) -> tuple[ChosenCandidate, ...]:
    """Rank by cross-validated PRC what a baseline is fitted with.

    The PRC is that of the best of many thresholds, which is noisy where rows are few: of the
    candidates whose PRC is within one standard error of the highest (or within 1 % of it) the one
    with the lowest log loss is the first; the others follow likewise, then the rest by PRC. Right
    is also a code beside the true one, if `near`.
    """
    learned = LearnedValues.of(unknown)
    if len(learned) < 2:
        return ()
    weights = weights or TargetWeights.alike(unknown)
    rng = np.random.default_rng(seed)
    picked = some_rows(np.arange(len(learned.rows)), SELECTION_ROWS, rng)
    rows, classes = learned.rows[picked], learned.classes[picked]
    parts = _split(units[rows], rng, at_most=_COMPARED_CELLS // len(learned))
    if any(len(learn) == 0 or len(test) == 0 for learn, test in parts):
        return ()
    of_rows = weights.take(rows)
    row_weights = of_rows.rows
    if np.count_nonzero(row_weights) < min(_ENOUGH_ELIGIBLE, len(rows)):
        # Hardly a row may be a target's: by its value alone
        by_value = of_rows.values[unknown[rows]]
        row_weights = by_value if by_value.any() else np.ones(len(rows))
    if np.count_nonzero(row_weights[parts[0][1]]) >= _ENOUGH_TESTED:
        parts = parts[:1]
    compared = Trial(
        features=features.take(rows), classes=classes, learned=learned, row_weights=row_weights,
        value_weights=weights.of_classes(learned), near=near, seed=seed,
    )  # fmt: skip
    suitable = [
        family
        for family in families
        if learned.suits(family, compared.features) and learned.suits(family, fitted_on or features)
    ]
    with few_threads(len(rows)):
        if len(rows) >= _ROWS_FOR_HALVES:
            suitable = compared.worth_comparing(suitable, parts[0], rng)
        found = [compared.cross_predict(family, parts, tell) for family in suitable]
    return compared.ranked(found, np.concatenate([test for _, test in parts]), scoring)


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trial:
    """What families are compared on."""

    features: Features  # Of the rows
    classes: IntArray  # Their classes
    learned: LearnedValues  # The values that the classes stand for
    row_weights: FloatArray  # How much each row stands for targets
    value_weights: FloatArray | None  # Odds of each class among targets
    near: bool  # Whether a code beside the true one is right, too
    seed: int

    def worth_comparing(
        self, families: Sequence[Family], part: Part, rng: np.random.Generator
    ) -> list[Family]:
        """Return the families without the forests that are far behind on few rows.

        Forests find what columns say together. Logistic regression does not, grouped frequencies
        do: where these are the better of the two, every forest goes on; else those that are not
        far behind.
        """
        forests = [family for family in families if isinstance(family, Forest)]
        additive = [family for family in families if isinstance(family, Logistic)]
        grouped = [family for family in families if isinstance(family, GroupedFrequencies)]
        learn, test = (
            rng.choice(rows, size=min(_TRIAL_ROWS, len(rows)), replace=False) for rows in part
        )
        weights = self.row_weights[test]
        few = len(self.learned) <= _MAX_VALUES
        if not (forests and additive and few and weights.any()):
            return list(families)
        best = self._losses(additive[0], learn, test)
        if any(_mean(best - self._losses(g, learn, test), weights) > 0 for g in grouped):
            return list(families)
        dropped = {
            forest.name
            for forest in forests
            if _behind(self._losses(replace(forest, n_trees=_TREES), learn, test) - best, weights)
            > (_BEHIND_DEEP if forest.min_samples_leaf < _SMALL_LEAF else _BEHIND)
        }
        return [family for family in families if family.name not in dropped]

    def _fit(self, family: Family, learn: NDArray[np.intp]) -> Classifier:
        features, classes = self.features.take(learn), self.classes[learn]
        return self.learned.fit(family, features, classes, seed=self.seed)

    def _losses(
        self, family: Family, learn: NDArray[np.intp], test: NDArray[np.intp]
    ) -> FloatArray:
        """Return the log loss of each row to test on."""
        model = self._fit(family, learn)
        found = for_targets(model.probabilities(self.features.take(test)), self.value_weights)
        truth = self.classes[test]
        common = np.bincount(truth, minlength=len(self.learned)) / len(truth)
        mixed = (1 - _COMMON) * found[np.arange(len(test)), truth] + _COMMON * common[truth]
        return np.asarray(-np.log(mixed))

    def cross_predict(
        self, family: Family, parts: Sequence[Part], tell: Tell | None
    ) -> tuple[Family, FloatArray]:
        """Return class probabilities of each part's test rows, and what the fits have settled."""
        models, predicted = [], []
        for learn, test in parts:
            if tell is not None:
                tell(family.name)
            model = self._fit(family, learn)
            models.append(innermost(model))
            predicted.append(model.probabilities(self.features.take(test)))
        if isinstance(family, Boosting):
            family = family.settled(models, len(parts[0][0]))
        return family, np.concatenate(predicted)

    def ranked(
        self,
        predicted: Sequence[tuple[Family, FloatArray]],
        tested: NDArray[np.intp],
        scoring: ScoringParameters,
    ) -> tuple[ChosenCandidate, ...]:
        """Return all candidates, best first."""
        truth, weights = self.classes[tested], self.row_weights[tested]
        families = [family for family, _ in predicted]
        found = {family.name: each for family, each in predicted}
        candidates: list[Candidate] = [(), *((family,) for family in families)]
        candidates += itertools.combinations([f for f in families if f.averaged], 2)
        rows = self.features.take(tested)
        constant = Frequencies.of(rows, truth, len(self.learned)).probabilities(rows)
        choices = []
        for candidate in candidates:
            parts = [found[family.name] for family in candidate] or [constant]
            mean = for_targets(mean_probabilities(parts), self.value_weights)
            merit = Merit.of(
                mean, truth, weights, scoring, codes=self.learned.codes, near=self.near
            )
            choices.append(ChosenCandidate(candidate=candidate, merit=merit))
        highest = max((choice.merit for choice in choices), key=lambda merit: merit.prc)
        enough = highest.prc - max(highest.standard_error, _EQUAL_PRC * highest.prc)
        equals = [choice for choice in choices if choice.merit.prc >= enough]
        others = [choice for choice in choices if choice.merit.prc < enough]
        first, *equals = sorted(equals, key=lambda choice: choice.merit.log_loss)
        return (
            _with_beside(first, choices, weights),
            *equals,
            *sorted(others, key=lambda choice: -choice.merit.prc),
        )


def _with_beside(
    first: ChosenCandidate, choices: Sequence[ChosenCandidate], weights: FloatArray
) -> ChosenCandidate:
    """Return the first candidate with the one that makes it right about most people, if any does.

    The best by PRC may be so for few people, and poor about all others. The other answers for those
    of whom it is less sure than where both together are right about most, and than where its PRC is
    best.
    """
    merit = first.merit
    order = np.argsort(merit.scores, kind="stable")
    ascending = np.append(merit.scores[order], np.inf)
    # Of equal scores all or none
    last = (np.diff(ascending) > 0) & (ascending[:-1] < merit.measure.threshold)
    most, found = 0.0, first
    singles = [each for each in choices if len(each.candidate) < 2]  # two cost twice as much
    # The most frequent value costs nothing; the families that follow it cost less and less
    for choice in (singles[0], *reversed(singles[1:])):
        more = (weights * (choice.merit.right.astype(float) - merit.right))[order]
        gain = np.where(last, np.cumsum(more), 0.0)
        at = int(np.argmax(gain))
        least = _BESIDE_ERRORS if choice.candidate else 1.0  # what is not fitted costs nothing
        if gain[at] > max(_DEARER * most, least * math.sqrt(np.square(more[: at + 1]).sum())):
            most = gain[at]
            found = replace(first, beside=choice.candidate, cut=float(ascending[at + 1]))
    return found


def _behind(differences: FloatArray, weights: FloatArray) -> float:
    """Return by how much losses are larger in the mean, at least."""
    mean = _mean(differences, weights)
    squares = np.average((differences - mean) ** 2, weights=weights)
    effective = weights.sum() ** 2 / np.square(weights).sum()
    return mean - _ERRORS * float(np.sqrt(squares / effective))


def _mean(values: FloatArray, weights: FloatArray) -> float:
    return float(np.average(values, weights=weights))


@dataclass(frozen=True, slots=True, kw_only=True)
class Merit:
    """What is measured of a candidate."""

    measure: MeasuredPoint  # At its best point
    log_loss: float  # Mean of the negative log probability of what is true
    scores: FloatArray  # Of each row: the chance of what is predicted, and whether that is right
    right: BoolArray

    @property
    def prc(self) -> float:
        """The PRC to compare by."""
        return self.measure.prc

    @property
    def standard_error(self) -> float:
        """Of the PRC at the threshold taken."""
        precision = self.measure.precision
        error = np.sqrt(precision * (1 - precision) / self.measure.predictions)
        return float(error * self.measure.prc / precision)

    @classmethod
    def of(
        cls,
        probabilities: FloatArray,
        truth: IntArray,
        weights: FloatArray,
        scoring: ScoringParameters,
        *,
        codes: IntArray,
        near: bool = False,
    ) -> Self:
        """Measure class probabilities of rows; classes after the codes are not predicted."""
        rows = np.arange(len(truth))
        best, scores = likeliest_right(probabilities[:, : len(codes)], codes, near=near)
        right = best == truth
        if near:
            told = truth < len(codes)
            right[told] = np.abs(codes[best[told]] - codes[truth[told]]) <= 1
        curve = weighted_curve(scores, right, weights)
        likelihood = np.maximum(probabilities[rows, truth], _LEAST_PROBABILITY)
        return cls(
            measure=best_measure(curve, scoring),
            log_loss=float(-np.average(np.log(likelihood), weights=weights)),
            scores=scores,
            right=right,
        )


def weighted_curve(
    scores: FloatArray, correct: BoolArray, weights: FloatArray
) -> PrecisionRecallCurve:
    """Count weighted predictions as if they were so many targets as they are worth."""
    kept = weights > 0
    scores, correct, weights = scores[kept], correct[kept], weights[kept]
    if np.all(weights == weights[0]):
        return precision_recall_curve(scores, correct, max_thresholds=_MAX_THRESHOLDS)
    worth = weights * (weights.sum() / np.square(weights).sum())
    order = np.argsort(-scores, kind="stable")
    made, right = np.cumsum(worth[order]), np.cumsum((worth * correct)[order])
    last = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    # Whole numbers: of thresholds whose counts round alike, the last one stays.
    counts = np.maximum(1, np.rint(made[last])).astype(np.int64)
    thin = np.append(np.flatnonzero(np.diff(counts)), len(counts) - 1)
    if len(thin) > _MAX_THRESHOLDS:
        wanted = np.geomspace(1, len(thin), _MAX_THRESHOLDS).astype(np.int64) - 1
        thin = thin[np.unique(np.append(wanted, len(thin) - 1))]
    counts, last = counts[thin], last[thin]
    return PrecisionRecallCurve(
        thresholds=scores[order][last],
        predictions=counts,
        true_predictions=np.minimum(counts, np.rint(right[last]).astype(np.int64)),
        attempts=int(counts[-1]),
    )
