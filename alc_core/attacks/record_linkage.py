"""Released records most likely to be the person's own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from alc_core.arrays import FloatArray, IntArray
from alc_core.attacks.linkage_columns import LinkedColumn, OwnValues, learned_parts
from alc_core.attacks.linkage_records import GroupedRecords, grouped
from alc_core.attacks.protocol import AttackType, LikelyRecords, Predictions, Predictor, surest
from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.attacks.typical_rows import log_typicality
from alc_core.releases.groups import Groups
from alc_core.releases.microdata import Microdata, RowsView
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.columns import CategoricalCodes, CountedValues

FEWEST = 50  # Fewest people to learn from
# Most pairs to learn from: first of few people, then of more
_PAIRS = 500_000, 2_500_000
_ROUNDS, _STILL = (25, 4), 0.02  # Most rounds of learning, and the change that ends them


_Weights = tuple[FloatArray, ...]  # Shares of the parts, by column


class RecordLinkage:
    """Predict the values of records most likely to be the target's own.

    A record's value is the target's own, near it (numbers, several widths), or another's. Each
    column gives a likelihood ratio against a random record: 1 over the share of people with the
    value if own, a normal deviate of its rank if near, 1 if another's; each weighted by its share
    of the column's values. A generalized label uses the share of people it covers. The product over
    columns, divided by how much commoner the record is than under independence
    (:func:`log_typicality`), is the record's vote for its unknown value: so columns that nearly
    determine each other count once. The rank score is the value's share of the votes. Missing and
    suppressed values are uninformative.

    The shares, and the probability of having an own record, are learned from the first people
    attacked by expectation and maximization; not from fewer than 50.

    References
    ----------
    Fellegi and Sunter (1969), A theory for record linkage; Winkler (1988), Using the EM algorithm
    for weight computation in the Fellegi-Sunter model of record linkage.
    """

    name: str = "record linkage"
    accepts = (Microdata, Groups)

    def prepare(self, view: RowsView, rng: np.random.Generator) -> Predictor:
        """Count values, and return the predictor, which weighs all records."""
        return _Linkage(
            view,
            [
                _Records.of(rows, view.unknown.size, rng)
                for rows in ReleasedColumns.groups(view.tables)
            ],
        )


class _Linkage:
    def __init__(self, view: RowsView, groups: Sequence[_Records]) -> None:
        self._unknown, self._groups = view.unknown, groups
        self._people: KnownValues | None = None  # The first ones, to learn from
        self._learned: list[_Weights] = []

    def __call__(self, targets: KnownValues) -> Predictions:
        if self._people is None or len(self._people) < FEWEST:
            self._people = targets if self._people is None else _joined(self._people, targets)
            self._learned = [records.learned(self._people) for records in self._groups]
        found = [
            records.votes(targets, learned, self._unknown)
            for records, learned in zip(self._groups, self._learned, strict=True)
        ]
        made = Predictions.likeliest(surest([each.shares for each in found]), self._unknown)
        first = np.stack([each.chances[:, 0] for each in found])
        of = first.argmax(axis=0), np.arange(len(targets))
        values = np.stack([each.values for each in found])[of]
        return replace(made, records=LikelyRecords(values=values, chances=first[of]))


class _Votes(NamedTuple):
    shares: FloatArray
    values: IntArray
    chances: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Records:
    unknown: IntArray  # Codes; then generalized labels
    spread: FloatArray  # (n_labels, n_codes), probability of each code of a label
    columns: tuple[LinkedColumn, ...]
    known: GroupedRecords  # Combinations, and log of their rarity

    @classmethod
    def of(cls, rows: ReleasedColumns, n_codes: int, rng: np.random.Generator) -> Self:
        counted = CountedValues.of([(rows.unknown, rows.spread)], n_codes)
        columns = [LinkedColumn.of(rows, name) for name in rows.known.specs]
        weights = -log_typicality([column.levels for column in columns], rng)
        ordered, known = grouped(columns, weights)
        return cls(
            unknown=counted.numbers[0].astype(np.int64),
            spread=counted.weights,
            columns=ordered,
            known=known,
        )

    def learned(self, people: KnownValues) -> _Weights:
        from alc_core.attacks.record_linkage_kernel import counted

        weights = tuple(column.start() for column in self.columns)
        if len(people) < FEWEST:
            return weights
        chance, n_people = 0.5, 0
        for pairs, rounds in zip(_PAIRS, _ROUNDS, strict=True):
            taken = people.take(
                np.arange(min(len(people), max(pairs // len(self.unknown), FEWEST)))
            )
            if len(taken) == n_people:
                break
            n_people = len(taken)
            own = [column.people(taken) for column in self.columns]
            for _ in range(rounds):
                before = weights
                arguments, starts = self._arguments(own, weights)
                none = np.log((1 - chance) / chance * len(self.unknown))
                linked, agreed, moved = counted(*arguments, none)
                places = [moved[a:b] for a, b in itertools.pairwise(starts)]
                weights = tuple(map(learned_parts, weights, own, agreed, places))
                chance = float(np.clip(linked.mean(), 0.001, 0.999))
                if max(np.abs(a - b).max() for a, b in zip(before, weights, strict=True)) < _STILL:
                    break
        return weights

    def votes(self, targets: KnownValues, weights: _Weights, unknown: CategoricalCodes) -> _Votes:
        from alc_core.attacks.record_linkage_kernel import voted

        own = [column.people(targets) for column in self.columns]
        said = np.concatenate([np.stack([each.codes, each.rows]) for each in own])
        _, first, alike = np.unique(said, axis=1, return_index=True, return_inverse=True)
        arguments, _ = self._arguments([each.take(first) for each in own], weights)
        size = unknown.size
        found, values, chances = voted(*arguments, self.unknown, size + len(self.spread))
        shares = found[:, :size] + found[:, size:] @ self.spread
        values = np.where(values < size, values, -1)
        return _Votes(shares[alike], values[alike], chances[alike])

    def _arguments(
        self, own: Sequence[OwnValues], weights: _Weights
    ) -> tuple[tuple[Any, ...], IntArray]:
        pairs = list(zip(weights, own, strict=True))
        tables = [(shares[:, None, None] * each.parts).sum(axis=0) for shares, each in pairs]
        starts = np.cumsum([0, *(table.size for table in tables)])
        arguments = (
            self.known,
            np.stack([each.codes for each in own]),
            np.stack([each.rows for each in own]),
            np.stack(
                [np.log((shares[:, None] * each.equal).sum(axis=0)) for shares, each in pairs]
            ),
            np.log(np.concatenate([table.ravel() for table in tables])),
            starts[:-1],
            np.array([table.shape[1] for table in tables]),
        )
        return arguments, starts


def _joined(people: KnownValues, more: KnownValues) -> KnownValues:
    columns = {c: np.concatenate([people.columns[c], more.columns[c]]) for c in people.columns}
    return KnownValues(specs=people.specs, columns=columns, n_rows=len(people) + len(more))


RECORD_LINKAGE = AttackType(
    name=RecordLinkage.name,
    method="Predicts the value of records that agree beyond chance.",
    reference="Fellegi and Sunter (1969)",
    accepts=RecordLinkage.accepts,
    make=RecordLinkage,
    seconds=(0.1, 0.025),
)
