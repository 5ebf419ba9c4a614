"""Finished campaigns under other scoring parameters, fast enough for a slider."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.campaign.file.curve_table import CurveTable
from alc_core.campaign.rescore.interval_transfer import (
    EstimatedLoss,
    approximate_interval,
    loss_standard_error,
    prc_variance,
)
from alc_core.campaign.rescore.outcome_codes import (
    OUTCOMES,
    CodeArray,
    code_of,
    decide_all,
    severity_of,
)
from alc_core.campaign.rescore.points import BestPoints, measured_points, points_alike
from alc_core.campaign.rescore.rescored import Rescored, RescoredReading
from alc_core.errors import InputError
from alc_core.scoring.formulas import anonymity_loss
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import FLAGGED, HARMLESS, Verdict

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Flips:
    """Attacks whose outcome differs between two scorings.

    Attributes
    ----------
    numbers : ndarray of int64 of shape (n_flips,)
        Which attacks.
    before, after : ndarray of int8 of shape (n_flips,)
        Codes of :data:`OUTCOMES`.
    counts : ndarray of int64 of shape (n_outcomes, n_outcomes)
        All attacks by outcome before (rows) and after (columns); the diagonal did not change.
    """

    numbers: IntArray
    before: CodeArray
    after: CodeArray
    counts: IntArray

    def __len__(self) -> int:
        return len(self.numbers)


def rescore(
    curves: CurveTable,
    scoring: ScoringParameters,
    *,
    run_scoring: ScoringParameters,
    run: Rescored | None = None,
) -> Rescored:
    """Score finished attacks by other parameters.

    Measures and ALC are those of :meth:`rescore`, digit by digit.

    Parameters
    ----------
    curves : CurveTable
        Counts of the finished attacks.
    scoring : ScoringParameters
        What to score by.
    run_scoring : ScoringParameters
        How the run was scored, to which the intervals of `curves` belong.
    run : Rescored, optional
        What this function returned for the same curves and ``scoring=run_scoring``: it halves the
        time where intervals are approximate, and leaves almost nothing to do where only limits
        differ.

    Returns
    -------
    Rescored
        In the order of `curves`.

    Raises
    ------
    InputError
        If `run` belongs to other attacks or another scoring.

    Notes
    -----
    The interval is the run's bootstrap unless a parameter that it depends on has changed: all but
    the limits `at_risk` and `serious`. Then it is approximate, see
    :func:`approximate_interval`. It is so, too, where the file holds none of both readings: it was
    written by an earlier version.
    """
    same = _same_interval(scoring, run_scoring)
    if run is not None:
        _check_run(run, curves, run_scoring)
        if same:
            outcome, by_equal_recall = verdicts(
                run.own,
                run.equal_recall,
                run.baseline_alike.precision,
                scoring,
                unmatched=curves.unmatched,
                unconverged=curves.unconverged,
            )
            return replace(run, scoring=scoring, outcome=outcome, by_equal_recall=by_equal_recall)
    attack = measured_points(curves, curves.attack, scoring)
    baseline = measured_points(curves, curves.baseline, scoring)
    alike = points_alike(curves, attack.predictions, scoring)
    measured = ~np.isnan(curves.own.low)
    exact = measured if same else np.zeros(len(curves), dtype=bool)
    if run is None and not same:
        run = rescore(curves, run_scoring, run_scoring=run_scoring)
    readings = []
    for name, guess in (("own", baseline), ("equal_recall", alike)):
        estimated = _estimated(curves, attack, guess, scoring)
        stored = getattr(curves, name)
        before = None if run is None else getattr(run, name)
        source = estimated if before is None else _run_estimate(before, run_scoring)
        low, high = approximate_interval(source, estimated, low=stored.low, high=stored.high)
        readings.append(
            RescoredReading(
                alc=estimated.alc,
                low=np.where(exact, stored.low, low),
                high=np.where(exact, stored.high, high),
                standard_error=estimated.standard_error,
            )
        )
    own, equal_recall = readings
    outcome, by_equal_recall = verdicts(
        own, equal_recall, alike.precision, scoring,
        unmatched=curves.unmatched, unconverged=curves.unconverged,
    )  # fmt: skip
    return Rescored(
        numbers=curves.numbers,
        scoring=scoring,
        exact=exact,
        own=own,
        equal_recall=equal_recall,
        by_equal_recall=by_equal_recall,
        outcome=outcome,
        attack=attack,
        baseline=baseline,
        baseline_alike=alike,
        attempts=curves.attempts,
    )


def verdicts(
    own: RescoredReading,
    equal_recall: RescoredReading,
    precision_alike: FloatArray,
    scoring: ScoringParameters,
    *,
    unmatched: NDArray[np.bool_] | None = None,
    unconverged: NDArray[np.bool_] | None = None,
) -> tuple[CodeArray, NDArray[np.bool_]]:
    """Return the verdict of each attack, and whether ALC at equal recall decides it.

    Parameters
    ----------
    own, equal_recall : RescoredReading
        Both readings.
    precision_alike : ndarray of shape (n_attacks,)
        Precision of the baseline at the attack's recall, capped.
    scoring : ScoringParameters
        Holds the limits and the cap.
    unmatched, unconverged : ndarray of bool of shape (n_attacks,), optional
        Attacks that nothing clears, see :func:`cleared`.

    Returns
    -------
    outcome : ndarray of int8 of shape (n_attacks,)
        Codes of :data:`OUTCOMES`.
    by_equal_recall : ndarray of bool of shape (n_attacks,)
        As :func:`decisive` chooses.
    """
    codes = [decide_all(each.alc, (each.low, each.high), scoring) for each in (own, equal_recall)]
    ranks = [severity_of(each) for each in codes]
    higher = (ranks[0] == ranks[1]) & (equal_recall.alc > own.alc)
    by_equal_recall = (ranks[1] > ranks[0]) | higher
    outcome = np.where(by_equal_recall, codes[1], codes[0])
    if unmatched is not None:
        harmless = np.isin(outcome, [code_of(verdict) for verdict in HARMLESS])
        outcome = np.where(unmatched & harmless, code_of(Verdict.UNDECIDED), outcome)
    nothing = precision_alike >= scoring.precision_cap
    outcome = np.where(nothing, code_of(Verdict.NOTHING_LEFT), outcome)
    if unconverged is not None:
        flagged = np.isin(outcome, [code_of(verdict) for verdict in FLAGGED])
        outcome = np.where(unconverged & ~flagged, code_of(Verdict.NOT_CONVERGED), outcome)
    return outcome, by_equal_recall


def flips(before: Rescored, after: Rescored) -> Flips:
    """Return which attacks change their outcome between two scorings.

    Parameters
    ----------
    before, after : Rescored
        The same attacks in the same order.

    Returns
    -------
    Flips
        From what to what.

    Raises
    ------
    InputError
        If the attacks differ.
    """
    if not np.array_equal(before.numbers, after.numbers):
        raise InputError(
            f"Only the same attacks can be compared, but there are {len(before)} before and "
            f"{len(after)} after, or their numbers differ. Rescore both from the same curves."
        )
    changed = before.outcome != after.outcome
    counts = np.zeros((len(OUTCOMES), len(OUTCOMES)), dtype=np.int64)
    np.add.at(counts, (before.outcome, after.outcome), 1)
    return Flips(
        numbers=before.numbers[changed],
        before=before.outcome[changed],
        after=after.outcome[changed],
        counts=counts,
    )


def _same_interval(one: ScoringParameters, other: ScoringParameters) -> bool:
    names = {field.name for field in fields(one)} - {"at_risk", "serious", "control"}
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _check_run(run: Rescored, curves: CurveTable, run_scoring: ScoringParameters) -> None:
    same = np.array_equal(run.numbers, curves.numbers)
    if not (same and _same_interval(run.scoring, run_scoring)):
        raise InputError(
            f"run must hold the same {len(curves.numbers)} attacks at the run's scoring, but holds "
            f"{len(run)} at another, or others. Leave it out, or rescore with run_scoring first."
        )


def _run_estimate(run: RescoredReading, scoring: ScoringParameters) -> EstimatedLoss:
    return EstimatedLoss(alc=run.alc, standard_error=run.standard_error, scoring=scoring)


def _estimated(
    curves: CurveTable, attack: BestPoints, baseline: BestPoints, scoring: ScoringParameters
) -> EstimatedLoss:
    variances = [
        prc_variance(
            side.predictions,
            side.true_predictions,
            attempts=curves.attempts,
            recall_scale=curves.recall_scale,
            scoring=scoring,
        )
        for side in (attack, baseline)
    ]
    return EstimatedLoss(
        alc=anonymity_loss(attack.prc, baseline.prc, kind=scoring.loss),
        standard_error=loss_standard_error(
            (attack.prc, variances[0]), (baseline.prc, variances[1]), kind=scoring.loss
        ),
        scoring=scoring,
    )
