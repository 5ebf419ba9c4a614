"""What drives the risk: ALC with and without a known attribute."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from alc_core.campaign.findings.subsets import FinishedStandings
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.campaign.rescore.rescoring import Rescored
from alc_core.phrasing import count, facts_words, loss_text, numbered
from alc_core.scoring.intervals import difference_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """An ALC with its interval, clipped at 0."""

    alc: float  # Between 0 and 1
    low: float
    high: float

    @classmethod
    def of(cls, alc: float, low: float, high: float) -> Loss:
        """Clip at 0: below, differences of ALC mean nothing."""
        return cls(alc=max(alc, 0.0), low=max(low, 0.0), high=max(high, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackPair:
    """Two attacks that differ only in one known attribute."""

    attribute: str  # Known in only one
    with_it: int  # Numbers of the attacks
    without_it: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What a known attribute adds to the ALC of an attack."""

    attribute: str
    with_it: Loss  # ALC with and without the attribute
    without_it: Loss

    @property
    def difference(self) -> float:
        """ALC with minus ALC without the attribute."""
        return self.with_it.alc - self.without_it.alc

    @property
    def interval(self) -> tuple[float, float]:
        """Conservative interval of the difference (MOVER; Zou and Donner, 2008)."""
        first, second = ((e.alc, e.low, e.high) for e in (self.with_it, self.without_it))
        return difference_interval(first, second)


def attack_losses(rescored: Rescored) -> dict[int, Loss]:
    """Return each finished attack's deciding ALC and interval."""
    reading = rescored.decisive
    columns = (rescored.numbers, reading.alc, reading.low, reading.high)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {number: Loss.of(alc, low, high) for number, alc, low, high in rows}


def attack_pairs(
    attacks: Sequence[PlannedAttack], numbers: Iterable[int]
) -> tuple[AttackPair, ...]:
    """Find pairs of attacks that differ only in one known attribute."""
    usable = set(numbers)
    bits: dict[str, int] = {}
    groups: dict[str, dict[int, PlannedAttack]] = {}
    for attack in attacks:
        if attack.number in usable:
            known = 0
            for column in attack.scenario.known:
                known |= 1 << bits.setdefault(column, len(bits))
            groups.setdefault(attack.all_but_known, {})[known] = attack
    return tuple(
        AttackPair(attribute=column, with_it=attack.number, without_it=without.number)
        for group in groups.values()
        for known, attack in group.items()
        for column in attack.scenario.known
        if (without := group.get(known ^ (1 << bits[column]))) is not None
    )


def contributions(
    number: int, pairs: Sequence[AttackPair], losses: Mapping[int, Loss]
) -> tuple[Contribution, ...]:
    """Return each known attribute's contribution, the largest first."""
    found = [
        Contribution(
            attribute=pair.attribute,
            with_it=losses[number],
            without_it=losses[pair.without_it],
        )
        for pair in pairs
        if pair.with_it == number
    ]
    return tuple(sorted(found, key=lambda each: (-each.difference, each.attribute)))


def riskiest_attack(attacks: Sequence[PlannedAttack], losses: Mapping[int, Loss]) -> int | None:
    """Return the highest ALC's attack among those with several known columns."""
    several = [
        attack.number
        for attack in attacks
        if attack.number in losses and len(attack.scenario.known) > 1
    ]
    return max(several, key=lambda number: losses[number].alc, default=None)


def plan_one_less(attacks: Sequence[PlannedAttack], number: int) -> tuple[PlannedAttack, ...]:
    """Plan missing attacks with one known attribute less."""
    attack = next(each for each in attacks if each.number == number)
    known = attack.scenario.known
    if len(known) < 2:
        return ()
    key = attack.all_but_known
    alike = {frozenset(each.scenario.known) for each in attacks if each.all_but_known == key}
    last = max(each.number for each in attacks)
    missing = [column for column in known if frozenset(known) - {column} not in alike]
    return tuple(
        PlannedAttack(
            number=last + place,
            scenario=replace(
                attack.scenario, known=tuple(other for other in known if other != column)
            ),
            release=attack.release,
            attack=attack.attack,
            kind=KnownSetKind.ONE_LESS,
            reason=f"Without '{column}': what remains of {facts_words(known)}.",
        )
        for place, column in enumerate(missing, start=1)
    )


