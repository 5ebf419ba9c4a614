"""The paper's attack loop: targets in batches, baselines by fold, halting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray
from alc_core.assessment.halting import HaltingReason, HaltingState, check_halting
from alc_core.assessment.prepare import PreparedScenario, ScenarioTargets
from alc_core.assessment.result import Assessment
from alc_core.attacks.protocol import Predictions
from alc_core.baselines.bags import with_bags
from alc_core.baselines.families import Family, default_families
from alc_core.baselines.features import Features
from alc_core.baselines.fitting import TargetWeights
from alc_core.baselines.folds import BaselinePredictions, ScenarioBaseline, baseline_notes
from alc_core.measures.measure import FoundRows, Measure, PredictedTargets, measured_by
from alc_core.measures.registry import other_measures
from alc_core.note import as_notes
from alc_core.parameter import check_whole
from alc_core.runtime.progress import Reporter
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues, TargetPlan
from alc_core.scoring.outcomes import BootstrapCounts, Outcomes, Rest, bootstrap
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.scoring.readings import (
    EXPOSED,
    ComparedPoints,
    judged,
    nothing_left,
    reading_intervals,
    shared_numbers,
)
from alc_core.scoring.verdict import chance_to_settle, exposes_many, straddled
from alc_core.tables.codes.columns import likeliest_right
from alc_core.version import software_versions

# Yields known attributes of a batch, receives predictions, returns the result
BatchLoop = Generator[KnownValues, Predictions, Assessment]
# Receives each batch: rows of the original, predictions of attack and baseline
Watch = Callable[[NDArray[np.intp], Predictions, BaselinePredictions], None]
# For a first look at the interval; the result's decide
_LOOK_RESAMPLES = 200
_HARDLY = 0.05  # Chances of a decision below are not worth more people


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """What a result depends on besides tables, scenario and attack."""

    # PRC parameters, confidence and limits
    scoring: ScoringParameters = field(default_factory=ScoringParameters)
    loop: LoopParameters = field(default_factory=LoopParameters)
    seed: int = 0  # Of all randomness
    # Families to choose the baseline from; by default the usual ones
    families: Sequence[Family] | None = None
    # Measures beside the anonymity loss; by default all registered ones
    measures: tuple[Measure, ...] = field(default_factory=other_measures)
    # Whether results hold the resamples shared by attacks with the same seed
    shared: bool = False

    def __post_init__(self) -> None:
        check_whole("seed", self.seed)

    @classmethod
    def again(
        cls,
        run: Assessment,
        *,
        families: Sequence[Family] | None = None,
        measures: tuple[Measure, ...] = (),
    ) -> RunSettings:
        """Return the settings that reproduce a result."""
        return cls(
            scoring=run.run_scoring or run.scoring,
            loop=run.loop,
            seed=run.seed,
            families=families,
            measures=measures,
        )


def scenario_baseline(targets: ScenarioTargets, settings: RunSettings) -> ScenarioBaseline:
    """Return a scenario's unfitted baseline."""
    scenario, plan = targets.scenario, targets.plan
    weights = TargetWeights.of(
        targets.unknown,
        could=plan.could,
        eligible=targets.eligible,
        stand_for=plan.weights,
        records=plan.records,
        selection_known=targets.selection_known,
    )
    features, counts = Features.of(with_bags(targets.known)), 1 / plan.records
    if np.any(counts != counts[0]):
        features = replace(features, weights=counts / counts.mean())
    return ScenarioBaseline(
        plan=plan,
        features=features,
        unknown=targets.unknown,
        weights=weights,
        families=settings.families or default_families(),
        scoring=settings.scoring,
        max_rows=settings.loop.max_training_rows,
        seed=targets.seed,
        near=scenario.near,
    )


