"""People whose own row an attack finds, checked by the unknown value."""

from __future__ import annotations

import numpy as np

from alc_core.arrays import BoolArray, FloatArray
from alc_core.measures.measure import Measured, MeasureNumber, PredictedTargets
from alc_core.phrasing import percent
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.intervals import mean_reach

_SURE, _FEWEST = 0.95, 50  # Minimum certainty, and people so certain
# Least precision ratio between halves of the most certain, unless chance explains less
_ALIKE, _STANDARD_ERRORS = 0.8, 3.0
_TIMES = 3  # Least ratio of precision to other rows
_CLOSE = 0.05  # Widest half interval shown
_LEAST = 0.2  # Smaller shares may be others' nearer rows


class RowsTraced:
    """Estimate how many people's own row comes first.

    Own rows have the correct value more often than others nearly as likely. The share of own rows
    is m (a - b) / (s - b): a, b and s are the precision of the first rows, of the third to tenth,
    and of the most certain first rows; m, near 1, is the share of the latter that are own, from the
    attack. The most certain are above 0.95, or fewer until both their halves are about equally
    precise: if only some people have a row, the attack is also certain of strangers' rows. There is
    no result if certain rows are not three times as precise as others, the share is small or the
    interval wide: known columns may nearly imply the value.
    """

    name = "rows traced"
    title = "Rows traced"
    method = "How often an attack finds a person's own row."
    reference = "docs/methods.md"
    numbers: tuple[MeasureNumber, ...] = (
        MeasureNumber(
            name="rows_traced",
            title="Rows traced",
            help="A low share proves nothing.",
            bounds=(0, 1),
        ),
    )

    def applies(self, predicted: PredictedTargets) -> bool:
        """Return whether the share can be estimated."""
        return _traced(predicted) is not None

    def measure(self, predicted: PredictedTargets) -> dict[str, Measured]:
        """Return the share with a normal interval over units."""
        found = _traced(predicted)
        return {} if found is None else {"rows_traced": found}

    def sentence(self, measured: dict[str, Measured], scenario: Scenario) -> str:
        """Say how many rows are found."""
        return (
            f"The attack finds the row of about {percent(measured['rows_traced'].value)} of "
            f"people, by '{scenario.wanted}'."
        )


def _all_alike(first: FloatArray, chances: FloatArray) -> BoolArray:
    """Return the most certain targets whose halves are about equally precise."""
    order = np.argsort(-chances, kind="stable")[: int((chances > _SURE).sum())]
    while len(order) >= 2 * _FEWEST:
        half = len(order) // 2
        surer, rest = float(first[order[:half]].mean()), float(first[order[half:]].mean())
        error = np.sqrt((surer * (1 - surer) + rest * (1 - rest)) / half)
        if rest >= _ALIKE * surer or surer - rest < _STANDARD_ERRORS * error:
            break
        order = order[:half]
    return np.isin(np.arange(len(first)), order)


def _traced(predicted: PredictedTargets) -> Measured | None:
    rows = predicted.rows
    if rows is None:
        return None
    first, others = rows.first_right, rows.others_right
    sure = _all_alike(first, rows.chances)
    if sure.sum() < _FEWEST:
        return None
    a, b, s = float(first.mean()), float(others.mean()), float(first[sure].mean())
    if not s or s < _TIMES * b:
        return None
    certainty = float(rows.chances[sure].mean())
    slope = certainty / (s - b)
    share, of_sure = slope * (a - b), (a - b) / (s - b)
    # Each person's part in the share's error, to first order
    parts = (first - a) - (1 - of_sure) * (others - b) - of_sure * sure / sure.mean() * (first - s)
    reach = mean_reach(slope * parts, predicted.units, predicted.scoring.confidence)
    if reach > _CLOSE or share < _LEAST:
        return None
    low, value, high = (float(np.clip(share + step, 0, 1)) for step in (-reach, 0.0, reach))
    return Measured(value, low, high)
