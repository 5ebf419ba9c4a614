"""Several chains at once, with convergence checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, spread_out
from alc_core.errors import InputError
from alc_core.group_posterior.chain import (
    Chain,
    CoveredPlaces,
    Draws,
    HorizontalChain,
    VerticalChain,
    entries,
)
from alc_core.group_posterior.kernels import draw_one_covered, weiss_statistics
from alc_core.group_posterior.settings import PERMUTATION, DirichletPrior, SamplerSettings
from alc_core.group_posterior.tables import GroupedTable, VerticalTable
from alc_core.phrasing import count, percent
from alc_core.runtime.machine import available_threads
from alc_core.runtime.progress import Progress, Reporter

MOST_R_HAT = 1.05
LEAST_ESS = 100.0
# Larger R-hat: different modes; measured, 4.8 after 4 000 iterations and 6.4 after 20 000
FAR_APART = 2.0
# Largest share of failed tests at the 5% level; more if few
MOST_APART = 0.10
_LEVEL = 0.05
_CHANCE = 0.999

_Z = 1.959963984540054
_SEGMENTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """Results of the convergence checks."""

    # Largest of the parameters; 1 is ideal
    r_hat: float
    ess: float  # Smallest of the parameters
    # Share of parameters whose early and late draws differ (5% level)
    geweke: float
    # Share of hidden values whose distribution changes (5% level); None without
    weiss: float | None
    parameters: int  # Number checked
    hidden: int  # Number checked
    accepted: float | None = None  # Accepted share of proposals, for a table in groups
    # By chain, up to a constant; may differ between modes
    log_posterior: tuple[float, ...] = ()
    reasons: tuple[str, ...] = ()  # Why chains did not converge, if so

    @property
    def converged(self) -> bool:
        """Whether every check passed."""
        return not self.reasons

    @property
    def sentence(self) -> str:
        """Whether the chains converged, and the failed checks."""
        if self.converged:
            return "The chains have converged."
        return f"The chains have not converged: {'; '.join(self.reasons)}."

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about unreliable numbers, with advice."""
        if self.converged:
            return ()
        instead = (
            "Several answers are as likely. Use 'definetti' for groups, 'best row match' for rows."
            if self.r_hat > FAR_APART
            else "Allow more iterations."
        )
        return (f"Do not rely on these numbers. {self.sentence} {instead}",)


def diagnose(table: GroupedTable, blocks: Sequence[Sequence[Draws]], seed: int) -> Diagnostics:
    """Check chains by parameters and hidden values.

    Of many, evenly spaced ones.

    References
    ----------
    Geweke (1992); Deonovic and Smith (2017), the Weiß procedure; Gelman and Rubin's R-hat and the
    effective sample size by ArviZ. Boreale, Corradi and Viscardi (2020), section VI-D, use the
    first two.
    """
    shown = spread_out(blocks[0][0].log_cells[0].size, _MOST_PARAMETERS)
    logs = [
        np.concatenate([b.log_cells.reshape(len(b.log_cells), -1)[:, shown] for b in chain])
        for chain in blocks
    ]
    draws = np.moveaxis(np.exp(np.stack(logs).astype(np.float64)), 2, 0)
    n_draws = float(np.prod(draws.shape[1:]))
    draws = draws[np.ptp(draws, axis=(1, 2)) > 0]
    r_hat, ess = _agreement(draws) if len(draws) else (1.0, n_draws)
    hidden = [
        hidden_values(table, chain, np.random.default_rng([seed, 14, number]))
        for number, chain in enumerate(blocks)
    ]
    log_posterior = np.stack([np.concatenate([b.log_posterior for b in c]) for c in blocks])
    accepted = None
    if isinstance(table, VerticalTable):
        proposed = sum(block.proposed for chain in blocks for block in chain)
        accepted = sum(block.accepted for chain in blocks for block in chain) / max(proposed, 1)
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


def _weiss(hidden: Sequence[NDArray[np.int32]]) -> tuple[float | None, int]:
    """Return the share of (hidden value, chain) whose distribution changes."""
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
    if not r_hat <= MOST_R_HAT:
        yield f"chains differ from each other (R-hat {r_hat:.2f}, over {MOST_R_HAT})"
    if not ess >= LEAST_ESS:
        yield (f"draws hardly change (effective sample size {ess:.0f}, under {LEAST_ESS:.0f})")
    if np.ptp(log_posterior) > 0.0:
        apart, _ = _agreement(log_posterior[None])
        if not apart <= MOST_R_HAT:
            means = log_posterior.mean(axis=1)
            yield (
                f"chains settled at less likely values (log posterior {means.min():.1f} to "
                f"{means.max():.1f}, R-hat {apart:.2f})"
            )
    if _too_many(*geweke):
        yield (
            f"early and late draws differ for {percent(geweke[0])} of the parameters (Geweke; 5% "
            "by chance)"
        )
    changing, tests = weiss
    if changing is not None and _too_many(changing, tests):
        yield (f"{percent(changing)} of the hidden values drift along a chain (Weiß; 5% by chance)")


def _too_many(share: float, tests: int) -> bool:
    from scipy.stats import binom

    explained = float(binom.ppf(_CHANCE, tests, _LEVEL)) / max(tests, 1)
    return share > max(MOST_APART, explained)


BLOCKS = 5  # Of counted steps; convergence is checked after each
_BLOCKS_TO_STOP = 3
_BURN_IN_PARTS = 5
# Starting weight of the data in burn-in
_FIRST_HEAT = 0.2
_MOST_PARAMETERS = 1_000  # Most parameters checked, evenly spaced
_MOST_NUMBERS = 100_000_000  # Most numbers kept (400 MB)
_FEWEST_KEPT = 20

