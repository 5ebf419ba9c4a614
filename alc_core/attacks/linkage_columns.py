"""Evidence of one column that a record is a person's own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from alc_core.arrays import CodeArray, FloatArray, IntArray
from alc_core.attacks.best_row_match import set_shares
from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes
from alc_core.tables.codes.sets import SetColumn
from alc_core.tables.values.generalized import tags

MOST_STEPS = 100  # With fewer values numbers are rounded: match the nearest
WIDTHS = (0.003, 0.01, 0.03, 0.1, 0.25)  # Standard deviations of near numbers in shares of ranks
_CHANGED = 0.3  # Starting share of changed values
_NEAR = 0.2  # Starting share of near numbers
_LEAST = 1e-3  # Smallest share of a part
_BINS = 200  # Rank ranges in which nearness is computed
_COARSE = 20
_NOWHERE = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnValues:
    """One column's values of people, with evidence of records' values.

    A mixture of own, near (numbers, several widths) and other values; each part is a likelihood
    ratio against a random record.
    """

    codes: CodeArray  # Record's code by person; negative if none
    rows: CodeArray  # Row of `parts` by person
    equal: FloatArray  # (n_parts, n_people), if the record has the person's code
    parts: FloatArray  # (n_parts, n_rows, n_places), if it differs; 1 if uninformative

    def take(self, people: NDArray[np.intp]) -> OwnValues:
        """Return those of some of the people."""
        return replace(
            self, codes=self.codes[people], rows=self.rows[people], equal=self.equal[:, people]
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Numbers:
    """Distinct numbers of records in rank ranges."""

    steps: FloatArray
    bins: CodeArray  # Range by step
    edges: FloatArray  # (n_ranges, 2), first and last rank

    @classmethod
    def of(cls, numbers: FloatArray) -> Self:
        steps, counts = np.unique(numbers[np.isfinite(numbers)], return_counts=True)
        bins, edges = _ranges(counts)
        return cls(steps=steps, bins=bins, edges=edges)

    @property
    def n_ranges(self) -> int:
        return len(self.edges)

    def code(self, numbers: FloatArray) -> tuple[CodeArray, CodeArray]:
        """Return codes and ranges; -1 if missing or unreleased."""
        texts = tags(numbers)
        codes = np.where(texts > 0, len(self.steps) + texts - 1, _NOWHERE)
        finite = np.isfinite(numbers)
        ranges = np.where((texts > 0) | finite, self.n_ranges, _NOWHERE)
        if len(self.steps):
            nearest = np.searchsorted((self.steps[1:] + self.steps[:-1]) / 2, numbers[finite])
            same = (self.steps[nearest] == numbers[finite]) | (len(self.steps) <= MOST_STEPS)
            codes[finite] = np.where(same, nearest, _NOWHERE)
            ranges[finite] = self.bins[nearest]
        return codes.astype(np.int32), ranges.astype(np.int32)

    def parts(self, n_places: int) -> FloatArray:
        """Return parts' ratios where codes differ, by range or category."""
        widths = WIDTHS if self.n_ranges > 1 else ()
        parts = np.zeros((len(widths) + 2, self.n_ranges + 1, n_places))
        for part, width in enumerate(widths, start=1):
            parts[part, : self.n_ranges, : self.n_ranges] = _near(self.edges, width)
        parts[-1] = 1.0
        parts[:, :, -1] = 1.0
        return parts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkedColumn:
    """A known column of released records."""

    name: str
    codes: CodeArray  # By record; negative if generalized or missing
    places: CodeArray  # By record; the last if missing or suppressed
    shares: FloatArray  # Share of people who match each code
    categorical: bool
    numbers: _Numbers  # None if categorical
    # Of labels; their places follow the single values'
    sets: SetColumn | None
    label_shares: FloatArray
    # (n_parts, n_ranges + 1, n_places), ratios where codes differ
    parts: FloatArray

    @classmethod
    def of(cls, rows: ReleasedColumns, name: str) -> Self:
        """Code the records' values."""
        spec, sets = rows.known.specs[name], rows.set_columns.get(name)
        categorical = isinstance(spec, CategoricalCodes)
        single = rows.known.columns[name] if sets is None else sets.single
        labelled = np.zeros(len(single), dtype=bool) if sets is None else sets.labelled
        numbers = _Numbers.of(np.zeros(0) if categorical else single.astype(np.float64))
        if isinstance(spec, CategoricalCodes):
            missing = single == spec.size - 1 - (0 if sets is None else len(sets.labels))
            codes = np.where(missing | labelled, _NOWHERE, single).astype(np.int32)
            places = np.zeros(len(codes), dtype=np.int32)
        else:
            codes, places = numbers.code(single.astype(np.float64))
        first = numbers.n_ranges + 1  # One more for texts, or any category
        last = first + (0 if sets is None else len(sets.labels))
        places[(codes < 0) & ~labelled] = last
        per_row = None if sets is None else set_shares(sets)
        label_shares = np.ones(last - first)
        if sets is not None and per_row is not None:
            places[labelled] = first + sets.codes[labelled]
            places[sets.suppressed] = last
            codes[labelled] = _NOWHERE
            label_shares[sets.codes[labelled]] = per_row[labelled]
        has = codes >= 0
        counts = np.bincount(codes[has])
        shares = counts / max(1, counts.sum())
        if per_row is not None:
            shares[codes[has]] = per_row[has]
        return cls(
            name=name, codes=codes, places=places, shares=shares, categorical=categorical,
            numbers=numbers, sets=sets, label_shares=label_shares,
            parts=numbers.parts(last + 1),
        )  # fmt: skip

    def take(self, records: NDArray[np.intp]) -> LinkedColumn:
        """Return the column in another order."""
        return replace(self, codes=self.codes[records], places=self.places[records])

    @property
    def levels(self) -> list[CodeArray]:
        """Return codes from coarse to fine, for dependence of columns."""
        n_places, n_ranges = self.parts.shape[2], self.numbers.n_ranges
        last = n_places - 1
        if self.categorical:
            codes = [np.where(self.codes >= 0, self.codes, len(self.shares) + self.places)]
        else:
            coarse = np.arange(n_places)
            coarse[:n_ranges] = np.floor(self.numbers.edges.mean(axis=1) * _COARSE)
            coarse[n_ranges:] += _COARSE
            fine = n_ranges > _COARSE
            codes = [coarse[self.places], self.places] if fine else [self.places]
        return [np.where(self.places == last, _NOWHERE, each) for each in codes]

    def start(self) -> FloatArray:
        """Return the starting share of each part."""
        near = np.full(len(self.parts) - 2, _NEAR / len(WIDTHS))
        return np.array([1 - _CHANGED - near.sum(), *near, _CHANGED])

    def people(self, targets: KnownValues) -> OwnValues:
        """Code people's values like the records'."""
        values = targets.columns[self.name]
        spec = targets.specs[self.name]
        if isinstance(spec, CategoricalCodes):
            codes = np.where(values == spec.size - 1, _NOWHERE, values).astype(np.int32)
            rows, missing = np.zeros(len(codes), dtype=np.int32), codes < 0
        else:
            codes, rows = self.numbers.code(values.astype(np.float64))
            missing = rows < 0
        shares = np.append(self.shares, 0.0)[np.clip(codes, 0, len(self.shares))]
        # An unreleased value is uninformative
        codes = np.where(shares > 0, codes, _NOWHERE).astype(np.int32)
        parts = self.parts
        if self.sets is not None:
            parts, rows = self._labelled(self.sets, values, rows)
        rows = np.where(missing, parts.shape[1], rows).astype(np.int32)
        parts = np.concatenate([parts, np.ones_like(parts[:, :1])], axis=1)
        equal = np.ones((len(parts), len(codes)))
        equal[0] = 1 / np.where((codes >= 0) & (shares > 0), shares, 1.0)
        if len(parts) > 2:
            texts = np.full(len(self.shares) + 1, self.numbers.n_ranges)
            near = np.append(self.numbers.bins, texts)[codes]
            equal[1:-1] = parts[1:-1, rows, near]
        return OwnValues(codes=codes, rows=rows, equal=equal, parts=parts)

    def _labelled(
        self, sets: SetColumn, values: np.ndarray, rows: CodeArray
    ) -> tuple[FloatArray, CodeArray]:
        different, first, numbers = np.unique(values, return_index=True, return_inverse=True)
        covered = sets.distances(different) <= 0
        made = self.parts[:, np.maximum(rows[first], 0)]
        start = self.numbers.n_ranges + 1
        made[0, :, start:-1] = np.where(covered, 1 / np.maximum(self.label_shares, 1e-9), 0.0)
        return made, numbers.astype(np.int32)


