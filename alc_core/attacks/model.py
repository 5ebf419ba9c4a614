"""A model fitted on the release alone predicts the unknown attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from alc_core.attacks.protocol import AttackType, Predictions, Predictor
from alc_core.baselines.families import Family, default_families
from alc_core.baselines.features import FeatureCoding, Features
from alc_core.errors import InputError
from alc_core.parameter import Parameter
from alc_core.releases.microdata import Microdata, ReleasedRows, RowsView
from alc_core.releases.release import Release
from alc_core.scenario.known_values import KnownValues
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.encode import CategoricalCodes, CodeArray, ColumnSpec, FloatArray
from alc_core.tables.sets.set_codes import IntervalSets, SetColumn

if TYPE_CHECKING:
    from alc_core.baselines.fitting import Baseline

BEST = "best"
"""The family, or the average of two, that predicts the release's own rows best."""

_MAX_ROWS = 100_000
"""A model learns from at most this many released rows, as a baseline does from the original's."""

_MAX_CODES = 2_000
"""Up to so many values of the unknown attribute, predictions carry the probability of each."""


class ModelAttack:
    """Predict by a model that has learned from the released rows.

    It learns as a baseline does, from the release instead of the original: where the release says
    no more about a person than other people's data do, both are equally good. Tables with the same
    known columns are taken together; of models on different columns, the surest predicts.

    Parameters
    ----------
    family : str, default "best"
        Name of a family of models; "best" chooses among all, and averages of two, by the
        cross-validated PRC on the release.

    References
    ----------
    Templ, Thees and Müller (2026), arXiv 2602.09235.
    """

    name: str = "model"
    accepts: ClassVar[tuple[type[Release], ...]] = (Microdata,)

    def __init__(self, *, family: str = BEST) -> None:
        self.family = family

    def prepare(self, view: RowsView, rng: np.random.Generator) -> Predictor:
        """Fit a model for each set of known columns, and return the predictor."""
        groups = _ColumnRows.groups(view.tables, rng)
        models = [self._fit(rows, view.unknown, rng) for rows in groups]
        with_all = view.unknown.size <= _MAX_CODES

        def predict(targets: KnownValues) -> Predictions:
            if len(targets) == 0:
                return Predictions.of([], [])
            if not with_all:
                return _surest([model.predict(targets) for model in models])
            found = np.stack([model.probabilities(targets, view.unknown.size) for model in models])
            sure = found.max(axis=2)
            best = found[sure.argmax(axis=0), np.arange(len(targets))]
            return Predictions.of(best.argmax(axis=1), best.max(axis=1), probabilities=best)

        return predict

    def _fit(
        self, rows: _ColumnRows, unknown: CategoricalCodes, rng: np.random.Generator
    ) -> _FittedRows:
        from alc_core.baselines.fitting import fit_baseline
        from alc_core.baselines.selection import choose_families

        if len(rows.unknown) > _MAX_ROWS:
            rows = rows.take(np.sort(rng.choice(len(rows.unknown), size=_MAX_ROWS, replace=False)))
        coding = FeatureCoding.of(rows.known)
        features = coding.features(rows.known)
        seed = int(rng.integers(2**31))
        if self.family == BEST:
            choices = choose_families(
                features,
                rows.unknown,
                np.arange(len(features)),
                families=default_families(),
                scoring=ScoringParameters(),
                seed=seed,
            )
            ranking = [choice.candidate for choice in choices]
        else:
            ranking = [(self._named(features, rows.unknown, unknown.name),)]
        fitted = fit_baseline(features, rows.unknown, ranking=ranking, seed=seed)
        return _FittedRows(rows=rows, coding=coding, model=fitted)

    def _named(self, features: Features, unknown: CodeArray, column: str) -> Family:
        from alc_core.baselines.classes import LearnedValues

        (family,) = (each for each in default_families() if each.name == self.family)
        learned = LearnedValues.of(unknown)
        if len(learned) > 1 and not learned.suits(family, features):
            raise InputError(
                f"Attack '{self.name}' cannot fit {family.name} to '{column}': the release has "
                f"{len(learned)} values of it, which are too many. Choose another family, or "
                f"'{BEST}'."
            )
        return family


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ColumnRows:
    """Released rows with the same known columns.

    Labels that stand for several values are categories here, beside single values; a target's
    value counts as the nearest of them. Where single numbers are among them, labels are numbers,
    too: the middle of what they cover.
    """

    known: KnownValues
    unknown: CodeArray
    label_sets: dict[str, SetColumn]

    @classmethod
    def groups(cls, tables: Sequence[ReleasedRows], rng: np.random.Generator) -> list[Self]:
        """Join the tables that have the same columns and labels."""
        alike: dict[tuple[object, ...], list[ReleasedRows]] = {}
        for table in tables:
            labels = {
                name: (column.labels, column.has_single)
                for name, column in table.known.set_columns.items()
            }
            key = (*sorted(table.known.columns), *sorted(labels.items()))
            alike.setdefault(key, []).append(table)
        return [cls._joined(joined, rng) for joined in alike.values()]

    @classmethod
    def _joined(cls, tables: Sequence[ReleasedRows], rng: np.random.Generator) -> Self:
        first = tables[0].known
        numeric = {name for name, c in first.set_columns.items() if c.is_numeric and c.has_single}
        sets = {name: c for name, c in first.set_columns.items() if name not in numeric}
        names = [name for name in first.specs if name in first.set_columns or name in first.columns]
        columns = {
            name: np.concatenate([_learned(table.known, name) for table in tables])
            for name in names
        }
        specs = {
            name: _labelled(first.specs[name], sets[name]) if name in sets else first.specs[name]
            for name in names
        }
        unknown = [
            table.unknown if table.spread is None else table.spread.drawn(table.unknown, rng)
            for table in tables
        ]
        return cls(
            known=KnownValues(specs=specs, columns=columns, n_rows=sum(map(len, tables))),
            unknown=np.concatenate(unknown),
            label_sets=sets,
        )

    def take(self, rows: np.ndarray) -> Self:
        """Return some of the rows."""
        return type(self)(
            known=self.known.take(rows), unknown=self.unknown[rows], label_sets=self.label_sets
        )

    def seen(self, targets: KnownValues) -> KnownValues:
        """Return targets as the rows would show them; of equally near labels, the commonest."""
        columns: dict[str, CodeArray | FloatArray] = {}
        for name, spec in self.known.specs.items():
            values = targets.columns[name]
            if name in self.label_sets and isinstance(spec, CategoricalCodes):
                columns[name] = self._nearest(values, name, spec)
            else:
                columns[name] = values
        return KnownValues(specs=self.known.specs, columns=columns, n_rows=targets.n_rows)

    def _nearest(self, values: np.ndarray, name: str, spec: CategoricalCodes) -> CodeArray:
        column = self.label_sets[name]
        rows = np.bincount(self.known.columns[name].astype(np.int64), minlength=spec.size)
        distances = np.full((len(values), spec.size), 2.0)
        start = spec.size - 1 - len(column.labels)
        distances[:, start:-1] = column.distances(values)
        if column.is_numeric:
            own = np.where(np.isnan(values), spec.size - 1, -1)
        else:
            # Codes are the original's, but for a missing value, whose code is the last one.
            own = np.where(np.asarray(values) == start, spec.size - 1, values)
        has_own = own >= 0
        distances[has_own, own[has_own].astype(np.int64)] = 0.0
        distances[:, rows == 0] += 3.0
        nearest = distances <= distances.min(axis=1, keepdims=True)
        commonest: CodeArray = np.where(nearest, rows, -1).argmax(axis=1).astype(np.int32)
        return commonest


