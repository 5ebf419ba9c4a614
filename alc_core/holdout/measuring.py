"""One release measured with people who are in neither table, in a single call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from alc_core.attacks.registry import DEFAULT_ATTACK
from alc_core.errors import InputError
from alc_core.holdout.attack import attack_both
from alc_core.holdout.closest import closest_records
from alc_core.holdout.data import Checked, HoldoutData
from alc_core.holdout.result import HoldoutAttack, HoldoutResult
from alc_core.releases.registry import ReleaseLike, as_release, as_table
from alc_core.releases.release import without_rows
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scenario.no_value import settled
from alc_core.scenario.scenario import Scenario
from alc_core.tables.table import Table

MOST_PEOPLE = 2000
"""Members, and others, of one attack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAttack:
    """An attack to be run on members and on others.

    Attributes
    ----------
    scenario : Scenario
        What is attacked.
    attack : str
        Name of a registered attack.
    """

    scenario: Scenario
    attack: str = DEFAULT_ATTACK


def measure_holdout(
    original: Table | pd.DataFrame,
    release: ReleaseLike,
    holdout: Table | pd.DataFrame,
    attacks: Sequence[AskedAttack | Scenario] = (),
    *,
    people: int = MOST_PEOPLE,
    seed: int = 0,
    checked: Checked | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> HoldoutResult:
    """Compare members with people who are in neither table.

    Parameters
    ----------
    original : Table or DataFrame
        The members.
    release : Release, Table or DataFrame
        What was made of them.
    holdout : Table or DataFrame
        Other people of the same population, with the same columns written alike.
    attacks : sequence of AskedAttack or Scenario, optional
        Run on both; a scenario by best row match. Without any only distances are measured.
    people : int, default 2000
        Members, and others, whom each attack is run on at most.
    seed : int, default 0
        Same input and seed, same result.
    checked : dict, optional
        Empty at first; the same for several releases lets the holdout be checked once.
    progress, cancel
        As :func:`~alc_core.assessment.run.assess` takes them.

    Returns
    -------
    HoldoutResult
        Rates of each attack with residual risk, distances to the closest record.

    Raises
    ------
    ColumnError
        If original or holdout lacks a column of a scenario.
    InputError
        If the holdout cannot be compared, or an attack cannot be run on the release.
    CancelledError
        If `cancel` asked for it.
    """
    table, published = as_table(original, name="original"), as_release(release)
    others = as_table(holdout, name="holdout")
    asked = [each if isinstance(each, AskedAttack) else AskedAttack(scenario=each)
             for each in attacks]  # fmt: skip
    if people < 1:
        raise InputError(f"{people} people cannot be attacked. Name at least 1.")
    reporter = Reporter(progress=progress, cancel=cancel)
    reporter.report("Comparing the holdout with the original")
    needed = dict.fromkeys(column for each in asked for column in each.scenario.columns)
    data = HoldoutData.of(table, published, others, columns=needed, seed=seed, checked=checked)
    found: list[HoldoutAttack] = []
    for number, each in enumerate(asked):
        reporter.report("Attacking members and others", number, len(asked))
        scenario = _settled(each.scenario, table)
        found.append(
            attack_both(
                data, (table, others), published, scenario,
                attack=each.attack, most=people, seed=seed,
            )
        )  # fmt: skip
    compared = [column for column in data.columns if table.kind(column).is_compared]
    closest = None
    notes = data.notes
    if published.holds_rows and compared:
        closest = closest_records(data, compared, seed=seed, reporter=reporter)
    else:
        notes = (*notes, without_rows(published, "Distances need") or "No column can be compared.")
    return HoldoutResult(
        release=published.name,
        fingerprint=table.fingerprint,
        holdout=others.name,
        holdout_fingerprint=others.fingerprint,
        resemblance=data.resemblance,
        closest=closest,
        attacks=tuple(found),
        seed=seed,
        notes=notes,
    )


def _settled(scenario: Scenario, original: Table) -> Scenario:
    """Return a scenario that still leaves out people of the holdout without a value."""
    found = settled(scenario, original)
    if scenario.selection.missing is None or found.selection.missing is not None:
        return found
    return replace(found, targets=replace(found.selection, missing={scenario.unknown: ()}))
