"""One scenario on one release, for any number of attacks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from msgspec import structs

from alc_core.assessment.loop import RunSettings, Watch, attack_loop, scenario_baseline
from alc_core.assessment.prepare import PreparedScenario, ScenarioData, prepare_scenario
from alc_core.assessment.result import Assessment, worst_of
from alc_core.attacks.protocol import (
    Attack,
    Predictor,
    has_converged,
    notes_of,
    predicted_by,
    prepared_by,
)
from alc_core.attacks.registry import make_attack, refusal, usual_attacks
from alc_core.baselines.families import Family
from alc_core.baselines.folds import ScenarioBaseline
from alc_core.errors import InputError
from alc_core.measures.rows_traced import RowsTraced
from alc_core.note import KEPT, Note, as_notes
from alc_core.releases.answers import asked_tables, knowing_intervals
from alc_core.releases.registry import ReleaseLike, as_release
from alc_core.releases.release import Release
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scenario.derived import check_derived
from alc_core.scenario.no_value import settled
from alc_core.scenario.preflight import FindingsCallback, check_before_run
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.table import Table

_TRACED = 0.7  # Least share of rows traced that vouches for what is learned of them


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """A scenario on a release with targets and baseline, ready for attacks."""

    prepared: PreparedScenario  # Targets, and what an attack may use
    # For all attacks on the targets; fitted when first used
    baseline: ScenarioBaseline
    settings: RunSettings  # What else results depend on

    @classmethod
    def of(
        cls,
        original: Table,
        release: Release,
        scenario: Scenario,
        settings: RunSettings,
        *,
        accept: Collection[str] = (),
        tell: FindingsCallback | None = None,
        reporter: Reporter | None = None,
    ) -> Run:
        """Check and encode tables, plan the targets.

        Known columns are in the original's order, as in a campaign.
        """
        reporter = reporter or Reporter()
        reporter.report("Checking the tables")
        scenario = knowing_intervals(scenario, original, release)
        original, (release,) = asked_tables(original, [release], scenario.named)
        place = {column: number for number, column in enumerate(original.columns)}
        known = sorted(scenario.known, key=lambda column: place.get(column, len(place)))
        scenario = replace(scenario, known=known)
        check_derived(original, scenario)
        checker = release.checker(original)
        notes = check_before_run(checker, original, scenario, accept=accept, tell=tell)
        reporter.report("Encoding the tables")
        scenario = settled(scenario, original)
        return cls.on(ScenarioData.of(original, release, scenario), scenario, settings, notes=notes)

    @classmethod
    def on(
        cls,
        data: ScenarioData,
        scenario: Scenario,
        settings: RunSettings,
        *,
        notes: tuple[Note, ...] = (),
        like: Run | None = None,
    ) -> Run:
        """Plan targets on encoded, checked tables."""
        if like is not None and scenario.level == "release":
            encoded, asked = data.encoded.data, (scenario.unknown, scenario.bins, scenario.markers)
            truth = encoded.as_unknown(encoded.original, *asked)
            like = like if np.array_equal(truth, like.prepared.targets.unknown) else None
        prepared = prepare_scenario(
            data,
            scenario,
            folds=settings.loop.folds,
            seed=settings.seed,
            notes=notes,
            targets=like.prepared.targets if like else None,
        )
        baseline = like.baseline if like else scenario_baseline(prepared.targets, settings)
        return cls(prepared=prepared, baseline=baseline, settings=settings)

    def shuffled(self, rng: np.random.Generator) -> Run:
        """Return the run with the release's unknown column shuffled."""
        view = self.prepared.view.shuffled(rng)
        return replace(self, prepared=replace(self.prepared, view=view))

    def attack(
        self, attack: Attack, *, reporter: Reporter | None = None, watch: Watch | None = None
    ) -> Assessment:
        """Run an attack through the loop."""
        reporter = reporter or Reporter()
        rng = np.random.default_rng([self.settings.seed, 1])
        predict = prepared_by(attack, self.prepared.view, rng)
        n_values = self.prepared.view.unknown.size
        batches = attack_loop(
            self.prepared,
            self.baseline,
            self.settings,
            attack_name=attack.name,
            reporter=reporter,
            watch=watch,
        )
        targets = next(batches)
        while True:
            try:
                targets = batches.send(predicted_by(attack, predict, targets, n_values))
            except StopIteration as stop:
                notes = (*_true_notes(predict, stop.value), *stop.value.notes)
                result: Assessment = structs.replace(
                    stop.value, notes=notes, converged=has_converged(predict)
                )
                done = result.attempts
                reporter.report("Computing the interval", done, done, of="people")
                _ = result.alc_interval
                return result


