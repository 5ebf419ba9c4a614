"""Choosing and fitting the baseline: the best prediction for people who are not in the data."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from alc_core.baselines.families import Classifier, Family
from alc_core.baselines.features import Features
from alc_core.runtime.threads import available_threads
from alc_core.scoring.curves import best_measure, precision_recall_curve
from alc_core.scoring.parameters import ScoringParameters

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Part = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Rows to learn from, and rows to test on."""

Tell = Callable[[str], None]

SELECTION_ROWS = 10_000
"""Families are compared on at most this many rows, drawn at random from the training rows."""

_THREADED_ROWS = 50_000
"""Below this, the threads of OpenMP and BLAS wait for each other longer than they work."""

_ROWS_FOR_HALVES = 4_000
"""From this many rows on, half of them are enough to learn from for a comparison."""

_EQUAL_PRC = 0.01
"""PRCs that differ by less, relatively, are taken as equal."""

_LEAST_PROBABILITY = 1e-4
"""A probability of 0 for what happened would make the log loss infinite."""

MIN_CLASS_ROWS = 5
"""Values seen in fewer rows are not learned."""

_MAX_CLASSES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Baseline:
    """A fitted baseline.

    Attributes
    ----------
    model : str
        The chosen family, or several joined by " + " whose probabilities are averaged.
    """

    model: str
    _values: IntArray
    _classifiers: tuple[Classifier, ...]

    def predict(self, features: Features) -> tuple[IntArray, FloatArray]:
        """Return the likeliest code of each row and its probability, the rank score."""
        with _few_threads(len(features)):
            total = _mean_probabilities([c.probabilities(features) for c in self._classifiers])
        best = total.argmax(axis=1)
        return self._values[best], total[np.arange(len(total)), best]

    def probabilities(self, features: Features, n_codes: int) -> FloatArray:
        """Return the probability of every code, shape (n_rows, n_codes); 0 where not learned."""
        with _few_threads(len(features)):
            total = _mean_probabilities([c.probabilities(features) for c in self._classifiers])
        spread = np.zeros((len(features), n_codes))
        spread[:, self._values] = np.minimum(total, 1.0)
        return spread


@dataclass(frozen=True, slots=True)
class _Constant:
    """Predicts the class frequencies of the training rows."""

    frequencies: FloatArray

    def probabilities(self, features: Features) -> FloatArray:
        return np.tile(self.frequencies, (len(features), 1))


def choose_families(
    features: Features,
    unknown: NDArray[np.int32],
    units: IntArray,
    *,
    families: Sequence[Family],
    scoring: ScoringParameters,
    seed: int,
    tell: Tell | None = None,
) -> tuple[Family, ...]:
    """Choose by cross-validated PRC what a baseline is fitted with.

    The PRC is that of the best of many thresholds, which is noisy where rows are few: of the
    candidates whose PRC is within one standard error of the highest (or within 1 % of it) the one
    with the lowest log loss is chosen.

    Parameters
    ----------
    features : Features
        Known attributes of rows that are not the targets'.
    unknown : ndarray of int32 of shape (n_rows,)
        Codes of the unknown attribute.
    units : ndarray of int of shape (n_rows,)
        Rows with equal numbers stay on one side of the cross-validation.
    families : sequence of Family
        Candidates, with the averages of any two that say so.
    scoring, seed
        Parameters of the PRC to choose by; seed of the models and of the split.
    tell : callable, optional
        Called with the name of each family before it is tried; may raise to stop.

    Returns
    -------
    tuple of Family
        One, two to be averaged, or none: then the most frequent value is the best guess.

    References
    ----------
    Francis and Wagner (2025), section 3.4: any predictive technique may be the baseline.
    """
    values, classes, learnable = _learnable_classes(unknown)
    if len(values) < 2:
        return ()
    rng = np.random.default_rng(seed)
    picked = np.arange(len(learnable))
    if len(picked) > SELECTION_ROWS:
        picked = np.sort(rng.choice(picked, size=SELECTION_ROWS, replace=False))
    features, classes = features.take(learnable[picked]), classes[picked]
    parts = _split(units[learnable[picked]], rng)
    if any(len(np.unique(classes[learn])) < 2 or len(test) == 0 for learn, test in parts):
        return ()
    order = np.concatenate([test for _, test in parts])
    suitable = [family for family in families if family.suits(features, len(values))]
    with _few_threads(len(features)):
        predicted = {
            family.name: _cross_predict(family, features, classes, parts, len(values), seed, tell)
            for family in suitable
        }
    return _best_candidate(suitable, predicted, classes[order], len(values), scoring)


def fit_baseline(
    features: Features,
    unknown: NDArray[np.int32],
    *,
    chosen: Sequence[Family],
    seed: int,
) -> Baseline:
    """Fit the chosen families on all training rows.

    Parameters
    ----------
    features, unknown
        As in :func:`choose_families`, of the training rows.
    chosen : sequence of Family
        From :func:`choose_families`.
    seed : int
        Of the models.

    Returns
    -------
    Baseline
        Values seen fewer than 5 times are not learned, unless all are that rare; nor are more than
        2000 values, the rarest first.
    """
    values, classes, learnable = _learnable_classes(unknown)
    fitting = features.take(learnable)
    usable = [family for family in chosen if family.suits(fitting, len(values))]
    if len(values) < 2 or not usable:
        frequencies = np.bincount(classes, minlength=len(values)) / len(classes)
        return Baseline(
            model="most frequent value", _values=values, _classifiers=(_Constant(frequencies),)
        )
    with _few_threads(len(fitting)):
        classifiers = tuple(f.fit(fitting, classes, len(values), seed) for f in usable)
    return Baseline(
        model=" + ".join(family.name for family in usable),
        _values=values,
        _classifiers=classifiers,
    )


