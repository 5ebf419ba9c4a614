"""Results with a holdout, and in words."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from alc_core.campaign.file.annotations import KeptResults
from alc_core.measures.measure import Measured
from alc_core.phrasing import count, percent
from alc_core.plain_values import to_plain
from alc_core.studies.members import Guesses, residual_risk, shown_risk

_SURE = 0.95
_STANDARD_ERRORS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Surest:
    """The predictions above one rank score."""

    share: float  # Of all predictions, members and others together
    members: Guesses  # Of each
    others: Guesses

    @property
    def risk(self) -> Measured:
        """Residual risk of people with a prediction."""
        return residual_risk(self.members.precision, self.others.precision)


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldoutAttack:
    """The same attack on members and on others."""

    known: tuple[str, ...]  # What the attacker knows
    unknown: str  # What the attacker wants to learn
    attack: str  # Its name
    members: Guesses  # Of people of the original, and of the holdout
    others: Guesses
    surest: tuple[Surest, ...]  # For fewer, more certain predictions, the most first
    notes: tuple[str, ...] = ()  # What a reader must know

    @property
    def risk(self) -> Measured:
        """Residual risk over all people, not cut at 0."""
        return residual_risk(self.members.success, self.others.success)

    @property
    def leaks(self) -> bool:
        """Whether members are guessed more often beyond chance."""
        return self.risk.interval[0] > 0

    @property
    def nothing_left(self) -> bool:
        """Whether others are guessed so often that members hardly can be more."""
        return self.others.success.value >= _SURE


@dataclass(frozen=True, slots=True, kw_only=True)
class Distances:
    """Distances of people to the closest released row."""

    people: int  # Their number
    equal: int  # How many are at distance 0
    low: float  # The 5% quantile
    median: float
    cumulative: tuple[float, ...]  # Share of people within each distance of the grid


@dataclass(frozen=True, slots=True, kw_only=True)
class Closest:
    """Distances to the closest record over all shared columns."""

    columns: tuple[str, ...]  # Compared by Gower's distance from 0 to 1
    grid: tuple[float, ...]  # Distances of the cumulative curves
    members: Distances  # As many people of the original as of the holdout
    others: Distances
    share: Measured  # Of released rows closer to a member than to others, ties half
    share_of_copy: float  # For a copy of the original; below 1 if members are sampled
    rows: int  # Released rows compared
    effective_rows: float  # Independent rows, as several have the same closest person

    @property
    def more_equal(self) -> bool:
        """Whether clearly more members than others have an equal row."""
        members, others = self.members.equal, self.others.equal
        return members - others > _STANDARD_ERRORS * math.sqrt(members + others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resemblance:
    """Whether the holdout is like the original."""

    people: int  # People of the holdout who take part
    copies: int  # Holdout rows that are also the original's
    copies_expected: float  # By chance, from the original's own equal rows
    dropped: int  # Copies excluded as more than chance
    auc: Measured | None  # Of a model that distinguishes holdout and original; None if too few
    different: dict[str, float]  # The most different columns, with total variation


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldoutResult:
    """One release, measured with a holdout."""

    release: str  # Its name
    fingerprint: str  # Of the original
    holdout: str  # Name of the holdout's table
    holdout_fingerprint: str  # Of its contents
    resemblance: Resemblance  # Whether the holdout is suitable
    closest: Closest | None  # None if the release is not rows of people
    attacks: tuple[HoldoutAttack, ...]  # In the order requested
    seed: int  # Of all that is drawn
    notes: tuple[str, ...] = ()  # Warnings about the holdout first

    def worst_first(self) -> HoldoutResult:
        """Return the same, the highest residual risk first."""
        attacks = sorted(self.attacks, key=lambda attack: -attack.risk.value)
        return replace(self, attacks=tuple(attacks))

    def to_dict(self) -> dict[str, object]:
        """Return plain values for JSON, with rates and residual risks."""
        plain: dict[str, object] = to_plain(self)
        plain["attacks"] = [
            {
                **to_plain(attack),
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
            for attack in self.attacks
        ]
        return plain


KEPT_HOLDOUTS = KeptResults("holdout", HoldoutResult)


def risk_words(risk: Measured) -> str:
    """Return a residual risk with its interval, clipped to 0 to 1.

    Examples
    --------
    >>> risk_words(Measured(-0.05, -0.1, 0.02))
    '0.00 (0.00 to 0.02)'
    """
    shown = shown_risk(risk)
    return f"{shown.value:.2f} ({shown.low:.2f} to {shown.high:.2f})"


def closest_sentence(found: Closest) -> str:
    """Say what distances to the closest record show."""
    share = found.share
    low, high = share.interval
    if low > 0.5:
        meaning = "the release remembers people"
    elif high < 0.5:
        meaning = "nearer to others, by chance or from another population"
    elif found.more_equal:
        meaning = "but more members than others have an equal row"
    else:
        meaning = "no sign that the release remembers people"
    of_copy = f" A copy of the original would reach about {percent(found.share_of_copy)}."
    return (
        f"{share.ranged} of {count(found.rows)} rows are nearer to a member: "
        f"{meaning}.{of_copy if found.share_of_copy <= _SURE else ''}"
    )
