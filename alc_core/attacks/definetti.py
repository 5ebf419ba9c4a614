"""The deFinetti attack on groups with shuffled values.

A chain starts with each group's values in random order. Each round learns naive Bayes from the
current assignment, then proposes per group as many swaps of two rows' values as it has rows. Swaps
are accepted by the likelihood ratio. In the first half of the rounds the data's weight grows to 1,
to leave the random start (Kifer and Cormode use full weight throughout).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.attacks.best_row_match import matching
from alc_core.attacks.naive_bayes import NaiveBayesModel
from alc_core.attacks.protocol import AttackType, Predictions, Predictor
from alc_core.attacks.released_columns import RANGES, KnownCodes, ReleasedColumns
from alc_core.errors import ParameterError
from alc_core.parameter import Parameter
from alc_core.releases.groups import Groups, GroupsView
from alc_core.runtime.machine import available_threads
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.columns import SpreadValues
from alc_core.tables.values.generalized import distinct_keys

IndexArray = NDArray[np.int64]
# Predictions by assignments of the second half; by the last round's classifier restricted to the
# group's values; by the same, unrestricted
PREDICTORS = ("permutation", "group", "open")
_FIRST_HEAT = 0.2
RoundsCallback = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShuffledGroups:
    """Rows in groups with shuffled values."""

    codes: CodeArray  # By row; -1 if uninformative
    sizes: tuple[int, ...]
    n_values: int
    order: IndexArray
    group: CodeArray
    starts: IndexArray  # Each group's start in `order` and `values`
    values: CodeArray

    @classmethod
    def of(
        cls, columns: Sequence[CodeArray], sizes: Sequence[int], *, group: CodeArray,
        starts: IndexArray, values: CodeArray, n_values: int,
    ) -> Self:  # fmt: skip
        """Join rows with their groups' values."""
        if not np.array_equal(np.bincount(group, minlength=len(starts) - 1), np.diff(starts)):
            raise ParameterError("Every group must have as many values as rows.")
        by_group = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        return cls(
            codes=np.stack(columns, axis=1).astype(np.int32),
            sizes=tuple(sizes),
            n_values=n_values,
            order=np.argsort(group, kind="stable"),
            group=np.asarray(group, dtype=np.int32),
            starts=np.asarray(starts, dtype=np.int64),
            values=values[np.lexsort((values, by_group))].astype(np.int32),
        )

    @classmethod
    def of_truth(
        cls, columns: Sequence[CodeArray], sizes: Sequence[int], *, group: CodeArray,
        truth: CodeArray, n_values: int,
    ) -> Self:  # fmt: skip
        """Shuffle true values within groups."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(group))]).astype(np.int64)
        values = truth[np.argsort(group, kind="stable")]
        return cls.of(columns, sizes, group=group, starts=starts, values=values, n_values=n_values)

    def __len__(self) -> int:
        return len(self.codes)

    def options(self) -> tuple[IndexArray, CodeArray]:
        """Return each group's start among distinct values, and the values."""
        by_group = self._group_of_value()
        new = np.ones(len(self), dtype=bool)
        new[1:] = (self.values[1:] != self.values[:-1]) | (by_group[1:] != by_group[:-1])
        found = np.bincount(by_group[new], minlength=len(self.starts) - 1)
        return np.concatenate([[0], np.cumsum(found)]).astype(np.int64), self.values[new]

    def first_cells(self) -> IndexArray:
        """Return group starts with a cell per row and distinct value of its group."""
        cells = np.diff(self.starts) * np.diff(self.options()[0])
        firsts: IndexArray = np.cumsum(cells) - cells
        return firsts

    def places(self) -> IndexArray:
        """Return each row's place in group order."""
        places = np.empty(len(self), dtype=np.int64)
        places[self.order] = np.arange(len(self))
        return places

    def shuffled(self, rng: np.random.Generator) -> CodeArray:
        """Return the values shuffled within groups."""
        return self.values[np.lexsort((rng.random(len(self)), self._group_of_value()))]

    def _group_of_value(self) -> IndexArray:
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChainFound:
    """Result of one chain."""

    groups: ShuffledGroups
    values: CodeArray  # Each row's value after the last round
    counts: tuple[FloatArray, ...]  # Known columns against the last round's values
    # Change of the joint distribution of known column and value per round: L1 distance in [0, 2],
    # mean over columns
    change: FloatArray
    # Share of rows with their true value by round; None if unknown
    accuracy: FloatArray | None
    # Rounds of the second half by row and value of its group
    held: NDArray[np.int32]

    @property
    def model(self) -> NaiveBayesModel:
        """The classifier of the last round."""
        return NaiveBayesModel.of_counts(self.counts)

    def beliefs(self, rows: NDArray[np.integer], predictor: str) -> FloatArray:
        """Return the probability of each value for some rows."""
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
            logs = self.model.log_joint(list(groups.codes[rows].T))
            if predictor == "group":
                allowed = np.zeros(logs.shape, dtype=bool)
                allowed[line, value] = True
                logs = np.where(allowed, logs, -np.inf)
            shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares


