"""Fitting the baseline, weighted like the targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Self

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from alc_core.arrays import CodeArray, FloatArray, IntArray
from alc_core.baselines.families import Classifier, Family
from alc_core.baselines.features import Features
from alc_core.baselines.pairs import NumberPairs
from alc_core.runtime.machine import available_threads
from alc_core.tables.codes.columns import likeliest_right

MIN_CLASS_ROWS = 5  # Rarer values need families that learn them
_MIN_RARE_ROWS = 2
_MAX_CLASSES = 10_000
# Least share of unlearned values for their own class
_LEAST_SHARE = 0.01
# Averaged families; empty for the most frequent value
Candidate = tuple[Family, ...]
# With fewer rows, OpenMP and BLAS threads mostly wait
_THREADED_ROWS = 50_000
_CELLS_AT_ONCE = 5_000_000  # Rows times classes predicted at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnedValues:
    """Learned values, and all others as a last class.

    "Another value" is never predicted, but models must know who may have one: else they are too
    certain for others.
    """

    codes: IntArray  # Ascending; the place is the class
    # Codes in the last class; empty if few rows
    others: IntArray
    frequent: NDArray[np.bool_]  # Frequent enough for every family
    rows: NDArray[np.intp]  # With a class
    classes: IntArray  # Class of each of these rows

    def __len__(self) -> int:
        return len(self.frequent)

    @classmethod
    def of(cls, unknown: NDArray[np.int32]) -> Self:
        """Take values seen often enough, the most frequent if many."""
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

    def suits(self, family: Family, features: Features) -> bool:
        """Return whether a family suits the rows, and several classes."""
        every = family.learns_rare or self.frequent.all()
        n_classes = len(self) if every else int(self.frequent.sum()) + 1
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
            return Frequencies.of(features, classes, len(self))
        chosen = features if len(rows) == len(classes) else features.take(rows)
        pairs = NumberPairs.of(chosen, compact) if family.averaged else NumberPairs(())
        chosen = pairs.beside(chosen) if pairs.places else chosen
        model = family.fit(chosen, compact.astype(np.int64), len(present), seed)
        model = _WithPairs(model, pairs) if pairs.places else model
        if len(present) == len(self) and not joined.any():
            return model
        counts = np.bincount(classes, features.weights, minlength=len(self)) * joined
        return _Spread(model, present, counts / (counts.sum() or 1))


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """Predicts the values' shares in the training rows."""

    shares: FloatArray

    @classmethod
    def of(cls, features: Features, classes: IntArray, n_classes: int) -> Self:
        """Count the classes of rows."""
        counts = np.bincount(classes, features.weights, minlength=n_classes)
        return cls(counts / counts.sum())

    def probabilities(self, features: Features) -> FloatArray:
        """Return the same shares for every row."""
        return np.tile(self.shares, (len(features), 1))


@dataclass(frozen=True, slots=True, eq=False)
class _Spread:
    """A model of the present classes, expanded to all."""

    model: Classifier
    present: IntArray
    shares: FloatArray

    def probabilities(self, features: Features) -> FloatArray:
        n_classes = len(self.shares)
        found = np.zeros((len(features), n_classes + 1))
        found[:, self.present] = self.model.probabilities(features)
        return np.asarray(found[:, :n_classes] + found[:, n_classes:] * self.shares)


@dataclass(frozen=True, slots=True, eq=False)
class _WithPairs:
    """A model that also learned from pairs of numbers."""

    model: Classifier
    pairs: NumberPairs

    def probabilities(self, features: Features) -> FloatArray:
        return self.model.probabilities(self.pairs.beside(features))


