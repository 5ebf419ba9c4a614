"""Models for RAPID's attacker, from scikit-learn."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.baselines.families import one_hot_and_scaled
from alc_core.baselines.features import FeatureCoding, Features, without_empty
from alc_core.baselines.fitting import few_threads
from alc_core.errors import InputError
from alc_core.phrasing import count, listed
from alc_core.releases.microdata import ReleasedRows, used_columns
from alc_core.releases.release import Release
from alc_core.runtime.machine import available_threads, kept_warnings
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues, People
from alc_core.tables.codes.encode import (
    CategoricalCodes,
    ColumnSpec,
    ContinuousScale,
    EncodedData,
    EncodedTable,
    encode,
)
from alc_core.tables.table import Table

Predict = Callable[[Features], FloatArray]
Truth = NDArray[np.int32] | FloatArray  # Codes of categories, or numbers
_TREES = 200
# Rows times values times trees, and people times values; more takes several GiB
_MOST_NODES, _MOST_PREDICTED = 6e8, 5e7
_NODE = 8
_LEAF = 4  # Least rows in a leaf: probabilities need more than single people


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """A kind of model."""

    name: str  # On the command line, in tables and files
    # From features, a seed, and whether `numbers` are learned, to an unfitted estimator
    model: Callable[..., Any]
    trees: int = 1  # Of a forest; else 1

    def check(self, column: str, *, n_rows: int, n_people: int, n_values: int) -> None:
        """Refuse what would not fit into memory."""
        if (
            self.trees * n_rows * (n_values + _NODE) <= _MOST_NODES
            and n_people * n_values <= _MOST_PREDICTED
        ):
            return
        raise InputError(
            f"'{column}' has {count(n_values)} values in {count(n_rows)} rows: too many for "
            f"'{self.name}'. Choose another learner or column."
        )

    def learn(self, rows: Features, truth: Truth, *, n_codes: int | None, seed: int) -> Predict:
        """Return the predictor of each code's probability, or a number."""
        if n_codes is None:
            numbers = np.asarray(truth, np.float64)
            model = self._fitted(self.model(rows, seed, numbers=True), rows, numbers)
            return lambda people: _predicted(model.predict, people)
        classes = np.asarray(truth, np.int32)
        present = np.unique(classes)
        fitted = None
        if len(present) > 1:
            fitted = self._fitted(self.model(rows, seed, numbers=False), rows, classes)

        def predict(people: Features) -> FloatArray:
            found = np.zeros((len(people), n_codes))
            found[:, present] = 1.0 if fitted is None else _predicted(fitted.predict_proba, people)
            return found

        return predict

    def _fitted(self, model: Any, rows: Features, truth: NDArray[Any]) -> Any:
        from joblib import parallel_config
        from sklearn.exceptions import ConvergenceWarning

        with warnings.catch_warnings(), few_threads(len(rows)), parallel_config("threading"):
            warnings.simplefilter("ignore", ConvergenceWarning)
            warnings.filterwarnings("ignore", message="The number of unique classes is greater")
            with kept_warnings():
                return model.fit(without_empty(rows.capped), truth)


def _predicted(predict: Callable[[FloatArray], Any], people: Features) -> FloatArray:
    from joblib import parallel_config

    with few_threads(len(people)), parallel_config("threading", n_jobs=1):
        return np.asarray(predict(without_empty(people.capped)), dtype=np.float64)


def _forest(features: Features, seed: int, *, numbers: bool) -> Any:  # noqa: ARG001
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    common = {"min_samples_leaf": _LEAF, "random_state": seed, "n_jobs": available_threads()}
    if numbers:
        return RandomForestRegressor(_TREES, max_features="sqrt", **common)
    return RandomForestClassifier(_TREES, **common)


def _tree(features: Features, seed: int, *, numbers: bool) -> Any:  # noqa: ARG001
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeRegressor if numbers else DecisionTreeClassifier
    return kind(min_samples_leaf=_LEAF, random_state=seed)


def _boosting(features: Features, seed: int, *, numbers: bool) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    common = {"categorical_features": features.categorical, "random_state": seed}
    if numbers:
        return HistGradientBoostingRegressor(**common)
    return HistGradientBoostingClassifier(
        learning_rate=0.2,
        max_leaf_nodes=15,
        l2_regularization=10.0,
        early_stopping=False,
        max_iter=60,
        **common,
    )


def _linear(features: Features, seed: int, *, numbers: bool) -> Any:
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline

    last = (
        Ridge(random_state=seed) if numbers else LogisticRegression(max_iter=200, random_state=seed)
    )
    return make_pipeline(one_hot_and_scaled(features), last)


