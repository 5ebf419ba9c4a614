"""What the values of one column say of a released record being a person's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.special import ndtr

from alc_core.arrays import CodeArray, FloatArray, IntArray
from alc_core.attacks.best_row_match import set_shares
from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes
from alc_core.tables.codes.sets import SetColumn
from alc_core.tables.values.generalized import tags

MOST_STEPS = 100  # A released number of so few values is a coarse one: people have the nearest
WIDTHS = (0.003, 0.01, 0.03, 0.1, 0.25)  # Standard deviations of near numbers, in shares of ranks
_CHANGED = 0.3  # The share of each column's values that are taken to be changed, to begin with
_NEAR = 0.2  # Of a number's, the share that are taken to be near
_LEAST = 1e-3  # No part has less
_BINS = 200  # Into so many ranges of ranks numbers are cut to see which are near
_COARSE = 20
_NOWHERE = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnValues:
    """A column's values of some people, beside what records may have.

    A record's value comes from one of several parts: it is the person's own, it is near (of
    numbers, in several widths), or it is another's. Each part says how much likelier it makes what
    the record has than a record of anybody.
    """

    codes: CodeArray  # Of each person, what agrees with a record's code; negative where none does
    rows: CodeArray  # Of each person, the row of `parts`
    equal: FloatArray  # (n_parts, n_people), where the record has the person's code
    parts: FloatArray  # (n_parts, n_rows, n_places), where it has not; 1 where it says nothing


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkedColumn:
    """A known column of released records."""

    name: str
    codes: CodeArray  # Of each record; negative where it stands for several values, or is missing
    places: CodeArray  # Of each record; the last where it has no value, or any
    shares: FloatArray  # Of each code, of people whom it fits
    categorical: bool
    steps: FloatArray  # The different numbers, ascending; empty of a categorical column
    bins: CodeArray  # Of each step, its range of ranks
    edges: FloatArray  # (n_bins, 2), in which ranks a range begins and ends
    # What labels cover; after the places of single values they have their own
    sets: SetColumn | None
    label_shares: FloatArray

    @classmethod
    def of(cls, rows: ReleasedColumns, name: str) -> Self:
        """Code the records' values."""
        spec, sets = rows.known.specs[name], rows.set_columns.get(name)
        categorical = isinstance(spec, CategoricalCodes)
        single = rows.known.columns[name] if sets is None else sets.single
        labelled = np.zeros(len(single), dtype=bool) if sets is None else sets.labelled
        steps, bins, edges = np.zeros(0), np.zeros(0, np.int32), np.zeros((0, 2))
        if isinstance(spec, CategoricalCodes):
            missing = single == spec.size - 1
            codes = np.where(missing | labelled, _NOWHERE, single).astype(np.int32)
            places = np.zeros(len(codes), dtype=np.int32)
        else:
            numbers = single.astype(np.float64)
            present = numbers[np.isfinite(numbers)]
            steps, counts = np.unique(present, return_counts=True)
            bins, edges = _ranges(counts)
            found = np.searchsorted(steps, numbers)
            texts = tags(numbers)
            other = np.where(texts > 0, len(steps) + texts - 1, _NOWHERE)
            codes = np.where(np.isfinite(numbers), found, other).astype(np.int32)
            places = np.full(len(codes), len(edges), dtype=np.int32)
            places[codes < 0] = 0
            inside = np.isfinite(numbers)
            places[inside] = bins[found[inside]]
        first = len(edges) + 1  # After the ranges one for texts, or for any category
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
            steps=steps, bins=bins, edges=edges, sets=sets, label_shares=label_shares,
        )  # fmt: skip

    @property
    def n_places(self) -> int:
        """Number of places."""
        return len(self.edges) + 2 + len(self.label_shares)

    @property
    def levels(self) -> list[CodeArray]:
        """Return codes from coarse to fine, by which columns depend on each other."""
        last = self.n_places - 1
        if self.categorical:
            codes = [np.where(self.codes >= 0, self.codes, len(self.shares) + self.places)]
        else:
            coarse = np.arange(self.n_places)
            coarse[: len(self.edges)] = np.floor(self.edges.mean(axis=1) * _COARSE)
            coarse[len(self.edges) :] += _COARSE
            fine = len(self.edges) > _COARSE
            codes = [coarse[self.places], self.places] if fine else [self.places]
        return [np.where(self.places == last, _NOWHERE, each) for each in codes]

    def start(self) -> FloatArray:
        """Return the share of each part before anything is learned."""
        if len(self.edges) < 2:
            return np.array([1 - _CHANGED, _CHANGED])
        near = np.full(len(WIDTHS), _NEAR / len(WIDTHS))
        return np.array([1 - _CHANGED - _NEAR, *near, _CHANGED])

    def people(self, targets: KnownValues) -> OwnValues:
        """Code people's values as the records'."""
        values = targets.columns[self.name]
        spec = targets.specs[self.name]
        if isinstance(spec, CategoricalCodes):
            codes = np.where(values == spec.size - 1, _NOWHERE, values).astype(np.int32)
            rows, missing = np.zeros(len(codes), dtype=np.int32), codes < 0
        else:
            codes, rows = self._number_codes(values.astype(np.float64))
            missing = rows < 0
        shares = np.append(self.shares, 1.0)[np.clip(codes, 0, len(self.shares))]
        # A value that no record has says nothing: all disagree alike.
        codes = np.where(shares > 0, codes, _NOWHERE).astype(np.int32)
        parts = self._parts()
        n_rows = parts.shape[1]
        if self.sets is not None:
            parts, rows = self._labelled(self.sets, parts, values, rows)
            n_rows = parts.shape[1]
        parts = np.concatenate([parts, np.ones((len(parts), 1, self.n_places))], axis=1)
        rows = np.where(missing, n_rows, rows).astype(np.int32)
        equal = np.ones((len(parts), len(codes)))
        equal[0] = 1 / np.where((codes >= 0) & (shares > 0), shares, 1.0)
        if len(parts) > 2:
            near = np.append(self.bins, np.full(len(self.shares) + 1, len(self.edges)))[codes]
            equal[1:-1] = parts[1:-1, rows, near]
        return OwnValues(codes=codes, rows=rows, equal=equal, parts=parts)

    def _number_codes(self, numbers: FloatArray) -> tuple[CodeArray, CodeArray]:
        """Return the codes of people's numbers, and their ranges; -1 of no value."""
        texts = tags(numbers)
        codes = np.where(texts > 0, len(self.steps) + texts - 1, _NOWHERE)
        finite = np.isfinite(numbers)
        rows = np.where((texts > 0) | finite, len(self.edges), _NOWHERE)
        if len(self.steps):
            nearest = np.searchsorted((self.steps[1:] + self.steps[:-1]) / 2, numbers[finite])
            same = (self.steps[nearest] == numbers[finite]) | (len(self.steps) <= MOST_STEPS)
            codes[finite] = np.where(same, nearest, _NOWHERE)
            rows[finite] = self.bins[nearest]
        return codes.astype(np.int32), rows.astype(np.int32)

    def _parts(self) -> FloatArray:
        """Return what each part says where codes differ, of ranges or of any category."""
        n_bins, n_parts = len(self.edges), len(self.start())
        parts = np.zeros((n_parts, n_bins + 1, self.n_places))
        parts[-1] = 1.0
        if n_parts > 2:
            for part, width in enumerate(WIDTHS, start=1):
                parts[part, :n_bins, :n_bins] = _near(self.edges, width)
        parts[:, :, -1] = 1.0
        return parts

    def _labelled(
        self, sets: SetColumn, parts: FloatArray, values: np.ndarray, rows: CodeArray
    ) -> tuple[FloatArray, CodeArray]:
        """Return parts for each different value, with those of labels."""
        different, first, numbers = np.unique(values, return_index=True, return_inverse=True)
        covered = sets.distances(different) <= 0
        made = parts[:, np.maximum(rows[first], 0)]
        start = len(self.edges) + 1
        made[0, :, start:-1] = np.where(covered, 1 / np.maximum(self.label_shares, 1e-9), 0.0)
        return made, numbers.astype(np.int32)


def _ranges(counts: IntArray) -> tuple[CodeArray, FloatArray]:
    """Return of each step its range of ranks, and where ranges begin and end."""
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
    """Return how much likelier near ranks are in each range, of people in each.

    Ranks move by a normal deviate and stay within 0 and 1.
    """

    def twice(x: FloatArray) -> FloatArray:  # The second integral of the normal density
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
    """Return the share of each part, from the chances of what people's own records have.

    Parameters
    ----------
    weights : ndarray of shape (n_parts,)
        By which the chances were worked out.
    own : OwnValues
        Of the people.
    agreed : ndarray of shape (n_people,)
        The chance that a person's own record has the person's code.
    moved : ndarray of shape (n_rows * n_places,)
        Of all people, the chances that it has another place.
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
