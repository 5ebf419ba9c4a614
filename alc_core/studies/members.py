"""The same attack on members, and on others or without own rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from alc_core.arrays import BoolArray, CodeArray
from alc_core.attacks.protocol import Attack, Predictions, notes_of, predicted_by, prepared_by
from alc_core.errors import InputError
from alc_core.measures.measure import Measured
from alc_core.releases.release import AttackView
from alc_core.runtime.progress import Reporter
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues
from alc_core.scoring.intervals import wilson_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Guesses:
    """What an attack predicted for some people."""

    people: int  # Attacked
    predicted: int  # Of them
    right: int  # Of these predictions

    @property
    def success(self) -> Measured:
        """Share of people with a correct prediction, with Wilson's interval."""
        return share_of(self.right, self.people)

    @property
    def precision(self) -> Measured:
        """Share of correct predictions, with Wilson's interval."""
        return share_of(self.right, self.predicted)

    @property
    def recall(self) -> float:
        """Share of people with a prediction."""
        return self.predicted / self.people if self.people else math.nan


def share_of(right: float, number: float) -> Measured:
    """Return a share with Wilson's interval; NaN if empty."""
    low, high = wilson_interval(right, number)
    return Measured(right / number if number else math.nan, float(low), float(high))


def residual_risk(members: Measured, others: Measured) -> Measured:
    """Return the residual risk of members over others.

    R = (m - c) / (1 - c), with the midpoints of Wilson's intervals, which are never 1; half widths
    are propagated as independent errors. It may be negative: see :func:`shown_risk`.

    Examples
    --------
    >>> found = residual_risk(share_of(850, 1000), share_of(300, 1000))
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.784, 0.751, 0.816)
    """
    rate, error = _midpoint(members)
    control, control_error = _midpoint(others)
    left = 1.0 - control
    value = (rate - control) / left
    spread = math.hypot(error / left, (1.0 - rate) / left**2 * control_error)
    return Measured(value, value - spread, value + spread)


def shown_risk(risk: Measured) -> Measured:
    """Return a residual risk clipped to 0 to 1, as in the paper."""
    low, high = (min(1.0, max(0.0, end)) for end in risk.interval)
    return Measured(min(1.0, max(0.0, risk.value)), low, high)


def _midpoint(share: Measured) -> tuple[float, float]:
    low, high = share.interval
    return (low + high) / 2, (high - low) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """An attack's predictions, and which are correct."""

    predictions: Predictions
    right: BoolArray

    def guesses(self, least: float = -np.inf) -> Guesses:
        """Count predictions of at least a rank score."""
        made = self.predictions
        kept = ~made.abstained & (np.nan_to_num(made.scores, nan=-np.inf) >= least)
        right = int((self.right & kept).sum())
        return Guesses(people=len(self.right), predicted=int(kept.sum()), right=right)


def answers(
    attack: Attack,
    view: AttackView,
    scenario: Scenario,
    *sides: tuple[KnownValues, CodeArray],
    seed: int,
) -> tuple[list[Answers], tuple[str, ...]]:
    """Run an attack on each side: known columns, true values. Return also its notes."""
    predict = prepared_by(attack, view, np.random.default_rng([seed, 1]))
    found = []
    for known, truth in sides:
        made = predicted_by(attack, predict, known, view.unknown.size)
        found.append(Answers(made, scenario.is_right(made.values, truth) & ~made.abstained))
    return found, tuple(map(str, notes_of(predict)))


Asked = TypeVar("Asked")
Found = TypeVar("Found")


def each_attack(
    asked: Sequence[Asked], attack: Callable[[Asked], Found], reporter: Reporter, stage: str
) -> tuple[list[Found], list[tuple[Asked, InputError]]]:
    """Return attacks' results, and those that cannot run, with the reason."""
    found, refused = list[Found](), list[tuple[Asked, InputError]]()
    for place, each in enumerate(asked):
        reporter.report(stage, place, len(asked))
        try:
            found.append(attack(each))
        except InputError as error:
            refused.append((each, error))
    return found, refused
