"""A baseline that costs nothing, for campaigns whose results nobody looks at."""

import time
from dataclasses import dataclass
from typing import Any

from alc_core.baselines.families import Classifier, NaiveBayes


@dataclass(frozen=True, slots=True)
class Unhurried(NaiveBayes):
    """Naive Bayes that waits at every fit, so that a campaign can be watched and cancelled."""

    def fit(self, *args: Any, **kwargs: Any) -> Classifier:
        """Wait, and fit."""
        time.sleep(0.1)
        return NaiveBayes.fit(self, *args, **kwargs)
