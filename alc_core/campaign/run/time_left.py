"""How long the rest of a campaign takes, by what its attacks took so far."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from alc_core.attacks.registry import plain_name
from alc_core.campaign.run.worker import AttackGroup

_SURE_AFTER = 3  # Attacks of a kind, after which what they took says more than what others took


@dataclass(slots=True, kw_only=True)
class TimeLeft:
    """What attacks cost by the estimate, corrected by what those of their kind took.

    The first attack of a scenario fits its baselines, which makes it one of a kind of its own.
    """

    costs: dict[int, float]  # Estimated, of each attack to run
    kinds: Mapping[int, str]
    processes: int | None  # None where that is not known
    speed: float | None = None  # Of each process when they start; None where that is not known
    _estimated: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    _took: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    _times: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    _start: float = field(default_factory=time.monotonic)

    @classmethod
    def of(
        cls,
        groups: Sequence[AttackGroup],
        costs: Mapping[int, float],
        *,
        processes: int | None,
        speed: float | None = None,
    ) -> Self:
        """Begin with the attacks that are to run."""
        kinds = {}
        for group in groups:
            for place, each in enumerate(group.attacks):
                kinds[each.number] = plain_name(each.attack.name) + (" first" if not place else "")
        return cls(
            costs={number: costs[number] for number in kinds},
            kinds=kinds,
            processes=None if processes is None else min(processes, max(1, len(groups))),
            speed=speed,
        )

    def take(self, seconds: Mapping[int, float]) -> None:
        """Take in how long finished attacks took."""
        for number, took in seconds.items():
            if number in self.costs:
                kind = self.kinds[number]
                self._estimated[kind] += self.costs.pop(number)
                self._took[kind] += took
                self._times[kind] += 1

    def drop(self, numbers: Collection[int]) -> None:
        """Leave out attacks that are not run."""
        for number in numbers:
            self.costs.pop(number, None)

    @property
    def seconds(self) -> float | None:
        """How long the rest takes at this pace, at first as estimated; None if neither is known."""
        took, estimated = sum(self._took.values()), sum(self._estimated.values())
        if not estimated or not took:
            if self.processes is None or self.speed is None:
                return None
            return sum(self.costs.values()) / self.speed / self.processes
        beside = self.processes or max(1.0, took / (time.monotonic() - self._start))
        pace = {
            kind: self._took[kind] / self._estimated[kind]
            for kind, times in self._times.items()
            if times >= _SURE_AFTER
        }
        rest = sum(
            cost * pace.get(self.kinds[number], took / estimated)
            for number, cost in self.costs.items()
        )
        return rest / beside
