"""Measuring what a release is still good for, against its original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from alc_core.errors import ColumnError, InputError
from alc_core.phrasing import count
from alc_core.releases.registry import ReleaseLike, as_release, as_table
from alc_core.releases.release import Release, without_rows
from alc_core.runtime.progress import CancelCallback, Progress, ProgressCallback, Reporter
from alc_core.tables.table import ColumnKind, Table, missing_column_message
from alc_core.utility.coding import BINS, Binning, code_tables
from alc_core.utility.learning import learn_targets
from alc_core.utility.marginals import compare_marginals
from alc_core.utility.utility import Utility
from alc_core.utility.utility_notes import (
    column_notes,
    left_out_notes,
    names,
    own_record_notes,
    sample_notes,
)

MAX_ROWS = 200_000
"""Rows of a table that marginals are counted on at most."""

MOST_TARGETS, MOST_CLASSES = 10, 100
"""Columns that are predicted unless named, and values that such a column has at most."""


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
    """
    table, released = as_table(original, name="original"), as_release(release)
    if reason := unmeasured(released):
        raise InputError(reason)
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
    releases: Mapping[str, Release],
    *,
    targets: Sequence[str] | None = None,
    among: Sequence[str] | None = None,
    seed: int = 0,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> dict[str, Utility]:
    """Measure several releases of rows, one after the other; see :func:`measure_utility`."""
    rows = {name: each for name, each in releases.items() if not unmeasured(each)}
    if not rows:
        raise InputError(" ".join(map(unmeasured, releases.values())))

    def named(name: str) -> ProgressCallback | None:
        if progress is None:
            return None
        return lambda now: progress(
            Progress(stage=f"{name}: {now.stage.lower()}", done=now.done, total=now.total)
        )

    return {
        name: measure_utility(
            original, release, targets=targets, among=among, seed=seed, name=name,
            progress=named(name), cancel=cancel,
        )
        for name, release in rows.items()
    }  # fmt: skip


def unmeasured(release: Release) -> str:
    """Say why the utility of a release is not measured; empty where it is."""
    return without_rows(release, "Utility is not measured: that needs")


def default_targets(
    original: Table, among: Sequence[str] | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Choose columns to predict: categorical ones of few enough values, up to a limit."""
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
