"""How many people's own row an attack finds, checked by the value that it did not know."""

from __future__ import annotations

import numpy as np

from alc_core.arrays import BoolArray, FloatArray
from alc_core.measures.measure import Measured, MeasureNumber, PredictedTargets
from alc_core.phrasing import percent
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.intervals import mean_reach

_SURE, _FEWEST = 0.95, 50  # Of so many people the attack must be so sure of their row
# As often right as the surer half of the sure must the other be, unless it differs by chance
_ALIKE, _STANDARD_ERRORS = 0.8, 3.0
_TIMES = 3  # So many times as often as other rows must sure ones be right
_CLOSE = 0.05  # No wider to either side is an interval that is told
_LEAST = 0.2  # Of fewer, nearer rows of others that are right more often make too much


class RowsTraced:
    """Estimate how many people's own row stands first, for attacks that look for it.

    The row that stands first tells a person's unknown value rightly more often than rows of
    others that are nearly as likely: by as much as own rows do, where it is the person's own.
    How often own rows are right is told by those of which the attack is surest. So the share of
    own rows is m (a - b) / (s - b) with a, b and s how often the first rows, the third to the
    tenth, and the surest first ones are right, and m the share of the surest that are own,
    which is near 1 and as the attack has it. The surest are those above 0.95, or fewer, until
    their surer half is right hardly more often than the other: where only some people have a
    row, it is sure of others. That needs no other trust in the attack's own certainty, which is
    too high where columns depend on each other. Nothing is told where sure rows are not three
    times as often right as others, the share is small or the interval wide: what nearly follows
    from the known columns is told by the nearest row of anybody, too.
    """

    name = "rows traced"
    title = "Rows traced"
    method = (
        "Estimates how many people's own row an attack finds, by how often the rows that it finds "
        "tell the unknown value rightly."
    )
    reference = "docs/methods.md"
    numbers: tuple[MeasureNumber, ...] = (
        MeasureNumber(
            name="rows_traced",
            title="Rows traced",
            help="Share of people whose own row the attack finds; higher is riskier. A low share "
            "proves nothing.",
            bounds=(0, 1),
        ),
    )

    def applies(self, predicted: PredictedTargets) -> bool:
        """Return whether enough is known to tell the share."""
        return _traced(predicted) is not None

    def measure(self, predicted: PredictedTargets) -> dict[str, Measured]:
        """Return the share with a normal interval, in which dependent targets count together."""
        found = _traced(predicted)
        return {} if found is None else {"rows_traced": found}

    def sentence(self, measured: dict[str, Measured], scenario: Scenario) -> str:
        """Say how many rows are found."""
        return (
            f"The attack finds the own row of about {percent(measured['rows_traced'].value)} of "
            f"the people, judging by how often it tells '{scenario.wanted}' rightly."
        )


def _all_alike(first: FloatArray, chances: FloatArray) -> BoolArray:
    """Return of whom the attack is surest: so many that the surer half is right no more often.

    Where only some people have a row, the attack is sure of strangers' rows, too.
    """
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
    # What each person adds to the share's error, to the first order
    parts = (first - a) - (1 - of_sure) * (others - b) - of_sure * sure / sure.mean() * (first - s)
    reach = mean_reach(slope * parts, predicted.units, predicted.scoring.confidence)
    if reach > _CLOSE or share < _LEAST:
        return None
    low, value, high = (float(np.clip(share + step, 0, 1)) for step in (-reach, 0.0, reach))
    return Measured(value, low, high)
