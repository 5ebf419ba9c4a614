"""Cross-fitted baseline: each fold's model and family are chosen on people outside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray
from alc_core.baselines.families import Family
from alc_core.baselines.features import Features
from alc_core.baselines.fitting import Baseline, TargetWeights, fit_baseline, name_of
from alc_core.baselines.selection import ChosenCandidate, Tell, choose_families
from alc_core.note import WEAK_GUESS, Note
from alc_core.phrasing import count, percent
from alc_core.scenario.targets import TargetPlan, training_rows
from alc_core.scoring.curves import MeasuredPoint, PrecisionRecallCurve
from alc_core.scoring.parameters import ScoringParameters

_STEP = 1e-9  # Below differences of scores, to keep order under a score
_GROUPS = 2
_GROUPS_OF_FEW = 5
_FEW_ROWS = 4_000  # Fewer rows are too few to compare families on half
# Standard errors of a clear shortfall: the expected figure is the best of many
_CLEARLY = 3.5
_FEWER = 1.0  # Standard errors fewer that may be easy to guess
_MATERIAL = 0.03  # Smaller differences in precision are ignored


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BaselinePredictions:
    """The baseline's predictions for some targets."""

    values: NDArray[np.int64]
    scores: NDArray[np.float64]
    # The best guess without thinning
    everybody: NDArray[np.int64]
    model: str
    # Its cross-validated point; None without a choice
    expected: MeasuredPoint | None = None
    # The first-ranked model, if it could not be fitted
    instead_of: str = ""
    # Rows learned from, and rows available
    learned_rows: int = 0
    rows: int = 0


@dataclass(slots=True, kw_only=True)
class ScenarioBaseline:
    """Fits and predicts by fold; families are chosen per group of folds.

    If the best model by PRC is poor for most people, a second answers where it is uncertain
    (:attr:`ChosenCandidate.beside`). Families are chosen on rows outside the group. Predictions are
    cached.
    """

    plan: TargetPlan
    features: Features
    unknown: CodeArray
    weights: TargetWeights
    families: Sequence[Family]
    scoring: ScoringParameters
    max_rows: int
    seed: int
    near: bool = False  # Whether neighbouring codes are also correct
    chosen: dict[int, tuple[ChosenCandidate, ...]] = field(default_factory=dict)
    # By fold: best model by PRC, and the one beside it, or the same
    fitted: dict[int, tuple[Baseline, Baseline]] = field(default_factory=dict)
    predicted: dict[bytes, BaselinePredictions] = field(default_factory=dict)

    def predict(
        self, fold: int, rows: NDArray[np.intp], *, tell: Tell | None = None
    ) -> BaselinePredictions:
        """Predict a fold's targets by a model of other rows."""
        key = rows.tobytes()
        if key not in self.predicted:
            if fold not in self.fitted:
                self.fitted = {fold: self._fit(fold, tell)}
            model, guess = self.fitted[fold]
            asked = self.features.take(rows)
            values, scores, everybody = model.predict(asked, near=self.near)
            ranking = self.chosen[self._group(fold)]
            if guess is not model:
                cut = ranking[0].cut
                named, chances, all_named = guess.predict(asked, near=self.near)
                sure = scores >= cut
                values = np.where(sure, values, named)
                everybody = np.where(sure, everybody, all_named)
                # In order, behind the other model's certain ones
                behind = np.minimum(chances, cut - _STEP * (1 - chances))
                scores = np.where(sure, scores, behind)
            self.predicted[key] = BaselinePredictions(
                values=values,
                scores=scores,
                everybody=everybody,
                model=model.model,
                expected=None if model.place is None else ranking[model.place].merit.measure,
                instead_of=name_of(ranking[0].candidate) if model.place else "",
                learned_rows=model.learned_rows,
                rows=len(self.unknown) - len(self.plan.folds[fold]),
            )
        return self.predicted[key]

    def _fit(self, fold: int, tell: Tell | None) -> tuple[Baseline, Baseline]:
        group = self._group(fold)
        if group not in self.chosen:
            folds = enumerate(self.plan.folds)
            outside = np.concatenate([each for n, each in folds if self._group(n) != group])
            self.chosen[group] = choose_families(
                self.features.take(outside),
                self.unknown[outside],
                self.plan.units[outside],
                families=self.families,
                scoring=self.scoring,
                weights=self.weights.take(outside),
                near=self.near,
                fitted_on=self.features.take(self._training(fold)[0]),
                seed=int(np.random.default_rng([self.seed, 3, group]).integers(2**31)),
                tell=tell,
            )
        if tell is not None:
            tell("the chosen models")
        rows, rng = self._training(fold)
        fit = partial(
            fit_baseline,
            self.features.take(rows),
            self.unknown[rows],
            weights=self.weights,
            seed=int(rng.integers(2**31)),
            fitted={},
        )
        ranking = [choice.candidate for choice in self.chosen[group]]
        model, beside = fit(ranking=ranking), self.chosen[group][0].beside if ranking else None
        return model, model if beside is None or model.place else fit(ranking=[beside])

    def _training(self, fold: int) -> tuple[NDArray[np.intp], np.random.Generator]:
        rng = np.random.default_rng([self.seed, 2, fold])
        return training_rows(self.plan, fold, at_most=self.max_rows, rng=rng), rng

    def _group(self, fold: int) -> int:
        n_folds = len(self.plan.folds)
        return fold * choice_groups(len(self.unknown), n_folds) // n_folds


