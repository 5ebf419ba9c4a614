"""The baseline of each fold: learned from people outside it, its families chosen likewise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from alc_core.baselines.families import Family
from alc_core.baselines.features import Features
from alc_core.baselines.selection import Baseline, Tell, choose_families, fit_baseline
from alc_core.parameters import ScoringParameters
from alc_core.tables.encode import CodeArray
from alc_core.targets import TargetPlan, training_rows


@dataclass(slots=True, kw_only=True)
class FoldBaselines:
    """Fits the baseline of each fold; families are chosen once per half of the folds.

    The families for the first half of the folds are chosen on rows of the second, and the other
    way round, so that no target has a part in the choice of the model that predicts it.
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

    def without(self, fold: int, *, tell: Tell | None = None) -> Baseline:
        """Return the baseline that has learned from the rows outside a fold."""
        if fold not in self.fitted:
            self.fitted = {fold: self._fit(fold, tell)}
        return self.fitted[fold]

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
