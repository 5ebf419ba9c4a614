"""The same attack on members and on people of a holdout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.attacks.best_row_match import matching
from alc_core.attacks.nearest_rows_kernels import TIE
from alc_core.attacks.registry import DEFAULT_ATTACK, make_attack, refusal
from alc_core.errors import InputError
from alc_core.measures.measure import Measured
from alc_core.parameter import check_whole
from alc_core.releases.microdata import ReleasedRows, RowsView
from alc_core.releases.registry import ReleaseLike, as_release
from alc_core.releases.release import without_rows
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scenario.no_value import settled
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues, People
from alc_core.studies.holdout.data import HoldoutData, joined
from alc_core.studies.holdout.result import (
    Closest,
    Distances,
    HoldoutAttack,
    HoldoutResult,
    Surest,
)
from alc_core.studies.members import Answers, answers, each_attack, share_of
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.codes.encode import CategoricalCodes, ColumnSpec, EncodedTable
from alc_core.tables.table import Table
from alc_core.tables.values.generalized import tags

_CELLS = 2_000_000


def nearest_to_sets(
    rows: KnownValues, people: KnownValues, size: int
) -> tuple[NDArray[np.intp], FloatArray]:
    """Find the people closest to released rows."""
    step = max(1, _CELLS // len(people))
    first, nearer = np.zeros(len(rows), dtype=np.intp), np.zeros(len(rows))
    for start in range(0, len(rows), step):
        part = np.arange(start, min(start + step, len(rows)))
        distances = gower_distances(rows.take(part), people)
        least = distances.min(axis=1)
        member = distances[:, :size].min(axis=1) <= least + TIE
        other = distances[:, size:].min(axis=1) <= least + TIE
        first[part] = distances.argmin(axis=1)
        nearer[part] = (member + 1.0 - other) / 2
    return first, nearer


def gower_distances(rows: KnownValues, people: KnownValues) -> FloatArray:
    """Return summed per-column distances, shape (n_rows, n_people)."""
    total = np.zeros((len(rows), len(people)))
    for name, spec in people.specs.items():
        theirs = people.columns[name]
        sets = rows.set_columns.get(name)
        if sets is not None:
            total += sets.corrections(theirs)[:, sets.codes].T
        if sets is None or sets.has_single:
            values = rows.columns[name] if sets is None else sets.single
            if isinstance(spec, CategoricalCodes):
                total += values[:, None] != theirs[None, :]
                continue
            own, other = values.astype(np.float64), theirs.astype(np.float64)
            gap = np.abs(own[:, None] - other) / (spec.range if spec.range > 0 else np.inf)
            # Non-numeric cells: missing equals missing, text must be identical
            sorts = (np.where(np.isnan(each), tags(each), -1) for each in (own, other))
            total += np.where(np.isnan(gap), np.not_equal.outer(*sorts), gap)
    return total


_MOST_PEOPLE = 20_000
_MOST_ROWS = 10_000
_MOST_ROWS_WITH_SETS = 2000
_GRID = 41


def closest_records(
    data: HoldoutData, columns: Sequence[str], *, seed: int, reporter: Reporter | None = None
) -> Closest:
    """Measure distances to the closest record."""
    reporter, specs = reporter or Reporter(), data.release.data.specs
    tables = data.release.data.released
    used = [c for c in columns if any(table.has(c) for table in tables)]
    every = [KnownValues.of(table, specs, used) for table in tables]
    rows = [known.take(np.flatnonzero(~known.suppressed)) for known in every]
    released = [(table.name, known) for table, known in zip(tables, rows, strict=True)
                if len(known) and (known.columns or known.set_columns)]  # fmt: skip
    if not released:
        raise InputError("No column of the release and holdout can be compared.")
    rng = np.random.default_rng([seed, 32])
    size = min(len(data.original), len(data.people), _MOST_PEOPLE)
    both = joined(
        *(
            KnownValues.of(each, specs, used).take(
                np.sort(rng.choice(len(each), size, replace=False))
            )
            for each in (data.original, data.people)
        )
    )
    reporter.report("Distances of people")
    distance = _of_people(released, both, {c: specs[c] for c in used})
    reporter.report("Distances of released rows")
    inside, weights, n_rows = _of_rows([known for _, known in released], both, size, rng)
    effective = n_rows**2 / float((weights**2).sum())
    share = share_of(inside * effective, effective)
    sides = (distance[:size], distance[size:])
    grid = np.unique([np.quantile(side, np.linspace(0, 1, _GRID)) for side in sides])
    return Closest(
        columns=tuple(used),
        grid=tuple(grid.tolist()),
        members=_distances(sides[0], grid),
        others=_distances(sides[1], grid),
        share=Measured(inside, share.low, share.high),
        share_of_copy=(1 + size / len(data.original)) / 2,
        rows=n_rows,
        effective_rows=effective,
    )


def _of_people(
    released: Sequence[tuple[str, KnownValues]],
    people: KnownValues,
    specs: Mapping[str, ColumnSpec],
) -> FloatArray:
    view = RowsView(
        tables=tuple(
            ReleasedRows(name=name, known=known, unknown=np.zeros(len(known), dtype=np.int32))
            for name, known in released
        ),
        known=specs,
        unknown=CategoricalCodes(name="row", labels=()),
    )
    (closeness,) = matching(view, lambda _, closeness: (closeness,))(people)
    return np.maximum(0.0, 1.0 - closeness)


def _of_rows(
    released: Sequence[KnownValues], people: KnownValues, size: int, rng: np.random.Generator
) -> tuple[float, FloatArray, int]:
    """Return the share of rows nearer to members, rows by closest person, and row number."""
    with_sets = any(known.set_columns for known in released)
    most = _MOST_ROWS_WITH_SETS if with_sets else _MOST_ROWS
    total = sum(map(len, released))
    inside, n_rows, weights = 0.0, 0, np.zeros(len(people))
    for known in released:
        drawn = min(len(known), -(-most * len(known) // total))
        rows = known.take(np.sort(rng.choice(len(known), drawn, replace=False)))
        first, nearer = (nearest_to_sets if known.set_columns else _nearest)(
            rows, _over(people, known), size
        )
        inside += float(nearer.sum())
        weights += np.bincount(first, minlength=len(people))
        n_rows += drawn
    return inside / n_rows, weights, n_rows


def _over(people: KnownValues, rows: KnownValues) -> KnownValues:
    names = [c for c in rows.specs if c in rows.columns or c in rows.set_columns]
    return KnownValues(
        specs={name: people.specs[name] for name in names},
        columns={name: people.columns[name] for name in names},
        n_rows=len(people),
    )


def _nearest(
    rows: KnownValues, people: KnownValues, size: int
) -> tuple[NDArray[np.intp], FloatArray]:
    """Return each row's closest person, and whether a member: 1, 0, or both one half."""
    numbers = np.arange(len(people), dtype=np.int32)
    view = RowsView(
        tables=(ReleasedRows(name="people", known=people, unknown=numbers),),
        known=people.specs,
        unknown=CategoricalCodes(name="person", labels=tuple(map(str, numbers.tolist()))),
    )
    own = KnownValues(specs=people.specs, columns=rows.columns, n_rows=len(rows))

    def read(counts: FloatArray, _: FloatArray) -> tuple[NDArray[Any], ...]:
        member = (counts[:, :size] > 0).any(axis=1)
        other = (counts[:, size:] > 0).any(axis=1)
        return counts.argmax(axis=1), np.asarray((member + 1.0 - other) / 2)

    first, nearer = matching(view, read)(own)
    return np.asarray(first, dtype=np.intp), np.asarray(nearer, dtype=np.float64)


