"""Arrays over the results of a campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self, TypeAlias

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.arrays import BoolArray, FloatArray, IntArray
from alc_core.assessment.result import Assessment
from alc_core.measures.measure import Measured
from alc_core.scoring.curves import PrecisionRecallCurve
from alc_core.scoring.outcomes import Outcomes, Rest
from alc_core.scoring.readings import EXPOSED, READINGS, Interval

CountArray: TypeAlias = NDArray[np.int32]
# Numbers of the measures beside ALC, by measure and name
MeasuredNumbers: TypeAlias = Mapping[str, Mapping[str, Measured]]
# Both readings of ALC and the gain in shared resamples, of shape (3, n_resamples)
SharedResamples: TypeAlias = NDArray[np.float32]

_COUNTS = ("attempts", "people", "candidates", "known", "known_right")
COUNT, GAIN, RESAMPLE = np.dtype("<i4"), np.dtype("<f8"), np.dtype("<f4")  # Items of `bytes`


class ResultRow(
    msgspec.Struct, frozen=True, array_like=True, kw_only=True, forbid_unknown_fields=True
):
    """A finished attack's part of :class:`Columns`, as its file packs it."""

    attempts: int  # Each as in `Columns`
    recall_scale: float
    people: int
    candidates: int
    complete: bool
    unmatched: bool
    unconverged: bool
    own: Interval
    among_rest: Interval
    exposed: Interval
    attack: tuple[bytes, bytes]  # Predictions, and those that are correct
    baseline: tuple[bytes, bytes]
    rest: tuple[bytes, bytes]
    gain: bytes
    known: int
    known_right: int
    scale: float
    # Value, low and high of every number
    measured: dict[str, dict[str, list[float | None]]]
    shared: tuple[bytes, ...] = ()  # Empty where there are none

    @classmethod
    def of(cls, result: Assessment, *, cap: float) -> Self:
        """Lay out a result, with the rest of a precision cap."""
        outcomes, drawn = result.outcomes, result.shared
        return cls(
            attempts=outcomes.attempts,
            recall_scale=float(outcomes.attack.recall_scale),
            people=result.population,
            candidates=result.candidates,
            complete=result.complete,
            unmatched=bool(result.unmatched),
            unconverged=not result.converged,
            own=result.alc_interval,
            among_rest=result.alc_rest_interval,
            exposed=result.exposed_interval,
            attack=_packed(outcomes.attack),
            baseline=_packed(outcomes.baseline),
            **_of_rest(outcomes, cap),
            scale=float(result.people_a_gain),
            measured={
                measure: {name: number.to_list() for name, number in numbers.items()}
                for measure, numbers in result.measured.items()
            },
            shared=()
            if drawn is None
            else tuple(drawn[name].astype(RESAMPLE).tobytes() for name in (*READINGS, EXPOSED)),
        )

    def with_rest(self, outcomes: Outcomes, *, cap: float) -> Self:
        """Return the same with the rest of another precision cap."""
        return msgspec.structs.replace(self, **_of_rest(outcomes, cap))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlatCurves:
    """Counts per threshold of many curves, end to end."""

    # At or above each threshold, highest threshold first: ascending within a curve
    predictions: CountArray
    true_predictions: CountArray  # Those of them that are correct
    starts: IntArray  # Curve i has the points `starts[i]:starts[i + 1]`

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def of(cls, packed: Sequence[tuple[bytes, bytes]]) -> Self:
        """Unpack curves, and lay them end to end."""
        if any(len(made) != len(right) or len(made) % COUNT.itemsize for made, right in packed):
            raise ValueError("Some counts are missing.")
        made, right = (bytearray().join(each[side] for each in packed) for side in (0, 1))
        return cls(
            predictions=np.frombuffer(made, dtype=COUNT).astype(np.int32, copy=False),
            true_predictions=np.frombuffer(right, dtype=COUNT).astype(np.int32, copy=False),
            starts=_starts([len(made) // COUNT.itemsize for made, _ in packed]),
        )

    @classmethod
    def concat(cls, parts: Sequence[FlatCurves]) -> Self:
        """Lay the curves of all parts end to end."""
        return cls(
            predictions=np.concatenate([part.predictions for part in parts]),
            true_predictions=np.concatenate([part.true_predictions for part in parts]),
            starts=_starts(np.concatenate([np.diff(part.starts) for part in parts])),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunIntervals:
    """Intervals of one number of many attacks, as the run scored them."""

    low: FloatArray  # NaN where there is none
    high: FloatArray

    @classmethod
    def of(cls, bounds: Sequence[Interval]) -> Self:
        """Build from pairs of a lower and an upper bound."""
        pairs = np.array(bounds, dtype=np.float64).reshape(-1, 2)
        return cls(low=pairs[:, 0], high=pairs[:, 1])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """The finished attacks of a campaign as arrays."""

    numbers: IntArray  # Attacks in the order they finished
    attack: FlatCurves  # Their curves, in the same order
    baseline: FlatCurves
    attempts: IntArray  # Targets attacked
    # From predictions / attempts to recall; see :class:`PrecisionRecallCurve`
    recall_scale: FloatArray
    people: IntArray  # All people of the original
    candidates: IntArray  # Those who could be targets
    complete: BoolArray  # See :attr:`Assessment.complete`
    rest: FlatCurves  # Curves among targets the baseline does not know
    gain: FloatArray  # See :class:`Rest`, at the points of `rest`
    known: IntArray  # Guessable targets, and the baseline's correct ones
    known_right: IntArray
    scale: FloatArray  # From a gain to people exposed
    cap: float  # Precision cap of `rest`
    own: RunIntervals  # Of both readings of ALC, and of people exposed
    among_rest: RunIntervals
    exposed: RunIntervals
    unmatched: BoolArray  # Whether a released column was not used
    unconverged: BoolArray  # Whether an attack's chains did not converge
    measured: tuple[MeasuredNumbers, ...]
    shared: tuple[SharedResamples | None, ...]
    # Mark of the newest result: :meth:`CampaignStore.columns` with `after=last` returns later ones;
    # 0 if not from a file
    last: int = 0

    def __len__(self) -> int:
        return len(self.numbers)

    @classmethod
    def of(cls, rows: Mapping[int, ResultRow], *, cap: float, last: int = 0) -> Self:
        """Lay results end to end by number.

        Raises
        ------
        ValueError
            If a result's arrays differ in length.
        """
        found = list(rows.values())
        if any(len(r.gain) // GAIN.itemsize != len(r.rest[0]) // COUNT.itemsize for r in found):
            raise ValueError("Some gains are missing.")

        def array(name: str, dtype: type) -> NDArray[Any]:
            return np.array([getattr(row, name) for row in found], dtype=dtype)

        return cls(
            numbers=np.array(list(rows), dtype=np.int64),
            attack=FlatCurves.of([row.attack for row in found]),
            baseline=FlatCurves.of([row.baseline for row in found]),
            rest=FlatCurves.of([row.rest for row in found]),
            gain=np.frombuffer(b"".join(row.gain for row in found), dtype=GAIN),
            **{
                name: array(name, np.int64)
                for name in ("attempts", "people", "candidates", "known")
            },
            known_right=array("known_right", np.int64),
            **{name: array(name, np.float64) for name in ("recall_scale", "scale")},
            **{name: array(name, bool) for name in ("complete", "unmatched", "unconverged")},
            own=RunIntervals.of([row.own for row in found]),
            among_rest=RunIntervals.of([row.among_rest for row in found]),
            exposed=RunIntervals.of([row.exposed for row in found]),
            measured=tuple(_measured(row) for row in found),
            shared=tuple(_shared(row) for row in found),
            cap=cap,
            last=last,
        )

    @property
    def impossible(self) -> list[int]:
        """Attacks whose counts or intervals no run can have."""
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
            # If everyone is guessable, the rest has no predictions
            least = 0 if side is self.rest else 1
            bad = (more < least) | (made > most) | (more_right < 0) | (more_right > more)
            wrong |= (lengths == 0) | _any_of(bad, side.starts)
        found: list[int] = self.numbers[wrong].tolist()
        return found

    @classmethod
    def concat(cls, tables: Sequence[Columns]) -> Self:
        """Append columns to each other."""
        whole = {
            each.name: _joined([getattr(part, each.name) for part in tables])
            for each in fields(cls)
            if each.name not in ("cap", "last")
        }
        return cls(**whole, cap=tables[-1].cap, last=max(part.last for part in tables))


def _packed(curve: PrecisionRecallCurve) -> tuple[bytes, bytes]:
    made, right = curve.predictions, curve.true_predictions
    return made.astype(COUNT).tobytes(), right.astype(COUNT).tobytes()


def _of_rest(outcomes: Outcomes, cap: float) -> dict[str, Any]:
    rest = Rest.of(outcomes, cap)
    gain = rest.gain.astype(GAIN).tobytes()
    counts = {"known": rest.known, "known_right": rest.known_right}
    return {"rest": _packed(rest.attack), "gain": gain, **counts}


def _measured(row: ResultRow) -> MeasuredNumbers:
    return {
        measure: {name: Measured.from_list(number) for name, number in numbers.items()}
        for measure, numbers in row.measured.items()
    }


def _shared(row: ResultRow) -> SharedResamples | None:
    drawn = [np.frombuffer(reading, dtype=RESAMPLE) for reading in row.shared]
    return np.stack(drawn) if drawn else None


def _joined(parts: Sequence[Any]) -> Any:
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    if isinstance(parts[0], tuple):
        return tuple(each for part in parts for each in part)
    if isinstance(parts[0], FlatCurves):
        return FlatCurves.concat(parts)
    low, high = ([getattr(part, side) for part in parts] for side in ("low", "high"))
    return RunIntervals(low=np.concatenate(low), high=np.concatenate(high))


def _any_of(points: BoolArray, starts: IntArray) -> BoolArray:
    """Return the curves with any marked point."""
    before = np.concatenate([[0], np.cumsum(points)])
    return before[starts[1:]] > before[starts[:-1]]


def _starts(lengths: ArrayLike) -> IntArray:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)], dtype=np.int64)