def attack_loop(
    prepared: PreparedScenario,
    baseline: ScenarioBaseline,
    settings: RunSettings,
    *,
    attack_name: str,
    reporter: Reporter | None = None,
    watch: Watch | None = None,
) -> BatchLoop:
    """Yield batches of targets until halted."""
    reporter, scoring, loop = reporter or Reporter(), settings.scoring, settings.loop
    targets = prepared.targets
    plan, wanted = targets.plan, targets.scenario.selection.count
    asked = max(loop.min_targets, loop.decide_within) if wanted is None else wanted
    total = plan.n_targets if asked == "all" else min(int(asked), plan.n_targets)
    measures = loop.start_thresholds
    tally, state = Tally(), HaltingState(attack=measures, baseline=measures)
    reason: HaltingReason | None = None
    drawn: BootstrapCounts | None = None
    for fold, rows, look in _batches(plan, total, loop):
        learning = partial(_report_learning, reporter, tally.attempts, total)
        guessed = baseline.predict(fold, rows, tell=learning)
        reporter.report("Attacking", tally.attempts, total, of="people")
        attacked = yield targets.known.take(rows)
        tally.add(rows, targets.unknown[rows], attacked, guessed, targets.scenario)
        if watch is not None:
            watch(rows, attacked, guessed)
        if wanted is None and look and loop.min_targets <= tally.attempts < plan.n_targets:
            outcomes = tally.outcomes(plan, loop.max_thresholds)
            rest = Rest.of(outcomes, scoring.precision_cap)
            state = check_halting(state, outcomes, rest, scoring=scoring, loop=loop)
            if state.reason is not None:
                reason, drawn = _decided(
                    state.reason, outcomes, rest, plan, scoring, loop, seed=targets.seed
                )
                if reason is not None:
                    break
    return _result(prepared, tally, reason, settings, attack_name, drawn)


def _decided(
    reason: HaltingReason,
    outcomes: Outcomes,
    rest: Rest,
    plan: TargetPlan,
    scoring: ScoringParameters,
    loop: LoopParameters,
    *,
    seed: int,
) -> tuple[HaltingReason | None, BootstrapCounts | None]:
    """Return why to halt, None if more people may decide an open verdict; and the last draws.

    If many are surely exposed, it needs attention either way: only a likely decision is worth more.
    """
    if outcomes.attempts >= loop.decide_within:
        return reason, None
    points = ComparedPoints.of(outcomes.attack, outcomes.baseline, rest, scoring)
    if nothing_left(points, scoring):
        return (None if points.rest else reason), None
    # A few resamples usually suffice. If they say "decided", confirm with the full number.
    for resamples, drawn_by in ((_LOOK_RESAMPLES, 0), (loop.resamples, seed)):
        counts = bootstrap(outcomes, cap=rest.cap, resamples=resamples, seed=drawn_by)
        intervals = reading_intervals(points, counts, scoring)
        _, decisive = judged(points, intervals, scoring)
        if straddled(intervals[decisive], scoring) is not None:
            surely = intervals[EXPOSED][0] / float(outcomes.weights.sum()) * plan.people
            if not exposes_many(surely, plan.population, scoring.material):
                return None, None
            loss = points.losses(scoring.loss)[decisive]
            done = outcomes.attempts / min(plan.n_targets, loop.decide_within)
            chance = chance_to_settle(loss, intervals[decisive], done, scoring)
            if chance >= _HARDLY:
                return None, None
            whole = (resamples, drawn_by) == (loop.resamples, seed)
            return HaltingReason.MANY_PEOPLE, counts if whole else None
    return reason, counts


def _report_learning(reporter: Reporter, done: int, total: int, model: str) -> None:
    reporter.report(f"Learning the baseline: {model}", done, total, of="people")


def _batches(
    plan: TargetPlan, total: int, loop: LoopParameters
) -> Iterator[tuple[int, NDArray[np.intp], bool]]:
    """Yield fold, rows of the next targets, and whether to check halting then."""
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
    halted: HaltingReason | None,
    settings: RunSettings,
    attack_name: str,
    drawn: BootstrapCounts | None,
) -> Assessment:
    targets = prepared.targets
    plan, wanted = targets.plan, targets.scenario.selection.count
    reason = HaltingReason.EXHAUSTED
    if tally.attempts < plan.n_targets or tally.attempts == wanted:
        early = halted or HaltingReason.MANY_PEOPLE
        reason = early if wanted is None else HaltingReason.REQUESTED
    predicted = tally.predicted(prepared, settings)
    outcomes = predicted.outcomes
    return Assessment(
        scenario=targets.scenario,
        attack_name=attack_name,
        outcomes=outcomes,
        scoring=settings.scoring,
        loop=settings.loop,
        seed=targets.seed,
        halting=reason,
        models=tally.models,
        original=prepared.original,
        release=prepared.release,
        population=plan.population,
        candidates=plan.n_targets,
        people=plan.people,
        abstentions=int(tally["abstained"].sum()),
        down_sampled_share=plan.down_sampled_share,
        notes=(*prepared.notes, *as_notes(baseline_notes(tally.guessed, outcomes.baseline))),
        versions=software_versions(),
        unknown_bins=prepared.unknown_bins,
        measured={
            each.name: measured_by(each, predicted)
            for each in settings.measures
            if each.applies(predicted)
        },
        shared=_shared(predicted) if settings.shared else None,
        without_value=plan.without_value,
        absent=prepared.view.absent,
        unmatched=prepared.view.unmatched,
        resamples=drawn,
    )


