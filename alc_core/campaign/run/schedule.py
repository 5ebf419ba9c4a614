"""In which order a campaign runs, what settles a release first, and how long the rest takes."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from alc_core.assessment.result import Assessment
from alc_core.attacks.registry import plain_name
from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.run.workers import AttackGroup
from alc_core.scoring.formulas import on_scale
from alc_core.scoring.intervals import normal_quantile
from alc_core.scoring.verdict import Verdict
from alc_core.tables.roles import ColumnRole, Roles, suggested_unknown
from alc_core.tables.table import Table

# The more is known, the more an attack finds; what was added to look closer settles nothing
_MOST_TELLING = (
    KnownSetKind.ALL_OTHERS,
    KnownSetKind.SAME_SURVEY,
    KnownSetKind.KNOWABLE,
    KnownSetKind.NAMED,
    KnownSetKind.BUDGET,
    KnownSetKind.FEW_FACTS,
    KnownSetKind.SINGLES_OUT,
    KnownSetKind.ONE_LESS,
)


def settling_first(
    groups: Sequence[AttackGroup], original: Table, roles: Roles
) -> list[AttackGroup]:
    """Put first what tells most: of every release something, then by facts known and by secret.

    Secrets that are only to be protected come before those that seem sensitive, and these before
    the others. Results do not depend on the order.
    """
    columns = list(dict.fromkeys(group.scenario.unknown for group in groups))
    sensitive = set(suggested_unknown(original, roles, columns))

    def place(group: AttackGroup) -> tuple[int, int]:
        column = group.scenario.unknown
        protected = roles.role(column) is ColumnRole.PROTECTED
        secret = 0 if protected else 1 if column in sensitive else 2
        return _MOST_TELLING.index(group.kind), secret

    ordered, first, seen = sorted(groups, key=place), [], set[str]()
    for group in ordered:
        releases = {attack.release for attack in group.attacks}
        if releases - seen:
            first.append(group)
            seen |= releases
    return [*first, *(group for group in ordered if group not in first)]


def settles(found: Assessment, attacks: int) -> bool:
    """Return whether an attack alone shows a serious loss, among as many as the campaign has.

    Where verdicts allow for many attacks, its distance to the limit must do for all of them.
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
    # Of each kind what attacks were estimated to cost, and how long they took
    _done: defaultdict[str, list[tuple[float, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )
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
                self._done[self.kinds[number]].append((self.costs.pop(number), took))

    def drop(self, numbers: Collection[int]) -> None:
        """Leave out attacks that are not run."""
        for number in numbers:
            self.costs.pop(number, None)

    @property
    def seconds(self) -> float | None:
        """How long the rest takes at this pace, at first as estimated; None if neither is known."""
        sums = {kind: [*map(sum, zip(*done, strict=True))] for kind, done in self._done.items()}
        estimated, took = (sum(each[place] for each in sums.values()) for place in (0, 1))
        if not estimated or not took:
            if self.processes is None or self.speed is None:
                return None
            return sum(self.costs.values()) / self.speed / self.processes
        beside = self.processes or max(1.0, took / (time.monotonic() - self._start))
        pace = {
            kind: own / expected
            for kind, (expected, own) in sums.items()
            if len(self._done[kind]) >= _SURE_AFTER
        }
        rest = sum(
            cost * pace.get(self.kinds[number], took / estimated)
            for number, cost in self.costs.items()
        )
        return rest / beside
