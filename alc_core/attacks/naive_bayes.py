"""Cormode's naive attack: a naive Bayes classifier of the release."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from alc_core.arrays import CodeArray, FloatArray
from alc_core.attacks.protocol import MOST_CODES, AttackType, Predictions, Predictor, surest
from alc_core.attacks.released_columns import RANGES, KnownCodes, ReleasedColumns
from alc_core.errors import ParameterError
from alc_core.releases.cells import contingency
from alc_core.releases.counts import Counts, CountsView
from alc_core.releases.groups import Groups
from alc_core.releases.microdata import Microdata, RowsView
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.columns import likeliest_right

# Most cells of a batch (32 MB)
_CELLS = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NaiveBayesModel:
    """Probability of each unknown value given known codes."""

    log_prior: FloatArray  # Logarithm of Pr[s] for each value s
    # Logarithm of Pr[t | s] by known column
    log_likelihoods: tuple[FloatArray, ...]

    @classmethod
    def of_counts(cls, counts: Sequence[FloatArray]) -> Self:
        """Learn from counts of known columns with the unknown one.

        Negative counts (noise) are set to 0, then all raised by one. Pr[s] is the share of s in all
        counts.

        >>> import numpy as np
        >>> model = NaiveBayesModel.of_counts([np.array([[8.0, -1.0], [0.0, 2.0]])])
        >>> model.posterior([np.array([0, 1])]).round(3)
        array([[0.9 , 0.1 ],
               [0.25, 0.75]])
        """
        if not counts:
            raise ParameterError("Naive Bayes needs the counts of at least one known column.")
        corrected = [1.0 + np.maximum(table, 0.0) for table in counts]
        totals = np.sum([table.sum(axis=0) for table in corrected], axis=0)
        return cls(
            log_prior=np.log(totals / totals.sum()),
            log_likelihoods=tuple(np.log(table / table.sum(axis=0)) for table in corrected),
        )

    @property
    def n_values(self) -> int:
        """Number of values of the unknown column."""
        return len(self.log_prior)

    def posterior(self, columns: Sequence[CodeArray]) -> FloatArray:
        """Return the probability of each unknown value."""
        logs = self.log_joint(columns)
        logs -= logs.max(axis=1, keepdims=True)
        joint = np.exp(logs)
        shares: FloatArray = joint / joint.sum(axis=1, keepdims=True)
        return shares

    def log_joint(self, columns: Sequence[CodeArray]) -> FloatArray:
        """Return the logarithm of Pr[s] times all Pr[t | s]."""
        logs = np.tile(self.log_prior, (len(columns[0]), 1))
        for codes, table in zip(columns, self.log_likelihoods, strict=True):
            silent = np.zeros((1, self.n_values))  # for code -1
            logs += np.concatenate([table, silent])[codes]
        return logs


class NaiveBayesAttack:
    """Predict by Bayes' rule, as if known columns were independent.

    It needs only counts of each known column with the unknown one, published or from rows; a row
    with several possible values is split. A generalized label or missing value is a category; a
    suppressed cell is uninformative. Of several tables, the most certain predicts.

    References
    ----------
    Cormode (2011), Personal privacy vs population privacy: learning to attack anonymization.
    """

    name: str = "naive bayes"
    accepts = (Microdata, Groups, Counts)

    def __init__(self, *, ranges: int = 10) -> None:
        self.ranges = ranges

    def prepare(self, view: RowsView | CountsView, rng: np.random.Generator) -> Predictor:  # noqa: ARG002
        """Count, and return the predictor."""
        n_codes = view.unknown.size
        learned: list[tuple[LearnedCounts, Callable[[KnownValues], list[CodeArray]]]]
        if isinstance(view, CountsView):
            counts = list(view.counts.values())
            learned = [(LearnedCounts(counts), lambda targets: list(view.codes(targets).values()))]
        else:
            groups = ReleasedColumns.groups(view.tables)
            codings = [KnownCodes.of(rows, self.ranges) for rows in groups]
            learned = [(LearnedCounts(count_rows(c, n_codes)), c.targets) for c in codings]

        def posterior(targets: KnownValues) -> FloatArray:
            return surest([model.posterior(coder(targets)) for model, coder in learned])

        def predict(targets: KnownValues) -> Predictions:
            if n_codes <= MOST_CODES:
                return Predictions.likeliest(posterior(targets), view.unknown)
            n_portions = -(-len(targets) * n_codes // _CELLS)
            parts = np.array_split(np.arange(len(targets)), n_portions)
            portions = (posterior(targets.take(part)) for part in parts)
            codes, near = np.arange(n_codes), view.unknown.near
            made = [likeliest_right(shares, codes, near=near) for shares in portions]
            values, scores = (np.concatenate(each) for each in zip(*made, strict=True))
            return Predictions.of(values, scores)

        return predict


class LearnedCounts:
    """Naive Bayes over the release's values."""

    def __init__(self, counts: Sequence[FloatArray]) -> None:
        self._size = counts[0].shape[1]
        self._released = np.flatnonzero(np.any([table.any(axis=0) for table in counts], axis=0))
        self._model = NaiveBayesModel.of_counts([table[:, self._released] for table in counts])

    def posterior(self, columns: Sequence[CodeArray]) -> FloatArray:
        """Return each code's probability, 0 if unreleased."""
        shares = np.zeros((len(columns[0]), self._size))
        shares[:, self._released] = self._model.posterior(columns)
        return shares


def count_rows(coding: KnownCodes, n_codes: int) -> list[FloatArray]:
    """Count released rows like :func:`contingency`."""
    from scipy.sparse import csr_array

    rows, columns, sizes = coding.rows, coding.released(), coding.sizes
    if rows.spread is None:
        return contingency(columns, rows.unknown, sizes, n_codes)
    labels, weights = rows.spread.labels, rows.spread.weights
    single = np.where(labels < 0, rows.unknown, np.int32(-1))
    tables = contingency(columns, single, sizes, n_codes)
    for codes, table in zip(columns, tables, strict=True):
        shared = np.flatnonzero((labels >= 0) & (codes >= 0))
        cells = (np.ones(len(shared)), (codes[shared], labels[shared]))
        table += csr_array(cells, shape=(len(table), len(weights))) @ weights
    return tables


NAIVE_BAYES = AttackType(
    name=NaiveBayesAttack.name,
    method="Predicts the likeliest value by Bayes' rule.",
    reference="Cormode (2011), section 2.2",
    accepts=NaiveBayesAttack.accepts,
    make=NaiveBayesAttack,
    fits_model=True,
    seconds=(0.05, 0.0),
    parameters=(RANGES,),
)
