"""People whose own row an attack finds, checked by the unknown value."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from alc_core.arrays import BoolArray
from alc_core.measures.measure import FoundRows, Measured, MeasureNumber, PredictedTargets
from alc_core.phrasing import percent
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.intervals import mean_reach

# Limits, measured by benchmarks/rows_traced.py
_SURE, _FEWEST = 0.95, 50  # Minimum certainty, and people so certain
# Least precision ratio between halves of the most certain, unless chance explains less
_ALIKE, _STANDARD_ERRORS = 0.8, 3.0
_TIMES, _BEYOND = 2.5, 1.25  # Least ratios of precision to other rows, and to the best guess
_FEWEST_FACTS = 3  # Synthetic rows may copy two numbers of one person
_CLOSE = 0.04  # Widest half interval shown
_LEAST = 0.2  # Smaller shares may be others' nearer rows
_POWER = 4  # Of the chance by which people count in learning the precision of own rows
_FARTHEST, _NEAR = 8.0, 1e-6  # Log odds by which chances may be wrong, and the estimate's error


class RowsTraced:
    """Estimate how many people's own row comes first.

    The attack's chances, with odds multiplied by k, are right on average: a first row has the
    correct value with probability b + (q - b) c. Here b is the precision of the sixth to the tenth
    row, q at most 1 that of own rows, and c the chance. k and q follow from the precision of first
    rows, unweighted and weighted by the attack's chance to the fourth power; the share is the mean
    c. There is no result if certain rows are not 2.5 times as precise as others and 1.25 times as
    the best guess (known columns may nearly imply the value), or are in one half less precise than
    in the other (only some people have a row), or the share is small or the interval wide, or fewer
    than three columns are known.
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
            f"The attack finds the row of {percent(measured['rows_traced'].value)} of people, "
            f"by '{scenario.wanted}'."
        )


def _traced(predicted: PredictedTargets) -> Measured | None:
    rows = predicted.rows
    few = len(predicted.scenario.known) < _FEWEST_FACTS
    if rows is None or few or not _is_sure(rows, predicted.baseline_right):
        return None
    others, attacks = float(rows.others_right.mean()), rows.chances**_POWER
    beyond = rows.first_right - others
    odds = logit(np.clip(rows.chances, 1e-9, 1 - 1e-9))
    if beyond.mean() <= 0:
        return None

    low, high = -_FARTHEST, _FARTHEST
    while high - low > _NEAR:
        factor = (low + high) / 2
        chances = expit(odds + factor)
        # Whether first rows' precision depends less on the attack's chances
        less = (attacks * (chances * beyond.mean() - beyond * chances.mean())).mean() > 0
        low, high = (factor, high) if less else (low, factor)
    share, moved = float(chances.mean()), float((chances * (1 - chances)).mean())
    precise, others_part = float(beyond.mean()) / share, rows.others_right - others
    # Each person's part in the share's error, to first order
    if precise > 1 - others:
        precise = 1 - others
        share = float(beyond.mean()) / precise
        parts = (beyond - (1 - share) * others_part) / precise - share
    else:
        ratio = float((attacks * chances).mean()) / share
        parts = (attacks - ratio) * (beyond - precise * chances)
        parts -= (float(attacks.mean()) - ratio) * others_part
        slope = float(((attacks - ratio) * chances * (1 - chances)).mean())
        if not slope:  # The attack is as certain of everyone
            return None
        parts *= moved / precise / slope
        parts += chances - share
    reach = mean_reach(parts, predicted.units, predicted.scoring.confidence)
    if reach > _CLOSE or share < _LEAST:
        return None
    low, value, high = (float(np.clip(share + step, 0, 1)) for step in (-reach, 0.0, reach))
    return Measured(value, low, high)


def _is_sure(rows: FoundRows, guessed: BoolArray) -> bool:
    """Return whether the most certain rows are precise, and about equally so in both halves."""
    first, chances = rows.first_right, rows.chances
    order = np.argsort(-chances, kind="stable")[: int((chances > _SURE).sum())]
    if len(order) < _FEWEST:
        return False
    enough = max(_TIMES * rows.others_right.mean(), _BEYOND * guessed[order].mean())
    if first[order].mean() < enough:
        return False
    half = len(order) // 2
    surer, rest = float(first[order[:half]].mean()), float(first[order[half:]].mean())
    error = np.sqrt((surer * (1 - surer) + rest * (1 - rest)) / half)
    return bool(rest >= _ALIKE * surer or surer - rest < _STANDARD_ERRORS * error)
