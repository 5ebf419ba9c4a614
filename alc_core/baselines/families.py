"""Model families for baselines, from scikit-learn."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.baselines.features import MAX_CATEGORIES, Features, bin_edges, binned, without_empty
from alc_core.baselines.forest import MAX_CELLS, Forest
from alc_core.baselines.formula import Formula
from alc_core.baselines.grouped import GroupedFrequencies
from alc_core.errors import InputError

MAX_BOOSTED_CLASSES = 60  # A tree per class and round: more are too slow
_MAX_ROUNDS = 200
_ROUNDS_UNCHECKED = 15  # If too few rows for early stopping
# Exponent: four times the rows get a third more rounds
_ROUNDS_GROW = 0.2
_FEW_CLASSES = 3  # Few enough to stop early in every fit
_QUANTILES = np.linspace(0.05, 0.95, 19)
_LONGEST = 60


class Classifier(Protocol):
    """A fitted model."""

    def probabilities(self, features: Features) -> FloatArray:
        """Return class probabilities of shape (n_rows, n_classes)."""
        ...


class Family(Protocol):
    """A way to learn the unknown column."""

    @property
    def name(self) -> str:
        """Name in results."""
        ...

    @property
    def averaged(self) -> bool:
        """Whether averages with others are candidates, for unstable learners."""
        ...

    @property
    def learns_rare(self) -> bool:
        """Whether it learns values of very few rows."""
        ...

    def suits(self, features: Features, n_classes: int) -> bool:
        """Whether fitting is worth the time on such data."""
        ...

    def fit(self, features: Features, classes: IntArray, n_classes: int, seed: int) -> Classifier:
        """Learn from rows of classes 0, ..., n_classes - 1, each at least twice.

        With several records per person, `features.weights` weights them.
        """
        ...


@dataclass(frozen=True, slots=True)
class FittedModel:
    """A fitted scikit-learn pipeline; one thread predicts, for a fixed order of sums."""

    model: Any
    n_classes: int

    def probabilities(self, features: Features) -> FloatArray:
        """Return each class's probability; 0 if not learned."""
        from joblib import parallel_config

        with parallel_config(n_jobs=1):
            found = np.asarray(self.model.predict_proba(features.capped), dtype=np.float64)
        if found.shape[1] == self.n_classes:
            return found
        spread = np.zeros((len(features), self.n_classes))
        spread[:, np.asarray(self.model.classes_, dtype=np.intp)] = found
        return spread