def _ranges(counts: IntArray) -> tuple[CodeArray, FloatArray]:
    if not len(counts):
        return np.zeros(0, np.int32), np.zeros((0, 2))
    ends = np.cumsum(counts) / counts.sum()
    begins = np.append(0.0, ends[:-1])
    if len(counts) <= _BINS:
        return np.arange(len(counts), dtype=np.int32), np.column_stack([begins, ends])
    _, first, bins = np.unique(
        np.floor((begins + ends) / 2 * _BINS), return_index=True, return_inverse=True
    )
    last = np.append(first[1:], len(counts)) - 1
    return bins.astype(np.int32), np.column_stack([begins[first], ends[last]])


def _near(edges: FloatArray, width: float) -> FloatArray:
    """Return likelihood ratios of near ranks.

    Ranks move by a normal deviate, clipped.
    """

    def twice(x: FloatArray) -> FloatArray:  # Second integral of the normal density
        density = np.exp(-0.5 * (x / width) ** 2) / np.sqrt(2 * np.pi)
        return np.asarray(x * ndtr(x / width) + width * density)

    low, high = edges[:, :1], edges[:, 1:]
    mass = twice(high.T - low) - twice(high.T - high) - twice(low.T - low) + twice(low.T - high)
    mass = np.maximum(mass, 1e-12)
    mass /= mass.sum(axis=1, keepdims=True)
    return np.asarray(mass / (high - low).T)


def learned_parts(
    weights: FloatArray, own: OwnValues, agreed: FloatArray, moved: FloatArray
) -> FloatArray:
    """Return each part's share, by expectation and maximization.

    Parameters
    ----------
    weights : ndarray of shape (n_parts,)
        For the expectations.
    own : OwnValues
    agreed : ndarray of shape (n_people,)
        Probability that the own record has the person's code.
    moved : ndarray of shape (n_rows * n_places,)
        Summed probabilities of another place.
    """
    moved = moved.reshape(own.parts.shape[1:])
    equal = weights[:, None] * own.equal
    apart = weights[:, None, None] * own.parts
    counted = (equal * (agreed / equal.sum(axis=0))).sum(axis=1)
    total = apart.sum(axis=0)
    total[(own.parts == 1).all(axis=0)] = np.inf  # It says nothing
    counted += (apart * (moved / np.maximum(total, 1e-300))).sum(axis=(1, 2))
    found = (counted + weights) / (counted.sum() + 1)
    found = np.maximum(found, _LEAST)
    return np.asarray(found / found.sum())
