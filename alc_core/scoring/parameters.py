"""Parameters of scoring and of the loop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Any, Literal, Self

from alc_core.errors import ParameterError
from alc_core.parameter import Parameter, check_whole
from alc_core.phrasing import decimal, percent

LossKind = Literal["relative", "absolute"]

_share = partial(Parameter, low=0, high=1, low_open=True)

ALPHA = Parameter(
    name="alpha",
    title="alpha",
    help="PRC exponent: higher values penalize low recall less.",
    default=3.0,
    low=0,
    low_open=True,
    step=0.1,
)
R_MIN = _share(
    name="r_min",
    title="R_min",
    help="Recall up to which precision does not count.",
    default=1e-4,
    high_open=True,
)
CONFIDENCE = _share(
    name="confidence",
    title="confidence",
    help="Confidence level of all intervals.",
    default=0.95,
    high_open=True,
    step=0.01,
)
MAX_INTERVAL_WIDTH = _share(
    name="max_interval_width",
    title="widest interval",
    help="Half of it is taken off the highest precision.",
    default=0.1,
    step=0.01,
)
AT_RISK = _share(
    name="at_risk",
    title="at risk from",
    help="Examine attacks at or above this ALC.",
    default=0.5,
    step=0.01,
)
SERIOUS = _share(
    name="serious",
    title="serious from",
    help="The loss is serious at or above this ALC.",
    default=0.75,
    step=0.01,
)
MATERIAL = _share(
    name="material",
    title="material from",
    help="Share of people exposed that matters, whatever the loss.",
    default=0.02,
    high_open=True,
    step=0.01,
)
LOSS = Parameter(
    name="loss",
    title="kind of loss",
    help="ALC as a share of the possible gain, or a difference.",
    default="relative",
    choices=("relative", "absolute"),
)

CONTROL = Parameter(
    name="control",
    title="multiple-testing correction",
    help=(
        "Family-wise: at 95%, at most 5% of reviews flag a harmless attack. "
        "False discovery: at most 5% of flagged attacks are harmless."
    ),
    default="none",
    choices=("none", "family-wise", "false discovery"),
)

# In display order
SCORING_PARAMETERS: tuple[Parameter, ...] = (
    ALPHA,
    R_MIN,
    CONFIDENCE,
    MAX_INTERVAL_WIDTH,
    AT_RISK,
    SERIOUS,
    MATERIAL,
    LOSS,
    CONTROL,
)


ControlKind = Literal["none", "family-wise", "false discovery"]


class _Parameters:
    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)  # type: ignore[call-overload, no-any-return]

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        names = {f.name for f in fields(cls)}  # type: ignore[arg-type]
        if extra := sorted(set(values) - names):
            raise ParameterError(f"Unknown parameter {extra[0]!r}. Known: {', '.join(names)}.")
        return cls(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringParameters(_Parameters):
    """Parameters from predictions to verdict; changing them needs no new run.

    Attributes
    ----------
    alpha : float
        Knee of the PRC (equation 6), positive.
    r_min : float
        Recall at and below which precision has no effect, in (0, 1).
    confidence : float
        Level of the intervals of precision and ALC, in (0, 1).
    max_interval_width : float
        Widest narrow interval of precision, which the loop continues to; sets `precision_cap`.
    at_risk : float
        Lowest ALC that must be examined.
    serious : float
        Lowest serious ALC; above `at_risk`.
    material : float
        Share of all people, in (0, 1). An attack that clearly exposes as many needs attention
        whatever its loss. An inconclusive one with a lower upper bound has too few people to test;
        so has one on everyone in a campaign without findings.
    loss : {"relative", "absolute"}
        Which ALC: equation 8 or 7.
    control : {"none", "family-wise", "false discovery"}
        Control of false flags among a campaign's attacks.

    Examples
    --------
    >>> ScoringParameters(at_risk=0.4).at_risk
    0.4
    """

    alpha: float = ALPHA.default
    r_min: float = R_MIN.default
    confidence: float = CONFIDENCE.default
    max_interval_width: float = MAX_INTERVAL_WIDTH.default
    at_risk: float = AT_RISK.default
    serious: float = SERIOUS.default
    material: float = MATERIAL.default
    loss: LossKind = LOSS.default
    control: ControlKind = CONTROL.default

    def __post_init__(self) -> None:
        for parameter in SCORING_PARAMETERS:
            parameter.check(getattr(self, parameter.name))
        if self.at_risk >= self.serious:
            raise ParameterError(
                f"at_risk must be less than serious, not {self.at_risk} and {self.serious}."
            )

    @property
    def precision_cap(self) -> float:
        """Highest precision that counts: the middle of the widest narrow interval ending at 1.

        The paper stops at a few hundred predictions, where no midpoint is higher (section 4.2).
        With thousands, a baseline certain of few people would leave almost nothing to divide by.
        """
        return 1.0 - self.max_interval_width / 2.0

    def same_intervals(self, other: ScoringParameters) -> bool:
        """Return whether another scoring has the same intervals."""
        return self.with_limits_of(other) == other

    def with_limits_of(self, other: ScoringParameters) -> ScoringParameters:
        """Return this scoring with another's limits."""
        names = ("at_risk", "serious", "material", "control")
        return replace(self, **{name: getattr(other, name) for name in names})


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopParameters(_Parameters):
    """Number of targets and halting of the loop (paper, section 5.1).

    Attributes
    ----------
    min_targets : int
        Fewest targets, if available.
    folds : int or None
        Parts of the original held out in turn; None chooses 5 or 10 by size.
    batch : int
        Targets per call of an attack.
    look_every : int
        Targets between halting checks, also made after each fold.
    start_thresholds : int
        Initial number of measures.
    improvement : float
        Relative gain in PRC of each of the three lowest-recall measures that adds one more.
    safe_below, lost_above : float
        Early halting: if the most pessimistic ALC is below, or the most optimistic above.
    early_interval_width : float
        Widest precision intervals for early halting.
    decide_within : int
        Targets up to which the loop continues while the interval of ALC straddles a risk limit and
        may still leave it, or few are surely exposed.
    max_thresholds : int
        Thresholds kept, nearest to an even spacing in log recall (paper, section 3.6).
    resamples : int
        Bootstrap resamples for the interval of ALC.
    max_training_rows : int
        Most rows baselines learn from, drawn at random.

    Examples
    --------
    >>> LoopParameters(min_targets=500).min_targets
    500
    """

    min_targets: int = 2000
    folds: int | None = None
    batch: int = 1000
    look_every: int = 5000
    start_thresholds: int = 3
    improvement: float = 0.01
    safe_below: float = 0.4
    lost_above: float = 0.9
    early_interval_width: float = 0.5
    decide_within: int = 20_000
    max_thresholds: int = 400
    resamples: int = 1000
    max_training_rows: int = 500_000

    def __post_init__(self) -> None:
        bounds = {
            "min_targets": 1,
            "batch": 1,
            "look_every": 1,
            "start_thresholds": 1,
            "max_thresholds": 10,
            "resamples": 100,
            "max_training_rows": 100,
        }
        for name, least in bounds.items():
            check_whole(name, getattr(self, name), least)
        if self.folds is not None:
            check_whole("folds", self.folds, 2)
        if not 0 < self.improvement < 1:
            raise ParameterError(
                f"improvement must be between 0 and 1 (both excluded), not {self.improvement}."
            )


PARAMETER_TITLES = {parameter.name: parameter.title for parameter in SCORING_PARAMETERS}


def parameter_text(value: float | str) -> str:
    """Return a parameter's displayed value."""
    return value if isinstance(value, str) else decimal(value)


def parameters_text(scoring: ScoringParameters) -> str:
    """List the scoring parameters."""
    shown = {"confidence": percent(scoring.confidence)}
    texts = [
        f"{PARAMETER_TITLES[name]} {shown.get(name) or parameter_text(value)}"
        for name, value in scoring.to_dict().items()
        if name != "loss"
    ]
    return ", ".join([*texts, f"{scoring.loss} loss"])
