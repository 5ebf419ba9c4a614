"""How far from the true number an answer may be and still count as right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from alc_core.errors import InputError, ParameterError


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far from the true number an answer may be.

    Attributes
    ----------
    distance : float
        In the column's unit (of dates, days), or as a share of the value.
    relative : bool
        Whether it is a share.

    Examples
    --------
    >>> print(Tolerance(2000), "or", Tolerance(0.1, relative=True))
    2000 or 10 %
    """

    distance: float
    relative: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.distance < (1 if self.relative else float("inf")):
            below = " and below 100 %" if self.relative else ""
            raise ParameterError(f"A tolerance must be above 0{below}, but is {self}.")

    def __str__(self) -> str:
        return f"{100 * self.distance:g} %" if self.relative else f"{self.distance:.10g}"


def read_tolerances(texts: Iterable[str]) -> dict[str, Tolerance]:
    """Read tolerances by column from texts.

    Examples
    --------
    >>> read_tolerances(["income = 2000", "age=10 %"])["age"]
    Tolerance(distance=0.1, relative=True)
    """
    found = {}
    for text in texts:
        column, _, distance = map(str.strip, text.rpartition("="))
        number = distance.removesuffix("%")
        try:
            value = float(number)
        except ValueError:
            value = None
        if not column or value is None:
            raise InputError(
                f"A tolerance is COLUMN=DISTANCE, such as income=2000 or income=10%, not '{text}'."
            )
        relative = number != distance
        found[column] = Tolerance(value / 100 if relative else value, relative)
    return found
