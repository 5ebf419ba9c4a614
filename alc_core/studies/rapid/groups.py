"""Who is at risk: the share at risk among people with the same value of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from alc_core.errors import InputError
from alc_core.measures.measure import Measured
from alc_core.phrasing import numbered
from alc_core.scoring.intervals import wilson_interval
from alc_core.studies.rapid.result import MeasuredRapid, RapidPart
from alc_core.tables.codes.encode import CategoricalCodes, ContinuousScale, FloatArray, encode
from alc_core.tables.table import Table

IntArray = NDArray[np.int64]

FEWEST = 20
"""Smaller groups are taken together: a share of few people says little, and much about each."""

_MOST = 100
_PARTS = 5
_NO_VALUE = "no value"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Grouping:
    """Which group people are in; -1 for those in none."""

    column: str
    labels: list[str]
    codes: IntArray


def with_groups(
    found: MeasuredRapid, original: Table, columns: Sequence[str], *, demand: bool = True
) -> MeasuredRapid:
    """Return a result with the shares at risk by further columns of the original.

    Numbers are cut at their quintiles; other groups come by falling share. Values of fewer than 20
    people are taken together; where these are still fewer than 20, they are left out.
    """
    if found.result.fingerprint != original.fingerprint:
        raise InputError(f"This RAPID was not measured on '{original.name}'. Measure it again.")
    there = {part.column for part in found.result.parts}
    wanted = [column for column in dict.fromkeys(columns) if column not in there]
    data = encode(original, (), columns=wanted)
    parts = list(found.result.parts)
    for column in wanted:
        values, spec = data.original.columns[column][found.people.rows], data.specs[column]
        if isinstance(spec, CategoricalCodes):
            grouping = _by_value(np.asarray(values, np.int64), spec)
        else:
            grouping = _by_quantile(np.asarray(values, np.float64), spec)
        own = _shares(_without_small(grouping, found.people.units), found)
        if isinstance(spec, CategoricalCodes):
            own.sort(key=lambda part: -part.share.value)
        if not own and demand:
            raise InputError(
                f"No {FEWEST} people share a value of '{column}' in '{original.name}', so there "
                "are no groups. Choose another column."
            )
        if len(own) > 1 or demand:
            parts += own
    return replace(found, result=replace(found.result, parts=tuple(parts)))


def _by_value(codes: IntArray, spec: CategoricalCodes) -> _Grouping:
    return _Grouping(column=spec.name, labels=[*spec.labels, _NO_VALUE], codes=codes)


def _by_quantile(values: FloatArray, spec: ContinuousScale) -> _Grouping:
    """Cut numbers at their quintiles; few different ones are a group each."""
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
    return _Grouping(column=spec.name, labels=[*labels, _NO_VALUE], codes=codes.astype(np.int64))


def _written(number: float, spec: ContinuousScale) -> str:
    return str(np.datetime64(int(number), "D")) if spec.of_dates else f"{number:.6g}"


def _without_small(grouping: _Grouping, units: IntArray) -> _Grouping:
    """Take small groups together, and leave out what is small even so."""
    labels, codes = grouping.labels, grouping.codes
    sizes = _sizes(codes, units, len(labels))
    largest = np.sort(sizes)[::-1][min(_MOST, len(sizes)) - 1]
    small = (sizes > 0) & (sizes < max(FEWEST, largest))
    if small.any():
        labels = [*labels, f"{numbered(int(small.sum()), 'other value')}"]
        codes = np.where(small[codes], len(labels) - 1, codes)
        sizes = _sizes(codes, units, len(labels))
    return replace(grouping, labels=labels, codes=np.where(sizes[codes] < FEWEST, -1, codes))


def _sizes(codes: IntArray, units: IntArray, n_groups: int) -> IntArray:
    """Return how many people, or what belongs together, are in each group."""
    width = int(units.max()) + 1
    pairs = np.unique(codes[codes >= 0] * width + units[codes >= 0])
    return np.bincount(pairs // width, minlength=n_groups)


def _shares(grouping: _Grouping, found: MeasuredRapid) -> list[RapidPart]:
    """Return the share at risk of each group that has people, in the order of the labels."""
    people, result = found.people, found.result
    reference = result.scoring.at_risk(people.reference, result.cut)
    parts = []
    for code in np.unique(grouping.codes[grouping.codes >= 0]):
        some = grouping.codes == code
        share = float(people.at_risk[some].mean())
        n_units = len(np.unique(people.units[some]))
        low, high = wilson_interval(share * n_units, n_units, confidence=result.settings.confidence)
        parts.append(
            RapidPart(
                column=grouping.column,
                label=grouping.labels[code],
                n_people=int(some.sum()),
                share=Measured(share, float(low), float(high)),
                reference=float(reference[some].mean()),
            )
        )
    return parts
