"""One scenario from tables to assessment, in a single call."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pandas as pd

from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run, RunSettings
from alc_core.attacks.best_row_match import BestRowMatch
from alc_core.attacks.protocol import Attack
from alc_core.attacks.registry import make_attack, refusal
from alc_core.baselines.families import Family
from alc_core.errors import InputError
from alc_core.releases.registry import ReleaseLike, as_release, as_table
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scenario.preflight import FindingsCallback
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.tables.table import Table


def assess(
    original: Table | pd.DataFrame,
    release: ReleaseLike,
    scenario: Scenario,
    *,
    attack: Attack | str = BestRowMatch.name,
    families: Sequence[Family] | None = None,
    scoring: ScoringParameters | None = None,
    loop: LoopParameters | None = None,
    seed: int = 0,
    accept: Collection[str] = (),
    tell: FindingsCallback | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> Assessment:
    """Attack a release in one scenario and compare the attack with its baseline.

    Parameters
    ----------
    original : Table or DataFrame
        The table of real people. Its column kinds apply to the release, too.
    release : Microdata, Table, DataFrame, or several tables of one release
        What is published.
    scenario : Scenario
        Known and unknown attributes, target selection.
    attack : Attack or str, default "best row match"
        An attack, or the name of a registered one; parameters that differ from their defaults
        follow after a colon.
    families : sequence of Family, optional
        Model families that the baseline is chosen from.
    scoring : ScoringParameters, optional
        PRC parameters, confidence and risk limits.
    loop : LoopParameters, optional
        Number of targets, folds and halting criteria.
    seed : int, default 0
        Same input and seed, same result, whatever the number of threads.
    accept : collection of str, optional
        Codes of pre-flight questions that are answered: the run goes on in spite of them.
    tell : callable, optional
        Called with the findings of the pre-flight check before anything runs.
    progress : callable, optional
        Called with a :class:`Progress` now and then.
    cancel : callable, optional
        Asked now and then; the run stops once it returns true.

    Returns
    -------
    Assessment
        Frozen result.

    Raises
    ------
    PreflightError
        If the check of original against release finds an error, or a question not accepted.
    InputError
        If columns, values or parameters do not allow the attack.
    CancelledError
        If `cancel` asked for it.

    References
    ----------
    Francis and Wagner (2025), sections 3.4 and 5.
    """
    (assessment,) = assess_attacks(
        original,
        release,
        scenario,
        (attack,),
        families=families,
        scoring=scoring,
        loop=loop,
        seed=seed,
        accept=accept,
        tell=tell,
        progress=progress,
        cancel=cancel,
    )
    return assessment


def assess_attacks(
    original: Table | pd.DataFrame,
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
    """Run several attacks in one scenario; check, encoding and baseline are made once for all."""
    chosen = [make_attack(each) if isinstance(each, str) else each for each in attacks]
    table, published = as_table(original, name="original"), as_release(release)
    for attack in chosen:
        if reason := refusal(attack.accepts, published):
            raise InputError(
                f"Attack '{attack.name}' {reason}. Choose another attack, or another release."
            )
    settings = RunSettings(
        scoring=scoring or ScoringParameters(),
        loop=loop or LoopParameters(),
        seed=seed,
        families=families,
    )
    reporter = Reporter(progress=progress, cancel=cancel)
    run = Run.of(table, published, scenario, settings, accept=accept, tell=tell, reporter=reporter)
    return tuple(run.attack(attack, reporter=reporter) for attack in chosen)
