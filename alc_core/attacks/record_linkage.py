"""Released records most likely to be the person's own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from alc_core.arrays import BoolArray, CodeArray, FloatArray, IntArray, some_rows
from alc_core.attacks.linkage_columns import LinkedColumn, OwnValues, learned_parts
from alc_core.attacks.linkage_records import GroupedRecords, grouped
from alc_core.attacks.model import FittedRows
from alc_core.attacks.protocol import AttackType, LikelyRecords, Predictions, Predictor, surest
from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.attacks.typical_rows import log_typicality
from alc_core.baselines.features import FeatureCoding
from alc_core.baselines.fitting import MIN_CLASS_ROWS, fit_baseline
from alc_core.baselines.forest import Forest
from alc_core.note import KEPT, Note
from alc_core.phrasing import listed, percent
from alc_core.releases.counts import Counts
from alc_core.releases.groups import Groups
from alc_core.releases.microdata import Microdata, RowsView
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.columns import CategoricalCodes, CountedValues

FEWEST = 50  # Fewest people to learn from
# Most pairs to learn from: first of few people, then of more
_PAIRS = 500_000, 2_500_000
_ROUNDS, _STILL = (25, 4), 0.02  # Most rounds of learning, and the change that ends them
# Trees, records of a leaf (at least, and as a share) and weight of the values' shares beside them
_TREES, _LEAF, _LEAF_SHARE, _SHRUNK = 30, 5, 0.01, 0.1
_MOST_CELLS, _LEAST_ROWS = 500_000, 100  # Records times values that trees learn from

_TOLD = 6  # Columns in the note of kept values
_LEAST = 1e-3  # Least information of a column on the unknown one, in nats
# Choices of the columns that the release's share of moved values counts as, beside a record's own
_STRENGTHS = 1.0, 0.3, 3.0, 10.0, 30.0, 100.0


_Weights = tuple[FloatArray, ...]  # Shares of the parts, by column


class _Learned(NamedTuple):
    weights: _Weights
    chance: float = 0.5  # That a person has an own record
    strength: float = _STRENGTHS[0]  # Of the release's share of moved values


class RecordLinkage:
    """Predict the values of records most likely to be the target's own.

    A record's value is the target's own, near it (numbers, several widths), or another's. Each
    column gives a likelihood ratio against a random record: 1 over the share of people with the
    value if own, a normal deviate of its rank if near, 1 if another's; each weighted by its share
    of the column's values. A generalized label uses the share of people it covers. The product over
    columns, divided by how much commoner the record is than under independence
    (:func:`log_typicality`), is the record's vote for its unknown value: so columns that nearly
    determine each other count once. Missing and suppressed values are uninformative.

    The shares, and the probability of having an own record, are learned from the first people
    attacked by expectation and maximization; not from fewer than 50.

    The own record's unknown value may also be another's: with the probability m, the share of the
    likeliest records' known values that are another's, beside the release's. Columns count by their
    mutual information with the unknown one; without an own record m is 1. By Bayes' rule, a value
    with share v of the votes and p of the records is as likely as g [(1 - m) v / p + m], where g is
    its probability for anyone with the known values, by a forest of the records. The rank score is
    this probability.

    References
    ----------
    Fellegi and Sunter (1969), A theory for record linkage; Winkler (1988), Using the EM algorithm
    for weight computation in the Fellegi-Sunter model of record linkage.
    """

    name: str = "record linkage"
    accepts = (Microdata, Groups, Counts)

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
        self._learned: list[_Learned] = []

    def __call__(self, targets: KnownValues) -> Predictions:
        if self._people is None or len(self._people) < FEWEST:
            self._people = targets if self._people is None else _joined(self._people, targets)
            self._learned = [records.learned(self._people) for records in self._groups]
        found = [
            records.votes(targets, learned, self._unknown)
            for records, learned in zip(self._groups, self._learned, strict=True)
        ]
        chances = [
            records.anyone.posterior(votes, targets)
            for records, votes in zip(self._groups, found, strict=True)
        ]
        made = Predictions.likeliest(surest(chances), self._unknown)
        first = np.stack([each.chances[:, 0] for each in found])
        of = first.argmax(axis=0), np.arange(len(targets))
        values = np.stack([each.values for each in found])[of]
        return replace(made, records=LikelyRecords(values=values, chances=first[of]))

    @property
    def notes(self) -> tuple[Note, ...]:
        """Tell how many own rows keep each column's value, as learned."""
        if len(self._groups) > 1 or self._people is None or len(self._people) < FEWEST:
            return ()
        kept = self._groups[0].kept(self._people, self._learned[0].weights)
        columns = sorted(kept, key=kept.__getitem__, reverse=True)
        shares = listed([f"'{each}' {percent(kept[each])}" for each in columns], most=_TOLD)
        text = f"Unchanged in people's own rows (estimated): {shares}."
        return (Note(text=text, code=KEPT, numbers=tuple((each, kept[each]) for each in columns)),)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _AnyonesValue:
    """Probability of each unknown value for anyone with the known values, by the records."""

    shares: FloatArray  # Of all records, by value
    learned: BoolArray  # Values with enough records
    fitted: FittedRows

    @classmethod
    def of(cls, rows: ReleasedColumns, n_codes: int, rng: np.random.Generator) -> Self:
        codes = rows.drawn(rng)
        shares = np.bincount(codes, minlength=n_codes) / len(codes)
        taken = some_rows(np.arange(len(codes)), _MOST_CELLS // int(np.count_nonzero(shares)), rng)
        rows, codes = rows.take(taken), codes[taken]
        leaf = max(_LEAF, int(_LEAF_SHARE * len(codes)))
        forest = Forest("anyone's value", leaf, n_trees=_TREES)
        coding = FeatureCoding.of(rows.known)
        model = fit_baseline(
            coding.features(rows.known),
            codes,
            ranking=[(forest,)] if len(codes) >= _LEAST_ROWS else [()],
            seed=int(rng.integers(2**31)),
        )
        return cls(
            shares=shares,
            learned=np.bincount(codes, minlength=n_codes) >= MIN_CLASS_ROWS,
            fitted=FittedRows(rows=rows, coding=coding, model=model),
        )

    def posterior(self, votes: _Votes, people: KnownValues) -> FloatArray:
        """Return the values' probabilities, given the votes."""
        prior = self.fitted.probabilities(people, len(self.shares))
        prior += np.where(self.learned, _SHRUNK, 1.0) * (self.shares - prior)
        shares = np.where(self.shares > 0, self.shares, 1.0)
        moved = votes.moved[:, None]
        found = prior * ((1 - moved) * votes.shares / shares + moved)
        return np.asarray(found / found.sum(axis=1, keepdims=True))


class _Votes(NamedTuple):
    shares: FloatArray  # Of all votes, by value
    values: IntArray  # Of the likeliest records
    chances: FloatArray  # Their shares of the votes
    moved: FloatArray  # Probability that the own record's unknown value is another's


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Records:
    unknown: IntArray  # Codes; then generalized labels
    spread: FloatArray  # (n_labels, n_codes), probability of each code of a label
    anyone: _AnyonesValue
    columns: tuple[LinkedColumn, ...]
    relevant: FloatArray  # Weight of each column, mean 1: its information on the unknown one
    known: GroupedRecords  # Combinations, and log of their rarity

    @classmethod
    def of(cls, rows: ReleasedColumns, n_codes: int, rng: np.random.Generator) -> Self:
        counted = CountedValues.of([(rows.unknown, rows.spread)], n_codes)
        columns = [LinkedColumn.of(rows, name) for name in rows.known.specs]
        weights = -log_typicality([column.levels for column in columns], rng)
        codes = counted.numbers[0].astype(np.int64)
        # The finest column's evidence is then read in order
        order = np.argsort(max((column.codes for column in columns), key=np.max), kind="stable")
        codes, weights = codes[order], weights[order]
        ordered, known = grouped([column.take(order) for column in columns], weights)
        shared = np.array([_information(column.levels[0], codes) for column in ordered])
        return cls(
            unknown=codes,
            spread=counted.weights,
            anyone=_AnyonesValue.of(rows, n_codes, rng),
            columns=ordered,
            relevant=shared / shared.mean(),
            known=known,
        )

    def learned(self, people: KnownValues) -> _Learned:
        from alc_core.attacks.record_linkage_kernel import counted

        weights = tuple(column.start() for column in self.columns)
        if len(people) < FEWEST:
            return _Learned(weights)
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
                linked, agreed, moved = counted(*arguments, self._none(chance))
                places = [moved[a:b] for a, b in itertools.pairwise(starts)]
                weights = tuple(map(learned_parts, weights, own, agreed, places))
                chance = float(np.clip(linked.mean(), 0.001, 0.999))
                if max(np.abs(a - b).max() for a, b in zip(before, weights, strict=True)) < _STILL:
                    break
        return _Learned(weights, chance, self._strength(own, _Learned(weights, chance)))

    def kept(self, people: KnownValues, weights: _Weights) -> dict[str, float]:
        """Return by column how many own records have their person's value, also by chance."""
        found = {}
        for column, shares in zip(self.columns, weights, strict=True):
            own = column.people(people)
            has = own.rows < own.parts.shape[1] - 1
            if has.any():
                frequent = np.append(column.shares, 0.0)[own.codes]
                found[column.name] = float((shares @ own.equal * frequent)[has].mean())
        return found

    def votes(self, targets: KnownValues, learned: _Learned, unknown: CategoricalCodes) -> _Votes:
        from alc_core.attacks.record_linkage_kernel import voted

        own = [column.people(targets) for column in self.columns]
        said = np.concatenate([np.stack([each.codes, each.rows]) for each in own])
        _, first, alike = np.unique(said, axis=1, return_index=True, return_inverse=True)
        own = [each.take(first) for each in own]
        arguments, _ = self._arguments(own, learned.weights)
        size = unknown.size
        found, likeliest, chances, linked = voted(
            *arguments, self._none(learned.chance), self.unknown, size + len(self.spread)
        )
        shares = found[:, :size] + found[:, size:] @ self.spread
        values = np.where(likeliest >= 0, self.unknown[likeliest], -1)
        values = np.where(values < size, values, -1)
        each = np.tensordot(self.relevant, self._moved(own, learned.weights, likeliest), axes=1)
        changed = (chances * (each + learned.strength * self._usual(learned))).sum(axis=1)
        changed /= chances.sum(axis=1) * (len(own) + learned.strength)
        changed = 1 - linked * (1 - changed)
        return _Votes(
            shares=shares[alike], values=values[alike], chances=chances[alike], moved=changed[alike]
        )

    def _moved(
        self, own: Sequence[OwnValues], weights: _Weights, likeliest: IntArray
    ) -> FloatArray:
        """Return each column's probability that the likeliest records' values are another's."""
        moved = np.empty((len(own), *likeliest.shape))
        for at, (column, each, shares) in enumerate(zip(self.columns, own, weights, strict=True)):
            codes, places = column.codes[likeliest], column.places[likeliest]
            agrees = (codes == each.codes[:, None]) & (codes >= 0)
            equal, apart = shares @ each.equal, np.tensordot(shares, each.parts, axes=1)
            moved[at] = shares[-1] / np.where(
                agrees, equal[:, None], apart[each.rows[:, None], places]
            )
        return moved

    def _none(self, chance: float) -> float:
        return float(np.log((1 - chance) / chance * len(self.unknown)))

    def _usual(self, learned: _Learned) -> float:
        """Return the release's share of values that are another's."""
        moved = [shares[-1] for shares in learned.weights]
        return float(np.average(moved, weights=self.relevant))

    def _strength(self, own: Sequence[OwnValues], learned: _Learned) -> float:
        """Return how many columns the release's share of moved values counts as.

        Beside a record's own: each column's moved values are predicted from all others'.
        """
        from alc_core.attacks.record_linkage_kernel import voted

        arguments, _ = self._arguments(own, learned.weights)
        _, likeliest, chances, _ = voted(
            *arguments, self._none(learned.chance), self.unknown, int(self.unknown.max()) + 1
        )
        moved = self._moved(own, learned.weights, likeliest)
        total, usual = np.tensordot(self.relevant, moved, axes=1), self._usual(learned)
        loss = dict.fromkeys(_STRENGTHS, 0.0)
        for each, shares, counts in zip(moved, learned.weights, self.relevant, strict=True):
            votes = chances * each / shares[-1]  # Without this column's evidence
            votes /= votes.sum(axis=1, keepdims=True)
            true = (votes * each).sum(axis=1)
            others = (votes * (total - counts * each)).sum(axis=1)
            for strength in _STRENGTHS:
                told = (others + strength * usual) / (len(own) - counts + strength)
                loss[strength] -= float((true * np.log(told) + (1 - true) * np.log1p(-told)).sum())
        return min(loss, key=loss.__getitem__)

    def _arguments(
        self, own: Sequence[OwnValues], weights: _Weights
    ) -> tuple[tuple[Any, ...], IntArray]:
        pairs = list(zip(weights, own, strict=True))
        tables = [np.tensordot(shares, each.parts, axes=1) for shares, each in pairs]
        starts = np.cumsum([0, *(table.size for table in tables)])
        arguments = (
            self.known,
            np.stack([each.codes for each in own]),
            np.stack([each.rows for each in own]),
            np.stack([shares @ each.equal for shares, each in pairs]),
            np.concatenate([table.ravel() for table in tables]),
            starts[:-1],
            np.array([table.shape[1] for table in tables]),
        )
        return arguments, starts


def _information(column: CodeArray, unknown: IntArray) -> float:
    """Return the mutual information of two columns, less what chance gives; at least a little."""
    from sklearn.metrics import mutual_info_score

    here = column >= 0
    column, unknown = column[here], unknown[here]
    if not len(column):
        return _LEAST
    free = (len(np.unique(column)) - 1) * (len(np.unique(unknown)) - 1)
    chance = (free + 2 * np.sqrt(2 * free)) / 2 / len(column)
    return float(max(mutual_info_score(column, unknown) - chance, _LEAST))


def _joined(people: KnownValues, more: KnownValues) -> KnownValues:
    columns = {c: np.concatenate([people.columns[c], more.columns[c]]) for c in people.columns}
    return KnownValues(specs=people.specs, columns=columns, n_rows=len(people) + len(more))


RECORD_LINKAGE = AttackType(
    name=RecordLinkage.name,
    method="Predicts the value of records that agree beyond chance.",
    reference="Fellegi and Sunter (1969)",
    accepts=RecordLinkage.accepts,
    make=RecordLinkage,
    seconds=(0.1, 0.008),
)
