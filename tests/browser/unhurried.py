"""For campaigns that are watched and cancelled: a baseline and runs of a page that can be held."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alc_core.baselines.families import Classifier, NaiveBayes

SLOW, HOLD, LINGER = Path("slow"), Path("hold"), Path("linger")
"""While there are these files in the server's folder, fits take time, none goes on, and no run of a
page or of its part comes to its end."""


@dataclass(frozen=True, slots=True)
class Unhurried(NaiveBayes):
    """Naive Bayes that takes its time at every fit, and stops, where that is asked for."""

    def fit(self, *args: Any, **kwargs: Any) -> Classifier:
        """Wait, and fit."""
        time.sleep(0.1 * SLOW.exists())
        while HOLD.exists():
            time.sleep(0.05)
        return NaiveBayes.fit(self, *args, **kwargs)


def lingering(finish: Callable[..., None]) -> Callable[..., None]:
    """Let a run of a page or of its part come to no end while that is asked for."""

    def finished(*args: Any) -> None:
        while LINGER.exists():
            time.sleep(0.05)
        finish(*args)

    return finished
