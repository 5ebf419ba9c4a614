"""The released records that are most likely the person's own, by how rare their agreement is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from alc_core.attacks.protocol import AttackType, Predictions, Predictor, surest
from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.releases.microdata import Microdata, RowsView
from alc_core.releases.release import Release
from alc_core.scenario.known_values import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes, CodeArray, FloatArray

IntArray = NDArray[np.int64]

CHANGED = 0.3  # The share of a person's known values that are taken to be changed in the release
MOST_STEPS = 100  # A released number of so few values is a coarse one: people have the nearest
_NOWHERE = -1


class RecordLinkage:
    """Predict what the records say that are most likely the target's own.

    A record that agrees with the target in a known column speaks for being the target's own by the
    logarithm of (1 - c + c·f) / f, f being the share of the released records with that value, and
    by log c against it where it does not agree; c = 0.3 is the chance that a value was changed. It
    votes for its unknown value with the exponential of the sum over the columns, so that agreement
    in an exact income and a rare job outvotes thousands of records with the same sex and region.
    The rank score is the value's share of the votes. Where some values of a person were swapped,
    mixed or replaced, it finds the record by the others, which a distance over all columns does
    not. Numbers agree where they are equal, or where the release has few different ones, if the
    record's is the nearest of them. A missing value agrees with none.

    References
    ----------
    Fellegi and Sunter (1969), A theory for record linkage.
    """

    name: str = "record linkage"
    accepts: ClassVar[tuple[type[Release], ...]] = (Microdata,)

    def prepare(self, view: RowsView, rng: np.random.Generator) -> Predictor:
        """Count values, and return the predictor, which weighs all released rows."""
        groups = [_Records.of(rows, rng) for rows in ReleasedColumns.groups(view.tables)]

        def predict(targets: KnownValues) -> Predictions:
            votes = [records.votes(targets, view.unknown.size) for records in groups]
            return Predictions.likeliest(surest(votes), view.unknown)

        return predict


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Records:
    """Released rows with the same columns."""

    rows: ReleasedColumns
    unknown: CodeArray
    steps: dict[str, FloatArray]  # The different values of each number, ascending
    codes: IntArray  # Of every record and known column; _NOWHERE where it is missing
    speaks: tuple[FloatArray, ...]  # For each column, what agreement in a code says; 0 at the end

    @classmethod
    def of(cls, rows: ReleasedColumns, rng: np.random.Generator) -> Self:
        steps: dict[str, FloatArray] = {}
        for name, spec in rows.known.specs.items():
            if not isinstance(spec, CategoricalCodes):
                numbers = rows.known.columns[name].astype(np.float64)
                steps[name] = np.unique(numbers[~np.isnan(numbers)])
        bare = cls(rows=rows, unknown=rows.drawn(rng), steps=steps,
                   codes=np.zeros((0, 0), dtype=np.int64), speaks=())  # fmt: skip
        codes = bare._coded(rows.known)
        shares = [np.bincount(each[each >= 0]) / len(rows.known) for each in codes.T]
        speaks = [np.log((1 - CHANGED + CHANGED * f) / np.maximum(f, 1e-12)) for f in shares]
        return cls(rows=rows, unknown=bare.unknown, steps=steps, codes=codes,
                   speaks=tuple(np.append(each, 0.0) for each in speaks))  # fmt: skip

    def votes(self, targets: KnownValues, n_values: int) -> FloatArray:
        """Return each value's share of the votes."""
        from alc_core.attacks.record_linkage_kernel import voted

        own = self._coded(self.rows.seen(targets))
        speaks = [says[np.minimum(codes, len(says) - 1)]
                  for says, codes in zip(self.speaks, own.T, strict=True)]  # fmt: skip
        shares: FloatArray = voted(
            self.codes, own, np.stack(speaks, axis=1), np.log(CHANGED),
            self.unknown.astype(np.int64), n_values,
        )  # fmt: skip
        return shares

    def _coded(self, known: KnownValues) -> IntArray:
        return np.stack([self._codes(name, known.columns[name]) for name in known.specs], axis=1)

    def _codes(self, name: str, values: CodeArray | FloatArray) -> IntArray:
        spec = self.rows.known.specs[name]
        if isinstance(spec, CategoricalCodes):
            return np.where(values == spec.size - 1, _NOWHERE, values).astype(np.int64)
        steps = self.steps[name]
        if not len(steps):
            return np.full(len(values), _NOWHERE)
        nearest = np.searchsorted((steps[1:] + steps[:-1]) / 2, values)
        found = np.isfinite(values) & ((steps[nearest] == values) | (len(steps) <= MOST_STEPS))
        return np.where(found, nearest, _NOWHERE)


RECORD_LINKAGE = AttackType(
    name=RecordLinkage.name,
    method="Looks for the records that agree with a person beyond chance, where agreement in rare "
    "values counts most, and predicts what they say.",
    reference="Fellegi and Sunter (1969)",
    accepts=RecordLinkage.accepts,
    make=RecordLinkage,
    relative_cost=3.0,
)
