"""The same attack on members and on others: what studies that compare the two have in common.

Members are people of a release. Others are people of a holdout, or members whose own rows were
taken out of the release.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from alc_core.arrays import BoolArray, CodeArray
from alc_core.attacks.protocol import Attack, Predictions, notes_of
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

    people: int  # Whom it attacked
    predicted: int  # For how many of them it predicted a value
    right: int  # How many of these predictions are right

    @property
    def success(self) -> Measured:
        """Share of all people for whom it is right, with Wilson's interval."""
        return share_of(self.right, self.people)

    @property
    def precision(self) -> Measured:
        """Share of the predictions that are right, with Wilson's interval."""
        return share_of(self.right, self.predicted)

    @property
    def recall(self) -> float:
        """Share of the people for whom it predicts a value."""
        return self.predicted / self.people if self.people else math.nan


def share_of(right: float, number: float) -> Measured:
    """Return a share with Wilson's interval; it is not a number where there is nobody."""
    low, high = wilson_interval(right, number)
    return Measured(right / number if number else math.nan, float(low), float(high))


def residual_risk(members: Measured, others: Measured) -> Measured:
    """Return how much more often members are guessed, of what could be more.

    R = (m - c) / (1 - c), with m and c the midpoints of Wilson's intervals of members and of
    control people. Their half widths are propagated as independent errors. As the midpoint of an
    interval is never 1, R exists even if all control people are guessed; its interval then says
    that nothing is known. It is not cut at 0 here: see :func:`shown_risk`.

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
    """Return a residual risk and its interval cut to 0 to 1, as the paper shows it."""
    low, high = (min(1.0, max(0.0, end)) for end in risk.interval)
    return Measured(min(1.0, max(0.0, risk.value)), low, high)


def _midpoint(share: Measured) -> tuple[float, float]:
    low, high = share.interval
    return (low + high) / 2, (high - low) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """An attack's predictions for some people, and which are right; an abstention is not."""

    predictions: Predictions
    right: BoolArray

    def guesses(self, least: float = -np.inf) -> Guesses:
        """Count those of at least some rank score."""
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
    """Run an attack on a release against one side of people after the other.

    It reads the release and the known columns of a side; the codes of the unknown column only say
    whether it is right. Returns also the attack's notes.
    """
    predict = attack.prepare(view, np.random.default_rng([seed, 1]))
    found = []
    for known, truth in sides:
        made = predict(known)
        made.check(len(truth), view.unknown.size, attack.name)
        found.append(Answers(made, scenario.is_right(made.values, truth) & ~made.abstained))
    return found, tuple(map(str, notes_of(predict)))


Asked = TypeVar("Asked")
Found = TypeVar("Found")


def each_attack(
    asked: Sequence[Asked], attack: Callable[[Asked], Found], reporter: Reporter, stage: str
) -> tuple[list[Found], list[tuple[Asked, InputError]]]:
    """Return what came of each of some attacks, and which cannot be run and why."""
    found, refused = list[Found](), list[tuple[Asked, InputError]]()
    for place, each in enumerate(asked):
        reporter.report(stage, place, len(asked))
        try:
            found.append(attack(each))
        except InputError as error:
            refused.append((each, error))
    return found, refused
