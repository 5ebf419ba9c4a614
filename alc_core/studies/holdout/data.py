"""Whether a holdout is of other people, and of similar ones."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, some_rows
from alc_core.baselines.features import Features, without_empty
from alc_core.errors import ColumnError, InputError
from alc_core.measures.measure import Measured
from alc_core.phrasing import count, listed, percent, quoted
from alc_core.releases.release import EncodedRelease, Release, released_columns
from alc_core.scenario.targets import KnownValues
from alc_core.studies.holdout.result import Resemblance
from alc_core.tables.codes.encode import (
    CategoricalCodes,
    ColumnSpec,
    EncodedData,
    EncodedTable,
    encode_releases,
)
from alc_core.tables.households import likely_households, numbered
from alc_core.tables.table import Table, once_of_both
from alc_core.tables.values.generalized import distinct_keys
from alc_core.tables.values.texts import canonical_labels

_BY_CHANCE = 1e-3  # Rarer copies are more than chance
_TRIED = 3000
_TREES = 50
_FEWEST = 30
_FOLDS = 3
_PARTS = 20
_NAMED = 3
_FEW = 100

TOLD_APART = 0.6  # Model accuracy above which a holdout is of a different population


def _doubts(found: Resemblance, name: str) -> Iterator[str]:
    if found.dropped:
        yield (
            f"{count(found.dropped)} rows of the holdout, also in the original, are left out (by "
            f"chance {found.copies_expected:.0f})."
        )
    if found.auc is not None and (found.auc.low or 0.0) > TOLD_APART:
        yield (
            f"'{name}' is from another population (AUC {found.auc.value:.2f}; 0.50 means "
            "similar). Most different: "
            f"{listed([f'{c} ({percent(d)})' for c, d in found.different.items()])}."
        )
    if found.people < _FEW:
        yield (f"The holdout has {count(found.people)} people: fewer than {_FEW} show little.")


def resemblance(
    original: EncodedTable,
    people: EncodedTable,
    specs: Mapping[str, ColumnSpec],
    columns: Sequence[str],
    *,
    seed: int,
) -> tuple[Resemblance, NDArray[np.intp]]:
    """Compare a holdout with the original; return also its rows that take part."""
    from scipy.stats import binomtest

    copied, twins = _copies(original, people, columns)
    copies = int(copied.sum())
    chance = min(1.0, max(twins, 1.0 / max(1, len(original))))
    more = copies > 0 and binomtest(copies, len(people), chance, "greater").pvalue < _BY_CHANCE
    kept = np.flatnonzero(~copied) if more else np.arange(len(people))
    rng = np.random.default_rng([seed, 30])
    tables = [KnownValues.of(each, specs, columns) for each in (original, people)]
    drawn = [some_rows(rows, _TRIED, rng) for rows in (np.arange(len(original)), kept)]
    sides = [table.take(rows) for table, rows in zip(tables, drawn, strict=True)]
    distances = {name: _variation(sides, name, specs[name]) for name in columns}
    most = sorted(distances, key=lambda name: -distances[name])[:_NAMED]
    found = Resemblance(
        people=len(kept),
        copies=copies,
        copies_expected=twins * len(people),
        dropped=copies if more else 0,
        auc=_auc(sides, seed),
        different={name: distances[name] for name in most},
    )
    return found, kept


def _copies(
    original: EncodedTable, people: EncodedTable, columns: Sequence[str]
) -> tuple[NDArray[np.bool_], float]:
    """Return people with an equal row in the original, and its own share."""
    stacked = {
        str(number): distinct_keys(np.concatenate([original.columns[name], people.columns[name]]))
        for number, name in enumerate(columns)
    }
    group = pd.DataFrame(stacked).groupby(list(stacked), sort=False).ngroup()
    numbers = group.to_numpy()
    inside, outside = numbers[: len(original)], numbers[len(original) :]
    sizes = np.bincount(inside, minlength=int(numbers.max()) + 1)
    return sizes[outside] > 0, float((sizes[inside] > 1).mean()) if len(inside) else 0.0


def _variation(sides: Sequence[KnownValues], name: str, spec: ColumnSpec) -> float:
    one, other = (np.asarray(side.columns[name]) for side in sides)
    if not len(one) or not len(other):
        return 0.0
    if isinstance(spec, CategoricalCodes):
        size = spec.size
    else:
        numbers = np.concatenate([one, other]).astype(np.float64)
        present = numbers[~np.isnan(numbers)]
        edges = np.unique(np.quantile(present, np.linspace(0, 1, _PARTS + 1)[1:-1])) if len(
            present
        ) else np.zeros(0)  # fmt: skip
        one, other = (
            np.where(np.isnan(each), len(edges) + 1, np.searchsorted(edges, each, side="right"))
            for each in (one.astype(np.float64), other.astype(np.float64))
        )
        size = len(edges) + 2
    counted = [np.bincount(each.astype(np.int64), minlength=size) for each in (one, other)]
    shares = [each / each.sum() for each in counted]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def _auc(sides: Sequence[KnownValues], seed: int) -> Measured | None:
    sizes = [len(side) for side in sides]
    if min(sizes) < _FEWEST:
        return None
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    features = Features.of(joined(*sides))
    outside = np.repeat([0, 1], sizes)
    model = RandomForestClassifier(
        n_estimators=_TREES, min_samples_leaf=10, class_weight="balanced", random_state=seed
    )
    folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=seed)
    chances: FloatArray = cross_val_predict(
        model, without_empty(features.matrix), outside, cv=folds, method="predict_proba"
    )[:, 1]
    auc = float(roc_auc_score(outside, chances))
    error = 1.96 * math.sqrt((sum(sizes) + 1) / (12 * sizes[0] * sizes[1]))
    return Measured(auc, max(0.0, auc - error), min(1.0, auc + error))


def joined(one: KnownValues, other: KnownValues) -> KnownValues:
    """Return the people of two tables under the same codes."""
    columns = {
        name: np.concatenate([values, other.columns[name]]) for name, values in one.columns.items()
    }
    return KnownValues(specs=one.specs, columns=columns, n_rows=len(one) + len(other))


_MANY_LABELS = 100  # With more labels, another sample may have new ones
_HALF = 0.5
_SOME = 0.05


# Findings of holdouts beside an original
_checked = once_of_both(lambda *_: dict[Hashable, tuple[Resemblance, NDArray[np.intp]]]())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HoldoutData:
    """Tables with the same codes."""

    tables: tuple[Table, Table]  # Original and holdout as they are
    published: Release  # The release as it is
    release: EncodedRelease  # The release and the original
    people: EncodedTable  # People of the holdout who take part
    rows: NDArray[np.intp]  # Their rows in the holdout's table
    columns: tuple[str, ...]  # Columns that all of them have
    resemblance: Resemblance  # Similarity of holdout and original
    notes: tuple[str, ...]  # What a reader must know

    @property
    def original(self) -> EncodedTable:
        """The people of the original."""
        return self.release.data.original

    @classmethod
    def of(
        cls,
        original: Table,
        release: Release,
        holdout: Table,
        *,
        columns: Collection[str] = (),
        seed: int = 0,
    ) -> HoldoutData:
        """Encode tables and check the holdout once."""
        shared = _shared_columns(original, holdout, columns)
        data, other = encode_releases(original, [release.coded_tables(), [holdout]], columns=shared)
        people, rows, notes = _readable(original, holdout, other, data.specs)
        checked, key = _checked(original, holdout), (shared, rows.tobytes(), seed)
        if key not in checked:
            checked[key] = resemblance(data.original, people, data.specs, shared, seed=seed)
        found, kept = checked[key]
        people, rows = people.take(kept), rows[kept]
        if not len(people):
            raise InputError(
                f"All rows of the holdout '{holdout.name}' are also in '{original.name}'. Choose "
                "other people."
            )
        released = released_columns(release).difference(holdout.columns)
        lacking = [c for c in original.columns if c in released and original.kind(c).is_compared]
        lacks = (
            [f"The holdout '{holdout.name}' lacks {quoted(lacking, most=5)}: not used for "
             "distances."] if lacking else []
        )  # fmt: skip
        return cls(
            tables=(original, holdout),
            published=release,
            release=release.encoded(data),
            people=people,
            rows=rows,
            columns=shared,
            resemblance=found,
            notes=(
                *notes,
                *_doubts(found, holdout.name),
                *_relatives(original, holdout, rows),
                *lacks,
            ),
        )


def _shared_columns(original: Table, holdout: Table, columns: Collection[str]) -> tuple[str, ...]:
    for name in columns:
        original.require(name)
        holdout.require(name)
    if not len(holdout):
        raise InputError(f"The holdout '{holdout.name}' has no rows. Choose a table with people.")
    found = tuple(
        name
        for name in original.columns
        if name in holdout.columns and (name in columns or original.kind(name).is_compared)
    )
    if not found:
        raise ColumnError(
            f"'{holdout.name}' shares no column with '{original.name}'. Choose another holdout."
        )
    return found


def _relatives(original: Table, holdout: Table, rows: NDArray[np.intp]) -> tuple[str, ...]:
    found = likely_households(original)
    if found is None or not {*found.columns} <= {*holdout.columns}:
        return ()
    columns = list(found.columns)
    both = pd.concat([original.frame[columns], holdout.frame[columns].iloc[rows]])
    homes = numbered(both, columns)
    shared = np.isin(homes[len(original) :], homes[: len(original)])
    by_chance = 2 * found.expected / found.of
    if shared.mean() <= max(_SOME, 2 * by_chance):
        return ()
    return (
        f"{count(int(shared.sum()))} of {count(len(rows))} people of the holdout '{holdout.name}' "
        f"share {quoted(columns)} with '{original.name}', which may hide residual risk. Draw "
        "whole households.",
    )


def _readable(
    original: Table, holdout: Table, other: EncodedData, specs: Mapping[str, ColumnSpec]
) -> tuple[EncodedTable, NDArray[np.intp], tuple[str, ...]]:
    """Exclude people with values not written like the original's."""
    (people,) = other.released
    strange = np.zeros(len(people), dtype=bool)
    for name, spec in specs.items():
        wrong = _strange(original, holdout, other, name, spec)
        if wrong.mean() > _HALF:
            commonest = canonical_labels(holdout.frame[name])[wrong].value_counts().index[0]
            raise InputError(
                f"Column '{name}' of the holdout '{holdout.name}' holds '{commonest}', which "
                f"'{original.name}' writes otherwise. Recode it."
            )
        if name in people.set_columns:
            strange |= wrong
    plain = dict(people.columns)
    plain |= {name: column.single for name, column in people.set_columns.items()}
    kept = np.flatnonzero(~strange)
    people = replace(people, columns=plain, set_columns={}).take(kept)
    notes: tuple[str, ...] = ()
    if strange.any():
        notes = (
            f"{count(int(strange.sum()))} people of the holdout '{holdout.name}', with "
            "generalized values, are left out.",
        )
    return people, kept, notes


def _strange(
    original: Table, holdout: Table, other: EncodedData, name: str, spec: ColumnSpec
) -> NDArray[np.bool_]:
    """Return cells that cannot be values of the original."""
    (people,) = other.released
    if name in people.set_columns:
        return people.set_columns[name].labelled
    values = people.columns[name]
    if isinstance(spec, CategoricalCodes):
        own = np.unique(other.original.columns[name])
        if len(own) > _MANY_LABELS:
            return np.zeros(len(people), dtype=bool)
        return np.asarray(~np.isin(values, own) & (values != len(spec.labels)))
    filled = canonical_labels(holdout.frame[name]).notna().to_numpy(dtype=bool)
    usual = np.isnan(np.asarray(other.original.columns[name], np.float64)).mean()
    wrong: NDArray[np.bool_] = np.isnan(np.asarray(values, np.float64)) & filled
    written = canonical_labels(original.frame[name]).notna().to_numpy(dtype=bool)
    expected = float(usual) if written.all() else 0.0
    return wrong if wrong.mean() > expected + _HALF / 2 else np.zeros(len(people), dtype=bool)