def innermost(model: Classifier) -> Classifier:
    """Return a family's fitted model, not expanded."""
    return innermost(model.model) if isinstance(model, _Spread | _WithPairs) else model


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Baseline:
    """A fitted baseline."""

    model: str  # The family, or averaged ones joined by " + "
    place: int | None  # In the ranking; None if nothing was to learn
    learned_rows: int  # Rows learned from
    _values: IntArray
    _odds: FloatArray | None
    _people: FloatArray | None
    _classifiers: tuple[Classifier, ...]

    def predict(
        self, features: Features, *, near: bool = False
    ) -> tuple[IntArray, FloatArray, IntArray]:
        """Return each row's code most likely to be correct, and its probability.

        Third is the likeliest code without thinning. With `near`, neighbouring codes are also
        correct.
        """
        values = np.empty(len(features), dtype=np.int64)
        scores, everybody = np.empty(len(features)), values
        if self._people is not None:
            everybody = np.empty_like(values)
        for part, found in self._in_parts(features):
            likely = found[:, : len(self._values)]
            best, scores[part] = likeliest_right(likely, self._values, near=near)
            values[part] = self._values[best]
            if self._people is not None:
                best, _ = likeliest_right(likely * self._people, self._values, near=near)
                everybody[part] = self._values[best]
        return values, scores, everybody

    def probabilities(self, features: Features, n_codes: int) -> FloatArray:
        """Return codes' probabilities, (n_rows, n_codes); 0 if not learned."""
        spread = np.zeros((len(features), n_codes))
        for part, found in self._in_parts(features):
            spread[part, self._values] = np.minimum(found[:, : len(self._values)], 1.0)
        return spread

    def _in_parts(self, features: Features) -> Iterator[tuple[slice, FloatArray]]:
        step = max(1, _CELLS_AT_ONCE // len(self._values))
        with few_threads(len(features)):
            for start in range(0, len(features), step):
                part = slice(start, start + step)
                some = features if step >= len(features) else features.take(part)
                found = mean_probabilities([c.probabilities(some) for c in self._classifiers])
                yield part, for_targets(found, self._odds)


def fit_baseline(
    features: Features,
    unknown: NDArray[np.int32],
    *,
    ranking: Sequence[Candidate],
    seed: int,
    weights: TargetWeights | None = None,
    fitted: dict[Family, Classifier] | None = None,
) -> Baseline:
    """Fit the first candidate that suits rows and memory; `fitted` keeps families of the rows."""
    fitted = {} if fitted is None else fitted
    learned = LearnedValues.of(unknown)
    rows = features if len(learned.rows) == len(features) else features.take(learned.rows)
    odds = None if weights is None else weights.of_classes(learned)
    people = None if weights is None else weights.people[learned.codes]
    people = None if people is None or np.all(people == people[0]) else people
    made = partial(
        Baseline, learned_rows=len(features), _values=learned.codes, _odds=odds, _people=people
    )
    shares = (Frequencies.of(rows, learned.classes, len(learned)),)
    for place in sorted(range(len(ranking)), key=lambda place: place > 0 and not ranking[place]):
        candidate = ranking[place]
        if not all(learned.suits(family, rows) for family in candidate):
            continue
        with suppress(MemoryError), few_threads(len(rows)):
            for family in candidate:
                if family not in fitted:
                    fitted[family] = learned.fit(family, rows, learned.classes, seed=seed)
            models = tuple(fitted[family] for family in candidate)
            return made(model=name_of(candidate), place=place, _classifiers=models or shares)
    return made(model=name_of(()), place=None, _classifiers=shares)


def name_of(candidate: Candidate) -> str:
    """Return a candidate's name in results."""
    return " + ".join(family.name for family in candidate) or "most frequent value"


def mean_probabilities(parts: Sequence[FloatArray]) -> FloatArray:
    """Return the mean of class probabilities."""
    return np.asarray(np.mean(np.stack(parts), axis=0)) if len(parts) > 1 else parts[0]


def few_threads(n_rows: int) -> AbstractContextManager[object]:
    """Limit small models to one OpenMP and BLAS thread.

    On a busy machine, spinning threads slow small fits many times.
    """
    threads = 1 if n_rows < _THREADED_ROWS else available_threads()
    limits: AbstractContextManager[object] = _thread_pools().limit(limits=threads)
    return limits


@cache
def _thread_pools() -> ThreadpoolController:
    """Find the libraries once: slower than a small fit."""
    import sklearn.ensemble  # noqa: F401 - libraries that are loaded later are not limited

    return ThreadpoolController()


# Rows of average odds added, so that no row shows
_SMOOTHING = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TargetWeights:
    """Weights that make the original's rows represent the targets.

    Down-sampling, values that exclude targets, and selection by an unknown column change values'
    frequencies among targets. An attacker knows these, so the baseline's probabilities are
    multiplied by these odds (Saerens et al., 2002). Several records per person are weighted in
    learning.

    Factors: one for the thinned value, one for others, 0 without targets and, for selection by an
    unknown column, the smoothed share of the selected by value; else 1.

    References
    ----------
    Saerens, Latinne and Decaestecker (2002), Adjusting the outputs of a classifier to new a priori
    probabilities.
    """

    # Relative chance to be a target, by value, selection and records
    rows: FloatArray
    # Odds of codes among targets, against rows with the same known values
    values: FloatArray
    # People per target by value: more than 1 if thinned
    people: FloatArray

    @classmethod
    def of(
        cls,
        unknown: CodeArray,
        *,
        could: NDArray[np.bool_],
        eligible: NDArray[np.bool_],
        stand_for: FloatArray,
        records: NDArray[np.int64],
        selection_known: bool,
    ) -> Self:
        """Compare targets with the original's rows.

        By row: possible target, selected, people its target represents, and its person's records
        that could be the target.
        """
        size = int(unknown.max()) + 1
        people = np.ones(size)
        people[unknown] = stand_for
        able, possible = (np.bincount(unknown[who], minlength=size) for who in (could, eligible))
        values = np.where((able == 0) & (possible > 0), 0.0, 1 / people)
        rows = np.where(eligible, values[unknown] / records, 0.0)
        if not selection_known:
            selected = np.bincount(unknown, eligible / records, minlength=size)
            everyone = np.bincount(unknown, 1 / records, minlength=size)
            share = selected.sum() / everyone.sum()
            values = values * (selected + _SMOOTHING * share) / (everyone + _SMOOTHING)
        return cls(rows=rows / rows.max(), values=values / values.max(), people=people)

    @classmethod
    def alike(cls, unknown: CodeArray) -> Self:
        """Return weights for random targets from all rows."""
        ones = np.ones(int(unknown.max()) + 1)
        return cls(rows=np.ones(len(unknown)), values=ones, people=ones)

    def take(self, rows: NDArray[np.intp]) -> TargetWeights:
        """Return weights of some rows, and all values."""
        return replace(self, rows=self.rows[rows])

    def of_classes(self, learned: LearnedValues) -> FloatArray | None:
        """Return odds of learned classes; None if equal."""
        odds = self.values[learned.codes]
        if len(learned.others):
            odds = np.append(odds, self.values[learned.others].mean())
        return None if np.all(odds == odds[0]) else odds


def for_targets(probabilities: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Return class probabilities among targets."""
    if weights is None:
        return probabilities
    # If only values without targets seem possible, others become equal
    weighted = (probabilities + 1e-9) * weights
    return np.asarray(weighted / weighted.sum(axis=1, keepdims=True))
