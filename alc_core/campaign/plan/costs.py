"""What the parts of a campaign cost, in seconds on a reference machine.

That is one thread of a machine of 2024, measured on tables of 6 000 to 33 000 rows with 2 to 15
columns. Which models a baseline chooses cannot be foreseen, so that a single scenario may take a
third or three times as long; over a campaign this evens out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from alc_core.baselines.families import MAX_BOOSTED_CLASSES
from alc_core.baselines.folds import choice_groups
from alc_core.baselines.selection import SELECTION_ROWS, selection_parts, tested_parts
from alc_core.scenario.targets import default_folds
from alc_core.scoring.parameters import LoopParameters


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSize:
    """What the time of a scenario depends on."""

    rows: int  # Of the original
    candidates: int  # People who can be targets, after down-sampling
    wanted: int | None = None  # Targets asked for; None where the halting criteria decide
    known: int  # Known columns
    classes: int  # Values of the unknown column that are frequent enough to be learned
    released: tuple[int, ...]  # For each attack the released rows that it scans


def expected_targets(size: ScenarioSize, loop: LoopParameters) -> int:
    """Return how many people will be attacked if the first look at the criteria ends the loop."""
    if size.wanted is not None:
        return min(size.wanted, size.candidates)
    folds = _folds(size, loop)
    per_fold = max(1, math.ceil(size.candidates / folds))
    per_look = min(per_fold, math.ceil(loop.look_every / loop.batch) * loop.batch)
    looks = math.ceil(loop.min_targets / per_look)
    return min(looks * per_look, size.candidates)


def baseline_cost(size: ScenarioSize, loop: LoopParameters) -> float:
    """Return the cost of choosing, fitting and asking the baselines of a scenario, once for all."""
    targets, folds = expected_targets(size, loop), _folds(size, loop)
    fitted = min(folds, max(1, math.ceil(folds * targets / max(1, size.candidates))))
    groups = choice_groups(size.rows, folds)
    choices = (fitted - 1) * groups // folds + 1
    compared = min(size.rows * (1 - 1 / groups), SELECTION_ROWS)
    parts = selection_parts(round(compared))
    learned = compared * (1 - 1 / parts)
    width, classes = math.sqrt(size.known), min(size.classes, MAX_BOOSTED_CLASSES)
    fits = tested_parts(round(compared))
    choosing = choices * fits * (0.14 + learned * width * (1.8e-5 + 1.2e-6 * classes))
    trained = min(size.rows * (1 - 1 / folds), loop.max_training_rows)
    fitting = fitted * (0.01 + trained * (8e-6 * width + 1.2e-6 * classes))
    return choosing + fitting + 2.8e-5 * targets


def scan_cost(size: ScenarioSize, loop: LoopParameters) -> float:
    """Return the cost of a scenario's attacks themselves: targets times released rows."""
    targets = expected_targets(size, loop)
    per_pair = 2.5e-9 + 1e-10 * size.known
    scoring = 0.02 + 4e-5 * loop.resamples
    return sum(targets * rows * per_pair + scoring for rows in size.released)


def _folds(size: ScenarioSize, loop: LoopParameters) -> int:
    return loop.folds or default_folds(size.rows)
