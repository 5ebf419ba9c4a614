"""Plans and results as the values that a campaign's file holds, and back."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.assessment.result import Assessment
from alc_core.campaign.file.curve_table import CurveTable, FlatCurves, RunIntervals, starts_of
from alc_core.campaign.model import CampaignSettings, PlannedAttack
from alc_core.errors import InputError
from alc_core.phrasing import listed
from alc_core.plain_values import from_plain, to_plain
from alc_core.scoring.outcomes import Rest
from alc_core.scoring.readings import EXPOSED, READINGS

ITEM = np.dtype("<i4")  # Type of the curve counts in the file
GAIN = np.dtype("<f8")  # Type of the gains in the file
_LARGEST = 2**27  # Bytes of a decompressed record at most; 20 000 people take about one million
RESAMPLE = np.dtype("<f4")  # Type of the shared resamples in the file

# The arrays of counts, in the order in which the file holds them
_COUNTS = tuple(
    (side, name) for side in ("attack", "baseline") for name in ("predictions", "true_predictions")
)

# What the file holds elsewhere, or what follows from the rest
_DERIVED = (
    "alc", "alc_interval", "alc_rest", "alc_rest_interval", "decisive", "exposed",
    "exposed_interval", "rest", "measures", "stopped_by",
)  # fmt: skip


_Number = tuple[str, str, float, float | None, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A finished attack as the file holds it."""

    attempts: int  # Targets attacked
    recall_scale: float  # See :class:`PrecisionRecallCurve`
    people: int  # All people of the original
    complete: bool  # See :attr:`Assessment.complete`
    # Whether a column could not be matched, and whether the chains did not converge
    unmatched: bool
    unconverged: bool
    # Measure, name, value, low and high of every number of every measure, ALC first
    numbers: tuple[_Number, ...]
    curves: tuple[int | bytes, ...]  # Checksum and the arrays of counts as bytes
    # Checksum, targets known anyway, those of them that the baseline is right about, people a
    # target stands for, and the counts among the rest as bytes
    rest: tuple[int | float | bytes, ...]
    assessment: bytes  # Everything else, as compressed JSON
    # Both readings, and the gain, in the shared resamples; empty where there are none
    shared: tuple[bytes, ...] = ()


