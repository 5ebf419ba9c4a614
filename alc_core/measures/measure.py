"""What a measure is: it reads numbers off the predictions for the targets.

A measure plugs in by :func:`register_measure`; findings, comparison, figures and report show the
numbers of every registered measure. The anonymity loss is the first of them and gives the verdict.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import BoolArray, CodeArray, FloatArray
from alc_core.phrasing import percent
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.outcomes import Outcomes
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.codes.encode import CategoricalCodes


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with its interval.

    Attributes
    ----------
    value : float
        The number.
    low, high : float or None
        Its interval; None where there is none.
    """

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """The interval; where there is none, the value at both ends."""
        low, high = self.low, self.high
        return self.value if low is None else low, self.value if high is None else high

    @property
    def ranged(self) -> str:
        """The number as a share, with its interval where there is one."""
        between = self.between
        return f"{percent(self.value)} ({between})" if between else percent(self.value)

    @property
    def between(self) -> str:
        """The interval of a share; empty where there is none or it reads like the share."""
        ends = [percent(end) for end in self.interval]
        return "" if {*ends} == {percent(self.value)} else " to ".join(ends)

    def to_list(self) -> list[float | None]:
        """Return value (None where it is not a number), low and high, for :meth:`from_list`."""
        return [None if math.isnan(self.value) else self.value, self.low, self.high]

    @classmethod
    def from_list(cls, numbers: list[float | None]) -> Self:
        """Build from :meth:`to_list`'s result."""
        value, low, high = numbers
        return cls(float("nan") if value is None else value, low, high)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureNumber:
    """One of the numbers that a measure gives.

    Attributes
    ----------
    name : str
        In files; lower case, words joined by underscores.
    title : str
        In tables and figures.
    help : str
        What it says and which direction is riskier, in a sentence.
    has_interval : bool
        Whether it comes with an interval.
    bounds : tuple of float
        The least and the greatest that it can be; a file that says otherwise is refused.
    like_alc : bool
        Whether it is on the scale of ALC, with the same limits.
    """

    name: str
    title: str
    help: str
    has_interval: bool = True
    bounds: tuple[float, float] = (-math.inf, math.inf)
    like_alc: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoundRows:
    """What the released rows say that an attack takes for each target's own.

    Attributes
    ----------
    first_right : ndarray of float of shape (n_targets,)
        1 where the row that stands first tells the unknown value rightly.
    others_right : ndarray of float of shape (n_targets,)
        The share of the third to the tenth that do.
    chances : ndarray of float of shape (n_targets,)
        That the first is the target's own, as the attack has it.
    """

    first_right: FloatArray
    others_right: FloatArray
    chances: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PredictedTargets:
    """What attack and baseline predicted for each target; lives no longer than the measuring.

    Attributes
    ----------
    scenario : Scenario
        What is attacked.
    unknown : CategoricalCodes
        The codes that are predicted; a continuous unknown attribute is cut into bins.
    truth : ndarray of int32 of shape (n_targets,)
        True codes.
    prevalence : ndarray of shape (n_codes,)
        Share of each code among all rows of the original.
    attack_values, baseline_values : ndarray of int64 of shape (n_targets,)
        Predicted codes. Where the attack abstained, the baseline's prediction stands in.
    attack_scores, baseline_scores : ndarray of shape (n_targets,)
        Rank scores, 0 where the attack abstained.
    attack_right, baseline_right : ndarray of bool of shape (n_targets,)
        Whether the predictions are right, as the scenario says.
    learned_right : ndarray of bool of shape (n_targets,) or None
        Whether what the attack says of anybody like the target, in the release or not, is right;
        None where it does not tell both apart.
    rows : FoundRows or None
        From an attack that looks for the target's own row.
    abstained : ndarray of bool of shape (n_targets,)
        Where the attack made no prediction.
    probability : ndarray of shape (n_targets,) or None
        Probability that the attack gave the true code; NaN where it abstained, None where the
        attack gives no probabilities.
    units : ndarray of int of shape (n_targets,)
        Targets with equal numbers depend on each other; resamples draw them together.
    outcomes : Outcomes
        Counts per threshold.
    scoring : ScoringParameters
        Gives the confidence level, among others.
    resamples : int
        Bootstrap resamples for an interval.
    seed : int
        Of all randomness.
    """

    scenario: Scenario
    unknown: CategoricalCodes
    truth: CodeArray
    prevalence: FloatArray
    attack_values: NDArray[np.int64]
    baseline_values: NDArray[np.int64]
    attack_scores: FloatArray
    baseline_scores: FloatArray
    attack_right: BoolArray
    baseline_right: BoolArray
    abstained: BoolArray
    probability: FloatArray | None
    units: NDArray[np.int64]
    outcomes: Outcomes
    scoring: ScoringParameters
    resamples: int
    seed: int
    learned_right: BoolArray | None = None
    rows: FoundRows | None = None

    def __len__(self) -> int:
        return len(self.truth)


class Measure(Protocol):
    """A measure of what an attack gains.

    Attributes
    ----------
    name : str
        In files and on the command line.
    title : str
        In tables, figures and the report.
    method : str
        How it is measured, in a sentence.
    reference : str
        Where it is from.
    numbers : tuple of MeasureNumber
        What it gives; the first one is shown where there is room for one.
    """

    name: str
    title: str
    method: str
    reference: str

    @property
    def numbers(self) -> tuple[MeasureNumber, ...]: ...  # noqa: D102

    def applies(self, predicted: PredictedTargets) -> bool:
        """Return whether there is something to measure, such as probabilities."""
        ...

    def measure(self, predicted: PredictedTargets) -> dict[str, Measured]:
        """Return the numbers by name."""
        ...

    def sentence(self, measured: dict[str, Measured], scenario: Scenario) -> str:
        """Say what the numbers mean for a person who reads the report."""
        ...
