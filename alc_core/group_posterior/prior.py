"""What is believed of the population before the release is seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from alc_core.errors import InputError
from alc_core.group_posterior.tables import Domain, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class DirichletPrior:
    """Dirichlet weights of the unknown values, and of the known ones given each of them.

    References
    ----------
    Boreale, Corradi and Viscardi (2020), section III.
    """

    values: FloatArray  # Of the unknown attribute (alpha in the paper)
    # Of the known attributes in one line, given each unknown value (beta in the paper)
    cells: FloatArray

    def __post_init__(self) -> None:
        """Refuse weights that are no Dirichlet distribution."""
        for name, weights in (("unknown", self.values), ("known", self.cells)):
            if not (np.isfinite(weights).all() and (weights > 0).all()):
                raise InputError(
                    f"A prior weight of the {name} values is not above 0. Give positive numbers."
                )

    @classmethod
    def even(cls, domain: Domain, weight: float = 1.0) -> Self:
        """Return the prior that gives every value the same weight; 1 favours no distribution."""
        return cls(
            np.full(domain.n_values, weight), np.full((domain.n_values, domain.n_cells), weight)
        )

    @classmethod
    def of_counts(cls, domain: Domain, values: FloatArray, cells: FloatArray) -> Self:
        """Return the prior of somebody who has seen counts of people before, added to even ones."""
        shapes = np.shape(values), np.shape(cells)
        wanted = (domain.n_values,), (domain.n_values, domain.n_cells)
        if shapes != wanted:
            raise InputError(f"Prior counts have the shapes {shapes}; they must have {wanted}.")
        if (np.asarray(values) < 0).any() or (np.asarray(cells) < 0).any():
            raise InputError("A prior count is negative. Give numbers of people, 0 or more.")
        return cls(1.0 + np.asarray(values, float), 1.0 + np.asarray(cells, float))

    def check(self, domain: Domain) -> None:
        """Refuse a prior of other values."""
        wanted = (domain.n_values, domain.n_cells)
        if self.cells.shape != wanted or self.values.shape != wanted[:1]:
            raise InputError(
                f"The prior is of {self.cells.shape[0]} unknown and {self.cells.shape[1]} known "
                f"values; the release has {wanted[0]} and {wanted[1]}."
            )
