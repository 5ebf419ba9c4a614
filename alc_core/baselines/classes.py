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

MIN_CLASS_ROWS = 5
"""Values seen in fewer rows are learned only by families that can."""

_MIN_RARE_ROWS = 2
_MAX_CLASSES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnedValues:
    """The values that are learned, numbered.

    Attributes
    ----------
    codes : ndarray of int of shape (n_classes,)
        Their codes, ascending; the place is the class.
    frequent : ndarray of bool of shape (n_classes,)
        Which are frequent enough for every family.
    rows : ndarray of int
        The rows that have one.
    classes : ndarray of int
        The class of each of these rows.
    """

    codes: IntArray
    frequent: NDArray[np.bool_]
    rows: NDArray[np.intp]
    classes: IntArray

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def of(cls, unknown: NDArray[np.int32]) -> Self:
        """Give numbers to the values seen often enough, the most frequent where they are many."""
        counts = np.bincount(unknown)
        kept = np.flatnonzero(counts >= min(_MIN_RARE_ROWS, counts.max()))
        if len(kept) > _MAX_CLASSES:
            most_frequent = np.argsort(-counts[kept], kind="stable")[:_MAX_CLASSES]
            kept = np.sort(kept[most_frequent])
        frequent = counts[kept] >= MIN_CLASS_ROWS
        class_of = np.full(len(counts), -1, dtype=np.int64)
        class_of[kept] = np.arange(len(kept))
        rows = np.flatnonzero(class_of[unknown] >= 0)
        return cls(
            codes=kept.astype(np.int64),
            frequent=frequent if frequent.any() else np.ones(len(kept), dtype=bool),
            rows=rows,
            classes=class_of[unknown[rows]],
        )

    def n_learned_by(self, family: Family) -> int:
        """Return how many of the values a family learns."""
        return len(self) if family.learns_rare else int(self.frequent.sum())

    def suits(self, family: Family, features: Features) -> bool:
        """Return whether a family learns more than one value, and can on such rows."""
        n_classes = self.n_learned_by(family)
        return n_classes >= 2 and family.suits(features, n_classes)

    def fit(
        self, family: Family, features: Features, classes: IntArray, *, seed: int
    ) -> Classifier:
        """Fit a family on rows with these classes.

        Parameters
        ----------
        family : Family
            What to fit.
        features : Features
            Of the rows.
        classes : ndarray of int of shape (n_rows,)
            Of the rows, numbered as here; not all need occur.
        seed : int
            Of the model.

        Returns
        -------
        Classifier
            Gives a probability for each of these values, 0 for those that it did not learn.
        """
        rows = np.arange(len(classes))
        if not family.learns_rare and not self.frequent.all():
            rows = np.flatnonzero(self.frequent[classes])
        present, compact = np.unique(classes[rows], return_inverse=True)
        if len(present) < 2:
            return Frequencies.of(classes, len(self))
        chosen = features if len(rows) == len(classes) else features.take(rows)
        model = family.fit(chosen, compact.astype(np.int64), len(present), seed)
        if len(present) == len(self):
            return model
        return _Spread(model, present, len(self), len(rows) / len(classes))


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
    """A model of some of the classes; `share` of the rows have one of them."""

    model: Classifier
    present: IntArray
    n_classes: int
    share: float

    def probabilities(self, features: Features) -> FloatArray:
        spread = np.zeros((len(features), self.n_classes))
        spread[:, self.present] = self.model.probabilities(features) * self.share
        return spread


def innermost(model: Classifier) -> Classifier:
    """Return the model of a family that was fitted, where some values were left out of it."""
    return model.model if isinstance(model, _Spread) else model
