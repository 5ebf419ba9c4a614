"""What is said of one person's unknown value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from alc_core.group_posterior.chances import (
    Victims,
    attacker,
    ideal,
    learner,
    predictive,
    random_worlds,
    shares,
)
from alc_core.group_posterior.sampler import Posterior
from alc_core.group_posterior.tables import CodeArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chances:
    """Probabilities of the unknown values."""

    probabilities: FloatArray  # They sum to 1
    mcse: FloatArray  # Their Monte Carlo standard errors; 0 where nothing was drawn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VictimChances:
    """What attacker, learner, random worlds and the ideal say of one person."""

    # Of somebody who knows that the person is in the release (8 and 15); None where no released row
    # can be the person's
    attacker: Chances | None
    learner: Chances  # What the release teaches of people like this one (6)
    predictive: Chances  # The same by the joint distribution (5)
    # If all tables that the release allows are equally likely; None as for the attacker
    random_worlds: Chances | None
    ideal: Chances  # What the original teaches (20)


def victim_chances(
    posterior: Posterior, victim: CodeArray, known: CodeArray, unknown: CodeArray
) -> VictimChances:
    """Say what is concluded about one person."""
    victims = Victims.of(posterior.table.domain, victim)
    attacked = attacker(posterior, victims)[:, 0]
    fits = bool(attacked.sum() > 0)
    worlds = shares(random_worlds(posterior.table, victims))[0]
    return VictimChances(
        attacker=_drawn(attacked) if fits else None,
        learner=_drawn(learner(posterior, victims)[:, 0]),
        predictive=_drawn(predictive(posterior, victims)[:, 0]),
        random_worlds=_certain(worlds) if fits else None,
        ideal=_certain(ideal(known, unknown, posterior.prior, victims)[0]),
    )


def _drawn(batches: FloatArray) -> Chances:
    """Return shares by all batches, with jackknife errors."""
    total = batches.sum(axis=0)
    parts = shares(total - batches)
    n = len(batches)
    spread = (n - 1) / n * np.nansum((parts - np.nanmean(parts, axis=0)) ** 2, axis=0)
    return Chances(probabilities=shares(total), mcse=np.sqrt(spread))


def _certain(probabilities: FloatArray) -> Chances:
    return Chances(probabilities=probabilities, mcse=np.zeros_like(probabilities))
