"""The released records that are most likely the person's own, by how rare their agreement is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from alc_core.arrays import CodeArray, FloatArray, IntArray
from alc_core.attacks.protocol import AttackType, Predictions, Predictor, surest
from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.releases.microdata import Microdata, RowsView
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes
from alc_core.tables.values.generalized import tags

CHANGED = 0.3  # The share of each column's values that are taken to be changed, to begin with
LEAST_CHANGED = 0.02  # Of no column it is less, nor more than 1 less this
FEWEST = 50  # Of fewer people than these nothing is learned
MOST_STEPS = 100  # A released number of so few values is a coarse one: people have the nearest
_NOWHERE = -1
_PAIRS = 1_000_000  # Pairs of a person and a record to learn from, at most
_ROUNDS, _STILL = 25, 0.01  # Rounds of learning at most, and the change at which they end


class RecordLinkage:
    """Predict what the records say that are most likely the target's own.

    A record that agrees with the target in a known column speaks for being the target's own by the
    logarithm of (1 - c + c·f) / f, f being the share of that value among the released records with
    any, and by log c against it where it does not agree; c is the chance that a value of the column
    was changed. It votes for its unknown value with the exponential of the sum over the columns, so
    that agreement in an exact income and a rare job outvotes thousands of records with the same sex
    and region. The rank score is the value's share of the votes. Where some values of a person were
    swapped, mixed or replaced, it finds the record by the others, which a distance over all columns
    does not. Numbers agree where they are equal, or where the release has few different ones, if
    the record's is the nearest of them; a text among numbers is a value like any other. Where the
    person or the record has no value, or the record's is suppressed, a column says nothing.

    Each column's c is learned from the known values of the first people attacked, by expectation
    and maximization: a person has a record of their own with a chance that is learned, too, or else
    none. So a column that says nothing counts for nothing, and the others for more. Until 50 people
    are attacked nothing is learned, and c is 0.3.

    References
    ----------
    Fellegi and Sunter (1969), A theory for record linkage; Winkler (1988), Using the EM algorithm
    for weight computation in the Fellegi-Sunter model of record linkage.
    """

    name: str = "record linkage"
    accepts = (Microdata,)

    def prepare(self, view: RowsView, rng: np.random.Generator) -> Predictor:
        """Count values, and return the predictor, which weighs all released rows."""
        groups = [_Records.of(rows, rng) for rows in ReleasedColumns.groups(view.tables)]
        people = [records.codes[:0] for records in groups]  # The first ones, whom is learned from
        changed: list[FloatArray] = []

        def predict(targets: KnownValues) -> Predictions:
            own = [records.of_people(targets) for records in groups]
            if len(people[0]) < FEWEST:
                people[:] = [np.concatenate(both) for both in zip(people, own, strict=True)]
                changed[:] = [
                    records.learned(each) for records, each in zip(groups, people, strict=True)
                ]
            votes = [
                records.weighed(each, chances, n_values=view.unknown.size)[0]
                for records, each, chances in zip(groups, own, changed, strict=True)
            ]
            return Predictions.likeliest(surest(votes), view.unknown)

        return predict


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Records:
    """Released rows with the same columns."""

    rows: ReleasedColumns
    unknown: CodeArray
    steps: dict[str, FloatArray]  # The different values of each number, ascending
    # Of every record and known column; _NOWHERE where it is missing or suppressed
    codes: IntArray
    # For each column the share of the records with each code among those with any; 1 at the end,
    # which says nothing
    shares: tuple[FloatArray, ...]

    @classmethod
    def of(cls, rows: ReleasedColumns, rng: np.random.Generator) -> Self:
        steps: dict[str, FloatArray] = {}
        for name, spec in rows.known.specs.items():
            if not isinstance(spec, CategoricalCodes):
                numbers = rows.known.columns[name].astype(np.float64)
                steps[name] = np.unique(numbers[~np.isnan(numbers)])
        bare = cls(rows=rows, unknown=rows.drawn(rng), steps=steps,
                   codes=np.zeros((0, 0), dtype=np.int64), shares=())  # fmt: skip
        codes = bare._coded(rows.known)
        for place, name in enumerate(rows.known.specs):
            if name in rows.suppressed:
                codes[rows.suppressed[name], place] = _NOWHERE
        counted = [np.bincount(each[each >= 0]) for each in codes.T]
        shares = tuple(np.append(each / max(1, each.sum()), 1.0) for each in counted)
        return replace(bare, codes=codes, shares=shares)

    def of_people(self, targets: KnownValues) -> IntArray:
        """Return the codes of people as the records have them."""
        return self._coded(self.rows.seen(targets))

    def learned(self, people: IntArray) -> FloatArray:
        """Learn for each column the chance that a value was changed, from codes of people."""
        changed = np.full(self.codes.shape[1], CHANGED)
        if len(people) < FEWEST:
            return changed
        taken = people[: max(_PAIRS // len(self.codes), FEWEST)]
        chance = 0.5  # That a person has a record of their own
        for _ in range(_ROUNDS):
            _, linked, compared, agreed, shares = self.weighed(taken, changed, chance=chance)
            # Some agree in spite of a change.
            kept = agreed * (1 - changed) / (1 - changed + changed * shares)
            lost = (compared - kept).sum(axis=0)
            before, changed = changed, _inside((CHANGED + lost) / (1 + compared.sum(axis=0)))
            chance = float(_inside(linked.mean()))
            if np.abs(changed - before).max() < _STILL:
                break
        return changed

    def weighed(
        self, own: IntArray, changed: FloatArray, *, n_values: int = 0, chance: float = 1.0
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return the kernel's results, and the share of the records with each person's values.

        Without `n_values` all records vote for the same one.
        """
        from alc_core.attacks.record_linkage_kernel import voted

        shares = np.stack(
            [
                share[np.minimum(codes, len(share) - 1)]
                for share, codes in zip(self.shares, own.T, strict=True)
            ],
            axis=1,
        )
        # A value that no record has says nothing: all disagree alike.
        shares = np.where(shares > 0, shares, 1.0)
        unknown = self.unknown.astype(np.int64) if n_values else np.zeros_like(self.codes[:, 0])
        found = voted(
            self.codes, own, np.log((1 - changed + changed * shares) / shares), np.log(changed),
            unknown, n_values or 1, np.log(max(1 - chance, 1e-300) / chance * len(self.codes)),
        )  # fmt: skip
        return (*found, shares)

    def _coded(self, known: KnownValues) -> IntArray:
        return np.stack([self._codes(name, known.columns[name]) for name in known.specs], axis=1)

    def _codes(self, name: str, values: CodeArray | FloatArray) -> IntArray:
        spec = self.rows.known.specs[name]
        if isinstance(spec, CategoricalCodes):
            return np.where(values == spec.size - 1, _NOWHERE, values).astype(np.int64)
        steps, texts = self.steps[name], tags(values.astype(np.float64))
        without = np.where(texts > 0, len(steps) + texts - 1, _NOWHERE)
        if not len(steps):
            return without
        nearest = np.searchsorted((steps[1:] + steps[:-1]) / 2, values)
        found = np.isfinite(values) & ((steps[nearest] == values) | (len(steps) <= MOST_STEPS))
        return np.where(found, nearest, without)


def _inside(chances: FloatArray) -> FloatArray:
    return np.clip(chances, LEAST_CHANGED, 1 - LEAST_CHANGED)


RECORD_LINKAGE = AttackType(
    name=RecordLinkage.name,
    method="Looks for the records that agree with a person beyond chance, where agreement in rare "
    "values counts most, and predicts what they say.",
    reference="Fellegi and Sunter (1969)",
    accepts=RecordLinkage.accepts,
    make=RecordLinkage,
    relative_cost=3.0,
)