Watch = Callable[[Diagnostics], None]
_MOST = 2_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Posterior:
    """Draws of population and hidden values, given the release."""

    table: GroupedTable
    prior: DirichletPrior
    settings: SamplerSettings
    # By chain, without burn-in
    blocks: tuple[tuple[Draws, ...], ...]
    diagnostics: Diagnostics
    chains: tuple[Chain, ...] = field(repr=False)  # To continue from

    @property
    def batches(self) -> tuple[Draws, ...]:
        """Blocks of all chains: nearly independent estimates."""
        return tuple(block for chain in self.blocks for block in chain)

    @property
    def steps(self) -> int:
        """Counted steps per chain."""
        return sum(block.steps for block in self.blocks[0])


def sample(
    table: GroupedTable,
    settings: SamplerSettings | None = None,
    *,
    prior: DirichletPrior | None = None,
    resume: Posterior | None = None,
    reporter: Reporter | None = None,
    watch: Watch | None = None,
) -> Posterior:
    """Draw from the posterior of a grouped release."""
    settings = _as_begun(settings or SamplerSettings(), resume)
    domain = table.domain
    # Draws of a block that fit in memory
    room = _MOST_NUMBERS // (domain.n_values * (domain.n_cells + 1) * settings.chains * BLOCKS)
    if room < _FEWEST_KEPT:
        raise InputError(
            f"{count(domain.n_values)} unknown and {count(domain.n_cells)} known values are too "
            "many pairs. Choose others."
        )
    if prior is None:
        prior = resume.prior if resume else DirichletPrior.even(domain, settings.prior)
    prior.check(domain)
    reporter = reporter or Reporter()
    before = [chain.copied() for chain in resume.chains] if resume else []
    chains = before or _new_chains(table, prior, settings)
    if not table.hides:  # Draws are independent
        settings = replace(settings, iterations=max(settings.kept, 100), burn_in=0.0)
    first = 0 if resume else settings.first_steps
    if first >= _BURN_IN_PARTS:
        _burn_in(chains, settings, reporter)
    steps = max(1, (settings.iterations - first) // BLOCKS)
    keep = max(1, min(settings.kept // BLOCKS, steps, room))
    blocks: list[list[Draws]] = [[] for _ in chains]
    remark = ""
    for number in range(BLOCKS):
        _report(reporter, settings, first + number * steps, remark)
        drawn: list[Draws] = _together(delayed(chain.advance)(steps, keep) for chain in chains)
        for block, each in zip(blocks, drawn, strict=True):
            block.append(each)
        if number + 1 < _BLOCKS_TO_STOP:
            continue
        diagnostics = diagnose(table, blocks, settings.seed)
        remark = diagnostics.sentence
        if watch is not None:
            watch(diagnostics)
        if settings.stop_early and diagnostics.converged:
            break
    return Posterior(
        table=table,
        prior=prior,
        settings=settings,
        blocks=tuple(map(tuple, blocks)),
        diagnostics=diagnostics,
        chains=tuple(chains),
    )


def _as_begun(settings: SamplerSettings, before: Posterior | None) -> SamplerSettings:
    """Return settings with continued chains' initial ones."""
    if before is None:
        return settings
    was = before.settings
    return replace(
        settings, chains=len(before.chains), prior=was.prior, proposal=was.proposal,
        tries=was.tries, seed=was.seed,
    )  # fmt: skip


def _new_chains(
    table: GroupedTable, prior: DirichletPrior, settings: SamplerSettings
) -> list[Chain]:
    seeds = np.random.SeedSequence([settings.seed, 13]).spawn(settings.chains)
    rngs = [np.random.default_rng(seed) for seed in seeds]
    if isinstance(table, VerticalTable):
        permuting, tries = settings.proposal == PERMUTATION, settings.tries
        return [VerticalChain(table, prior, r, permuting=permuting, tries=tries) for r in rngs]
    return [HorizontalChain(table, prior, rng) for rng in rngs]


def _burn_in(chains: Sequence[Chain], settings: SamplerSettings, reporter: Reporter) -> None:
    """Take uncounted steps; the data's weight grows to 1."""
    steps = settings.first_steps // _BURN_IN_PARTS
    weights = [*np.linspace(_FIRST_HEAT, 1.0, _BURN_IN_PARTS).tolist(), 1.0]
    for part, heats in enumerate(pairwise(weights)):
        _report(reporter, settings, part * steps)
        _together(delayed(chain.advance)(steps, 0, heats) for chain in chains)


def _together(jobs: Iterable[Any]) -> Any:
    jobs = list(jobs)
    return Parallel(n_jobs=min(len(jobs), available_threads()), prefer="threads")(jobs)


def _report(reporter: Reporter, settings: SamplerSettings, done: int, remark: str = "") -> None:
    reporter.report_progress(
        Progress(stage="Running the chains", done=done, total=settings.iterations, remark=remark)
    )


def hidden_values(
    table: GroupedTable, chain: Sequence[Draws], rng: np.random.Generator
) -> NDArray[np.int32]:
    """Return hidden values, shape (n_draws, n_hidden).

    For groups, the watched rows' unknown values. For labels, rows are independent given the
    parameters: one value is drawn per kept draw and pair of unknown value and generalized label (at
    most 2 000 pairs, evenly spaced).
    """
    if isinstance(table, VerticalTable):
        return np.concatenate([block.states for block in chain])
    places = CoveredPlaces.of(table)
    value, label, _ = entries(table, places)
    several = np.flatnonzero(places.sizes[label] > 1)
    shown = several[spread_out(len(several), _MOST)]
    logs = np.concatenate([block.log_cells for block in chain])
    found = np.zeros((len(logs), len(shown)), dtype=np.int32)
    draw_one_covered(rng, logs, value[shown], label[shown], places.first, places.covered, found)
    return found
