"""How many people must be attacked before an interval of ALC can tell a loss from the limit."""

from __future__ import annotations

import math
from functools import partial
from typing import cast

import numpy as np

from alc_core.errors import ParameterError
from alc_core.parameter import Parameter
from alc_core.scoring.formulas import attack_prc_for_loss, on_scale, prc
from alc_core.scoring.intervals import loss_standard_error, normal_quantile, prc_variance
from alc_core.scoring.parameters import ScoringParameters

NEAR_SAFE = 0.4
"""A loss that should be told from the limit at risk."""

_MANY = 10_000_000
"""So many people that counts are as good as shares."""

_share = partial(Parameter, low=0, high=1, low_open=True, title="", help="", default=0.5)
_POWER = _share(name="power", high_open=True)


def targets_to_tell(
    guess: float,
    *,
    recall: float = 1.0,
    loss: float = NEAR_SAFE,
    power: float = 0.8,
    scoring: ScoringParameters = ScoringParameters(),  # noqa: B008 - frozen
) -> int:
    """Return how many targets it takes to tell a loss from the limit `at_risk`.

    With so many, the interval of ALC of an attack with that loss lies on one side of the limit with
    a probability of `power`. The attack answers for a share `recall` of the targets, and is right
    so often that the loss comes about over a guess that is right about a share `guess` of the same
    people.

    Parameters
    ----------
    guess : float
        Precision of the baseline at the attack's recall, in (0, 1).
    recall : float, default 1
        Share of the targets that the attack answers for.
    loss : float, default 0.4
        True ALC, not the limit itself.
    power : float, default 0.8
        Probability to tell it, in (0, 1).
    scoring : ScoringParameters, optional
        Parameters of PRC, the confidence of intervals and the limit.

    Returns
    -------
    int

    Raises
    ------
    ParameterError
        If a share is out of bounds, the loss is the limit, or no precision gives it.

    Notes
    -----
    By the delta method on the scale -log(1 - ALC), where the error is that of a difference; attack
    and baseline as if they were right independently, and the threshold as if it were known. An
    attack whose precision rises with its score takes some more.

    References
    ----------
    Francis and Wagner (2025), sections 3.5 and 4.2.

    Examples
    --------
    >>> targets_to_tell(0.5), targets_to_tell(0.5, recall=0.1)
    (788, 7336)
    """
    _POWER.check(power)
    _share(name="guess", high_open=True).check(guess)
    _share(name="recall").check(recall)
    if loss == scoring.at_risk:
        raise ParameterError(f"A loss of {loss} is the limit itself: no number of people tells it.")
    scores = partial(prc, recall=recall, alpha=scoring.alpha, r_min=scoring.r_min)
    baseline = scores(guess)
    attack = cast(float, attack_prc_for_loss(loss, baseline, kind=scoring.loss))
    precision = attack / scores(1.0)
    if not 0 < precision <= scoring.precision_cap:
        raise ParameterError(
            f"No attack that counts has an ALC of {loss} over a guess that is right in {guess:.0%} "
            f"at a recall of {recall}: it would have to be right in {precision:.0%}."
        )
    made = np.array([round(_MANY * recall)])
    sides = [
        (
            np.array([value]),
            _MANY
            * prc_variance(
                made,
                np.rint(made * share).astype(np.int64),
                attempts=np.array([_MANY]),
                recall_scale=np.ones(1),
                scoring=scoring,
            ),
        )
        for value, share in ((attack, precision), (baseline, guess))
    ]
    error = float(loss_standard_error(*sides, kind=scoring.loss)[0])
    ends = on_scale(np.array([loss, scoring.at_risk]), scoring.loss)
    quantiles = normal_quantile(scoring.confidence) + normal_quantile(2 * power - 1)
    return math.ceil((quantiles * error / float(np.ptp(ends))) ** 2)
