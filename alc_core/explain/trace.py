"""An attack run again to see for whom it was right; held in memory only, never in a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import BoolArray, CodeArray, FloatArray
from alc_core.assessment.loop import RunSettings, Tally
from alc_core.assessment.prepare import ScenarioData
from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run
from alc_core.attacks.protocol import Attack, Predictions
from alc_core.attacks.registry import attack_type, make_attack
from alc_core.baselines.families import Family
from alc_core.baselines.folds import BaselinePredictions
from alc_core.errors import InputError
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.tables.codes.encode import CategoricalCodes
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttackTrace:
    """What came of every target, by its row in the original. Of people: do not store it."""

    rows: NDArray[np.intp]  # Row of the original
    scores: FloatArray  # Rank score of the attack, 0 where it abstained
    correct: BoolArray  # Whether the attack is right; where it abstained, whether the baseline is
    baseline_scores: FloatArray  # The same of the baseline
    baseline_correct: BoolArray
    unknown: CodeArray  # Codes of the true unknown value
    codes: CategoricalCodes  # What these codes mean
    known_columns: tuple[str, ...]  # The known attributes
    recall_scale: float  # See :class:`PrecisionRecallCurve`
    # Whether the counts are those of the stored result. If not, software or settings changed.
    same: bool

    def __len__(self) -> int:
        return len(self.rows)


def attack_of(run: Assessment) -> Attack:
    """Return the attack of a result, to run it again."""
    if attack_type(run.attack_name) is None:
        raise InputError(
            f"The attack '{run.attack_name}' is not a registered one, so it cannot be run again "
            "here. Register it first."
        )
    return make_attack(run.attack_name)


def trace_attack(
    original: Table,
    release: Release,
    run: Assessment,
    *,
    families: Sequence[Family] | None = None,
    reporter: Reporter | None = None,
) -> AttackTrace:
    """Run an attack again with the same seed, keeping what came of every target."""
    reporter = reporter or Reporter()
    attack = attack_of(run)
    reporter.report("Encoding the tables")
    data = ScenarioData.of(original, release, run.scenario)
    tracing = Run.on(data, run.scenario, RunSettings.again(run, families=families))
    targets, tally = tracing.prepared.targets, Tally()

    def watch(rows: NDArray[np.intp], attacked: Predictions, guessed: BaselinePredictions) -> None:
        tally.add(rows, targets.unknown[rows], attacked, guessed, run.scenario)

    again = tracing.attack(attack, reporter=reporter, watch=watch)
    return AttackTrace(
        rows=tally["rows"],
        scores=tally["attack_scores"],
        correct=tally["attack_right"],
        baseline_scores=tally["baseline_scores"],
        baseline_correct=tally["baseline_right"],
        unknown=tally["truth"],
        codes=tracing.prepared.view.unknown,
        known_columns=tuple(run.scenario.known),
        recall_scale=targets.plan.recall_scale,
        same=again.outcomes == run.outcomes,
    )
