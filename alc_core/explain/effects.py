"""What drives the risk over a whole campaign, attribute by attribute and by how much is known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from alc_core.campaign.findings.subsets import Standings
from alc_core.campaign.model import PlannedAttack
from alc_core.explain.drivers import AttackPair, Loss
from alc_core.phrasing import count, numbered

_SEEN = 0.005
"""Smaller differences are 0.00 where they are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeEffect:
    """What a known attribute adds over a whole campaign."""

    attribute: str
    pairs: int  # Pairs of attacks that differ in it alone
    mean: float | None  # Mean difference of their ALC, each at least 0; None without a pair
    largest: float | None  # Largest difference
    largest_pair: AttackPair | None  # The pair that has it
    # Attacks in which it is known, and those in which it is neither known nor attacked
    with_count: int
    without_count: int
    # Mean ALC, each at least 0, of these; None where there are none. They differ in much else.
    with_mean: float | None
    without_mean: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCount:
    """An attack by how many facts it knows."""

    number: int  # Of the attack
    unknown: str  # What is attacked, and on which release
    release: str
    known: int  # Known attributes
    alc: float  # At least 0
    reached: float  # The same, or where it is higher the ALC through fewer of its facts


def attribute_effects(
    attacks: Sequence[PlannedAttack],
    pairs: Sequence[AttackPair],
    losses: Mapping[int, Loss],
) -> tuple[AttributeEffect, ...]:
    """Return what each known attribute adds over a campaign."""
    of_attribute: dict[str, list[tuple[float, AttackPair]]] = {}
    for pair in pairs:
        difference = losses[pair.with_it].alc - losses[pair.without_it].alc
        of_attribute.setdefault(pair.attribute, []).append((difference, pair))
    finished = [attack for attack in attacks if attack.number in losses]
    columns = dict.fromkeys(column for attack in finished for column in attack.scenario.known)
    total, every = _sums(finished, losses)
    effects = []
    for column in columns:
        found = of_attribute.get(column, [])
        known, known_count = _sums([a for a in finished if column in a.scenario.known], losses)
        wanted, wanted_count = _sums([a for a in finished if a.scenario.unknown == column], losses)
        rest = every - known_count - wanted_count
        largest = max(found, key=lambda each: each[0], default=None)
        effects.append(
            AttributeEffect(
                attribute=column,
                pairs=len(found),
                mean=math.fsum(each[0] for each in found) / len(found) if found else None,
                largest=None if largest is None else largest[0],
                largest_pair=None if largest is None else largest[1],
                with_count=known_count,
                without_count=rest,
                with_mean=known / known_count if known_count else None,
                without_mean=max(total - known - wanted, 0.0) / rest if rest else None,
            )
        )
    return tuple(sorted(effects, key=_order))


def known_counts(
    attacks: Sequence[PlannedAttack], losses: Mapping[int, Loss], stands: Standings
) -> tuple[KnownCount, ...]:
    """Return the finished attacks by how many facts each knows."""
    stood_on = dict(zip(stands.numbers.tolist(), stands.alc.tolist(), strict=True))
    return tuple(
        KnownCount(
            number=attack.number,
            unknown=attack.scenario.unknown,
            release=attack.release,
            known=len(attack.scenario.known),
            alc=losses[attack.number].alc,
            reached=max(losses[attack.number].alc, stood_on[attack.number]),
        )
        for attack in attacks
        if attack.number in losses
    )


def effects_frame(effects: Sequence[AttributeEffect]) -> pd.DataFrame:
    """Lay out effects as a table."""
    columns = {
        "attribute": "str", "mean": "float64", "largest": "float64", "pairs": "int64",
        "with_mean": "float64", "with_count": "int64", "without_mean": "float64",
        "without_count": "int64",
    }  # fmt: skip
    rows = {name: [getattr(each, name) for each in effects] for name in columns}
    return pd.DataFrame(rows).astype(columns)


def effects_sentence(effects: Sequence[AttributeEffect]) -> str:
    """Say which known attribute adds most over a campaign; empty without a pair."""
    found = [effect for effect in effects if effect.mean is not None]
    if not found:
        return ""
    most = found[0]
    hidden = _hiding_sentence(found[-1])
    if (most.mean or 0.0) <= 0:
        return f"No known attribute raises the ALC on average.{hidden}"
    if most.pairs == 1:
        return (
            f"{most.attribute} adds most: an ALC higher by {most.mean:.2f} in the one pair of "
            f"attacks that differ in it alone. Open that attack to see its intervals.{hidden}"
        )
    return (
        f"{most.attribute} adds most: an ALC higher by {most.mean:.2f} on average over "
        f"{count(most.pairs)} pairs of attacks that differ in it alone, and by {most.largest:.2f} "
        f"at most.{hidden}"
    )


def _hiding_sentence(least: AttributeEffect) -> str:
    """Say that attacks learn more without an attribute; empty where they do not."""
    if least.mean is None or least.mean > -_SEEN:
        return ""
    return (
        f" Without {least.attribute} the ALC is higher by {-least.mean:.2f} on average over "
        f"{numbered(least.pairs, 'pair')}: an attacker would leave it out."
    )


def _sums(attacks: Sequence[PlannedAttack], losses: Mapping[int, Loss]) -> tuple[float, int]:
    return math.fsum(losses[attack.number].alc for attack in attacks), len(attacks)


def _order(effect: AttributeEffect) -> tuple[bool, float, str]:
    value = effect.with_mean if effect.mean is None else effect.mean
    return effect.mean is None, -(value or 0.0), effect.attribute
