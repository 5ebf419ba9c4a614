"""Train on the release, test on the original: how much a model learns from a release."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from alc_core.arrays import FloatArray, IntArray
from alc_core.baselines.features import without_empty
from alc_core.errors import AlcError
from alc_core.runtime.machine import available_threads, kept_warnings, limit_threads
from alc_core.runtime.processes import TRIES, in_processes
from alc_core.runtime.progress import Reporter
from alc_core.scoring.intervals import wilson_interval
from alc_core.studies.utility.coding import Coded
from alc_core.tables.codes.encode import EncodedTable

TREES, LEAST_IN_LEAF = 100, 5
"""Size of the forests; fuller leaves remember less of single people."""

MODEL = (
    f"random forest of {TREES} trees, leaves of at least {LEAST_IN_LEAF} rows, otherwise "
    "scikit-learn's defaults"
)
"""What is trained."""

MAX_TRAIN, MAX_TEST = 10_000, 5_000
"""Rows that models are trained and tested with at most."""

TEST_SHARE = 1 / 3
"""Share of the original that is held out."""

FEWEST_ROWS = 20
"""With fewer rows to train or to test with, nothing is trained."""

_DIED = (
    "The process that trained models ended four times: it may have run out of memory. Close other "
    "programs, and measure the usefulness again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedTarget:
    """How well models predict one column of people of the original who were held out."""

    target: str  # The column
    release_accuracy: float  # Share predicted rightly by a model trained on the release
    # The same by one trained on as many other rows of the original, with all its columns
    original_accuracy: float
    # The same by always naming the most frequent value of the original's other rows
    majority_accuracy: float
    train_rows: int  # Rows trained on, of each, and rows held out
    test_rows: int
    columns: int  # Columns that the two models predict from
    original_columns: int

    @property
    def loss(self) -> float:
        """How much less accurate a model is after training on the release than on the original."""
        return self.original_accuracy - self.release_accuracy

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval of the accuracy after training on the release."""
        right = self.release_accuracy * self.test_rows
        low, high = wilson_interval(right, self.test_rows)
        return float(low), float(high)


def learn_targets(
    coded: Coded, targets: Sequence[str], *, seed: np.random.SeedSequence, reporter: Reporter
) -> tuple[tuple[LearnedTarget, ...], tuple[str, ...]]:
    """Predict columns of held-out people by models trained on release and on original.

    This is train-on-synthetic-test-on-real (TSTR) against train-on-real-test-on-real, as in
    Esteban, Hyland and Rätsch, "Real-valued (medical) time series generation with recurrent
    conditional GANs" (2017), for any kind of release.
    """
    found: dict[str, LearnedTarget | str] = {}
    seeds = dict(zip(targets, seed.spawn(len(targets)), strict=True))
    jobs = available_threads()
    task = partial(_learn, threads=max(1, jobs // max(1, len(targets))))
    stop = reporter.cancel or (lambda: False)

    def wanted() -> Iterator[tuple[str, np.random.SeedSequence]]:
        # What is left off while it runs would end the processes, which others use, too
        return itertools.takewhile(lambda _: not stop(), [*seeds.items()])

    reporter.report("Training models", 0, len(targets))
    for tries_left in reversed(range(TRIES)):
        try:
            with in_processes(task, coded, wanted(), jobs=jobs) as results:
                for target, result in results:
                    found[target] = result
                    del seeds[target]
                    if not stop():
                        reporter.report("Training models", len(found), len(targets))
            break
        except BrokenExecutor:
            if not tries_left:
                raise AlcError(_DIED) from None
    reporter.report("Training models", len(found), len(targets))
    learned = [found[target] for target in targets]
    return (
        tuple(each for each in learned if isinstance(each, LearnedTarget)),
        tuple(each for each in learned if isinstance(each, str)),
    )


def _learn(
    coded: Coded, target: str, seed: np.random.SeedSequence, *, threads: int
) -> tuple[str, LearnedTarget | str]:
    with limit_threads(threads):
        return target, _learned(coded, target, seed)


def _learned(coded: Coded, target: str, seed: np.random.SeedSequence) -> LearnedTarget | str:
    holder = coded.holder(target)
    if holder is None:
        return f"'{target}' is not in the release: no model can learn it there."
    data = coded.data
    released = data.released[holder]
    everything = [column for column in coded.columns if column != target]
    features = [column for column in everything if column in released.columns]
    if not features:
        return f"The release's table with '{target}' has no other column to predict it from."

    splitting, choosing, fitting = seed.spawn(3)
    classes, missing = coded.original[target], coded.missing[target]
    rows = np.random.default_rng(splitting).permutation(np.flatnonzero(classes != missing))
    n_test = min(MAX_TEST, int(len(rows) * TEST_SHARE))
    test, rest = rows[:n_test], rows[n_test:]
    theirs = coded.released[holder][target]
    usable = np.flatnonzero(theirs != missing)
    n_train = min(MAX_TRAIN, len(rest), len(usable))
    if n_test < FEWEST_ROWS or n_train < FEWEST_ROWS:
        return (
            f"'{target}' has values in too few rows to train and test a model (at least "
            f"{FEWEST_ROWS} of each are needed)."
        )
    chosen = np.random.default_rng(choosing).choice(usable, size=n_train, replace=False)
    truth = classes[test]
    model_seed = int(fitting.generate_state(1)[0])

    from_release = _fitted(_matrix(released, features, chosen), theirs[chosen], model_seed)
    release_right = from_release.predict(_matrix(data.original, features, test)) == truth
    own = _fitted(_matrix(data.original, everything, rest[:n_train]), classes[rest[:n_train]],
                  model_seed)  # fmt: skip
    original_right = own.predict(_matrix(data.original, everything, test)) == truth
    majority = int(np.argmax(np.bincount(classes[rest])))
    return LearnedTarget(
        target=target,
        release_accuracy=float(np.mean(release_right)),
        original_accuracy=float(np.mean(original_right)),
        majority_accuracy=float(np.mean(truth == majority)),
        train_rows=n_train,
        test_rows=n_test,
        columns=len(features),
        original_columns=len(everything),
    )


def _matrix(table: EncodedTable, columns: Sequence[str], rows: IntArray) -> FloatArray:
    return np.column_stack([table.columns[name][rows].astype(np.float64) for name in columns])


def _fitted(matrix: FloatArray, classes: IntArray, seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    matrix = without_empty(matrix)
    model = RandomForestClassifier(
        TREES, min_samples_leaf=LEAST_IN_LEAF, random_state=seed, n_jobs=available_threads()
    )
    with kept_warnings():
        model.fit(matrix, classes)
    # With one thread sums have one order.
    model.n_jobs = 1
    return model
