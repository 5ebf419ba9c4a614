"""Model families that baselines are chosen from. The models are scikit-learn's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from alc_core.baselines.features import MAX_CATEGORIES, Features
from alc_core.runtime.threads import available_threads

FloatArray = NDArray[np.float64]
MAX_BOOSTED_CLASSES = 60
"""Boosting grows one tree per class and round: beyond this it is left out."""


class Classifier(Protocol):
    """A fitted model."""

    def probabilities(self, features: Features) -> FloatArray:
        """Return class probabilities of shape (n_rows, n_classes)."""
        ...


class Family(Protocol):
    """A way to learn the unknown attribute from the known ones."""

    @property
    def name(self) -> str:
        """What results call it."""
        ...

    @property
    def averaged(self) -> bool:
        """Whether averages with other such families are candidates; it helps unstable learners."""
        ...

    def suits(self, features: Features, n_classes: int) -> bool:
        """Whether fitting it is worth its time on such data."""
        ...

    def fit(
        self, features: Features, classes: NDArray[np.int64], n_classes: int, seed: int
    ) -> Classifier:
        """Learn from rows whose classes are 0, ..., n_classes - 1, each at least twice."""
        ...


@dataclass(frozen=True, slots=True)
class _Sklearn:
    """A fitted scikit-learn pipeline; predicts with one thread, so that sums have one order."""

    model: Any
    n_classes: int

    def probabilities(self, features: Features) -> FloatArray:
        from joblib import parallel_config

        with parallel_config(n_jobs=1):
            found = np.asarray(self.model.predict_proba(features.matrix), dtype=np.float64)
        if found.shape[1] == self.n_classes:
            return found
        spread = np.zeros((len(features), self.n_classes))
        spread[:, np.asarray(self.model.classes_, dtype=np.intp)] = found
        return spread


@dataclass(frozen=True, slots=True)
class Boosting:
    """Histogram gradient boosting on native categories, stopped early, strongly regularized."""

    name: str = "gradient boosting"
    averaged: bool = True

    def suits(self, features: Features, n_classes: int) -> bool:  # noqa: ARG002
        """Not for very many classes."""
        return n_classes <= MAX_BOOSTED_CLASSES

    def fit(
        self, features: Features, classes: NDArray[np.int64], n_classes: int, seed: int
    ) -> Classifier:
        """Fit with a tenth of the rows deciding when to stop, where there are enough."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        # scikit-learn cannot bin a column without any value; a constant tells as little.
        empty = np.isnan(features.matrix).all(axis=0)
        matrix = np.where(empty, 0.0, features.matrix)
        stop_early = len(features) >= 20 * n_classes and np.bincount(classes).min() >= 2
        model = HistGradientBoostingClassifier(
            max_iter=200 if stop_early else 20,
            learning_rate=0.3,
            max_leaf_nodes=8,
            l2_regularization=50.0,
            early_stopping=stop_early,
            n_iter_no_change=5,
            categorical_features=features.categorical,
            random_state=seed,
        )
        return _Sklearn(model.fit(matrix, classes), n_classes)


@dataclass(frozen=True, slots=True)
class Forest:
    """Random forest whose leaves hold at least a given number of rows."""

    name: str
    min_samples_leaf: int
    n_trees: int = 50
    averaged: bool = True

    def suits(self, features: Features, n_classes: int) -> bool:
        """Not where the leaves' class counts would fill the memory."""
        leaves = len(features) / self.min_samples_leaf
        return self.n_trees * leaves * n_classes <= 4e8

    def fit(
        self, features: Features, classes: NDArray[np.int64], n_classes: int, seed: int
    ) -> Classifier:
        """Fit the trees on all processors; the result does not depend on how many."""
        from sklearn.ensemble import RandomForestClassifier

        model = RandomForestClassifier(
            self.n_trees,
            min_samples_leaf=self.min_samples_leaf,
            random_state=seed,
            n_jobs=available_threads(),
        ).fit(features.matrix, classes)
        model.n_jobs = 1
        return _Sklearn(model, n_classes)


@dataclass(frozen=True, slots=True)
class Logistic:
    """Multinomial logistic regression on one-hot categories and scaled numbers."""

    name: str = "logistic regression"
    averaged: bool = False

    def suits(self, features: Features, n_classes: int) -> bool:
        """Not where the coefficients would be very many."""
        inputs = sum(
            len(np.unique(column)) if categorical else 1
            for column, categorical in zip(features.matrix.T, features.categorical, strict=True)
        )
        return inputs * n_classes <= 50_000

    def fit(
        self, features: Features, classes: NDArray[np.int64], n_classes: int, seed: int
    ) -> Classifier:
        """Fit to a loose tolerance: a baseline needs good predictions, not exact coefficients."""
        import warnings

        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        model = make_pipeline(
            _one_hot_and_scaled(features),
            LogisticRegression(max_iter=60, tol=1e-3, random_state=seed),
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(features.matrix, classes)
        return _Sklearn(model, n_classes)


@dataclass(frozen=True, slots=True)
class NaiveBayes:
    """Naive Bayes on categories, numbers cut at their quantiles. Cheap with very many classes."""

    name: str = "naive Bayes"
    averaged: bool = False

    def suits(self, features: Features, n_classes: int) -> bool:
        """Not where its tables would fill the memory."""
        return int(features.matrix.shape[1]) * MAX_CATEGORIES * n_classes <= 4e8

    def fit(
        self,
        features: Features,
        classes: NDArray[np.int64],
        n_classes: int,
        seed: int,  # noqa: ARG002
    ) -> Classifier:
        """Fit with add-one smoothing."""
        from sklearn.naive_bayes import CategoricalNB
        from sklearn.pipeline import make_pipeline

        binned = _categories_and_bins(features)
        sizes = np.full(features.matrix.shape[1], MAX_CATEGORIES + 1)
        model = make_pipeline(binned, CategoricalNB(min_categories=sizes))
        return _Sklearn(model.fit(features.matrix, classes), n_classes)


def default_families() -> tuple[Family, ...]:
    """Return the families that a baseline is chosen from, unless the caller names others."""
    return (
        Boosting(),
        Forest("random forest", min_samples_leaf=10),
        Forest("deep random forest", min_samples_leaf=2),
        Logistic(),
        NaiveBayes(),
    )


def _one_hot_and_scaled(features: Features) -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = make_pipeline(
        SimpleImputer(add_indicator=True, keep_empty_features=True), StandardScaler()
    )
    return make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), np.flatnonzero(features.categorical)),
        (numbers, np.flatnonzero(~features.categorical)),
    )


def _categories_and_bins(features: Features) -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.preprocessing import FunctionTransformer

    edges = {
        int(column): np.unique(
            np.nanquantile(values, np.linspace(0.05, 0.95, 19))
            if not np.isnan(values := features.matrix[:, column]).all()
            else [0.0]
        )
        for column in np.flatnonzero(~features.categorical)
    }
    return make_column_transformer(
        ("passthrough", np.flatnonzero(features.categorical)),
        (FunctionTransformer(_digitize, kw_args={"edges": list(edges.values())}), list(edges)),
    )


def _digitize(matrix: FloatArray, edges: list[FloatArray]) -> FloatArray:
    """Return the number of each value's interval; a missing one has a number of its own."""
    numbered = [
        np.where(np.isnan(column), len(cuts) + 1, np.searchsorted(cuts, column))
        for column, cuts in zip(matrix.T, edges, strict=True)
    ]
    return np.column_stack(numbered).astype(np.float64)
