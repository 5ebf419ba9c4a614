"""How long a campaign takes: what its parts cost, and how fast this machine is.

Costs are seconds of one thread of a machine of 2024, measured on tables of 6 000 to 33 000 rows
with 2 to 15 columns. Which models a baseline chooses cannot be foreseen, so that a single scenario
may take a third or three times as long; over a campaign this evens out.
"""

from __future__ import annotations

import functools
import heapq
import math
import time
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from alc_core.attacks.registry import attack_type
from alc_core.baselines.families import MAX_BOOSTED_CLASSES
from alc_core.baselines.fitting import MIN_CLASS_ROWS
from alc_core.baselines.folds import choice_groups
from alc_core.baselines.selection import SELECTION_ROWS, selection_parts, tested_parts
from alc_core.campaign.model import PlannedAttack, named_columns
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.phrasing import numbered
from alc_core.releases.answers import asked_tables
from alc_core.releases.release import Release
from alc_core.runtime.machine import free_processors
from alc_core.scenario.targets import People, default_folds, down_sampled_size
from alc_core.scoring.parameters import LoopParameters
from alc_core.tables.codes.columns import value_counts
from alc_core.tables.codes.encode import EncodedTable, encode
from alc_core.tables.table import Table

_LOOP = LoopParameters()
START_SECONDS = 3.0  # To start a process and load what it needs
_AVERAGED = 6  # Measurements of a busy machine: each alone is off by a third
_LOAD_HOLDS = 20.0  # Seconds for which the load of the machine is taken to be the same
_GOES_ON = 3  # Times as many people as at the first look, at the most that is foreseen
_LEAST_FREE = 0.1  # Processors that a campaign gets in the long run, however busy the machine is
_REFERENCE_PROBE = 0.048  # Seconds that the probe took where the costs were measured


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSize:
    """What the time of a scenario depends on."""

    rows: int  # Of the original
    candidates: int  # People who can be targets, after down-sampling
    wanted: int | None = None  # Targets asked for; None where the halting criteria decide
    known: int  # Known columns
    classes: int  # Values of the unknown column that are frequent enough to be learned
    released: tuple[int, ...]  # For each attack the released rows that it scans

    @property
    def targets(self) -> int:
        """How many people will be attacked if the first look at the criteria ends the loop."""
        if self.wanted is not None:
            return min(self.wanted, self.candidates)
        per_fold = max(1, math.ceil(self.candidates / default_folds(self.rows)))
        per_look = min(per_fold, math.ceil(_LOOP.look_every / _LOOP.batch) * _LOOP.batch)
        looks = math.ceil(_LOOP.min_targets / per_look)
        return min(looks * per_look, self.candidates)

    @property
    def people(self) -> float:
        """Whom any of the attacks will be on: the more there are, the likelier one goes on."""
        if self.wanted is not None:
            return self.targets
        most = min(self.candidates, _GOES_ON * self.targets)
        return most - (most - self.targets) / max(1, len(self.released))

    @property
    def baseline_cost(self) -> float:
        """Of choosing, fitting and asking the baselines of the scenario, once for all."""
        targets, folds = self.people, default_folds(self.rows)
        fitted = min(folds, max(1, math.ceil(folds * targets / max(1, self.candidates))))
        groups = choice_groups(self.rows, folds)
        choices = (fitted - 1) * groups // folds + 1
        compared = min(self.rows * (1 - 1 / groups), SELECTION_ROWS)
        parts = selection_parts(round(compared))
        learned = compared * (1 - 1 / parts)
        width, classes = math.sqrt(self.known), min(self.classes, MAX_BOOSTED_CLASSES)
        fits = tested_parts(round(compared))
        choosing = choices * fits * (0.14 + learned * width * (1.8e-5 + 1.2e-6 * classes))
        trained = min(self.rows * (1 - 1 / folds), _LOOP.max_training_rows)
        fitting = fitted * (0.01 + trained * (8e-6 * width + 1.2e-6 * classes))
        return choosing + fitting + 2.8e-5 * targets

    @property
    def attack_costs(self) -> tuple[float, ...]:
        """Of each of the scenario's attacks by itself: targets times released rows."""
        per_pair = 2.5e-9 + 1e-10 * self.known
        own = (self.targets + self.people) / 2
        scoring = 0.05 + 1e-4 * own
        return tuple(own * rows * per_pair + scoring for rows in self.released)

    @property
    def scan_cost(self) -> float:
        """Of all of the scenario's attacks, without the baselines."""
        return sum(self.attack_costs)


def scenario_sizes(
    plan: CampaignPlan,
    original: Table,
    releases: Sequence[Release],
    *,
    data: EncodedTable | None = None,
) -> tuple[ScenarioSize, ...]:
    """Measure every scenario of a plan."""
    if not plan.attacks:
        return ()
    original, releases = asked_tables(original, releases, named_columns(plan.attacks))
    if data is None or not {*plan.unknown} <= data.columns.keys():
        data = encode(original, [], columns=plan.unknown).original
    people = People.of(original, plan.attacks[0].scenario)
    eligible = np.flatnonzero(people.eligible)
    bins = {scenario.unknown: scenario.bins for scenario in plan.scenarios}
    counts = {
        column: value_counts(data.columns[column][eligible], bins[column])
        for column in plan.unknown
    }
    share = 1.0
    if people.person is not None:
        share = len(np.unique(people.person[eligible])) / len(eligible)
    tables = {release.name: release for release in releases}
    released: dict[str, list[int]] = {}
    for attack in plan.attacks:
        rows = _scanned_rows(tables[attack.release], attack)
        released.setdefault(attack.scenario.key, []).append(rows)
    sizes = []
    for scenario in plan.scenarios:
        of_values = counts[scenario.unknown]
        total = int(of_values.sum())
        if scenario.down_sample:
            total = down_sampled_size(int(of_values.max()), total)
        wanted, candidates = scenario.selection.count, max(1, round(total * share))
        sizes.append(
            ScenarioSize(
                rows=len(original),
                candidates=candidates,
                wanted=candidates if wanted == "all" else wanted,
                known=len(scenario.known),
                classes=max(1, int(np.sum(of_values >= MIN_CLASS_ROWS))),
                released=tuple(released[scenario.key]),
            )
        )
    return tuple(sizes)


