"""The attack loop of the paper: targets in batches, baselines by fold, halting in between."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from alc_core.assessment import Assessment, TableSummary
from alc_core.attacks.protocol import AttackView, KnownValues, Predictions, ReleasedRows
from alc_core.baselines import Family, Features, FoldBaselines, default_families
from alc_core.errors import InputError, PreflightError
from alc_core.halting import HaltingReason, HaltingState, check_halting
from alc_core.outcomes import Outcomes
from alc_core.parameters import LoopParameters, ScoringParameters
from alc_core.progress import Reporter
from alc_core.release import Release
from alc_core.scenario import Scenario
from alc_core.tables import Finding, Severity, Table, check_tables
from alc_core.tables.encode import CodeArray, EncodedData, EncodedTable, encode
from alc_core.targets import TargetPlan, plan_targets
from alc_core.version import software_versions

BatchLoop = Generator[KnownValues, Predictions, Assessment]
"""Yields the known attributes of a batch of targets, is sent predictions, returns the result."""

FindingsCallback = Callable[[tuple[Finding, ...]], None]
"""Takes the findings of the pre-flight check."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedScenario:
    """A scenario on encoded data, ready for an attack.

    Attributes
    ----------
    scenario : Scenario
        What is attacked.
    view : AttackView
        What the attack may use.
    known : KnownValues
        Known attributes of the original's rows.
    unknown : ndarray of int32
        Codes of the unknown attribute of the original's rows.
    plan : TargetPlan
        Targets and folds.
    original : TableSummary
        Of the original.
    release : tuple of TableSummary
        Of the released tables.
    notes : tuple of str
        Decisions so far that the result must tell.
    seed : int
        Of the plan and all that follows.
    """

    scenario: Scenario
    view: AttackView
    known: KnownValues
    unknown: CodeArray
    plan: TargetPlan
    original: TableSummary
    release: tuple[TableSummary, ...]
    notes: tuple[str, ...]
    seed: int


def check_before_run(
    original: Table,
    release: Release,
    scenario: Scenario,
    *,
    accept: Collection[str] = (),
    tell: FindingsCallback | None = None,
) -> None:
    """Run the pre-flight check and raise on anything that must be answered or mended first.

    Parameters
    ----------
    original : Table
        The original.
    release : Microdata
        What is published.
    scenario : Scenario
        Only the columns of the scenario can stop the run.
    accept : collection of str
        Codes of questions that are answered.
    tell : callable, optional
        Called with all findings, worst first, before anything is raised.

    Raises
    ------
    PreflightError
        If there is an error, or a question that is not accepted.
    """
    findings = check_tables(
        original,
        release.tables,
        known=scenario.known,
        unknown=scenario.unknown,
        person=scenario.person,
        household=scenario.household,
    )
    if tell is not None:
        tell(findings)
    blocking = tuple(f for f in findings if f.blocking and not _is_accepted(f, accept))
    if blocking:
        first = blocking[0]
        answer = (
            f" If this is as it should be, accept '{first.code}'."
            if first.severity is Severity.QUESTION
            else ""
        )
        more = f" (And {len(blocking) - 1} more to mend or answer.)" if len(blocking) > 1 else ""
        raise PreflightError(
            f"{first.place}: {first.message} {first.action}{answer}{more}", blocking
        )


def _is_accepted(finding: Finding, accept: Collection[str]) -> bool:
    return finding.severity is Severity.QUESTION and finding.code in accept


def prepare_scenario(
    original: Table,
    release: Release,
    scenario: Scenario,
    *,
    data: EncodedData | None = None,
    folds: int | None = None,
    seed: int = 0,
) -> PreparedScenario:
    """Encode what the scenario needs and plan its targets.

    Parameters
    ----------
    original : Table
        The original.
    release : Microdata
        What is published.
    scenario : Scenario
        What is attacked.
    data : EncodedData, optional
        The same tables encoded already, at least the scenario's columns.
    folds : int, optional
        Parts that are held out in turn.
    seed : int
        Of the plan and all that follows.

    Returns
    -------
    PreparedScenario
        Independent of the attack.
    """
    data = data or encode(original, release.tables, columns=scenario.columns)
    specs = {column: data.specs[column] for column in scenario.known}
    unknown = data.as_unknown(data.original, scenario.unknown, scenario.bins)
    tables = tuple(
        ReleasedRows(
            name=table.name,
            known=_known_values(table, data, scenario),
            unknown=data.as_unknown(table, scenario.unknown, scenario.bins),
        )
        for table in data.released
        if scenario.unknown in table.columns
        and any(column in table.columns for column in scenario.known)
    )
    if not tables:
        raise InputError(
            f"No released table holds the unknown column '{scenario.unknown}' together with a "
            "known one, so there is nothing to attack. Choose other columns."
        )
    if empty := [table.name for table in tables if len(table) == 0]:
        raise InputError(f"Released table '{empty[0]}' has no rows. Give a table with rows.")
    plan = plan_targets(
        original, scenario, unknown, folds=folds, rng=np.random.default_rng([seed, 0])
    )
    unused = [table.name for table in data.released if scenario.unknown not in table.columns]
    return PreparedScenario(
        scenario=scenario,
        view=AttackView(
            tables=tables,
            known=specs,
            unknown=data.unknown_codes(scenario.unknown, scenario.bins),
        ),
        known=_known_values(data.original, data, scenario),
        unknown=unknown,
        plan=plan,
        original=_summary(original),
        release=tuple(_summary(table) for table in release.tables),
        notes=tuple(
            f"Released table '{name}' lacks the unknown column and was not used." for name in unused
        ),
        seed=seed,
    )


