"""What RAPID found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.measures.measure import Measured
from alc_core.measures.rapid.settings import RapidSettings
from alc_core.measures.rapid_scores import SCORES, FloatArray, Score


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidCurve:
    """The share of people at risk over thresholds or tolerances.

    Attributes
    ----------
    cuts : tuple of float
        Ascending.
    shares, low, high : tuple of float
        At each of them, of the release, with pointwise intervals.
    reference : tuple of float
        Of models that never saw the person.
    """

    cuts: tuple[float, ...]
    shares: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    reference: tuple[float, ...]

    def at(self, cut: float) -> int:
        """Return the place of the cut nearest to a number."""
        return int(np.abs(np.array(self.cuts) - cut).argmin())


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidPart:
    """The share at risk among some people.

    Attributes
    ----------
    column, label : str
        Whose people have this value, or one of this range.
    n_people : int
        How many they are.
    share : Measured
        At risk among them.
    reference : float
        At risk among them without the person.
    """

    column: str
    label: str
    n_people: int
    share: Measured
    reference: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidDriver:
    """How much of the risk rests on a known attribute.

    Attributes
    ----------
    column : str
        The attribute.
    drop : Measured
        How much the share at risk falls when its values are exchanged among people.
    """

    column: str
    drop: Measured


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RapidPeopleRisk:
    """The risk of each person; in memory only, unless the user exports it.

    Attributes
    ----------
    rows : ndarray of int
        Rows of the original, from 0.
    scores, reference : ndarray of float
        By the model of the release, and without the person.
    at_risk : ndarray of bool
        By the release.
    units : ndarray of int
        People with equal numbers belong together.
    """

    rows: NDArray[np.intp]
    scores: FloatArray
    reference: FloatArray
    at_risk: NDArray[np.bool_]
    units: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rapid:
    """RAPID of one release in one scenario; holds nothing of single people.

    Attributes
    ----------
    release : str
        Name of the release.
    fingerprint : str
        Of the original.
    known : tuple of str
        The known columns.
    unknown : str
        The unknown one.
    settings : RapidSettings
        How it was measured.
    score : str
        The score.
    cut : float
        The threshold or tolerance.
    rapid : Measured
        Share of the people at risk.
    reference : Measured
        The same for models of the original without the person: what is known of everybody.
    beyond : Measured
        How much the release is above its reference, person by person.
    curve : RapidCurve
        Over thresholds or tolerances.
    parts : tuple of RapidPart
        By value of the unknown attribute, of each known one, and of further columns.
    drivers : tuple of RapidDriver
        Largest first.
    n_people : int
        People that were predicted.
    left_out : int
        People without a value.
    not_released : tuple of str
        Values that people have and the release has not: nobody with them can be at risk.
    notes : tuple of str
        What a reader must know besides.
    """

    release: str
    fingerprint: str
    known: tuple[str, ...]
    unknown: str
    settings: RapidSettings
    score: str
    cut: float
    rapid: Measured
    reference: Measured
    beyond: Measured
    curve: RapidCurve
    parts: tuple[RapidPart, ...]
    drivers: tuple[RapidDriver, ...]
    n_people: int
    left_out: int
    not_released: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def scoring(self) -> Score:
        """The score, described."""
        return SCORES[self.score]

    @property
    def grouped(self) -> tuple[str, ...]:
        """The columns by whose values there are shares."""
        return tuple(dict.fromkeys(part.column for part in self.parts))

    def groups(self, column: str) -> tuple[RapidPart, ...]:
        """Return the shares by the values of a column."""
        return tuple(part for part in self.parts if part.column == column)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeasuredRapid:
    """A RAPID with each person's risk beside it.

    Attributes
    ----------
    result : Rapid
        What may be kept and shown.
    people : RapidPeopleRisk
        Each person; in memory only.
    """

    result: Rapid
    people: RapidPeopleRisk
