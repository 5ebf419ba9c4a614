"""One column of several tables as codes or numbers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.tables.table import ColumnKind
from alc_core.tables.values.dates import datetime_values, fitting_format, format_of
from alc_core.tables.values.generalized import tagged, tags, texts_among_numbers
from alc_core.tables.values.no_value import spelled_otherwise
from alc_core.tables.values.texts import (
    canonical_labels,
    label_codes,
    numeric_values,
    parse_numbers,
)

_OWN = 1e-6  # Own weight of a code, only to break ties


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoricalCodes:
    """A column compared by equality."""

    name: str  # The column
    # By code, sorted; the code after the last is missing
    labels: tuple[str, ...]
    near: bool = False  # Whether neighbouring codes are also correct
    # Columns of a joint label's parts
    together: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Number of codes, the missing value's included."""
        return len(self.labels) + 1

    def codes_of(self, values: Sequence[str]) -> list[int]:
        """Return codes of the column's values, in any spelling."""
        wanted = set(canonical_labels(pd.Series(list(values), dtype=object)))
        return [code for code, label in enumerate(self.labels) if label in wanted]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinuousScale:
    """A column with a distance: numbers, or days."""

    name: str  # The column
    minimum: float  # Of original and release; both 0 if empty
    maximum: float
    # The original's range, divided by bins whatever is released; by default the scale
    bin_range: tuple[float, float] | None = None
    of_dates: bool = False  # Whether the numbers are days
    date_format: str | None = None  # Of the original, if texts
    # Texts among numbers, sorted, each as far from numbers as can be; tagged NaN in arrays
    # (:mod:`alc_core.tables.values.generalized`).
    codes: tuple[str, ...] = ()
    cuts: tuple[float, ...] = ()  # Bounds of unequal bins, ascending
    near: bool = False  # Whether neighbouring bins are also correct

    @property
    def range(self) -> float:
        """Width of the scale, divisor of distances."""
        return self.maximum - self.minimum

    def binned(self, bins: int) -> CategoricalCodes:
        """Return codes of bins, labelled by bounds, and of texts."""
        edges = self.edges(bins)
        labels = tuple(
            f"[{low:.6g}, {high:.6g}{']' if number == len(edges) - 2 else ')'}"
            for number, (low, high) in enumerate(itertools.pairwise(edges))
        )
        # Texts are correct only if equal: never neighbours
        texts = [label for code in self.codes for label in ((code, "") if self.near else (code,))]
        return CategoricalCodes(name=self.name, labels=(*labels, *texts), near=self.near)

    def edges(self, bins: int) -> FloatArray:
        """Return bins' bounds, of equal width unless `cuts`."""
        if self.cuts:
            return np.array(self.cuts)
        return np.linspace(*(self.bin_range or (self.minimum, self.maximum)), bins + 1)

    def to_bins(self, values: FloatArray, bins: int) -> CodeArray:
        """Return each value's bin, the outermost if outside, or its code in `binned`."""
        low, high = self.bin_range or (self.minimum, self.maximum)
        if self.cuts:
            inside = np.clip(values, low, high)
            codes = np.searchsorted(self.cuts[1:-1], inside, side="right")
            bins = len(self.cuts) - 1
        else:
            width = (high - low) / bins if high > low else 1.0
            position = np.floor((values - low) / width)
            codes = np.clip(np.nan_to_num(position, nan=0.0), 0, bins - 1)
        text = (tags(values) - 1) % (len(self.codes) + 1)
        without = bins + (2 if self.near else 1) * text
        return np.where(np.isnan(values), without, codes).astype(np.int32)

    def number(self, text: str) -> float:
        """Read a number or date as in the original; NaN for others."""
        if not self.of_dates:
            return float(parse_numbers([text])[0])
        meant = fitting_format(text, self.date_format)
        return float(datetime_values(pd.Series([text], dtype=object), format=meant)[0])

    def is_marker(self, values: FloatArray, markers: Sequence[str]) -> NDArray[np.bool_]:
        """Return which values are one of some markers."""
        written = [self.number(marker) for marker in markers]
        found = np.isin(values, [number for number in written if np.isfinite(number)])
        texts = [tag for tag, code in enumerate(self.codes, start=1) if code in markers]
        return found | np.isin(tags(values), texts) if texts else found

    def of_values(self, original: FloatArray, markers: Sequence[str], bins: int) -> ContinuousScale:
        """Return the scale with bins of the original's numbers, without markers.

        Of equal width, unless one would hold over half of the people.
        """
        present = original[np.isfinite(original)]
        if markers:
            present = present[~self.is_marker(present, markers)]
        ends = _bounds(present) if len(present) else None
        cuts = self.cuts or heavy_cuts(present, bins)
        return replace(self, bin_range=ends or (0.0, 0.0), cuts=cuts)


