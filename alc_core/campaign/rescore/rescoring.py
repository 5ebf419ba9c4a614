"""Finished campaigns under other scoring parameters, fast enough for a slider."""

from __future__ import annotations

from collections.abc import Collection
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
from alc_core.campaign.rescore.outcome_codes import OUTCOMES, CodeArray, decide_all
from alc_core.campaign.rescore.points import BestPoints, measured_points
from alc_core.errors import InputError
from alc_core.scoring.formulas import anonymity_loss
from alc_core.scoring.parameters import ScoringParameters

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rescored:
    """Every finished attack of a campaign under one set of scoring parameters.

    Attributes
    ----------
    numbers : ndarray of int64 of shape (n_attacks,)
        Which attacks, in the order of the curves.
    scoring : ScoringParameters
        The parameters.
    interval_exact : bool
        Whether the intervals are the bootstrap of the run; otherwise they are approximate.
    usable : ndarray of bool of shape (n_attacks,)
        Whether attack and baseline both have a significant threshold. Where not, the outcome is
        "too few targets" and the numbers are NaN.
    alc, low, high : ndarray of shape (n_attacks,)
        ALC and its interval.
    outcome : ndarray of int8 of shape (n_attacks,)
        Codes of :data:`OUTCOMES`.
    attack, baseline : BestPoints
        The points compared.
    attempts : ndarray of int64 of shape (n_attacks,)
        Targets attacked.
    standard_error : ndarray of shape (n_attacks,)
        What intervals are approximated by; see :mod:`interval_transfer`.
    """

    numbers: IntArray
    scoring: ScoringParameters
    interval_exact: bool
    usable: NDArray[np.bool_]
    alc: FloatArray
    low: FloatArray
    high: FloatArray
    outcome: CodeArray
    attack: BestPoints
    baseline: BestPoints
    attempts: IntArray
    standard_error: FloatArray

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def counts(self) -> dict[str, int]:
        """Attacks by outcome, in the order of :data:`OUTCOMES`."""
        found = np.bincount(self.outcome, minlength=len(OUTCOMES))
        return dict(zip(OUTCOMES, found.tolist(), strict=True))

    def only(self, numbers: Collection[int]) -> Rescored:
        """Return some of the attacks, in their order."""
        kept = np.isin(self.numbers, list(numbers))
        names = ("numbers", "usable", "alc", "low", "high", "outcome", "attempts", "standard_error")
        return replace(
            self,
            attack=self.attack.only(kept),
            baseline=self.baseline.only(kept),
            **{name: getattr(self, name)[kept] for name in names},
        )


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
    :func:`approximate_interval`. An approximate interval never turns one
    decided verdict into another; all it can get wrong is whether the verdict is undecided.
    """
    exact = _same_interval(scoring, run_scoring)
    if run is not None:
        _check_run(run, curves, run_scoring)
        if exact:
            outcome = decide_all(run.alc, (run.low, run.high), scoring)
            return replace(run, scoring=scoring, outcome=outcome)
    attack = measured_points(curves, curves.attack, scoring)
    baseline = measured_points(curves, curves.baseline, scoring)
    estimated = _estimated(curves, attack, baseline, scoring)
    usable = ~np.isnan(estimated.alc)
    if exact:
        low, high = np.where(usable, curves.low, np.nan), np.where(usable, curves.high, np.nan)
    else:
        run = run or rescore(curves, run_scoring, run_scoring=run_scoring)
        source = EstimatedLoss(alc=run.alc, standard_error=run.standard_error, scoring=run_scoring)
        low, high = approximate_interval(source, estimated, low=curves.low, high=curves.high)
    return Rescored(
        numbers=curves.numbers,
        scoring=scoring,
        interval_exact=exact,
        usable=usable,
        alc=estimated.alc,
        low=low,
        high=high,
        outcome=decide_all(estimated.alc, (low, high), scoring),
        attack=attack,
        baseline=baseline,
        attempts=curves.attempts,
        standard_error=estimated.standard_error,
    )


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
    names = {field.name for field in fields(one)} - {"at_risk", "serious"}
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _check_run(run: Rescored, curves: CurveTable, run_scoring: ScoringParameters) -> None:
    same = np.array_equal(run.numbers, curves.numbers)
    if not (run.interval_exact and same and _same_interval(run.scoring, run_scoring)):
        raise InputError(
            f"run must hold the same {len(curves.numbers)} attacks at the run's scoring, but holds "
            f"{len(run)} at another, or others. Leave it out, or rescore with run_scoring first."
        )


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