def _true_notes(predict: Predictor, result: Assessment) -> Iterator[Note]:
    """Yield an attack's notes, that of own rows only if most are found."""
    traced = result.measured.get(RowsTraced.name, {}).get("rows_traced")
    for note in as_notes(notes_of(predict)):
        if note.code != KEPT or (traced is not None and traced.value >= _TRACED):
            yield note


def assess(
    original: TableLike,
    release: ReleaseLike,
    scenario: Scenario,
    *,
    attack: Attack | str | None = None,
    families: Sequence[Family] | None = None,
    scoring: ScoringParameters | None = None,
    loop: LoopParameters | None = None,
    seed: int = 0,
    accept: Collection[str] = (),
    tell: FindingsCallback | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> Assessment:
    """Attack a release in one scenario, and compare with the baseline.

    Parameters
    ----------
    original : Table, data frame or path
        Real people; its column kinds also apply to the release.
    release : Release, Table, data frame or path, or several tables of one release
    scenario : Scenario
    attack : Attack or str, optional
        A registered name takes non-default parameters after a colon. By default the usual ones
        (:func:`usual_attacks`), best row match and record linkage on rows.
    families : sequence of Family, optional
        Model families of the baseline.
    scoring : ScoringParameters, optional
    loop : LoopParameters, optional
    seed : int, default 0
        Same input and seed, same result, whatever the number of threads.
    accept : collection of str, optional
        Codes of the check's questions to accept.
    tell : callable, optional
        Called with the check's findings first.
    progress : callable, optional
        Called with a :class:`Progress`.
    cancel : callable, optional
        The run stops once it returns true.

    Returns
    -------
    Assessment
        Of several attacks the worst, with the others in `beside`.

    Raises
    ------
    PreflightError
        If the check finds an error, or a question not accepted.
    InputError
        If columns, values or parameters do not allow the attack.
    CancelledError
        If `cancel` returned true.

    References
    ----------
    Francis and Wagner (2025), sections 3.4 and 5.

    Examples
    --------
    >>> import alc_core as alc
    >>> demo, asked = alc.load_demo("fair"), alc.Scenario(["educ"], "religious", targets=200)
    >>> result = assess(demo.original, demo.releases["80% swapped"], asked, seed=1)
    >>> str(result.verdict)
    'no loss'
    """
    table = as_table(original, name="original")
    published = as_release(release, table)
    return worst_of(
        assess_attacks(
            table,
            published,
            scenario,
            usual_attacks(published) if attack is None else (attack,),
            families=families,
            scoring=scoring,
            loop=loop,
            seed=seed,
            accept=accept,
            tell=tell,
            progress=progress,
            cancel=cancel,
        )
    )


def assess_attacks(
    original: TableLike,
    release: ReleaseLike,
    scenario: Scenario,
    attacks: Sequence[Attack | str],
    *,
    families: Sequence[Family] | None = None,
    scoring: ScoringParameters | None = None,
    loop: LoopParameters | None = None,
    seed: int = 0,
    accept: Collection[str] = (),
    tell: FindingsCallback | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> tuple[Assessment, ...]:
    """Run several attacks in one scenario, with one check, encoding and baseline."""
    chosen = [make_attack(each) for each in attacks]
    table = as_table(original, name="original")
    published = as_release(release, table)
    for attack in chosen:
        if reason := refusal(attack.accepts, published):
            raise InputError(f"Attack '{attack.name}' {reason}. Choose another attack or release.")
    settings = RunSettings(
        scoring=scoring or ScoringParameters(),
        loop=loop or LoopParameters(),
        seed=seed,
        families=families,
    )
    reporter = Reporter(progress=progress, cancel=cancel)
    run = Run.of(table, published, scenario, settings, accept=accept, tell=tell, reporter=reporter)
    return tuple(run.attack(attack, reporter=reporter) for attack in chosen)
