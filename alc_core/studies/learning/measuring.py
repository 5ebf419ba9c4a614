"""What attacks learn from counts and groups: data and accuracy."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray, some_rows
from alc_core.attacks.definetti import ChainFound, ShuffledGroups, sample_chain
from alc_core.attacks.naive_bayes import NaiveBayesModel
from alc_core.errors import InputError
from alc_core.phrasing import count, percent, quoted
from alc_core.releases.cells import contingency, quantile_edges, to_ranges
from alc_core.releases.samples.groups import TooFrequentError, anatomy_groups, merge_groups
from alc_core.releases.samples.perturbed import with_noise
from alc_core.runtime.machine import available_threads
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scenario.no_value import without_value
from alc_core.scenario.targets import People
from alc_core.studies.learning.result import (
    PREDICTORS,
    Accuracy,
    GroupPoint,
    GroupStudy,
    LearningStudy,
    NoisePoint,
    NoiseStudy,
    Predictor,
    StudySettings,
    Trace,
)
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.codes.encode import CategoricalCodes, EncodedData, EncodedTable, encode
from alc_core.tables.table import Table

_FEWEST = 20  # Least rows for a study


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedPeople:
    """Some rows as codes."""

    # Codes of known columns; -1 if no member has the value, or a number is missing
    columns: tuple[CodeArray, ...]
    unknown: CodeArray  # Of the unknown one

    def __len__(self) -> int:
        return len(self.unknown)

    def take(self, rows: NDArray[np.intp]) -> CodedPeople:
        """Return some of them."""
        return CodedPeople(
            columns=tuple(codes[rows] for codes in self.columns), unknown=self.unknown[rows]
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearningData:
    """Members and held-out people, under common codes."""

    members: CodedPeople  # In the counts and groups
    holdout: CodedPeople | None  # None if nobody is held out
    sizes: tuple[int, ...]  # Members' codes by known column: 0, ..., size - 1
    values: int  # Members' codes of the unknown column
    notes: tuple[str, ...]  # Who is excluded, and how numbers were cut
    most_rows: int  # Most rows of a person of the original

    @property
    def commonest(self) -> float:
        """Share of members with the most frequent value."""
        return float(np.bincount(self.members.unknown).max() / len(self.members))


def learning_data(
    original: Table, settings: StudySettings, *, holdout: Table | None, rng: np.random.Generator
) -> LearningData:
    """Code the original, and hold out a part."""
    scenario = settings.scenario
    original.require(*scenario.columns)
    found = without_value(original, settings.unknown, scenario.selection.missing)
    tables = [] if holdout is None else [holdout]
    data = encode(original, tables, columns=scenario.columns, as_written=True)
    coded = [_coded(data, each, settings, found.markers) for each in range(1 + len(tables))]
    notes = [] if not found.rows else [
        f"{count(found.rows)} rows with a missing '{settings.unknown}' ({found.words}) are left "
        "out."
    ]  # fmt: skip
    people = People.of(original, scenario)
    units = people.units
    rows = some_rows(np.flatnonzero(coded[0].unknown >= 0), settings.most_rows, rng)
    if len(rows) < len(original) - found.rows:
        notes.append(
            f"{count(len(rows))} of the {count(len(original) - found.rows)} rows were drawn at "
            "random."
        )
    inside = np.ones(len(rows), dtype=bool)
    if holdout is None and settings.holdout_share:
        inside = ~_held_out(units[rows], settings.holdout_share, rng)
    members = coded[0].take(rows[inside])
    if holdout is not None:
        others = coded[1].take(np.flatnonzero(coded[1].unknown >= 0))
    else:
        others = coded[0].take(rows[~inside])
    notes += _ranges_notes(data, settings)
    return _dense(members, others, notes=tuple(notes), most_rows=people.most_rows)


def _coded(
    data: EncodedData, number: int, settings: StudySettings, markers: Sequence[str]
) -> CodedPeople:
    """Return a table's codes; -1 if the unknown value is missing."""
    table = data.original if number == 0 else data.released[number - 1]
    unknown = data.as_unknown(table, settings.unknown, settings.bins, markers).copy()
    coding = data.unknown_codes(settings.unknown, settings.bins, markers)
    unknown[np.isin(unknown, [*coding.codes_of(markers), coding.size - 1])] = -1
    columns = tuple(_known_codes(data, table, c, settings.ranges) for c in settings.known)
    return CodedPeople(columns=columns, unknown=unknown)


