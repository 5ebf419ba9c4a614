"""Intersecting editions: the value a person's nearest rows share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from alc_core.arrays import FloatArray
from alc_core.attacks.best_row_match import matching
from alc_core.attacks.protocol import AttackType, Predictions, Predictor
from alc_core.releases.series import Series, SeriesView
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.columns import CountedValues


class Intersection:
    """Predict the value the nearest rows of all editions share.

    In each edition, the nearest rows (:class:`BestRowMatch`) give each value a share. A person has
    one value in all editions: its probability is the product of its shares, divided by its share
    among all rows for each edition but one. The rank score is the probability times the rows' mean
    closeness. The attack abstains if the rows share no value.
    """

    name: str = "intersection"
    accepts = (Series,)

    def prepare(self, view: SeriesView, rng: np.random.Generator) -> Predictor:  # noqa: ARG002
        """Return the predictor, which scans each edition."""
        scans = [matching(replace(view, tables=(edition,))) for edition in view.editions]
        overall = _shares(view)

        def predict(targets: KnownValues) -> Predictions:
            shares, closeness = zip(*(scan(targets) for scan in scans), strict=True)
            chances = shares[0]
            for each in shares[1:]:
                chances = chances * (each / overall)
            total = chances.sum(axis=1, keepdims=True)
            made = Predictions.likeliest(chances / np.where(total > 0, total, 1), view.unknown)
            return replace(
                made,
                scores=made.scores * np.mean(closeness, axis=0),
                abstained=total[:, 0] == 0,
            )

        return predict


def _shares(view: SeriesView) -> FloatArray:
    """Return each value's share among the rows of all editions; 1 if none has it."""
    size = view.unknown.size
    counted = CountedValues.of([(each.unknown, each.spread) for each in view.editions], size)
    rows = np.bincount(np.concatenate(counted.numbers), minlength=counted.size)
    shares = counted.by_code(rows[None, :].astype(np.float64))[0] / rows.sum()
    return np.where(shares > 0, shares, 1.0)


INTERSECTION = AttackType(
    name=Intersection.name,
    method="Predicts the value common to the nearest rows of each edition.",
    reference="Ganta, Kasiviswanathan and Smith (2008), composition attacks",
    accepts=Intersection.accepts,
    make=Intersection,
    seconds=(0.03, 0.002),
    across=True,
)
