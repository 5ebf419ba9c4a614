"""The protocol of an attack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.errors import InputError
from alc_core.note import Note
from alc_core.parameter import Parameter
from alc_core.releases.release import AttackView, Release
from alc_core.runtime.plugins import described
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.columns import CategoricalCodes, likeliest_right

# Most values of the unknown column for probabilities
MOST_CODES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LikelyRecords:
    """Records most likely to be each target's own, likeliest first.

    Attributes
    ----------
    values : ndarray of int64 of shape (n_targets, n_records)
        Unknown codes; -1 if fewer.
    chances : ndarray of float64 of shape (n_targets,)
        Probability that the first is the target's own.
    """

    values: IntArray
    chances: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions:
    """Predictions for a batch of targets.

    Attributes
    ----------
    values : ndarray of int of shape (n_targets,)
        Predicted codes; meaningless where abstained.
    scores : ndarray of float of shape (n_targets,)
        Higher is more certain. Finite unless abstained.
    abstained : ndarray of bool of shape (n_targets,)
        Where the attack makes no prediction.
    probabilities : ndarray of shape (n_targets, n_codes), optional
        Of each code, for some measures.
    learned : ndarray of shape (n_targets, n_codes), optional
        Of each code for anyone like the target, not known to be in the release.
    records : LikelyRecords, optional
        From attacks that look for own records.
    """

    values: NDArray[np.int64]
    scores: FloatArray
    abstained: NDArray[np.bool_]
    probabilities: FloatArray | None = None
    learned: FloatArray | None = None
    records: LikelyRecords | None = None

    @classmethod
    def of(
        cls, values: ArrayLike, scores: ArrayLike, abstained: ArrayLike | None = None, *,
        probabilities: ArrayLike | None = None, learned: ArrayLike | None = None,
    ) -> Self:  # fmt: skip
        """Build from array-likes; nobody abstains by default.

        Examples
        --------
        >>> made = Predictions.of([2, 0], [0.9, 0.4], abstained=[False, True])
        >>> made.values.tolist(), made.abstained.tolist()
        ([2, 0], [False, True])
        """
        codes = np.asarray(values)
        none = np.zeros(len(codes), bool) if abstained is None else np.asarray(abstained, bool)
        if codes.dtype.kind == "f" and codes.shape == none.shape:
            codes = np.where(none, 0, codes)
        whole = codes.dtype.kind in "biu" or (codes.dtype.kind == "f" and (codes % 1 == 0).all())
        return cls(
            values=codes.astype(np.int64) if whole else codes,
            scores=np.asarray(scores, dtype=np.float64),
            abstained=none,
            probabilities=None if probabilities is None else np.asarray(probabilities, np.float64),
            learned=None if learned is None else np.asarray(learned, np.float64),
        )

    @classmethod
    def likeliest(cls, probabilities: FloatArray, unknown: CategoricalCodes) -> Self:
        """Predict the likeliest correct code, scored by its probability.

        `unknown` says which other codes are also correct.
        """
        codes = np.arange(unknown.size)
        values, chances = likeliest_right(probabilities, codes, near=unknown.near)
        return cls.of(values, chances, probabilities=probabilities)


def surest(found: Sequence[FloatArray]) -> FloatArray:
    """Return each target's most certain probabilities, (n_targets, n_codes)."""
    stacked = np.stack(found)
    best: FloatArray = stacked[stacked.max(axis=2).argmax(axis=0), np.arange(stacked.shape[1])]
    return best


Predictor = Callable[[KnownValues], Predictions]
"""Predicts a batch of targets with what the attack learned.

A tuple `notes` is reported with the result. If `converged` is false, the attack never clears a
release.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NotedPredictor:
    """A predictor with notes."""

    predict: Predictor
    notes: tuple[str, ...]
    converged: bool = True

    def __call__(self, targets: KnownValues) -> Predictions:
        """Predict."""
        return self.predict(targets)


def notes_of(predict: Predictor) -> tuple[str | Note, ...]:
    """Return a predictor's notes for its result."""
    return tuple(getattr(predict, "notes", ()))


def has_converged(predict: Predictor) -> bool:
    """Return whether a predictor's chains, if any, converged."""
    return bool(getattr(predict, "converged", True))