def _distances(distance: FloatArray, grid: FloatArray) -> Distances:
    within = np.searchsorted(np.sort(distance), grid + TIE, side="right") / len(distance)
    return Distances(
        people=len(distance),
        equal=int((distance <= TIE).sum()),
        low=float(np.quantile(distance, 0.05)),
        median=float(np.median(distance)),
        cumulative=tuple(within.tolist()),
    )


_SHARES = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
_FEWEST = 20  # Least predictions for members, and for others, of a share


def attack_both(
    data: HoldoutData, scenario: Scenario, *, attack: str, most: int, seed: int
) -> HoldoutAttack:
    """Run an attack on members and holdout people."""
    scenario.require_exact("The comparison with a holdout")
    found_out = settled(scenario, data.tables[0])
    if scenario.selection.missing is not None and found_out.selection.missing is None:
        # Holdout people without a value are also excluded
        targets = replace(found_out.selection, missing={scenario.unknown: ()})
        found_out = replace(found_out, targets=targets)
    scenario = found_out
    made = make_attack(attack)
    if reason := refusal(made.accepts, data.published):
        raise InputError(f"Attack '{attack}' {reason}. Choose another attack or release.")
    view, codes = data.release.view(scenario), data.release.data
    rng = np.random.default_rng([seed, 31])
    members = _targets(data, data.original, data.tables[0], None, scenario, rng)
    others = _targets(data, data.people, data.tables[1], data.rows, scenario, rng)
    size = min(most, len(members), len(others))
    if not size:
        raise InputError(
            f"Nobody selected in the {'original' if not len(members) else 'holdout'} has "
            f"'{scenario.unknown}'. Choose another column."
        )

    def side(people: EncodedTable, rows: NDArray[np.intp]) -> tuple[KnownValues, CodeArray]:
        truth = codes.as_unknown(people, scenario.unknown, scenario.bins, scenario.markers)
        return KnownValues.of(people, codes.specs, scenario.known).take(rows), truth[rows]

    sides = side(data.original, members[:size]), side(data.people, others[:size])
    found, notes = answers(made, view, scenario, *sides, seed=seed)
    return HoldoutAttack(
        known=tuple(scenario.known),
        unknown=scenario.unknown,
        attack=made.name,
        members=found[0].guesses(),
        others=found[1].guesses(),
        surest=_surest(found),
        notes=(*map(str, data.release.notes(scenario)), *notes),
    )


