"""The deFinetti attack on Anatomy with smaller and larger groups."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from joblib import Parallel, delayed

from alc_core.attacks.beliefs import above_belief
from alc_core.attacks.definetti_sampler import Chain, sample_chain
from alc_core.attacks.shuffled_groups import ShuffledGroups
from alc_core.learning.data import StudyData
from alc_core.learning.results import PREDICTORS, GroupPoint, GroupStudy, Predictor, Trace
from alc_core.learning.settings import StudySettings
from alc_core.phrasing import percent
from alc_core.releases.samples.anatomy import TooFrequentError, anatomy_groups, merge_groups
from alc_core.runtime.machine import available_threads
from alc_core.runtime.progress import Reporter
from alc_core.tables.codes.encode import CodeArray

STAGE = "Attacking groups"

_TRACED = 120
"""Rounds of a chain that are kept to draw at most."""


@dataclass(frozen=True, slots=True)
class _OneChain:
    """What one chain of one kind of groups came to."""

    accuracy: dict[Predictor, float]
    trace: Trace


@dataclass(slots=True)
class _Counter:
    """Rounds done by all chains, which run side by side."""

    reporter: Reporter
    total: int
    done: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, _: int) -> None:
        with self.lock:
            self.done += 1
            self.reporter.report(STAGE, self.done, self.total)


def study_groups(
    data: StudyData,
    settings: StudySettings,
    *,
    seed: np.random.SeedSequence,
    reporter: Reporter,
    threads: int | None = None,
) -> GroupStudy:
    """Attack Anatomy's groups of every diversity, tight and merged."""
    groups, impossible = _groups(data, settings, seed)
    work = [
        (key, of_truth, child)
        for key, (of_truth, own) in groups.items()
        for child in own.spawn(settings.chains)
    ]
    counter = _Counter(reporter, total=len(work) * settings.rounds)
    reporter.report(STAGE, 0, counter.total)
    chains: Sequence[_OneChain] = Parallel(
        n_jobs=min(threads or available_threads(), max(len(work), 1)), prefer="threads"
    )(
        delayed(_run_chain)(of_truth, data.members.unknown, settings.rounds, child, counter)
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
                trace=own_chains[0].trace,
                **{p: tuple(chain.accuracy[p] for chain in own_chains) for p in PREDICTORS},
            )
        )
    return GroupStudy(points=tuple(points), impossible=impossible)


def _groups(
    data: StudyData, settings: StudySettings, seed: np.random.SeedSequence
) -> tuple[
    dict[tuple[int, int], tuple[ShuffledGroups, np.random.SeedSequence]], dict[int, str]
]:  # fmt: skip
    """Return the groups by merging and level, and why some levels are not possible."""
    found, impossible = {}, {}
    unknown = data.members.unknown
    for level, of_level in zip(settings.levels, seed.spawn(len(settings.levels)), strict=True):
        of_groups, *of_merged = of_level.spawn(1 + len(settings.merged))
        try:
            tight = anatomy_groups(unknown, level, np.random.default_rng(of_groups))
        except TooFrequentError:
            impossible[level] = (
                f"The most frequent value makes up {percent(data.commonest)} of the rows, more "
                f"than 1 in {level}."
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
    counter: _Counter,
) -> _OneChain:
    chain = sample_chain(groups, seed=seed, rounds=rounds, truth=truth, report=counter)
    rows = np.arange(len(groups))
    classified: tuple[Predictor, ...] = ("group", "open")
    return _OneChain(
        accuracy={
            # As in the paper: of the last round, not of what many rounds agree on.
            "permutation": float(np.mean(chain.values == truth)),
            **{
                predictor: above_belief(chain.beliefs(rows, predictor), truth, -1.0).accuracy
                for predictor in classified
            },
        },
        trace=_trace(chain),
    )


def _trace(chain: Chain) -> Trace:
    """Return the rounds of a chain that a figure draws: all, or evenly spread."""
    accuracy = np.asarray(chain.accuracy)
    last = len(chain.change) - 1
    kept = np.unique(np.linspace(0, last, min(last + 1, _TRACED)).round().astype(int))
    return Trace(
        rounds=tuple((kept + 1).tolist()),
        change=tuple(chain.change[kept].tolist()),
        accuracy=tuple(accuracy[kept].tolist()),
    )
