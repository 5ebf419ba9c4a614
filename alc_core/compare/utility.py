"""What a release is still good for: distances of its marginals, and models trained on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from alc_core.compare.coding import BINS, Binning, code_tables
from alc_core.compare.learning import LearnedTarget, learn_targets
from alc_core.compare.marginals import compare_marginals
from alc_core.compare.notes import (
    column_notes,
    left_out_notes,
    names,
    own_record_notes,
    sample_notes,
)
from alc_core.errors import ColumnError
from alc_core.phrasing import count
from alc_core.progress import CancelCallback, Progress, ProgressCallback, Reporter
from alc_core.release import Microdata, ReleaseLike, as_release, as_table
from alc_core.tables import ColumnKind, Table
from alc_core.tables.table import missing_column_message

__all__ = ["LearnedTarget", "Utility", "default_targets", "measure_utility"]

MAX_ROWS = 200_000
"""Rows of a table that marginals are counted on at most."""

MOST_TARGETS, MOST_CLASSES = 10, 100
"""Columns that are predicted unless named, and values that such a column has at most."""

OWN_RECORDS = (
    "Models are tested on people of the original whom the original's own model has not seen. A "
    "release that changes records one by one, as swapping, rounding and noise do, holds changed "
    "records of these very people. Its model can then do better than the original's own: not "
    "because the release is more useful, but because it tells of these people."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Utility:
    """How useful one release is, in numbers and column names.

    Attributes
    ----------
    release : str
        Its name.
    original_fingerprint : str
        Of the original.
    release_fingerprints : tuple of str
        Of the release's tables.
    columns : mapping of str to float
        Total variation distance, from 0 (same shares) to 1, of each column that the release has.
    pairs : tuple of (str, str, float)
        The same of each two columns that one table of the release has together.
    column_chance, pair_chance : float
        Mean distances of as many rows drawn anew at random from the original.
    lacking : tuple of str
        Columns of the original that the release lacks.
    unpaired : int
        Pairs of columns that no table of the release has together.
    targets : tuple of LearnedTarget
        What models predict.
    bins : int
        Bins that numbers and dates are cut into.
    binning : {"quantile", "equal width"}
        How.
    seed : int
        Of all that is random.
    notes : tuple of str
        What a reader must know: limits, samples, what was left out.
    """

    release: str
    original_fingerprint: str
    release_fingerprints: tuple[str, ...]
    columns: Mapping[str, float]
    pairs: tuple[tuple[str, str, float], ...]
    column_chance: float
    pair_chance: float
    lacking: tuple[str, ...]
    unpaired: int
    targets: tuple[LearnedTarget, ...]
    bins: int
    binning: Binning
    seed: int
    notes: tuple[str, ...]

    @property
    def column_distance(self) -> float:
        """Mean total variation distance of one-column marginals."""
        return float(np.mean(list(self.columns.values())))

    @property
    def pair_distance(self) -> float | None:
        """Mean total variation distance of two-column marginals; None without any pair."""
        return float(np.mean([each for *_, each in self.pairs])) if self.pairs else None

    @property
    def accuracy(self) -> float | None:
        """Mean accuracy after training on the release; None where nothing is predicted."""
        return self._mean("release_accuracy")

    @property
    def original_accuracy(self) -> float | None:
        """Mean accuracy after training on the original."""
        return self._mean("original_accuracy")

    @property
    def majority_accuracy(self) -> float | None:
        """Mean accuracy of naming the most frequent value."""
        return self._mean("majority_accuracy")

    @property
    def accuracy_ratio(self) -> float | None:
        """Mean accuracy after training on the release divided by the original's own."""
        return _ratio(self.accuracy, self.original_accuracy)

    @property
    def majority_ratio(self) -> float | None:
        """Mean accuracy of the most frequent value divided by the original's own."""
        return _ratio(self.majority_accuracy, self.original_accuracy)

    def column_frame(self) -> pd.DataFrame:
        """Return which columns suffered, worst first.

        Returns
        -------
        DataFrame of shape (n_columns, 3)
            `column`, `distance` of its own marginal, and `pair_distance`, the mean over the pairs
            that it is part of; NaN without any.
        """
        of_pairs: dict[str, list[float]] = {column: [] for column in self.columns}
        for one, other, distance in self.pairs:
            of_pairs[one].append(distance)
            of_pairs[other].append(distance)
        frame = pd.DataFrame(
            {
                "column": pd.array(list(self.columns), dtype="str"),
                "distance": np.array(list(self.columns.values()), dtype=np.float64),
                "pair_distance": [
                    float(np.mean(each)) if each else np.nan for each in of_pairs.values()
                ],
            }
        )
        keys = frame[["pair_distance", "distance"]].fillna(-1.0)
        order = np.lexsort((-keys["distance"], -keys["pair_distance"]))
        return frame.iloc[order].reset_index(drop=True)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; with :meth:`from_dict` lossless."""
        return {
            "release": self.release,
            "original_fingerprint": self.original_fingerprint,
            "release_fingerprints": list(self.release_fingerprints),
            "columns": dict(self.columns),
            "pairs": [list(pair) for pair in self.pairs],
            "column_chance": self.column_chance,
            "pair_chance": self.pair_chance,
            "lacking": list(self.lacking),
            "unpaired": self.unpaired,
            "targets": [target.to_dict() for target in self.targets],
            "bins": self.bins,
            "binning": self.binning,
            "seed": self.seed,
            "notes": list(self.notes),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build from :meth:`to_dict`'s result."""
        return cls(
            **{
                **data,
                "release_fingerprints": tuple(data["release_fingerprints"]),
                "pairs": tuple((one, other, distance) for one, other, distance in data["pairs"]),
                "lacking": tuple(data["lacking"]),
                "targets": tuple(LearnedTarget.from_dict(each) for each in data["targets"]),
                "notes": tuple(data["notes"]),
            }
        )

    def _mean(self, name: str) -> float | None:
        values = [getattr(target, name) for target in self.targets]
        return float(np.mean(values)) if values else None


