"""How long a campaign takes: costs of attacks, speed of this machine.

Costs are seconds of one thread of a machine of 2024, measured on tables of 1 000 to 33 000 rows
with 2 to 15 columns. A single scenario may take a third or three times as long.
"""

from __future__ import annotations

import functools
import heapq
import math
import time
from collections import defaultdict, deque
from collections.abc import Sequence

import numpy as np

from alc_core.attacks.protocol import USUAL_SECONDS
from alc_core.attacks.registry import attack_type
from alc_core.campaign.model import PlannedAttack
from alc_core.phrasing import numbered
from alc_core.releases.release import Release
from alc_core.runtime.machine import free_processors
from alc_core.scenario.targets import default_folds
from alc_core.scoring.parameters import LoopParameters
from alc_core.tables.table import Table

# Seconds of a scenario's baselines: fixed, per fold, per row learned from
_BASELINE, _FOLD, _LEARNED = 0.7, 0.3, 1e-5
_TARGET = 3e-5  # Seconds of the loop per target, for any attack
_USUAL = 5000  # Default targets on average, before whole folds
START_SECONDS = 3.0  # To start a process and load what it needs
_AVERAGED = 6  # Measurements of a busy machine: each is off by a third
_LOAD_HOLDS = 20.0  # Seconds for which the load is reused
_LEAST_FREE = 0.1  # Least processors a campaign gets in the long run
_REFERENCE_PROBE = 0.048  # Seconds of the probe where costs were measured


def attack_costs(
    attacks: Sequence[PlannedAttack], original: Table, releases: Sequence[Release]
) -> dict[int, float]:
    """Return each attack's cost; the first of a scenario includes the baselines."""
    rows, every = max(1, len(original)), default_folds(len(original))
    learned = min(rows, LoopParameters().max_training_rows)
    released = {release.name: sum(map(len, release.tables)) for release in releases}
    costs, begun = dict[int, float](), set[str]()
    for attack in attacks:
        asked = attack.scenario.selection.count
        wanted = min(rows if asked == "all" else asked or _USUAL, rows)
        folds = math.ceil(every * wanted / rows)
        targets = wanted if asked else rows * folds / every
        kind = attack_type(attack.attack)
        itself, of_pairs = kind.seconds if kind else USUAL_SECONDS
        cost = itself + targets * (_TARGET + of_pairs * released[attack.release] / 1e6)
        if (key := attack.scenario.key) not in begun:
            begun.add(key)
            cost += _BASELINE + folds * (_FOLD + _LEARNED * learned)
        costs[attack.number] = cost
    return costs


def scenario_costs(
    attacks: Sequence[PlannedAttack], original: Table, releases: Sequence[Release]
) -> tuple[float, ...]:
    """Return the attacks' joint cost per scenario."""
    costs, sums = attack_costs(attacks, original, releases), defaultdict[str, float](float)
    for attack in attacks:
        sums[attack.scenario.key] += costs[attack.number]
    return tuple(sums.values())


def total_seconds(costs: Sequence[float], *, processes: int, speed: float) -> float:
    """Return the total time if each process takes the next one when free."""
    if not costs:
        return 0.0
    free_at = [0.0] * min(processes, len(costs))
    for cost in costs:
        heapq.heappushpop(free_at, free_at[0] + cost)
    return (START_SECONDS + max(free_at)) / speed


def seconds_now(costs: Sequence[float], processes: int) -> float:
    """Estimate how long costs take on this machine at its present load."""
    used = min(processes, len(costs))
    return total_seconds(costs, processes=used, speed=speed_now(used)) if used else 0.0


def speed_now(processes: int) -> float:
    """Return each process's speed at the machine's present load."""
    free = _free_lately(processes, int(time.monotonic() / _LOAD_HOLDS))
    return machine_speed() * free / processes


@functools.lru_cache(maxsize=8)
def _free_lately(threads: int, _: int) -> float:
    """Return the processors that threads get on average, measured at intervals."""
    found = _measured[threads]
    found.append(min(max(free_processors(threads), _LEAST_FREE), threads))
    return sum(found) / len(found)


_measured: defaultdict[int, deque[float]] = defaultdict(lambda: deque(maxlen=_AVERAGED))


def told_duration(seconds: float) -> str:
    """Return a duration as roughly as it is known.

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
    """Return a remaining time in words.

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
    """Measure the speed of one thread once per process."""
    from sklearn.ensemble import RandomForestClassifier

    rng = np.random.default_rng(0)
    known = rng.integers(0, 30, (3000, 6)).astype(np.float64)
    unknown = (known[:, 0] + known[:, 1] * rng.random(3000)).astype(np.int64) % 4
    seconds = []
    for _ in range(6):
        start = time.thread_time()
        RandomForestClassifier(20, min_samples_leaf=5, random_state=0, n_jobs=1).fit(known, unknown)
        seconds.append(time.thread_time() - start)
    # Processor time: the load is measured separately
    return _REFERENCE_PROBE / min(seconds)
