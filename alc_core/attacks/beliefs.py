"""How often an attack is right on the people about whom it is surest."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.tables.codes.encode import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefResult:
    """The predictions in which an attack's belief is above a limit."""

    belief: float  # The limit
    n_people: int  # People with a belief above it
    share: float  # Their share of all people; NaN if there are no people
    accuracy: float  # Share of these predictions that is right; NaN if there are none


def above_belief(posterior: FloatArray, truth: NDArray[np.integer], belief: float) -> BeliefResult:
    """Count the people whose likeliest value has a probability above a limit.

    Examples
    --------
    >>> import numpy as np
    >>> found = above_belief(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0, 0]), 0.8)
    >>> found.n_people, found.share, found.accuracy
    (1, 0.5, 1.0)
    """
    sure = posterior.max(axis=1, initial=0.0) > belief
    n_sure = int(sure.sum())
    if n_sure == 0:
        share = 0.0 if len(posterior) else math.nan
        return BeliefResult(belief=belief, n_people=0, share=share, accuracy=math.nan)
    right = posterior[sure].argmax(axis=1) == truth[sure]
    return BeliefResult(
        belief=belief,
        n_people=n_sure,
        share=n_sure / len(posterior),
        accuracy=float(right.mean()),
    )
