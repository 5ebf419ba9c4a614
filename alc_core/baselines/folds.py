"""The baseline of a scenario: per fold learned from people outside it, its families likewise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from alc_core.baselines.families import Family
from alc_core.baselines.features import Features
from alc_core.baselines.selection import Baseline, Tell, choose_families, fit_baseline
from alc_core.parameters import ScoringParameters
from alc_core.tables.encode import CodeArray
from alc_core.targets import TargetPlan, training_rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BaselinePredictions:
    """What the baseline says of some targets.

    Attributes
    ----------
    values : ndarray of int of shape (n_targets,)
        Predicted codes of the unknown attribute.
    scores : ndarray of float of shape (n_targets,)
        Their probabilities, the rank scores.
    model : str
        What predicted them.
    """

    values: NDArray[np.int64]
    scores: NDArray[np.float64]
    model: str


@dataclass(slots=True, kw_only=True)
class ScenarioBaseline:
    """Fits the baseline of each fold and predicts; families are chosen once per half of the folds.

    The families for the first half of the folds are chosen on rows of the second, and the other
    way round, so that no target has a part in the choice of the model that predicts it.
    Predictions are kept: several attacks on the same targets ask for them once.

    Attributes
    ----------
    plan : TargetPlan
        Targets and folds.
    features : Features
        Known attributes of the original's rows.
    unknown : ndarray of int32 of shape (n_rows,)
        Codes of the unknown attribute.
    families : sequence of Family
        What is chosen from.
    scoring : ScoringParameters
        Parameters of the PRC to choose by.
    max_rows : int
        Models learn from at most this many rows.
    seed : int
        Of the models and all choices.
    """

    plan: TargetPlan
    features: Features
    unknown: CodeArray
    families: Sequence[Family]
    scoring: ScoringParameters
    max_rows: int
    seed: int
    chosen: dict[bool, tuple[Family, ...]] = field(default_factory=dict)
    fitted: dict[int, Baseline] = field(default_factory=dict)
    predicted: dict[bytes, BaselinePredictions] = field(default_factory=dict)

    def predict(
        self, fold: int, rows: NDArray[np.intp], *, tell: Tell | None = None
    ) -> BaselinePredictions:
        """Predict targets of a fold by a model that has learned from the rows outside it.

        Parameters
        ----------
        fold : int
            Number of the fold.
        rows : ndarray of int of shape (n_targets,)
            Rows of the original in that fold.
        tell : callable, optional
            Told what is fitted; may raise to stop.

        Returns
        -------
        BaselinePredictions
            The same for the same rows, whoever asks and when.
        """
        key = rows.tobytes()
        if key not in self.predicted:
            if fold not in self.fitted:
                self.fitted = {fold: self._fit(fold, tell)}
            model = self.fitted[fold]
            values, scores = model.predict(self.features.take(rows))
            self.predicted[key] = BaselinePredictions(
                values=values, scores=scores, model=model.model
            )
        return self.predicted[key]

    def _fit(self, fold: int, tell: Tell | None) -> Baseline:
        in_second_half = fold >= (len(self.plan.folds) + 1) // 2
        if in_second_half not in self.chosen:
            self.chosen[in_second_half] = self._choose(tell, second_half=not in_second_half)
        if tell is not None:
            tell("the chosen models")
        rng = np.random.default_rng([self.seed, 2, fold])
        rows = training_rows(self.plan, fold, at_most=self.max_rows, rng=rng)
        return fit_baseline(
            self.features.take(rows),
            self.unknown[rows],
            chosen=self.chosen[in_second_half],
            seed=int(rng.integers(2**31)),
        )

    def _choose(self, tell: Tell | None, *, second_half: bool) -> tuple[Family, ...]:
        middle = (len(self.plan.folds) + 1) // 2
        halves = self.plan.folds[:middle], self.plan.folds[middle:]
        rows = np.concatenate(halves[second_half])
        return choose_families(
            self.features.take(rows),
            self.unknown[rows],
            self.plan.units[rows],
            families=self.families,
            scoring=self.scoring,
            seed=int(np.random.default_rng([self.seed, 3, second_half]).integers(2**31)),
            tell=tell,
        )
