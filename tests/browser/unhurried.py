"""A baseline for campaigns that are watched and cancelled, and a sidebar that takes its time."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alc_core.baselines.families import Classifier, NaiveBayes

HOLD, LINGER = Path("hold"), Path("linger")
"""While there are these files in the server's folder, no fit goes on, and the sidebar's part that
says how far a campaign is does not come to its end."""


@dataclass(frozen=True, slots=True)
class Unhurried(NaiveBayes):
    """Naive Bayes that takes its time at every fit, and stops while it is held."""

    def fit(self, *args: Any, **kwargs: Any) -> Classifier:
        """Wait, and fit."""
        time.sleep(0.1)
        while HOLD.exists():
            time.sleep(0.05)
        return NaiveBayes.fit(self, *args, **kwargs)


def lingering(draw: Callable[..., None]) -> Callable[..., None]:
    """Draw, and come to no end while that is asked for."""

    def drawn(*args: Any) -> None:
        draw(*args)
        while LINGER.exists():
            time.sleep(0.05)

    return drawn
