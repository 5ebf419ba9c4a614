"""A baseline for campaigns that are watched and cancelled."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alc_core.baselines.families import Classifier, NaiveBayes

HOLD = Path("hold")
"""While there is this file in the server's folder, nothing goes on."""


@dataclass(frozen=True, slots=True)
class Unhurried(NaiveBayes):
    """Naive Bayes that takes its time at every fit, and stops while it is held."""

    def fit(self, *args: Any, **kwargs: Any) -> Classifier:
        """Wait, and fit."""
        time.sleep(0.1)
        while HOLD.exists():
            time.sleep(0.05)
        return NaiveBayes.fit(self, *args, **kwargs)
