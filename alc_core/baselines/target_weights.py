"""How the people that are attacked differ from those that a baseline learns from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray

if TYPE_CHECKING:
    from alc_core.baselines.fitting import LearnedValues

# Rows of average odds that are added to each value's own, so that no single row shows
_SMOOTHING = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TargetWeights:
    """Weights by which rows of the original stand for the people that are attacked.

    A baseline learns from rows of the original but answers for targets. Where down-sampling takes
    fewer people with one value, where people with some values are no targets, or where targets are
    selected by a column that is not known, values are more or less frequent among targets than
    among rows that look alike. An attacker knows how frequent a value is, so that the baseline
    does, too: its probabilities are multiplied by these odds (Saerens et al., 2002).

    Nothing but shares enters: one factor for the most frequent value, one for all others, 0 for a
    value that no target has, and, where people are selected by an unknown column, the smoothed
    share of the selected among people with each value. Without all that every weight is 1.

    References
    ----------
    Saerens, Latinne and Decaestecker (2002), Adjusting the outputs of a classifier to new a priori
    probabilities.
    """

    # Relative chance of a row of the original to be a target, by its value and the selection
    rows: FloatArray
    # For each code of the unknown attribute how much likelier it is among targets than among rows
    # with the same known values
    values: FloatArray
    # How many people a target with each value stands for: more than 1 where it was thinned out
    people: FloatArray

    @classmethod
    def of(
        cls,
        unknown: CodeArray,
        *,
        targets: NDArray[np.intp],
        eligible: NDArray[np.bool_],
        down_sampled: bool,
        selection_known: bool,
    ) -> Self:
        """Compare targets with the original's rows."""
        size = int(unknown.max()) + 1
        chosen = np.bincount(unknown[targets], minlength=size)
        possible = np.bincount(unknown[eligible], minlength=size)
        values, people = _chances(chosen, possible, down_sampled=down_sampled)
        rows = np.where(eligible, values[unknown], 0.0)
        if not selection_known:
            everyone = np.bincount(unknown, minlength=size)
            share = possible.sum() / everyone.sum()
            values = values * (possible + _SMOOTHING * share) / (everyone + _SMOOTHING)
        return cls(rows=rows / rows.max(), values=values / values.max(), people=people)

    @classmethod
    def alike(cls, unknown: CodeArray) -> Self:
        """Return the weights where targets are drawn at random from all rows."""
        ones = np.ones(int(unknown.max()) + 1)
        return cls(rows=np.ones(len(unknown)), values=ones, people=ones)

    def take(self, rows: NDArray[np.intp]) -> TargetWeights:
        """Return the weights of some of the rows, and of all values."""
        return replace(self, rows=self.rows[rows])

    def of_classes(self, learned: LearnedValues) -> FloatArray | None:
        """Return the odds of what is learned; None where they are all the same."""
        odds = self.values[learned.codes]
        if len(learned.others):
            odds = np.append(odds, self.values[learned.others].mean())
        return None if np.all(odds == odds[0]) else odds


def _chances(
    chosen: NDArray[np.int64], possible: NDArray[np.int64], *, down_sampled: bool
) -> tuple[FloatArray, FloatArray]:
    """Return each value's chance to be a target's, and how many people its targets stand for.

    Values treated alike share one chance.
    """
    never = (chosen == 0) & (possible > 0)
    frequent = int(np.argmax(np.where(never, 0, possible)))
    alike = ~never
    alike[frequent] &= not down_sampled
    pooled = chosen[alike].sum() / max(1, possible[alike].sum())
    chances = np.where(never, 0.0, pooled)
    people = np.ones(len(possible))
    if down_sampled:
        chances[frequent] = chosen[frequent] / possible[frequent]
        people[frequent] = pooled / chances[frequent]
    return chances, people


def for_targets(probabilities: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Return class probabilities among targets."""
    if weights is None:
        return probabilities
    # A model may be sure of values that no target has; then what is likely at all is as good.
    weighted = (probabilities + 1e-9) * weights
    return np.asarray(weighted / weighted.sum(axis=1, keepdims=True))
