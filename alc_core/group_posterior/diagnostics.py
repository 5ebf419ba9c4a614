"""Whether chains have converged: what four standard checks say, and a verdict on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.group_posterior.kernels import weiss_statistics
from alc_core.phrasing import percent

MOST_R_HAT = 1.05
LEAST_ESS = 100.0
# Chains with an R-hat above are in different modes, which they do not leave: measured, 4.8
# after 4 000 iterations and 6.4 after 20 000
FAR_APART = 2.0
# Share of single tests at the level of 5 % that may fail: 5 % fail by chance, of few more
MOST_APART = 0.10
_LEVEL = 0.05
_CHANCE = 0.999

_Z = 1.959963984540054
_SEGMENTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """What the checks of convergence found."""

    # The largest of the parameters: how much chains differ from each other; 1 is the ideal
    r_hat: float
    ess: float  # The smallest effective sample size of the parameters
    # Share of the parameters whose early and late draws differ (each at the level of 5 %)
    geweke: float
    # Share of the hidden values whose distribution changes along a chain (likewise); None where
    # nothing is hidden
    weiss: float | None
    parameters: int  # Parameters that were checked
    hidden: int  # Hidden values that were checked
    accepted: float | None = None  # Share of the proposals that were accepted, of a table in groups
    # Mean of each chain, up to a constant: chains in different modes may have different ones
    log_posterior: tuple[float, ...] = ()
    reasons: tuple[str, ...] = ()  # Why the chains have not converged; empty where they have

    @property
    def converged(self) -> bool:
        """Whether no check speaks against it."""
        return not self.reasons

    @property
    def sentence(self) -> str:
        """Whether the chains have converged, and what speaks against it."""
        if self.converged:
            return "The chains have converged."
        return f"The chains have not converged: {'; '.join(self.reasons)}."

    @property
    def warnings(self) -> tuple[str, ...]:
        """What stands before numbers that cannot be relied on, and what to do instead."""
        if self.converged:
            return ()
        instead = (
            "The release allows several answers that are about as likely, and each chain stays "
            "with one: more iterations seldom help. Judge it by other attacks: 'definetti' of "
            "groups, 'best row match' of rows."
            if self.r_hat > FAR_APART
            else "Let the chains take more iterations."
        )
        return (f"Do not rely on these numbers. {self.sentence} {instead}",)


def diagnose(
    parameters: FloatArray,
    hidden: Sequence[NDArray[np.int16]],
    log_posterior: FloatArray,
    *,
    accepted: float | None = None,
) -> Diagnostics:
    """Check chains by their parameters and their hidden values.

    References
    ----------
    Geweke (1992); Deonovic and Smith (2017), the Weiß procedure; Gelman and Rubin's R-hat and the
    effective sample size by ArviZ. Boreale, Corradi and Viscardi (2020), section VI-D, use the
    first two.
    """
    draws = np.moveaxis(parameters, 2, 0)
    draws = draws[np.ptp(draws, axis=(1, 2)) > 0]
    r_hat, ess = _agreement(draws) if len(draws) else (1.0, float(np.prod(parameters.shape[:2])))
    geweke, weiss = _geweke(draws), _weiss(hidden)
    return Diagnostics(
        r_hat=r_hat,
        ess=ess,
        geweke=geweke[0],
        weiss=weiss[0],
        parameters=len(draws),
        hidden=hidden[0].shape[1] if hidden else 0,
        accepted=accepted,
        log_posterior=tuple(log_posterior.mean(axis=1).tolist()),
        reasons=tuple(_reasons(r_hat, ess, log_posterior, geweke, weiss)),
    )


def _agreement(draws: FloatArray) -> tuple[float, float]:
    """Return the largest R-hat and the smallest effective sample size."""
    from arviz_stats.base import array_stats

    r_hat = array_stats.rhat(draws, chain_axis=1, draw_axis=2, method="split")
    ess = array_stats.ess(draws, chain_axis=1, draw_axis=2, method="mean")
    return float(np.max(r_hat)), float(np.min(ess))


def _geweke(draws: FloatArray) -> tuple[float, int]:
    """Return the share of (parameter, chain) whose first fifth and second half differ."""
    from arviz_stats.base import array_stats

    n_parameters, n_chains, n_draws = draws.shape
    single = draws.reshape(n_parameters * n_chains, 1, n_draws)
    parts = single[:, :, : n_draws // 5], single[:, :, n_draws // 2 :]
    means = [part.mean(axis=(1, 2)) for part in parts]
    errors = [array_stats.mcse(part, chain_axis=1, draw_axis=2) for part in parts]
    spread = np.hypot(*errors)
    usable = np.isfinite(spread) & (spread > 0)
    z = (means[0] - means[1])[usable] / spread[usable]
    return float((np.abs(z) > _Z).mean()) if len(z) else 0.0, len(z)


def _weiss(hidden: Sequence[NDArray[np.int16]]) -> tuple[float | None, int]:
    """Return the share of (hidden value, chain) whose distribution changes along the chain."""
    from scipy.stats import chi2

    failed, tested = 0, 0
    for states in hidden:
        statistics, freedom = weiss_statistics(np.ascontiguousarray(states.T), _SEGMENTS)
        usable = freedom > 0
        failed += int((chi2.sf(statistics[usable], freedom[usable]) < _LEVEL).sum())
        tested += int(usable.sum())
    return (failed / tested if tested else None), tested


def _reasons(
    r_hat: float, ess: float, log_posterior: FloatArray, geweke: tuple[float, int],
    weiss: tuple[float | None, int],
) -> Iterator[str]:  # fmt: skip
    """Say what speaks against convergence."""
    if not r_hat <= MOST_R_HAT:
        yield f"chains differ from each other (R-hat {r_hat:.2f}, at most {MOST_R_HAT} is wanted)"
    if not ess >= LEAST_ESS:
        yield (
            f"draws hardly change from one to the next (effective sample size {ess:.0f}, at least"
            f" {LEAST_ESS:.0f} is wanted)"
        )
    if np.ptp(log_posterior) > 0.0:
        apart, _ = _agreement(log_posterior[None])
        if not apart <= MOST_R_HAT:
            means = log_posterior.mean(axis=1)
            yield (
                f"some chains have settled where the data are less likely than for others (log"
                f" posterior from {means.min():.1f} to {means.max():.1f}, R-hat {apart:.2f})"
            )
    if _too_many(*geweke):
        yield (
            f"early and late draws differ for {percent(geweke[0])} of the parameters (Geweke; about"
            " 5 % differ by chance)"
        )
    changing, tests = weiss
    if changing is not None and _too_many(changing, tests):
        yield (
            f"{percent(changing)} of the hidden values change their distribution along a chain"
            " (Weiß; about 5 % do so by chance)"
        )


def _too_many(share: float, tests: int) -> bool:
    """Return whether more of so many tests failed than chance explains."""
    from scipy.stats import binom

    explained = float(binom.ppf(_CHANCE, tests, _LEVEL)) / max(tests, 1)
    return share > max(MOST_APART, explained)
