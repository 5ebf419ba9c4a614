"""The scoring parameters, each described once: title, bounds, help."""

from __future__ import annotations

from functools import partial

from alc_core.parameter import Parameter

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

SCORING_PARAMETERS: tuple[Parameter, ...] = (
    ALPHA,
    R_MIN,
    CONFIDENCE,
    MAX_INTERVAL_WIDTH,
    AT_RISK,
    SERIOUS,
    LOSS,
    CONTROL,
)
"""In the order in which they are shown."""
