"""A model fitted only on the release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from alc_core.arrays import CodeArray, FloatArray
from alc_core.attacks.best_row_match import matching
from alc_core.attacks.protocol import (
    MOST_CODES,
    AttackType,
    NotedPredictor,
    Predictions,
    Predictor,
    surest,
)
from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.baselines.families import AnyClassifier, Family, default_families
from alc_core.baselines.features import FeatureCoding, Features
from alc_core.errors import InputError
from alc_core.parameter import Parameter
from alc_core.phrasing import count
from alc_core.releases.microdata import Microdata, RowsView
from alc_core.scenario.targets import KnownValues
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.tables.codes.encode import CategoricalCodes

if TYPE_CHECKING:
    from alc_core.baselines.fitting import Baseline, Candidate

BEST = "best"  # Family, or average of two, with the best cross-validation on the release
# Most rows to learn from, as for the baseline
_MAX_ROWS = LoopParameters().max_training_rows
_ROUNDING = 1e-9


def _tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(min_samples_leaf=4)


def _neighbours() -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(10)


# Families chosen by name only
_FURTHER = {"decision tree": _tree, "nearest neighbours": _neighbours}


class ModelAttack:
    """Predict by a model trained on the released rows.

    It learns like the baseline, from the release instead of the original. Tables with the same
    known columns are joined; of several models, the most certain predicts.

    Parameters
    ----------
    family : str, default "best"
        "best" chooses among the baseline's, and averages of two, by cross-validated PRC.
    exact_first : bool, default False
        Predict by rows that match all known values, if any.
    classifier : object, optional
        With ``predict_proba``; see :class:`~alc_core.baselines.families.AnyClassifier`. A
        campaign's file keeps only its name: pass it again to continue or rerun.
    name : str, optional
        With your own classifier.

    Raises
    ------
    InputError
        If the classifier is invalid or the name taken.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> ModelAttack(classifier=KNeighborsClassifier(3)).name
    'model of KNeighborsClassifier(n_neighbors=3)'

    References
    ----------
    Templ, Thees and Müller (2026), arXiv 2602.09235; exact matches first as in Stadler, Oprisanu
    and Troncoso (2022), arXiv 2011.07018.
    """

    name: str = "model"
    accepts = (Microdata,)

    def __init__(
        self, *, family: str = BEST, exact_first: bool = False, classifier: Any = None,
        name: str = "",
    ) -> None:  # fmt: skip
        self.family, self.exact_first = family, exact_first
        self.own = None if classifier is None else AnyClassifier(classifier)
        if self.own is None and name:
            raise InputError("Only a model attack with your own classifier takes a name.")
        if self.own is not None:
            exactly = ", exact matches first" if exact_first else ""
            self.name = name or f"model of {self.own.name}{exactly}"
            if ":" in self.name or self.name == ModelAttack.name:
                raise InputError(
                    f"The attack cannot be called '{self.name}'. Use no colon, nor 'model'."
                )

    def prepare(self, view: RowsView, rng: np.random.Generator) -> Predictor:
        """Fit a model for each set of known columns."""
        groups = ReleasedColumns.groups(view.tables)
        drawn = [rows.drawn(rng) for rows in groups]
        models = [
            self._fit(rows, codes, view.unknown, rng)
            for rows, codes in zip(groups, drawn, strict=True)
        ]
        with_all = view.unknown.size <= MOST_CODES
        matched = matching(view) if self.exact_first else None

        def modelled(targets: KnownValues) -> Predictions:
            if with_all:
                found = [model.probabilities(targets, view.unknown.size) for model in models]
                return Predictions.likeliest(surest(found), view.unknown)
            made = [model.predict(targets, near=view.unknown.near) for model in models]
            values, scores = (np.stack(parts) for parts in zip(*made, strict=True))
            best = scores.argmax(axis=0), np.arange(len(targets))
            return Predictions.of(values[best], scores[best])

        def predict(targets: KnownValues) -> Predictions:
            predicted = modelled(targets)
            if matched is None:
                return predicted
            shares, closeness = matched(targets)
            exact = closeness >= 1 - _ROUNDING
            exactly, found = Predictions.likeliest(shares, view.unknown), predicted.probabilities
            return Predictions.of(
                np.where(exact, exactly.values, predicted.values),
                np.where(exact, exactly.scores, predicted.scores),
                probabilities=None if found is None else np.where(exact[:, None], shares, found),
            )

        cut = tuple(
            f"The model learned from {count(_MAX_ROWS)} of {count(len(codes))} released rows."
            for codes in drawn
            if len(codes) > _MAX_ROWS
        )
        return NotedPredictor(predict=predict, notes=cut)

    def _fit(
        self,
        rows: ReleasedColumns,
        codes: CodeArray,
        unknown: CategoricalCodes,
        rng: np.random.Generator,
    ) -> FittedRows:
        from alc_core.baselines.fitting import fit_baseline
        from alc_core.baselines.selection import choose_families

        if len(codes) > _MAX_ROWS:
            chosen = np.sort(rng.choice(len(codes), size=_MAX_ROWS, replace=False))
            rows, codes = rows.take(chosen), codes[chosen]
        coding = FeatureCoding.of(rows.known)
        features = coding.features(rows.known)
        seed = int(rng.integers(2**31))
        if self.own is not None:
            ranking: Sequence[Candidate] = [(self.own,)]
        elif self.family == BEST:
            choices = choose_families(
                features, codes, np.arange(len(features)), families=default_families(),
                scoring=ScoringParameters(), near=unknown.near, seed=seed,
            )  # fmt: skip
            ranking = [choice.candidate for choice in choices]
        else:
            ranking = [(self._named(features, codes, unknown.name),)]
        fitted = fit_baseline(features, codes, ranking=ranking, seed=seed)
        return FittedRows(rows=rows, coding=coding, model=fitted)

    def _named(self, features: Features, unknown: CodeArray, column: str) -> Family:
        from alc_core.baselines.fitting import LearnedValues

        if self.family in _FURTHER:
            return AnyClassifier(_FURTHER[self.family](), self.family)
        (family,) = (each for each in default_families() if each.name == self.family)
        learned = LearnedValues.of(unknown)
        if len(learned) > 1 and not learned.suits(family, features):
            raise InputError(
                f"'{self.name}' cannot fit {family.name} to '{column}': {len(learned)} values are "
                f"too many. Choose '{BEST}'."
            )
        return family


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FittedRows:
    """A model of released rows, and targets' coding for it."""

    rows: ReleasedColumns
    coding: FeatureCoding
    model: Baseline

    def predict(self, targets: KnownValues, *, near: bool) -> tuple[np.ndarray, FloatArray]:
        """Return each target's code most likely to be right, and its probability."""
        return self.model.predict(self.coding.features(self.rows.seen(targets)), near=near)[:2]

    def probabilities(self, targets: KnownValues, n_codes: int) -> FloatArray:
        """Return codes' probabilities, (n_targets, n_codes)."""
        return self.model.probabilities(self.coding.features(self.rows.seen(targets)), n_codes)


MODEL = AttackType(
    name=ModelAttack.name,
    method="Fits a model on the released rows.",
    reference="Templ, Thees and Müller (2026), arXiv 2602.09235",
    accepts=ModelAttack.accepts,
    make=ModelAttack,
    fits_model=True,
    seconds=(0.9, 0.005),
    parameters=(
        Parameter(
            name="family",
            title="Family of models",
            help=f"'{BEST}' predicts the release's own rows best.",
            default=BEST,
            choices=(BEST, *(family.name for family in default_families()), *_FURTHER),
        ),
        Parameter(
            name="exact_first",
            title="Exact matches first",
            help="The model is for people without such rows.",
            default=False,
        ),
    ),
)
