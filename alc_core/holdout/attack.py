"""The same attack on members and on people of a holdout."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from alc_core.attacks.protocol import Predictions, notes_of
from alc_core.attacks.registry import make_attack, refusal
from alc_core.errors import InputError
from alc_core.holdout.data import HoldoutData
from alc_core.holdout.rates import Guesses
from alc_core.holdout.result import HoldoutAttack, Surest
from alc_core.releases.release import Release
from alc_core.scenario.known_values import KnownValues
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import People
from alc_core.tables.codes.encode import CodeArray, EncodedTable
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
    from dataclasses import replace

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
