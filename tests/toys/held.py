"""A baseline that waits in every fit as long as a file is there."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alc_core.baselines.families import Classifier, NaiveBayes


@dataclass(frozen=True, slots=True)
class Held(NaiveBayes):
    """Naive Bayes that learns nothing as long as a file is there."""

    file: str = ""

    def fit(self, *args: Any, **kwargs: Any) -> Classifier:
        """Wait, and fit."""
        while Path(self.file).exists():
            time.sleep(0.05)
        return NaiveBayes.fit(self, *args, **kwargs)
