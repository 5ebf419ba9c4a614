"""An attack by some of a person's rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray, IntArray
from alc_core.attacks.best_row_match import row_weights
from alc_core.attacks.protocol import AttackType, Predictions, Predictor
from alc_core.linked.events import events_of
from alc_core.releases.linked import EventsView, KnownRows
from alc_core.runtime.machine import available_threads
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.columns import CountedValues, likeliest_right
from alc_core.tables.codes.encode import CategoricalCodes, ContinuousScale
from alc_core.tables.values.generalized import distinct_keys, tags

_CELLS = 8_000_000  # Distances of a batch of targets stay below this (64 MB)


class KnownEvents:
    """Predict the modal value of the nearest released people, or of their rows assigned.

    The distance is the sum over known columns of the root and, by the cheapest one-to-one
    assignment, over known rows. A known row without a released one adds 1 for each of its columns.
    Distances of values, and the rank score (1 - distance) · M / C, are those of best row match.

    Parameters
    ----------
    threads : int, optional
        One per processor by default; results do not depend on it.
    """

    name: str = "known events"
    accepts = (KnownRows,)

    def __init__(self, *, threads: int | None = None) -> None:
        self.threads = threads

    def prepare(self, view: EventsView, rng: np.random.Generator) -> Predictor:  # noqa: ARG002
        """Return the predictor, which compares targets with released people."""
        values = view.values
        counted = CountedValues.of([(values.unknown, values.spread)], view.unknown.size)
        index = _Index.of(view)
        codes = np.arange(view.unknown.size)

        def portion(targets: KnownValues) -> tuple[NDArray[Any], ...]:
            distance, counts = index.nearest(targets, counted.numbers[0], counted.size)
            shares = counted.by_code(counts)
            best, right = likeliest_right(shares, codes, near=view.unknown.near)
            return best, (1 - distance) * (right / shares.sum(axis=1))

        def predict(targets: KnownValues) -> Predictions:
            workers = self.threads or available_threads()
            parts = max(min(workers, len(targets)), -(-len(targets) * index.cells // _CELLS))
            found = Parallel(n_jobs=workers, prefer="threads")(
                delayed(portion)(targets.take(rows))
                for rows in np.array_split(np.arange(len(targets)), parts)
            )
            values, scores = (np.concatenate(each) for each in zip(*found, strict=True))
            return Predictions.of(values, scores)

        return predict


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Index:
    """Released people and rows by distinct known values."""

    people: KnownValues  # A row for each distinct combination
    combination: IntArray  # Of each person
    rows: KnownValues  # Likewise
    combination_of_row: IntArray  # By row, in order of people
    order: IntArray  # Of rows by person
    starts: IntArray  # First row of each person, and the end
    events: tuple[tuple[str, ...], ...]  # Columns of each known row
    asked: int  # The known row with the unknown value; -1 if people have it
    weights: FloatArray  # Of each person among the nearest
    absent: int  # Known columns missing in the release

    @classmethod
    def of(cls, view: EventsView) -> _Index:
        order = np.argsort(view.person, kind="stable")
        numbers: dict[tuple[str, int], list[str]] = {}
        if view.of_row:
            numbers[view.of_row[:2]] = []
        columns: dict[str, str] = {}  # All known rows have the same candidates
        for name, event in events_of(view.rows.specs).items():
            numbers.setdefault(event[:2], []).append(name)
            columns.setdefault(event.column, name)
        first_people, combination = _distinct(view.people, [*view.people.specs])
        first_rows, of_row = _distinct(view.rows, [*columns.values()])
        people = view.people.n_rows
        return cls(
            people=view.people.take(first_people),
            combination=combination,
            rows=view.rows.take(first_rows),
            combination_of_row=of_row[order],
            order=order,
            starts=np.searchsorted(view.person[order], np.arange(people + 1)),
            events=tuple(map(tuple, numbers.values())),
            asked=0 if view.of_row else -1,
            weights=row_weights([view.people])[0] if view.people.specs else np.ones(people),
            absent=len(view.absent),
        )

    @property
    def cells(self) -> int:
        return len(self.people) + len(self.events) * len(self.rows) + 2 * len(self.combination)

    def nearest(
        self, targets: KnownValues, unknown: CodeArray, size: int
    ) -> tuple[FloatArray, FloatArray]:
        """Return distances to the nearest people, and their values' weights."""
        from alc_core.attacks.known_events_kernel import nearest_people

        root = _distances(self.people, targets, [*self.people.specs]) + float(self.absent)
        costs = np.stack([_distances(self.rows, targets, e) for e in self.events], axis=1)
        has = np.array(
            [np.any([np.zeros(len(targets), bool), *(_present(targets, c) for c in event)], axis=0)
             for event in self.events]
        ).T  # fmt: skip
        columns = np.array([float(len(event)) for event in self.events])
        of = len(self.people.specs) + has @ columns
        if self.asked >= 0:
            costs[:, self.asked][~has[:, self.asked]] = 0.0
            has[:, self.asked], columns[self.asked] = True, np.inf
            unknown = unknown[self.order]
        counts = np.zeros((len(targets), size))
        sums = nearest_people(
            root, self.combination, costs, has, self.combination_of_row, self.starts,
            columns, self.asked, np.asarray(unknown, np.int64), self.weights, counts,
        )  # fmt: skip
        return sums / np.maximum(of, 1), counts


