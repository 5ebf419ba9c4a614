"""Order of a campaign's attacks, what settles a release, and time left."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeVar

import numpy as np

from alc_core.assessment.result import Assessment
from alc_core.attacks.registry import plain_name
from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.estimate import START_SECONDS
from alc_core.campaign.run.workers import AttackGroup
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.formulas import on_scale
from alc_core.scoring.intervals import normal_quantile
from alc_core.scoring.verdict import Verdict
from alc_core.tables.roles import ColumnRole, Roles, suggested_unknown
from alc_core.tables.table import Table

# More known columns find more, and few facts are planned where they lead to rows
_FIRST = (KnownSetKind.ALL_OTHERS, KnownSetKind.FEW_FACTS)
_LAST = KnownSetKind.ONE_LESS  # Added later, and settles nothing


class _OnRelease(Protocol):
    @property
    def release(self) -> str: ...


class _OfScenario(Protocol):
    @property
    def scenario(self) -> Scenario: ...
    @property
    def kind(self) -> KnownSetKind: ...
    @property
    def attacks(self) -> Sequence[_OnRelease]: ...


Group = TypeVar("Group", bound=_OfScenario)


def settling_first(groups: Sequence[Group], original: Table, roles: Roles) -> list[Group]:
    """Order by expected information: each release once, then known columns and sensitivity.

    Columns only to be protected come before seemingly sensitive ones, with realistic attackers.
    Results do not depend on the order.
    """
    columns = list(dict.fromkeys(group.scenario.unknown for group in groups))
    sensitive = set(suggested_unknown(original, roles, columns))
    sets: dict[tuple[str, KnownSetKind], list[str]] = {}
    for group in groups:
        alike = sets.setdefault((group.scenario.unknown, group.kind), [])
        if group.scenario.key not in alike:
            alike.append(group.scenario.key)

    def place(group: Group) -> tuple[bool, int, int]:
        column = group.scenario.unknown
        protected = roles.role(column) is ColumnRole.PROTECTED
        secret = 0 if protected else 1 if column in sensitive else 2
        if group.kind in _FIRST:
            return False, secret, 0
        further = sets[column, group.kind].index(group.scenario.key)
        return group.kind is _LAST, secret + 1 + further, 1

    ordered, first, seen = sorted(groups, key=place), [], set[str]()
    for group in ordered:
        releases = {attack.release for attack in group.attacks}
        if releases - seen:
            first.append(group)
            seen |= releases
    return [*first, *(group for group in ordered if group not in first)]


def settles(found: Assessment, attacks: int) -> bool:
    """Return whether an attack alone shows a serious loss.

    If verdicts allow for many attacks, its distance must suffice for all.
    """
    if found.verdict is not Verdict.SERIOUS:
        return False
    scoring = found.scoring
    if scoring.control == "none":
        return True
    alc, low, limit = (
        float(on_scale(np.asarray(each), scoring.loss))
        for each in (found.decisive_alc, found.decisive_interval[0], scoring.serious)
    )
    needed = normal_quantile(1 - (1 - scoring.confidence) / attacks)
    return (alc - limit) * normal_quantile(scoring.confidence) >= needed * (alc - low)


_SURE_AFTER = 3  # Finished attacks of a kind after which their times outweigh others'
_OFF = math.log(3)  # One may take a third of the estimate, or three times as long
_HALF_KNOWN = 6  # Attacks after which half the common part is known
_STAYS = 0.3  # Share of it that stays unknown


@dataclass(slots=True, kw_only=True)
class TimeLeft:
    """Estimated costs of attacks, corrected by times of their kind.

    The first attack of a scenario also fits baselines: a kind of its own.
    """

    costs: dict[int, float]  # Estimated, of each attack to run
    kinds: Mapping[int, str]
    processes: int | None  # None where that is not known
    speed: float | None = None  # Of each process at the start; None if unknown
    # By kind: estimates and times
    _done: defaultdict[str, list[tuple[float, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _clock: Callable[[], float] = time.monotonic
    _start: float = field(init=False)
    _ends: tuple[float, float] = -math.inf, math.inf

    def __post_init__(self) -> None:
        self._start = self._clock()

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
                self._done[self.kinds[number]].append((self.costs.pop(number), took))

    def drop(self, numbers: Collection[int]) -> None:
        """Drop attacks that are not run; the end may come earlier."""
        for number in numbers:
            if self.costs.pop(number, None) is not None:
                self._ends = -math.inf, self._ends[1]

    @property
    def seconds(self) -> float | None:
        """Return the time left at this pace, at first as estimated; None if unknown."""
        beside, each = self._beside, self._each()
        return None if beside is None or each is None else sum(each) / beside

    def ends(self) -> tuple[float, float] | None:
        """Return the earliest and latest moment at which the rest ends.

        They only approach each other, unless the pace is quite different.
        """
        beside, each = self._beside, self._each()
        if beside is None or each is None:
            return None
        now, off = self._clock(), math.exp(self._doubt(each))
        # Running ones may be nearly done; the last may leave processes idle
        waiting = sum(sorted(each)[: -math.ceil(beside)])
        idle = max(each, default=0.0) * (1 - 1 / beside)
        if not self._done and self.speed is not None:
            idle += START_SECONDS / self.speed
        found = now + waiting / beside / off, now + sum(each) / beside * off + idle
        narrowed = max(found[0], self._ends[0]), min(found[1], self._ends[1])
        self._ends = narrowed if narrowed[0] <= narrowed[1] else found
        return self._ends

    def _doubt(self, each: Sequence[float]) -> float:
        """Return the error of the rest as a logarithm.

        The common part is known better with more done, never fully: other work may begin.
        Individual errors even out.
        """
        done = sum(map(len, self._done.values()))
        common = _STAYS + (1 - _STAYS) / (1 + done / _HALF_KNOWN)
        alone = sum(x * x for x in each) / sum(each) ** 2 if sum(each) else 0.0
        return _OFF * math.sqrt(common + alone)

    @property
    def _beside(self) -> float | None:
        """Attacks running beside one another; None if unknown."""
        if self.processes is not None:
            return self.processes
        took = sum(took for done in self._done.values() for _, took in done)
        return max(1.0, took / (self._clock() - self._start)) if took else None

    def _each(self) -> list[float] | None:
        """Return the time of each attack to run; None if unknown."""
        sums = {kind: [*map(sum, zip(*done, strict=True))] for kind, done in self._done.items()}
        estimated, took = (float(sum(each[place] for each in sums.values())) for place in (0, 1))
        if self.speed is not None:  # The first to end are the quickest, not yet the pace
            done = sum(map(len, self._done.values()))
            usual = (estimated + sum(self.costs.values())) / max(1, done + len(self.costs))
            estimated += _SURE_AFTER * usual
            took += _SURE_AFTER * usual / self.speed
        if not estimated or not took:
            return None
        pace = {
            kind: own / expected
            for kind, (expected, own) in sums.items()
            if len(self._done[kind]) >= _SURE_AFTER
        }
        return [
            cost * pace.get(self.kinds[number], took / estimated)
            for number, cost in self.costs.items()
        ]