def _known_values(table: EncodedTable, data: EncodedData, scenario: Scenario) -> KnownValues:
    return KnownValues(
        specs={column: data.specs[column] for column in scenario.known},
        columns={c: table.columns[c] for c in scenario.known if c in table.columns},
        n_rows=len(table),
    )


def _summary(table: Table) -> TableSummary:
    return TableSummary(
        name=table.name,
        rows=len(table),
        columns=len(table.columns),
        fingerprint=table.fingerprint,
    )


@dataclass(slots=True)
class _Tally:
    """Predictions so far; grows batch by batch inside the loop."""

    attack_scores: list[NDArray[np.float64]] = field(default_factory=list)
    attack_correct: list[NDArray[np.bool_]] = field(default_factory=list)
    baseline_scores: list[NDArray[np.float64]] = field(default_factory=list)
    baseline_correct: list[NDArray[np.bool_]] = field(default_factory=list)
    rows: list[NDArray[np.intp]] = field(default_factory=list)
    models: dict[str, int] = field(default_factory=dict)
    abstentions: int = 0

    @property
    def attempts(self) -> int:
        return sum(map(len, self.rows))

    def add(
        self,
        rows: NDArray[np.intp],
        truth: CodeArray,
        attack: Predictions,
        baseline: tuple[NDArray[np.int64], NDArray[np.float64]],
        model: str,
    ) -> None:
        """Add a batch; where the attack abstains the baseline stands in with score 0."""
        values, scores = baseline
        self.rows.append(rows)
        self.baseline_scores.append(scores)
        self.baseline_correct.append(values == truth)
        self.attack_scores.append(np.where(attack.abstained, 0.0, attack.scores))
        self.attack_correct.append(np.where(attack.abstained, values, attack.values) == truth)
        self.models[model] = self.models.get(model, 0) + len(rows)
        self.abstentions += int(attack.abstained.sum())

    def outcomes(self, plan: TargetPlan, max_thresholds: int) -> Outcomes:
        units = plan.units[np.concatenate(self.rows)]
        alone = len(np.unique(units)) == len(units)
        return Outcomes.from_predictions(
            np.concatenate(self.attack_scores),
            np.concatenate(self.attack_correct),
            np.concatenate(self.baseline_scores),
            np.concatenate(self.baseline_correct),
            units=None if alone else units,
            recall_scale=plan.recall_scale,
            max_thresholds=max_thresholds,
        )


def attack_loop(
    prepared: PreparedScenario,
    *,
    attack_name: str,
    families: Sequence[Family] | None = None,
    scoring: ScoringParameters | None = None,
    loop: LoopParameters | None = None,
    reporter: Reporter | None = None,
) -> BatchLoop:
    """Yield batches of targets until the halting criteria are met.

    Parameters
    ----------
    prepared : PreparedScenario
        From :func:`prepare_scenario`.
    attack_name : str
        What the result calls the attack.
    families, scoring, loop
        See :func:`alc_core.assess`.
    reporter : Reporter, optional
        Told of the progress; raises to cancel.

    Yields
    ------
    KnownValues
        Known attributes of the next targets; send :class:`Predictions` for them.

    Returns
    -------
    Assessment
        As the value of ``StopIteration``.
    """
    scoring, loop = scoring or ScoringParameters(), loop or LoopParameters()
    reporter = reporter or Reporter()
    plan, wanted = prepared.plan, prepared.scenario.selection.count
    total = plan.n_targets if wanted in (None, "all") else min(int(wanted), plan.n_targets)
    features = Features.of(prepared.known)
    baselines = FoldBaselines(
        plan=plan,
        features=features,
        unknown=prepared.unknown,
        families=families or default_families(),
        scoring=scoring,
        max_rows=loop.max_training_rows,
        seed=prepared.seed,
    )
    tally, state = _Tally(), HaltingState(measures=loop.start_thresholds)
    for fold, rows, look in _batches(plan, total, loop):
        reporter.report("Learning the baseline", tally.attempts, total)
        baseline = baselines.without(fold)
        reporter.report("Attacking", tally.attempts, total)
        attacked = yield prepared.known.take(rows)
        attacked.check(len(rows), prepared.view.unknown.size, attack_name)
        guessed = baseline.predict(features.take(rows))
        tally.add(rows, prepared.unknown[rows], attacked, guessed, baseline.model)
        if wanted is None and look and loop.min_targets <= tally.attempts < total:
            outcomes = tally.outcomes(plan, loop.max_thresholds)
            state = check_halting(
                state, outcomes.attack, outcomes.baseline, scoring=scoring, loop=loop
            )
        if state.reason is not None:
            break
    return _result(prepared, tally, state, attack_name, scoring, loop)


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
    tally: _Tally,
    state: HaltingState,
    attack_name: str,
    scoring: ScoringParameters,
    loop: LoopParameters,
) -> Assessment:
    plan, wanted = prepared.plan, prepared.scenario.selection.count
    reached = tally.attempts < plan.n_targets or tally.attempts == wanted
    reason = state.reason or (HaltingReason.REQUESTED if reached else HaltingReason.EXHAUSTED)
    assessment = Assessment(
        scenario=prepared.scenario,
        attack_name=attack_name,
        outcomes=tally.outcomes(plan, loop.max_thresholds),
        scoring=scoring,
        loop=loop,
        seed=prepared.seed,
        halting=reason,
        models=tally.models,
        original=prepared.original,
        release=prepared.release,
        population=plan.population,
        abstentions=tally.abstentions,
        down_sampled_share=plan.down_sampled_share,
        notes=prepared.notes,
        versions=software_versions(),
    )
    # Raises now, not when first looked at, where no measure is precise enough.
    _ = assessment.alc
    return assessment
