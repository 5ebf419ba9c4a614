"""What members and people of a holdout give: counts and shares, no rows of people."""

from __future__ import annotations

from dataclasses import dataclass, replace

from alc_core.holdout.rates import Guesses, residual_risk
from alc_core.measures.measure import Measured
from alc_core.plain_values import to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Surest:
    """The predictions above one rank score."""

    share: float  # Of all predictions, for members and others together
    members: Guesses  # Of each
    others: Guesses

    @property
    def risk(self) -> Measured:
        """Residual risk of those for whom a value is predicted."""
        return residual_risk(self.members.precision, self.others.precision)


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldoutAttack:
    """The same attack on members and on others."""

    known: tuple[str, ...]  # What the attacker knows
    unknown: str  # What the attacker wants to learn
    attack: str  # Its name
    members: Guesses  # Of people of the original, and of the holdout
    others: Guesses
    surest: tuple[Surest, ...]  # The same for fewer, surer predictions, the most first
    notes: tuple[str, ...] = ()  # What a reader must know

    @property
    def risk(self) -> Measured:
        """Residual risk over all people, not cut at 0."""
        return residual_risk(self.members.success, self.others.success)


@dataclass(frozen=True, slots=True, kw_only=True)
class Distances:
    """How far some people are from the closest released row."""

    people: int  # Their number
    equal: int  # How many are at distance 0
    low: float  # The 5 % quantile
    median: float
    # Share of the people within each distance of :attr:`Closest.grid`
    cumulative: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Closest:
    """Distances to the closest record, over all shared columns."""

    columns: tuple[str, ...]  # What is compared, by Gower's distance from 0 to 1
    grid: tuple[float, ...]  # Distances at which the cumulative curves are told
    members: Distances  # Of as many people of the original as of the holdout
    others: Distances
    # Share of the released rows that are closer to a member than to anybody of the holdout, ties
    # half; one half where the release remembers nobody
    share: Measured
    # About what this share is for a release that copies the original: less than 1 where the holdout
    # is smaller, as then not all members are compared
    share_of_copy: float
    rows: int  # Released rows that were asked
    # How many independent rows these are worth, as several have the same closest person
    effective_rows: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Resemblance:
    """Whether the holdout is like the original."""

    people: int  # People of the holdout who take part
    copies: int  # Rows of the holdout that the original has, too
    copies_expected: float  # How many of them chance gives, by the original's own equal rows
    dropped: int  # Copies that were left out, as they are more than chance gives
    # How well a model tells the holdout from the original: 0.5 not at all; None where there are too
    # few people to try
    auc: Measured | None
    different: dict[str, float]  # The columns that differ most, with how far (total variation)


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldoutResult:
    """One release, measured with a holdout."""

    release: str  # Its name
    fingerprint: str  # Of the original
    holdout: str  # Name of the holdout's table
    holdout_fingerprint: str  # Of its contents
    resemblance: Resemblance  # Whether the holdout is fit for this
    closest: Closest | None  # Distances; None where the release is not rows of people
    attacks: tuple[HoldoutAttack, ...]  # In the order in which they were asked for
    seed: int  # Of all that is drawn
    notes: tuple[str, ...] = ()  # What a reader must know: warnings about the holdout first

    def worst_first(self) -> HoldoutResult:
        """Return the same with the attacks of the highest residual risk first."""
        attacks = sorted(self.attacks, key=lambda attack: -attack.risk.value)
        return replace(self, attacks=tuple(attacks))

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain values for JSON, with rates and residual risks."""
        plain: dict[str, object] = to_plain(self)
        plain["attacks"] = [_attack_plain(attack) for attack in self.attacks]
        return plain


def _attack_plain(attack: HoldoutAttack) -> dict[str, object]:
    plain: dict[str, object] = to_plain(attack)
    plain |= {
        "members_success": to_plain(attack.members.success),
        "others_success": to_plain(attack.others.success),
        "residual_risk": to_plain(attack.risk),
        "surest": [
            {
                **to_plain(part),
                "members_precision": to_plain(part.members.precision),
                "others_precision": to_plain(part.others.precision),
                "residual_risk": to_plain(part.risk),
            }
            for part in attack.surest
        ],
    }
    return plain