def _targets(
    data: HoldoutData,
    encoded: EncodedTable,
    table: Table,
    rows: NDArray[np.intp] | None,
    scenario: Scenario,
    rng: np.random.Generator,
) -> NDArray[np.intp]:
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


def _surest(found: Sequence[Answers]) -> tuple[Surest, ...]:
    made = [each.predictions for each in found]
    scores = np.concatenate([each.scores[~each.abstained] for each in made])
    if not len(scores):
        return ()
    falling = np.sort(scores)[::-1]
    parts: list[Surest] = []
    last = float(falling[-1])
    for share in _SHARES:
        least = float(falling[int(np.ceil(share * len(falling))) - 1])
        members, others = (each.guesses(least) for each in found)
        if least == last or min(members.predicted, others.predicted) < _FEWEST:
            continue
        last = least
        kept = members.predicted + others.predicted
        parts.append(Surest(share=kept / len(falling), members=members, others=others))
    return tuple(parts)


MOST_PEOPLE = 2000  # Members, and others, of one attack


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAttack:
    """An attack on members and on others.

    Examples
    --------
    >>> AskedAttack(scenario=Scenario(["age"], "job")).attack
    'best row match'
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
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> HoldoutResult:
    """Compare members with people who are in neither table.

    Parameters
    ----------
    original : Table, data frame or path
    release : Release, Table, data frame or path
    holdout : Table, data frame or path
        Other people of the same population, columns written alike.
    attacks : sequence of AskedAttack or Scenario, optional
        Scenarios are attacked by best row match. Without any, only distances are measured.
    people : int, default 2000
        Most members, and others, per attack.
    seed : int, default 0
        Same input and seed, same result.
    progress, cancel
        As in :func:`~alc_core.assessment.run.assess`.

    Returns
    -------
    HoldoutResult

    Raises
    ------
    ColumnError
        If original or holdout lacks a column of a scenario.
    InputError
        If the holdout or an attack is unsuitable.
    CancelledError
        If `cancel` returned true.

    Examples
    --------
    >>> import alc_core as alc
    >>> women = alc.load_demo("fair").original.frame
    >>> found = measure_holdout(women[:900], women[:900], women[900:1800])
    >>> found.closest is not None
    True
    """
    check_whole("seed", seed)
    table = as_table(original, name="original")
    published = as_release(release, table)
    others = as_table(holdout, name="holdout")
    asked = [each if isinstance(each, AskedAttack) else AskedAttack(scenario=each)
             for each in attacks]  # fmt: skip
    if people < 1:
        raise InputError(f"{people} people cannot be attacked.")
    reporter = Reporter(progress=progress, cancel=cancel)
    reporter.report("Comparing the holdout with the original")
    needed = dict.fromkeys(column for each in asked for column in each.scenario.columns)
    data = HoldoutData.of(table, published, others, columns=needed, seed=seed)
    found, refused = each_attack(
        asked,
        lambda each: attack_both(data, each.scenario, attack=each.attack, most=people, seed=seed),
        reporter,
        "Attacking members and others",
    )
    if refused and not found:
        raise refused[-1][1]
    left_out = [f"An attack on '{each.scenario.wanted}' was left out: {error}"
                for each, error in refused]  # fmt: skip
    compared = [column for column in data.columns if table.kind(column).is_compared]
    closest = None
    notes = (*data.notes, *left_out)
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
