"""A naive Bayes classifier learned from counts alone, noisy or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from alc_core.errors import ParameterError
from alc_core.tables.encode import CodeArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NaiveBayesModel:
    """How likely each value of the unknown attribute is, given codes of the known ones.

    References
    ----------
    Cormode (2011), section 2.2.
    """

    log_prior: FloatArray  # Logarithm of Pr[s] of each value s
    # Logarithm of Pr[t | s] for each known attribute: of its code t, given the value s
    log_likelihoods: tuple[FloatArray, ...]

    @classmethod
    def of_counts(cls, counts: Sequence[FloatArray]) -> Self:
        """Learn from the counts of each known attribute with the unknown one.

        Negative counts, which noise makes, count as 0; then one is added to every count. Pr[s] is
        the share of s in all counts together, so that nothing beyond these counts is asked for.

        Examples
        --------
        >>> import numpy as np
        >>> model = NaiveBayesModel.of_counts([np.array([[8.0, -1.0], [0.0, 2.0]])])
        >>> model.posterior([np.array([0, 1])]).round(3)
        array([[0.9 , 0.1 ],
               [0.25, 0.75]])
        """
        if not counts:
            raise ParameterError("Naive Bayes needs the counts of at least one known attribute.")
        corrected = [1.0 + np.maximum(table, 0.0) for table in counts]
        totals = np.sum([table.sum(axis=0) for table in corrected], axis=0)
        return cls(
            log_prior=np.log(totals / totals.sum()),
            log_likelihoods=tuple(np.log(table / table.sum(axis=0)) for table in corrected),
        )

    @property
    def n_values(self) -> int:
        """Number of values of the unknown attribute."""
        return len(self.log_prior)

    def posterior(self, columns: Sequence[CodeArray]) -> FloatArray:
        """Return the probability of each value of the unknown attribute."""
        logs = self.log_joint(columns)
        logs -= logs.max(axis=1, keepdims=True)
        joint = np.exp(logs)
        shares: FloatArray = joint / joint.sum(axis=1, keepdims=True)
        return shares

    def log_joint(self, columns: Sequence[CodeArray]) -> FloatArray:
        """Return the logarithm of Pr[s] times all Pr[t | s], as :meth:`posterior` takes them."""
        logs = np.tile(self.log_prior, (len(columns[0]), 1))
        for codes, table in zip(columns, self.log_likelihoods, strict=True):
            silent = np.zeros((1, self.n_values))  # what the code -1 picks
            logs += np.concatenate([table, silent])[codes]
        return logs
