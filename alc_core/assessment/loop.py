"""The attack loop of the paper: targets in batches, baselines by fold, halting in between."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from alc_core.assessment.halting import HaltingReason, HaltingState, check_halting
from alc_core.assessment.prepare import PreparedScenario, ScenarioTargets
from alc_core.assessment.result import Assessment
from alc_core.attacks.protocol import Predictions
from alc_core.baselines.families import Family, default_families
from alc_core.baselines.features import Features
from alc_core.baselines.folds import BaselinePredictions, ScenarioBaseline, baseline_notes
from alc_core.baselines.target_weights import TargetWeights
from alc_core.measures.measure import Measure, PredictedTargets
from alc_core.note import as_notes
from alc_core.runtime.progress import Reporter
from alc_core.scenario.known_values import KnownValues
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import TargetPlan
from alc_core.scoring.outcomes import Outcomes, Rest
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.scoring.readings import (
    ComparedPoints,
    ReadingName,
    judged,
    nothing_left,
    reading_intervals,
)
from alc_core.scoring.resamples import bootstrap
from alc_core.scoring.shared_resamples import shared_losses
from alc_core.scoring.verdict import straddled
from alc_core.tables.codes.encode import CodeArray
from alc_core.version import software_versions

BatchLoop = Generator[KnownValues, Predictions, Assessment]
"""Yields the known attributes of a batch of targets, is sent predictions, returns the result."""

Watch = Callable[[NDArray[np.intp], Predictions, BaselinePredictions], None]
"""Receives each batch: rows of the original, the attack's predictions, the baseline's."""

_LOOK_RESAMPLES = 200
"""Resamples for a first look at the interval; those of the result have the last word."""


def scenario_baseline(
    targets: ScenarioTargets,
    *,
    families: Sequence[Family] | None = None,
    scoring: ScoringParameters,
    loop: LoopParameters,
) -> ScenarioBaseline:
    """Return the baseline of a scenario; nothing is fitted yet."""
    scenario, plan = targets.scenario, targets.plan
    weights = TargetWeights.of(
        targets.unknown,
        targets=np.concatenate(plan.targets),
        eligible=targets.eligible,
        down_sampled=plan.down_sampled_share is not None,
        selection_known=set(scenario.selection.where) <= set(scenario.known),
    )
    return ScenarioBaseline(
        plan=plan,
        features=Features.of(targets.known),
        unknown=targets.unknown,
        weights=weights,
        families=families or default_families(),
        scoring=scoring,
        max_rows=loop.max_training_rows,
        seed=targets.seed,
        near=scenario.near,
    )


def attack_loop(
    prepared: PreparedScenario,
    *,
    attack_name: str,
    baseline: ScenarioBaseline,
    scoring: ScoringParameters,
    loop: LoopParameters,
    measures: Sequence[Measure] = (),
    shared: bool = False,
    reporter: Reporter | None = None,
    watch: Watch | None = None,
) -> BatchLoop:
    """Yield batches of targets until the halting criteria are met."""
    reporter = reporter or Reporter()
    targets = prepared.targets
    plan, wanted = targets.plan, targets.scenario.selection.count
    total = plan.n_targets if wanted in (None, "all") else min(int(wanted), plan.n_targets)
    tally, state = Tally(), HaltingState.start(loop)
    for fold, rows, look in _batches(plan, total, loop):
        learning = partial(_report_learning, reporter, tally.attempts, total)
        guessed = baseline.predict(fold, rows, tell=learning)
        reporter.report("Attacking", tally.attempts, total, of="people")
        attacked = yield targets.known.take(rows)
        attacked.check(len(rows), prepared.view.unknown.size, attack_name)
        tally.add(rows, targets.unknown[rows], attacked, guessed, targets.scenario)
        if watch is not None:
            watch(rows, attacked, guessed)
        if wanted is None and look and loop.min_targets <= tally.attempts < total:
            outcomes = tally.outcomes(plan, loop.max_thresholds)
            rest = Rest.of(outcomes, scoring.precision_cap)
            state = check_halting(state, outcomes, rest, scoring=scoring, loop=loop)
            if state.reason is not None and not _may_decide(
                outcomes, rest, scoring, loop, seed=targets.seed
            ):
                break
    return _result(prepared, tally, state, attack_name, scoring, loop, measures, shared)


def _may_decide(
    outcomes: Outcomes, rest: Rest, scoring: ScoringParameters, loop: LoopParameters, *, seed: int
) -> bool:
    """Return whether more targets may decide a verdict that the interval leaves open."""
    if outcomes.attempts >= loop.decide_within:
        return False
    points = ComparedPoints.of(outcomes.attack, outcomes.baseline, rest, scoring)
    if nothing_left(points, scoring):
        return points.rest > 0
    # A few resamples mostly tell. Where they call it decided, the result must find so, too.
    for resamples, drawn_by in ((_LOOK_RESAMPLES, 0), (loop.resamples, seed)):
        counts = bootstrap(outcomes, cap=rest.cap, resamples=resamples, seed=drawn_by)
        intervals = reading_intervals(points, counts, scoring)
        _, decisive = judged(points, intervals, scoring)
        if straddled(intervals[decisive], scoring) is not None:
            return True
    return False


def _report_learning(reporter: Reporter, done: int, total: int, model: str) -> None:
    reporter.report(f"Learning the baseline: {model}", done, total, of="people")


def _batches(
    plan: TargetPlan, total: int, loop: LoopParameters
) -> Iterator[tuple[int, NDArray[np.intp], bool]]:
    """Yield fold, rows of the next targets, and whether to look at the halting criteria then."""
    taken = looked_at = 0
    for fold, fold_targets in enumerate(plan.targets):
        targets = fold_targets[: total - taken]
        for start in range(0, len(targets), loop.batch):
            rows = targets[start : start + loop.batch]
            taken += len(rows)
            look = start + len(rows) == len(targets) or taken >= looked_at + loop.look_every
            looked_at = taken if look else looked_at
            yield fold, rows, look


def _result(
    prepared: PreparedScenario,
    tally: Tally,
    state: HaltingState,
    attack_name: str,
    scoring: ScoringParameters,
    loop: LoopParameters,
    measures: Sequence[Measure],
    shared: bool,
) -> Assessment:
    targets = prepared.targets
    plan, wanted = targets.plan, targets.scenario.selection.count
    reached = tally.attempts < plan.n_targets or tally.attempts == wanted
    reason = HaltingReason.REQUESTED if reached else HaltingReason.EXHAUSTED
    if reached and state.reason is not None:
        reason = state.reason
    outcomes = tally.outcomes(plan, loop.max_thresholds)
    predicted = tally.predicted(prepared, outcomes, scoring, loop)
    return Assessment(
        scenario=targets.scenario,
        attack_name=attack_name,
        outcomes=outcomes,
        scoring=scoring,
        loop=loop,
        seed=targets.seed,
        halting=reason,
        models=tally.models,
        original=prepared.original,
        release=prepared.release,
        population=plan.population,
        candidates=plan.n_targets,
        people=plan.people,
        abstentions=tally.abstentions,
        down_sampled_share=plan.down_sampled_share,
        notes=(*prepared.notes, *as_notes(baseline_notes(tally.guessed, outcomes.baseline))),
        versions=software_versions(),
        unknown_bins=prepared.unknown_bins,
        measured={m.name: m.measure(predicted) for m in measures if m.applies(predicted)},
        shared=_shared(predicted) if shared else None,
        without_value=plan.without_value,
        absent=prepared.view.absent,
        unmatched=prepared.view.unmatched,
    )


def _shared(predicted: PredictedTargets) -> dict[ReadingName, NDArray[np.float64]]:
    outcomes = predicted.outcomes.in_order(
        predicted.attack_scores,
        predicted.attack_right,
        predicted.baseline_scores,
        predicted.baseline_right,
    )
    return shared_losses(outcomes, predicted.units, predicted.scoring, seed=predicted.seed)


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
