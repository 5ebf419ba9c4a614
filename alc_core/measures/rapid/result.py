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
    """The share of people at risk over thresholds or tolerances."""

    cuts: tuple[float, ...]  # Ascending
    shares: tuple[float, ...]  # At each of them, of the release, with pointwise intervals
    low: tuple[float, ...]
    high: tuple[float, ...]
    reference: tuple[float, ...]  # Of models that never saw the person

    def at(self, cut: float) -> int:
        """Return the place of the cut nearest to a number."""
        return int(np.abs(np.array(self.cuts) - cut).argmin())


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidPart:
    """The share at risk among some people."""

    column: str  # Whose people have this value, or one of this range
    label: str
    n_people: int  # How many they are
    share: Measured  # At risk among them
    reference: float  # At risk among them without the person


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidDriver:
    """How much of the risk rests on a known attribute."""

    column: str  # The attribute
    drop: Measured  # How much the share at risk falls when its values are exchanged among people


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RapidPeopleRisk:
    """The risk of each person; in memory only, unless the user exports it."""

    rows: NDArray[np.intp]  # Rows of the original, from 0
    scores: FloatArray  # By the model of the release, and without the person
    reference: FloatArray
    at_risk: NDArray[np.bool_]  # By the release
    units: NDArray[np.int64]  # People with equal numbers belong together


@dataclass(frozen=True, slots=True, kw_only=True)
class Rapid:
    """RAPID of one release in one scenario; holds nothing of single people."""

    release: str  # Name of the release
    fingerprint: str  # Of the original
    known: tuple[str, ...]  # The known columns
    unknown: str  # The unknown one
    settings: RapidSettings  # How it was measured
    score: str
    cut: float  # The threshold or tolerance
    rapid: Measured  # Share of the people at risk
    # The same for models of the original without the person: what is known of everybody
    reference: Measured
    beyond: Measured  # How much the release is above its reference, person by person
    curve: RapidCurve  # Over thresholds or tolerances
    # By value of the unknown attribute, of each known one, and of further columns
    parts: tuple[RapidPart, ...]
    drivers: tuple[RapidDriver, ...]  # Largest first
    n_people: int  # People that were predicted
    left_out: int  # People without a value
    # Values that people have and the release has not: nobody with them can be at risk
    not_released: tuple[str, ...]
    notes: tuple[str, ...]  # What a reader must know besides

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
    """A RAPID with each person's risk beside it."""

    result: Rapid  # What may be kept and shown
    people: RapidPeopleRisk  # Each person; in memory only