def _held_out(
    units: NDArray[np.int64], share: float, rng: np.random.Generator
) -> NDArray[np.bool_]:
    numbers, of_rows = np.unique(units, return_inverse=True)
    order = rng.permutation(len(numbers))
    sizes = np.bincount(of_rows)[order]
    out = np.zeros(len(numbers), dtype=bool)
    out[order[np.cumsum(sizes) <= share * len(units)]] = True
    return out[of_rows]


def _dense(
    members: CodedPeople, others: CodedPeople, *, notes: tuple[str, ...], most_rows: int
) -> LearningData:
    """Renumber members' codes from 0, and check that a study is possible."""
    if len(members) < _FEWEST:
        raise InputError(
            f"Only {count(len(members))} rows can be counted, fewer than {_FEWEST}. Choose "
            "another column."
        )
    pairs = [*zip(members.columns, others.columns, strict=True), (members.unknown, others.unknown)]
    inside, outside, numbers = zip(*(_renumbered(*pair) for pair in pairs), strict=True)
    *sizes, values = numbers
    if values < 2:
        raise InputError("All people have the same unknown value. Choose another column.")
    holdout = CodedPeople(columns=outside[:-1], unknown=outside[-1])
    return LearningData(
        members=CodedPeople(columns=inside[:-1], unknown=inside[-1]),
        holdout=holdout if len(holdout) else None,
        sizes=tuple(sizes),
        values=values,
        notes=notes,
        most_rows=most_rows,
    )


def _renumbered(members: CodeArray, others: CodeArray) -> tuple[CodeArray, CodeArray, int]:
    """Return both with members' codes from 0, and their number; else -1."""
    present = np.unique(members[members >= 0])
    # The last entry is for code -1
    numbers = np.full(max(members.max(), others.max(initial=0)) + 2, -1, dtype=np.int32)
    numbers[present] = np.arange(len(present), dtype=np.int32)
    return numbers[members], numbers[others], len(present)


def _known_codes(data: EncodedData, table: EncodedTable, column: str, ranges: int) -> CodeArray:
    values = table.columns[column]
    if isinstance(data.specs[column], CategoricalCodes):
        return np.asarray(values, dtype=np.int32)
    edges = quantile_edges(np.asarray(data.original.columns[column], dtype=np.float64), ranges)
    return to_ranges(np.asarray(values, dtype=np.float64), edges)


def _ranges_notes(data: EncodedData, settings: StudySettings) -> list[str]:
    cut = [c for c in settings.known if not isinstance(data.specs[c], CategoricalCodes)]
    notes = []
    if cut:
        notes.append(f"Numbers are known by at most {settings.ranges} ranges: {quoted(cut)}.")
    if not isinstance(data.specs[settings.unknown], CategoricalCodes):
        notes.append(f"'{settings.unknown}' is cut into {settings.bins} equal ranges.")
    return notes


NOISE_STAGE = "Attacking counts"


def exact_counts(data: LearningData) -> list[FloatArray]:
    """Return members' counts of known columns with the unknown one."""
    return contingency(data.members.columns, data.members.unknown, data.sizes, data.values)


