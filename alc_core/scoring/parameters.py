"""What the user may set: how results are scored, and how the attack loop runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Any, Literal, Self

from alc_core.errors import ParameterError
from alc_core.parameter import Parameter
from alc_core.phrasing import decimal, percent

LossKind = Literal["relative", "absolute"]

_share = partial(Parameter, low=0, high=1, low_open=True)

ALPHA = Parameter(
    name="alpha",
    title="alpha",
    help="How little a low recall lowers the PRC: the higher, the less.",
    default=3.0,
    low=0,
    low_open=True,
    step=0.1,
)
R_MIN = _share(
    name="r_min",
    title="R_min",
    help="Recall at and below which precision does not count.",
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
    help="Widest interval of precision that is narrow enough. Precision counts as 1 minus half of "
    "it at most.",
    default=0.1,
    step=0.01,
)
AT_RISK = _share(
    name="at_risk",
    title="at risk from",
    help="ALC from which an attack must be examined.",
    default=0.5,
    step=0.01,
)
SERIOUS = _share(
    name="serious",
    title="serious from",
    help="ALC from which the loss is serious.",
    default=0.75,
    step=0.01,
)
MATERIAL = _share(
    name="material",
    title="material from",
    help="Share of all people from which it matters that they are exposed, whatever the loss.",
    default=0.02,
    high_open=True,
    step=0.01,
)
LOSS = Parameter(
    name="loss",
    title="kind of loss",
    help="ALC as a share of what was left to learn (relative), or as a difference (absolute).",
    default="relative",
    choices=("relative", "absolute"),
)

CONTROL = Parameter(
    name="control",
    title="control for many attacks",
    help="Of a campaign: how often chance may flag harmless attacks. Family-wise: any one of them, "
    "in at most 1 minus confidence of campaigns. False discovery: that share of the flagged ones.",
    default="none",
    choices=("none", "family-wise", "false discovery"),
)

# In the order in which they are shown
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
    """Conversion to and from plain dictionaries, shared by the parameter classes."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the parameters as a dictionary of plain values."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Build from :meth:`to_dict`'s result; unknown names raise :class:`ParameterError`."""
        names = {f.name for f in fields(cls)}  # type: ignore[arg-type]
        if extra := sorted(set(values) - names):
            raise ParameterError(f"Unknown parameter {extra[0]!r}. Known: {', '.join(names)}.")
        return cls(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringParameters(_Parameters):
    """How predictions become a PRC, an ALC and a verdict. Changing these needs no new prediction.

    Attributes
    ----------
    alpha : float
        Knee of the PRC (equation 6), positive.
    r_min : float
        Recall at and below which precision has no effect, in (0, 1).
    confidence : float
        Confidence level of the precision intervals and of the interval of ALC, in (0, 1).
    max_interval_width : float
        An interval of precision is narrow enough if it is at most this wide: the loop goes on
        until its measures are. A precision never counts as more than `precision_cap`.
    at_risk : float
        ALC from which an attack must be examined.
    serious : float
        ALC from which the loss is serious; above `at_risk`.
    material : float
        Share of all people, in (0, 1). An attack that surely exposes as many asks for a look
        whatever its loss. One that is undecided and exposes fewer at most has too few people to
        test, and so has one that attacked all in a campaign in which nothing is shown.
    loss : {"relative", "absolute"}
        Which ALC: equation 8 or 7.
    control : {"none", "family-wise", "false discovery"}
        Of a campaign: what keeps chance from flagging harmless attacks among many. A single
        attack does not depend on it.
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
                f"at_risk must be less than serious, but at_risk is {self.at_risk} and serious is "
                f"{self.serious}."
            )

    @property
    def precision_cap(self) -> float:
        """Highest precision that counts: the middle of the widest narrow interval that ends at 1.

        The paper halts at a few hundred predictions, where no midpoint is higher (section 4.2).
        With thousands of targets the cap must be explicit, or a baseline that is sure of a few
        people leaves almost nothing to divide by.
        """
        return 1.0 - self.max_interval_width / 2.0

    def same_intervals(self, other: ScoringParameters) -> bool:
        """Return whether intervals are the same under another scoring: limits do not move them."""
        return self.with_limits_of(other) == other

    def with_limits_of(self, other: ScoringParameters) -> ScoringParameters:
        """Return the same scoring with the limits of another: all that intervals do not need."""
        names = ("at_risk", "serious", "material", "control")
        return replace(self, **{name: getattr(other, name) for name in names})


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopParameters(_Parameters):
    """How many targets are attacked and when the loop halts (paper, section 5.1).

    Attributes
    ----------
    min_targets : int
        The loop never halts before this many targets, where the table has them.
    folds : int or None
        Parts of the original that are held out in turn; None chooses 5 or 10 by size.
    batch : int
        Targets that an attack is given at a time.
    look_every : int
        Targets between two looks at the halting criteria; they are looked at after each fold, too.
    start_thresholds : int
        Measures at first.
    improvement : float
        Relative gain in PRC of each of the three lowest-recall measures that asks for one more.
    safe_below, lost_above : float
        Early halting: the most pessimistic ALC below, or the most optimistic one above.
    early_interval_width : float
        Both precision intervals must be narrower than this for early halting.
    decide_within : int
        While the interval of ALC straddles a risk limit, the loop goes on. It ends at this many
        targets, unless more are asked for.
    max_thresholds : int
        Thresholds kept of a curve; where there are more distinct scores, those nearest to an even
        spacing in log recall (paper, section 3.6).
    resamples : int
        Bootstrap resamples for the interval of ALC.
    max_training_rows : int
        Baselines learn from at most this many rows, drawn at random.
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
            if getattr(self, name) < least:
                raise ParameterError(f"{name} must be at least {least}, not {getattr(self, name)}.")
        if self.folds is not None and self.folds < 2:
            raise ParameterError(f"folds must be at least 2, not {self.folds}.")
        if not 0 < self.improvement < 1:
            raise ParameterError(
                f"improvement must be between 0 and 1 (both excluded), not {self.improvement}."
            )


PARAMETER_TITLES = {parameter.name: parameter.title for parameter in SCORING_PARAMETERS}


def parameter_text(value: float | str) -> str:
    """Return a parameter's value for show."""
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
