"""Usefulness: total variation of one- and two-column marginals, and model accuracy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from alc_core.arrays import FloatArray, IntArray
from alc_core.baselines.features import without_empty
from alc_core.errors import AlcError, InputError
from alc_core.parameter import check_whole
from alc_core.phrasing import count, quoted
from alc_core.releases.registry import ReleaseLike, as_release, release_facts
from alc_core.releases.release import Release, without_rows
from alc_core.runtime.machine import available_threads, kept_warnings, limit_threads
from alc_core.runtime.processes import TRIES, in_processes
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.studies.utility.coding import BINS, Binning, Coded, code_tables
from alc_core.studies.utility.released_column import with_labels_drawn
from alc_core.studies.utility.result import (
    LEAST_IN_LEAF,
    TREES,
    LearnedTarget,
    Utility,
    column_notes,
    own_record_notes,
)
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.codes.encode import EncodedTable
from alc_core.tables.table import ColumnKind, Table

Codes = Mapping[str, IntArray]  # Of a table, by column
_DENSE = 1_000_000  # Most cells of a dense table of counts
_REPORTED = 16  # Pairs between two reports of progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Marginals:
    """Distances of a release's marginals from the original's."""

    columns: Mapping[str, float]  # By released column
    pairs: Mapping[tuple[str, str], float]  # By pair of columns in one released table
    column_chance: float  # Mean for as many random rows of the original
    pair_chance: float
    relations_kept: float | None  # See `relations_kept`


def total_variation(first: IntArray, second: IntArray, *, size: int) -> float:
    """Return the total variation distance of two columns of codes.

    Half the sum of absolute differences of shares, from 0 (equal) to 1. 1 minus it is SDMetrics'
    TVComplement (one column) and ContingencySimilarity (two).

    Examples
    --------
    >>> total_variation(np.array([0, 0, 1, 1]), np.array([0, 0, 0, 2]), size=3)
    0.5
    """
    if size > _DENSE:
        both = np.unique(np.concatenate([first, second]), return_inverse=True)[1]
        first, second, size = both[: len(first)], both[len(first) :], int(both.max()) + 1
    shares = [np.bincount(codes, minlength=size) / len(codes) for codes in (first, second)]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


_MOST_VALUES = 50  # Most values of a column that may be related; rarer ones are one
_CLEARLY_RELATED = 3.0  # Standard errors


def relations_kept(coded: Coded, original: Codes, released: Sequence[Codes]) -> float | None:
    """Return the share of relations between columns that a release keeps; None without any.

    Relations are deviations from independence; their strength is Cramér's V squared, summed over
    pairs, less its expectation under independence (Bergsma, A bias-correction for Cramér's V and
    Tschuprow's T, 2013). The share is the smaller of two: the regression of the release's
    deviations on the original's, and the root of the ratio of strengths, which equal rows do not
    raise. Columns that are not released keep none.
    """
    before = after = common = variance = 0.0
    for pair in itertools.combinations(coded.columns, 2):
        holder = coded.holder(*pair)
        tables = [original] if holder is None else [original, released[holder]]
        first, second = (_common_values([table[column] for table in tables]) for column in pair)
        shares = [_joint_shares(*codes) for codes in zip(first, second, strict=True)]
        margins = [(each.sum(axis=1), each.sum(axis=0)) for each in shares]
        expected = [np.outer(*each) for each in margins]
        most = min(np.count_nonzero(margin) for margin in margins[0]) - 1
        if not most:
            continue
        weights = np.divide(
            1 / most, expected[0], out=np.zeros_like(expected[0]), where=expected[0] > 0
        )
        own, *theirs = (each - mean for each, mean in zip(shares, expected, strict=True))
        by_chance = [
            float((np.outer(rows - rows**2, columns - columns**2) * weights).sum()) / len(codes)
            for (rows, columns), codes in zip(margins, first, strict=True)
        ]
        before += float((own**2 * weights).sum()) - by_chance[0]
        variance += 2 * by_chance[0] / (most * len(first[0]))
        for release in theirs:
            after += float((release**2 * weights).sum()) - by_chance[1]
            common += float((own * release * weights).sum())
    if before <= _CLEARLY_RELATED * math.sqrt(variance):
        return None
    ratio = math.sqrt(max(after, 0.0) / before)
    return min(max(common / max(before, after), 0.0), ratio, 1.0)


def _joint_shares(first: IntArray, second: IntArray) -> FloatArray:
    """Return shares of pairs of common values."""
    size = _MOST_VALUES + 1
    counts = np.bincount(first * size + second, minlength=size**2)
    return np.asarray(counts.reshape(size, size) / len(first))


def _common_values(columns: Sequence[IntArray]) -> list[IntArray]:
    """Return codes 1, 2, ... of the original's frequent values, and 0 of all others."""
    counts = np.bincount(columns[0], minlength=max(int(each.max()) for each in columns) + 1)
    frequent = np.argsort(-counts, kind="stable")[:_MOST_VALUES]
    code_of = np.zeros(len(counts), dtype=np.int64)
    code_of[frequent] = np.arange(1, len(frequent) + 1)
    return [code_of[codes] for codes in columns]


def compare_marginals(
    coded: Coded, *, max_rows: int, rng: np.random.Generator, reporter: Reporter
) -> Marginals:
    """Compare all one- and two-column marginals."""
    original = _sampled(coded.original, max_rows, rng)
    released = [_sampled(table, max_rows, rng) for table in coded.released]
    n_rows = _rows(original)
    drawn = [_taken(original, rng.integers(n_rows, size=_rows(table))) for table in released]
    size = coded.size

    def distances(one: str, other: str | None = None) -> tuple[float, float] | None:
        """Return distances of the release, and of a draw from the original."""
        holder = coded.holder(one) if other is None else coded.holder(one, other)
        if holder is None:
            return None
        mine, theirs, fresh = (
            table[one] if other is None else table[one] * size[other] + table[other]
            for table in (original, released[holder], drawn[holder])
        )
        cells = size[one] * (1 if other is None else size[other])
        return total_variation(mine, theirs, size=cells), total_variation(mine, fresh, size=cells)

    columns = {each: found for each in coded.columns if (found := distances(each))}
    pairs = {}
    every = list(itertools.combinations(coded.columns, 2))
    for done, pair in enumerate(every):
        if done % _REPORTED == 0:
            reporter.report("Comparing pairs of columns", done, len(every))
        if found := distances(*pair):
            pairs[pair] = found
    return Marginals(
        columns={column: distance for column, (distance, _) in columns.items()},
        pairs={pair: distance for pair, (distance, _) in pairs.items()},
        column_chance=float(np.mean([chance for _, chance in columns.values()])),
        pair_chance=float(np.mean([chance for _, chance in pairs.values()])) if pairs else 0.0,
        relations_kept=relations_kept(coded, original, released),
    )


def _rows(table: Mapping[str, IntArray]) -> int:
    return len(next(iter(table.values()), ()))


def _sampled(
    table: Mapping[str, IntArray], max_rows: int, rng: np.random.Generator
) -> dict[str, IntArray]:
    n_rows = _rows(table)
    if n_rows <= max_rows:
        return dict(table)
    return _taken(table, rng.choice(n_rows, size=max_rows, replace=False))


def _taken(table: Mapping[str, IntArray], rows: IntArray) -> dict[str, IntArray]:
    return {column: codes[rows] for column, codes in table.items()}


MAX_TRAIN, MAX_TEST = 10_000, 5_000  # Most rows to train and test models
TEST_SHARE = 1 / 3  # Share of the original held out
FEWEST_ROWS = 20  # Least rows to train or test
_DIED = "Training ended four times, perhaps out of memory. Close programs."


def learn_targets(
    coded: Coded, targets: Sequence[str], *, seed: np.random.SeedSequence, reporter: Reporter
) -> tuple[tuple[LearnedTarget, ...], tuple[str, ...]]:
    """Predict held-out people by models trained on release and original.

    Train-on-synthetic-test-on-real (TSTR) against train-on-real-test-on-real, as in Esteban, Hyland
    and Rätsch, "Real-valued (medical) time series generation with recurrent conditional GANs"
    (2017).
    """
    found: dict[str, LearnedTarget | str] = {}
    seeds = dict(zip(targets, seed.spawn(len(targets)), strict=True))
    jobs = available_threads()
    task = partial(_learn, threads=max(1, jobs // max(1, len(targets))))
    stop = reporter.cancel or (lambda: False)

    def wanted() -> Iterator[tuple[str, np.random.SeedSequence]]:
        # Interrupting a task would end processes that others use
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
        return f"'{target}' is not predicted: not in the release."
    data = coded.data
    released = data.released[holder]
    everything = [column for column in coded.columns if column != target]
    features = [column for column in everything if column in released.columns]
    if not features:
        return f"The table with '{target}' has no other column."

    splitting, choosing, fitting = seed.spawn(3)
    classes, missing = coded.original[target], coded.missing[target]
    rows = np.random.default_rng(splitting).permutation(np.flatnonzero(classes != missing))
    n_test = min(MAX_TEST, int(len(rows) * TEST_SHARE))
    test, rest = rows[:n_test], rows[n_test:]
    theirs = coded.released[holder][target]
    usable = np.flatnonzero(theirs != missing)
    n_train = min(MAX_TRAIN, len(rest), len(usable))
    if n_test < FEWEST_ROWS or n_train < FEWEST_ROWS:
        return f"'{target}' has too few values (at least {FEWEST_ROWS} each to train and to test)."
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
    # One thread: one order of sums
    model.n_jobs = 1
    return model


MAX_ROWS = 200_000  # Most rows for marginals
# Default number of predicted columns, and most values of one
MOST_TARGETS, MOST_CLASSES = 10, 100


def measure_utility(
    original: TableLike,
    release: ReleaseLike,
    *,
    targets: Sequence[str] | None = None,
    among: Sequence[str] | None = None,
    bins: int = BINS,
    binning: Binning = "quantile",
    seed: int = 0,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> Utility:
    """Measure a release's usefulness.

    The total variation distance of one- and two-column marginals (:func:`total_variation`; missing
    is a value, numbers and dates are binned), and the accuracy of a model trained on the release
    (TSTR, machine learning efficacy) against one trained on as many rows of the original.

    Examples
    --------
    >>> import alc_core as alc
    >>> rows = {"age": [30, 40] * 50, "job": ["cook", "clerk"] * 50}
    >>> measure_utility(rows, rows, targets=[]).pair_distance
    0.0
    """
    check_whole("seed", seed)
    table = as_table(original, name="original")
    released = as_release(release, table)
    if reason := unmeasured(released):
        raise InputError(reason)
    table.require(*(targets or ()))
    reporter = Reporter(progress=progress, cancel=cancel)
    reporter.report("Reading columns")
    drawn = [with_labels_drawn(table, each, seed=[seed]) for each in released.tables]
    coded = code_tables(table, [each for each, _ in drawn], bins=bins, binning=binning)
    notes = column_notes(coded, [*{column: None for _, columns in drawn for column in columns}])
    if targets is None:
        targets, unused = default_targets(table, among)
        notes += unused
    marginal_seed, model_seed = np.random.SeedSequence(seed).spawn(2)
    marginals = compare_marginals(
        coded, max_rows=MAX_ROWS, rng=np.random.default_rng(marginal_seed), reporter=reporter
    )
    predicted = [target for target in targets if target in coded.columns]
    notes += [
        f"'{each.name}' has {count(len(each))} rows; {count(MAX_ROWS)} at random are used."
        for each in (table, *released.tables)
        if len(each) > MAX_ROWS
    ]
    notes += [
        f"'{target}' is not predicted: identifier or ignored."
        for target in targets
        if target not in predicted
    ]
    learned, unlearned = learn_targets(coded, predicted, seed=model_seed, reporter=reporter)
    return Utility(
        release=released.name,
        original_fingerprint=table.fingerprint,
        release_fingerprints=tuple(each.fingerprint for each in released.tables),
        columns=marginals.columns,
        pairs=tuple((*pair, distance) for pair, distance in marginals.pairs.items()),
        column_chance=marginals.column_chance,
        pair_chance=marginals.pair_chance,
        relations_kept=marginals.relations_kept,
        lacking=tuple(each for each in coded.columns if each not in marginals.columns),
        unpaired=len(coded.columns) * (len(coded.columns) - 1) // 2 - len(marginals.pairs),
        targets=learned,
        bins=bins,
        binning=binning,
        seed=seed,
        notes=(*notes, *unlearned, *own_record_notes(learned, release_facts(table, released))),
    )


def unmeasured(release: Release) -> str:
    """Say why a release's usefulness is not measured, if so."""
    return without_rows(release, "Utility is not measured: that needs")


def default_targets(
    original: Table, among: Sequence[str] | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Choose columns to predict: categorical, with few enough values."""
    fitting = [
        column
        for column in original.columns
        if original.kind(column) is ColumnKind.CATEGORICAL
        and 2 <= original.frame[column].nunique() <= MOST_CLASSES
    ]
    fitting = [column for column in fitting if column in (among or fitting)] or fitting
    rest = fitting[MOST_TARGETS:]
    if not rest:
        return tuple(fitting), ()
    return tuple(fitting[:MOST_TARGETS]), (
        f"Predicted: {MOST_TARGETS} of {count(len(fitting))} columns, without "
        f"{quoted(rest, most=5)}.",
    )
