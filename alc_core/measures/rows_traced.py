"""How many people's own row an attack finds, checked by the value that it did not know."""

from __future__ import annotations

import numpy as np

from alc_core.measures.measure import Measured, MeasureNumber, PredictedTargets
from alc_core.phrasing import percent
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.intervals import mean_reach

_SURE, _FEWEST = 0.95, 50  # Of so many people the attack must be so sure of their row
_TIMES = 3  # So many times as often as other rows must sure ones be right
_CLOSE = 0.05  # No wider to either side is an interval that is told


class RowsTraced:
    """Estimate how many people's own row stands first, for attacks that look for it.

    The row that stands first tells a person's unknown value rightly more often than rows of others
    that are nearly as likely: by as much as own rows do, where it is the person's own. How often
    own rows are right is told by those of which the attack is surest. So the share of own rows is
    m (a - b) / (s - b) with a, b and s how often the first rows, the third to the tenth, and the
    surest first ones are right, and m the share of the surest that are own, which is near 1 and as
    the attack has it. That needs no other trust in the attack's own certainty, which is too
    high where columns depend on each other. Nothing is told where sure rows are not three times as
    often right as others, or the interval is wide: what nearly follows from the known columns is
    told by the nearest row of anybody, too.
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
            f"the people, judging by how often it tells '{scenario.unknown}' rightly."
        )


def _traced(predicted: PredictedTargets) -> Measured | None:
    rows = predicted.rows
    if rows is None:
        return None
    first, others, sure = rows.first_right, rows.others_right, rows.chances > _SURE
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
    if reach > _CLOSE:
        return None
    low, value, high = (float(np.clip(share + step, 0, 1)) for step in (-reach, 0.0, reach))
    return Measured(value, low, high)