def measure_utility(
    original: Table | pd.DataFrame,
    release: ReleaseLike,
    *,
    targets: Sequence[str] | None = None,
    among: Sequence[str] | None = None,
    bins: int = BINS,
    binning: Binning = "quantile",
    seed: int = 0,
    name: str | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> Utility:
    """Measure what a release is still good for.

    Two measures that synthetic data are usually judged by: the total variation distance of all
    one- and two-column marginals (1 minus it is SDMetrics' TVComplement and ContingencySimilarity;
    here missing values count as a value, and numbers and dates are binned), and the accuracy of a
    model trained on the release and tested on held-out rows of the original (TSTR, machine
    learning efficacy) against that of a model trained on as many other rows of the original.

    Parameters
    ----------
    original : Table or DataFrame
        The original; identifiers take no part.
    release : Microdata, Table, DataFrame or several
        One release; of several tables, each column or pair comes from the widest one that has it.
    targets : sequence of str, optional
        Columns to predict. By default :func:`default_targets`.
    among : sequence of str, optional
        By default targets are chosen among these, such as the columns that a campaign attacks.
    bins, binning
        How numbers and dates are cut; see :func:`~alc_core.compare.coding.code_tables`.
    seed : int, default 0
        Same tables and seed, same result.
    name : str, optional
        What the result calls the release, by default as it is called.
    progress, cancel : callable, optional
        Told how far it is; asked whether to stop.

    Returns
    -------
    Utility
        With notes on every sample and limit.

    Raises
    ------
    ColumnError
        If the original lacks a target.
    InputError
        If a table is empty or the release has no column of the original.
    CancelledError
        If `cancel` returns true.
    """
    table, released = as_table(original, name="original"), as_release(release)
    for target in targets or ():
        if target not in table.columns:
            raise ColumnError(missing_column_message(table, target))
    reporter = Reporter(progress=progress, cancel=cancel)
    reporter.report("Reading columns")
    coded = code_tables(table, released.tables, bins=bins, binning=binning)
    notes = list(column_notes(coded))
    if targets is None:
        targets, unused = default_targets(table, among)
        notes += unused
    marginal_seed, model_seed = np.random.SeedSequence(seed).spawn(2)
    marginals = compare_marginals(
        coded, max_rows=MAX_ROWS, rng=np.random.default_rng(marginal_seed), reporter=reporter
    )
    predicted = [target for target in targets if target in coded.columns]
    left_out = [target for target in targets if target not in predicted]
    notes += [
        *sample_notes([table, *released.tables], max_rows=MAX_ROWS),
        *left_out_notes(left_out),
    ]
    learned, unlearned = learn_targets(coded, predicted, seed=model_seed, reporter=reporter)
    return Utility(
        release=released.name if name is None else name,
        original_fingerprint=table.fingerprint,
        release_fingerprints=tuple(each.fingerprint for each in released.tables),
        columns=marginals.columns,
        pairs=tuple((*pair, distance) for pair, distance in marginals.pairs.items()),
        column_chance=marginals.column_chance,
        pair_chance=marginals.pair_chance,
        lacking=tuple(each for each in coded.columns if each not in marginals.columns),
        unpaired=len(coded.columns) * (len(coded.columns) - 1) // 2 - len(marginals.pairs),
        targets=learned,
        bins=bins,
        binning=binning,
        seed=seed,
        notes=(*notes, *unlearned, *own_record_notes(learned)),
    )


def measure_utilities(
    original: Table,
    releases: Mapping[str, Microdata],
    *,
    targets: Sequence[str] | None = None,
    among: Sequence[str] | None = None,
    seed: int = 0,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> dict[str, Utility]:
    """Measure several releases, one after the other; see :func:`measure_utility`."""

    def told(name: str) -> ProgressCallback | None:
        if progress is None:
            return None
        return lambda now: progress(
            Progress(stage=f"{name}: {now.stage.lower()}", done=now.done, total=now.total)
        )

    return {
        name: measure_utility(
            original, release, targets=targets, among=among, seed=seed, name=name,
            progress=told(name), cancel=cancel,
        )
        for name, release in releases.items()
    }  # fmt: skip


def default_targets(
    original: Table, among: Sequence[str] | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Choose columns to predict: categorical ones of few enough values, up to a limit.

    Parameters
    ----------
    original : Table
        The original.
    among : sequence of str, optional
        Only these, unless none of them is possible; by default all its columns.

    Returns
    -------
    targets : tuple of str
        At most :data:`MOST_TARGETS`, in the table's order.
    notes : tuple of str
        Which others would have been possible.
    """
    fitting = [
        column
        for column in original.columns
        if original.kind(column) is ColumnKind.CATEGORICAL
        and 2 <= original.frame[column].nunique() <= MOST_CLASSES
    ]
    fitting = [column for column in fitting if column in (among or fitting)] or fitting
    rest = fitting[MOST_TARGETS:]
    if not rest:
        return tuple(fitting), ()
    return tuple(fitting[:MOST_TARGETS]), (
        f"Of {count(len(fitting))} columns that could be predicted, the first "
        f"{MOST_TARGETS} in the table are; not {names(rest)}.",
    )


def _ratio(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None