def _shared(predicted: PredictedTargets) -> dict[str, NDArray[np.float64]]:
    outcomes = predicted.outcomes.in_order(
        predicted.attack_scores,
        predicted.attack_right,
        predicted.baseline_scores,
        predicted.baseline_right,
    )
    return shared_numbers(outcomes, predicted.units, predicted.scoring, seed=predicted.seed)


class Tally:
    """Predictions so far, in growing columns.

    If the attack abstains, the baseline's prediction has the lowest score: 0, or less if the attack
    has negative scores.
    """

    def __init__(self) -> None:
        self._columns: defaultdict[str, list[NDArray[Any]]] = defaultdict(list)
        self.guessed: list[BaselinePredictions] = []
        self.attempts = 0

    def __getitem__(self, name: str) -> NDArray[Any]:
        return np.concatenate(self._columns[name])

    @property
    def attack_scores(self) -> NDArray[np.float64]:
        """The rank score of each prediction."""
        scores, none = self["given_scores"], self["abstained"]
        lowest = scores[~none].min(initial=0.0)
        return np.where(none, lowest - 1.0 if lowest < 0 else 0.0, scores)

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
        """Add a batch."""
        none, right = attack.abstained, partial(scenario.is_right, truth=truth)
        values = np.where(none, baseline.values, attack.values)
        found: dict[str, NDArray[Any]] = {
            "rows": rows,
            "truth": truth,
            "abstained": none,
            "attack_values": values,
            "given_scores": attack.scores,
            "attack_right": right(values),
            "baseline_values": baseline.values,
            "baseline_scores": baseline.scores,
            "baseline_right": right(baseline.values),
            "guessed_right": right(baseline.everybody),
        }
        if attack.probabilities is not None:
            given = attack.probabilities[np.arange(len(truth)), truth]
            found["probability"] = np.where(none, np.nan, given)
        if attack.learned is not None:
            codes = np.arange(attack.learned.shape[1])
            learned, _ = likeliest_right(attack.learned, codes, near=scenario.near)
            found["learned_right"] = right(learned)
        if attack.records is not None:
            told = attack.records.values
            others = np.stack([right(values) for values in told[:, 5:].T], axis=1)
            has = told[:, 5:] >= 0
            found["first_right"] = right(told[:, 0]).astype(np.float64)
            found["others_right"] = (others & has).sum(axis=1) / np.maximum(has.sum(axis=1), 1)
            found["chances"] = attack.records.chances
        for name, column in found.items():
            self._columns[name].append(column)
        self.guessed.append(baseline)
        self.attempts += len(rows)

    def outcomes(self, plan: TargetPlan, max_thresholds: int) -> Outcomes:
        """Count all predictions so far."""
        rows = self["rows"]
        units = plan.units[rows]
        alone = len(np.unique(units)) == len(units)
        return Outcomes.from_predictions(
            self.attack_scores,
            self["attack_right"],
            self["baseline_scores"],
            self["baseline_right"],
            units=None if alone else units,
            weights=plan.weights[rows],
            guessed=self["guessed_right"],
            recall_scale=plan.recall_scale,
            max_thresholds=max_thresholds,
        )

    def predicted(self, prepared: PreparedScenario, settings: RunSettings) -> PredictedTargets:
        """Return the predictions for measures."""
        targets, size = prepared.targets, prepared.view.unknown.size
        columns: dict[str, Any] = {"probability": None, "learned_right": None}
        found = [each.name for each in fields(FoundRows)]
        own = ("rows", "guessed_right", "given_scores", *found)
        columns |= {n: self[n] for n in self._columns if n not in own}
        if found[0] in self._columns:
            columns["rows"] = FoundRows(**{name: self[name] for name in found})
        return PredictedTargets(
            **columns,
            attack_scores=self.attack_scores,
            scenario=targets.scenario,
            unknown=prepared.view.unknown,
            prevalence=np.bincount(targets.unknown, minlength=size) / len(targets.unknown),
            units=targets.plan.units[self["rows"]],
            outcomes=self.outcomes(targets.plan, settings.loop.max_thresholds),
            scoring=settings.scoring,
            resamples=settings.loop.resamples,
            seed=targets.seed,
        )
