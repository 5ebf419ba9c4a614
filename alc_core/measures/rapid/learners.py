"""The models that RAPID's attacker may train. The models are scikit-learn's."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.baselines.families import one_hot_and_scaled
from alc_core.baselines.features import Features, without_empty
from alc_core.baselines.fitting import few_threads
from alc_core.errors import InputError
from alc_core.phrasing import count
from alc_core.runtime.machine import available_threads, kept_warnings

FloatArray = NDArray[np.float64]
Predict = Callable[[Features], FloatArray]

_TREES = 200
_MOST_NODES, _MOST_PREDICTED = 6e8, 5e7
"""Rows times values (and what a node holds besides) times trees, and people times values: more
would take several GiB."""

_NODE = 8
_LEAF = 4
"""Least rows in a leaf: probabilities of a forest come from more than single people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """A kind of model."""

    name: str  # On the command line, in tables and files
    # Take features and a seed, return an unfitted scikit-learn estimator
    classifier: Callable[[Features, int], Any]
    regressor: Callable[[Features, int], Any]
    trees: int = 1  # Of a forest; else 1

    def check(self, column: str, *, n_rows: int, n_people: int, n_values: int) -> None:
        """Refuse what would not fit into memory."""
        if (
            self.trees * n_rows * (n_values + _NODE) <= _MOST_NODES
            and n_people * n_values <= _MOST_PREDICTED
        ):
            return
        raise InputError(
            f"'{column}' has {count(n_values)} values in {count(n_rows)} rows: too much for the"
            f" memory that the learner '{self.name}' needs. Choose another learner, a column with"
            " fewer values, or fewer rows."
        )

    def learn_classes(
        self, rows: Features, classes: NDArray[np.int32], *, n_codes: int, seed: int
    ) -> Predict:
        """Learn categories from rows."""
        present = np.unique(classes)
        fitted = (
            None if len(present) == 1 else self._fitted(self.classifier(rows, seed), rows, classes)
        )

        def predict(people: Features) -> FloatArray:
            found = np.zeros((len(people), n_codes))
            found[:, present] = 1.0 if fitted is None else _predicted(fitted.predict_proba, people)
            return found

        return predict

    def learn_numbers(self, rows: Features, values: FloatArray, *, seed: int) -> Predict:
        """Learn numbers from rows; what is returned predicts one for each of some people."""
        fitted = self._fitted(self.regressor(rows, seed), rows, values)
        return lambda people: _predicted(fitted.predict, people)

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


def _forest(features: Features, seed: int) -> Any:  # noqa: ARG001
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(
        _TREES, min_samples_leaf=_LEAF, random_state=seed, n_jobs=available_threads()
    )


def _number_forest(features: Features, seed: int) -> Any:  # noqa: ARG001
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(
        _TREES,
        min_samples_leaf=_LEAF,
        max_features="sqrt",
        random_state=seed,
        n_jobs=available_threads(),
    )


def _tree(features: Features, seed: int) -> Any:  # noqa: ARG001
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(min_samples_leaf=_LEAF, random_state=seed)


def _number_tree(features: Features, seed: int) -> Any:  # noqa: ARG001
    from sklearn.tree import DecisionTreeRegressor

    return DecisionTreeRegressor(min_samples_leaf=_LEAF, random_state=seed)


def _boosting(features: Features, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        learning_rate=0.2,
        max_leaf_nodes=15,
        l2_regularization=10.0,
        categorical_features=features.categorical,
        early_stopping=False,
        max_iter=60,
        random_state=seed,
    )


def _number_boosting(features: Features, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(
        categorical_features=features.categorical, random_state=seed
    )


def _logistic(features: Features, seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    return make_pipeline(
        one_hot_and_scaled(features), LogisticRegression(max_iter=200, random_state=seed)
    )


def _linear(features: Features, seed: int) -> Any:
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline

    return make_pipeline(one_hot_and_scaled(features), Ridge(random_state=seed))


LEARNERS = {
    learner.name: learner
    for learner in (
        Learner(name="random forest", classifier=_forest, regressor=_number_forest, trees=_TREES),
        Learner(name="decision tree", classifier=_tree, regressor=_number_tree),
        Learner(name="gradient boosting", classifier=_boosting, regressor=_number_boosting),
        Learner(name="regression", classifier=_logistic, regressor=_linear),
    )
}
"""Regression is logistic for categories, linear (ridge) for numbers."""
