"""Both readings of ALC and the people exposed by their definitions, one number after the other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from alc_core.scoring.outcomes import Outcomes
from alc_core.scoring.parameters import ScoringParameters

Counts = tuple[int, int]
"""Predictions and true ones."""

_Z = {0.95: 1.959963984540054, 0.8: 1.2815515655446004}


@dataclass(frozen=True, kw_only=True)
class PlainRest:
    """The targets whom the guess does not know, and what the attack does with them.

    `counts` and `gain` are those at each attack threshold, the highest first.
    """

    known: Counts
    counts: list[Counts]
    gain: list[float]


class Plain:
    """The definitions under a scoring.

    A target is a row as in :class:`Outcomes`: at which attack threshold it is answered for, whether
    rightly, and the same of the baseline.
    """

    def __init__(self, scoring: ScoringParameters) -> None:
        self.scoring = scoring
        self.cap = 1 - scoring.max_interval_width / 2

    def bounds(self, right: int, made: int) -> tuple[float, float]:
        if not made:
            return 0.0, 1.0
        z = _Z[self.scoring.confidence]
        middle, total = right + z * z / 2, made + z * z
        half = z * math.sqrt(right * (made - right) / made + z * z / 4)
        return max((middle - half) / total, 0.0), min((middle + half) / total, 1.0)

    def prc(self, precision: float, recall: float) -> float:
        if recall <= self.scoring.r_min:
            return recall
        knee = (math.log10(recall) / math.log10(self.scoring.r_min)) ** self.scoring.alpha
        return (1 - knee) * min(precision, self.cap)

    def middle(self, counts: Counts, attempts: int) -> float:
        made, right = counts
        return self.prc(sum(self.bounds(right, made)) / 2, made / attempts)

    def best(self, counts: Sequence[Counts], attempts: int) -> Counts:
        """The counts whose lower bound has the highest PRC; of equal ones the most predictions."""
        found, highest = (0, 0), -1.0
        for made, right in reversed(counts):
            value = self.prc(self.bounds(right, made)[0], made / attempts)
            if value > highest + 1e-13:
                found, highest = (made, right), value
        return found

    def alike(self, counts: Sequence[Counts], wanted: int) -> int:
        """True predictions expected where just so many are made."""
        made_before = right_before = 0
        for made, right in counts:
            if made >= wanted:
                share = (wanted - made_before) / max(made - made_before, 1)
                return math.floor(right_before + share * (right - right_before) + 0.5)
            made_before, right_before = made, right
        raise AssertionError

    def loss(self, attack: float, baseline: float) -> float:
        if self.scoring.loss == "absolute":
            return attack - baseline
        return (attack - baseline) / (1 - baseline)

    def counts(self, rows: Any, side: int) -> list[Counts]:
        """Of the attack (side 0) or the baseline (2)."""
        made = self._reached([(row[side], 1) for row in rows])
        right = self._reached([(row[side], row[side + 1]) for row in rows])
        return list(zip(made, right, strict=True))

    def _reached(self, numbers: Sequence[tuple[int, Any]], thresholds: int = 0) -> list[Any]:
        """Sum the numbers at or above each threshold."""
        size = thresholds or 1 + max(threshold for threshold, _ in numbers)
        sums: list[Any] = [0] * size
        for threshold, number in numbers:
            sums[threshold] += number
        return list(accumulate(sums))

    def rest(self, rows: Any, weights: Sequence[float] | None = None) -> PlainRest:
        weights = [1.0] * len(rows) if weights is None else weights
        lowest, known = -1, (0, 0)
        for place, (made, right) in enumerate(self.counts(rows, 2)):
            if made >= 20 and right >= self.cap * made:
                lowest, known = place, (made, right)
        size = 1 + max(row[0] for row in rows)
        left = [
            (first, told, weight * (told - guessed))
            for (first, told, guess, guessed), weight in zip(rows, weights, strict=True)
            if guess > lowest
        ]
        made = self._reached([(first, 1) for first, _, _ in left], size)
        right = self._reached([(first, told) for first, told, _ in left], size)
        gains = self._reached([(first, gain) for first, _, gain in left], size)
        counts = list(zip(made, right, strict=True))
        return PlainRest(known=known, counts=counts, gain=gains)

    def readings(
        self, rows: Any, weights: Sequence[float] | None = None
    ) -> tuple[float, float, float]:
        """Both readings, and the gain in the rest where it stands highest above chance."""
        attempts, rest = len(rows), self.rest(rows, weights)
        sides = self.counts(rows, 0), self.counts(rows, 2)
        attack, baseline = (self.middle(self.best(side, attempts), attempts) for side in sides)
        among = self.best(rest.counts, attempts)
        guessed = self.alike(sides[1], among[0] + rest.known[0]) - rest.known[1]
        return (
            self.loss(attack, baseline),
            self.loss(self.middle(among, attempts), self.middle((among[0], guessed), attempts)),
            max(
                zip(rest.gain, rest.counts, strict=True),
                key=lambda point: point[0] - 2 * math.sqrt(point[1][0]),
            )[0],
        )


def simulated(
    n: int = 600, seed: int = 0, *, levels: int = 9, known: float = 0.0, **options: Any
) -> Outcomes:
    """Targets whose scores mean something; a share `known` are guessed by nearly everybody."""
    rng = np.random.default_rng(seed)
    attack, baseline = rng.random(n), rng.integers(0, levels, n) / levels
    right, guessed = rng.random(n) < 0.2 + 0.7 * attack, rng.random(n) < 0.2 + 0.5 * baseline
    easy = rng.random(n) < known
    baseline[easy] = 1 + rng.integers(0, 3, easy.sum())
    guessed[easy] = rng.random(easy.sum()) < 0.98
    return Outcomes.from_predictions(attack, right, baseline, guessed, **options)