def attack_costs(
    attacks: Sequence[PlannedAttack], original: Table, releases: Sequence[Release]
) -> dict[int, float]:
    """Return what each attack costs, by its number; the first of a scenario has the baselines."""
    plan = CampaignPlan(attacks=tuple(attacks))
    costs: dict[int, float] = {}
    for scenario, size in zip(
        plan.scenarios, scenario_sizes(plan, original, releases), strict=True
    ):
        own = [attack.number for attack in attacks if attack.scenario.key == scenario.key]
        costs |= dict(zip(own, size.attack_costs, strict=True))
        costs[own[0]] += size.baseline_cost
    return costs


def total_seconds(costs: Sequence[float], *, processes: int, speed: float) -> float:
    """Return how long costs take when every process takes the next one as soon as it is free."""
    if not costs:
        return 0.0
    free_at = [0.0] * min(processes, len(costs))
    for cost in costs:
        heapq.heappushpop(free_at, free_at[0] + cost)
    return (START_SECONDS + max(free_at)) / speed


def scenario_costs(
    plan: CampaignPlan,
    original: Table,
    releases: Sequence[Release],
    *,
    data: EncodedTable | None = None,
) -> tuple[float, ...]:
    """Return what each scenario of a plan costs, however busy the machine is."""
    sizes = scenario_sizes(plan, original, releases, data=data)
    return tuple(size.baseline_cost + size.scan_cost for size in sizes)


def seconds_now(costs: Sequence[float], processes: int) -> float:
    """Estimate how long costs take on this machine, beside what else it does just now."""
    used = min(processes, len(costs))
    return total_seconds(costs, processes=used, speed=speed_now(used)) if used else 0.0


def speed_now(processes: int) -> float:
    """Return how fast each of so many processes is, beside what else the machine does just now."""
    free = _free_lately(processes, int(time.monotonic() / _LOAD_HOLDS))
    return machine_speed() * free / processes


@functools.lru_cache(maxsize=8)
def _free_lately(threads: int, _: int) -> float:
    """Return how many processors so many threads get: on average, measured once in a while."""
    found = _measured[threads]
    found.append(min(max(free_processors(threads), _LEAST_FREE), threads))
    return sum(found) / len(found)


_measured: defaultdict[int, deque[float]] = defaultdict(lambda: deque(maxlen=_AVERAGED))


def told_duration(seconds: float) -> str:
    """Say a duration as roughly as it is known.

    Examples
    --------
    >>> [told_duration(seconds) for seconds in (20, 100, 5000, 9000, 300_000)]
    ['under a minute', 'about 2 minutes', 'about 83 minutes', 'about 2.5 hours', 'about 3 days']
    """
    minutes = seconds / 60
    if minutes < 1:
        return "under a minute"
    if minutes < 90:
        return f"about {numbered(round(minutes), 'minute')}"
    if minutes < 48 * 60:
        return f"about {minutes / 60:.1f}".removesuffix(".0") + " hours"
    return f"about {minutes / 60 / 24:.0f} days"


def told_left(low: float, high: float) -> str:
    """Say within which seconds something ends.

    Examples
    --------
    >>> for left in ((-9, -1), (5, 40), (20, 150), (130, 400), (3000, 9000), (4000, 9000)):
    ...     print(told_left(*left))
    longer than expected
    less than a minute left
    up to 3 min left
    2 to 7 min left
    up to 3 h left
    1 to 3 h left
    """
    if high <= 0:
        return "longer than expected"
    if high <= 60:
        return "less than a minute left"
    unit, name = (60, "min") if high <= 90 * 60 else (3600, "h")
    least, most = math.floor(low / unit), math.ceil(high / unit)
    return f"{least} to {most} {name} left" if least > 0 else f"up to {most} {name} left"


@functools.cache
def machine_speed() -> float:
    """Measure how fast one thread of this machine is; remembered as long as the program runs."""
    from sklearn.ensemble import RandomForestClassifier

    rng = np.random.default_rng(0)
    known = rng.integers(0, 30, (3000, 6)).astype(np.float64)
    unknown = (known[:, 0] + known[:, 1] * rng.random(3000)).astype(np.int64) % 4
    seconds = []
    for _ in range(6):
        start = time.thread_time()
        RandomForestClassifier(20, min_samples_leaf=5, random_state=0, n_jobs=1).fit(known, unknown)
        seconds.append(time.thread_time() - start)
    # Processor time: what else the machine does just then is measured apart.
    return _REFERENCE_PROBE / min(seconds)


def _scanned_rows(release: Release, attack: PlannedAttack) -> int:
    """Return the rows that an attack reads, those of a dearer one counted several times."""
    scenario, found = attack.scenario, attack_type(attack.attack)
    known = [
        table
        for table in release.coded_tables()
        if any(column in table.columns for column in scenario.known)
    ]
    # A release of several tables may relate columns of one to those of another.
    together = [table for table in known if scenario.unknown in table.columns]
    rows = sum(len(table) for table in together or known)
    return math.ceil(rows * (found.relative_cost if found else 1.0))
