"""The RAPID of a release, overall and by groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.campaign.file.annotations import KeptResults
from alc_core.errors import InputError, ParameterError
from alc_core.measures.measure import Measured
from alc_core.measures.rapid import SCORES, Score, fitting_scores
from alc_core.parameter import check_name, check_whole
from alc_core.phrasing import numbered
from alc_core.scoring.intervals import wilson_interval
from alc_core.studies.rapid.learners import LEARNERS
from alc_core.tables.codes.encode import CategoricalCodes, ContinuousScale, encode
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.dates import iso_day


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidSettings:
    """How RAPID is measured."""

    learner: str = "random forest"  # One of :data:`~alc_core.studies.rapid.learners.LEARNERS`
    # One of :data:`~alc_core.measures.rapid.SCORES`; by default the normalized gain for categories,
    # the symmetric relative error for numbers, the absolute one for dates
    score: str | None = None
    cut: float | None = None  # Threshold or tolerance; by default the score's
    resamples: int = 1_000  # Of the bootstrap interval
    seed: int = 0  # Of all randomness

    def __post_init__(self) -> None:
        check_whole("seed", self.seed)
        check_name("learner", self.learner, LEARNERS)
        if self.score is not None:
            check_name("score", self.score, SCORES)

    def score_of(self, column: str, kind: ColumnKind) -> Score:
        """Return the score for a column of a kind."""
        fitting = fitting_scores(kind)
        chosen = self.score or fitting[0]
        if chosen not in fitting:
            holds = "dates" if kind is ColumnKind.DATETIME else "numbers"
            raise ParameterError(
                f"'{column}' holds {holds if kind.is_numeric else 'categories'}, so score "
                f"'{chosen}' does "
                f"not fit. Choose one of {', '.join(fitting)}."
            )
        return SCORES[chosen]


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidCurve:
    """Share of people at risk over thresholds or tolerances."""

    cuts: tuple[float, ...]  # Ascending
    shares: tuple[float, ...]  # The release's, with pointwise intervals
    low: tuple[float, ...]
    high: tuple[float, ...]
    reference: tuple[float, ...]  # Of models that never saw the person

    def at(self, cut: float) -> int:
        """Return the index of the nearest cut."""
        return int(np.abs(np.array(self.cuts) - cut).argmin())


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidPart:
    """The share at risk among some people."""

    column: str  # Column of the value or range
    label: str
    n_people: int  # How many they are
    share: Measured  # At risk among them
    reference: float  # At risk without the person


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidDriver:
    """A known attribute's part in the risk."""

    column: str  # The attribute
    drop: Measured  # Fall of the share at risk when its values are permuted


@dataclass(frozen=True, slots=True, kw_only=True)
class Rapid:
    """RAPID of one release in one scenario, without data of single people."""

    release: str  # Name of the release
    fingerprint: str  # Of the original
    known: tuple[str, ...]  # The known columns
    unknown: str  # The unknown one
    settings: RapidSettings  # How it was measured
    score: str
    cut: float  # The threshold or tolerance
    rapid: Measured  # Share of the people at risk
    # By models of the original without the person
    reference: Measured
    beyond: Measured  # Release minus reference, person by person
    curve: RapidCurve  # Over thresholds or tolerances
    # By value of the unknown, known and further columns
    parts: tuple[RapidPart, ...]
    drivers: tuple[RapidDriver, ...]  # Largest first
    n_people: int  # People that were predicted
    left_out: int  # People without a value
    # Unreleased values, whose people cannot be at risk
    not_released: tuple[str, ...]
    notes: tuple[str, ...]  # What a reader must know besides

    @property
    def scoring(self) -> Score:
        """The score, described."""
        return SCORES[self.score]

    @property
    def grouped(self) -> tuple[str, ...]:
        """The columns by whose values there are shares."""
        return tuple(dict.fromkeys(part.column for part in self.parts))

    def groups(self, column: str) -> tuple[RapidPart, ...]:
        """Return the shares by a column's values."""
        return tuple(part for part in self.parts if part.column == column)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeasuredRapid:
    """RAPID with each person's risk, kept in memory unless exported."""

    result: Rapid  # What may be kept and shown
    rows: NDArray[np.intp]  # People's rows of the original, from 0
    scores: FloatArray  # By the release's model, and without the person
    reference: FloatArray
    at_risk: NDArray[np.bool_]  # By the release
    units: NDArray[np.int64]  # People with equal numbers belong together