ColumnSpec = CategoricalCodes | ContinuousScale


_USUAL_BINS = 20


def heavy_cuts(present: FloatArray, bins: int) -> tuple[float, ...]:
    """Return bounds of equal-count bins, if equal widths hide most people.

    A value filling a bin is one. Empty if no bin of equal width holds over half of the people, or
    only wide ones do.

    Examples
    --------
    >>> heavy_cuts(np.arange(100.0), 4)
    ()
    >>> [round(cut) for cut in heavy_cuts(np.array([0.0] * 60 + [1, 2, 3, 4] * 9 + [900] * 4), 4)]
    [0, 1, 2, 3, 900]
    """
    if not len(present) or present.min() == present.max():
        return ()
    low, high = float(present.min()), float(present.max())
    usual = max(bins, _USUAL_BINS)
    place = np.clip((present - low) / (high - low) * usual, 0, usual - 1).astype(np.int64)
    if 2 * np.bincount(place).max() <= len(present):
        return ()
    values, times = np.unique(present, return_counts=True)
    alone = values[times * bins >= len(present)]
    rest = np.sort(present[~np.isin(present, alone)])
    parts = max(1, bins - len(alone))
    between = rest[np.arange(parts)[: len(rest)] * len(rest) // parts]
    starts = np.unique([low, *alone, *np.nextafter(alone, np.inf), *between])
    held = np.unique(np.searchsorted(starts, present, side="right") - 1)
    return (*map(float, starts[held]), float(np.nextafter(high, np.inf)))


def value_counts(values: NDArray[Any], bins: int) -> NDArray[np.int64]:
    """Count rows by value, or bin if continuous."""
    if values.dtype.kind != "f":
        return np.bincount(values) if len(values) else np.zeros(1, dtype=np.int64)
    present = values[np.isfinite(values)].astype(np.float64)
    missing = len(values) - len(present)
    try:
        counts = np.histogram(present, bins=heavy_cuts(present, bins) or bins)[0]
    except ValueError:  # Too near for bins between them
        counts = np.unique(present, return_counts=True)[1]
    return np.append(counts, missing).astype(np.int64)


def likeliest_right(
    weights: NDArray[Any], codes: NDArray[np.integer[Any]], *, near: bool
) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """Return the code most likely to be correct, and its weight.

    With `near`, codes beside the true one are also correct. Ties go to most own weight, then the
    first.
    """
    right = weights
    if near:
        right = weights.astype(np.float64)
        (below,) = np.nonzero(np.diff(codes) == 1)
        right[:, below] += weights[:, below + 1]
        right[:, below + 1] += weights[:, below]
    best = (right + _OWN * weights).argmax(axis=1) if near else weights.argmax(axis=1)
    return best, right[np.arange(len(right)), best]


def scale_of(
    column: str,
    kind: ColumnKind,
    original: FloatArray,
    released: Sequence[FloatArray],
    codes: tuple[str, ...],
    date_format: str | None = None,
) -> ContinuousScale:
    """Return a column's scale from original and one release."""
    bounds = [_bounds(array) for array in (original, *released)]
    present = [pair for pair in bounds if pair is not None]
    return ContinuousScale(
        name=column,
        minimum=min((low for low, _ in present), default=0.0),
        maximum=max((high for _, high in present), default=0.0),
        bin_range=bounds[0] or (0.0, 0.0),
        of_dates=kind is ColumnKind.DATETIME,
        date_format=date_format,
        codes=codes,
    )


def _bounds(values: FloatArray) -> tuple[float, float] | None:
    if np.isnan(values).all():
        return None
    return float(np.nanmin(values)), float(np.nanmax(values))


def encode_continuous(
    series: Sequence[pd.Series], kind: ColumnKind, date_format: str | None = None
) -> tuple[list[FloatArray], tuple[str, ...]]:
    """Return a column's numbers or days by table, original first, and codes.

    A text among numbers is a code, unless it means missing.
    """
    if kind is ColumnKind.DATETIME:
        return _read_dates(series, date_format or format_of(series[0])), ()
    arrays = [numeric_values(values) for values in series]
    left = [np.flatnonzero(np.isnan(numbers)) for numbers in arrays]
    found = [label_codes(values.iloc[rows]) for values, rows in zip(series, left, strict=True)]
    codes = sorted({each for _, labels in found for each in texts_among_numbers(labels)})
    tag_of = {code: tag for tag, code in enumerate(codes, start=1)}
    for numbers, rows, (places, labels) in zip(arrays, left, found, strict=True):
        numbers[rows] = tagged(np.array([*(tag_of.get(each, 0) for each in labels), 0])[places])
    return arrays, tuple(codes)


def _read_dates(series: Sequence[pd.Series], date_format: str | None) -> list[FloatArray]:
    """Read dates in the original's format, others too if it fits."""
    if date_format is None:
        return [datetime_values(values) for values in series]
    arrays = [datetime_values(series[0], format=date_format)]
    for values in series[1:]:
        alike, own = datetime_values(values, format=date_format), datetime_values(values)
        arrays.append(alike if np.isnan(alike).sum() <= np.isnan(own).sum() else own)
    return arrays


def encode_categorical(
    column: str, series: Sequence[pd.Series], *, together: tuple[str, ...] = ()
) -> tuple[CategoricalCodes, list[CodeArray]]:
    """Return a column's labels, and codes by table.

    Words for missing become the first table's.
    """
    factorized = [label_codes(values) for values in series]
    every = {label for _, found in factorized for label in found}
    respelled = spelled_otherwise(factorized[0][1], every)
    labels = sorted(every - respelled.keys())
    position = {label: code for code, label in enumerate(labels)}
    arrays = []
    for codes, found in factorized:
        # -1 picks the last entry, the missing value's code
        own = [position[respelled.get(label, label)] for label in found]
        mapping = np.array([*own, len(labels)], np.int32)
        arrays.append(mapping[codes])
    return CategoricalCodes(name=column, labels=tuple(labels), together=together), arrays


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpreadValues:
    """A released unknown column with generalized labels."""

    labels: CodeArray  # Row of `weights`; -1 for a single value
    # Each code's probability by label: by its released frequency as single value, or evenly
    weights: FloatArray

    def likeliest(self, single: CodeArray) -> CodeArray:
        """Return codes with each label's likeliest."""
        best = self.weights.argmax(axis=1).astype(np.int32)
        return np.where(self.labels >= 0, best[self.labels], single).astype(np.int32)

    def drawn(self, single: CodeArray, rng: np.random.Generator) -> CodeArray:
        """Return codes, each label's drawn by weight."""
        rows = np.flatnonzero(self.labels >= 0)
        below = np.cumsum(self.weights, axis=1)[self.labels[rows]]
        codes = np.array(single, dtype=np.int32)
        chosen = (below < rng.random((len(rows), 1)) * below[:, -1:]).sum(axis=1)
        codes[rows] = chosen
        return codes

    def take(self, rows: NDArray[np.intp]) -> SpreadValues:
        """Return the values of some rows."""
        return SpreadValues(labels=self.labels[rows], weights=self.weights)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedValues:
    """The unknown column of several tables, numbered to count rows."""

    numbers: tuple[CodeArray, ...]  # By table: codes, then labels
    weights: FloatArray  # Probability of codes by label of all tables

    @classmethod
    def of(cls, parts: Sequence[tuple[CodeArray, SpreadValues | None]], n_codes: int) -> Self:
        """Return numbered values of tables, codes and labels."""
        numbers, weights, used = [], [np.zeros((0, n_codes))], n_codes
        for single, spread in parts:
            if spread is None:
                numbers.append(single)
                continue
            places = np.where(spread.labels >= 0, spread.labels + used, single)
            numbers.append(places.astype(np.int32))
            weights.append(spread.weights)
            used += len(spread.weights)
        return cls(numbers=tuple(numbers), weights=np.concatenate(weights))

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(self.weights.shape[1]) + len(self.weights)

    def by_code(self, counts: FloatArray) -> FloatArray:
        """Return rows by code, labels spread over what they cover."""
        n_codes = self.weights.shape[1]
        if not len(self.weights):
            return counts
        return counts[:, :n_codes] + counts[:, n_codes:] @ self.weights