# Logistic regression for categories, ridge for numbers
LEARNERS = {
    learner.name: learner
    for learner in (
        Learner(name="random forest", model=_forest, trees=_TREES),
        Learner(name="decision tree", model=_tree),
        Learner(name="gradient boosting", model=_boosting),
        Learner(name="regression", model=_linear),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowsToLearn:
    """Rows for a model to learn from."""

    rows: ReleasedColumns  # Known attributes, and people's in their terms
    coding: FeatureCoding  # As a matrix
    truth: Truth  # Codes, or numbers
    notes: tuple[str, ...]  # Unused parts of the release

    @property
    def features(self) -> Features:
        """Of the rows."""
        return self.coding.features(self.rows.known)

    def of_people(self, known: KnownValues) -> Features:
        """Return people's known attributes as the rows would show them."""
        return self.coding.features(self.rows.seen(known))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RapidPeople:
    """The people whose unknown attribute is predicted."""

    known: KnownValues  # Of those who have a value
    truth: Truth  # Codes, or numbers
    units: NDArray[np.int64]  # Rows with equal numbers belong together
    places: NDArray[np.intp]  # Their rows in the original
    codes: CategoricalCodes | None  # Of the unknown attribute; None for numbers
    left_out: int  # Rows without a value, or with text among numbers
    notes: tuple[str, ...] = ()  # Who of these has a text

    def __len__(self) -> int:
        return len(self.truth)


def rapid_rows(
    original: Table, release: Release, scenario: Scenario
) -> tuple[RapidPeople, RowsToLearn]:
    """Read people and released rows for one scenario."""
    data = encode(original, release.coded_tables(), columns=scenario.columns)
    column, spec = scenario.unknown, data.specs[scenario.unknown]
    values, lacks = data.original.columns[column], data.lacks_value(column, scenario.markers)
    texts = ~lacks & np.isnan(values) if isinstance(spec, ContinuousScale) else np.zeros_like(lacks)
    places = np.flatnonzero(~(lacks | texts))
    if not len(places):
        raise InputError(f"Nobody in '{original.name}' has a value of '{column}'.")
    people = RapidPeople(
        known=KnownValues.of(data.original, data.specs, scenario.known).take(places),
        truth=values[places],
        units=People.of(original, scenario).units[places],
        places=places,
        codes=spec if isinstance(spec, CategoricalCodes) else None,
        left_out=len(original) - len(places),
        notes=(f"{count(int(texts.sum()))} people whose '{column}' is text are left out.",)
        * bool(texts.any()),
    )
    return people, _to_learn(data, scenario, release)


def _to_learn(data: EncodedData, scenario: Scenario, release: Release) -> RowsToLearn:
    """Return rows with a single value, of the tables with most known columns."""
    tables: list[ReleasedRows] = []
    values: list[Truth] = []
    notes: list[str] = []
    start = 0
    for table in data.released:
        if not (table.has(scenario.unknown) and used_columns(table, scenario)):
            continue
        found, usable = _single_values(table, data.specs[scenario.unknown], scenario)
        rows = np.flatnonzero(usable)
        if len(rows) < len(table):
            notes.append(
                f"{count(len(table) - len(rows))} rows of '{table.name}' have no single value of "
                f"'{scenario.unknown}'."
            )
        known = KnownValues.of(table, data.specs, scenario.known).take(rows)
        numbers = np.arange(start, start + len(rows), dtype=np.int32)
        tables.append(ReleasedRows(name=table.name, known=known, unknown=numbers))
        values.append(found[rows])
        start += len(rows)
    if not start:
        raise InputError(
            f"'{release.name}' has no row with '{scenario.unknown}' and a known column. Choose "
            f"others."
        )
    groups = ReleasedColumns.groups([table for table in tables if len(table)])
    learned = max(groups, key=lambda group: (len(group.known.specs), len(group.unknown)))
    absent = [name for name in scenario.known if name not in learned.known.specs]
    if absent:
        notes.append(f"The release lacks {listed(absent)}; the model ignores them.")
    if len(groups) > 1:
        notes.append(f"The model learned from the tables with {listed(list(learned.known.specs))}.")
    return RowsToLearn(
        rows=learned,
        coding=FeatureCoding.of(learned.known),
        truth=cast(Truth, np.concatenate(values)[learned.unknown]),
        notes=tuple(notes),
    )


def _single_values(
    table: EncodedTable, spec: ColumnSpec, scenario: Scenario
) -> tuple[Truth, NDArray[np.bool_]]:
    """Return a released column, and its rows with a single value."""
    column = scenario.unknown
    sets = table.set_columns.get(column)
    values = table.columns[column] if sets is None else sets.single
    if isinstance(spec, CategoricalCodes):
        none = [*spec.codes_of(scenario.markers), spec.size - 1]
        usable = (values >= 0) & ~np.isin(values, none)
    else:
        numbers = np.asarray(values, dtype=np.float64)
        usable = ~(np.isnan(numbers) | spec.is_marker(numbers, scenario.markers))
    if sets is not None:
        usable &= ~sets.labelled
    return values, np.asarray(usable, dtype=bool)