def _learned(known: KnownValues, name: str) -> CodeArray | FloatArray:
    """Return a column as it is learned from."""
    column = known.set_columns.get(name)
    if column is None:
        return known.columns[name]
    labelled = column.codes < len(column.labels)
    if isinstance(column.sets, IntervalSets):
        middle = np.where(column.sets.any, np.nan, (column.sets.low + column.sets.high) / 2)
        if column.has_single:
            return np.where(labelled, np.append(middle, np.nan)[column.codes], column.single)
        return column.codes
    single, size = np.asarray(column.single), column.sets.covered.shape[1]
    labels = size - 1 + column.codes
    missing = np.where(single == size - 1, size - 1 + len(column.labels), single)
    return np.where(labelled, labels, missing).astype(np.int32)


def _labelled(spec: ColumnSpec, column: SetColumn) -> CategoricalCodes:
    own = spec.labels if isinstance(spec, CategoricalCodes) else ()
    return CategoricalCodes(name=spec.name, labels=(*own, *column.labels))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _FittedRows:
    """A model with what it learned from."""

    rows: _ColumnRows
    coding: FeatureCoding
    model: Baseline

    def predict(self, targets: KnownValues) -> tuple[np.ndarray, FloatArray]:
        """Return codes and their probabilities."""
        return self.model.predict(self.coding.features(self.rows.seen(targets)))

    def probabilities(self, targets: KnownValues, n_codes: int) -> FloatArray:
        """Return the probability of every code."""
        return self.model.probabilities(self.coding.features(self.rows.seen(targets)), n_codes)


def _surest(predicted: Sequence[tuple[np.ndarray, FloatArray]]) -> Predictions:
    """Return for each target the prediction with the highest probability."""
    values, scores = (np.stack(parts) for parts in zip(*predicted, strict=True))
    surest = scores.argmax(axis=0), np.arange(scores.shape[1])
    return Predictions.of(values[surest], scores[surest])


MODEL = AttackType(
    name=ModelAttack.name,
    method="Fits a model on the released rows, as the baseline is fitted on other people's, and "
    "predicts the likeliest value.",
    reference="Templ, Thees and Müller (2026), arXiv 2602.09235",
    accepts=ModelAttack.accepts,
    make=ModelAttack,
    relative_cost=30.0,
    parameters=(
        Parameter(
            name="family",
            title="Family of models",
            help=f"What is fitted; '{BEST}' takes what predicts the release's own rows best.",
            default=BEST,
            choices=(BEST, *(family.name for family in default_families())),
        ),
    ),
)
