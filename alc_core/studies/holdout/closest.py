"""The people closest to released rows whose labels stand for several values.

The scan of :mod:`~alc_core.attacks.nearest_rows` looks for the rows closest to a person, and takes
no labels of targets; here, for fewer rows, the same distances are added up the other way round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.attacks.best_row_match import matching
from alc_core.attacks.nearest_rows_kernels import TIE
from alc_core.errors import InputError
from alc_core.measures.measure import Measured
from alc_core.releases.microdata import ReleasedRows, RowsView
from alc_core.runtime.progress import Reporter
from alc_core.scenario.targets import KnownValues
from alc_core.studies.holdout.data import HoldoutData, joined
from alc_core.studies.holdout.result import Closest, Distances, share_of
from alc_core.tables.codes.encode import CategoricalCodes, ColumnSpec, EncodedTable

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
    """Return the sums of per-column distances, shape (n_rows, n_people)."""
    total = np.zeros((len(rows), len(people)))
    for name, spec in people.specs.items():
        theirs = people.columns[name]
        sets = rows.set_columns.get(name)
        if sets is not None:
            total += sets.corrections(theirs)[:, sets.codes].T
        if sets is None or sets.has_single:
            values = rows.columns[name] if sets is None else sets.single
            total += _plain(np.asarray(values), np.asarray(theirs), spec)
    return total


def _plain(
    values: NDArray[np.generic], theirs: NDArray[np.generic], spec: ColumnSpec
) -> FloatArray:
    if isinstance(spec, CategoricalCodes):
        return np.asarray(values[:, None] != theirs[None, :], dtype=np.float64)
    one, other = values.astype(np.float64)[:, None], theirs.astype(np.float64)[None, :]
    gap = np.abs(one - other) / (spec.range if spec.range > 0 else np.inf)
    missing = np.isnan(one), np.isnan(other)
    return np.where(missing[0] | missing[1], missing[0] != missing[1], gap)


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
    used = [c for c in columns if any(_has(table, c) for table in tables)]
    rows = [_telling(KnownValues.of(table, specs, used)) for table in tables]
    released = [(table.name, known) for table, known in zip(tables, rows, strict=True)
                if len(known) and (known.columns or known.set_columns)]  # fmt: skip
    if not released:
        raise InputError("No released row tells anything of the columns of the holdout.")
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


def _has(table: EncodedTable, column: str) -> bool:
    return column in table.columns or column in table.set_columns


def _telling(known: KnownValues) -> KnownValues:
    """Leave out rows that have every column suppressed."""
    if known.columns or not known.set_columns:
        return known
    every = [column.suppressed for column in known.set_columns.values()]
    return known.take(np.flatnonzero(~np.logical_and.reduce(every)))


def _of_people(
    released: Sequence[tuple[str, KnownValues]],
    people: KnownValues,
    specs: Mapping[str, ColumnSpec],
) -> FloatArray:
    """Return how far each person is from the closest released row."""
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
    """Return the share of rows nearer to members, how often each person is closest, and rows.

    The rows of one person hang together: if that person is a member, all of them are nearer to
    members. So the interval counts people, not rows.
    """
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
    """Return people with those columns that some rows have."""
    names = [c for c in rows.specs if c in rows.columns or c in rows.set_columns]
    return KnownValues(
        specs={name: people.specs[name] for name in names},
        columns={name: people.columns[name] for name in names},
        n_rows=len(people),
    )


def _nearest(
    rows: KnownValues, people: KnownValues, size: int
) -> tuple[NDArray[np.intp], FloatArray]:
    """Return of each row a closest person, and whether that is a member: 1, 0, of both one half."""
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
