"""Attacks that fail where they know a column; workers import little to run them."""

import os
import time
from pathlib import Path

import numpy as np

from alc_core.attacks.protocol import Predictions
from alc_core.releases.microdata import Microdata


class MostFrequent:
    """Bets on the release's most frequent value."""

    accepts = (Microdata,)

    def __init__(self, name="most frequent", poisoned_by=""):
        self.name = name
        self.poisoned_by = poisoned_by

    def prepare(self, view, rng):
        if self.poisoned_by in view.known:
            self.fail()
        counts = sum(np.bincount(t.unknown, minlength=view.unknown.size) for t in view.tables)
        value, share = counts.argmax(), counts.max() / counts.sum()
        return lambda targets: Predictions.of(
            np.full(len(targets), value), np.full(len(targets), share)
        )

    def fail(self):
        raise RuntimeError("Anna Smith, born 1980")


class Crashing(MostFrequent):
    def fail(self):
        os._exit(3)


class Unlucky(MostFrequent):
    """Whose process ends three times before it has a result."""

    folder = ""

    def fail(self):
        for place in range(3):
            try:
                Path(self.folder, str(place)).mkdir()
            except FileExistsError:
                continue
            os._exit(3)


class Waiting(MostFrequent):
    """Goes on, where the hours are known, once its cluster is gone."""

    folder = ""

    def fail(self):
        while not Path(self.folder, "gone").exists():
            time.sleep(0.05)
