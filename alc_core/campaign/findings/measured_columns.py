"""The numbers of the measures beside the anonymity loss, as columns of the findings table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from alc_core.measures.measure import Measured, MeasureNumber
from alc_core.measures.registry import measures

MeasuredAttacks = Mapping[int, Mapping[str, Mapping[str, Measured]]]
"""Numbers by attack, measure and name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureColumn:
    """A column of the findings table that holds a number of a measure."""

    name: str  # Of the column; its interval is in the columns of this name with _low and _high
    measure: str  # Name of the measure
    number: MeasureNumber
    leading: bool  # Whether it is the measure's first number, shown where there is room for one

    @property
    def title(self) -> str:
        """Heading for people."""
        return self.number.title


def measure_columns(frame: pd.DataFrame) -> tuple[MeasureColumn, ...]:
    """Return the columns of registered measures that a findings table has."""
    return tuple(
        column
        for measure in measures().values()
        for column in _columns_of(measure.name, measure.numbers)
        if column.name in frame.columns
    )


def measured_frame(measured: MeasuredAttacks) -> pd.DataFrame:
    """Lay out the numbers of all measures, one row per attack."""
    found = {name for numbers in measured.values() for name in numbers}
    columns = [
        column
        for measure in measures().values()
        if measure.name in found
        for column in _columns_of(measure.name, measure.numbers)
    ]
    data: dict[str, Sequence[float | None]] = {}
    for column in columns:
        numbers = [of.get(column.measure, {}).get(column.number.name) for of in measured.values()]
        data[column.name] = [None if each is None else each.value for each in numbers]
        if column.number.has_interval:
            data[f"{column.name}_low"] = [None if each is None else each.low for each in numbers]
            data[f"{column.name}_high"] = [None if each is None else each.high for each in numbers]
    return pd.DataFrame(data, index=list(measured), dtype="float64")


def _columns_of(measure: str, numbers: Sequence[MeasureNumber]) -> list[MeasureColumn]:
    start = measure.replace(" ", "_")
    return [
        MeasureColumn(
            name=f"{start}_{number.name}", measure=measure, number=number, leading=place == 0
        )
        for place, number in enumerate(numbers)
    ]