def contribution_sentence(found: Sequence[Contribution]) -> str:
    """Name the known column that adds most; empty without any."""
    if not found:
        return ""
    most, least, hidden = found[0], found[-1], ""
    without, with_it = loss_text(most.without_it.alc), loss_text(most.with_it.alc)
    if least.interval[1] < 0:
        hidden = (
            f" Without '{least.attribute}', it rises from {loss_text(least.with_it.alc)} to "
            f"{loss_text(least.without_it.alc)}."
        )
    if most.difference <= 0 or without == with_it:
        one = f"'{most.attribute}' does not raise"
        none = one if len(found) == 1 else f"None of {len(found)} columns raises"
        return f"{none} the ALC of this attack.{hidden}"
    clear = "" if most.interval[0] > 0 else " The intervals leave that open."
    return f"Without '{most.attribute}', ALC is {without} instead of {with_it}.{clear}{hidden}"


_SEEN = 0.005  # Smaller differences print as 0.00


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeEffect:
    """What a known attribute adds over a campaign."""

    attribute: str
    pairs: int  # Pairs that differ only in it
    mean: float | None  # Of ALC clipped at 0; None without a pair
    largest: float | None  # Largest difference
    # Attacks that know it; attacks that neither know nor attack it
    with_count: int
    without_count: int
    # Mean ALC clipped at 0; None without any. They differ in much else.
    with_mean: float | None
    without_mean: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCount:
    """An attack by how many facts it knows."""

    number: int  # Of the attack
    unknown: str  # Attacked column and release
    release: str
    known: int  # Known attributes
    alc: float  # At least 0
    reached: float  # The same, or the higher ALC of a subset attack


def attribute_effects(
    attacks: Sequence[PlannedAttack],
    pairs: Sequence[AttackPair],
    losses: Mapping[int, Loss],
) -> tuple[AttributeEffect, ...]:
    """Return what each known attribute adds over a campaign."""
    of_attribute: dict[str, list[float]] = {}
    for pair in pairs:
        difference = losses[pair.with_it].alc - losses[pair.without_it].alc
        of_attribute.setdefault(pair.attribute, []).append(difference)
    finished = [attack for attack in attacks if attack.number in losses]
    columns = dict.fromkeys(column for attack in finished for column in attack.scenario.known)
    total, every = _sums(finished, losses)
    effects = []
    for column in columns:
        found = of_attribute.get(column, [])
        known, known_count = _sums([a for a in finished if column in a.scenario.known], losses)
        wanted, wanted_count = _sums([a for a in finished if a.scenario.unknown == column], losses)
        rest = every - known_count - wanted_count
        effects.append(
            AttributeEffect(
                attribute=column,
                pairs=len(found),
                mean=math.fsum(found) / len(found) if found else None,
                largest=max(found, default=None),
                with_count=known_count,
                without_count=rest,
                with_mean=known / known_count if known_count else None,
                without_mean=max(total - known - wanted, 0.0) / rest if rest else None,
            )
        )
    return tuple(sorted(effects, key=_order))


def known_counts(
    attacks: Sequence[PlannedAttack], losses: Mapping[int, Loss], stands: FinishedStandings
) -> tuple[KnownCount, ...]:
    """Return finished attacks by number of known columns."""
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
    """Name the known column that adds most over a campaign; empty without pairs."""
    found = [effect for effect in effects if effect.mean is not None]
    if not found:
        return ""
    most, least, hidden = found[0], found[-1], ""
    if least.mean is not None and least.mean <= -_SEEN:
        hidden = (
            f" Without '{least.attribute}', ALC is higher by {-least.mean:.2f} on average over "
            f"{numbered(least.pairs, 'pair')}."
        )
    if (most.mean or 0.0) <= 0:
        return f"No known column raises the ALC on average.{hidden}"
    if (most.mean or 0.0) < _SEEN:
        return hidden.lstrip()
    over = (
        "one pair of attacks"
        if most.pairs == 1
        else f"{count(most.pairs)} pairs of attacks, and up to {most.largest:.2f}"
    )
    return f"'{most.attribute}' adds most to ALC: {most.mean:.2f} on average over {over}.{hidden}"


def _sums(attacks: Sequence[PlannedAttack], losses: Mapping[int, Loss]) -> tuple[float, int]:
    return math.fsum(losses[attack.number].alc for attack in attacks), len(attacks)


def _order(effect: AttributeEffect) -> tuple[bool, float, str]:
    value = effect.with_mean if effect.mean is None else effect.mean
    return effect.mean is None, -(value or 0.0), effect.attribute