def accuracy_of(model: NaiveBayesModel, people: CodedPeople, *, belief: float) -> Accuracy:
    """Return how often a classifier is right about some people."""
    posterior = model.posterior(people.columns)
    right, sure = posterior.argmax(axis=1) == people.unknown, posterior.max(axis=1) > belief
    return Accuracy(
        everybody=float(right.mean()),
        believed=float(right[sure].mean()) if sure.any() else None,
        believed_share=float(sure.mean()),
    )


def study_noise(
    data: LearningData,
    settings: StudySettings,
    *,
    seed: np.random.SeedSequence,
    reporter: Reporter,
) -> NoiseStudy:
    """Attack noisy counts at each privacy budget, several times."""
    counts = exact_counts(data)
    total = len(settings.epsilons) * settings.repetitions
    points: list[NoisePoint] = []
    for epsilon, of_epsilon in zip(
        settings.epsilons, seed.spawn(len(settings.epsilons)), strict=True
    ):
        members, holdout = [], []
        for repetition, of_repetition in enumerate(of_epsilon.spawn(settings.repetitions)):
            reporter.report(NOISE_STAGE, len(points) * settings.repetitions + repetition, total)
            rng = np.random.default_rng(of_repetition)
            noisy = with_noise(counts, epsilon, rng, rows=data.most_rows)
            model = NaiveBayesModel.of_counts(noisy)
            members.append(accuracy_of(model, data.members, belief=settings.belief))
            if data.holdout is not None:
                holdout.append(accuracy_of(model, data.holdout, belief=settings.belief))
        points.append(NoisePoint(epsilon=epsilon, members=tuple(members), holdout=tuple(holdout)))
    cells = sum(table.size for table in counts)
    return NoiseStudy(points=tuple(points), tables=len(counts), cells=cells)


GROUPS_STAGE = "Attacking groups"

_TRACED = 120  # Most rounds kept of a chain's trace


def study_groups(
    data: LearningData,
    settings: StudySettings,
    *,
    seed: np.random.SeedSequence,
    reporter: Reporter,
) -> GroupStudy:
    """Attack Anatomy's groups at each diversity, tight and merged."""
    groups, impossible = _groups(data, settings, seed)
    work = [
        (key, of_truth, child)
        for key, (of_truth, own) in groups.items()
        for child in own.spawn(settings.chains)
    ]
    done, total, lock = itertools.count(1), len(work) * settings.rounds, threading.Lock()

    def report_round(_: int) -> None:
        with lock:
            reporter.report(GROUPS_STAGE, next(done), total)

    reporter.report(GROUPS_STAGE, 0, total)
    chains: Sequence[tuple[dict[Predictor, float], Trace]] = Parallel(
        n_jobs=min(available_threads(), max(len(work), 1)), prefer="threads"
    )(
        delayed(_run_chain)(of_truth, data.members.unknown, settings.rounds, child, report_round)
        for _, of_truth, child in work
    )
    points = []
    for number, ((merged, level), (of_truth, _)) in enumerate(groups.items()):
        own_chains = chains[number * settings.chains : (number + 1) * settings.chains]
        points.append(
            GroupPoint(
                level=level,
                merged=merged,
                groups=len(of_truth.starts) - 1,
                trace=own_chains[0][1],
                **{p: tuple(accuracy[p] for accuracy, _ in own_chains) for p in PREDICTORS},
            )
        )
    return GroupStudy(points=tuple(points), impossible=impossible)


def _groups(
    data: LearningData, settings: StudySettings, seed: np.random.SeedSequence
) -> tuple[
    dict[tuple[int, int], tuple[ShuffledGroups, np.random.SeedSequence]], dict[int, str]
]:  # fmt: skip
    found, impossible = {}, {}
    unknown = data.members.unknown
    for level, of_level in zip(settings.levels, seed.spawn(len(settings.levels)), strict=True):
        of_groups, *of_merged = of_level.spawn(1 + len(settings.merged))
        try:
            tight = anatomy_groups(unknown, level, np.random.default_rng(of_groups))
        except TooFrequentError:
            impossible[level] = (
                f"The most frequent value is in {percent(data.commonest)} of rows, more than 1 in "
                f"{level}."
            )
            continue
        for merged, own in zip(settings.merged, of_merged, strict=True):
            shuffled = ShuffledGroups.of_truth(
                data.members.columns, data.sizes, group=merge_groups(tight, merged),
                truth=unknown, n_values=data.values,
            )  # fmt: skip
            found[merged, level] = shuffled, own
    return dict(sorted(found.items())), impossible


