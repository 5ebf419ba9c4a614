"""Known facts are at least as risky as subsets of them.

With more known facts an attack may find less: the baseline guesses better, and best row match loses
matches. An attacker can ignore facts, so an attack is no better than otherwise equal ones with a
subset of its facts. They count if their verdict is more severe, or equal with a deciding ALC above
0 and above the attack's own interval.

An attack that is not testable inherits nothing, as its facts suffice to guess without the release.
Nor is anything inherited from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.rescore.rescoring import Rescored
from alc_core.phrasing import loss_text
from alc_core.scoring.verdict import (
    OUTCOMES,
    SEVERITY,
    StandingCodes,
    Verdict,
    code_of,
    severity_of,
)

NONE = -1  # In place of a missing attack's number
_ROWS_AT_ONCE = 500
_WORD = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubsetPairs:
    """Attacks, and otherwise equal ones with a subset of their facts."""

    # Attack with more facts, and attack with a proper subset
    whole: IntArray
    part: IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FinishedStandings:
    """Standing of each finished attack: its own, or a subset attack's."""

    numbers: IntArray  # Which attacks
    outcome: StandingCodes  # Codes of :data:`OUTCOMES`
    # Its own deciding ALC with interval, or the subset attack's
    alc: FloatArray
    low: FloatArray
    high: FloatArray
    # The subset attack, or :data:`NONE`
    through: IntArray

    def columns(self, attacks: Sequence[PlannedAttack]) -> dict[str, Any]:
        """Return columns of a table of attacks."""
        known = {attack.number: ", ".join(attack.scenario.known) for attack in attacks}
        through = pd.array(self.through, dtype="Int64")
        through[self.through == NONE] = pd.NA
        return {
            "standing": pd.array([OUTCOMES[code] for code in self.outcome.tolist()], dtype="str"),
            "standing_alc": self.alc,
            "standing_low": self.low,
            "standing_high": self.high,
            "through": through,
            "through_known": pd.array([known.get(n) for n in self.through.tolist()], dtype="str"),
        }


def subset_pairs(attacks: Sequence[PlannedAttack]) -> SubsetPairs:
    """Find subset attacks from the plan."""
    groups: dict[str, list[PlannedAttack]] = {}
    for attack in attacks:
        groups.setdefault(attack.all_but_known, []).append(attack)
    found = [_pairs_within(group) for group in groups.values() if len(group) > 1]
    whole, part = (
        np.concatenate([np.empty(0, dtype=np.int64), *(pair[place] for pair in found)])
        for place in (0, 1)
    )
    return SubsetPairs(whole=whole, part=part)


def standings(rescored: Rescored, pairs: SubsetPairs) -> FinishedStandings:
    """Return standings with subset attacks."""
    own, severity = rescored.decisive, severity_of(rescored.outcome)
    order = np.lexsort((own.alc, severity))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    tested = rescored.outcome != code_of(Verdict.NOT_TESTABLE)
    too_few = rescored.outcome == code_of(Verdict.TOO_FEW)
    whole, part = _finished(rescored.numbers, pairs)
    both = tested[whole] & tested[part]
    highest = np.full(len(order), NONE, dtype=np.int64)
    np.maximum.at(highest, whole[both], rank[part[both]])
    compared = np.flatnonzero(highest != NONE)
    best = order[highest[compared]]
    above = own.alc[best] > np.maximum(own.high[compared], 0.0)
    same = severity[best] == severity[compared]
    # Too few people: not cleared by fewer facts
    own_severity = np.where(too_few, SEVERITY.index(Verdict.BELOW_LIMIT), severity)[compared]
    worse = (severity[best] > own_severity) | (same & above)
    source = np.arange(len(order))
    source[compared[worse]] = best[worse]
    return FinishedStandings(
        numbers=rescored.numbers,
        outcome=rescored.outcome[source],
        alc=own.alc[source],
        low=own.low[source],
        high=own.high[source],
        through=np.where(source == np.arange(len(order)), NONE, rescored.numbers[source]),
    )


def through_text(row: Mapping[Any, Any]) -> str:
    """Return the subset attack that decides, in words; empty without.

    Examples
    --------
    >>> row = {"through": 3, "through_known": "age", "standing_alc": 0.671, "standing": "at risk"}
    >>> through_text(row)
    'through age only: ALC 0.67 (at risk)'
    """
    if pd.isna(row["through"]):
        return ""
    return (
        f"through {row['through_known']} only: ALC {loss_text(row['standing_alc'])} "
        f"({row['standing']})"
    )


def _pairs_within(group: Sequence[PlannedAttack]) -> tuple[IntArray, IntArray]:
    numbers = np.array([attack.number for attack in group], dtype=np.int64)
    masks = _bit_masks([attack.scenario.known for attack in group])
    sizes = np.array([len(attack.scenario.known) for attack in group])
    found = []
    for start in range(0, len(group), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        inside = sizes[rows, None] > sizes
        for word in masks.T:
            inside &= (word & ~word[rows, None]) == 0
        whole, part = np.nonzero(inside)
        found.append((numbers[whole + start], numbers[part]))
    whole, part = (np.concatenate(side) for side in zip(*found, strict=True))
    return whole, part


def _bit_masks(sets: Sequence[Sequence[str]]) -> NDArray[np.uint64]:
    """Return sets of names as bits in 64-bit words."""
    bits = {name: bit for bit, name in enumerate(dict.fromkeys(n for each in sets for n in each))}
    width = -(-len(bits) // _WORD) * _WORD
    held = np.zeros((len(sets), width), dtype=bool)
    for place, each in enumerate(sets):
        held[place, [bits[name] for name in each]] = True
    return np.packbits(held, axis=1).view(np.uint64)


def _finished(numbers: IntArray, pairs: SubsetPairs) -> tuple[IntArray, IntArray]:
    """Return finished pairs, as indices of finished attacks."""
    last = max(int(each.max(initial=NONE)) for each in (numbers, pairs.whole, pairs.part))
    place = np.full(last + 1, NONE, dtype=np.int64)
    place[numbers] = np.arange(len(numbers))
    whole, part = place[pairs.whole], place[pairs.part]
    both = (whole != NONE) & (part != NONE)
    return whole[both], part[both]
