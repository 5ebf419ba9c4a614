"""Choosing the families that best predict people outside the data."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import BoolArray, FloatArray, IntArray, effective_number, some_rows
from alc_core.baselines.families import Boosting, Classifier, Family, Logistic
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
from alc_core.baselines.forest import Forest
from alc_core.baselines.grouped import GroupedFrequencies
from alc_core.scoring.curves import (
    MeasuredPoint,
    PrecisionRecallCurve,
    best_measure,
    measure_of,
    precision_recall_curve,
)
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.codes.columns import likeliest_right

Tell = Callable[[str], None]
# Most rows to compare families
SELECTION_ROWS = 10_000
# Rows enough to learn from one half
_ROWS_FOR_HALVES = 4_000
# Target rows in a first half that suffice
_ENOUGH_TESTED = 4_000
# Test rows times classes
_COMPARED_CELLS = 5_000_000
_EQUAL_PRC = 0.01  # Relative difference of equal PRCs
# With fewer selected people, compare on all rows
_ENOUGH_ELIGIBLE = 200


Part = tuple[NDArray[np.intp], NDArray[np.intp]]  # Rows to learn from, and to test on
_TRIAL_ROWS = 2_000  # Most rows of a trial, to learn and to test
_MAX_VALUES = 100  # More values need more rows
_TREES = 15
_SMALL_LEAF = 5
# Log-loss deficit of a forest, and of one with small leaves, which gains more from rows
_BEHIND, _BEHIND_DEEP = 0.06, 0.1
_ERRORS = 2.0  # Standard errors in its favour, as few rows are tested
# Weight of values' frequencies, as few trees miss many values
_COMMON = 0.1
_MAX_THRESHOLDS = 400
# From here no forest or boosting can win by much
_LEFT_PRC, _LEFT_WRONG = 0.002, 0.02
_BESIDE_ERRORS = 2.0  # Standard errors by which another candidate must be better
_DEARER = 1.1  # Factor for a costlier one
_LEAST_PROBABILITY = 1e-4  # Keeps the log loss finite


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenCandidate:
    """A candidate and its cross-validated merit."""

    candidate: Candidate  # One, two averaged, or none: the most frequent value
    merit: Merit  # Cross-validated, as targets would be predicted
    # Answers below certainty `cut`; None if this is correct for most
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
    """Rank a baseline's candidates by cross-validated PRC.

    The best PRC of many thresholds is noisy: among candidates within one standard error of the
    highest (or 1%), the lowest log loss is first; the next likewise, then the rest by PRC. With
    `near`, neighbouring codes are also correct.
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
        # Few rows may be a target's: use values only
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
    tested = np.concatenate([test for _, test in parts])
    with few_threads(len(rows)):
        cheap = [f for f in suitable if not isinstance(f, Boosting | Forest)]
        found = {f.name: compared.cross_predict(f, parts, tell) for f in cheap}
        if compared.leaves_nothing([*found.values()], tested, scoring):
            suitable = cheap
        elif len(rows) >= _ROWS_FOR_HALVES:
            suitable = compared.worth_comparing(suitable, parts[0], rng)
        for family in suitable:
            if family.name not in found:
                found[family.name] = compared.cross_predict(family, parts, tell)
    return compared.ranked([found[family.name] for family in suitable], tested, scoring)


def selection_parts(n_rows: int) -> int:
    """Return cross-validation parts to compare families."""
    return 2 if n_rows >= _ROWS_FOR_HALVES else 3


