"""Whether a holdout is of other people, and of people like those of the original."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.baselines.features import Features, without_empty
from alc_core.holdout.result import Resemblance
from alc_core.holdout.words import few_people
from alc_core.measures.measure import Measured
from alc_core.phrasing import count, listed, percent
from alc_core.scenario.known_values import KnownValues
from alc_core.tables.codes.encode import CategoricalCodes, ColumnSpec, EncodedTable, FloatArray

_BY_CHANCE = 1e-3
"""Copies that are less likely than this are more than chance gives."""

_TRIED = 3000
_TREES = 50
_FEWEST = 30
_FOLDS = 3
_PARTS = 20
_NAMED = 3

TOLD_APART = 0.6
"""A holdout that a model tells from the original better than so is of other people."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """What was found, with the rows that are copies."""

    copied: NDArray[np.bool_]  # Rows of the holdout that the original has, too
    expected: float  # How many chance gives
    dropped: bool  # Whether they are more
    auc: Measured | None  # How well a model tells the holdout from the original
    different: dict[str, float]  # The columns that differ most

    def told(self, people: int) -> Resemblance:
        """Return the numbers."""
        copies = int(self.copied.sum())
        return Resemblance(
            people=people,
            copies=copies,
            copies_expected=self.expected,
            dropped=copies if self.dropped else 0,
            auc=self.auc,
            different=self.different,
        )

    def notes(self, name: str, people: int) -> tuple[str, ...]:
        """Say what makes the comparison doubtful; the holdout has a name."""
        said = []
        copies = int(self.copied.sum())
        if self.dropped:
            said.append(
                f"{count(copies)} of the holdout's rows are also in the original, more than chance "
                f"gives ({self.expected:.0f}): people in both are no holdout. They are left out. "
                "If the release was made without them, take them out of the original, too."
            )
        if self.auc is not None and (self.auc.low or 0.0) > TOLD_APART:
            said.append(
                f"'{name}' is not of the same population: a model tells its people from those of "
                f"the original (AUC {self.auc.value:.2f}; 0.50 means alike). Most different: "
                f"{listed([f'{c} ({percent(d)})' for c, d in self.different.items()])}. Whatever "
                "differs between members and holdout may come from that."
            )
        if few := few_people(people):
            said.append(few)
        return tuple(said)


def resemblance(
    original: EncodedTable,
    people: EncodedTable,
    specs: Mapping[str, ColumnSpec],
    columns: Sequence[str],
    *,
    seed: int,
) -> Found:
    """Compare a holdout with the original."""
    copied, twins = _copies(original, people, columns)
    more = _more_than_chance(int(copied.sum()), len(people), twins, len(original))
    kept = np.flatnonzero(~copied) if more else np.arange(len(people))
    rng = np.random.default_rng([seed, 30])
    tables = [KnownValues.of(each, specs, columns) for each in (original, people)]
    drawn = [_some(np.arange(len(original)), rng), _some(kept, rng)]
    sides = [table.take(rows) for table, rows in zip(tables, drawn, strict=True)]
    distances = {name: _variation(sides, name, specs[name]) for name in columns}
    most = sorted(distances, key=lambda name: -distances[name])[:_NAMED]
    return Found(
        copied=copied,
        expected=twins * len(people),
        dropped=more,
        auc=_auc(sides, seed),
        different={name: distances[name] for name in most},
    )


def _copies(
    original: EncodedTable, people: EncodedTable, columns: Sequence[str]
) -> tuple[NDArray[np.bool_], float]:
    """Return which people have an equal row in the original, and the share of its own rows."""
    stacked = {
        str(number): np.concatenate([original.columns[name], people.columns[name]])
        for number, name in enumerate(columns)
    }
    group = pd.DataFrame(stacked).groupby(list(stacked), sort=False, dropna=False).ngroup()
    numbers = group.to_numpy()
    inside, outside = numbers[: len(original)], numbers[len(original) :]
    sizes = np.bincount(inside, minlength=int(numbers.max()) + 1)
    return sizes[outside] > 0, float((sizes[inside] > 1).mean()) if len(inside) else 0.0


def _more_than_chance(copies: int, people: int, twins: float, n_rows: int) -> bool:
    if not copies:
        return False
    from scipy.stats import binomtest

    chance = min(1.0, max(twins, 1.0 / max(1, n_rows)))
    return bool(binomtest(copies, people, chance, alternative="greater").pvalue < _BY_CHANCE)


def _some(rows: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    if len(rows) <= _TRIED:
        return rows
    return np.sort(rng.choice(rows, _TRIED, replace=False))


def _variation(sides: Sequence[KnownValues], name: str, spec: ColumnSpec) -> float:
    """Return the total variation between two samples of a column, numbers cut into parts."""
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
    """Return how well a model tells two samples apart, on folds that it did not learn from."""
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
    """Return the people of two tables under the same codes, one after the other."""
    columns = {
        name: np.concatenate([values, other.columns[name]]) for name, values in one.columns.items()
    }
    return KnownValues(specs=one.specs, columns=columns, n_rows=len(one) + len(other))