def choice_groups(n_rows: int, folds: int) -> int:
    """Return groups of folds; with few rows each keeps most."""
    wanted = _GROUPS_OF_FEW if n_rows < _FEW_ROWS else _GROUPS
    return min(wanted, folds)


def baseline_notes(
    predicted: Sequence[BaselinePredictions], measured: PrecisionRecallCurve
) -> tuple[str | Note, ...]:
    """Report a baseline that is not the best, lacks rows, or falls short.

    Precision is compared at cross-validation's best coverage.
    """
    notes: list[str | Note] = [
        f"The best baseline ({name}) cannot be fitted: the next is used."
        for name in dict.fromkeys(part.instead_of for part in predicted if part.instead_of)
    ]
    learned, rows = max((part.learned_rows, part.rows) for part in predicted)
    if learned < rows:
        notes.append(
            f"The baseline learned from {count(learned)} of {count(rows)} rows. More may lower "
            "ALC: raise max_training_rows (--baseline-rows)."
        )
    if note := _shortfall(predicted, measured):
        notes.append(Note(text=note, code=WEAK_GUESS))
    return tuple(notes)


def _shortfall(predicted: Sequence[BaselinePredictions], curve: PrecisionRecallCurve) -> str:
    """Report a precision clearly below cross-validation.

    The models' points are pooled by the number of targets.
    """
    targets: dict[MeasuredPoint, int] = {}
    for part in predicted:
        if part.expected is None:
            return ""
        targets[part.expected] = targets.get(part.expected, 0) + len(part.values)
    parts = {point: n * point.predictions / point.attempts for point, n in targets.items()}
    total = sum(parts.values())
    share = total / sum(targets.values())
    expected = (
        sum(n * point.true_predictions / point.predictions for point, n in parts.items()) / total
    )
    variance = sum(
        (n / total) ** 2 * _variance(point.true_predictions, point.predictions)
        for point, n in parts.items()
    )
    made = max(1, round(share * curve.attempts))
    # By chance, fewer people may be easy to guess
    spread = math.sqrt(2 * share * (1 - share) * curve.attempts)
    few = max(1, math.floor(made - _FEWER * spread))
    for some in (few, made):
        # Equal scores share their mean precision.
        counts = np.append(0, curve.predictions), np.append(0, curve.true_predictions)
        right = float(np.interp(some, *counts))
        error = math.sqrt(variance + _variance(right, some))
        if expected - right / some <= max(_MATERIAL, _CLEARLY * error):
            return ""
    return (
        f"The loss may be smaller: of the best guess's most certain {percent(share)}, "
        f"{percent(right / made)} are correct, against {percent(expected)} for others."
    )


def _variance(right: float, made: float) -> float:
    """Return a precision's variance by Agresti and Coull (1998): never 0."""
    precision = (right + 2) / (made + 4)
    return precision * (1 - precision) / (made + 4)
