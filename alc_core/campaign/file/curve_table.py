"""The curves of many attacks as counts in flat arrays, for rescoring them all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.arrays import BoolArray, FloatArray, IntArray

CountArray = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlatCurves:
    """Counts per threshold of many curves, end to end."""

    # Predictions at or above each threshold. Within a curve the highest threshold comes first, so
    # that they ascend.
    predictions: CountArray
    true_predictions: CountArray  # Those of them that are correct
    starts: IntArray  # Curve i has the points `starts[i]:starts[i + 1]`

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def concat(cls, parts: Sequence[FlatCurves]) -> Self:
        """Lay the curves of all parts end to end."""
        return cls(
            predictions=np.concatenate([part.predictions for part in parts]),
            true_predictions=np.concatenate([part.true_predictions for part in parts]),
            starts=starts_of(np.concatenate([np.diff(part.starts) for part in parts])),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunIntervals:
    """Interval of one number of many attacks, as the run scored them."""

    low: FloatArray  # NaN where there is none
    high: FloatArray

    @classmethod
    def of(cls, bounds: Sequence[Sequence[float | None]]) -> Self:
        """Build from pairs of a lower and an upper bound."""
        pairs = np.array(bounds, dtype=np.float64).reshape(-1, 2)
        return cls(low=pairs[:, 0], high=pairs[:, 1])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveTable:
    """All that rescoring needs of many finished attacks."""

    numbers: IntArray  # Which attacks of the campaign, in the order in which they finished
    attack: FlatCurves  # Their curves, in the same order
    baseline: FlatCurves
    attempts: IntArray  # Targets attacked
    # Factor from predictions / attempts to recall; see :class:`PrecisionRecallCurve`
    recall_scale: FloatArray
    people: IntArray  # All people of the original
    complete: BoolArray  # See :attr:`Assessment.complete`
    rest: FlatCurves  # The attacks' curves among the targets whom the baseline does not know anyway
    gain: FloatArray  # See :class:`Rest`, at the points of `rest`
    known: IntArray  # Targets whom the baseline knows anyway, and of how many it is right
    known_right: IntArray
    scale: FloatArray  # From a gain to people exposed
    cap: float  # To which most precision that counts `rest` belongs
    own: RunIntervals  # Intervals of ALC, of ALC among the rest, and of people exposed
    among_rest: RunIntervals
    exposed: RunIntervals
    unmatched: BoolArray  # Whether an attack could not use a column that the release has
    unconverged: BoolArray  # Whether an attack's chains did not converge
    # Mark of the newest result in here: :meth:`CampaignStore.curves` with `after=last` gives only
    # what has come since. 0 where nothing came from a file.
    last: int = 0

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def impossible(self) -> list[int]:
        """Numbers of the attacks whose counts or intervals no run can have."""
        wrong = (self.people < 1) | (self.attempts < 1)
        wrong |= ~(self.recall_scale > 0) | ~(self.scale >= 0)
        wrong |= ~np.isfinite(self.recall_scale) | ~np.isfinite(self.scale)
        wrong |= _any_of(~np.isfinite(self.gain), self.rest.starts)
        wrong |= (self.known < 0) | (self.known > self.attempts)
        wrong |= (self.known_right < 0) | (self.known_right > self.known)
        for bounds in (self.own, self.among_rest, self.exposed):
            wrong |= (bounds.low > bounds.high) | (np.isnan(bounds.low) != np.isnan(bounds.high))
            wrong |= np.isinf(bounds.low) | np.isinf(bounds.high)
        wrong |= np.isnan(self.among_rest.low) != np.isnan(self.exposed.low)
        wrong |= (self.own.high > 1) | (self.among_rest.high > 1)
        for side in (self.attack, self.baseline, self.rest):
            lengths = np.diff(side.starts)
            first = np.zeros(len(side.predictions), dtype=bool)
            first[side.starts[:-1][lengths > 0]] = True
            most = np.repeat(self.attempts, lengths)
            made, right = side.predictions.astype(np.int64), side.true_predictions.astype(np.int64)
            more, more_right = (np.diff(each, prepend=0) for each in (made, right))
            more, more_right = np.where(first, made, more), np.where(first, right, more_right)
            # Where everybody is known anyway, nobody of the rest is predicted for.
            least = 0 if side is self.rest else 1
            bad = (more < least) | (made > most) | (more_right < 0) | (more_right > more)
            wrong |= (lengths == 0) | _any_of(bad, side.starts)
        found: list[int] = self.numbers[wrong].tolist()
        return found

    @classmethod
    def concat(cls, tables: Sequence[CurveTable]) -> Self:
        """Append tables to each other, such as what is new to what was read before."""
        whole = {
            each.name: _joined([getattr(part, each.name) for part in tables])
            for each in fields(cls)
            if each.name not in ("cap", "last")
        }
        return cls(**whole, cap=tables[-1].cap, last=max(part.last for part in tables))


def _joined(parts: Sequence[Any]) -> Any:
    """Lay arrays, curves or intervals of several tables end to end."""
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    if isinstance(parts[0], FlatCurves):
        return FlatCurves.concat(parts)
    low, high = ([getattr(part, side) for part in parts] for side in ("low", "high"))
    return RunIntervals(low=np.concatenate(low), high=np.concatenate(high))


def _any_of(points: BoolArray, starts: IntArray) -> BoolArray:
    """Return of which curves any point is marked."""
    before = np.concatenate([[0], np.cumsum(points)])
    return before[starts[1:]] > before[starts[:-1]]


def starts_of(lengths: ArrayLike) -> IntArray:
    """Return where each of several arrays begins once they lie end to end, and where all end."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)], dtype=np.int64)
