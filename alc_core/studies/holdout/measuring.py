"""The same attack on members and on people of a holdout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray
from alc_core.attacks.protocol import Predictions, notes_of
from alc_core.attacks.registry import DEFAULT_ATTACK, make_attack, refusal
from alc_core.errors import InputError
from alc_core.releases.registry import ReleaseLike, TableLike, as_release, as_table
from alc_core.releases.release import Release, without_rows
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scenario.no_value import settled
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues, People
from alc_core.studies.holdout.closest import closest_records
from alc_core.studies.holdout.data import Checked, HoldoutData
from alc_core.studies.holdout.result import Guesses, HoldoutAttack, HoldoutResult, Surest
from alc_core.tables.codes.encode import EncodedTable
from alc_core.tables.table import Table

_SHARES = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
_FEWEST = 20
"""Predictions for members and for others that a share of them needs."""


def attack_both(
    data: HoldoutData,
    tables: tuple[Table, Table],
    release: Release,
    scenario: Scenario,
    *,
    attack: str,
    most: int,
    seed: int,
) -> HoldoutAttack:
    """Run an attack on members and on people of the holdout.

    The attack reads the release and the known columns of its targets, never their unknown value.
    Where it abstains it is not right.
    """
    scenario.require_exact("The comparison with a holdout")
    scenario = _settled(scenario, tables[0])
    made = make_attack(attack)
    if reason := refusal(made.accepts, release):
        raise InputError(f"Attack '{attack}' {reason}. Choose another attack, or another release.")
    view = data.release.view(scenario)
    rng = np.random.default_rng([seed, 31])
    members = _targets(data, data.original, tables[0], None, scenario, rng)
    others = _targets(data, data.people, tables[1], data.rows, scenario, rng)
    size = min(most, len(members), len(others))
    if not size:
        raise InputError(
            f"Nobody of the {'original' if not len(members) else 'holdout'} has a value of "
            f"'{scenario.unknown}', or nobody is selected. Choose another column."
        )
    predict = made.prepare(view, np.random.default_rng([seed, 1]))
    sides = [(data.original, members[:size]), (data.people, others[:size])]
    found = [_attacked(data, table, rows, scenario, predict) for table, rows in sides]
    for (made_of, _), (_, rows) in zip(found, sides, strict=True):
        made_of.check(len(rows), view.unknown.size, made.name)
    return HoldoutAttack(
        known=tuple(scenario.known),
        unknown=scenario.unknown,
        attack=made.name,
        members=_guesses(*found[0]),
        others=_guesses(*found[1]),
        surest=_surest(found),
        notes=(*data.release.notes(scenario), *notes_of(predict)),
    )


def _targets(
    data: HoldoutData,
    encoded: EncodedTable,
    table: Table,
    rows: NDArray[np.intp] | None,
    scenario: Scenario,
    rng: np.random.Generator,
) -> NDArray[np.intp]:
    """Return people with a value in random order, one row of each."""
    people = People.of(table, scenario)
    units, eligible = people.units, people.eligible.copy()
    if rows is not None:
        units, eligible = units[rows], eligible[rows]
    if scenario.selection.missing is not None:
        own = replace(data.release.data, original=encoded)
        eligible &= ~own.lacks_value(scenario.unknown, scenario.markers)
    order = rng.permutation(np.flatnonzero(eligible))
    _, first = np.unique(units[order], return_index=True)
    return np.asarray(order[np.sort(first)], dtype=np.intp)


def _attacked(
    data: HoldoutData,
    table: EncodedTable,
    rows: NDArray[np.intp],
    scenario: Scenario,
    predict: object,
) -> tuple[Predictions, NDArray[np.bool_]]:
    specs = data.release.data.specs
    known = KnownValues.of(table, specs, scenario.known).take(rows)
    predictions: Predictions = predict(known)  # type: ignore[operator]
    truth: CodeArray = data.release.data.as_unknown(
        table, scenario.unknown, scenario.bins, scenario.markers
    )[rows]
    return predictions, scenario.is_right(predictions.values, truth) & ~predictions.abstained


def _guesses(
    predictions: Predictions,
    right: NDArray[np.bool_],
    least: float = -np.inf,
) -> Guesses:
    kept = ~predictions.abstained & (np.nan_to_num(predictions.scores, nan=-np.inf) >= least)
    return Guesses(people=len(right), predicted=int(kept.sum()), right=int((right & kept).sum()))


def _surest(
    found: Sequence[tuple[Predictions, NDArray[np.bool_]]],
) -> tuple[Surest, ...]:
    """Return what is right among the surest predictions, equal scores together."""
    scores = np.concatenate([made.scores[~made.abstained] for made, _ in found])
    if not len(scores):
        return ()
    falling = np.sort(scores)[::-1]
    parts: list[Surest] = []
    last = float(falling[-1])
    for share in _SHARES:
        least = float(falling[int(np.ceil(share * len(falling))) - 1])
        members, others = (_guesses(*each, least) for each in found)
        if least == last or min(members.predicted, others.predicted) < _FEWEST:
            continue
        last = least
        kept = members.predicted + others.predicted
        parts.append(Surest(share=kept / len(falling), members=members, others=others))
    return tuple(parts)


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
    original: TableLike,
    release: ReleaseLike,
    holdout: TableLike,
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
    original : Table, data frame or path
        The members.
    release : Release, Table, data frame or path
        What was made of them.
    holdout : Table, data frame or path
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
        found.append(
            attack_both(
                data, (table, others), published, each.scenario,
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