def _few_threads(n_rows: int) -> AbstractContextManager[object]:
    """Return a context in which small models take one thread of OpenMP and BLAS.

    On a busy machine their threads spin while they wait, which makes small fits many times slower.
    """
    import sklearn.ensemble  # noqa: F401 - libraries that are loaded later are not limited

    threads = 1 if n_rows < _THREADED_ROWS else available_threads()
    limits: AbstractContextManager[object] = threadpool_limits(threads)
    return limits


def _learnable_classes(
    unknown: NDArray[np.int32],
) -> tuple[IntArray, IntArray, NDArray[np.intp]]:
    """Return the learned codes, the rows' classes, and the rows that have one."""
    counts = np.bincount(unknown)
    enough = np.flatnonzero(counts >= MIN_CLASS_ROWS)
    if len(enough) == 0:
        enough = np.flatnonzero(counts >= min(2, counts.max()))
    if len(enough) > _MAX_CLASSES:
        most_frequent = np.argsort(-counts[enough], kind="stable")[:_MAX_CLASSES]
        enough = np.sort(enough[most_frequent])
    class_of = np.full(len(counts), -1, dtype=np.int64)
    class_of[enough] = np.arange(len(enough))
    rows = np.flatnonzero(class_of[unknown] >= 0)
    return enough.astype(np.int64), class_of[unknown[rows]], rows


def selection_parts(n_rows: int) -> int:
    """Return in how many parts rows are cross-validated to compare families on them."""
    return 2 if n_rows >= _ROWS_FOR_HALVES else 3


def _split(units: IntArray, rng: np.random.Generator) -> list[Part]:
    """Return (learn, test) rows of a cross-validation: 2 parts, or 3 where rows are few."""
    n_parts = selection_parts(len(units))
    numbers = np.unique(units, return_inverse=True)[1]
    part = rng.permutation(np.arange(numbers.max() + 1) % n_parts)[numbers]
    return [(np.flatnonzero(part != n), np.flatnonzero(part == n)) for n in range(n_parts)]


def _best_candidate(
    families: Sequence[Family],
    predicted: dict[str, FloatArray],
    truth: IntArray,
    n_classes: int,
    scoring: ScoringParameters,
) -> tuple[Family, ...]:
    frequencies = np.bincount(truth, minlength=n_classes) / len(truth)
    constant = np.tile(frequencies, (len(truth), 1))
    candidates: list[tuple[Family, ...]] = [(), *((family,) for family in families)]
    candidates += itertools.combinations([f for f in families if f.averaged], 2)
    merits = []
    for candidate in candidates:
        parts = [predicted[family.name] for family in candidate] or [constant]
        merits.append(_Merit.of(_mean_probabilities(parts), truth, scoring))
    highest = max(merits, key=lambda merit: merit.prc)
    enough = highest.prc - max(highest.standard_error, _EQUAL_PRC * highest.prc)
    best = min(
        (number for number, merit in enumerate(merits) if merit.prc >= enough),
        key=lambda number: merits[number].log_loss,
    )
    return candidates[best]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Merit:
    """How well a candidate predicts rows that it did not learn from."""

    prc: float
    standard_error: float
    log_loss: float

    @classmethod
    def of(cls, probabilities: FloatArray, truth: IntArray, scoring: ScoringParameters) -> Self:
        rows = np.arange(len(truth))
        best = probabilities.argmax(axis=1)
        curve = precision_recall_curve(probabilities[rows, best], best == truth, max_thresholds=400)
        measure = best_measure(curve, scoring)
        precision = measure.precision
        error = np.sqrt(precision * (1 - precision) / measure.predictions)
        likelihood = np.maximum(probabilities[rows, truth], _LEAST_PROBABILITY)
        return cls(
            prc=measure.prc,
            standard_error=float(error * measure.prc / precision),
            log_loss=float(-np.log(likelihood).mean()),
        )


def _cross_predict(
    family: Family,
    features: Features,
    classes: IntArray,
    parts: Sequence[Part],
    n_classes: int,
    seed: int,
    tell: Tell | None,
) -> FloatArray:
    """Fit on each part's rows to learn from; return class probabilities of its test rows."""
    predicted = []
    for learn, test in parts:
        if tell is not None:
            tell(family.name)
        present, compact = np.unique(classes[learn], return_inverse=True)
        model = family.fit(features.take(learn), compact, len(present), seed)
        spread = np.zeros((len(test), n_classes))
        spread[:, present] = model.probabilities(features.take(test))
        predicted.append(spread)
    return np.concatenate(predicted)


def _mean_probabilities(parts: Sequence[FloatArray]) -> FloatArray:
    return np.asarray(np.mean(np.stack(parts), axis=0)) if len(parts) > 1 else parts[0]
