"""Where two measures of the same attacks call them safe, at risk or serious, and disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

CLASSES = ("safe", "at risk", "serious")
"""Of an anonymity loss: below the first limit, from it on, from the second on."""

DISAGREEMENTS = ((1, 0), (2, 0), (0, 1), (0, 2))
"""Classes by ALC and by the other measure in which they disagree about whether an attack is safe:
the rows of table 2."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disagreement:
    """How many attacks each of two measures puts in which class.

    Attributes
    ----------
    counts : ndarray of int of shape (3, 3)
        Attacks by class: a row for each of ALC, a column for each of the other measure.

    References
    ----------
    Francis and Wagner (2025), table 2.
    """

    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls, ours: ArrayLike, other: ArrayLike, *, at_risk: float = 0.5, serious: float = 0.75
    ) -> Self:
        """Count attacks that have both numbers.

        Parameters
        ----------
        ours, other : array-like of shape (n_attacks,)
            ALC of each attack, and the other measure's number on the same scale; NaN for none.
        at_risk, serious : float
            Limits of both.

        Examples
        --------
        >>> Disagreement.of([0.6, 0.8, 0.1, 0.2], [0.2, 0.7, 0.9, 0.0]).counts.tolist()
        [[1, 0, 1], [1, 0, 0], [0, 1, 0]]
        """
        pair = np.array([ours, other], dtype=np.float64)
        pair = pair[:, ~np.isnan(pair).any(axis=0)]
        rows, columns = np.searchsorted([at_risk, serious], pair, side="right")
        counts = np.bincount(3 * rows + columns, minlength=9)
        return cls(counts=counts.reshape(3, 3).astype(np.int64))

    @property
    def attacks(self) -> int:
        """Attacks that have both."""
        return int(self.counts.sum())

    def share(self, ours: int, other: int) -> float:
        """Return the share of attacks in a class by ALC and in one by the other measure."""
        return float(self.counts[ours, other]) / max(self.attacks, 1)

    @property
    def missed(self) -> int:
        """Attacks at risk or serious by ALC that the other measure calls safe."""
        return int(self.counts[1:, 0].sum())

    @property
    def only_other(self) -> int:
        """Attacks safe by ALC that the other measure calls at risk or serious."""
        return int(self.counts[0, 1:].sum())
