"""Which values of the unknown attribute are learned, and how a family learns them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.baselines.families import Classifier, Family
from alc_core.baselines.features import Features

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

MIN_CLASS_ROWS = 5  # Values seen in fewer rows are learned only by families that can
_MIN_RARE_ROWS = 2
_MAX_CLASSES = 10_000
# Share of the rows from which on it is learned, too, who has a value that is not
_LEAST_SHARE = 0.01


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnedValues:
    """The values that are learned, numbered, and all others as one class more, the last.

    Nobody is predicted to have "another value", but a model must know who may have one: else it
    is as sure of a value for people who seldom have it as for those who always do.
    """

    codes: IntArray  # Their codes, ascending; the place is the class
    # Codes of the values that make up the class more; empty where few rows have one
    others: IntArray
    frequent: NDArray[np.bool_]  # Which are values frequent enough for every family
    rows: NDArray[np.intp]  # The rows that have a class
    classes: IntArray  # The class of each of these rows

    def __len__(self) -> int:
        return len(self.frequent)

    @classmethod
    def of(cls, unknown: NDArray[np.int32]) -> Self:
        """Give numbers to the values seen often enough, the most frequent where they are many."""
        counts = np.bincount(unknown)
        kept = np.flatnonzero(counts >= min(_MIN_RARE_ROWS, counts.max()))
        if len(kept) > _MAX_CLASSES:
            most_frequent = np.argsort(-counts[kept], kind="stable")[:_MAX_CLASSES]
            kept = np.sort(kept[most_frequent])
        frequent = counts[kept] >= MIN_CLASS_ROWS
        if not frequent.any():
            frequent[:] = True
        class_of = np.full(len(counts), -1, dtype=np.int64)
        class_of[kept] = np.arange(len(kept))
        others = np.flatnonzero((class_of < 0) & (counts > 0))
        if counts[others].sum() >= _LEAST_SHARE * len(unknown):
            class_of[others] = len(kept)
            frequent = np.append(frequent, False)
        else:
            others = others[:0]
        rows = np.flatnonzero(class_of[unknown] >= 0)
        return cls(
            codes=kept.astype(np.int64),
            others=others,
            frequent=frequent,
            rows=rows,
            classes=class_of[unknown[rows]],
        )

    def n_learned_by(self, family: Family) -> int:
        """Return how many classes a family learns."""
        if family.learns_rare or self.frequent.all():
            return len(self)
        return int(self.frequent.sum()) + 1

    def suits(self, family: Family, features: Features) -> bool:
        """Return whether a family learns more than one class, and can on such rows."""
        n_classes = self.n_learned_by(family)
        return n_classes >= 2 and family.suits(features, n_classes)

    def fit(
        self, family: Family, features: Features, classes: IntArray, *, seed: int
    ) -> Classifier:
        """Fit a family on rows with these classes."""
        joined = np.zeros(len(self), dtype=bool) if family.learns_rare else ~self.frequent
        rows = np.arange(len(classes))
        if joined[classes].mean() < _LEAST_SHARE:
            rows = np.flatnonzero(~joined[classes])
        told = np.where(joined, len(self), np.arange(len(self)))[classes[rows]]
        present, compact = np.unique(told, return_inverse=True)
        if len(present) < 2:
            return Frequencies.of(classes, len(self))
        chosen = features if len(rows) == len(classes) else features.take(rows)
        model = family.fit(chosen, compact.astype(np.int64), len(present), seed)
        if len(present) == len(self) and not joined.any():
            return model
        counts = np.bincount(classes, minlength=len(self)) * joined
        return _Spread(model, present, counts / max(1, counts.sum()))


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """Predicts the shares of the values in the rows that were learned from."""

    shares: FloatArray

    @classmethod
    def of(cls, classes: IntArray, n_classes: int) -> Self:
        """Count the classes of rows."""
        return cls(np.bincount(classes, minlength=n_classes) / len(classes))

    def probabilities(self, features: Features) -> FloatArray:
        """Return the same for every row."""
        return np.tile(self.shares, (len(features), 1))


@dataclass(frozen=True, slots=True, eq=False)
class _Spread:
    """A model of the classes that were present, some joined under the number after the last."""

    model: Classifier
    present: IntArray
    shares: FloatArray

    def probabilities(self, features: Features) -> FloatArray:
        n_classes = len(self.shares)
        found = np.zeros((len(features), n_classes + 1))
        found[:, self.present] = self.model.probabilities(features)
        return np.asarray(found[:, :n_classes] + found[:, n_classes:] * self.shares)


def innermost(model: Classifier) -> Classifier:
    """Return the model of a family that was fitted, where some values were left out of it."""
    return model.model if isinstance(model, _Spread) else model