def _split(units: IntArray, rng: np.random.Generator, *, at_most: int) -> list[Part]:
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
    """Data to compare families on."""

    features: Features
    classes: IntArray
    learned: LearnedValues
    row_weights: FloatArray  # Weight of each row among targets
    value_weights: FloatArray | None  # Odds of each class among targets
    near: bool  # Whether neighbouring codes are also correct
    seed: int

    def leaves_nothing(
        self,
        predicted: Sequence[tuple[Family, FloatArray]],
        tested: NDArray[np.intp],
        scoring: ScoringParameters,
    ) -> bool:
        """Return whether no candidate can be much better."""
        weights, perfect = self.row_weights[tested], measure_of(len(tested), len(tested), scoring)
        return any(
            choice.merit.prc >= perfect.prc - _LEFT_PRC
            and np.average(choice.merit.right, weights=weights) >= 1 - _LEFT_WRONG
            for choice in self.ranked(predicted, tested, scoring)
        )

    def worth_comparing(
        self, families: Sequence[Family], part: Part, rng: np.random.Generator
    ) -> list[Family]:
        """Return families without forests far behind on few rows.

        Unlike logistic regression, grouped frequencies find interactions: if they beat it, every
        forest stays.
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
        model = self._fit(family, learn)
        found = for_targets(model.probabilities(self.features.take(test)), self.value_weights)
        truth = self.classes[test]
        common = np.bincount(truth, minlength=len(self.learned)) / len(truth)
        mixed = (1 - _COMMON) * found[np.arange(len(test)), truth] + _COMMON * common[truth]
        return np.asarray(-np.log(mixed))

    def cross_predict(
        self, family: Family, parts: Sequence[Part], tell: Tell | None
    ) -> tuple[Family, FloatArray]:
        """Return test rows' class probabilities, and the settled families."""
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
    """Return the first candidate, with one beside it if needed.

    The best by PRC may be poor for most people. The other answers below the certainty at which both
    together are correct for most.
    """
    merit = first.merit
    order = np.argsort(merit.scores, kind="stable")
    ascending = np.append(merit.scores[order], np.inf)
    # Equal scores together
    last = (np.diff(ascending) > 0) & (ascending[:-1] < merit.measure.threshold)
    most, found = 0.0, first
    singles = [each for each in choices if len(each.candidate) < 2]  # two cost twice as much
    # The most frequent value is free; later families cost less
    for choice in (singles[0], *reversed(singles[1:])):
        more = (weights * (choice.merit.right.astype(float) - merit.right))[order]
        gain = np.where(last, np.cumsum(more), 0.0)
        at = int(np.argmax(gain))
        least = _BESIDE_ERRORS if choice.candidate else 1.0  # free, since not fitted
        if gain[at] > max(_DEARER * most, least * math.sqrt(np.square(more[: at + 1]).sum())):
            most = gain[at]
            found = replace(first, beside=choice.candidate, cut=float(ascending[at + 1]))
    return found


def _behind(differences: FloatArray, weights: FloatArray) -> float:
    mean = _mean(differences, weights)
    squares = np.average((differences - mean) ** 2, weights=weights)
    return mean - _ERRORS * float(np.sqrt(squares / effective_number(weights)))


def _mean(values: FloatArray, weights: FloatArray) -> float:
    return float(np.average(values, weights=weights))


@dataclass(frozen=True, slots=True, kw_only=True)
class Merit:
    """Measures of a candidate."""

    measure: MeasuredPoint
    log_loss: float  # Mean negative log probability of the truth
    scores: FloatArray  # By row: the prediction's probability, and correctness
    right: BoolArray

    @property
    def prc(self) -> float:
        """The PRC to compare by."""
        return self.measure.prc

    @property
    def standard_error(self) -> float:
        """Of the PRC at its threshold."""
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
        """Measure rows' class probabilities; classes beyond the codes are not predicted."""
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
    """Count weighted predictions as effective targets."""
    kept = weights > 0
    scores, correct, weights = scores[kept], correct[kept], weights[kept]
    if np.all(weights == weights[0]):
        return precision_recall_curve(scores, correct, max_thresholds=_MAX_THRESHOLDS)
    worth = weights * (weights.sum() / np.square(weights).sum())
    order = np.argsort(-scores, kind="stable")
    made, right = np.cumsum(worth[order]), np.cumsum((worth * correct)[order])
    last = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    # Whole numbers; of equal counts, the last threshold
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
