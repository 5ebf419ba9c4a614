"""What the loop has predicted so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.assessment.prepare import PreparedScenario
from alc_core.attacks.protocol import Predictions
from alc_core.baselines.folds import BaselinePredictions
from alc_core.measures.measure import PredictedTargets
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import TargetPlan
from alc_core.scoring.outcomes import Outcomes
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.tables.encode import CodeArray


@dataclass(slots=True)
class Tally:
    """Predictions so far; grows batch by batch inside the loop."""

    rows: list[NDArray[np.intp]] = field(default_factory=list)
    attacked: list[Predictions] = field(default_factory=list)
    guessed: list[BaselinePredictions] = field(default_factory=list)
    attack_right: list[NDArray[np.bool_]] = field(default_factory=list)
    baseline_right: list[NDArray[np.bool_]] = field(default_factory=list)
    guessed_right: list[NDArray[np.bool_]] = field(default_factory=list)
    truth: list[CodeArray] = field(default_factory=list)
    probability: list[NDArray[np.float64]] = field(default_factory=list)
    learned_right: list[NDArray[np.bool_]] = field(default_factory=list)

    @property
    def attempts(self) -> int:
        """Targets attacked so far."""
        return sum(map(len, self.rows))

    @property
    def abstentions(self) -> int:
        """Targets on which the attack abstained."""
        return sum(int(attack.abstained.sum()) for attack in self.attacked)

    @property
    def models(self) -> dict[str, int]:
        """How many targets each baseline model predicted."""
        found: dict[str, int] = {}
        for baseline in self.guessed:
            found[baseline.model] = found.get(baseline.model, 0) + len(baseline.values)
        return found

    def add(
        self,
        rows: NDArray[np.intp],
        truth: CodeArray,
        attack: Predictions,
        baseline: BaselinePredictions,
        scenario: Scenario,
    ) -> None:
        """Add a batch; where the attack abstains the baseline stands in with score 0."""
        none = attack.abstained
        if attack.probabilities is not None:
            found = attack.probabilities[np.arange(len(truth)), truth]
            self.probability.append(np.where(none, np.nan, found))
        if attack.learned is not None:
            self.learned_right.append(scenario.is_right(attack.learned.argmax(axis=1), truth))
        standing_in = replace(
            attack,
            values=np.where(none, baseline.values, attack.values),
            scores=np.where(none, 0.0, attack.scores),
            probabilities=None,
            learned=None,
        )
        self.rows.append(rows)
        self.attacked.append(standing_in)
        self.guessed.append(baseline)
        self.attack_right.append(scenario.is_right(standing_in.values, truth))
        self.baseline_right.append(scenario.is_right(baseline.values, truth))
        self.guessed_right.append(scenario.is_right(baseline.everybody, truth))
        self.truth.append(truth)

    def outcomes(self, plan: TargetPlan, max_thresholds: int) -> Outcomes:
        """Count all predictions so far."""
        rows = np.concatenate(self.rows)
        units = plan.units[rows]
        alone = len(np.unique(units)) == len(units)
        return Outcomes.from_predictions(
            np.concatenate([attack.scores for attack in self.attacked]),
            np.concatenate(self.attack_right),
            np.concatenate([baseline.scores for baseline in self.guessed]),
            np.concatenate(self.baseline_right),
            units=None if alone else units,
            weights=plan.weights[rows],
            guessed=np.concatenate(self.guessed_right),
            recall_scale=plan.recall_scale,
            max_thresholds=max_thresholds,
        )

    def predicted(
        self,
        prepared: PreparedScenario,
        outcomes: Outcomes,
        scoring: ScoringParameters,
        loop: LoopParameters,
    ) -> PredictedTargets:
        """Return what was predicted for each target, for measures."""
        targets = prepared.targets
        return PredictedTargets(
            scenario=targets.scenario,
            unknown=prepared.view.unknown,
            truth=np.concatenate(self.truth),
            prevalence=np.bincount(targets.unknown, minlength=prepared.view.unknown.size)
            / len(targets.unknown),
            attack_values=np.concatenate([attack.values for attack in self.attacked]),
            baseline_values=np.concatenate([baseline.values for baseline in self.guessed]),
            attack_scores=np.concatenate([attack.scores for attack in self.attacked]),
            baseline_scores=np.concatenate([baseline.scores for baseline in self.guessed]),
            attack_right=np.concatenate(self.attack_right),
            baseline_right=np.concatenate(self.baseline_right),
            abstained=np.concatenate([attack.abstained for attack in self.attacked]),
            probability=np.concatenate(self.probability) if self.probability else None,
            units=targets.plan.units[np.concatenate(self.rows)],
            outcomes=outcomes,
            scoring=scoring,
            resamples=loop.resamples,
            seed=targets.seed,
            learned_right=np.concatenate(self.learned_right) if self.learned_right else None,
        )
