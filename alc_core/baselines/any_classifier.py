"""Any scikit-learn classifier as a family of models."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.baselines.families import Classifier, FittedModel, one_hot_and_scaled
from alc_core.baselines.features import Features
from alc_core.errors import InputError

_LONGEST = 60


@dataclass(frozen=True, slots=True)
class AnyClassifier:
    """A classifier that learns from categories as columns of 0 and 1, and from scaled numbers.

    Missing numbers get the mean, and a column that says so. It learns every value that at least
    two rows have.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> AnyClassifier(KNeighborsClassifier(3)).name
    'KNeighborsClassifier(n_neighbors=3)'
    """

    model: Any
    name: str = ""
    averaged: bool = False
    learns_rare: bool = True

    def __post_init__(self) -> None:
        """Refuse what cannot be fitted, or gives no probabilities."""
        from sklearn.base import BaseEstimator, is_classifier

        model = self.model
        if isinstance(model, type):
            raise InputError(
                f"{model.__name__} is a class. Pass a classifier made from it: {model.__name__}()."
            )
        if not isinstance(model, BaseEstimator) or not is_classifier(model):
            raise InputError(
                f"{type(model).__name__} is no scikit-learn classifier. Pass one, such as "
                "sklearn.neighbors.KNeighborsClassifier()."
            )
        if not hasattr(model, "predict_proba"):
            raise InputError(
                f"{described(model)} gives no probabilities (predict_proba), by which predictions "
                "are ranked. Wrap it in sklearn.calibration.CalibratedClassifierCV, or pass "
                "another classifier."
            )
        if not self.name:
            object.__setattr__(self, "name", described(model))

    def suits(self, features: Features, n_classes: int) -> bool:  # noqa: ARG002
        """Whoever passes a classifier wants it fitted."""
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
                    f"{self.name} could not learn from {len(features)} rows with {n_classes} "
                    f"values: {error or 'the memory does not suffice'}"
                ) from error
        return FittedModel(pipeline, n_classes)


def described(model: Any) -> str:
    """Return what a classifier is, in a line: of a pipeline the last step.

    Examples
    --------
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
