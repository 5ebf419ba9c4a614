"""What drives the risk: ALC with and without a known attribute, from finished attacks alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from alc_core.assessment.words import loss_text
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.campaign.rescore.rescored import Rescored
from alc_core.phrasing import listed
from alc_core.scoring.intervals import difference_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """The ALC of an attack with its interval, none of them below 0: less than no loss is none."""

    alc: float  # Between 0 and 1
    low: float
    high: float

    @classmethod
    def of(cls, alc: float, low: float, high: float) -> Loss:
        """Clip at 0, below which ALC has no lower end and differences would mean nothing."""
        return cls(alc=max(alc, 0.0), low=max(low, 0.0), high=max(high, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackPair:
    """Two attacks that differ in one known attribute alone."""

    attribute: str  # Known in the one and not in the other
    with_it: int  # Numbers of the attacks
    without_it: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What a known attribute adds to the ALC of an attack."""

    attribute: str
    with_it: Loss  # ALC of the attack, and of the same without the attribute
    without_it: Loss
    without_number: int  # Number of the attack without it

    @property
    def difference(self) -> float:
        """ALC with the attribute minus ALC without it, both at least 0."""
        return self.with_it.alc - self.without_it.alc

    @property
    def interval(self) -> tuple[float, float]:
        """Interval of the difference from those of both, as if the two were independent.

        They attack mostly the same people, so it is rather too wide than too narrow (MOVER; Zou
        and Donner, 2008).
        """
        return combined_interval(self.with_it, self.without_it)


def attack_losses(rescored: Rescored) -> dict[int, Loss]:
    """Return the decisive ALC and its interval of every finished attack, by number."""
    reading = rescored.decisive
    columns = (rescored.numbers, reading.alc, reading.low, reading.high)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {number: Loss.of(alc, low, high) for number, alc, low, high in rows}


def attack_pairs(
    attacks: Sequence[PlannedAttack], numbers: Iterable[int]
) -> tuple[AttackPair, ...]:
    """Find all pairs of attacks that differ in one known attribute alone."""
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
    """Return what each known attribute adds to an attack, the largest first."""
    found = [
        Contribution(
            attribute=pair.attribute,
            with_it=losses[number],
            without_it=losses[pair.without_it],
            without_number=pair.without_it,
        )
        for pair in pairs
        if pair.with_it == number
    ]
    return tuple(sorted(found, key=lambda each: (-each.difference, each.attribute)))


def riskiest_attack(attacks: Sequence[PlannedAttack], losses: Mapping[int, Loss]) -> int | None:
    """Return the number of the attack with the highest ALC among those that know several."""
    several = [
        attack.number
        for attack in attacks
        if attack.number in losses and len(attack.scenario.known) > 1
    ]
    return max(several, key=lambda number: losses[number].alc, default=None)


def plan_one_less(attacks: Sequence[PlannedAttack], number: int) -> tuple[PlannedAttack, ...]:
    """Plan the attacks with one known attribute less that are not planned yet."""
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
            reason=f"Without {column}: what remains of {listed(list(known))}, to see what "
            f"{column} adds.",
        )
        for place, column in enumerate(missing, start=1)
    )


def contribution_sentence(found: Sequence[Contribution]) -> str:
    """Say which known attribute adds most to an attack; empty where nothing can be compared."""
    if not found:
        return ""
    most, hidden = found[0], _hiding_sentence(found[-1])
    if most.difference <= 0:
        return f"None of these attributes raises the ALC of this attack.{hidden}"
    clear = "" if most.interval[0] > 0 else " The intervals leave open whether it really falls."
    return (
        f"{most.attribute} adds most: without it the ALC is {loss_text(most.without_it.alc)} "
        f"instead of {loss_text(most.with_it.alc)}.{clear}{hidden}"
    )


def _hiding_sentence(least: Contribution) -> str:
    """Say that the ALC clearly rises without an attribute; empty where it does not."""
    if least.interval[1] >= 0:
        return ""
    return (
        f" Without {least.attribute} the ALC rises from {loss_text(least.with_it.alc)} to "
        f"{loss_text(least.without_it.alc)}: an attacker would leave it out."
    )


def combined_interval(first: Loss, second: Loss) -> tuple[float, float]:
    """Return an interval of first minus second from theirs, as if they were independent.

    Examples
    --------
    >>> first, second = Loss.of(0.6, 0.5, 0.7), Loss.of(0.2, 0.1, 0.3)
    >>> low, high = combined_interval(first, second)
    >>> round(low, 3), round(high, 3)
    (0.259, 0.541)
    """
    return difference_interval(
        (first.alc, first.low, first.high), (second.alc, second.low, second.high)
    )
