"""The relative threat of a release: accuracies, faithfulness, one person.

References
----------
Boreale, Corradi and Viscardi (2020), definition 2 and equation 21.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.campaign.file.annotations import KeptResults
from alc_core.errors import InputError
from alc_core.group_posterior.chain import Draws
from alc_core.group_posterior.chances import (
    Victims,
    attacker,
    ideal,
    ideal_parameters,
    learner,
    predictive,
    random_worlds,
    shares,
)
from alc_core.group_posterior.kernels import joint_sums
from alc_core.group_posterior.sampler import Diagnostics, Posterior
from alc_core.group_posterior.settings import SamplerSettings
from alc_core.measures.measure import Measured
from alc_core.plain_values import plain_of
from alc_core.scoring.intervals import difference_interval, wilson_interval

ESTIMATES = {
    "gt_attacker": "Global threat, attacker",
    "gt_learner": "Global threat, learner",
    "gt_random_worlds": "Global threat, random worlds",
    "rgt_attacker": "Relative global threat",
    "rf": "Relative faithfulness",
    "abs": "Absolute error, attacker",
    "abs_random_worlds": "Absolute error, random worlds",
}
"""The numbers of a table and their titles.

Global threats: shares of people whose true value is the likeliest (17); relative: attacker's above
learner's (18); faithfulness: one minus the empirical total variation from the ideal (21); errors
are summed over people.
"""

# Conclusions about a victim, and by whom
CHANCES = {
    "p_attacker": "Attacker",
    "p_learner": "Learner",
    "p_learner_joint": "Learner, joint",
    "p_random_worlds": "Random worlds",
    "p_ideal": "Ideal",
}
_DRAWN = 10_000


def distances_from_ideal(
    posterior: Posterior, known: CodeArray, unknown: CodeArray, *, seed: int
) -> FloatArray:
    """Return total variation from the ideal by batch, over drawn people."""
    domain, rng = posterior.table.domain, np.random.default_rng([seed, 15])
    nobody = Victims.of(domain, np.full((1, len(domain.sizes)), -1, dtype=np.int32))
    log_values, log_cells = ideal_parameters(known, unknown, posterior.prior, nobody)
    values = rng.choice(domain.n_values, size=_DRAWN, p=np.exp(log_values)).astype(np.int32)
    places = np.empty((_DRAWN, len(domain.sizes)), dtype=np.int32)
    ideal = log_values[values]
    for attribute, (start, end) in enumerate(
        zip(domain.offsets[:-1], domain.offsets[1:], strict=True)
    ):
        cumulative = np.cumsum(np.exp(log_cells[:, start:end]), axis=1)[values]
        drawn = (rng.random((_DRAWN, 1)) > cumulative[:, :-1]).sum(axis=1)
        places[:, attribute] = start + drawn
        ideal = ideal + log_cells[values, places[:, attribute]]
    learned = np.stack([_learned(batch, places, values) for batch in posterior.batches])
    without_each = (learned.sum(axis=0) - learned) / (len(learned) - 1)
    means = np.vstack([without_each, learned.mean(axis=0)])
    return np.asarray(np.abs(1.0 - means / np.exp(ideal)).mean(axis=1) / 2)


def _learned(batch: Draws, places: CodeArray, values: CodeArray) -> FloatArray:
    sums = np.zeros(len(values))
    joint_sums(batch.log_values, batch.log_cells, places, values, sums)
    return np.asarray(sums / len(batch.log_values))


@dataclass(frozen=True, slots=True)
class MonteCarloEstimate:
    """A number with its Monte Carlo standard error."""

    value: float  # From all draws
    # Jackknife over batches of draws; 0 without draws
    mcse: float = 0.0


_BINS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelHistogram:
    """Distribution of log2 of the relative threat level."""

    edges: tuple[float, ...]  # Of the bins
    counts: tuple[int, ...]  # People in each
    skewness: float | None  # Third standardized moment; None if all are equal


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """Beliefs in each person's true value; kept in memory only."""

    attacker: FloatArray  # Probability of the true value; NaN if no released row fits
    learner: FloatArray
    # Whether the true value is the likeliest
    by_attacker: NDArray[np.bool_]
    by_learner: NDArray[np.bool_]

    @property
    def ratios(self) -> FloatArray:
        """The relative threat level Ti of people the attacker threatens (16)."""
        some = self.by_attacker
        return np.asarray(self.attacker[some] / self.learner[some])

    def histogram(self, some: NDArray[np.bool_]) -> LevelHistogram | None:
        """Count people by log level; None if none has one."""
        with np.errstate(divide="ignore", invalid="ignore"):
            levels = np.log2(self.attacker[some] / self.learner[some])
        levels = levels[np.isfinite(levels)]
        if not len(levels):
            return None
        counts, edges = np.histogram(levels, bins=_BINS)
        spread = float(levels.std())
        skewness = float((((levels - levels.mean()) / spread) ** 3).mean()) if spread > 0 else None
        return LevelHistogram(
            edges=tuple(edges.tolist()), counts=tuple(counts.tolist()), skewness=skewness
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RelativeThreat:
    """The threat of a whole table."""

    estimates: dict[str, MonteCarloEstimate]  # By the names of :data:`ESTIMATES`
    baseline_accuracy: float  # Share of the commonest released value among people
    # Accuracy of the original's own frequencies
    ideal_accuracy: float
    n_people: int  # People that the shares are of
    n_absent: int  # People no released row fits, excluded
    diagnostics: Diagnostics  # Whether the chains have converged
    people: Beliefs  # Each person of the original

    @property
    def levels(self) -> dict[str, float | None]:
        """Summary of the threatened people's relative threat level."""
        ratios = self.people.ratios
        if not len(ratios):
            return dict.fromkeys(("median", "p95", "max", "at_least_2"))
        return {
            "median": float(np.median(ratios)),
            "p95": float(np.quantile(ratios, 0.95)),
            "max": float(ratios.max()),
            "at_least_2": float((ratios >= 2.0).sum() / self.n_people),
        }


def relative_threat(
    posterior: Posterior,
    known: CodeArray,
    unknown: CodeArray,
    *,
    counted: NDArray[np.bool_],
    seed: int,
) -> RelativeThreat:
    """Measure a release's relative threat to the original's people."""
    victims = Victims.of(posterior.table.domain, known)
    attacked, learned = attacker(posterior, victims), learner(posterior, victims)
    worlds = shares(random_worlds(posterior.table, victims))[victims.of_row]
    fits = (attacked.sum(axis=(0, 2))[victims.of_row] > 0) & counted
    if not fits.any():
        raise InputError("No released row fits anyone. Choose its original or other columns.")
    truth, rows, truth_of = unknown[fits], victims.of_row[fits], unknown[counted]

    def accuracies(by_victim: FloatArray) -> FloatArray:
        return np.array([right_guesses(each[rows], truth).mean() for each in _left_out(by_victim)])

    def errors(by_victim: FloatArray) -> FloatArray:
        return np.array([_absolute(each[rows], truth) for each in _left_out(by_victim)])

    gt_attacker, gt_learner = accuracies(attacked), accuracies(learned)
    commonest = int(np.bincount(posterior.table.values).argmax())
    distances = distances_from_ideal(posterior, known, unknown, seed=seed)
    perfect = ideal(known, unknown, posterior.prior, victims)[victims.of_row]
    return RelativeThreat(
        estimates={
            "gt_attacker": _estimate(gt_attacker),
            "gt_learner": _estimate(gt_learner),
            "gt_random_worlds": MonteCarloEstimate(
                float(right_guesses(worlds[fits], truth).mean())
            ),
            "rgt_attacker": _estimate(np.maximum(0.0, gt_attacker - gt_learner)),
            "rf": _estimate(1.0 - distances),
            "abs": _estimate(errors(attacked)),
            "abs_random_worlds": MonteCarloEstimate(_absolute(worlds[fits], truth)),
        },
        baseline_accuracy=float((truth == commonest).mean()),
        ideal_accuracy=float(right_guesses(perfect[fits], truth).mean()),
        n_people=int(fits.sum()),
        n_absent=int((counted & ~fits).sum()),
        diagnostics=posterior.diagnostics,
        people=_people(
            shares(attacked.mean(axis=0)), learned.mean(axis=0), victims.of_row[counted], truth_of
        ),
    )


def _people(
    attacked: FloatArray, learned: FloatArray, rows: NDArray[np.int64], unknown: CodeArray
) -> Beliefs:
    every = np.arange(len(unknown))
    by_attacker, by_learner = attacked[rows], learned[rows]
    return Beliefs(
        attacker=by_attacker[every, unknown],
        learner=by_learner[every, unknown],
        by_attacker=right_guesses(by_attacker, unknown) > 0,
        by_learner=right_guesses(by_learner, unknown) > 0,
    )


def _left_out(batches: FloatArray) -> list[FloatArray]:
    total = batches.sum(axis=0)
    return [shares(part) for part in (*(total - batch for batch in batches), total)]


def right_guesses(probabilities: FloatArray, truth: CodeArray) -> FloatArray:
    """Return each person's chance that the likeliest value, drawn among ties, is true."""
    with np.errstate(invalid="ignore"):
        highest = probabilities.max(axis=1, keepdims=True)
        equals = probabilities >= highest * (1 - 1e-12)
    own = equals[np.arange(len(truth)), truth]
    return np.asarray(own / np.maximum(equals.sum(axis=1), 1))


def _absolute(probabilities: FloatArray, truth: CodeArray) -> float:
    own = probabilities[np.arange(len(truth)), truth]
    return float((1.0 - own + (probabilities.sum(axis=1) - own)).sum())


def _estimate(values: FloatArray) -> MonteCarloEstimate:
    parts = values[:-1]
    spread = (len(parts) - 1) / len(parts) * ((parts - parts.mean()) ** 2).sum()
    return MonteCarloEstimate(float(values[-1]), float(np.sqrt(spread)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chances:
    """Probabilities of the unknown values."""

    probabilities: FloatArray  # They sum to 1
    mcse: FloatArray  # Monte Carlo standard errors; 0 without draws


def victim_chances(
    posterior: Posterior, victim: CodeArray, known: CodeArray, unknown: CodeArray
) -> dict[str, Chances]:
    """Return the conclusions about one person; empty if no row fits.

    `p_attacker` (8 and 15) knows that the person is in the release, `p_learner` (6) and, by the
    joint distribution, `p_learner_joint` (5) do not; `p_random_worlds` holds if all compatible
    tables are equally likely; `p_ideal` (20) is the original's.
    """
    victims = Victims.of(posterior.table.domain, victim)
    attacked = attacker(posterior, victims)[:, 0]
    if not attacked.sum() > 0:
        return {}
    worlds = shares(random_worlds(posterior.table, victims))[0]
    own = ideal(known, unknown, posterior.prior, victims)[0]
    return {
        "p_attacker": _drawn(attacked),
        "p_learner": _drawn(learner(posterior, victims)[:, 0]),
        "p_learner_joint": _drawn(predictive(posterior, victims)[:, 0]),
        "p_random_worlds": Chances(probabilities=worlds, mcse=np.zeros_like(worlds)),
        "p_ideal": Chances(probabilities=own, mcse=np.zeros_like(own)),
    }


def _drawn(batches: FloatArray) -> Chances:
    total = batches.sum(axis=0)
    parts = shares(total - batches)
    n = len(batches)
    spread = (n - 1) / n * np.nansum((parts - np.nanmean(parts, axis=0)) ** 2, axis=0)
    return Chances(probabilities=shares(total), mcse=np.sqrt(spread))


_LEVEL = 1 - 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Guessed:
    """How well some people's unknown value is guessed."""

    people: int  # Whom it was asked of
    fitting: int  # People whom a released row fits, behind the numbers
    # Share whose true value is the likeliest, ties split, with Wilson's interval
    attacker: Measured
    learner: Measured
    attacker_belief: Measured  # Mean probability of the true value, with normal interval
    learner_belief: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class MembersAndOthers:
    """People in the table, and people not in it."""

    members: Guessed  # Of each
    non_members: Guessed
    attacker_more: Measured  # Share guessed, members minus others
    learner_more: Measured


def compare_members(
    posterior: Posterior,
    members: tuple[CodeArray, CodeArray],
    non_members: tuple[CodeArray, CodeArray],
) -> MembersAndOthers:
    """Compare how well members and others are guessed."""
    inside, outside = (_guessed(posterior, *people) for people in (members, non_members))
    return MembersAndOthers(
        members=inside,
        non_members=outside,
        attacker_more=_more(inside.attacker, outside.attacker),
        learner_more=_more(inside.learner, outside.learner),
    )


def _guessed(posterior: Posterior, known: CodeArray, truth: CodeArray) -> Guessed:
    victims = Victims.of(posterior.table.domain, known)
    attacked = shares(attacker(posterior, victims).mean(axis=0))[victims.of_row]
    learned = learner(posterior, victims).mean(axis=0)[victims.of_row]
    fits = ~np.isnan(attacked).any(axis=1)
    attacked, learned, own = attacked[fits], learned[fits], truth[fits]
    every = np.arange(len(own))
    return Guessed(
        people=len(truth),
        fitting=len(own),
        attacker=_share(right_guesses(attacked, own)),
        learner=_share(right_guesses(learned, own)),
        attacker_belief=_mean(attacked[every, own]),
        learner_belief=_mean(learned[every, own]),
    )


def _share(right: FloatArray) -> Measured:
    low, high = wilson_interval(right.sum(), len(right))
    return Measured(float(right.mean()), float(low), float(high))


def _mean(values: FloatArray) -> Measured:
    from statsmodels.stats.weightstats import DescrStatsW

    if len(values) < 2:
        return Measured(float(values.mean()), 0.0, 1.0)
    low, high = DescrStatsW(values).zconfint_mean(alpha=_LEVEL)
    return Measured(float(values.mean()), max(0.0, float(low)), min(1.0, float(high)))


def _more(one: Measured, other: Measured) -> Measured:
    low, high = difference_interval((one.value, *one.interval), (other.value, *other.interval))
    return Measured(one.value - other.value, low, high)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreatSummary:
    """The relative threat of one release, without data of single people."""

    release: str  # Its name
    fingerprint: str  # Of the original
    known: tuple[str, ...]  # Known columns that the release has
    unknown: str  # The unknown column
    estimates: dict[str, MonteCarloEstimate]  # By the names of :data:`ESTIMATES`
    baseline_accuracy: float  # Of the commonest value, and of the original's frequencies
    ideal_accuracy: float
    levels: dict[str, float | None]  # As :attr:`RelativeThreat.levels`
    # Of people guessed by attacker or learner
    of_attacker: LevelHistogram | None
    of_learner: LevelHistogram | None
    people: int  # People behind shares, and people no released row fits
    absent: int
    converged: bool  # Whether the numbers are reliable
    chains: str  # The convergence checks, in a sentence
    settings: SamplerSettings  # How the sampler was to run
    steps: int  # Steps of each chain that counted
    # Non-convergence first
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThreatResult(ThreatSummary):
    """The measured threat with each person's and the victim's results."""

    values: tuple[str, ...]  # Of the unknown column, ordered as probabilities
    threat: RelativeThreat  # Of the whole table
    victim_known: dict[str, str]  # Known values of the victim
    chances: Mapping[str, Chances]  # Conclusions about the victim, by :data:`CHANCES`
    comparison: MembersAndOthers | None = None  # With a holdout

    @property
    def summary(self) -> ThreatSummary:
        """What may be kept of it."""
        return ThreatSummary(
            **{each.name: getattr(self, each.name) for each in fields(ThreatSummary)}
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything but single people as plain values."""
        found: dict[str, Any] = {
            "release": self.release,
            "known": list(self.known),
            "unknown": self.unknown,
            "victim": self.victim_known or None,
        }
        for name in CHANCES:
            said = self.chances.get(name)
            found[name] = said and dict(zip(self.values, said.probabilities.tolist(), strict=True))
            found[f"{name}_mcse"] = said and dict(zip(self.values, said.mcse.tolist(), strict=True))
        for name, estimate in self.estimates.items():
            found[name] = estimate.value
            found[f"{name}_mcse"] = estimate.mcse
        checks = self.threat.diagnostics
        return found | {
            "ti": self.levels,
            "baseline_accuracy": self.baseline_accuracy,
            "ideal_accuracy": self.ideal_accuracy,
            "people": self.people,
            "people_in_no_row": self.absent,
            "holdout": None if self.comparison is None else asdict(self.comparison),
            "diagnostics": {
                **plain_of(
                    checks, "geweke", "weiss", "r_hat", "ess", "converged", "reasons", "parameters"
                ),
                "hidden_values": checks.hidden,
                **plain_of(checks, "accepted", "log_posterior"),
                "steps": self.steps,
            },
            "settings": plain_of(
                self.settings, "iterations", "burn_in", "chains", "kept", "proposal", "tries",
                "stop_early", "seed",
            ),
            "notes": list(self.notes),
        }  # fmt: skip


KEPT_THREATS = KeptResults(
    "relative threat", ThreatSummary,
    key=lambda found: " | ".join([found.release, found.unknown, ",".join(found.known)]),
)  # fmt: skip
