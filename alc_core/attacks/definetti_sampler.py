"""The deFinetti attack: which row of a group has which of the values shuffled in it.

A chain begins with the values of each group in random order. In each round it learns naive Bayes
from the assignment that it has, then proposes in each group as many swaps of two rows' values as
the group has rows. A swap that the classifier finds likelier is made, a less likely one with the
ratio of the likelihoods as its probability. What the rows of all groups have in common so decides
which value goes where. In the first half of the rounds the data's weight grows to 1, so that a
chain does not settle where its random start led it (Kifer's and Cormode's chains have it in full
from the start).

References
----------
Kifer (2009), Attacks on privacy and deFinetti's theorem; Cormode (2011), section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from alc_core.attacks.definetti_kernels import count_cells, count_held, swap_values
from alc_core.attacks.naive_bayes import NaiveBayesModel
from alc_core.attacks.shuffled_groups import ShuffledGroups
from alc_core.runtime.machine import available_threads
from alc_core.tables.codes.encode import CodeArray, FloatArray

# What predicts: the assignments of the second half of the rounds; the classifier of the last
# round, restricted to the values of the row's group; the same, free to choose any value
PREDICTORS = ("permutation", "group", "open")
_FIRST_HEAT = 0.2  # Weight of the data in the first round
RoundsCallback = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chain:
    """What one chain found."""

    groups: ShuffledGroups  # What it ran on
    values: CodeArray  # The value that each row has after the last round
    counts: tuple[FloatArray, ...]  # Each known attribute against the values of the last round
    # How much each round changed the joint distribution of a known attribute and the value: L1
    # distance, mean over the attributes, between 0 and 2
    change: FloatArray
    # Share of the rows that had their true value after each round, where the truth was given
    accuracy: FloatArray | None
    # Rounds of the second half in which each row had each value of its group
    held: NDArray[np.int32]

    @property
    def model(self) -> NaiveBayesModel:
        """The classifier of the last round."""
        return NaiveBayesModel.of_counts(self.counts)

    def beliefs(self, rows: NDArray[np.integer], predictor: str) -> FloatArray:
        """Return how likely each value is of some rows."""
        groups = self.groups
        first_option, options = groups.options()
        n_options = np.diff(first_option)
        group = groups.group[rows]
        lengths = n_options[group]
        line = np.repeat(np.arange(len(rows)), lengths)
        within = np.arange(len(line)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        value = options[np.repeat(first_option[group], lengths) + within]
        shares = np.zeros((len(rows), groups.n_values))
        if predictor == "permutation":
            cell = groups.first_cells()[group]
            cell += (groups.places()[rows] - groups.starts[group]) * lengths
            shares[line, value] = self.held[np.repeat(cell, lengths) + within]
        else:
            shares = self.model.posterior(list(groups.codes[rows].T))
            if predictor == "group":
                allowed = np.zeros(shares.shape, dtype=bool)
                allowed[line, value] = True
                shares = np.where(allowed, shares, 0.0)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares


def sample_chain(
    groups: ShuffledGroups,
    *,
    seed: np.random.SeedSequence | int,
    rounds: int = 1000,
    truth: CodeArray | None = None,
    report: RoundsCallback | None = None,
) -> Chain:
    """Run one chain."""
    rng = np.random.default_rng(seed)
    first = np.concatenate([[0], np.cumsum(groups.sizes)])
    flat = np.where(groups.codes < 0, first[-1], groups.codes + first[:-1])
    codes = np.ascontiguousarray(flat[groups.order], dtype=np.int32)
    values = groups.shuffled(rng)
    first_option, options = groups.options()
    cells = groups.first_cells()
    held = np.zeros(int(np.diff(groups.starts) @ np.diff(first_option)), dtype=np.int32)
    # The last line of counts and of their logarithms is that of codes that say nothing.
    counts = np.zeros((first[-1] + 1, groups.n_values))
    before, logs = np.zeros_like(counts), np.zeros_like(counts)
    chances = np.empty((len(groups), 3))
    change = np.empty(rounds)
    accuracy = None if truth is None else np.empty(rounds)
    count_cells(codes, values, counts)
    heats = np.ones(rounds)
    heats[: rounds // 2] = np.linspace(_FIRST_HEAT, 1.0, rounds // 2)
    for number, heat in enumerate(heats.tolist()):
        tables = [counts[start:stop] for start, stop in pairwise(first)]
        logs[:-1] = heat * np.concatenate(NaiveBayesModel.of_counts(tables).log_likelihoods)
        rng.random(out=chances)
        swap_values(codes, groups.starts, logs, values, chances)
        before[:] = counts
        count_cells(codes, values, counts)
        change[number] = np.abs(counts - before)[:-1].sum() / codes.size
        if accuracy is not None and truth is not None:
            accuracy[number] = (values == truth[groups.order]).mean()
        if number >= rounds // 2:
            count_held(groups.starts, values, first_option, options, cells, held)
        if report is not None:
            report(number + 1)
    of_rows = np.empty_like(values)
    of_rows[groups.order] = values
    return Chain(
        groups=groups,
        values=of_rows,
        counts=tuple(np.split(counts[:-1], first[1:-1])),
        change=change,
        accuracy=accuracy,
        held=held,
    )


def sample_chains(
    groups: ShuffledGroups,
    *,
    chains: int,
    seed: np.random.SeedSequence | int,
    rounds: int = 1000,
    threads: int | None = None,
) -> list[Chain]:
    """Run several chains; see :func:`sample_chain`. The result does not depend on the threads."""
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return list(
        Parallel(n_jobs=threads or available_threads(), prefer="threads")(
            delayed(sample_chain)(groups, seed=child, rounds=rounds) for child in root.spawn(chains)
        )
    )
