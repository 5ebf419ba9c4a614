"""Whether people of the table are guessed more often than others who are not in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from alc_core.group_posterior.chances import Victims, attacker, learner, shares
from alc_core.group_posterior.sampler import Posterior
from alc_core.group_posterior.tables import CodeArray, FloatArray
from alc_core.measures.measure import Measured
from alc_core.measures.relative_threat.threat import right_guesses
from alc_core.scoring.intervals import difference_interval, wilson_interval

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Guessed:
    """How well some people's unknown value is guessed."""

    people: int  # Whom it was asked of
    fitting: int  # Those of them whom a released row fits; the numbers are of these
    # Share whose true value is the likeliest, ties shared out, with Wilson's interval
    attacker: Measured
    learner: Measured
    attacker_belief: Measured  # Mean probability of the true value, with a normal interval
    learner_belief: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """People of the table beside people who are not in it."""

    members: Guessed  # Of each
    non_members: Guessed
    attacker_more: Measured  # Share of the members who are guessed, less that of the others
    learner_more: Measured


def compare_members(
    posterior: Posterior,
    members: tuple[CodeArray, CodeArray],
    non_members: tuple[CodeArray, CodeArray],
) -> Comparison:
    """Compare how well members and others are guessed."""
    inside, outside = (_guessed(posterior, *people) for people in (members, non_members))
    return Comparison(
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
    low, high = wilson_interval(right.sum(), len(right), confidence=CONFIDENCE)
    return Measured(float(right.mean()), float(low), float(high))


def _mean(values: FloatArray) -> Measured:
    from statsmodels.stats.weightstats import DescrStatsW

    if len(values) < 2:
        return Measured(float(values.mean()), 0.0, 1.0)
    low, high = DescrStatsW(values).zconfint_mean(alpha=1.0 - CONFIDENCE)
    return Measured(float(values.mean()), max(0.0, float(low)), min(1.0, float(high)))


def _more(one: Measured, other: Measured) -> Measured:
    low, high = difference_interval(_ends(one), _ends(other))
    return Measured(one.value - other.value, low, high)


def _ends(of: Measured) -> tuple[float, float, float]:
    low, high = (of.value if end is None else end for end in (of.low, of.high))
    return of.value, low, high
