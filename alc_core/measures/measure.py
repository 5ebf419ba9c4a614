"""The protocol of a measure.

Findings, comparison, figures and report show those of :func:`register_measure`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import BoolArray, CodeArray, FloatArray
from alc_core.errors import InputError
from alc_core.phrasing import percent, quoted
from alc_core.runtime.plugins import described
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
        Its interval; None if unknown.

    Examples
    --------
    >>> Measured(0.25, 0.2, 0.3).ranged
    '25% (20% to 30%)'
    """

    value: float
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        """Take NumPy's numbers, too."""
        for name in self.__slots__:
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else float(value))

    @property
    def interval(self) -> tuple[float, float]:
        """The interval; the value at both ends if unknown."""
        low, high = self.low, self.high
        return self.value if low is None else low, self.value if high is None else high

    @property
    def ranged(self) -> str:
        """The number as a share, with any interval."""
        between = self.between
        return f"{percent(self.value)} ({between})" if between else percent(self.value)

    @property
    def between(self) -> str:
        """The interval of a share; empty if unknown or printed like the share."""
        ends = [percent(end) for end in self.interval]
        return "" if {*ends} == {percent(self.value)} else " to ".join(ends)

    def to_list(self) -> list[float | None]:
        """Return value (None if not a number), low and high, for :meth:`from_list`."""
        return [None if math.isnan(self.value) else self.value, self.low, self.high]

    @classmethod
    def from_list(cls, numbers: list[float | None]) -> Self:
        """Build from :meth:`to_list`'s result."""
        value, low, high = numbers
        return cls(float("nan") if value is None else value, low, high)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureNumber:
    """One number of a measure.

    Attributes
    ----------
    name : str
        In files; lower case, words joined by underscores.
    title : str
        In tables and figures.
    help : str
        Meaning and riskier direction, in a sentence.
    has_interval : bool
        Whether it comes with an interval.
    bounds : tuple of float
        Smallest and largest possible value; files outside are refused.
    like_alc : bool
        Whether it has ALC's scale and limits.

    Examples
    --------
    >>> MeasureNumber(name="gain", title="Gain", help="Higher is riskier.").has_interval
    True
    """

    name: str
    title: str
    help: str
    has_interval: bool = True
    bounds: tuple[float, float] = (-math.inf, math.inf)
    like_alc: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoundRows:
    """Values of the released rows ranked as each target's own.

    Attributes
    ----------
    first_right : ndarray of float of shape (n_targets,)
        1 if the first row has the correct unknown value.
    others_right : ndarray of float of shape (n_targets,)
        Share of the sixth to the tenth row that have it.
    chances : ndarray of float of shape (n_targets,)
        The attack's probability that the first row is the target's own.
    """

    first_right: FloatArray
    others_right: FloatArray
    chances: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PredictedTargets:
    """Predictions of attack and baseline for each target, kept only while measuring.

    Attributes
    ----------
    scenario : Scenario
        What is attacked.
    unknown : CategoricalCodes
        Predicted codes; a continuous unknown column is cut into bins.
    truth : ndarray of int32 of shape (n_targets,)
        True codes.
    prevalence : ndarray of shape (n_codes,)
        Share of each code among all rows of the original.
    attack_values, baseline_values : ndarray of int64 of shape (n_targets,)
        Predicted codes; the baseline's where the attack abstained.
    attack_scores, baseline_scores : ndarray of shape (n_targets,)
        Rank scores, 0 where the attack abstained.
    attack_right, baseline_right : ndarray of bool of shape (n_targets,)
        Whether correct by the scenario's definition.
    learned_right : ndarray of bool of shape (n_targets,) or None
        Whether the learner's prediction is correct; None if the attack has no learner.
    rows : FoundRows or None
        From an attack that looks for the target's own row.
    abstained : ndarray of bool of shape (n_targets,)
        Where the attack made no prediction.
    probability : ndarray of shape (n_targets,) or None
        The attack's, of the true code; NaN where it abstained, None without probabilities.
    units : ndarray of int of shape (n_targets,)
        Dependent targets share a number; resamples draw them together.
    outcomes : Outcomes
        Counts per threshold.
    scoring : ScoringParameters
        Confidence level and other parameters.
    resamples : int
        Bootstrap resamples for an interval.
    seed : int
        Of all randomness.

    Examples
    --------
    >>> [name for name in PredictedTargets.__annotations__ if name.endswith("right")]
    ['attack_right', 'baseline_right', 'learned_right']
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
        One sentence.
    reference : str
        Its source.
    numbers : tuple of MeasureNumber
        Its numbers, the most important first.
    """

    name: str
    title: str
    method: str
    reference: str

    @property
    def numbers(self) -> tuple[MeasureNumber, ...]: ...  # noqa: D102

    def applies(self, predicted: PredictedTargets) -> bool:
        """Return whether the predictions hold what it needs."""
        ...

    def measure(self, predicted: PredictedTargets) -> dict[str, Measured]:
        """Return the numbers by name."""
        ...

    def sentence(self, measured: dict[str, Measured], scenario: Scenario) -> str:
        """Say what the numbers mean for a person who reads the report."""
        ...


def measured_by(measure: Measure, predicted: PredictedTargets) -> dict[str, Measured]:
    """Return a measure's numbers, refused unless it declared them."""
    found: Any = measure.measure(predicted)
    declared = [number.name for number in measure.numbers]
    called = f"Measure '{measure.name}', {described(measure)},"
    if not isinstance(found, dict) or not {*found} <= {*declared}:
        given = quoted([*map(str, found)]) if isinstance(found, dict) else described(found)
        raise InputError(f"{called} returned {given}, but declares {quoted(declared)}. Change one.")
    for name, number in found.items():
        if not isinstance(number, Measured) or not isinstance(number.value, float | int):
            raise InputError(
                f"{called} returned for '{name}' something else than a number. Return "
                "alc.Measured(NUMBER)."
            )
    return found