def to_json(value: object) -> str:
    """Return compact ASCII: names that no encoding can hold, such as of odd files, survive."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def attack_rows(
    attacks: Sequence[PlannedAttack], settings: CampaignSettings
) -> list[tuple[int, bytes, str]]:
    """Return number, identity and plan of planned attacks."""
    for attack in attacks:
        if attack.release not in settings.releases:
            raise InputError(
                f"Planned attack {attack.number} is on release '{attack.release}', which the "
                f"campaign does not have (it has {listed(list(settings.releases)) or 'none'}). "
                "Add that release, or leave the attack out."
            )
    plans = [{k: v for k, v in to_plain(a).items() if k != "number"} for a in attacks]
    return [
        (attack.number, identity_of(attack), to_json(plan))
        for attack, plan in zip(attacks, plans, strict=True)
    ]


def refuse_twice(attacks: Sequence[PlannedAttack]) -> None:
    """Refuse a plan in which two attacks are the same, or have the same number."""
    numbers: set[int] = set()
    seen: dict[bytes, int] = {}
    for attack in attacks:
        first = seen.setdefault(identity_of(attack), attack.number)
        if attack.number in numbers:
            raise InputError(
                f"Two planned attacks have the number {attack.number}. Number them from 0 on."
            )
        if first != attack.number:
            raise InputError(
                f"Planned attacks {first} and {attack.number} are the same. Leave one out."
            )
        numbers.add(attack.number)


def identity_of(attack: PlannedAttack) -> bytes:
    """Return what two planned attacks share if and only if they would do the same."""
    parts = [attack.scenario.to_dict(), attack.release, attack.attack]
    return blake2b(json.dumps(parts, sort_keys=True).encode("ascii"), digest_size=16).digest()


def attack_of(number: int, plan: str) -> PlannedAttack:
    """Build a planned attack from its plan in :func:`attack_rows`."""
    data = json.loads(plan)
    return from_plain({**data, "number": number}, PlannedAttack)


def row_of(assessment: Assessment) -> ResultRow:
    """Return what the file keeps of an assessment: each thing once."""
    outcomes = assessment.outcomes
    counts = [
        np.asarray(getattr(getattr(outcomes, side), name)).astype(ITEM).tobytes()
        for side, name in _COUNTS
    ]
    rest = assessment.to_dict()
    for name in _DERIVED:
        del rest[name]
    for side, name in _COUNTS:
        del rest["outcomes"][side][name]
    loss, shared = "anonymity loss", assessment.shared
    numbers: list[_Number] = [
        (loss, "alc", assessment.alc, *assessment.alc_interval),
        (loss, "alc_rest", assessment.alc_rest, *assessment.alc_rest_interval),
        (loss, EXPOSED, assessment.exposed, *assessment.exposed_interval),
    ]
    for measure, found in assessment.measured.items():
        numbers += [
            (measure, name, each.value, each.low, each.high) for name, each in found.items()
        ]
    return ResultRow(
        attempts=outcomes.attempts,
        recall_scale=float(outcomes.attack.recall_scale),
        people=assessment.population,
        complete=assessment.complete,
        unmatched=bool(assessment.unmatched),
        unconverged=not assessment.converged,
        numbers=tuple(numbers),
        curves=(_checksum(counts), *counts),
        rest=_rest(Rest.of(outcomes, assessment.scoring.precision_cap), assessment.people_a_gain),
        assessment=zlib.compress(to_json(rest).encode("ascii")),
        shared=()
        if shared is None
        else tuple(shared[name].astype(RESAMPLE).tobytes() for name in (*READINGS, EXPOSED)),
    )


def _rest(rest: Rest, scale: float) -> tuple[int | float | bytes, ...]:
    counts = [
        rest.attack.predictions.astype(ITEM).tobytes(),
        rest.attack.true_predictions.astype(ITEM).tobytes(),
        rest.gain.astype(GAIN).tobytes(),
    ]
    return (_checksum(counts), rest.known, rest.known_right, scale, *counts)


def assessment_of(
    content: bytes,
    curves: Sequence[Any],
    numbers: Sequence[tuple[str, str, float | None, float | None, float | None]],
) -> Assessment:
    """Build an assessment from what a :class:`ResultRow` holds.

    Its intervals are those that were stored, not drawn again.
    """
    checksum, *counts = curves
    if _checksum(counts) != checksum:
        raise ValueError("The counts are not as they were written.")
    data = json.loads(_inflated(content))
    for (side, name), array in zip(_COUNTS, counts, strict=True):
        data["outcomes"][side][name] = np.frombuffer(array, dtype=ITEM)
    data["measures"] = {}
    intervals: dict[str, Any] = {}
    for measure, name, value, low, high in numbers:
        if measure == "anonymity loss":
            intervals[name] = (low, high)
        else:
            data["measures"].setdefault(measure, {})[name] = (value, low, high)
    assessment = Assessment.from_dict(data)
    if EXPOSED in intervals:
        gain = np.array(intervals[EXPOSED], dtype=np.float64) / assessment.people_a_gain
        kept = {str(name): intervals[name] for name in READINGS}
        return replace(
            assessment, kept_intervals=kept | {EXPOSED: (float(gain[0]), float(gain[1]))}
        )
    return assessment


def _inflated(content: bytes) -> bytes:
    """Decompress a record, but not more than any has."""
    inflating = zlib.decompressobj()
    found = inflating.decompress(content, _LARGEST)
    if not inflating.eof:
        raise ValueError("The record does not end, or is larger than any.")
    return found


@dataclass(frozen=True, slots=True)
class CurveRow:
    """What rescoring needs of a result, in the order in which the file gives it."""

    sequence: int
    number: int
    attempts: int
    recall_scale: float
    people: int
    complete: int
    own: Sequence[float | None]  # Intervals as in :class:`CurveTable`
    among_rest: Sequence[float | None]
    exposed: Sequence[float | None]
    checksum: int
    counts: Sequence[bytes]  # Of attack and baseline, each all predictions and the right ones
    unmatched: int
    unconverged: int
    rest: Sequence[Any]  # As in :class:`ResultRow`
    assessment: bytes | None  # To count the rest from, where it is not there or not wanted

    @classmethod
    def of(cls, row: Sequence[Any]) -> CurveRow:
        """Name the values of a row."""
        sequence, number, attempts, scale, people, complete, *others = row
        return cls(
            sequence, number, attempts, scale, people, complete,
            others[:2], others[2:4], others[4:6], others[6], others[7:11], others[11], others[12],
            others[13:20], others[20],
        )  # fmt: skip

    @property
    def damaged(self) -> bool:
        """Whether the curves are not as they were written."""
        wrong = _checksum(self.counts) != self.checksum
        return wrong or (self.assessment is None and _checksum(self.rest[4:]) != self.rest[0])

    def with_rest(self, cap: float) -> CurveRow:
        """Count the rest from the record, where it is not there."""
        if self.assessment is None:
            return self
        found = assessment_of(self.assessment, (self.checksum, *self.counts), ())
        return replace(self, rest=_rest(Rest.of(found.outcomes, cap), found.people_a_gain))


def curve_table_of(found: Sequence[CurveRow], *, after: int, cap: float) -> CurveTable:
    """Lay the curves of results end to end."""
    rows = [row.with_rest(cap) for row in found]
    sides: list[Any] = list(zip(*(row.counts for row in rows), strict=True)) or [()] * 4
    rest: list[Any] = list(zip(*(row.rest for row in rows), strict=True)) or [()] * 7
    _, known, known_right, scale, predictions, true_predictions, gains = rest
    if [len(each) // GAIN.itemsize for each in gains] != [
        len(each) // ITEM.itemsize for each in predictions
    ]:
        raise ValueError("Some gains are missing.")
    return CurveTable(
        numbers=np.array([row.number for row in rows], dtype=np.int64),
        attack=_flat(*sides[:2]),
        baseline=_flat(*sides[2:]),
        rest=_flat(predictions, true_predictions),
        gain=np.frombuffer(b"".join(gains), dtype=GAIN),
        known=np.array(known, dtype=np.int64),
        known_right=np.array(known_right, dtype=np.int64),
        scale=np.array(scale, dtype=np.float64),
        cap=cap,
        attempts=np.array([row.attempts for row in rows], dtype=np.int64),
        recall_scale=np.array([row.recall_scale for row in rows], dtype=np.float64),
        people=np.array([row.people for row in rows], dtype=np.int64),
        complete=np.array([row.complete for row in rows], dtype=bool),
        own=RunIntervals.of([row.own for row in rows]),
        among_rest=RunIntervals.of([row.among_rest for row in rows]),
        exposed=RunIntervals.of([row.exposed for row in rows]),
        unmatched=np.array([row.unmatched for row in rows], dtype=bool),
        unconverged=np.array([row.unconverged for row in rows], dtype=bool),
        last=rows[-1].sequence if rows else after,
    )


def _checksum(counts: Sequence[bytes]) -> int:
    return zlib.crc32(b"".join(counts))


def _flat(predictions: Sequence[bytes], true_predictions: Sequence[bytes]) -> FlatCurves:
    if [*map(len, predictions)] != [*map(len, true_predictions)]:
        raise ValueError("Some counts are missing.")
    return FlatCurves(
        predictions=_counts(predictions),
        true_predictions=_counts(true_predictions),
        starts=starts_of([len(content) // ITEM.itemsize for content in predictions]),
    )


def _counts(contents: Sequence[bytes]) -> NDArray[np.int32]:
    """Return all counts in one array, which can be written to like any other."""
    return np.frombuffer(bytearray().join(contents), dtype=ITEM).astype(np.int32, copy=False)