@dataclass(frozen=True, slots=True)
class Boosting:
    """Histogram gradient boosting on native categories, strongly regularized.

    Early stopping uses a tenth of the rows. With more than a few classes, only when families are
    compared: the baseline then takes as many rounds (more for more rows) on all rows.
    """

    name: str = "gradient boosting"
    averaged: bool = True
    learns_rare: bool = False
    # Early stopping in the comparison; None if unknown
    rounds: float | None = None
    learned_rows: int = 0  # Rows learned from there

    def suits(self, features: Features, n_classes: int) -> bool:  # noqa: ARG002
        """Return whether classes are not too many."""
        return n_classes <= MAX_BOOSTED_CLASSES

    def settled(self, models: Sequence[Classifier], n_rows: int) -> Boosting:
        """Keep the mean number of rounds of early-stopped models."""
        fitted = [model for model in models if isinstance(model, FittedModel)]
        checked = [model for model in fitted if model.model.do_early_stopping_]
        if not checked or min(model.n_classes for model in checked) <= _FEW_CLASSES:
            return self
        rounds = [m.model.n_iter_ - m.model.n_iter_no_change for m in checked]
        return replace(self, rounds=max(1.0, float(np.mean(rounds))), learned_rows=n_rows)

    def fit(self, features: Features, classes: IntArray, n_classes: int, seed: int) -> Classifier:
        """Fit; a tenth of the rows stops early if rounds are unknown."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        matrix = without_empty(features.capped)
        enough = len(features) >= 20 * n_classes and np.bincount(classes).min() >= 2
        stop_early = enough and self.rounds is None
        rounds = _MAX_ROUNDS if stop_early else _ROUNDS_UNCHECKED
        if self.rounds is not None:
            growth = float((len(features) / self.learned_rows) ** _ROUNDS_GROW)
            rounds = min(_MAX_ROUNDS, max(1, round(self.rounds * growth)))
        model = HistGradientBoostingClassifier(
            max_iter=rounds,
            learning_rate=0.4,
            max_leaf_nodes=8,
            l2_regularization=50.0,
            early_stopping=stop_early,
            n_iter_no_change=5 if n_classes <= _FEW_CLASSES else 3,
            categorical_features=features.categorical,
            random_state=seed,
        )
        return FittedModel(model.fit(matrix, classes, features.weights), n_classes)


@dataclass(frozen=True, slots=True)
class Logistic:
    """Multinomial logistic regression on one-hot categories and scaled numbers."""

    name: str = "logistic regression"
    averaged: bool = False
    learns_rare: bool = False

    def suits(self, features: Features, n_classes: int) -> bool:
        """Return whether coefficients are not too many."""
        inputs = sum(
            len(np.unique(column)) if categorical else 1
            for column, categorical in zip(features.capped.T, features.categorical, strict=True)
        )
        return inputs * n_classes <= 50_000

    def fit(self, features: Features, classes: IntArray, n_classes: int, seed: int) -> Classifier:
        """Fit to a loose tolerance, enough for predictions."""
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline

        model = make_pipeline(
            one_hot_and_scaled(features),
            LogisticRegression(max_iter=60, tol=1e-3, random_state=seed),
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(features.capped, classes, logisticregression__sample_weight=features.weights)
        return FittedModel(model, n_classes)


@dataclass(frozen=True, slots=True)
class NaiveBayes:
    """Naive Bayes on categories and binned numbers, for many classes."""

    name: str = "naive Bayes"
    averaged: bool = False
    learns_rare: bool = False

    def suits(self, features: Features, n_classes: int) -> bool:
        """Return whether its tables fit in memory."""
        codes = np.where(features.categorical, features.matrix, len(_QUANTILES)).max(axis=0)
        return float(codes.sum()) * n_classes <= MAX_CELLS

    def fit(
        self, features: Features, classes: IntArray, n_classes: int, seed: int  # noqa: ARG002
    ) -> Classifier:  # fmt: skip
        """Fit with add-one smoothing."""
        rows_of_class = np.bincount(classes, features.weights, minlength=n_classes)
        cuts = bin_edges(features, _QUANTILES)
        tables = []
        for codes in binned(features, cuts):
            width = int(codes.max()) + 2
            places = classes * width + codes
            counted = np.bincount(places, features.weights, minlength=n_classes * width)
            smoothed = counted.reshape(n_classes, width) + 1.0
            # Least values of a column, which shrinks small classes
            total = rows_of_class + max(width, MAX_CATEGORIES + 1)
            tables.append(np.log(smoothed / total[:, None]))
        return _NaiveBayes(
            prior=np.log(rows_of_class / rows_of_class.sum()), cuts=cuts, tables=tuple(tables)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _NaiveBayes:
    prior: FloatArray
    cuts: tuple[FloatArray | None, ...]
    tables: tuple[FloatArray, ...]

    def probabilities(self, features: Features) -> FloatArray:
        joint = np.tile(self.prior, (len(features), 1))
        for table, codes in zip(self.tables, binned(features, self.cuts), strict=True):
            # The last place is for unseen values
            joint += table.T[np.minimum(codes, table.shape[1] - 1)]
        joint = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def default_families() -> tuple[Family, ...]:
    """Return the default families of a baseline.

    Examples
    --------
    >>> [family.name for family in default_families()][:2]
    ['gradient boosting', 'random forest']
    """
    return (
        Boosting(),
        Forest("random forest", min_samples_leaf=10),
        Forest("deep random forest", min_samples_leaf=2),
        Logistic(),
        NaiveBayes(),
        GroupedFrequencies(),
        Formula(),
    )


def one_hot_and_scaled(features: Features) -> Any:
    """Return the transformer of features for additive models."""
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


@dataclass(frozen=True, slots=True)
class AnyClassifier:
    """A classifier on one-hot categories and scaled numbers.

    Missing numbers get the mean and an indicator. It learns values of two rows or more.

    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> AnyClassifier(KNeighborsClassifier(3)).name
    'KNeighborsClassifier(n_neighbors=3)'
    """

    model: Any
    name: str = ""
    averaged: bool = False
    learns_rare: bool = True

    def __post_init__(self) -> None:
        from sklearn.base import BaseEstimator, is_classifier

        model = self.model
        if isinstance(model, type):
            raise InputError(
                f"{model.__name__} is a class. Pass a classifier made from it: {model.__name__}()."
            )
        if not isinstance(model, BaseEstimator) or not is_classifier(model):
            raise InputError(f"{type(model).__name__} is not a scikit-learn classifier. Pass one.")
        if not hasattr(model, "predict_proba"):
            raise InputError(
                f"{described(model)} has no predict_proba. Wrap it in "
                "sklearn.calibration.CalibratedClassifierCV."
            )
        if not self.name:
            object.__setattr__(self, "name", described(model))

    def suits(self, features: Features, n_classes: int) -> bool:  # noqa: ARG002
        """Return True: the caller chose it."""
        return True

    def fit(
        self, features: Features, classes: NDArray[np.int64], n_classes: int, seed: int
    ) -> Classifier:
        """Fit a copy."""
        from sklearn.base import clone
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.pipeline import make_pipeline

        model = clone(self.model)
        unset = {
            name: seed
            for name, value in model.get_params().items()
            if name.rpartition("__")[2] == "random_state" and value is None
        }
        columns = one_hot_and_scaled(features).set_params(sparse_threshold=0.0)
        pipeline = make_pipeline(columns, model.set_params(**unset))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            try:
                pipeline.fit(features.capped, classes)
            except (ValueError, TypeError, MemoryError) as error:
                raise InputError(
                    f"{self.name} could not learn from {len(features)} rows, {n_classes} values: "
                    f"{error or 'out of memory'}"
                ) from error
        return FittedModel(pipeline, n_classes)


def described(model: Any) -> str:
    """Return a classifier, or a pipeline's last step, in a line.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> described(make_pipeline(StandardScaler(), GaussianNB()))
    'pipeline to GaussianNB()'
    """
    steps = getattr(model, "steps", None)
    last = steps[-1][1] if steps else model
    words = " ".join(repr(last).split())
    words = words if len(words) <= _LONGEST else type(last).__name__
    return f"pipeline to {words}" if steps else words
