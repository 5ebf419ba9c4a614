"""What a view of a campaign keeps in memory: what was read so far, and the last few answers."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from alc_core.campaign.file.curve_table import CurveTable
from alc_core.campaign.findings.measured_columns import MeasuredAttacks
from alc_core.campaign.findings.subsets import SubsetPairs, subset_pairs
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.rescore.multiplicity import SharedResamples

Value = TypeVar("Value")

_SCORINGS_KEPT = 4
_CAPS_KEPT = 2
_ASSESSMENTS_KEPT = 8
_OVERVIEWS_KEPT = 3 * _SCORINGS_KEPT
"""Overviews and tables under those scorings, of the whole campaign and of each release."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Known:
    """What was read so far, of one moment."""

    attacks: Mapping[int, PlannedAttack]
    pairs: SubsetPairs
    curves: CurveTable
    measured: MeasuredAttacks
    shared: SharedResamples
    failures: Mapping[int, str]
    seconds: Mapping[int, float]


def nothing_known() -> Known:
    """Return what is known before anything was read."""
    return Known(
        attacks={}, pairs=subset_pairs(()), curves=CurveTable.of({}), measured={}, shared={},
        failures={}, seconds={},
    )  # fmt: skip


@dataclass(slots=True)
class Recent:
    """The last few values by what they are of."""

    size: int
    kept: OrderedDict[Hashable, object] = field(default_factory=OrderedDict)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return a value, made now unless it is kept."""
        if key not in self.kept:
            self.kept[key] = make()
            while len(self.kept) > self.size:
                self.kept.popitem(last=False)
        self.kept.move_to_end(key)
        return self.kept[key]  # type: ignore[return-value]


@dataclass(slots=True, eq=False)
class ViewMemory:
    """What is shared by the view of a campaign and those of its releases."""

    known: Known = field(default_factory=nothing_known)
    lock: threading.RLock = field(default_factory=threading.RLock)
    scored: Recent = field(default_factory=lambda: Recent(_SCORINGS_KEPT))
    counted: Recent = field(default_factory=lambda: Recent(_CAPS_KEPT))
    stands: Recent = field(default_factory=lambda: Recent(_SCORINGS_KEPT))
    overviews: defaultdict[str | None, Recent] = field(
        default_factory=lambda: defaultdict(lambda: Recent(_OVERVIEWS_KEPT))
    )
    assessments: Recent = field(default_factory=lambda: Recent(_ASSESSMENTS_KEPT))

    def renew(self, known: Known) -> None:
        """Take in what was read, and forget what was made of less."""
        self.known = known
        for each in (self.scored, self.stands, self.counted):
            each.kept.clear()
        self.overviews.clear()
