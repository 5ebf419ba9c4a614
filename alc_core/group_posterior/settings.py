"""Settings of the sampler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from alc_core.arrays import FloatArray
from alc_core.errors import InputError
from alc_core.group_posterior.tables import ValueDomain
from alc_core.parameter import Parameter, Value, check_whole

SWAP = "swap"
PERMUTATION = "permutation"


@dataclass(frozen=True, slots=True, eq=False)
class DirichletPrior:
    """Dirichlet weights of unknown values, and of known ones given each (Boreale et al., 2020)."""

    values: FloatArray  # Of the unknown attribute (alpha in the paper)
    # Of known attributes in one line, by unknown value (beta in the paper)
    cells: FloatArray

    def __post_init__(self) -> None:
        for name, weights in (("unknown", self.values), ("known", self.cells)):
            if not (np.isfinite(weights).all() and (weights > 0).all()):
                raise InputError(f"A prior weight of the {name} values is not positive.")

    @classmethod
    def even(cls, domain: ValueDomain, weight: float = 1.0) -> Self:
        """Return the prior with equal weights; 1 favours no distribution."""
        return cls(
            np.full(domain.n_values, weight), np.full((domain.n_values, domain.n_cells), weight)
        )

    def check(self, domain: ValueDomain) -> None:
        """Refuse a prior of other values."""
        wanted = (domain.n_values, domain.n_cells)
        if self.cells.shape != wanted or self.values.shape != wanted[:1]:
            raise InputError(
                f"The prior is for {self.cells.shape[0]} unknown and {self.cells.shape[1]} known "
                f"values; the release has {wanted[0]} and {wanted[1]}."
            )


PARAMETERS = (
    Parameter(
        name="iterations", title="Iterations", default=20_000, low=100, high=10_000_000,
        help="Maximum steps of each chain.",
    ),
    Parameter(
        name="burn_in", title="Burn-in", default=0.5, low=0.0, high=0.9, step=0.05,
        help="Share of the steps.",
    ),
    Parameter(
        name="chains", title="Chains", default=4, low=2, high=32, step=1,
        help="Independent runs to compare.",
    ),
    Parameter(
        name="kept", title="Draws kept", default=500, low=50, high=10_000,
        help="Per chain, evenly spaced.",
    ),
    Parameter(
        name="proposal", title="Proposal", default=SWAP, choices=(SWAP, PERMUTATION),
        help="Two people swap, or the whole group is shuffled.",
    ),
    Parameter(
        name="tries", title="Swaps per step", default=3, low=1, high=1_000, step=1,
        help="Proposed per group and step.",
    ),
    Parameter(
        name="prior", title="Prior weight", default=1.0, low=0.001, high=1_000_000.0,
        help="People assumed for each value; higher: more even shares.",
    ),
    Parameter(
        name="stop_early", title="Stop when converged", default=True,
        help="End once the chains agree.",
    ),
)  # fmt: skip

RANGES = Parameter(
    name="ranges", title="Ranges of a continuous column", default=10, low=2, high=1000,
    help="Besides the release's bounds.",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplerSettings:
    """Settings of a run of the sampler.

    Attributes
    ----------
    iterations, burn_in, chains, kept, proposal, tries, prior, stop_early
        As :data:`PARAMETERS` says.
    seed : int

    Raises
    ------
    ParameterError
        If out of bounds.

    Examples
    --------
    >>> SamplerSettings(iterations=2000).first_steps
    1000
    """

    iterations: int = 20_000
    burn_in: float = 0.5
    chains: int = 4
    kept: int = 500
    proposal: str = SWAP
    tries: int = 3
    prior: float = 1.0
    stop_early: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        check_whole("seed", self.seed)
        for parameter in PARAMETERS:
            value: Value = getattr(self, parameter.name)
            parameter.check(value)

    @property
    def first_steps(self) -> int:
        """Steps that do not count."""
        return int(self.iterations * self.burn_in)
