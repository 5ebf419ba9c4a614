"""Outcomes and tables of curves made from counts alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from alc_core.assessment.result import Assessment
from alc_core.campaign.columns import Columns, FlatCurves, ResultRow, RunIntervals
from alc_core.campaign.rescore.rescoring import rescore
from alc_core.scoring.curves import PrecisionRecallCurve
from alc_core.scoring.outcomes import Outcomes, Rest
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import ComparedPoints


def curve_of(
    predictions: ArrayLike,
    true_predictions: ArrayLike,
    *,
    attempts: int | None = None,
    recall_scale: float = 1.0,
) -> PrecisionRecallCurve:
    """A curve of these counts, the highest threshold first; by default all targets are answered."""
    made = np.asarray(predictions, dtype=np.int64)
    return PrecisionRecallCurve(
        thresholds=np.linspace(1, 0, len(made)),
        predictions=made,
        true_predictions=np.asarray(true_predictions, dtype=np.int64),
        attempts=int(made[-1]) if attempts is None else attempts,
        recall_scale=recall_scale,
    )


def paired(attack: PrecisionRecallCurve, baseline: PrecisionRecallCurve) -> Outcomes:
    """Pair the targets of two curves in the order of their scores; abstentions are no targets."""
    sides = []
    for curve in (attack, baseline):
        made, right = (
            np.diff(counts, prepend=0) for counts in (curve.predictions, curve.true_predictions)
        )
        first = np.repeat(np.arange(len(curve)), made)
        correct = np.concatenate(
            [np.arange(n) < t for n, t in zip(made.tolist(), right.tolist(), strict=True)]
        )
        sides += [first, correct.astype(np.int64)]
    size = min(len(sides[0]), len(sides[2]))
    joint = np.column_stack([side[:size] for side in sides])
    return Outcomes(
        attack=attack,
        baseline=baseline,
        joint=joint,
        guessed=joint[:, 3],
        units=np.arange(size),
        weights=np.ones(size),
    )


def points_of(outcomes: Outcomes, scoring: ScoringParameters | None = None) -> ComparedPoints:
    """The points of these targets that both readings compare."""
    scoring = scoring or ScoringParameters()
    rest = Rest.of(outcomes, scoring.precision_cap)
    return ComparedPoints.of(outcomes.attack, outcomes.baseline, rest, scoring)


def flat(curves: Sequence[PrecisionRecallCurve]) -> FlatCurves:
    """The counts of curves end to end."""
    counts = ([c.predictions, c.true_predictions] for c in curves)
    return FlatCurves.of([tuple(n.astype("<i4").tobytes() for n in each) for each in counts])


def table_of(assessments: Mapping[int, Assessment], *, cap: float | None = None) -> Columns:
    """The columns of assessments by their numbers, without a file; by default at the run's cap."""
    if cap is None:
        found = list(assessments.values())
        cap = found[0].scoring.precision_cap if found else ScoringParameters().precision_cap
    return Columns.of({n: ResultRow.of(each, cap=cap) for n, each in assessments.items()}, cap=cap)


def table_of_pairs(
    pairs: Sequence[tuple[PrecisionRecallCurve, PrecisionRecallCurve]],
    *,
    own: Sequence[tuple[float, float]] | None = None,
    among_rest: Sequence[tuple[float, float]] | None = None,
    scoring: ScoringParameters | None = None,
    **more: Any,
) -> Columns:
    """A table of (attack, baseline) curves; without intervals it is as an old file has it."""
    unknown = [(np.nan, np.nan)] * len(pairs)
    cap = (scoring or ScoringParameters()).precision_cap
    rests = [Rest.of(paired(*pair), cap) for pair in pairs]
    fields: dict[str, Any] = {
        "numbers": np.arange(len(pairs)),
        "attack": flat([attack for attack, _ in pairs]),
        "baseline": flat([baseline for _, baseline in pairs]),
        "attempts": np.array([attack.attempts for attack, _ in pairs], dtype=np.int64),
        "recall_scale": np.array([attack.recall_scale for attack, _ in pairs]),
        # One person only: whoever is exposed matters, and nobody was left to attack
        "people": np.ones(len(pairs), dtype=np.int64),
        "candidates": np.ones(len(pairs), dtype=np.int64),
        "complete": np.zeros(len(pairs), dtype=bool),
        "rest": flat([rest.attack for rest in rests]),
        "gain": np.concatenate([rest.gain for rest in rests] or [np.empty(0)]),
        "known": np.array([rest.known for rest in rests], dtype=np.int64),
        "known_right": np.array([rest.known_right for rest in rests], dtype=np.int64),
        "scale": np.ones(len(pairs)),
        "cap": cap,
        "own": RunIntervals.of(own or unknown),
        "among_rest": RunIntervals.of(among_rest or own or unknown),
        "exposed": RunIntervals.of(unknown),
        "unmatched": np.zeros(len(pairs), dtype=bool),
        "unconverged": np.zeros(len(pairs), dtype=bool),
        "measured": ({},) * len(pairs),
        "shared": (None,) * len(pairs),
    }
    return Columns(**{**fields, **more})


def with_intervals(curves: Columns, width: float) -> Columns:
    """The same table as a run has it: the interval of each reading reaches so far to both sides."""
    scoring = ScoringParameters()
    run = rescore(curves, scoring, run_scoring=scoring)
    intervals = {
        name: RunIntervals(low=reading.alc - width, high=reading.alc + width)
        for name, reading in (("own", run.own), ("among_rest", run.among_rest))
    }
    exposed = RunIntervals(low=run.exposed, high=run.exposed)
    return replace(curves, **intervals, exposed=exposed)