def sample_chain(
    groups: ShuffledGroups,
    *,
    seed: np.random.SeedSequence | int,
    rounds: int = 1000,
    truth: CodeArray | None = None,
    report: RoundsCallback | None = None,
) -> ChainFound:
    """Run one chain."""
    from alc_core.attacks.definetti_kernels import count_cells, count_held, swap_values

    rng = np.random.default_rng(seed)
    first = np.concatenate([[0], np.cumsum(groups.sizes)])
    flat = np.where(groups.codes < 0, first[-1], groups.codes + first[:-1])
    codes = np.ascontiguousarray(flat[groups.order], dtype=np.int32)
    values = groups.shuffled(rng)
    first_option, options = groups.options()
    cells = groups.first_cells()
    held = np.zeros(int(np.diff(groups.starts) @ np.diff(first_option)), dtype=np.int32)
    # The last line, zeros, is for uninformative codes
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
    return ChainFound(
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
) -> list[ChainFound]:
    """Run several chains; independent of the number of threads."""
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return list(
        Parallel(n_jobs=threads or available_threads(), prefer="threads")(
            delayed(sample_chain)(groups, seed=child, rounds=rounds) for child in root.spawn(chains)
        )
    )


_ROWS_TOGETHER = 100_000


class DeFinetti:
    """Learn from all groups which row has which value.

    Targets match rows as in best row match; the nearest rows' probabilities are averaged. The rank
    score is (1 - distance) · share of the predicted value. The open predictor is the classifier
    given the target's known values.

    References
    ----------
    Kifer (2009), Attacks on privacy and deFinetti's theorem; Cormode (2011), section 3.
    """

    name: str = "definetti"
    accepts = (Groups,)

    def __init__(
        self, *, predictor: str = "permutation", rounds: int = 1000, chains: int = 4,
        ranges: int = 10, threads: int | None = None,
    ) -> None:  # fmt: skip
        self.predictor, self.rounds, self.chains = predictor, rounds, chains
        self.ranges, self.threads = ranges, threads

    def prepare(self, view: GroupsView, rng: np.random.Generator) -> Predictor:
        """Run the chains, and return the predictor."""
        (rows,) = ReleasedColumns.groups(view.tables)
        coding = KnownCodes.of(rows, self.ranges)
        released, values = np.unique(view.groups.values, return_inverse=True)
        groups = ShuffledGroups.of(
            coding.released(), coding.sizes, group=view.groups.group, starts=view.groups.starts,
            values=values.astype(np.int32), n_values=len(released),
        )  # fmt: skip
        chains = sample_chains(
            groups, chains=self.chains, seed=int(rng.integers(2**63)), rounds=self.rounds,
            threads=self.threads,
        )  # fmt: skip
        if self.predictor == "open":
            models = [chain.model for chain in chains]

            def openly(targets: KnownValues) -> Predictions:
                columns = coding.targets(targets)
                shares = np.mean([model.posterior(columns) for model in models], axis=0)
                return Predictions.likeliest(
                    _placed(shares, released, view.unknown.size), view.unknown
                )

            return openly
        profile, sizes = _profiles(view)
        sums = np.zeros((len(sizes), len(released)))
        for part in np.array_split(np.arange(len(groups)), -(-len(groups) // _ROWS_TOGETHER)):
            beliefs = np.mean([chain.beliefs(part, self.predictor) for chain in chains], axis=0)
            np.add.at(sums, profile[part], beliefs)
        weights = _placed(sums / sizes[:, None], released, view.unknown.size)
        learned = replace(
            view.tables[0],
            unknown=weights.argmax(axis=1).astype(np.int32)[profile],
            spread=SpreadValues(labels=profile, weights=weights),
        )
        matched = matching(replace(view, tables=(learned,)), threads=self.threads)

        def predict(targets: KnownValues) -> Predictions:
            shares, closeness = matched(targets)
            found = Predictions.likeliest(shares, view.unknown)
            return replace(found, scores=closeness * found.scores)

        return predict


def _profiles(view: GroupsView) -> tuple[CodeArray, np.ndarray]:
    """Return distinct known rows, which match the same targets."""
    known = view.tables[0].known
    columns = [*known.columns.values()]
    for column in known.set_columns.values():
        columns += [column.codes, column.single]
    frame = pd.DataFrame(dict(enumerate(map(distinct_keys, columns))))
    profile = frame.groupby(list(frame.columns), sort=False).ngroup().to_numpy()
    return profile.astype(np.int32), np.bincount(profile)


def _placed(shares: FloatArray, released: CodeArray, n_codes: int) -> FloatArray:
    placed = np.zeros((len(shares), n_codes))
    placed[:, released] = shares
    return placed


DEFINETTI = AttackType(
    name=DeFinetti.name,
    method="Learns from all groups which values go together.",
    reference="Kifer (2009); Cormode (2011), section 3",
    accepts=DeFinetti.accepts,
    make=DeFinetti,
    fits_model=True,
    seconds=(0.1, 0.06),
    parameters=(
        Parameter(
            name="predictor",
            title="Predictor",
            help=(
                "'permutation': values dealt to rows; 'group': classifier in the group; 'open': "
                "classifier."
            ),
            default="permutation",
            choices=("permutation", "group", "open"),
        ),
        Parameter(
            name="rounds",
            title="Rounds",
            help="Each chain learns and deals anew.",
            default=1000,
            low=2,
            high=100_000,
        ),
        Parameter(
            name="chains",
            title="Chains",
            help="Independent runs to average.",
            default=4,
            low=1,
            high=64,
        ),
        RANGES,
    ),
)
