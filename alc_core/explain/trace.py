"""An attack run again to see for whom it was right; held in memory only, never in a file.

So are the most exposed people: those whom only the release gives away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
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
from alc_core.phrasing import count, percent
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
        recall_scale=targets.plan.recall_scale,
        same=again.outcomes == run.outcomes,
    )


MASK = "•••"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExposedPeople:
    """People for whom the attack is sure and right, and the baseline wrong; surest first."""

    rows: NDArray[np.intp]  # Rows of the original
    scores: NDArray[np.float64]  # Rank scores of the attack
    baseline_scores: NDArray[np.float64]  # How sure the baseline was of its wrong guess
    # People for whom it is the other way round: the attack predicts and is wrong, the baseline is
    # right. Were the attack no better than chance, there would be about as many of them.
    reverse: int
    predictions: int  # People for whom the attack predicts at this threshold, and all it was on
    attacked: int
    threshold: float  # Rank score from which it predicts

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def share(self) -> float:
        """Of all people attacked."""
        return len(self) / self.attacked


def exposed_people(trace: AttackTrace, *, threshold: float) -> ExposedPeople:
    """Find the people whom only the release gives away."""
    made = trace.scores >= threshold
    found = np.flatnonzero(made & trace.correct & ~trace.baseline_correct)
    order = np.lexsort((trace.rows[found], -trace.baseline_scores[found], -trace.scores[found]))
    chosen = found[order]
    return ExposedPeople(
        rows=trace.rows[chosen],
        scores=trace.scores[chosen],
        baseline_scores=trace.baseline_scores[chosen],
        reverse=int((made & ~trace.correct & trace.baseline_correct).sum()),
        predictions=int(made.sum()),
        attacked=len(trace),
        threshold=threshold,
    )


def exposed_sentence(exposed: ExposedPeople) -> str:
    """Say how many people are exposed at this threshold, and what share."""
    people = "person is" if len(exposed) == 1 else "people are"
    return (
        f"{count(len(exposed))} {people} exposed, {percent(exposed.share)} of the "
        f"{count(exposed.attacked)} attacked: with a rank score of at least "
        f"{exposed.threshold:.3g} the attack names their value and is right, while the best guess "
        f"without their record is wrong. For {count(exposed.reverse)} it is the other way round, "
        "so some of the exposed are there by chance."
    )


def exposed_table(
    exposed: ExposedPeople,
    original: Table,
    columns: tuple[str, ...],
    *,
    start: int = 0,
    rows: int = 20,
    reveal: bool = False,
) -> pd.DataFrame:
    """Lay out some of the exposed people for the eye."""
    places = np.arange(start, min(start + rows, len(exposed)))
    chosen = exposed.rows[places]
    table = {
        "Place": [str(place + 1) for place in places],
        "Rank score": [f"{score:.2f}" for score in exposed.scores[places]],
        "Row": [str(row + 1) if reveal else MASK for row in chosen],
    }
    for column in columns:
        if reveal:
            values = original.frame[column].iloc[chosen]
            shown = ["(missing)" if pd.isna(value) else str(value) for value in values]
        else:
            shown = [MASK] * len(places)
        # A column of the data may be called like one of ours.
        table[f"{column} (column)" if column in table else column] = shown
    return pd.DataFrame(table, dtype="str")