KEPT_RAPID = KeptResults(
    "rapid", Rapid,
    key=lambda found: " | ".join(
        [found.release, found.unknown, ",".join(found.known), found.settings.learner, found.score]
    ),
)  # fmt: skip


# Smaller groups are pooled: their shares say little, and much about each person
FEWEST = 20
_MOST = 100
_PARTS = 5
_NO_VALUE = "no value"


# Labels of groups, and people's groups; -1 for none
_Grouping = tuple[list[str], IntArray]


def with_groups(
    found: MeasuredRapid, original: Table, columns: Sequence[str], *, demand: bool = True
) -> MeasuredRapid:
    """Add shares at risk by further columns: quintiles, or values of at least 20 people."""
    if found.result.fingerprint != original.fingerprint:
        raise InputError(f"RAPID is not of '{original.name}'. Measure it again.")
    there = {part.column for part in found.result.parts}
    wanted = [column for column in dict.fromkeys(columns) if column not in there]
    data = encode(original, (), columns=wanted)
    parts = list(found.result.parts)
    for column in wanted:
        values, spec = data.original.columns[column][found.rows], data.specs[column]
        if isinstance(spec, CategoricalCodes):
            grouping = [*spec.labels, _NO_VALUE], np.asarray(values, np.int64)
        else:
            grouping = _by_quantile(np.asarray(values, np.float64), spec)
        own = _shares(column, *_without_small(*grouping, found.units), found)
        if isinstance(spec, CategoricalCodes):
            own.sort(key=lambda part: -part.share.value)
        if not own and demand:
            raise InputError(
                f"Fewer than {FEWEST} people share any value of '{column}' in '{original.name}'. "
                "Choose another column."
            )
        if len(own) > 1 or demand:
            parts += own
    return replace(found, result=replace(found.result, parts=tuple(parts)))


def _by_quantile(values: FloatArray, spec: ContinuousScale) -> _Grouping:
    lacking = np.isnan(values)
    present = values[~lacking]
    distinct = np.unique(present)
    if len(distinct) <= _PARTS:
        cuts, labels = distinct[:-1], [_written(number, spec) for number in distinct]
    else:
        shares = np.arange(1, _PARTS) / _PARTS
        cuts = np.unique(np.quantile(present, shares, method="lower"))
        written = [_written(cut, spec) for cut in cuts]
        between = [f"over {low} to {high}" for low, high in pairwise(written)]
        labels = [f"up to {written[0]}", *between, f"over {written[-1]}"]
    codes = np.where(lacking, len(labels), np.searchsorted(cuts, values, side="left"))
    return [*labels, _NO_VALUE], codes.astype(np.int64)


def _written(number: float, spec: ContinuousScale) -> str:
    return iso_day(number) if spec.of_dates else f"{number:.6g}"


def _without_small(labels: list[str], codes: IntArray, units: IntArray) -> _Grouping:
    """Pool small groups, and drop too small pools."""
    sizes = _sizes(codes, units, len(labels))
    largest = np.sort(sizes)[::-1][min(_MOST, len(sizes)) - 1]
    small = (sizes > 0) & (sizes < max(FEWEST, largest))
    if small.any():
        labels = [*labels, f"{numbered(int(small.sum()), 'other value')}"]
        codes = np.where(small[codes], len(labels) - 1, codes)
        sizes = _sizes(codes, units, len(labels))
    return labels, np.where(sizes[codes] < FEWEST, -1, codes)


def _sizes(codes: IntArray, units: IntArray, n_groups: int) -> IntArray:
    width = int(units.max()) + 1
    pairs = np.unique(codes[codes >= 0] * width + units[codes >= 0])
    return np.bincount(pairs // width, minlength=n_groups)


def _shares(
    column: str, labels: list[str], codes: IntArray, found: MeasuredRapid
) -> list[RapidPart]:
    result = found.result
    reference = result.scoring.at_risk(found.reference, result.cut)
    parts = []
    for code in np.unique(codes[codes >= 0]):
        some = codes == code
        share = float(found.at_risk[some].mean())
        n_units = len(np.unique(found.units[some]))
        low, high = wilson_interval(share * n_units, n_units)
        parts.append(
            RapidPart(
                column=column,
                label=labels[code],
                n_people=int(some.sum()),
                share=Measured(share, float(low), float(high)),
                reference=float(reference[some].mean()),
            )
        )
    return parts
