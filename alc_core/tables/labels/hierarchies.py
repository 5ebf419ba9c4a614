"""Label meanings from a hierarchy: rows of value and coarser labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from alc_core.errors import InputError
from alc_core.tables.value_sets import ANY, Domain, Interval, ValueSet
from alc_core.tables.values.texts import canonical_labels


def sets_of_hierarchy(
    rows: Sequence[Sequence[str]], domain: Domain, *, column: str, name: str
) -> Mapping[str, ValueSet]:
    """Return the original's values covered by a hierarchy's labels."""
    levels = max((len(row) for row in rows), default=0)
    if levels < 2:
        raise InputError(
            f"The hierarchy '{name}' has one column. Write a row per value: the value, then "
            "coarser labels."
        )
    covered: dict[str, set[str]] = {}
    for row in rows:
        value, *above = canonical_labels(pd.Series(row, dtype=object))
        for label in above:
            if value and label and label != value:
                covered.setdefault(label, set()).add(value)
    found = {
        label: covers
        for label, values in covered.items()
        if (covers := _covers(label, values, domain)) is not None
    }
    if not found:
        raise InputError(
            f"The first column of '{name}' has no value of '{column}'. Choose another."
        )
    return found


def _covers(label: str, values: set[str], domain: Domain) -> ValueSet | None:
    if domain.numeric:
        own = Domain(pd.Series(sorted(values)), numeric=True, of_dates=domain.of_dates)
        numbers = own.numbers[np.isin(own.numbers, domain.numbers)]
        if not len(numbers):
            return None
        if label == "*" and len(numbers) == len(domain.numbers):
            return ANY
        return Interval(float(numbers.min()), float(numbers.max()))
    known = frozenset(value for value in values if domain.has(value))
    if domain.has(label) or not known:
        return None
    return ANY if label == "*" and len(known) == len(domain.labels) else known
