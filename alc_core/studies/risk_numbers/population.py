"""How many people are unique in a population of which a table is a random sample, estimated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.errors import ParameterError
from alc_core.phrasing import count
from alc_core.studies.risk_numbers.classes import ClassSizes

FloatArray = NDArray[np.float64]

_STARTS = (-1.0, 1.0)
_BOUNDS = ((-12.0, 8.0), (-7.0, 25.0))
"""Of the logit of the discount and the logarithm of the concentration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationEstimate:
    """Uniqueness in a population of which the table is a simple random sample."""

    population: int  # People in it
    # Share of the table's rows that are unique in the population, by the Pitman model; None where
    # no two rows are alike, so that nothing can be estimated
    unique: float | None
    # Chance that the one person of the population with whom a unique row is linked is the right one
    # (data intrusion simulation, DIS); None where there are no unique rows, or no pairs
    right_match: float | None


def population_estimate(found: ClassSizes, population: int) -> PopulationEstimate:
    """Estimate uniqueness in the population.

    References
    ----------
    Hoshino (2001), Applying Pitman's sampling formula to microdata disclosure risk assessment.
    Skinner and Elliot (2002), A measure of disclosure risk for microdata.
    """
    check_population(population, found.total)
    sizes, rows = np.array(found.sizes, float), np.array(found.rows, float)
    classes = rows / sizes if len(sizes) else rows
    return PopulationEstimate(
        population=population,
        unique=_pitman(sizes, classes, population) if len(sizes) else None,
        right_match=_right_match(sizes, classes, population) if len(sizes) else None,
    )


def check_population(population: int, rows: int) -> None:
    """Refuse a population that is smaller than the table."""
    if population < rows:
        raise ParameterError(
            f"A population of {count(population)} people is smaller than the table, which has "
            f"{count(rows)} rows. Give the number of people of whom the table is a sample."
        )


def _right_match(sizes: FloatArray, classes: FloatArray, population: int) -> float | None:
    """Return the share of matches with unique rows that are right."""
    fraction = float(np.dot(sizes, classes)) / population
    unique, pairs = (float(classes[sizes == size].sum()) for size in (1, 2))
    if not unique or not pairs:
        return None
    return fraction * unique / (fraction * unique + (1 - fraction) * 2 * pairs)


def _pitman(sizes: FloatArray, classes: FloatArray, population: int) -> float | None:
    """Return the share of rows that are expected to be unique in the population.

    The more people come, the fewer unique rows stay so: by Pitman's formula person number i + 1
    is not like a certain unique one with probability (c + d + i - 1) / (c + i).
    """
    from scipy.special import gammaln

    rows, unique = float(np.dot(sizes, classes)), float(classes[sizes == 1].sum())
    if not unique:
        return 0.0
    if unique == rows:
        return None
    discount, concentration = _fitted(sizes, classes)
    both = concentration + discount
    stays = (
        gammaln(both + population - 1) - gammaln(both + rows - 1)
        - gammaln(concentration + population) + gammaln(concentration + rows)
    )  # fmt: skip
    return unique / rows * float(min(1.0, np.exp(stays)))


def _fitted(sizes: FloatArray, classes: FloatArray) -> tuple[float, float]:
    """Return the likeliest discount and concentration of Pitman's sampling formula."""
    from scipy.optimize import minimize
    from scipy.special import expit, gammaln

    rows, number = float(np.dot(sizes, classes)), float(classes.sum())

    def loss(at: FloatArray) -> float:
        discount, concentration = float(expit(at[0])), float(np.exp(at[1]))
        ratio = concentration / discount
        likelihood = (
            (number - 1) * np.log(discount) + gammaln(ratio + number) - gammaln(ratio + 1)
            - gammaln(concentration + rows) + gammaln(concentration + 1)
            + np.dot(classes, gammaln(sizes - discount) - gammaln(1 - discount))
        )  # fmt: skip
        return -float(likelihood) / rows

    fits = [
        minimize(loss, [start, np.log(number)], method="L-BFGS-B", bounds=_BOUNDS)
        for start in _STARTS
    ]
    best = min(fits, key=lambda fit: float(fit.fun)).x
    return float(expit(best[0])), float(np.exp(best[1]))