class Attack(Protocol):
    """An attribute-inference attack.

    Attributes
    ----------
    name : str
        In results.
    accepts : tuple of type
        Readable types of release.

    Examples
    --------
    An attack that ignores the known columns and bets on the release's most frequent value:

    >>> from alc_core.releases.microdata import Microdata
    >>> class MostFrequent:
    ...     name = "most frequent value"
    ...     accepts = (Microdata,)
    ...     def prepare(self, view, rng):
    ...         counts = sum(np.bincount(t.unknown, minlength=view.unknown.size)
    ...                      for t in view.tables)
    ...         value, share = counts.argmax(), counts.max() / counts.sum()
    ...         return lambda targets: Predictions.of(
    ...             np.full(len(targets), value), np.full(len(targets), share))
    """

    name: str

    @property
    def accepts(self) -> tuple[type[Release], ...]: ...  # noqa: D102

    def prepare(self, view: Any, rng: np.random.Generator) -> Predictor:
        """Read the release and return the predictor.

        Parameters
        ----------
        view : AttackView
            Of an accepted release.
        rng : numpy.random.Generator
            All randomness.
        """
        ...


def check_predictions(made: Any, n_targets: int, n_values: int, attack: str) -> None:
    """Raise :class:`InputError` unless every target has a usable prediction."""
    if not isinstance(made, Predictions):
        raise InputError(
            f"{attack} predicted a '{type(made).__name__}'. Return alc.Predictions.of(values, "
            "scores)."
        )
    shapes = {made.values.shape, made.scores.shape, made.abstained.shape}
    if shapes != {(n_targets,)}:
        raise InputError(
            f"{attack} returned shapes {sorted(shapes)} for {n_targets} targets. Return one "
            "value, score and abstention each."
        )
    codes = made.values[~made.abstained]
    whole = codes.dtype.kind in "iu"
    if codes.size and not (whole and 0 <= codes.min() <= codes.max() < n_values):
        raise InputError(
            f"{attack} predicted {'a code outside' if whole else 'values that are not codes from'} "
            f"0 to {n_values - 1}. Predict codes of the unknown column."
        )
    unusable = ~np.isfinite(made.scores) & ~made.abstained
    if unusable.any():
        raise InputError(
            f"{attack} returned infinite or missing scores for {int(unusable.sum())} of "
            f"{n_targets} targets. Abstain there."
        )
    for found in (made.probabilities, made.learned):
        if found is None:
            continue
        if found.shape != (n_targets, n_values):
            raise InputError(
                f"{attack} returned probabilities of shape {found.shape}. Return a row per target "
                f"and a column per code: {(n_targets, n_values)}."
            )
        given = found[~made.abstained]
        if not ((given >= 0) & (given <= 1)).all():
            raise InputError(
                f"{attack} returned a probability outside 0 to 1, or none. Abstain there."
            )


def prepared_by(attack: Attack, view: AttackView, rng: np.random.Generator) -> Predictor:
    """Return an attack's predictor."""
    predict = attack.prepare(view, rng)
    if not callable(predict):
        raise InputError(
            f"{_called(attack)} prepared a '{type(predict).__name__}'. Return a function from "
            "targets to predictions."
        )
    return predict


def predicted_by(
    attack: Attack, predict: Predictor, targets: KnownValues, n_values: int
) -> Predictions:
    """Return an attack's predictions, refused unless usable."""
    made = predict(targets)
    check_predictions(made, len(targets), n_values, _called(attack))
    return made


def _called(attack: Attack) -> str:
    return f"Attack '{attack.name}', {described(attack)},"


USUAL_SECONDS = 0.05, 0.005  # By default


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackType:
    """A kind of attack to choose.

    Attributes
    ----------
    name : str
        Lower case.
    method : str
        One sentence.
    reference : str
        Its source.
    accepts : tuple of type
        Readable types of release.
    make : callable
        From parameters by name to the attack.
    parameters : tuple of Parameter
        What can be set.
    seconds : tuple of float
        Fixed, and per million pairs of target and released row, on one thread of a machine of 2024;
        for time estimates.
    usual : bool
        Run by default on releases that are not rows of people.
    fits_model : bool
        Learns from the whole release, so may find more in synthetic rows than nearest rows show.
    chains : bool
        Predicts several unknown columns in turn.
    across : bool
        Compares the tables of a release read as a whole.

    Examples
    --------
    >>> import alc_core as alc
    >>> alc.attack_types()["chained"].chains
    True
    """

    name: str
    method: str
    reference: str
    accepts: tuple[type[Release], ...]
    make: Callable[..., Attack]
    parameters: tuple[Parameter, ...] = ()
    seconds: tuple[float, float] = USUAL_SECONDS
    usual: bool = True
    fits_model: bool = False
    chains: bool = False
    across: bool = False
