"""Rescored attacks made up of their readings alone."""

from typing import Any

import numpy as np

from alc_core.campaign.rescore.rescoring import BestPoints, Rescored, RescoredReading
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import decide


def rescored_of(
    own: RescoredReading, among_rest: RescoredReading, scoring: ScoringParameters, **more: Any
) -> Rescored:
    """Attacks with these readings, judged by the first; no point of theirs is known."""
    size = len(own.alc)
    zeros, no = np.zeros(size), np.zeros(size, dtype=bool)
    point = BestPoints(**dict.fromkeys(BestPoints.__dataclass_fields__, zeros))
    fields: dict[str, Any] = {
        "numbers": np.arange(size),
        "scoring": scoring,
        "exact": np.ones(size, dtype=bool),
        "own": own,
        "among_rest": among_rest,
        "by_rest": no,
        "outcome": decide(own.alc, own.low, own.high, scoring),
        "rest_share": np.ones(size),
        "nothing_left": no,
        "attempts": np.full(size, 2000),
        "people": np.full(size, 2000),
        **dict.fromkeys(("attack", "baseline", "attack_rest", "baseline_rest"), point),
        **dict.fromkeys(("exposed", "exposed_low", "exposed_high", "exposed_surely"), zeros),
    }
    return Rescored(**{**fields, **more})
