"""The paper's general-purpose attack: read the unknown attribute off the nearest released rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from alc_core.attacks.protocol import AttackType, Predictions, Predictor
from alc_core.parameter import Parameter
from alc_core.releases.groups import Groups
from alc_core.releases.microdata import Microdata, RowsView
from alc_core.releases.release import Release
from alc_core.runtime.machine import available_threads
from alc_core.scenario.known_values import KnownValues
from alc_core.tables.codes.columns import CountedValues, likeliest_right
from alc_core.tables.codes.encode import FloatArray

# Targets are taken in portions whose match counts stay below this many cells (16 MB)
_COUNTED_CELLS = 2_000_000


class BestRowMatch:
    """Predict the modal value of the released rows nearest to the target.

    The distance is Gower's over the known attributes: 0 or 1 for a categorical one, the difference
    over the range of all tables for a continuous one, 1 for one that is missing from the released
    table, averaged. A missing value is 0 from another missing one and 1 from any other. From a
    label that stands for several values it is the distance to the nearest of them. All rows at the
    minimum over all tables match; where there are such labels, each counts by one over the share
    of people whom its values fit (:mod:`~alc_core.attacks.gower.cover`). A row whose unknown
    attribute is such a label is shared out over what it covers, a row of a group over the values
    of its group. Of equally frequent values the first in label order is predicted. The rank score
    is (1 - distance) · M / C, with M of the C matching rows holding the predicted value.

    The result does not depend on the number of threads; by default it is one per processor.

    Parameters
    ----------
    by_rarity : bool, default False
        Let each matching row count by one over how frequent its value is in the release, in the
        choice of the value and in M / C alike: the value that is most overrepresented near the
        target is predicted. For values so rare that they are hardly ever the most frequent.
    threads : int, optional
        How many to take.

    References
    ----------
    Francis and Wagner (2025), section 5.2, equation 9.
    """

    name: str = "best row match"
    accepts: ClassVar[tuple[type[Release], ...]] = (Microdata, Groups)

    def __init__(self, *, by_rarity: bool = False, threads: int | None = None) -> None:
        self.by_rarity, self.threads = by_rarity, threads

    def prepare(self, view: RowsView, rng: np.random.Generator) -> Predictor:  # noqa: ARG002
        """Return the predictor, which scans the released tables."""
        counts = (np.bincount(each.unknown, minlength=view.unknown.size) for each in view.tables)
        weights = 1 / np.maximum(sum(counts), 1) if self.by_rarity else 1.0
        modal = partial(_modal, near=view.unknown.near, weights=weights)
        matched = matching(view, modal, threads=self.threads)

        return lambda targets: Predictions.of(*matched(targets))


def matching(
    view: RowsView,
    read: Callable[[FloatArray, FloatArray], tuple[NDArray[Any], ...]],
    *,
    threads: int | None = None,
) -> Callable[[KnownValues], list[NDArray[Any]]]:
    """Return what finds the released rows nearest to targets and reads off their unknown values."""
    from alc_core.attacks.gower.cover import row_weights
    from alc_core.attacks.gower.layout import GowerTable
    from alc_core.attacks.gower.nearest import nearest_rows

    counted = CountedValues.of(
        [(table.unknown, table.spread) for table in view.tables], view.unknown.size
    )
    columns = (column for table in view.tables for column in table.known.set_columns.values())
    n_labels = sum(len(column.labels) for column in columns)
    weights = row_weights([table.known for table in view.tables])

    def read_portion(targets: KnownValues) -> tuple[NDArray[Any], ...]:
        tables = [
            GowerTable.of(table, targets, values, each)
            for table, values, each in zip(view.tables, counted.numbers, weights, strict=True)
        ]
        matches = nearest_rows(tables, counted.size)
        return read(counted.by_code(matches.counts), 1 - matches.distance / len(view.known))

    def read_all(targets: KnownValues) -> list[NDArray[Any]]:
        workers = threads or available_threads()
        portions = _portions(len(targets), counted.size + 2 * n_labels, workers)
        results = Parallel(n_jobs=workers, prefer="threads")(
            delayed(read_portion)(targets.take(rows)) for rows in portions
        )
        return [np.concatenate(parts) for parts in zip(*results, strict=True)]

    return read_all


def _modal(
    counts: FloatArray, closeness: FloatArray, *, near: bool, weights: FloatArray | float
) -> tuple[NDArray[np.intp], FloatArray]:
    """Return the code that is right for most of the matching rows, and the rank score."""
    counts = counts * weights
    best, right = likeliest_right(counts, np.arange(counts.shape[1]), near=near)
    return best, closeness * (right / counts.sum(axis=1))


def _portions(n_targets: int, n_values: int, threads: int) -> list[np.ndarray]:
    """Split targets evenly over the threads, further where their counts would take much memory."""
    largest = max(1, _COUNTED_CELLS // n_values)
    n_portions = max(min(threads, n_targets), -(-n_targets // largest))
    return np.array_split(np.arange(n_targets), n_portions)


BEST_ROW_MATCH = AttackType(
    name=BestRowMatch.name,
    method="Finds the released rows nearest to what is known about a person by Gower distance, "
    "predicts their most frequent value, and is surer the nearer and the more alike they are.",
    reference="Francis and Wagner (2025), section 5.2",
    accepts=BestRowMatch.accepts,
    make=BestRowMatch,
    parameters=(
        Parameter(
            name="by_rarity",
            title="Rare values count more",
            help="Each row that is found counts by one over how frequent its value is in the "
            "release. For secrets that few people share.",
            default=False,
        ),
    ),
)
