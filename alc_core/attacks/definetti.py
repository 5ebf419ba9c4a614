"""The deFinetti attack on a release of groups, as people choose it."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pandas as pd

from alc_core.arrays import CodeArray, FloatArray
from alc_core.attacks.best_row_match import matching
from alc_core.attacks.definetti_sampler import ShuffledGroups
from alc_core.attacks.protocol import AttackType, Predictions, Predictor
from alc_core.attacks.released_columns import RANGES, KnownCodes, ReleasedColumns
from alc_core.parameter import Parameter
from alc_core.releases.groups import Groups, GroupsView
from alc_core.releases.release import Release
from alc_core.scenario.known_values import KnownValues
from alc_core.tables.codes.columns import SpreadValues

_ROWS_TOGETHER = 100_000


class DeFinetti:
    """Learn from all groups together which row has which of its group's values.

    See :mod:`~alc_core.attacks.definetti_sampler`. A target is looked for among the rows as best
    row match looks for it; what several nearest rows are likely to have is averaged. The rank score
    is (1 - distance) · share, with the share of the predicted value. The open predictor needs no
    rows: it is the classifier alone, given what is known of the target.

    References
    ----------
    Kifer (2009), Attacks on privacy and deFinetti's theorem; Cormode (2011), section 3.
    """

    name: str = "definetti"
    accepts: ClassVar[tuple[type[Release], ...]] = (Groups,)

    def __init__(
        self, *, predictor: str = "permutation", rounds: int = 1000, chains: int = 4,
        ranges: int = 10, threads: int | None = None,
    ) -> None:  # fmt: skip
        self.predictor, self.rounds, self.chains = predictor, rounds, chains
        self.ranges, self.threads = ranges, threads

    def prepare(self, view: GroupsView, rng: np.random.Generator) -> Predictor:
        """Run the chains, and return the predictor."""
        from alc_core.attacks.definetti_sampler import sample_chains

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
                return _predictions(_placed(shares, released, view.unknown.size), 1.0)

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
        matched = matching(replace(view, tables=(learned,)), _shares, threads=self.threads)

        return lambda targets: _predictions(*matched(targets))


def _profiles(view: GroupsView) -> tuple[CodeArray, np.ndarray]:
    """Return a number for each row, equal where known values are, and the rows of each number.

    Rows with equal values match the same targets, so that their beliefs can be averaged before.
    """
    known = view.tables[0].known
    columns = [*known.columns.values()]
    for column in known.set_columns.values():
        columns += [column.codes, column.single]
    frame = pd.DataFrame(dict(enumerate(columns)))
    profile = frame.groupby(list(frame.columns), dropna=False, sort=False).ngroup().to_numpy()
    return profile.astype(np.int32), np.bincount(profile)


def _placed(shares: FloatArray, released: CodeArray, n_codes: int) -> FloatArray:
    """Return shares of the released values as shares of all codes."""
    placed = np.zeros((len(shares), n_codes))
    placed[:, released] = shares
    return placed


def _shares(counts: FloatArray, closeness: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how likely each code is by the matching rows."""
    return counts / counts.sum(axis=1, keepdims=True), closeness


def _predictions(shares: FloatArray, closeness: FloatArray | float) -> Predictions:
    return Predictions.of(
        shares.argmax(axis=1), closeness * shares.max(axis=1), probabilities=shares
    )


DEFINETTI = AttackType(
    name=DeFinetti.name,
    method="Learns from all groups together which value goes with which known ones, and so who in "
    "a group is likely to have which of its values.",
    reference="Kifer (2009); Cormode (2011), section 3",
    accepts=DeFinetti.accepts,
    make=DeFinetti,
    fits_model=True,
    relative_cost=5.0,
    parameters=(
        Parameter(
            name="predictor",
            title="Predictor",
            help="'permutation' takes the values that the chains dealt to a row, 'group' the "
            "classifier restricted to the row's group, 'open' the classifier alone.",
            default="permutation",
            choices=("permutation", "group", "open"),
        ),
        Parameter(
            name="rounds",
            title="Rounds",
            help="How often each chain learns the classifier and deals values anew.",
            default=1000,
            low=2,
            high=100_000,
        ),
        Parameter(
            name="chains",
            title="Chains",
            help="Independent runs whose results are averaged.",
            default=4,
            low=1,
            high=64,
        ),
        RANGES,
    ),
)