def _run_chain(
    groups: ShuffledGroups,
    truth: CodeArray,
    rounds: int,
    seed: np.random.SeedSequence,
    report: Callable[[int], None],
) -> tuple[dict[Predictor, float], Trace]:
    chain = sample_chain(groups, seed=seed, rounds=rounds, truth=truth, report=report)
    rows = np.arange(len(groups))
    classified: tuple[Predictor, ...] = ("group", "open")
    guessed = {name: chain.beliefs(rows, name).argmax(axis=1) for name in classified}
    # As in the paper: the last round's
    guessed["permutation"] = chain.values
    accuracy = {name: float(np.mean(values == truth)) for name, values in guessed.items()}
    return accuracy, _trace(chain)


def _trace(chain: ChainFound) -> Trace:
    accuracy = np.asarray(chain.accuracy)
    last = len(chain.change) - 1
    kept = np.unique(np.linspace(0, last, min(last + 1, _TRACED)).round().astype(int))
    return Trace(
        rounds=tuple((kept + 1).tolist()),
        change=tuple(chain.change[kept].tolist()),
        accuracy=tuple(accuracy[kept].tolist()),
    )


def study_learning(
    original: TableLike,
    settings: StudySettings,
    *,
    holdout: TableLike | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> LearningStudy:
    """Measure what attacks learn from counts and groups of an original.

    Parameters
    ----------
    original : Table, data frame or path
        Real people; only shares and counts are returned.
    settings : StudySettings
    holdout : Table, data frame or path, optional
        People not in the original; by default some of it are held out.
    progress, cancel : callable, optional
        As in :func:`~alc_core.assessment.run.assess`.

    Returns
    -------
    LearningStudy
        Deterministic.

    Raises
    ------
    InputError
        If columns or values do not allow it.
    CancelledError
        If `cancel` returns true.

    References
    ----------
    Cormode (2011), sections 2.3 and 3.2.

    Examples
    --------
    >>> import alc_core as alc
    >>> settings = alc.StudySettings(unknown="age", known=("educ",), epsilons=(1.0,), levels=())
    >>> study_learning(alc.load_demo("fair").original, settings).noise_points[0].epsilon
    1.0
    """
    table = as_table(original, name="original")
    others = None if holdout is None else as_table(holdout, name="holdout")
    reporter = Reporter(progress=progress, cancel=cancel)
    reporter.report("Reading columns")
    of_data, of_noise, of_groups = np.random.SeedSequence(settings.seed).spawn(3)
    data = learning_data(table, settings, holdout=others, rng=np.random.default_rng(of_data))
    exact = NaiveBayesModel.of_counts(exact_counts(data))
    belief = settings.belief
    return LearningStudy(
        original=table.name,
        fingerprint=table.fingerprint,
        settings=settings,
        members=len(data.members),
        held_out=0 if data.holdout is None else len(data.holdout),
        own_holdout=holdout is not None,
        values=data.values,
        commonest=data.commonest,
        noiseless_members=accuracy_of(exact, data.members, belief=belief),
        noiseless_holdout=None
        if data.holdout is None
        else accuracy_of(exact, data.holdout, belief=belief),
        noise=study_noise(data, settings, seed=of_noise, reporter=reporter)
        if settings.epsilons
        else None,
        groups=study_groups(data, settings, seed=of_groups, reporter=reporter)
        if settings.levels
        else None,
        notes=data.notes,
    )
