"""What an attack is: it reads the release, then predicts for batches of targets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.errors import InputError
from alc_core.releases.release import Release
from alc_core.scenario.known_values import KnownValues
from alc_core.tables.encode import CategoricalCodes, CodeArray, ColumnSpec, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleasedRows:
    """One released table as an attack sees it.

    Attributes
    ----------
    name : str
        Name of the table.
    known : KnownValues
        The known columns that it has.
    unknown : ndarray of int32 of shape (n_rows,)
        Codes of the unknown attribute.
    """

    name: str
    known: KnownValues
    unknown: CodeArray

    def __len__(self) -> int:
        return len(self.unknown)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttackView:
    """All that an attack may use besides the target's known attributes.

    Attributes
    ----------
    tables : tuple of ReleasedRows
        The released tables that hold the unknown attribute and at least one known one.
    known : mapping of str to ColumnSpec
        The known columns and their codes or scales (over all tables).
    unknown : CategoricalCodes
        The codes to predict.
    """

    tables: tuple[ReleasedRows, ...]
    known: Mapping[str, ColumnSpec]
    unknown: CategoricalCodes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions:
    """Predictions for a batch of targets.

    Attributes
    ----------
    values : ndarray of int of shape (n_targets,)
        Predicted codes of the unknown attribute; of no meaning where abstained.
    scores : ndarray of float of shape (n_targets,)
        Rank scores: the higher, the surer. Finite except where abstained.
    abstained : ndarray of bool of shape (n_targets,)
        Where the attack makes no prediction.
    """

    values: NDArray[np.int64]
    scores: FloatArray
    abstained: NDArray[np.bool_]

    @classmethod
    def of(cls, values: ArrayLike, scores: ArrayLike, abstained: ArrayLike | None = None) -> Self:
        """Build from anything array-like; nobody abstains by default."""
        codes = np.asarray(values, dtype=np.int64)
        none = np.zeros(len(codes), dtype=bool)
        return cls(
            values=codes,
            scores=np.asarray(scores, dtype=np.float64),
            abstained=none if abstained is None else np.asarray(abstained, dtype=bool),
        )

    def check(self, n_targets: int, n_values: int, attack: str) -> None:
        """Raise :class:`InputError` unless there is a usable prediction for every target."""
        shapes = {self.values.shape, self.scores.shape, self.abstained.shape}
        if shapes != {(n_targets,)}:
            raise InputError(
                f"Attack '{attack}' returned arrays of shapes {sorted(shapes)} for {n_targets} "
                "targets. Return one value, score and abstention per target."
            )
        made = self.values[~self.abstained]
        if made.size and not 0 <= made.min() <= made.max() < n_values:
            raise InputError(
                f"Attack '{attack}' predicted a code outside 0 to {n_values - 1}. Predict codes of "
                "the view's unknown attribute."
            )
        unusable = ~np.isfinite(self.scores) & ~self.abstained
        if unusable.any():
            raise InputError(
                f"Attack '{attack}' returned a rank score that is not finite for "
                f"{int(unusable.sum())} of {n_targets} targets. Let it abstain there."
            )


Predictor = Callable[[KnownValues], Predictions]
"""Predicts for a batch of targets; holds what the attack learned from the release."""


class Attack(Protocol):
    """An attribute-inference attack.

    Attributes
    ----------
    name : str
        What results call it.
    accepts : tuple of type
        The types of release that it can read.

    Examples
    --------
    An attack that ignores the known attributes and bets on the release's most frequent value:

    >>> class MostFrequent:
    ...     name = "most frequent value"
    ...     accepts = (Release,)
    ...     def prepare(self, view, rng):
    ...         counts = sum(np.bincount(t.unknown, minlength=view.unknown.size)
    ...                      for t in view.tables)
    ...         value, share = counts.argmax(), counts.max() / counts.sum()
    ...         return lambda targets: Predictions.of(
    ...             np.full(len(targets), value), np.full(len(targets), share))
    """

    name: str
    accepts: ClassVar[tuple[type[Release], ...]]

    def prepare(self, view: AttackView, rng: np.random.Generator) -> Predictor:
        """Read the release and return the predictor; `rng` is the only source of randomness."""
        ...
