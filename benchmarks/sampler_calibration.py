"""Simulation-based calibration of the sampler of grouped releases (Talts et al. 2018).

A population is drawn from the prior, a small table from it, and the table is released in groups or
with labels. If the sampler draws from the posterior, the rank of each true parameter among its
draws is uniform over all simulations.

Usage: python benchmarks/sampler_calibration.py [SIMULATIONS]

Measured: ranks of the 21 true parameters among 99 draws, chi squared of 10 bins, 1,000 simulations
(400 of labels), 24 rows released::

    release                least p of 21 (Bonferroni)   p below 0.05   mean rank
    groups, swaps          0.086 (1.00)                 0 of 21        0.498
    groups, permutations   0.026 (0.54)                 2 of 21        0.500
    labels                 0.018 (0.38)                 1 of 21        0.501
"""

import sys
import time

import numpy as np
from scipy.stats import chisquare, kstest

from alc_core.group_posterior.sampler import sample
from alc_core.group_posterior.settings import PERMUTATION, SWAP, DirichletPrior, SamplerSettings
from alc_core.group_posterior.tables import HorizontalTable, ValueDomain, VerticalTable

DOMAIN = ValueDomain(names=("a", "b"), sizes=(2, 4), n_values=3)
PRIOR = DirichletPrior(
    np.array([2.0, 1.0, 1.0]), np.random.default_rng(0).uniform(0.5, 3.0, (3, DOMAIN.n_cells))
)
N_ROWS, GROUP, BINS, RANKS = 24, 4, 10, 99
COVERS = (
    np.array([[1, 0], [0, 1], [1, 1]], bool),
    np.array([*np.eye(4), [1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1]], bool),
)


def population(rng):
    """Parameters from the prior, and rows from them."""
    values = rng.dirichlet(PRIOR.values)
    cells = np.zeros_like(PRIOR.cells)
    for start, end in zip(DOMAIN.offsets[:-1], DOMAIN.offsets[1:], strict=True):
        cells[:, start:end] = [rng.dirichlet(weights) for weights in PRIOR.cells[:, start:end]]
    unknown = rng.choice(3, N_ROWS, p=values).astype(np.int32)
    known = np.zeros((N_ROWS, 2), np.int32)
    for column, (start, end) in enumerate(
        zip(DOMAIN.offsets[:-1], DOMAIN.offsets[1:], strict=True)
    ):
        for row, value in enumerate(unknown):
            known[row, column] = rng.choice(end - start, p=cells[value, start:end])
    return values, cells, known, unknown


def vertical(rng, known, unknown):
    shuffled = np.concatenate(
        [rng.permutation(unknown[start : start + GROUP]) for start in range(0, N_ROWS, GROUP)]
    )
    return VerticalTable(DOMAIN, known, np.arange(0, N_ROWS + 1, GROUP), shuffled)


def horizontal(rng, known, unknown):
    """Each row's columns are coarsened as chance has it, whatever their values are."""
    labels = np.empty_like(known)
    for row, (a, b) in enumerate(known):
        labels[row] = rng.choice([a, 2]), rng.choice([b, 4 + b // 2, 6])
    return HorizontalTable(DOMAIN, labels, COVERS, unknown)


def ranks(make, proposal, seed):
    rng = np.random.default_rng(seed)
    values, cells, known, unknown = population(rng)
    settings = SamplerSettings(
        iterations=9_900, burn_in=0.25, chains=2, kept=250, stop_early=False, proposal=proposal,
        tries=2, seed=seed,
    )  # fmt: skip
    posterior = sample(make(rng, known, unknown), settings, prior=PRIOR)
    drawn_values = np.concatenate([batch.log_values for batch in posterior.batches])
    drawn_cells = np.concatenate([batch.log_cells for batch in posterior.batches])
    every = np.linspace(0, len(drawn_values) - 1, RANKS).astype(int)
    return np.concatenate(
        [
            (drawn_values[every] < np.log(values)).sum(axis=0),
            (drawn_cells[every] < np.log(cells)).sum(axis=0).ravel(),
        ]
    )


def main():
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    cases = (("groups, swaps", vertical, SWAP), ("groups, permutations", vertical, PERMUTATION),
             ("labels", horizontal, SWAP))  # fmt: skip
    for number, (name, make, proposal) in enumerate(cases):
        start = time.perf_counter()
        first = 100_000 * (number + 1)
        found = np.array([ranks(make, proposal, first + k) for k in range(simulations)])
        counts = [np.bincount(column * BINS // (RANKS + 1), minlength=BINS) for column in found.T]
        p_values = np.array([chisquare(count).pvalue for count in counts])
        spread = kstest(p_values, "uniform").pvalue
        print(
            f"{name}: {simulations} simulations, {len(p_values)} parameters; chi-squared tests of "
            f"{BINS} bins: least p {p_values.min():.4f} (Bonferroni "
            f"{min(1, p_values.min() * len(p_values)):.2f}), below 0.05: "
            f"{(p_values < 0.05).sum()}; their own uniformity p {spread:.2f}; "
            f"mean rank {found.mean() / RANKS:.4f}; {time.perf_counter() - start:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