def _distinct(known: KnownValues, columns: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Return the first row of each combination, and each row's combination."""
    place = np.zeros(known.n_rows, dtype=np.int64)
    for column in columns:
        for cells in _cells(known, column):
            own = np.unique(cells, return_inverse=True)[1]
            place = np.unique(place * (own.max(initial=0) + 1) + own, return_inverse=True)[1]
    _, first, place = np.unique(place, return_index=True, return_inverse=True)
    return first.astype(np.int64), place.astype(np.int64)


def _cells(known: KnownValues, column: str) -> list[NDArray[Any]]:
    if column in known.set_columns:
        sets = known.set_columns[column]
        return [sets.codes, distinct_keys(sets.single)]
    return [distinct_keys(known.columns[column])] if column in known.columns else []


def _distances(known: KnownValues, targets: KnownValues, columns: Sequence[str]) -> FloatArray:
    total = np.zeros((len(targets), known.n_rows))
    for column in columns:
        values, sets = targets.columns[column], known.set_columns.get(column)
        if sets is None and column not in known.columns:
            continue
        single = known.columns[column] if sets is None else sets.single
        apart = _apart(np.asarray(values), np.asarray(single), known.specs[column])
        if sets is not None:
            of_labels = np.column_stack([sets.distances(values), np.zeros(len(values))])
            apart = np.where(sets.labelled, of_labels[:, sets.codes], apart)
        total += apart
    return total


def _apart(
    values: NDArray[Any], single: NDArray[Any], spec: CategoricalCodes | ContinuousScale
) -> FloatArray:
    same = distinct_keys(values)[:, None] == distinct_keys(single)
    if isinstance(spec, CategoricalCodes):
        return np.where(same, 0.0, 1.0)
    gap = np.abs(values[:, None] - single) / (spec.range if spec.range > 0 else 1.0)
    return np.where(same, 0.0, np.where(np.isnan(gap), 1.0, np.minimum(gap, 1.0)))


def _present(targets: KnownValues, column: str) -> NDArray[np.bool_]:
    spec, values = targets.specs[column], targets.columns[column]
    if isinstance(spec, CategoricalCodes):
        return np.asarray(values < len(spec.labels))
    numbers = np.asarray(values, np.float64)
    return np.asarray(~np.isnan(numbers) | (tags(numbers) > 0))


KNOWN_EVENTS = AttackType(
    name=KnownEvents.name,
    method="Predicts the most frequent value of people with the nearest rows.",
    reference="Francis and Wagner (2025), section 5.2",
    accepts=KnownEvents.accepts,
    make=KnownEvents,
    seconds=(0.1, 0.02),
)
